import type { IDataObject } from 'n8n-workflow';

import { type Envelope } from '../http/envelope';
import { ServiceError } from '../http/errors';
import type { ServiceRequest } from '../http/request';
import type { Service } from '../http/client';
import type { Answer } from './responseHandler';
import { wholeListOf, wrappedIn } from '../pagination/page';
import { recordOutput, type KnownFields } from './outputFields';
import { endpointOf } from '../api/endpoint';
import { identityOf, isEmpty, isRecord, toJson } from '../values';

interface RecordSpec {
	/** The record's fields, for 'Output', where it has more than 10. */
	known?: KnownFields;
	/** The name of the field for data that is text instead of an object: "consentUrl". */
	as?: string;
	/** The fields that may have the record's ID; if it has none of them, the ID of the request is added as `as`. */
	identity?: { names: readonly string[]; as: string };
	/** Turns the records into those to return, for example a company into itself and its child companies. */
	flatten?: (records: IDataObject[]) => IDataObject[];
	/**
	 * What only this answer shows, such as a secret: the field that must have a value, any one unless given, and the error for an
	 * answer without it.
	 */
	onlyHere?: { field?: RegExp; reason: string; advice: string };
}

/** Whether an answer's data has nothing in it; an empty list is a list. */
const isNone = (data: unknown) => isEmpty(data) || (isRecord(data) && Object.keys(data).length === 0);

/** The error for an answer that lacks what was asked for, although the service carried out the request. */
const lacking = ({ reason, advice }: { reason: string; advice: string }) =>
	new ServiceError({ reason, advice, mayHaveBeenApplied: true });

const NO_RECORD = {
	reason: 'the service answered without the record',
	advice: 'It may have been deleted in the meantime, or the credential may not be allowed to see it.',
	hasNoData: true,
	mayHaveBeenApplied: true,
};

/**
 * Sends a request whose answer is a record, or what came of a change.
 * @throws ServiceError also where a record was to be read and is not in the answer
 */
export async function askRecord(service: Service, request: ServiceRequest): Promise<Envelope> {
	const envelope = await service.json(request);
	if (isGet(request) && isNone(envelope.data)) throw new ServiceError(NO_RECORD);
	return envelope;
}

/** Whether a request only asks for something that is there. */
function isGet({ endpoint }: ServiceRequest): boolean {
	const { method, reads } = endpointOf(endpoint);
	return reads && method === 'GET';
}

/** The item for an answer without data: the service's messages, if it sent any. */
const messagesAsRecord = (messages: readonly string[]): IDataObject =>
	messages.length > 0 ? { message: messages.join(' ') } : {};

/**
 * The answer of an operation that returns one record. A list becomes several items, because some operations answer with
 * either (deployment facts: companies/my). The answer to a change that has no data becomes its message.
 */
export function record({ known, as, identity, flatten = (records) => records, onlyHere }: RecordSpec = {}): Answer {
	const output = known && recordOutput(known);
	return {
		fields: { ...output?.fields },
		options: {},
		collect: async (request, form, { service }) => {
			const { data, messages } = await askRecord(service, request);
			if (Array.isArray(data) && data.length === 0 && isGet(request)) throw new ServiceError(NO_RECORD);
			const given = Array.isArray(data)
				? data.map((each) => toJson(each, as))
				: isNone(data)
					? []
					: [withId(toJson(data, as), request, identity)];
			const records = flatten(given);
			const has = ({ field = /./ }: { field?: RegExp }) =>
				records.some((each) => Object.entries(each).some(([name, value]) => field.test(name) && !isEmpty(value)));
			if (onlyHere && !has(onlyHere)) throw lacking(onlyHere);
			if (isNone(data)) return [{ json: { success: true, ...messagesAsRecord(messages) } }];
			const outputOf = output?.of(form.of(output.fields));
			return records.map((each) => outputOf?.(each) ?? { json: each });
		},
	};
}

const withId = (found: IDataObject, { path = {} }: ServiceRequest, identity: RecordSpec['identity']): IDataObject =>
	identity && path.resourceId !== undefined && identityOf(found, identity.names) === undefined
		? { [identity.as]: path.resourceId, ...found }
		: found;

/** The answer of an operation that returns a whole list, one item each. */
export function plainList(): Answer {
	return {
		...record(),
		collect: async (request, _form, { service }) => {
			const { data } = await service.json(request);
			// The contract describes only some of these lists, so an answer of another form is returned as one record.
			const isList = !isRecord(data) || isNone(data) || 'results' in data || wrappedIn(data) !== undefined;
			return (isList ? wholeListOf(data) : [toJson(data)]).map((json) => ({ json }));
		},
	};
}

/**
 * The answer of an operation that returns no record.
 * @param json the fields of the item by n8n's convention: { deleted: true } after a deletion
 */
export function done(json: { success: true } | { deleted: true } = { success: true }): Answer {
	return {
		fields: {},
		options: {},
		collect: async (request, _form, { service }) => {
			const { data, messages } = await service.json(request);
			// Empty data and true or false add nothing to `json`; any other data is kept.
			const isWord = data === undefined || data === null || data === '' || typeof data === 'boolean';
			const own = isRecord(data) ? data : isWord ? messagesAsRecord(messages) : toJson(data);
			return [{ json: { ...json, ...toJson(own) } }];
		},
	};
}
