import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../transport/errors';
import { choice } from './choice';
import { collection, group } from './collection';
import { combination, fieldFilterGroups, OTHER, otherField, serviceField, type FieldFilters } from './fieldFilters';
import { json } from './json';
import { text } from './text';
import { isRecord } from './value';
import { changedIn, showWhen, type Field, type FieldMap, type Values } from './field';

const condition = combination('filter groups', 'group');

/** The filter of a search (contract 2.2); no part of it may be null. */
const filterFields = {
	searchText: text({
		displayName: 'Search Text',
		description: 'Only records that contain this text',
		placeholder: 'e.g. Bakery',
	}),
	// Offered only beside filter groups, because there is nothing else that it combines.
	condition: showWhen({ filterGroups: [{ _cnd: { exists: true } }] }, condition),
	filterGroups: json({
		displayName: 'Filter Groups (JSON)',
		description: 'For experts: [{ Condition, FilterItems: [{ FieldName, Operator, Value }], FilterGroups }]',
		default: '[]',
		shape: filterGroupsOf,
	}),
};

const filtersWith = <F extends FieldMap>(fields: F) =>
	collection({ displayName: 'Filters', button: 'Add Filter', fields });

/**
 * The field 'Filters' of every search and export. Of a whole field n8n tells an AI that builds workflows the newest version
 * only; of a field inside one, all.
 */
export const filters = changedIn(1.1, filtersWith({ ...filterFields, condition }), filtersWith(filterFields));

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

/** The order that a person chose; `fieldName` is a field that is not in the list. */
interface ChosenSort {
	by?: string | undefined;
	direction?: 'ascending' | 'descending' | undefined;
	fieldName?: string | undefined;
}

const direction = choice({
	displayName: 'Direction',
	default: 'ascending',
	options: [
		{ name: 'Ascending', value: 'ascending' },
		{ name: 'Descending', value: 'descending' },
	],
});

/** Before version 1.1, field and direction are added one by one. */
function formerSort(sortable: Sortable): Field<ChosenSort> {
	const options = Object.entries(sortable).map(([name, value]) => ({ name, value }));
	return collection({
		displayName: 'Sort',
		button: 'Add Sort',
		fields: {
			by: choice({ displayName: 'By', default: options[0]?.value ?? '', options }),
			direction,
			fieldName: text({
				displayName: 'Field Name',
				description: "The service's name of a field that is not in the list; it is used instead of 'By'",
				placeholder: 'e.g. CreateTime',
			}),
		},
	});
}

/** The field for the order of a search: a field and its direction. */
export function sort(sortable: Sortable): Field<ChosenSort> {
	const fields = {
		by: serviceField({ displayName: 'By' }, sortable),
		fieldName: showWhen({ by: [OTHER] }, otherField("The service's name of the field")),
		direction,
	};
	const added = group({ displayName: 'Sort', button: 'Add Sort', fields });
	return changedIn(1.1, formerSort(sortable), {
		...added,
		parse: async (raw, item) => {
			const { by, ...chosen } = (await added.parse(raw, item)) ?? {};
			return { ...chosen, ...(by === OTHER ? {} : { by }) };
		},
	});
}

/** Whether a person has chosen the order; otherwise the operation's default order applies. */
export const isSortChosen = ({ by, fieldName }: ChosenSort): boolean => Boolean(fieldName?.trim() || by);

type Filter = Partial<Values<typeof filterFields>> & FieldFilters;

/**
 * The filter of a search body (contract 2.2), which must have all its parts; without parameters every record matches.
 */
export const searchFilter = ({
	searchText = '',
	condition = 'AND',
	filterGroups = [],
	...byField
}: Filter = {}): IDataObject => ({
	Condition: condition,
	SearchInputTextValue: searchText,
	FilterGroups: [...fieldFilterGroups(byField), ...filterGroups],
});

/**
 * The part of a search body with the filter and the order (contract 2.2).
 * @param defaultOrder used where a person chose none
 */
export function searchBody(
	chosen: FieldFilters & { filters: Partial<Values<typeof filterFields>>; sort: ChosenSort },
	defaultOrder: { orderBy: string; ascending: boolean },
): { orderBy: string; ascending: boolean; filter: IDataObject } {
	const {
		filters: inFilters,
		sort: { by, direction, fieldName },
		...byField
	} = chosen;
	const orderBy = fieldName?.trim() || by;
	return {
		orderBy: orderBy ?? defaultOrder.orderBy,
		ascending: direction === undefined ? orderBy !== undefined || defaultOrder.ascending : direction === 'ascending',
		filter: searchFilter({ ...inFilters, ...byField }),
	};
}
