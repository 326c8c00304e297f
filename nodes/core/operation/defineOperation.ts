import { isUndefined, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Answer, Answered, OutputItem, OperationContext } from '../response/responseHandler';
import { reduced, withoutSecrets } from '../response/outputFields';
import { forEveryCompany } from '../response/listResponse';
import { askRecord } from '../response/recordResponse';
import { missingHint, readCompleteList, readList, type ListShape, type ListWanted } from '../pagination/readList';
import type { FieldMap, Values } from '../fields/field';
import type { FormValues } from '../fields/formValues';
import type { ScopeKind } from '../companyScope/companyScope';
import { type Envelope } from '../http/envelope';
import type { FormFields, ServiceRequest } from '../http/request';
import { checkChanges } from './checkChanges';
import { allFields, additionalFieldsOf, optionsOf } from './operationFields';
import { endpointOf, type EndpointKey, type PathNames } from '../api/endpoint';
import { toJson } from '../values';

export interface Words {
	/** The value in saved workflows; it must never change. */
	value: string;
	/** Title Case, with the resource: "Get Many Companies". */
	name: string;
	/** The same in sentence case, where it is not simply that: "Get many companies". */
	action?: string;
	/** The editor's list of operations shows two lines of it, about 110 characters. */
	description: string;
	/** What a person must know to understand a field of the output; shown in the form and on the operation's page. */
	outputNote?: string;
	/** Whether the purpose of the operation is to return a secret; all others leave secrets out of what the service sends. */
	outputsSecret?: boolean;
}

/** An operation as the engine sees it. */
export interface Operation extends Words {
	action: string;
	/** null for a composite: an operation of this package that is made of several requests. */
	endpoint: EndpointKey | null;
	/** The endpoints that are used instead on platforms without its own. */
	substitutes: readonly EndpointKey[];
	/** Whether the contract does not have it, or a part of it, so that a platform may lack it. */
	optional: boolean;
	uses?: readonly Operation[];
	scope: ScopeKind;
	/** All its fields in the order in which they are shown. */
	form: FieldMap;
	/** Whether it only reads: then items, companies and pages run in parallel, and requests are repeated. */
	reads: boolean;
	/** The action inside a sentence: "get companies". */
	purpose: string;
	/**
	 * Checks the values of an item's form against each other, before any request is sent.
	 * @returns the operation's own request; undefined for a composite
	 * @throws InvalidInput
	 */
	check: (form: FormValues) => ServiceRequest | undefined;
	/** Runs it for the context's company. @param form the form with that company's IDs (`FormValues.lookedUp`) @throws ServiceError, InvalidInput */
	run: (form: FormValues, context: OperationContext) => Promise<OutputItem[]>;
}

/** The parts of an operation's request that its values decide. */
interface Parts {
	query?: IDataObject;
	body?: IDataObject;
	form?: FormFields;
	/** Values among these that must never be shown. */
	secrets?: string[];
}

export type RequestParts<K extends EndpointKey> = Parts &
	([PathNames<K>] extends [never] ? unknown : { path: Record<PathNames<K>, string> });

/** The same for an operation whose endpoint the compiler does not know. */
export type AnyRequestParts = Parts & { path?: Record<string, string> };

/** Whoever has a path with placeholders must fill them in; any other request may have nothing of its own. */
type RequestOf<K extends EndpointKey, F extends FieldMap> = [PathNames<K>] extends [never]
	? { request?: (values: Values<F>) => RequestParts<K> }
	: { request: (values: Values<F>) => RequestParts<K> };

interface Definition<K extends EndpointKey, F extends FieldMap> extends Words {
	/** What its request is sent to; what is so of it stands in transport/endpoints. */
	endpoint: K;
	/** Other endpoints with which `perform` gets the same result on platforms that lack this one. */
	substitutes?: readonly EndpointKey[];
	scope: ScopeKind;
	fields?: F;
	answer: Answer;
	/** Whether it updates a record, so that it is refused without any field to change. */
	isUpdate?: boolean;
	/** Adds to each item what other operations need of it. @param sent the body, with what a person added to it */
	output?: (json: IDataObject, values: Values<F>, sent: Record<string, unknown>) => IDataObject;
	/** Runs the operation where one request is not enough: sends other forms of it, or adds to the answer. */
	perform?: (values: Values<F>, tools: PerformTools) => Promise<Answered[]>;
}

/** Changes to the operation's own request; absent parts stay as they are, and so do absent fields of query and body. */
type RequestOverrides = Partial<Pick<ServiceRequest, 'endpoint' | 'path' | 'query' | 'body' | 'form'>>;

/** What a composite can use in `run`. */
export interface Tools {
	context: OperationContext;
	/** Sends the request of another operation for the current company. @returns its answer @throws ServiceError */
	ask: (operation: Operation, parts: AnyRequestParts) => Promise<Envelope>;
	/**
	 * Reads all pages of another operation's list, for the current company. If records are missing, only a hint says so. Use
	 * `listComplete` for a list that a write depends on.
	 * @throws ServiceError
	 */
	list: (operation: Operation, parts: AnyRequestParts, shape: ListShape) => Promise<IDataObject[]>;
	/**
	 * Reads all pages of a list that a write depends on (see `readCompleteList`).
	 * @param listName names the list in the error; by default it follows from the operation: "the list of target users"
	 * @throws IncompleteList, ServiceError
	 */
	listComplete: (
		operation: Operation,
		parts: AnyRequestParts,
		shape: ListShape & Pick<ListWanted, 'pageSize'>,
		listName?: string,
	) => Promise<IDataObject[]>;
}

/** What an operation can use in `perform`. */
export interface PerformTools extends Tools {
	/** The operation's own request, as the form makes it. */
	request: ServiceRequest;
	/** Sends the operation's request, or a changed one. @param shape how to read a list besides, such as which records to keep */
	send: (overrides?: RequestOverrides, shape?: Partial<ListShape>) => Promise<Answered[]>;
}

/**
 * Defines an operation that is one endpoint: its texts, its fields, what kind of answer it has, and `request`, which
 * turns the parsed values into the parts of the request and throws InvalidInput for values that are only wrong in combination.
 */
export function defineOperation<const K extends EndpointKey, F extends FieldMap>(
	definition: Definition<K, F> & RequestOf<K, F>,
): Operation {
	const { endpoint, scope, answer, output, perform, substitutes = [] } = definition;
	// Without fields, there are no values.
	const { fields = {} as F, request = (): AnyRequestParts => ({}) } = definition;
	const { reads } = endpointOf(endpoint);
	// What a substitute of the contract can do every platform can.
	const optional = [endpoint, ...substitutes].every((key) => endpointOf(key).optional);
	const words = wordsOf(definition);
	const additional = additionalFieldsOf(endpoint, fields);
	const answerFields = scope === 'companies' ? forEveryCompany(answer.fields) : answer.fields;
	const ownRequest = (form: FormValues): ServiceRequest => ({
		endpoint,
		purpose: words.purpose,
		...additional.addTo(request(form.of(fields)), form),
	});
	return {
		...words,
		endpoint,
		substitutes,
		optional,
		scope,
		reads,
		form: allFields(scope, reads, fields, answerFields, optionsOf(answer.options), additional.fields),
		check: (form) => {
			const own = ownRequest(form);
			if (definition.isUpdate) checkChanges({ ...own.body, ...own.form, ...own.additionalFields });
			return own;
		},
		run: async (form, context) => {
			const values = form.of(fields);
			const asked = forCompany(ownRequest(form), context);
			const send: PerformTools['send'] = async (overrides = {}, shape) => {
				const query = { ...asked.query, ...overrides.query };
				const body = overrides.body ? { body: { ...asked.body, ...overrides.body } } : {};
				return await answer.collect({ ...asked, ...overrides, ...body, query }, form, context, shape);
			};
			const answered = perform ? await perform(values, { ...toolsOf(context), request: asked, send }) : await send();
			const sent = { ...asked.body, ...asked.form, ...asked.additionalFields };
			const of = reads ? {} : { ...namesOf(sent), ...omitBy({ resourceId: asked.path?.resourceId }, isUndefined) };
			return answered.map((each) =>
				outputItem(each, words, (json) => output?.({ ...of, ...json }, values, sent) ?? { ...of, ...json }),
			);
		},
	};
}

interface Composite<F extends FieldMap> extends Words {
	scope: ScopeKind;
	fields?: F;
	/** Whether it only reads, so that items may run in parallel. */
	reads: boolean;
	/** The operations whose requests it sends; Check Access and the documentation take the permissions from them. */
	uses: readonly Operation[];
	/** Finds what is wrong with the values only in combination, before any item is written. @throws InvalidInput */
	check?: (values: Values<F>) => void;
	run: (values: Values<F>, tools: Tools) => Promise<Answered[]>;
	/** As in `defineOperation`. */
	output?: (json: IDataObject, values: Values<F>) => IDataObject;
}

/**
 * Defines a composite: an operation of this package that combines the requests of several other operations, such as
 * 'Create and Send Enrollment'; `run` sends them for one item and one company.
 */
export function defineComposite<F extends FieldMap>(definition: Composite<F>): Operation {
	const { scope, reads, uses, check, run, output } = definition;
	// Without fields, there are no values.
	const { fields = {} as F } = definition;
	const optional = uses.some((operation) => operation.optional);
	const words = wordsOf(definition);
	return {
		...words,
		endpoint: null,
		substitutes: [],
		optional,
		uses,
		scope,
		reads,
		form: allFields(scope, reads, fields),
		check: (form) => {
			check?.(form.of(fields));
			return undefined;
		},
		run: async (form, context) => {
			const values = form.of(fields);
			const answered = await run(values, toolsOf(context));
			return answered.map((each) => outputItem(each, words, output && ((json) => output(json, values))));
		},
	};
}

/** A name in sentence case: "Get Many API Clients" → "Get many API clients". */
const inSentenceCase = (name: string) => name.replace(/ [A-Z][a-z]+\b/g, (word) => word.toLowerCase());

function wordsOf({
	value,
	name,
	action = inSentenceCase(name),
	description,
	outputNote,
	outputsSecret = false,
}: Words) {
	return {
		value,
		name,
		action,
		description,
		outputsSecret,
		outputNote,
		purpose: (action.charAt(0).toLowerCase() + action.slice(1)).replace(/^get many /, 'get '),
	};
}

/** The name and the e-mail address in what was sent, so that an item says what it is of: most answers to a change are an ID alone. */
export const namesOf = (sent: Record<string, unknown>): IDataObject =>
	toJson(omitBy({ name: sent.name ?? sent.Name, email: sent.email }, isUndefined));

/** An answer as an item: with what the operation adds, and then only the fields that are wanted, without secrets. */
const outputItem = (
	{ only, json, ...each }: Answered,
	{ outputsSecret }: Pick<Words, 'outputsSecret'>,
	add = (record: IDataObject) => record,
): OutputItem => {
	const whole = add(json);
	return { ...each, json: reduced(outputsSecret ? whole : withoutSecrets(whole), only) };
};

/**
 * The request for the context's company. Reads are also cancelled when another item fails the node (the context's
 * signal); a write is cancelled only when the person presses Stop.
 */
const forCompany = (request: ServiceRequest, { company, signal }: OperationContext): ServiceRequest => ({
	...request,
	company,
	signal: endpointOf(request.endpoint).reads ? signal : undefined,
});

function toolsOf(context: OperationContext): Tools {
	const { service, hint } = context;
	const requestOf = ({ endpoint, purpose, value }: Operation, parts: AnyRequestParts): ServiceRequest => {
		if (endpoint === null) throw new TypeError(`${value} is no single request`);
		return forCompany({ ...parts, endpoint, purpose }, context);
	};
	return {
		context,
		ask: async (operation, parts) => askRecord(service, requestOf(operation, parts)),
		list: async (operation, parts, shape) => {
			const found = await readList(service, requestOf(operation, parts), shape);
			const missing = missingHint(found);
			if (missing) hint(...missing);
			return found.records;
		},
		listComplete: (operation, parts, shape, listName = `the list of ${operation.purpose.replace(/^get /, '')}`) =>
			readCompleteList(service, requestOf(operation, parts), shape, listName),
	};
}
