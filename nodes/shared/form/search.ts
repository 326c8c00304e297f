import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../transport/errors';
import { choice } from './choice';
import { collection } from './collection';
import { json } from './json';
import { text } from './text';
import { isRecord } from './value';
import type { Field, Values } from './field';

/** The filter of a search (contract 2.2); no part of it may be null. */
const filterFields = {
	searchText: text({
		displayName: 'Search Text',
		description: 'Only what contains this text; the service decides in which fields it looks',
		placeholder: 'e.g. Bakery',
	}),
	condition: choice({
		displayName: 'Condition',
		description: 'How the filter groups are combined',
		default: 'AND',
		options: [
			{ name: 'And', value: 'AND', description: 'Every group must match' },
			{ name: 'Or', value: 'OR', description: 'One matching group is enough' },
		],
	}),
	filterGroups: json({
		displayName: 'Filter Groups (JSON)',
		description:
			'For experts: a list of groups, each with Condition, FilterItems (FieldName, Operator, Value) and, nested, FilterGroups',
		default: '[]',
		shape: filterGroupsOf,
	}),
};

/** Filters, as every search and export has them. */
export const filters = collection({
	displayName: 'Filters',
	button: 'Add Filter',
	fields: filterFields,
});

function filterGroupsOf(value: unknown): IDataObject[] {
	const groups = value === undefined ? [] : Array.isArray(value) ? value : [value];
	for (const group of groups) {
		if (!isRecord(group))
			throw new InvalidInput(
				'must be a list of groups, each an object',
				[],
				'For example: [{ "Condition": "AND", "FilterItems": [] }].',
			);
	}
	if (hasNull(groups))
		throw new InvalidInput(
			'must not have null in it, because the service refuses it',
			[],
			'Use an empty text ("") or leave the entry out.',
		);
	// Every entry was just seen to be an object.
	return groups as IDataObject[];
}

const hasNull = (value: unknown): boolean =>
	value === null || (typeof value === 'object' && Object.values(value).some((part) => hasNull(part)));

/** What a list can be sorted by: name shown → the service's field name. */
export type Sortable = Record<string, string>;

/** How a search is sorted; its own "Field Name" is for what deployments offer besides. */
export function sort(
	sortable: Sortable,
): Field<{ by?: string; direction?: 'ascending' | 'descending'; fieldName?: string }> {
	const options = Object.entries(sortable).map(([name, value]) => ({ name, value }));
	return collection({
		displayName: 'Sort',
		button: 'Add Sort',
		fields: {
			by: choice({ displayName: 'By', default: options[0]?.value ?? '', options }),
			direction: choice({
				displayName: 'Direction',
				default: 'ascending',
				options: [
					{ name: 'Ascending', value: 'ascending' },
					{ name: 'Descending', value: 'descending' },
				],
			}),
			fieldName: text({
				displayName: 'Field Name',
				description: "The service's name of a field that is not in the list; it takes the place of 'By'",
				placeholder: 'e.g. CreateTime',
			}),
		},
	});
}

/** Whether a person has chosen what to sort by; otherwise the order is ours. */
export const isSortChosen = ({ by, fieldName }: { by?: string; fieldName?: string }): boolean =>
	Boolean(fieldName?.trim() || by);

/** The part of a search body that says what and in which order (contract 2.2). */
export function searchBody(
	chosen: {
		filters: Partial<Values<typeof filterFields>>;
		sort: { by?: string; direction?: string; fieldName?: string };
	},
	usual: { orderBy: string; ascending: boolean },
): { orderBy: string; ascending: boolean; filter: IDataObject } {
	const { by, direction, fieldName } = chosen.sort;
	const orderBy = fieldName?.trim() || by;
	return {
		orderBy: orderBy ?? usual.orderBy,
		ascending: direction === undefined ? orderBy !== undefined || usual.ascending : direction === 'ascending',
		filter: {
			Condition: chosen.filters.condition ?? 'AND',
			SearchInputTextValue: chosen.filters.searchText ?? '',
			FilterGroups: chosen.filters.filterGroups ?? [],
		},
	};
}
