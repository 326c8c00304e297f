import { isRecord } from '../form/value';
import { toJson } from '../transport/envelope';
import type { Answer } from './answer';
import { messagesAsRecord } from './record';

/**
 * The answer of an operation that returns no record.
 * @param json the fields of the item by n8n's convention: { deleted: true } after a deletion
 */
export function done(json: { success: true } | { deleted: true } = { success: true }): Answer {
	return {
		fields: {},
		options: {},
		reads: false,
		collect: async (request, _form, { service }) => {
			const { data, messages, otherFields } = await service.json(request);
			// Empty data and true or false add nothing to `json`; any other data is kept.
			const isWord = data === undefined || data === null || data === '' || typeof data === 'boolean';
			const own = isRecord(data) ? data : isWord ? messagesAsRecord(messages) : toJson(data);
			return [{ json: { ...json, ...toJson(otherFields ?? {}), ...toJson(own) } }];
		},
	};
}
