import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../http/envelope';
import { RequestError } from '../http/errors';
import type { ApiRequest } from '../http/request';
import type { HttpClient } from '../http/client';
import type { ResponseHandler } from './responseHandler';
import { parseWholeList, findWrappedList } from '../pagination/parsePage';
import { createOutputChoice, type OutputFields } from './outputFields';
import { getEndpoint } from '../api/endpoint';
import { readId, isEmpty, isRecord, toItemJson } from '../values';

interface RecordResponseOptions {
	/** The record fields that the user can select for the output. Only records with more than 10 fields have this option. */
	outputFields?: OutputFields;
	/** The name of the output field if the response is a plain text instead of an object: "consentUrl". */
	valueField?: string;
	/** The fields that may have the record's ID. If all are missing, the ID in the request's path is added in the field `fallbackField`. */
	idFields?: { names: readonly string[]; fallbackField: string };
	/** Turns the records into those to return, for example a company into itself and its child companies. */
	flatten?: (records: IDataObject[]) => IDataObject[];
	/** A value that only this response contains, such as a secret. The operation fails if it is missing. */
	requiredValue?: RequiredValue;
}

interface RequiredValue {
	/** Matches the name of the field that must have a value. If it is undefined, a value in any field is enough. */
	fieldPattern?: RegExp;
	/** The reason in the error if the value is missing. */
	reason: string;
	advice: string;
}

/** Returns true for undefined, null, a blank text and an object without fields, but not for an empty list. */
const isEmptyData = (data: unknown) => isEmpty(data) || (isRecord(data) && Object.keys(data).length === 0);

/** Checks that one of the records has the required value. @throws RequestError if not. The platform may have made the change anyway. */
function checkRequiredValue(
	records: IDataObject[],
	{ fieldPattern: field = /./, reason, advice }: RequiredValue,
): void {
	const entries = records.flatMap((record) => Object.entries(record));
	if (entries.some(([name, value]) => field.test(name) && !isEmpty(value))) return;
	throw new RequestError({ reason, advice, mayHaveBeenApplied: true });
}

const NO_RECORD = {
	reason: 'the platform sent no record',
	advice: 'It may have been deleted in the meantime, or the credential may not be allowed to see it.',
	hasNoData: true,
	mayHaveBeenApplied: true,
};

/**
 * Sends a request that reads or changes one record.
 * @throws RequestError, also if a GET request returns no record
 */
export async function requestRecord(client: HttpClient, request: ApiRequest): Promise<Envelope> {
	const envelope = await client.requestJson(request);
	if (isReadOnlyGet(request) && isEmptyData(envelope.data)) throw new RequestError(NO_RECORD);
	return envelope;
}

/** Returns true for a GET request that changes nothing. */
function isReadOnlyGet({ endpoint }: ApiRequest): boolean {
	const { method, isReadOnly } = getEndpoint(endpoint);
	return isReadOnly && method === 'GET';
}

/** Creates the fields of an item for a response without data: the platform's messages, if there are any. */
const createMessageFields = (messages: readonly string[]): IDataObject =>
	messages.length > 0 ? { message: messages.join(' ') } : {};

/**
 * Creates the response of an operation that returns one record. Some endpoints return a list instead (deployment facts, "Responses").
 * Each entry of the list then becomes an item. If a change returns no data or an empty list, there is one item with the platform's messages.
 */
export function recordResponse(options: RecordResponseOptions = {}): ResponseHandler {
	const { outputFields, valueField, idFields, flatten, requiredValue } = options;
	const output = outputFields && createOutputChoice(outputFields);

	const readRecords = (data: unknown, request: ApiRequest): IDataObject[] => {
		if (Array.isArray(data)) return data.map((entry) => toItemJson(entry, valueField));
		if (isEmptyData(data)) return [];
		return [addMissingId(toItemJson(data, valueField), request, idFields)];
	};

	return {
		fields: { ...output?.fields },
		options: {},
		handle: async (request, form, { client }) => {
			const { data, messages } = await requestRecord(client, request);
			const isEmptyList = Array.isArray(data) && data.length === 0;
			if (isEmptyList && isReadOnlyGet(request)) throw new RequestError(NO_RECORD);
			const receivedRecords = readRecords(data, request);
			const records = flatten ? flatten(receivedRecords) : receivedRecords;
			if (requiredValue) checkRequiredValue(records, requiredValue);
			if (isEmptyData(data) || isEmptyList) return [{ json: { success: true, ...createMessageFields(messages) } }];
			const mapToItem = output?.createItemMapper(form.get(output.fields));
			return records.map((record) => mapToItem?.(record) ?? { json: record });
		},
	};
}

/** Adds the ID in the request's path to a record that has no ID. */
function addMissingId(
	record: IDataObject,
	{ path = {} }: ApiRequest,
	idFields: RecordResponseOptions['idFields'],
): IDataObject {
	if (!idFields || path.resourceId === undefined || readId(record, idFields.names) !== undefined) return record;
	return { [idFields.fallbackField]: path.resourceId, ...record };
}

/** Creates the response of an operation that returns a whole list without pages. Each entry becomes an item. */
export function plainListResponse(): ResponseHandler {
	return {
		fields: {},
		options: {},
		handle: async (request, _form, { client }) => {
			const { data } = await client.requestJson(request);
			// The contract doesn't describe every response. Data that doesn't look like a list is returned as one record.
			const isList = !isRecord(data) || isEmptyData(data) || 'results' in data || findWrappedList(data) !== undefined;
			const records = isList ? parseWholeList(data) : [toItemJson(data)];
			return records.map((json) => ({ json }));
		},
	};
}

/**
 * Creates the response of an operation that returns no record.
 * @param json the fields that n8n's convention requires, for example { deleted: true } after a deletion
 */
export function emptyResponse(json: { success: true } | { deleted: true } = { success: true }): ResponseHandler {
	return {
		fields: {},
		options: {},
		handle: async (request, _form, { client }) => {
			const { data, messages } = await client.requestJson(request);
			return [{ json: { ...json, ...toResultFields(data, messages) } }];
		},
	};
}

/**
 * Creates item fields from data that the platform returned although none was expected. If the data says nothing, because it is empty,
 * true or false, the item has the platform's messages instead.
 */
function toResultFields(data: unknown, messages: readonly string[]): IDataObject {
	const hasNoInformation = data === undefined || data === null || data === '' || typeof data === 'boolean';
	return hasNoInformation ? createMessageFields(messages) : toItemJson(data);
}
