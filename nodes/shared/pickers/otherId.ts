import type { IDataObject } from 'n8n-workflow';

import { identityOf } from '../answer/page';

/**
 * The ID of a person that was given by another field of the person's row, such as the e-mail address or the number of the
 * user: some lists have only those.
 * @param rows the list of people that has the ID
 * @param given the value of the other field
 * @param names the fields of a row that may have the ID, and the other fields that identify a person
 * @returns undefined if no row has the value, rows of several people have it, or it is the ID itself
 */
export function idByAnother(
	rows: readonly IDataObject[],
	given: string,
	names: { ids: readonly string[]; others: readonly string[] },
): string | undefined {
	// IDs are opaque (contract 2), but capital letters make no difference in an address.
	const same = (value = '') => (given.includes('@') ? value.toLowerCase() === given.toLowerCase() : value === given);
	const isGiven = (row: IDataObject) => [...names.ids, ...names.others].some((name) => same(identityOf(row, [name])));
	const found = new Set(rows.filter(isGiven).map((row) => identityOf(row, names.ids)));
	const [id] = found;
	return found.size === 1 && id !== given ? id : undefined;
}
