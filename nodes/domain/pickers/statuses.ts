import { uniqBy } from 'lodash';

import type { Asker, Field } from '../../core/fields/field';
import { parseTexts } from '../../core/fields/fieldTypes';
import { COMPANY_FIELDS, sourceOf, wholeSource } from '../../core/pickers/listSource';
import { multiPicker } from '../../core/pickers/picker';
import type { EndpointKey } from '../../core/api/endpoint';
import { normalized, type Choice } from '../../core/values';

/** The statuses that can be chosen: those of the newest records of some lists, and words that are known. */
export interface StatusList {
	/** Which lists have the records, by the other fields of the form. */
	lists: (parameters: Record<string, unknown>) => EndpointKey[];
	/** Words of the documentation (deployment behaviour); the service may spell them otherwise. */
	known: readonly string[];
	/** The fields that decide which lists they are, besides the company. */
	dependsOn?: string[];
}

/** The field that chooses several statuses: as the service spells them, where recent records have them. */
export const statusField = ({ lists, known, dependsOn = [] }: StatusList): Field<string[]> => ({
	...multiPicker({
		displayName: 'Only Status Names or IDs',
		description: 'Only changes to one of these statuses; empty means any change',
		method: 'loadStatuses',
		thing: 'status',
		source: wholeSource(
			async (asker) => {
				const endpoints = lists(asker.parameters);
				const seen = await Promise.all(endpoints.map(async (endpoint) => statusesIn(endpoint, asker)));
				return uniqBy([...seen.flat(), ...known], normalized).map((status) => ({ id: status, name: status }));
			},
			[...COMPANY_FIELDS, ...dependsOn],
		),
	}),
	parse: parseTexts,
});

/** The statuses of the newest records of a list; none if it cannot be read, because the list only helps to choose. */
async function statusesIn(endpoint: EndpointKey, asker: Asker): Promise<string[]> {
	const listing = { endpoint, id: ['status'], name: [], scoped: true };
	return await sourceOf(listing)
		.page(asker, '', 1)
		.then(
			({ choices: entries }) => entries.map(({ id }) => id),
			() => [],
		);
}

/** Reads what can be chosen. @throws ServiceError */
type Read = (asker: Asker) => Promise<Choice[]>;

/** The status of what is in use, the only number that documents name (contract 2.11). */
export const ACTIVE: Choice = { id: '1', name: 'Active' };

/** The numbers and names of the statuses of the first records of a list (deployment shapes, deployment beyond). */
export const statusNumbers =
	(endpoint: EndpointKey): Read =>
	async (asker) => {
		const listing = { endpoint, id: ['statusId'], name: ['statusName', 'statusId'], scoped: true, optional: true };
		return (await sourceOf(listing).page(asker, '', 1)).choices;
	};

/** Statuses as records have them, and that of what is in use: all records may have the same one. */
export const withActive =
	(read: Read): Read =>
	async (asker) => {
		const choices = await read(asker);
		const named = choices.filter(({ id, name }) => name !== id);
		return uniqBy([...named, ACTIVE, ...choices], 'id');
	};
