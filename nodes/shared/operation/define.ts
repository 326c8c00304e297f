import type { IDataObject } from 'n8n-workflow';

import type { Answer, Produced, Reader, Session } from '../answer/answer';
import { remarkOn, type ListShape } from '../answer/paging';
import { readSearch } from '../answer/search';
import { collection } from '../form/collection';
import type { FieldMap, Values } from '../form/field';
import { asFormFields, moreFields } from '../form/more';
import { queryParameters } from '../form/query';
import type { ScopeKind } from '../scope/scope';
import type { Envelope } from '../transport/envelope';
import type { ContractKey, FormFields, PathNames, ServiceRequest } from '../transport/request';

/** What an operation's values become: the parts of its request. */
export type RequestParts<K extends ContractKey> = {
	query?: IDataObject;
	body?: IDataObject;
	form?: FormFields;
	/** Values among these that must never be shown. */
	secrets?: string[];
} & ([PathNames<K>] extends [never] ? unknown : { path: Record<PathNames<K>, string> });

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

interface Definition<K extends ContractKey, F extends FieldMap> extends Words {
	/** The row of the contract's section 4 that this is. */
	contract: K;
	/** Other addresses at which deployments have the same operation, asked in turn where one is not known (404). */
	fallbackContracts?: readonly ContractKey[];
	/** Rows by which `perform` does the same on deployments that lack this one. */
	substituteContracts?: readonly ContractKey[];
	/** Whether the request has no body to add fields to. */
	noBody?: boolean;
	/** Whether it changes something although it is a GET, so that it must not be repeated. */
	hasSideEffects?: boolean;
	scope: ScopeKind;
	fields: F;
	/** Shapes the checked values. @throws InvalidInput for what no single field can tell */
	request: (values: Values<F>) => RequestParts<K>;
	answer: Answer;
	/**
	 * Runs it where one request does not do, because deployments differ: asks in more than one way, or completes what
	 * came. Left out, the request is sent and its answer is the output.
	 */
	perform?: (values: Values<F>, tools: PerformTools) => Promise<Produced[]>;
}

/** Another request than the operation's own: what it does not name is taken from that. */
type RequestOverrides = Partial<Pick<ServiceRequest, 'contract' | 'path' | 'query' | 'body' | 'fallbackContracts'>>;

/** What `perform` works with. */
export interface PerformTools extends Pick<Tools, 'session' | 'ask'> {
	/**
	 * Sends the operation's request, or another one, and reads the answer as the operation does.
	 * @param shape how a list is to be read beside that: which records are wanted, say
	 * @throws ServiceError
	 */
	send: (otherwise?: RequestOverrides, shape?: Partial<ListShape>) => Promise<Produced[]>;
}

interface Composite<F extends FieldMap> extends Words {
	scope: ScopeKind;
	fields: F;
	/** Whether it only reads, so that items may run side by side. */
	reads: boolean;
	/** The operations it is made of. */
	steps: readonly Operation[];
	run: (values: Values<F>, tools: Tools) => Promise<Produced[]>;
}

/** What a composite works with. */
export interface Tools {
	session: Session;
	/** Makes the request of one of its steps, for the company at hand. @throws ServiceError */
	ask: (step: Operation, parts: RequestParts<ContractKey> & Path) => Promise<Envelope>;
	/** Reads the whole list of one of its steps. @throws ServiceError */
	list: (step: Operation, parts: RequestParts<ContractKey> & Path, shape: ListShape) => Promise<IDataObject[]>;
	/** Stops what is asked with these tools. */
	signal?: AbortSignal | undefined;
	/** The same tools, for works that run side by side and are stopped by a signal of their own. */
	until: (signal: AbortSignal) => Tools;
}

interface Path {
	path?: Record<string, string>;
}

/** An operation as the engine sees it. */
export interface Operation extends Words {
	/** null for an operation of ours that is made of several requests. */
	contract: ContractKey | null;
	/** Other addresses at which deployments have the same operation. */
	fallbackContracts: readonly ContractKey[];
	/** Rows by which it is done where its own is not to be had. */
	substituteContracts: readonly ContractKey[];
	/** Those, as operations of their own. */
	steps?: readonly Operation[];
	scope: ScopeKind;
	fields: FieldMap;
	options: FieldMap;
	/** Whether it only reads: then items, companies and pages run side by side, and requests are repeated. */
	reads: boolean;
	/** The action inside a sentence: "get many companies". */
	purpose: string;
	/** Checks an item's parameters, before any request leaves. @throws InvalidInput */
	prepare: (read: Reader) => Promise<(session: Session) => Promise<Produced[]>>;
}

const purposeOf = (action: string) => action.charAt(0).toLowerCase() + action.slice(1);

/** An operation that is one row of the contract. */
export function defineOperation<const K extends ContractKey, F extends FieldMap>(
	definition: Definition<K, F>,
): Operation {
	const { value, name, action, description, contract, scope, fields, request, answer, perform } = definition;
	const {
		fallbackContracts = [],
		substituteContracts = [],
		hasSideEffects = false,
		outputsSecret = false,
		noBody = /^(GET|DELETE) /.test(contract),
	} = definition;
	const purpose = purposeOf(action);
	const isGet = contract.startsWith('GET ');
	const reads = (isGet && !hasSideEffects) || answer.reads;
	const form = { ...fields, ...answer.fields };
	// Operations that composites share their fields with bring it along themselves.
	const hasMore = noBody || 'moreFields' in (fields.additionalFields?.inner ?? {});
	const place = answer.reads ? 'options' : 'additionalFields';
	return {
		...{
			value,
			name,
			action,
			description,
			outputsSecret,
			contract,
			fallbackContracts,
			substituteContracts,
			scope,
			purpose,
			reads,
		},
		fields: isGet
			? { ...form, additionalFields: withAlso(fields, QUERY) }
			: hasMore || answer.reads
				? form
				: { ...form, additionalFields: withAlso(fields, MORE) },
		options: hasMore || !answer.reads ? answer.options : { ...answer.options, ...MORE },
		prepare: async (read) => {
			const values = await read(fields);
			const parts: RequestParts<ContractKey> & Path = request(values);
			const collect = await answer.prepare(read);
			const { more } = hasMore ? { more: {} } : await readMore(place, read);
			const { additionalFields } = isGet
				? await read({ additionalFields: withAlso({}, QUERY) })
				: { additionalFields: {} };
			const query = { ...parts.query, ...additionalFields.queryParameters };
			const asked: ServiceRequest = {
				...{ ...parts, query, contract, purpose, repeatable: reads, more },
				...(parts.form ? { form: { ...parts.form, ...asFormFields(more, [place, 'moreFields']) } } : {}),
				...(fallbackContracts.length > 0 ? { fallbackContracts } : {}),
			};
			return async (session) => {
				const send: PerformTools['send'] = async (otherwise, shape) =>
					await collect(
						{ ...forCompany(asked, session), ...otherwise, query: { ...query, ...otherwise?.query } },
						session,
						shape,
					);
				return perform ? await perform(values, { ...toolsOf(session), send }) : await send();
			};
		},
	};
}

const MORE = { moreFields: moreFields() };
const QUERY = { queryParameters: queryParameters() };

/** The operation's additional fields, and whatever else a person wants to send. */
const withAlso = <F extends FieldMap>({ additionalFields }: FieldMap, also: F) =>
	collection({ displayName: 'Additional Fields', fields: { ...additionalFields?.inner, ...also } });

async function readMore(place: 'options' | 'additionalFields', read: Reader) {
	const values = await read({ [place]: collection({ displayName: '', fields: MORE }) });
	return { more: values[place]?.moreFields ?? {} };
}

/** An operation of ours that is made of several requests. */
export function defineComposite<F extends FieldMap>(definition: Composite<F>): Operation {
	const { value, name, action, description, outputsSecret = false, scope, fields, reads, run } = definition;
	return {
		...{ value, name, action, description, outputsSecret, scope, fields, options: {}, reads },
		contract: null,
		fallbackContracts: [],
		substituteContracts: [],
		steps: definition.steps,
		purpose: purposeOf(action),
		prepare: async (read) => {
			const values = await read(fields);
			return async (session) => await run(values, toolsOf(session));
		},
	};
}

/** A write goes one after the other, so nothing stops it but Stop. */
const forCompany = (request: ServiceRequest, { company, signal }: Session): ServiceRequest => ({
	...request,
	...(company ? { company } : {}),
	...(request.repeatable && !request.signal ? { signal } : {}),
});

/** @param signal stops what is asked with these tools */
function toolsOf(session: Session, signal?: AbortSignal): Tools {
	const { service } = session;
	const requestOf = (step: Operation, parts: RequestParts<ContractKey> & Path): ServiceRequest => {
		if (step.contract === null) throw new Error(`${step.value} is no single request`);
		const { contract, fallbackContracts, purpose, reads } = step;
		return forCompany(
			{ ...parts, contract, fallbackContracts, purpose, repeatable: reads, ...(signal ? { signal } : {}) },
			session,
		);
	};
	return {
		session,
		ask: async (step, parts) => await service.json(requestOf(step, parts)),
		list: async (step, parts, shape) => {
			const { hint } = session;
			const found = await readSearch(service, requestOf(step, parts), { limit: Infinity }, shape, {
				isOwnOrder: true,
				hint,
			});
			const remark = remarkOn(found);
			if (remark !== undefined) hint(remark);
			return found.records;
		},
		signal,
		until: (own) => toolsOf(session, own),
	};
}
