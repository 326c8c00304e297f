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

/** The source of the statuses that a trigger offers: the statuses of the newest records in some lists, and a list of known statuses. */
export interface StatusSource {
	/** Returns the endpoints that list the records. They may depend on the values of other form fields. */
	getEndpoints: (parameters: Record<string, unknown>) => EndpointKey[];
	/**
	 * The statuses that the platform's documentation names (deployment behaviour, "Campaign reports"). The platform may spell them
	 * differently.
	 */
	knownStatuses: readonly string[];
	/** The paths of the form fields that decide which lists are read, in addition to the company fields. */
	dependsOn?: string[];
}

/**
 * Creates a field in which the user selects several statuses. If a recent record has a known status, the record's spelling of it is shown.
 */
export const statusField = ({ getEndpoints, knownStatuses, dependsOn = [] }: StatusSource): Field<string[]> => ({
	...listMultiPicker({
		displayName: 'Status Names or IDs',
		description: 'Only start the workflow if the status changes to one of these statuses. Leave empty for every change',
		listMethod: 'loadStatuses',
		noun: 'status',
		source: createWholeListSource(
			async (context) => {
				const endpoints = getEndpoints(context.parameters);
				const statuses = await Promise.all(endpoints.map(async (endpoint) => readStatuses(endpoint, context)));
				const uniqueStatuses = uniqBy([...statuses.flat(), ...knownStatuses], normalizeText);
				return uniqueStatuses.map((status) => ({ id: status, name: status }));
			},
			[...COMPANY_DEPENDENCIES, ...dependsOn],
		),
	}),
	parse: parseTextList,
});

/**
 * Reads the statuses of the newest records of a list. If the list can't be read, no error is thrown, because the statuses are only
 * suggestions.
 */
async function readStatuses(endpoint: EndpointKey, context: PickerContext): Promise<string[]> {
	const source = createListSource({ endpoint, idFields: ['status'], nameFields: [], isPerCompany: true });
	try {
		const { choices } = await source.readPage(context, '', 1);
		return choices.map(({ id }) => id);
	} catch {
		return [];
	}
}

/** The only status whose number is documented (contract 2.11). */
export const ACTIVE_STATUS: Choice = { id: '1', name: 'Active' };

/**
 * Creates a function that reads the first records of a list and returns the numbers and names of their statuses (deployment shapes, "Roles
 * and API clients"; deployment beyond, "System users and settings").
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

/** Creates a function that returns the statuses of records and always the active status, even if none of the records is active. */
export function createReaderWithActiveStatus(readStatusesOfRecords: ReadChoices): ReadChoices {
	return async (context) => {
		const choices = await readStatusesOfRecords(context);
		const namedChoices = choices.filter(({ id, name }) => name !== id);
		return uniqBy([...namedChoices, ACTIVE_STATUS, ...choices], 'id');
	};
}
