import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../http/errors';
import { filterGroup, searchFilter } from '../http/requestVariants';
import { isRecord, listOf } from '../values';
import { collection, group } from '../fields/collection';
import { comparison, conditionsField, type Conditions, type FilterItem } from './conditions';
import { mustHaveValue, mustHaveValues, showWhen, type Field, type FieldMap, type Values } from '../fields/field';
import { choice, json, text } from '../fields/fieldTypes';

/** The filter of a search (contract 2.2); no part of it may be null. */
const filterFieldsOf = (known: Conditions, compares: string) => ({
	condition: choice({
		displayName: 'Combine Conditions By',
		description: 'How the conditions, and the filter groups, are combined',
		default: 'AND',
		options: [
			{ name: 'And', value: 'AND', description: 'Every one must match' },
			{ name: 'Or', value: 'OR', description: 'One match is enough' },
		],
	}),
	fieldFilters: conditionsField(known, `Only records whose fields have certain values. ${compares}`),
	filterGroups: json({
		displayName: 'Filter Groups (JSON)',
		description: 'For experts: [{ Condition, FilterItems: [{ FieldName, Operator, Value }], FilterGroups }]',
		default: '[]',
		shape: filterGroupsOf,
	}),
	searchText: text({
		displayName: 'Search Text',
		description: 'Only records that contain this text',
		placeholder: 'e.g. Bakery',
	}),
});
type FilterFields = ReturnType<typeof filterFieldsOf>;

/** A block 'Filters' with an operation's own filters; `mergedFields` joins it with that of the search. */
export const filtersOf = <F extends FieldMap>(fields: F) =>
	mustHaveValue(collection({ displayName: 'Filters', button: 'Add Filter', fields: mustHaveValues(fields) }));

const AGAIN =
	'What comes back is compared again, unless you enter the field by its name; a hint says what the platform ignored.';
const ALONE = 'The platform alone compares them: nothing is checked here, and what it does not know it may ignore.';

/** The field 'Filters' of a search. @param known the fields that the list is known to be filtered by */
export const filters = (known: Conditions = {}) =>
	filtersOf(filterFieldsOf(known, Object.keys(known).length > 0 ? AGAIN : ALONE));

/** The same of an export, which gives no rows to compare. */
export const exportFilters = (known: Conditions = {}) => filtersOf(filterFieldsOf(known, ALONE));

/** What a person chose in 'Filters' of a search. */
export type ChosenFilters = Partial<Values<FilterFields>>;

function filterGroupsOf(value: unknown): IDataObject[] {
	const groups = value === undefined ? [] : Array.isArray(value) ? value : [value];
	if (!groups.every(isRecord))
		throw new InvalidInput(
			'must be a list of groups, each an object',
			[],
			'For example: [{ "Condition": "AND", "FilterItems": [] }].',
		);
	if (hasNull(groups))
		throw new InvalidInput(
			'must not have null in it, because the service refuses it',
			[],
			'Use an empty text ("") or leave the entry out.',
		);
	// Parsed from JSON, so it has only what n8n's type allows.
	return groups as IDataObject[];
}

const hasNull = (value: unknown): boolean =>
	value === null || (typeof value === 'object' && Object.values(value).some((part) => hasNull(part)));

/** What a list can be sorted by: name shown → the service's field name. */
export type Sortable = Record<string, string>;

/** The order that a person chose; without `by`, none. */
interface ChosenSort {
	by?: string | undefined;
	direction?: 'ascending' | 'descending' | undefined;
}

const OTHER = 'other';
/** The sort of a list that the service cannot sort by time: the node does, after reading it whole. */
export const NEWEST_FIRST = 'newestFirst';

const direction = choice({
	displayName: 'Direction',
	default: 'ascending',
	options: [
		{ name: 'Ascending', value: 'ascending' },
		{ name: 'Descending', value: 'descending' },
	],
});

/** The field for the order of a search: one of the service's fields, also one that is not in the list, and a direction. */
export function sort(sortable: Sortable): Field<ChosenSort> {
	const options = [
		...Object.entries(sortable).map(([name, value]) => ({ name, value })),
		{ name: 'Other Field', value: OTHER, description: 'A field that you enter by its name' },
	].sort((one, other) => one.name.localeCompare(other.name));
	const values = options.map(({ value }) => value);
	const added = group({
		displayName: 'Sort',
		button: 'Add Sort',
		fields: {
			by: choice({ displayName: 'By', default: Object.values(sortable)[0] ?? OTHER, options }),
			fieldName: showWhen(
				{ by: [OTHER] },
				text({
					displayName: 'Field Name',
					description: "The service's name of the field",
					placeholder: 'e.g. CreateTime',
					min: 1,
				}),
			),
			direction: values.includes(NEWEST_FIRST)
				? showWhen({ by: values.filter((value) => value !== NEWEST_FIRST) }, direction)
				: direction,
		},
	});
	return {
		...added,
		parse: async (raw, item) => {
			const { by, fieldName, direction } = (await added.parse(raw, item)) ?? {};
			return { by: by === OTHER ? fieldName?.trim() : by, direction };
		},
	};
}

/**
 * The filter of a search (contract 2.2). Conditions alone have the form of the platforms' own client, with one group for AND and one
 * for OR (deployment activity, 10); a person's groups stay as they are.
 * @param always conditions that must match besides, whatever the person chose
 */
function filterOf(
	{ searchText, condition = 'AND', fieldFilters = [], filterGroups = [] }: ChosenFilters,
	always: FilterItem[],
) {
	const items = fieldFilters.map(({ item }) => item);
	const own = items.length > 0 ? [filterGroup(condition, items)] : [];
	const groups = [...own, ...filterGroups];
	if (filterGroups.length > 0 && always.length > 0)
		return searchFilter({ searchText, filterGroups: [filterGroup('AND', always), filterGroup(condition, [], groups)] });
	if (filterGroups.length > 0 || items.length + always.length === 0)
		return searchFilter({ searchText, condition, filterGroups: groups });
	const isAny = condition === 'OR';
	return searchFilter({
		searchText,
		filterGroups: [filterGroup('AND', isAny ? always : [...always, ...items]), filterGroup('OR', isAny ? items : [])],
	});
}

/**
 * The part of a search body with the filter and the order (contract 2.2).
 * @param defaultSort used where a person chose none
 * @param always see `filterOf`
 */
export function searchBody(
	{ filters: chosen, sort: { by, direction } }: { filters: ChosenFilters; sort: ChosenSort },
	defaultSort: { orderBy: string; ascending: boolean },
	always: FilterItem[] = [],
): { orderBy: string; ascending: boolean; filter: IDataObject } {
	const order = by === undefined ? defaultSort : { orderBy: by, ascending: direction !== 'descending' };
	return { ...order, filter: filterOf(chosen, always) };
}

/** The hint about conditions on fields that a person named: nothing tells whether the platform knows them (deployment activity, 10). */
export function unknownNote({ fieldFilters = [] }: ChosenFilters): string | undefined {
	const named = fieldFilters.flatMap(({ known, item }) => (known ? [] : [`'${item.FieldName}'`]));
	return named.length === 0
		? undefined
		: `It cannot be told whether the platform knows ${listOf(named)} in 'Conditions'. If it does not, it may have ignored that: look at what came.`;
}

/** Compares rows again with the chosen conditions, if that says anything. @param timezone the workflow's time zone */
export function comparisonOf(filters: ChosenFilters, timezone: string) {
	const { condition, fieldFilters = [], filterGroups = [] } = filters;
	const isAny = condition === 'OR';
	const isTold = fieldFilters.some(({ known }) => known?.of !== undefined) && !(isAny && filterGroups.length > 0);
	return isTold ? comparison(fieldFilters, isAny, timezone) : undefined;
}
