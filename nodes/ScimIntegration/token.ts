import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../shared/form/value';

/**
 * An answer that holds a token, with the token at the top: some deployments wrap it in a list of one (deployment shapes,
 * revoke).
 */
export function withTokenOnTop(answer: IDataObject): IDataObject {
	const listed: unknown[] = Array.isArray(answer.results) ? answer.results : [];
	const [only, ...others] = listed;
	// What was read from JSON is what an item's json may hold.
	return isRecord(only) && others.length === 0 ? (only as IDataObject) : answer;
}
