import type { IDataObject } from 'n8n-workflow';

import { toggle } from '../fields/basic';

/** n8n's own wording, which its lint demands. */
export const simplifyField = toggle({
	displayName: 'Simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/**
 * The essential fields of a record, lists joined to text. Fields that a deployment does not send are left out; a
 * record with none of them is passed on as it is, so that nothing is lost.
 */
export function simplified(record: IDataObject, essentials: readonly string[]): IDataObject {
	const kept = essentials.filter((name) => name in record);
	if (kept.length === 0) return record;
	return Object.fromEntries(
		kept.map((name) => {
			const value = record[name];
			return [name, Array.isArray(value) ? value.map(String).join(', ') : value];
		}),
	);
}
