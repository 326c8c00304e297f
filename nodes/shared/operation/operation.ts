import type { IDataObject } from 'n8n-workflow';

import type { Produced, Session } from '../answer/answer';
import type { ListShape } from '../answer/paging';
import type { FieldMap } from '../form/field';
import type { FormValues } from '../form/formValues';
import type { ScopeKind } from '../scope/scope';
import type { ContractKey, FormFields, PathNames } from '../transport/request';

/** The parts of an operation's request that its values decide. */
export type RequestParts<K extends ContractKey> = {
	query?: IDataObject;
	body?: IDataObject;
	form?: FormFields;
	/** Values among these that must never be shown. */
	secrets?: string[];
} & ([PathNames<K>] extends [never] ? unknown : { path: Record<PathNames<K>, string> });

/** The same for an operation whose path the compiler does not know. */
export type AnyRequestParts = RequestParts<ContractKey> & { path?: Record<string, string> };

export interface Words {
	/** The value in saved workflows; it must never change. */
	value: string;
	/** Title Case, with the resource: "Get Many Companies". */
	name: string;
	/** Sentence case, with the resource: "Get many companies". */
	action: string;
	/** The editor's list of operations shows two lines of it, about 110 characters. */
	description: string;
	/** What a person must know to understand a field of the output; shown in the form and on the operation's page. */
	outputNote?: string;
	/** Whether the purpose of the operation is to return a secret. */
	outputsSecret?: boolean;
	/**
	 * What identifies a record of its output, for records that belong to one company only; left out where companies share
	 * them, such as trainings.
	 */
	owned?: ListShape['identity'];
}

/** An operation with the values of one item, ready to run for any company. */
export interface Task {
	/**
	 * Runs it for the session's company.
	 * @throws ServiceError
	 */
	runFor(session: Session): Promise<Produced[]>;
	/** How many items are wanted of all companies together; without it, all that `runFor` gives. */
	most?: number;
}

/** An operation as the engine sees it. */
export interface Operation extends Words {
	/** null for a composite: an operation of this package that is made of several requests. */
	contract: ContractKey | null;
	/** Other paths at which deployments have the same operation. */
	fallbackContracts: readonly ContractKey[];
	/** Rows of the contract that are used instead on deployments without its own. */
	substituteContracts: readonly ContractKey[];
	/** Whether the contract does not have it, so that a deployment may lack it. */
	isOptional: boolean;
	/** The operations that a composite uses. */
	steps?: readonly Operation[];
	scope: ScopeKind;
	/** All its fields in the order in which they are shown: scope, own fields, options. */
	form: FieldMap;
	/** Whether it only reads: then items, companies and pages run in parallel, and requests are repeated. */
	reads: boolean;
	/** The action inside a sentence: "get companies". */
	purpose: string;
	/**
	 * Prepares the task of an item, before any request is sent.
	 * @throws InvalidInput for values that are only wrong in combination
	 */
	task: (form: FormValues) => Task;
}

/** The texts of an operation, taken from its definition. */
export const wordsIn = ({ value, name, action, description, outputNote, outputsSecret = false, owned }: Words) => ({
	...{ value, name, action, description, outputsSecret },
	...(outputNote === undefined ? {} : { outputNote }),
	...(owned === undefined ? {} : { owned }),
	purpose: (action.charAt(0).toLowerCase() + action.slice(1)).replace(/^get many /, 'get '),
});
