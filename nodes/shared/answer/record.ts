import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../form/fields';
import { toJson } from '../transport/envelope';
import type { ServiceRequest } from '../transport/request';
import type { Answer } from './answer';
import { identityOf, wholeListOf, wrappedIn } from './page';
import { recordOutput, type KnownFields } from './output';

interface RecordSpec {
	/** The record's fields, for 'Output', where it has more than 10. */
	known?: KnownFields;
	/** The name of the field for data that is text instead of an object: "consentUrl". */
	as?: string;
	/** The fields that may have the record's ID; if it has none of them, the ID of the request is added as `as`. */
	identity?: { names: readonly string[]; as: string };
	/** Turns the records into those to return, for example a company into itself and its child companies. */
	flatten?: (records: IDataObject[]) => IDataObject[];
}

/** The item for an answer without data: the service's messages, if it sent any. */
const messagesAsRecord = (messages: readonly string[]): IDataObject =>
	messages.length > 0 ? { message: messages.join(' ') } : {};

/**
 * The answer of an operation that returns one record. A list becomes several items, because some operations answer with
 * either (deployment facts: companies/my). An answer without data becomes its message.
 */
export function record({ known, as, identity, flatten = (records) => records }: RecordSpec = {}): Answer {
	const output = known && recordOutput(known);
	return {
		fields: { ...output?.fields },
		options: {},
		reads: false,
		collect: async (request, form, { service }) => {
			const { data, messages } = await service.json(request);
			if (data === undefined || data === null) return [{ json: { success: true, ...messagesAsRecord(messages) } }];
			const records = Array.isArray(data)
				? data.map((each) => toJson(each, as))
				: [withId(toJson(data, as), request, identity)];
			const outputOf = output?.of(form.of(output.fields));
			return flatten(records).map((each) => outputOf?.(each) ?? { json: each });
		},
	};
}

const withId = (found: IDataObject, { path = {} }: ServiceRequest, identity: RecordSpec['identity']): IDataObject =>
	identity && path.resourceId !== undefined && identityOf(found, identity.names) === undefined
		? { [identity.as]: path.resourceId, ...found }
		: found;

/**
 * The answer of an operation that returns a whole list, one item each.
 * @param options.reads whether it is safe to repeat although the method is POST
 */
export function list({ reads = false } = {}): Answer {
	return {
		...record(),
		reads,
		collect: async (request, _form, { service }) => {
			const { data } = await service.json(request);
			// The contract describes only some of these lists, so an answer of another form is returned as one record.
			const isList = !isRecord(data) || 'results' in data || wrappedIn(data) !== undefined;
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
		...{ fields: {}, options: {}, reads: false },
		collect: async (request, _form, { service }) => {
			const { data, messages } = await service.json(request);
			// Empty data and true or false add nothing to `json`; any other data is kept.
			const isWord = data === undefined || data === null || data === '' || typeof data === 'boolean';
			const own = isRecord(data) ? data : isWord ? messagesAsRecord(messages) : toJson(data);
			return [{ json: { ...json, ...toJson(own) } }];
		},
	};
}
