import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../form/value';
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
	expand?: (records: IDataObject[]) => IDataObject[];
}

/** The item for an answer without data: the service's messages, if it sent any. */
export const messagesAsRecord = (messages: readonly string[]): IDataObject =>
	messages.length > 0 ? { message: messages.join(' ') } : {};

/**
 * The answer of an operation that returns one record. A list becomes several items, because some operations answer with
 * either (deployment facts: companies/my). Fields next to `data` are kept; an answer without data becomes its message.
 */
export function record({ known, as, identity, expand = (records) => records }: RecordSpec = {}): Answer {
	const output = known && recordOutput(known);
	return {
		fields: { ...output?.fields },
		options: {},
		reads: false,
		collect: async (request, form, { service }) => {
			const { data, messages, otherFields } = await service.json(
				as === undefined ? request : { ...request, mayBeText: true },
			);
			if (data === undefined || data === null) return [{ json: { success: true, ...messagesAsRecord(messages) } }];
			const records = Array.isArray(data)
				? data.map((each) => toJson(each, as))
				: [withId({ ...toJson(otherFields ?? {}), ...toJson(data, as) }, request, identity)];
			const outputOf = output?.of(form.of(output.fields));
			return expand(records).map((each) => outputOf?.(each) ?? { json: each });
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
			return recordsIn(data).map((json) => ({ json }));
		},
	};
}

/** The contract describes only some of these lists, so an answer of another form is returned as one record. */
function recordsIn(data: unknown): IDataObject[] {
	const isList = !isRecord(data) || 'results' in data || wrappedIn(data) !== undefined;
	return isList ? wholeListOf(data) : [toJson(data)];
}
