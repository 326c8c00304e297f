import { isRecord } from '../form/value';
import { toJson } from '../transport/envelope';
import type { Answer } from './answer';
import { messagesAsRecord } from './record';

/** An operation whose outcome is that it was carried out. @param json what the item says, n8n's way: deleted: true */
export function done(json: { success: true } | { deleted: true } = { success: true }): Answer {
	return {
		fields: {},
		options: {},
		reads: false,
		collect: async (request, _form, { service }) => {
			const { data, messages, beside } = await service.json(request);
			// A bare yes says no more than `json`; whatever else was answered is kept.
			const isWord = data === undefined || data === null || data === '' || typeof data === 'boolean';
			const own = isRecord(data) ? data : isWord ? messagesAsRecord(messages) : toJson(data);
			return [{ json: { ...json, ...toJson(beside ?? {}), ...toJson(own) } }];
		},
	};
}
