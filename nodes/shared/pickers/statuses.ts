import type { ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';

import { fold } from '../answer/fileName';
import type { LoadOptions } from '../form/field';
import { inVersions } from '../form/version';
import { isRecord } from '../form/value';
import type { ContractKey } from '../transport/request';
import { filledIn } from './filled';
import { readPickerPage, type Filled } from './listing';
import { COMPANY_FIELDS } from './picker';

const METHOD = 'loadStatuses';

/** Which lists have the records whose statuses are offered, by the other fields of the form. */
type ListsOf = (parameters: Record<string, unknown>) => ContractKey[];

/**
 * The properties of a trigger with a list for 'Only Statuses' in nodes from version 1.1 on. In older ones it stays a field for
 * text, as workflows have saved it.
 * @param dependsOn the fields that decide which statuses there are, besides the company
 */
export function withStatusList(properties: INodeProperties[], dependsOn: string[] = []): INodeProperties[] {
	return properties.flatMap((property) => {
		if (property.name !== 'statuses') return [property];
		const { displayOptions = {} } = property;
		const listed: INodeProperties = {
			displayName: 'Only Status Names or IDs',
			name: property.name,
			description:
				'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			hint: 'Only changes to one of these; empty means any change',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: METHOD, loadOptionsDependsOn: [...COMPANY_FIELDS, ...dependsOn] },
			default: [],
			displayOptions,
		};
		return [inVersions(property, { before: 1.1 }), inVersions(listed, { since: 1.1 })];
	});
}

/**
 * The function that fills that list: the statuses that recent records have, as the service spells them, then others that
 * its documentation names.
 * @param known words of the documentation (deployment behaviour); the service may spell them otherwise
 */
export const statusMethods = (listsOf: ListsOf, known: readonly string[]): Record<string, LoadOptions> => ({
	[METHOD]: async function (this: ILoadOptionsFunctions) {
		const parameters = this.getCurrentNodeParameters() ?? {};
		const filled = filledIn(this);
		const lists = listsOf(isRecord(parameters) ? parameters : {});
		const seen = (await Promise.all(lists.map(async (contract) => await statusesIn(contract, filled)))).flat();
		const all = new Map<string, string>();
		for (const status of [...seen, ...known]) if (!all.has(fold(status))) all.set(fold(status), status);
		return [...all.values()].map((status) => ({ name: status, value: status }));
	},
});

/** The statuses of the newest records of a list; none if it cannot be read, because the list only helps to choose. */
async function statusesIn(contract: ContractKey, filled: Filled): Promise<string[]> {
	const listing = { contract, id: ['status'], name: [], orderBy: 'CreateTime', descending: true, scoped: true };
	return await readPickerPage(listing, filled, '', 1).then(
		({ entries }) => entries.flatMap(({ id }) => id ?? []),
		() => [],
	);
}
