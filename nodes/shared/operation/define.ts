import type { IDataObject } from 'n8n-workflow';

import type { Answer, Produced, Reader, Session } from '../answer/answer';
import type { FieldMap, Values } from '../fields/field';
import type { ScopeKind } from '../scope/scope';
import type { ContractKey, FormFields, PathNames, ServiceRequest } from '../transport/request';

/** What an operation's values become: the parts of its request. */
export type RequestParts<K extends ContractKey> = {
	query?: IDataObject;
	body?: IDataObject;
	form?: FormFields;
} & ([PathNames<K>] extends [never] ? unknown : { path: Record<PathNames<K>, string> });

interface Words {
	/** Kept in saved workflows: never renamed. */
	value: string;
	/** Title Case, with the resource: "Get Many Companies". */
	name: string;
	/** Sentence case, with the resource: "Get many companies". */
	action: string;
	description: string;
}

interface Definition<K extends ContractKey, F extends FieldMap> extends Words {
	/** The row of the contract's section 4 that this is. */
	contract: K;
	scope: ScopeKind;
	fields: F;
	/** Shapes the checked values. @throws BadInput for what no single field can tell */
	request: (values: Values<F>) => RequestParts<K>;
	answer: Answer;
}

interface Composite<F extends FieldMap> extends Words {
	scope: ScopeKind;
	fields: F;
	options?: FieldMap;
	/** Whether it only reads, so that items may run side by side. */
	reads: boolean;
	run: (values: Values<F>, session: Session) => Promise<Produced[]>;
}

/** An operation as the engine sees it. */
export interface Operation extends Words {
	/** null for an operation of ours that is made of several requests. */
	contract: ContractKey | null;
	scope: ScopeKind;
	fields: FieldMap;
	options: FieldMap;
	/** Whether it only reads: then items, companies and pages run side by side, and requests are repeated. */
	reads: boolean;
	/** The action inside a sentence: "get many companies". */
	purpose: string;
	/** Checks an item's parameters, before any request leaves. @throws BadInput */
	prepare: (read: Reader) => Promise<(session: Session) => Promise<Produced[]>>;
}

const purposeOf = (action: string) => action.charAt(0).toLowerCase() + action.slice(1);

/** An operation that is one row of the contract. */
export function defineOperation<const K extends ContractKey, F extends FieldMap>(
	definition: Definition<K, F>,
): Operation {
	const { value, name, action, description, contract, scope, fields, request, answer } = definition;
	const purpose = purposeOf(action);
	const reads = contract.startsWith('GET ') || answer.reads;
	return {
		...{ value, name, action, description, contract, scope, purpose, reads },
		fields: { ...fields, ...answer.fields },
		options: answer.options,
		prepare: async (read) => {
			const parts: RequestParts<ContractKey> & { path?: Record<string, string> } = request(
				await read(fields),
			);
			const collect = await answer.prepare(read);
			return async (session) => {
				const asked: ServiceRequest = {
					...parts,
					contract,
					purpose,
					repeatable: reads,
					...(session.company ? { company: session.company } : {}),
				};
				return await collect(asked, session);
			};
		},
	};
}

/** An operation of ours that is made of several requests. */
export function defineComposite<F extends FieldMap>(definition: Composite<F>): Operation {
	const { value, name, action, description, scope, fields, options = {}, reads, run } = definition;
	return {
		...{ value, name, action, description, scope, fields, options, reads },
		contract: null,
		purpose: purposeOf(action),
		prepare: async (read) => {
			const values = await read(fields);
			return async (session) => await run(values, session);
		},
	};
}
