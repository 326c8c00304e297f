import { isUndefined, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ResponseHandler, ResultItem, OutputItem, OperationContext } from '../response/responseHandler';
import { selectFields, removeSecrets } from '../response/outputFields';
import { markLimitPerCompany } from '../response/listResponse';
import { requestRecord } from '../response/recordResponse';
import { buildMissingRecordsHint } from '../pagination/listResult';
import { readCompleteList } from '../pagination/readCompleteList';
import { readList, type ListOptions, type ReadListOptions } from '../pagination/readList';
import type { FieldMap, FieldValues } from '../fields/field';
import type { FormValues } from '../fields/formValues';
import type { ScopeKind } from '../companyScope/companyScope';
import { type Envelope } from '../http/envelope';
import type { MultipartFields, ApiRequest } from '../http/request';
import { rejectEmptyUpdate } from './rejectEmptyUpdate';
import { buildFormFields, getAdditionalFields, createOptionsBlock } from './operationFields';
import { getEndpoint, type EndpointKey, type PathParameterName } from '../api/endpoint';
import { toItemJson } from '../values';

/** The texts of an operation, and the value that workflows save for it. */
export interface OperationTexts {
	/** The value in saved workflows. It must never change. */
	value: string;
	/** The name in title case: "Get Many Companies". */
	name: string;
	/** The name in sentence case: "Get many companies". By default it is derived from `name`. */
	action?: string;
	/** A description of at most 110 characters, because the editor's list of operations shows only two lines. */
	description: string;
	/** An explanation of the output, shown in the form and on the operation's documentation page. */
	outputNote?: string;
	/** True if the operation is meant to return a secret. All other operations remove secrets from the response. */
	outputsSecret?: boolean;
}

/** An operation that `runOperations` can run. */
export interface Operation extends OperationTexts {
	action: string;
	/** The endpoint that the operation calls; null for a composite, which combines several other operations. */
	endpoint: EndpointKey | null;
	/** The endpoints that replace `endpoint` on platforms that lack it. */
	substituteEndpoints: readonly EndpointKey[];
	/** True if the contract doesn't describe the operation, or one of its dependencies. Such an operation may be missing on a platform. */
	isOptional: boolean;
	/** The operations whose requests a composite sends. */
	dependencies?: readonly Operation[];
	/** The kinds of companies that a user can run the operation for. */
	scope: ScopeKind;
	/** All fields of the form, in display order. */
	fields: FieldMap;
	/** True if the operation changes nothing. Then items, companies and pages run in parallel, and requests may be repeated. */
	isReadOnly: boolean;
	/** The action as part of a sentence: "get companies". */
	purpose: string;
	/**
	 * Checks that the values of an item's form fit together, before any request is sent.
	 * @returns the operation's request; undefined for a composite
	 * @throws InvalidInputError
	 */
	check: (form: FormValues) => ApiRequest | undefined;
	/**
	 * Runs the operation for one item and the company of `context`.
	 * @param form the item's form, in which names are already replaced by the IDs of that company
	 * @throws RequestError, InvalidInputError
	 */
	run: (form: FormValues, context: OperationContext) => Promise<OutputItem[]>;
}

/** The parts of a request that depend on the values of the form. */
interface VariableParts {
	query?: IDataObject;
	body?: IDataObject;
	multipart?: MultipartFields;
	/** Values in the query or the body that must never be shown, such as a password. */
	secrets?: string[];
}

/** The variable parts of a request to endpoint `K`. `path` is required if the endpoint's path has placeholders. */
export type RequestParts<K extends EndpointKey> = VariableParts &
	([PathParameterName<K>] extends [never] ? unknown : { path: Record<PathParameterName<K>, string> });

/** The variable parts of a request whose endpoint is only known at run time. */
export type AnyRequestParts = VariableParts & { path?: Record<string, string> };

/** The `request` function of a definition. It is required if the endpoint's path has placeholders, and optional otherwise. */
type RequestDefinition<K extends EndpointKey, F extends FieldMap> = [PathParameterName<K>] extends [never]
	? { request?: (values: FieldValues<F>) => RequestParts<K> }
	: { request: (values: FieldValues<F>) => RequestParts<K> };

interface OperationDefinition<K extends EndpointKey, F extends FieldMap> extends OperationTexts {
	/** The endpoint that receives the request. Its traits are listed in core/api. */
	endpoint: K;
	/** Other endpoints with which `perform` gets the same result on platforms that lack `endpoint`. */
	substituteEndpoints?: readonly EndpointKey[];
	scope: ScopeKind;
	fields?: F;
	response: ResponseHandler;
	/** True if the operation updates a record. Then a form without any field to change is rejected. */
	isUpdate?: boolean;
	/**
	 * Changes the fields of an output item, such as adding an ID that other operations need.
	 * @param sentFields the fields of the sent body, including the additional fields that the user entered
	 */
	transformOutput?: (json: IDataObject, values: FieldValues<F>, sentFields: Record<string, unknown>) => IDataObject;
	/**
	 * Runs the operation. By default, its request is sent once. Some operations send it several times, change it, or add to its
	 * response.
	 */
	perform?: (values: FieldValues<F>, tools: PerformTools) => Promise<ResultItem[]>;
}

/** Changes to an operation's request. Parts that are absent, and absent fields of `query` and `body`, stay unchanged. */
type RequestOverrides = Partial<Pick<ApiRequest, 'endpoint' | 'path' | 'query' | 'body' | 'multipart'>>;

/** The functions with which a composite calls other operations for the current company. */
export interface OperationTools {
	context: OperationContext;
	/** Sends the request of another operation. @throws RequestError */
	callOperation: (operation: Operation, parts: AnyRequestParts) => Promise<Envelope>;
	/**
	 * Reads all pages of another operation's list. If records are missing, the user gets a hint.
	 * Use `listRecordsCompletely` for a list that a write depends on.
	 * @throws RequestError
	 */
	listRecords: (operation: Operation, parts: AnyRequestParts, options: ListOptions) => Promise<IDataObject[]>;
	/**
	 * Reads all pages of a list that a write depends on (see `readCompleteList`).
	 * @param listName the list's name in the error. By default it is derived from the operation: "the list of target users".
	 * @throws IncompleteListError if records are missing, RequestError
	 */
	listRecordsCompletely: (
		operation: Operation,
		parts: AnyRequestParts,
		options: ListOptions & Pick<ReadListOptions, 'pageSize'>,
		listName?: string,
	) => Promise<IDataObject[]>;
}

/** The functions that an operation's `perform` can use. */
export interface PerformTools extends OperationTools {
	/** The operation's request, built from the form. */
	request: ApiRequest;
	/**
	 * Sends the operation's request and reads the response.
	 * @param overrides changes to the request
	 * @param options how to read a list, in addition to what the response handler sets
	 */
	send: (overrides?: RequestOverrides, options?: Partial<ListOptions>) => Promise<ResultItem[]>;
}

/**
 * Defines an operation that calls one endpoint. The `request` function of the definition turns the parsed values into parts of the
 * request. It throws InvalidInputError for values that don't fit together.
 */
export function defineOperation<const K extends EndpointKey, F extends FieldMap>(
	definition: OperationDefinition<K, F> & RequestDefinition<K, F>,
): Operation {
	const { endpoint, scope, response, transformOutput, perform, substituteEndpoints = [] } = definition;
	// A definition without fields has no values.
	const { fields = {} as F, request: buildParts = (): AnyRequestParts => ({}) } = definition;
	const { isReadOnly } = getEndpoint(endpoint);
	const texts = completeTexts(definition);
	const additionalFields = getAdditionalFields(endpoint, fields);
	const responseFields = scope === 'companies' ? markLimitPerCompany(response.fields) : response.fields;

	function buildRequest(form: FormValues): ApiRequest {
		const request: ApiRequest = { ...buildParts(form.get(fields)), endpoint, purpose: texts.purpose };
		additionalFields.addTo(request, form);
		return request;
	}

	function check(form: FormValues): ApiRequest {
		const request = buildRequest(form);
		if (definition.isUpdate) rejectEmptyUpdate(getSentFields(request));
		return request;
	}

	async function run(form: FormValues, context: OperationContext): Promise<OutputItem[]> {
		const values = form.get(fields);
		const request = buildRequest(form);
		setCompanyAndSignal(request, context);
		const send: PerformTools['send'] = async (overrides = {}, options) =>
			response.handle(overrideRequest(request, overrides), form, context, options);
		const results = perform ? await perform(values, { ...createOperationTools(context), request, send }) : await send();
		const sentFields = getSentFields(request);
		const identity = isReadOnly ? {} : getIdentityFields(request);
		return results.map((result) => {
			const json = { ...identity, ...result.json };
			return toOutputItem(result, transformOutput?.(json, values, sentFields) ?? json, texts);
		});
	}

	return {
		...texts,
		endpoint,
		substituteEndpoints,
		// The operation is optional only if the contract describes none of its endpoints.
		isOptional: [endpoint, ...substituteEndpoints].every((key) => getEndpoint(key).optional),
		scope,
		isReadOnly,
		fields: buildFormFields(
			scope,
			isReadOnly,
			fields,
			responseFields,
			createOptionsBlock(response.options),
			additionalFields.fields,
		),
		check,
		run,
	};
}

interface CompositeDefinition<F extends FieldMap> extends OperationTexts {
	scope: ScopeKind;
	fields?: F;
	/** True if no dependency changes anything, so that items may run in parallel. */
	isReadOnly: boolean;
	/** The operations whose requests are sent. Check Access and the documentation derive the permissions from them. */
	dependencies: readonly Operation[];
	/** Checks that the values fit together, before any item is written. @throws InvalidInputError */
	check?: (values: FieldValues<F>) => void;
	/** Runs the composite for one item and one company. @throws RequestError, InvalidInputError */
	run: (values: FieldValues<F>, tools: OperationTools) => Promise<ResultItem[]>;
	/** Changes the fields of an output item. */
	transformOutput?: (json: IDataObject, values: FieldValues<F>) => IDataObject;
}

/** Defines a composite: an operation that combines the requests of several other operations, such as 'Create and Send Enrollment'. */
export function defineComposite<F extends FieldMap>(definition: CompositeDefinition<F>): Operation {
	const { scope, isReadOnly, dependencies, transformOutput } = definition;
	// A definition without fields has no values.
	const { fields = {} as F } = definition;
	const texts = completeTexts(definition);

	function check(form: FormValues): undefined {
		definition.check?.(form.get(fields));
	}

	async function run(form: FormValues, context: OperationContext): Promise<OutputItem[]> {
		const values = form.get(fields);
		const results = await definition.run(values, createOperationTools(context));
		return results.map((result) => {
			const json = transformOutput ? transformOutput(result.json, values) : result.json;
			return toOutputItem(result, json, texts);
		});
	}

	return {
		...texts,
		endpoint: null,
		substituteEndpoints: [],
		isOptional: dependencies.some((operation) => operation.isOptional),
		dependencies,
		scope,
		isReadOnly,
		fields: buildFormFields(scope, isReadOnly, fields),
		check,
		run,
	};
}

/** Converts a name to sentence case: "Get Many API Clients" becomes "Get many API clients". */
const toSentenceCase = (name: string) => name.replace(/ [A-Z][a-z]+\b/g, (word) => word.toLowerCase());

/** Fills in the default texts of a definition, and derives its purpose from the action. */
function completeTexts(texts: OperationTexts) {
	const { value, name, description, outputNote, outputsSecret = false } = texts;
	const action = texts.action ?? toSentenceCase(name);
	const purpose = (action.charAt(0).toLowerCase() + action.slice(1)).replace(/^get many /, 'get ');
	return { value, name, action, description, outputsSecret, outputNote, purpose };
}

/** Returns the name and the email address among the fields that were sent. */
export const pickSentNames = (sentFields: Record<string, unknown>): IDataObject =>
	toItemJson(omitBy({ name: sentFields.name ?? sentFields.Name, email: sentFields.email }, isUndefined));

/** Returns the fields of a request's body, including the additional fields that the user entered. */
const getSentFields = ({ body, multipart, additionalFields }: ApiRequest): Record<string, unknown> => ({
	...body,
	...multipart,
	...additionalFields,
});

/** Returns the fields that identify the written record. Most of the platform's responses to a write contain only an ID. */
function getIdentityFields(request: ApiRequest): IDataObject {
	const identity = pickSentNames(getSentFields(request));
	if (request.path?.resourceId !== undefined) identity.resourceId = request.path.resourceId;
	return identity;
}

/** Creates an output item: without secrets, and only with the fields that the user selected. */
function toOutputItem(
	result: ResultItem,
	json: IDataObject,
	{ outputsSecret }: Pick<OperationTexts, 'outputsSecret'>,
): OutputItem {
	const { selection, ...item } = result;
	return { ...item, json: selectFields(outputsSecret ? json : removeSecrets(json), selection) };
}

/**
 * Sets the company of a request. A read also gets the signal that cancels it when another item makes the node fail. A write is
 * cancelled only when the user stops the run.
 */
function setCompanyAndSignal(request: ApiRequest, { company, signal }: OperationContext): void {
	request.company = company;
	if (getEndpoint(request.endpoint).isReadOnly) request.signal = signal;
}

/** Creates a copy of a request with some parts changed. */
function overrideRequest(request: ApiRequest, overrides: RequestOverrides): ApiRequest {
	const changedRequest: ApiRequest = { ...request, ...overrides };
	changedRequest.query = { ...request.query, ...overrides.query };
	if (overrides.body) changedRequest.body = { ...request.body, ...overrides.body };
	return changedRequest;
}

function createOperationTools(context: OperationContext): OperationTools {
	const { client, addHint } = context;

	function buildRequest({ endpoint, purpose, value }: Operation, parts: AnyRequestParts): ApiRequest {
		if (endpoint === null) throw new TypeError(`${value} is no single request`);
		const request: ApiRequest = { ...parts, endpoint, purpose };
		setCompanyAndSignal(request, context);
		return request;
	}

	return {
		context,
		callOperation: async (operation, parts) => requestRecord(client, buildRequest(operation, parts)),
		listRecords: async (operation, parts, options) => {
			const list = await readList(client, buildRequest(operation, parts), options);
			const missingHint = buildMissingRecordsHint(list);
			if (missingHint) addHint(...missingHint);
			return list.records;
		},
		listRecordsCompletely: async (operation, parts, options, listName) => {
			const defaultName = `the list of ${operation.purpose.replace(/^get /, '')}`;
			return await readCompleteList(client, buildRequest(operation, parts), options, listName ?? defaultName);
		},
	};
}
