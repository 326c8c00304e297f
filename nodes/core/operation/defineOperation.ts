import type { IDataObject } from 'n8n-workflow';

import type { ResponseHandler, ResultItem, OutputItem, OperationContext } from '../response/responseHandler';
import { selectFields } from '../response/outputFields';
import { removeSecrets } from '../response/removeSecrets';
import { markLimitPerCompany } from '../response/listResponse';
import { requestRecord } from '../response/recordResponse';
import { buildMissingRecordsHint, type ListResult } from '../pagination/listResult';
import { readCompleteList } from '../pagination/readCompleteList';
import { readList, type ListOptions, type ReadListOptions } from '../pagination/readList';
import type { FieldMap, FieldValues } from '../fields/field';
import type { FormValues } from '../fields/formValues';
import { rejectReplacedSearchFields } from '../fields/jsonFields';
import type { ScopeChoice, ScopeKind } from '../companyScope/companyScope';
import { type Envelope } from '../http/envelope';
import type { MultipartFields, ApiRequest } from '../http/request';
import { getIdentityFields } from './identityFields';
import { overrideRequest, type RequestOverrides } from './overrideRequest';
import { rejectEmptyUpdate } from './rejectEmptyUpdate';
import { buildFormFields, getAdditionalFields, createOptionsBlock, rejectOtherTargets } from './operationFields';
import { getEndpoint, type EndpointKey, type PathParameterName } from '../api/endpoint';

/** The texts of an operation, and the value that n8n saves in workflows. */
export interface OperationTexts {
	/** The value that n8n saves in workflows. It must never change. It is unique within the operation's resource. */
	value: string;
	/** The name in title case, without the resource: "Get Many". It has at most four words. */
	name: string;
	/** The name with the resource, in sentence case: "Get many companies". It becomes the node's name on the canvas, and has at most six words. */
	action: string;
	/** A description of at most 110 characters, because the editor's list of operations shows only two lines. */
	description: string;
	/** An explanation of the output, shown in the form and on the operation's documentation page. */
	outputNote?: string;
	/** True if the operation is meant to return a secret. In all other operations, secrets are removed from the output. */
	hasSecretOutput?: boolean;
}

/** An operation that `runOperations` can run. */
export interface Operation extends OperationTexts {
	/** The endpoint that the operation calls; null for a composite, which combines several other operations. */
	endpoint: EndpointKey | null;
	/** The endpoints that the operation calls instead on platforms that lack `endpoint`. */
	substituteEndpoints: readonly EndpointKey[];
	/** True if the contract doesn't describe the operation, or one of its dependencies. A platform may then lack the operation. */
	isOutsideContract: boolean;
	/** The operations whose requests a composite sends. */
	dependencies?: readonly Operation[];
	/** The companies that a user can choose to run the operation for. */
	scope: ScopeKind;
	/** All fields of the operation's form, in display order. */
	fields: FieldMap;
	/** True if the operation changes no data. Its requests then run in parallel, and may be repeated. */
	isReadOnly: boolean;
	/** The action as it appears within a sentence: "get companies". */
	purpose: string;
	/**
	 * Checks that the values of an item's form fit together, before any request is sent.
	 * @returns the request that the form describes, which tests look at; undefined for a composite
	 * @throws InvalidInputError
	 */
	check: (form: FormValues) => ApiRequest | undefined;
	/**
	 * Runs the operation for one item and the company of `context`.
	 * @param form the item's form, in which names are already replaced by the IDs of that company
	 * @throws RequestError, InvalidInputError
	 */
	run: (form: FormValues, context: OperationContext) => Promise<OutputItem[]>;
	/** Completes the output of an input item after the operation ran for all of the item's companies. */
	completeOutput?: OutputCompleter;
}

/** Changes output items that compare companies. @param items those of all companies for which the operation succeeded */
type OutputCompleter = (items: readonly OutputItem[], addHint: AddMessage, scopeKind: ScopeChoice['kind']) => void;
type AddMessage = (message: string) => void;

/** The parts of a request that depend on the values of the form. */
interface VariableRequestParts {
	query?: IDataObject;
	body?: IDataObject;
	multipart?: MultipartFields;
	/** The values in the query or the body that must never be shown, such as a password. */
	secrets?: string[];
}

/** The variable parts of a request to the endpoint `Key`. `path` is required if the endpoint's path has placeholders. */
export type RequestParts<Key extends EndpointKey> = VariableRequestParts &
	([PathParameterName<Key>] extends [never] ? unknown : { path: Record<PathParameterName<Key>, string> });

/** The variable parts of a request whose endpoint is only known at run time. */
export type AnyRequestParts = VariableRequestParts & { path?: Record<string, string> };

/** The `request` function of an operation's definition. It is required if the endpoint's path has placeholders, and optional otherwise. */
type RequestDefinition<Key extends EndpointKey, Fields extends FieldMap> = [PathParameterName<Key>] extends [never]
	? { request?: (values: FieldValues<Fields>) => RequestParts<Key> }
	: { request: (values: FieldValues<Fields>) => RequestParts<Key> };

interface OperationDefinition<Key extends EndpointKey, Fields extends FieldMap> extends OperationTexts {
	/** The endpoint that receives the operation's request. */
	endpoint: Key;
	/** Other endpoints that `perform` calls on platforms that lack `endpoint`, with the same result. */
	substituteEndpoints?: readonly EndpointKey[];
	scope: ScopeKind;
	fields?: Fields;
	response: ResponseHandler;
	/** True if the operation updates a record. A form in which no field to change has a value is then rejected. */
	isUpdate?: boolean;
	/**
	 * Changes the fields of an output item. It may add an ID that other operations need, for example.
	 * @param sentFields the fields of the sent body, including the additional fields that the user entered
	 */
	transformOutput?: (
		json: IDataObject,
		values: FieldValues<Fields>,
		sentFields: Record<string, unknown>,
	) => IDataObject;
	/**
	 * Runs the operation. By default, the operation sends its request once and returns the response. Some operations need `perform`
	 * to send the request several times, to change it, or to add something to the response.
	 */
	perform?: (values: FieldValues<Fields>, helpers: PerformHelpers) => Promise<ResultItem[]>;
}

/** The functions with which an operation calls other operations for the current company. */
export interface OperationHelpers {
	context: OperationContext;
	/** Sends the request of another operation. @throws RequestError */
	callOperation: (operation: Operation, parts: AnyRequestParts) => Promise<Envelope>;
	/**
	 * Reads all pages of the list that another operation returns, for an operation that decides itself what missing records mean.
	 * @throws RequestError
	 */
	readListResult: (
		operation: Operation,
		parts: AnyRequestParts,
		options: ListOptions & Pick<ReadListOptions, 'pageSize'>,
	) => Promise<ListResult>;
	/**
	 * Reads all pages of the list that another operation returns. If records are missing, the user gets a hint.
	 * Use `listRecordsCompletely` for a list that a write depends on.
	 * @throws RequestError
	 */
	listRecords: (operation: Operation, parts: AnyRequestParts, options: ListOptions) => Promise<IDataObject[]>;
	/**
	 * Reads all pages of a list that a write depends on (see `readCompleteList`).
	 * @param listName the name of the list for an error. By default it is derived from the operation: "the list of target users".
	 * @throws IncompleteListError if records are missing, RequestError
	 */
	listRecordsCompletely: (
		operation: Operation,
		parts: AnyRequestParts,
		options: ListOptions & Pick<ReadListOptions, 'pageSize'>,
		listName?: string,
	) => Promise<IDataObject[]>;
}

/** The request of an operation, and the functions that its `perform` can use. */
export interface PerformHelpers extends OperationHelpers {
	/** The operation's request, built from the form. */
	request: ApiRequest;
	/**
	 * Sends the operation's request, and turns the response into items.
	 * @param overrides changes to the request
	 * @param options how to read a list, in addition to the options that the response handler sets
	 */
	send: (overrides?: RequestOverrides, options?: Partial<ListOptions>) => Promise<ResultItem[]>;
}

/**
 * Defines an operation that calls one endpoint. The `request` function of the definition turns the values of the form into parts of the
 * request. It throws InvalidInputError for values that don't fit together.
 */
export function defineOperation<const Key extends EndpointKey, Fields extends FieldMap>(
	definition: OperationDefinition<Key, Fields> & RequestDefinition<Key, Fields>,
): Operation {
	const { endpoint, scope, response, transformOutput, perform, substituteEndpoints = [] } = definition;
	// If the definition has no fields, no code reads values of `Fields`, so the cast is safe.
	const { fields = {} as Fields, request: buildParts = (): AnyRequestParts => ({}) } = definition;
	const { isReadOnly } = getEndpoint(endpoint);
	const texts = completeTexts(definition);
	const additionalFields = getAdditionalFields(endpoint, fields);
	const responseFields = scope === 'companies' ? markLimitPerCompany(response.fields) : response.fields;

	const formFields = buildFormFields(
		scope,
		isReadOnly,
		fields,
		responseFields,
		createOptionsBlock(response.options),
		additionalFields.fields,
	);

	function buildRequest(form: FormValues): ApiRequest {
		const request: ApiRequest = { ...buildParts(form.get(fields)), endpoint, purpose: texts.purpose };
		additionalFields.addToRequest(request, form);
		return request;
	}

	// Returns the request, so that tests can look at it without sending it.
	function check(form: FormValues): ApiRequest {
		const request = buildRequest(form);
		rejectOtherTargets(scope, formFields, form, request.path);
		if (definition.isUpdate) rejectEmptyUpdate(getSentFields(request));
		return request;
	}

	async function run(form: FormValues, context: OperationContext): Promise<OutputItem[]> {
		const values = form.get(fields);
		const request = buildRequest(form);
		setCompanyAndSignal(request, context);
		const send: PerformHelpers['send'] = async (overrides = {}, options) => {
			rejectReplacedSearchFields(request.additionalFields, overrides.body);
			return await response.handle(overrideRequest(request, overrides), form, context, options);
		};
		const results = perform
			? await perform(values, { ...createOperationHelpers(context), request, send })
			: await send();
		const sentFields = getSentFields(request);
		const identityFields = isReadOnly ? {} : getIdentityFields(request.path?.resourceId, sentFields, values);
		return results.map((result) => {
			const json = { ...identityFields, ...result.json };
			return toOutputItem(result, transformOutput?.(json, values, sentFields) ?? json, texts);
		});
	}

	return {
		...texts,
		endpoint,
		substituteEndpoints,
		// The operation is outside the contract only if the contract describes none of its endpoints.
		isOutsideContract: [endpoint, ...substituteEndpoints].every((key) => getEndpoint(key).isOptional),
		scope,
		isReadOnly,
		fields: formFields,
		check,
		run,
	};
}

interface CompositeDefinition<Fields extends FieldMap> extends OperationTexts {
	scope: ScopeKind;
	fields?: Fields;
	/** True if none of the dependencies changes data. Items may then run in parallel. */
	isReadOnly: boolean;
	/** The operations whose requests are sent. 'Check Access' and the documentation derive the required permissions from them. */
	dependencies: readonly Operation[];
	/** Checks that the values of the form fit together, before any item is written. @throws InvalidInputError */
	check?: (values: FieldValues<Fields>) => void;
	/** Runs the composite for one item and one company. @throws RequestError, InvalidInputError */
	run: (values: FieldValues<Fields>, helpers: OperationHelpers) => Promise<ResultItem[]>;
	/** Changes the fields of an output item. */
	transformOutput?: (json: IDataObject, values: FieldValues<Fields>) => IDataObject;
	/** See `Operation`. */
	completeOutput?: OutputCompleter;
}

/** Defines a composite: an operation that combines the requests of several other operations, such as 'Create and send enrollment'. */
export function defineComposite<Fields extends FieldMap>(definition: CompositeDefinition<Fields>): Operation {
	const { scope, isReadOnly, dependencies, transformOutput, completeOutput } = definition;
	// If the definition has no fields, no code reads values of `Fields`, so the cast is safe.
	const { fields = {} as Fields } = definition;
	const texts = completeTexts(definition);
	const formFields = buildFormFields(scope, isReadOnly, fields);

	function check(form: FormValues): undefined {
		rejectOtherTargets(scope, formFields, form);
		definition.check?.(form.get(fields));
	}

	async function run(form: FormValues, context: OperationContext): Promise<OutputItem[]> {
		const values = form.get(fields);
		const results = await definition.run(values, createOperationHelpers(context));
		return results.map((result) => {
			const json = transformOutput ? transformOutput(result.json, values) : result.json;
			return toOutputItem(result, json, texts);
		});
	}

	return {
		...texts,
		endpoint: null,
		substituteEndpoints: [],
		isOutsideContract: dependencies.some((operation) => operation.isOutsideContract),
		dependencies,
		scope,
		isReadOnly,
		fields: formFields,
		check,
		run,
		completeOutput,
	};
}

/** Fills in the texts that a definition leaves out, and derives the purpose from the action. */
function completeTexts(texts: OperationTexts) {
	const { value, name, action, description, outputNote, hasSecretOutput = false } = texts;
	const purpose = (action.charAt(0).toLowerCase() + action.slice(1)).replace(/^get many /, 'get ');
	return { value, name, action, description, hasSecretOutput, outputNote, purpose };
}

/** Returns the fields of a request's body, including the additional fields that the user entered. */
const getSentFields = ({ body, multipart, additionalFields }: ApiRequest): Record<string, unknown> => ({
	...body,
	...multipart,
	...additionalFields,
});

/** Creates an output item with the selected fields. Secrets are removed unless the operation is meant to return one. */
function toOutputItem(result: ResultItem, json: IDataObject, { hasSecretOutput }: OperationTexts): OutputItem {
	const { selection, ...item } = result;
	return { ...item, json: selectFields(hasSecretOutput ? json : removeSecrets(json), selection) };
}

/**
 * Sets the company of a request, and the signal that cancels a read when another item makes the node fail. A write has no such signal: it
 * is cancelled only when the user stops the run.
 */
function setCompanyAndSignal(request: ApiRequest, { company, signal }: OperationContext): void {
	request.company = company;
	if (getEndpoint(request.endpoint).isReadOnly) request.signal = signal;
}

function createOperationHelpers(context: OperationContext): OperationHelpers {
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
		readListResult: (operation, parts, options) => readList(client, buildRequest(operation, parts), options),
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
