import type { IDataObject } from 'n8n-workflow';

import type { Produced, Session } from '../answer/answer';
import type { FieldMap } from '../form/field';
import type { FormValues } from '../form/formValues';
import type { ScopeKind } from '../scope/scope';
import type { ContractKey, FormFields, PathNames } from '../transport/request';

/** What an operation's values become: the parts of its request. */
export type RequestParts<K extends ContractKey> = {
	query?: IDataObject;
	body?: IDataObject;
	form?: FormFields;
	/** Values among these that must never be shown. */
	secrets?: string[];
} & ([PathNames<K>] extends [never] ? unknown : { path: Record<PathNames<K>, string> });

/** The same for an operation whose path is not known to the compiler. */
export type AnyRequestParts = RequestParts<ContractKey> & { path?: Record<string, string> };

export interface Words {
	/** Kept in saved workflows: never renamed. */
	value: string;
	/** Title Case, with the resource: "Get Many Companies". */
	name: string;
	/** Sentence case, with the resource: "Get many companies". */
	action: string;
	/** The editor's list of operations has two lines for it, about 110 letters. */
	description: string;
	/** Whether the output holds a secret, because that is what it is for. */
	outputsSecret?: boolean;
}

/** An operation with one item's values, ready to be carried out for any company. */
export interface Task {
	/**
	 * Carries it out for the session's company.
	 * @throws ServiceError
	 */
	runFor(session: Session): Promise<Produced[]>;
}

/** An operation as the engine sees it. */
export interface Operation extends Words {
	/** null for a composite: an operation of this package that is made of several requests. */
	contract: ContractKey | null;
	/** Other addresses at which deployments have the same operation. */
	fallbackContracts: readonly ContractKey[];
	/** Rows of the contract by which it is done where its own is not to be had. */
	substituteContracts: readonly ContractKey[];
	/** A composite's requests, as operations of their own. */
	steps?: readonly Operation[];
	scope: ScopeKind;
	/** All its fields in the order a person sees them: scope, own fields, options. */
	form: FieldMap;
	/** Whether it only reads: then items, companies and pages run side by side, and requests are repeated. */
	reads: boolean;
	/** The action inside a sentence: "get many companies". */
	purpose: string;
	/**
	 * Makes the request of an item, before any request leaves.
	 * @throws InvalidInput for what no single field can tell
	 */
	task: (form: FormValues) => Task;
}

/** What every operation has of its definition's words. */
export const wordsIn = ({ value, name, action, description, outputsSecret = false }: Words) => ({
	...{ value, name, action, description, outputsSecret },
	purpose: action.charAt(0).toLowerCase() + action.slice(1),
});
