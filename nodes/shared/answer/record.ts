import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../fields/basic';
import type { FieldMap } from '../fields/field';
import { toJson } from '../transport/envelope';
import type { Answer } from './answer';
import { wholeListOf } from './page';
import { simplified, simplifyField } from './simplify';

interface RecordSpec {
	/** The fields that 'Simplify' keeps, where the record has more than 10. */
	essentials?: readonly string[];
	/** What the data is called where it is no object but a text: "consentUrl". */
	as?: string;
	/** Turns the records into those they stand for, themselves included. */
	expand?: (records: IDataObject[]) => IDataObject[];
}

/** What an item says where the service answered nothing but that it worked, if anything in words. */
export const wordsOf = (messages: readonly string[]): IDataObject =>
	messages.length > 0 ? { message: messages.join(' ') } : {};

/**
 * One record, or whatever else `data` holds: a list becomes several items, because some operations answer either
 * (deployment facts: companies/my). What a service put beside its data is kept; an answer without data becomes its message.
 */
export function record({ essentials, as, expand = (records) => records }: RecordSpec = {}): Answer {
	const fields: FieldMap = essentials ? { simplify: simplifyField } : {};
	return {
		fields,
		options: {},
		reads: false,
		prepare: async (read) => {
			const { simplify } = await read({ simplify: simplifyField });
			return async (request, { service }) => {
				const { data, messages, beside } = await service.json(request);
				if (data === undefined || data === null) return [{ json: { success: true, ...wordsOf(messages) } }];
				const records = Array.isArray(data)
					? data.map((each) => toJson(each, as))
					: [{ ...toJson(beside ?? {}), ...toJson(data, as) }];
				return expand(records).map((each) => ({
					json: simplify && essentials ? simplified(each, essentials) : each,
				}));
			};
		},
	};
}

/** A list that the service gives whole, one item each. @param reads whether it is one although asked for by POST */
export function list({ reads = false } = {}): Answer {
	return {
		...record(),
		reads,
		prepare: async () => async (request, { service }) => {
			const { data } = await service.json(request);
			return recordsIn(data).map((json) => ({ json }));
		},
	};
}

/** Few of these lists are described in the contract, so one of another shape is shown rather than lost. */
function recordsIn(data: unknown): IDataObject[] {
	const isList = !isRecord(data) || 'results' in data || (Object.keys(data).length === 1 && Object.values(data).some(Array.isArray));
	return isList ? wholeListOf(data) : [toJson(data)];
}
