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
		description: 'Only records that contain this text; the service decides which fields it searches',
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

/** The field 'Filters' of every search and export. */
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
	// The loop has checked that every entry is an object.
	return groups as IDataObject[];
}

const hasNull = (value: unknown): boolean =>
	value === null || (typeof value === 'object' && Object.values(value).some((part) => hasNull(part)));

/** What a list can be sorted by: name shown → the service's field name. */
export type Sortable = Record<string, string>;

/** The field for the order of a search; 'Field Name' is for further fields that a deployment can sort by. */
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
				description: "The service's name of a field that is not in the list; it is used instead of 'By'",
				placeholder: 'e.g. CreateTime',
			}),
		},
	});
}

/** Whether a person has chosen the order; otherwise the operation's default order applies. */
export const isSortChosen = ({ by, fieldName }: { by?: string; fieldName?: string }): boolean =>
	Boolean(fieldName?.trim() || by);

/**
 * The filter of a search body (contract 2.2), which must have all its parts; without parameters every record matches.
 */
export const searchFilter = ({
	searchText = '',
	condition = 'AND',
	filterGroups = [],
}: Partial<Values<typeof filterFields>> = {}): IDataObject => ({
	Condition: condition,
	SearchInputTextValue: searchText,
	FilterGroups: filterGroups,
});

/**
 * The part of a search body with the filter and the order (contract 2.2).
 * @param defaultOrder used where a person chose none
 */
export function searchBody(
	chosen: {
		filters: Partial<Values<typeof filterFields>>;
		sort: { by?: string; direction?: string; fieldName?: string };
	},
	defaultOrder: { orderBy: string; ascending: boolean },
): { orderBy: string; ascending: boolean; filter: IDataObject } {
	const { by, direction, fieldName } = chosen.sort;
	const orderBy = fieldName?.trim() || by;
	return {
		orderBy: orderBy ?? defaultOrder.orderBy,
		ascending: direction === undefined ? orderBy !== undefined || defaultOrder.ascending : direction === 'ascending',
		filter: searchFilter(chosen.filters),
	};
}
