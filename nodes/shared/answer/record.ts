import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../form/value';
import { toJson } from '../transport/envelope';
import type { ServiceRequest } from '../transport/request';
import type { Answer } from './answer';
import { identityOf, wholeListOf, wrappedIn } from './page';
import { simplified, simplifyField } from './simplify';

interface RecordSpec {
	/** The fields that 'Simplify' keeps, where the record has more than 10. */
	essentials?: readonly string[];
	/** What the data is called where it is no object but a text: "consentUrl". */
	as?: string;
	/** Where a record has its ID; one that has none gets the ID that it was asked for by. */
	identity?: { names: readonly string[]; as: string };
	/** Turns the records into those they stand for, themselves included. */
	expand?: (records: IDataObject[]) => IDataObject[];
}

/** What an item says where the service answered nothing but that it worked, if anything in words. */
export const messagesAsRecord = (messages: readonly string[]): IDataObject =>
	messages.length > 0 ? { message: messages.join(' ') } : {};

/**
 * One record, or whatever else `data` holds: a list becomes several items, because some operations answer either
 * (deployment facts: companies/my). What a service put beside its data is kept; an answer without data becomes its message.
 */
export function record({ essentials, as, identity, expand = (records) => records }: RecordSpec = {}): Answer {
	const shown = { simplify: simplifyField };
	return {
		fields: essentials ? shown : {},
		options: {},
		reads: false,
		collect: async (request, form, { service }) => {
			const { data, messages, beside } = await service.json(
				as === undefined ? request : { ...request, mayBeText: true },
			);
			if (data === undefined || data === null) return [{ json: { success: true, ...messagesAsRecord(messages) } }];
			const records = Array.isArray(data)
				? data.map((each) => toJson(each, as))
				: [withId({ ...toJson(beside ?? {}), ...toJson(data, as) }, request, identity)];
			const simplify = essentials !== undefined && form.of(shown).simplify;
			return expand(records).map((each) => ({ json: simplify ? simplified(each, essentials) : each }));
		},
	};
}

const withId = (found: IDataObject, { path = {} }: ServiceRequest, identity: RecordSpec['identity']): IDataObject =>
	identity && path.resourceId !== undefined && identityOf(found, identity.names) === undefined
		? { [identity.as]: path.resourceId, ...found }
		: found;

/** A list that the service gives whole, one item each. @param reads whether it is one although asked for by POST */
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

/** Few of these lists are described in the contract, so one of another shape is shown rather than lost. */
function recordsIn(data: unknown): IDataObject[] {
	const isList = !isRecord(data) || 'results' in data || wrappedIn(data) !== undefined;
	return isList ? wholeListOf(data) : [toJson(data)];
}
