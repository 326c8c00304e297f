import { uniqBy } from 'lodash';

import type { PickerContext, Field } from '../../core/fields/field';
import { parseTextList } from '../../core/fields/fieldTypes';
import {
	COMPANY_DEPENDENCIES,
	createListSource,
	createWholeListSource,
	type ReadChoices,
} from '../../core/pickers/listSource';
import { listMultiPicker } from '../../core/pickers/picker';
import type { EndpointKey } from '../../core/api/endpoint';
import { normalizeText, type Choice } from '../../core/values';

/** The source of the statuses that a trigger offers: the statuses of the newest records in some lists, and the known statuses. */
export interface StatusList {
	/** Returns the endpoints that list the records. They may depend on the other fields of the form. */
	getEndpoints: (parameters: Record<string, unknown>) => EndpointKey[];
	/** The statuses that the documentation names (deployment behaviour, "Campaign reports"). The platform may spell them differently. */
	knownStatuses: readonly string[];
	/** The form's fields that decide which lists are read, in addition to the company. */
	dependsOn?: string[];
}

/** Creates a field that selects several statuses. A status of a recent record is shown in the platform's own spelling. */
export const statusField = ({ getEndpoints, knownStatuses, dependsOn = [] }: StatusList): Field<string[]> => ({
	...listMultiPicker({
		displayName: 'Only Status Names or IDs',
		description: 'Only changes to one of these statuses; empty means any change',
		listMethod: 'loadStatuses',
		noun: 'status',
		source: createWholeListSource(
			async (context) => {
				const endpoints = getEndpoints(context.parameters);
				const statuses = await Promise.all(endpoints.map(async (endpoint) => readStatuses(endpoint, context)));
				const differentStatuses = uniqBy([...statuses.flat(), ...knownStatuses], normalizeText);
				return differentStatuses.map((status) => ({ id: status, name: status }));
			},
			[...COMPANY_DEPENDENCIES, ...dependsOn],
		),
	}),
	parse: parseTextList,
});

/** Reads the statuses of the newest records of a list. If the list cannot be read, returns none, because the statuses are only suggestions. */
async function readStatuses(endpoint: EndpointKey, context: PickerContext): Promise<string[]> {
	const source = createListSource({ endpoint, idFields: ['status'], nameFields: [], isPerCompany: true });
	try {
		const { choices } = await source.readPage(context, '', 1);
		return choices.map(({ id }) => id);
	} catch {
		return [];
	}
}

/** The status "Active". It is the only status whose number is documented (contract 2.11). */
export const ACTIVE_STATUS: Choice = { id: '1', name: 'Active' };

/**
 * Creates the function that reads the numbers and names of the statuses of a list's first records (deployment shapes, "Roles and
 * API clients"; deployment beyond, "System users and settings").
 */
export function createStatusReader(endpoint: EndpointKey): ReadChoices {
	return async (context) => {
		const source = createListSource({
			endpoint,
			idFields: ['statusId'],
			nameFields: ['statusName', 'statusId'],
			isPerCompany: true,
			isOptional: true,
		});
		const { choices } = await source.readPage(context, '', 1);
		return choices;
	};
}

/** Creates a reader that adds the active status to the statuses of the records, which is missing there if no record is active. */
export function addActiveStatus(readStatusesOfRecords: ReadChoices): ReadChoices {
	return async (context) => {
		const choices = await readStatusesOfRecords(context);
		const namedChoices = choices.filter(({ id, name }) => name !== id);
		return uniqBy([...namedChoices, ACTIVE_STATUS, ...choices], 'id');
	};
}
