import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../shared/form/value';

/**
 * Moves the token of an answer to the top level: some deployments return it in a list with one entry (deployment shapes,
 * revoke).
 */
export function withTokenOnTop(answer: IDataObject): IDataObject {
	const listed: unknown[] = Array.isArray(answer.results) ? answer.results : [];
	const [only, ...others] = listed;
	// Values parsed from JSON are valid for an item's json.
	return isRecord(only) && others.length === 0 ? (only as IDataObject) : answer;
}
