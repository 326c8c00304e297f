import { isRecord } from '../fields/basic';
import type { Answer } from './answer';

/** An operation whose outcome is that it was carried out. @param json what the item says, n8n's way: deleted: true */
export function done(json: { success: true } | { deleted: true } = { success: true }): Answer {
	return {
		fields: {},
		options: {},
		reads: false,
		prepare: async () => async (request, { service }) => {
			const { data } = await service.json(request);
			return [{ json: { ...json, ...(isRecord(data) ? data : {}) } }];
		},
	};
}
