import type { IDataObject } from 'n8n-workflow';

import { InvalidInputError } from '../http/errors';
import { buildFilterGroup, buildSearchFilter } from '../api/filter';
import { isRecord, formatList } from '../values';
import { collectionField, groupField } from '../fields/collection';
import { createConditionMatcher } from './conditionMatcher';
import { conditionsField, type FilterableFields, type FilterItem } from './conditions';
import {
	rejectEmptyExpression,
	rejectEmptyExpressions,
	showWhen,
	type Field,
	type FieldMap,
	type FieldValues,
} from '../fields/field';
import { choiceField, jsonField, textField } from '../fields/fieldTypes';

/** Creates the fields for the filter of a search (contract 2.2). The platform accepts null nowhere in the filter. */
const createFilterFields = (filterableFields: FilterableFields, comparisonNote: string) => ({
	condition: choiceField({
		displayName: 'Combine Conditions By',
		description: 'How the conditions, and the filter groups, are combined',
		default: 'AND',
		options: [
			{ name: 'And', value: 'AND', description: 'Every one must match' },
			{ name: 'Or', value: 'OR', description: 'One match is enough' },
		],
	}),
	fieldFilters: conditionsField(filterableFields, `Only records whose fields have certain values. ${comparisonNote}`),
	filterGroups: jsonField({
		displayName: 'Filter Groups (JSON)',
		description: 'For experts: [{ Condition, FilterItems: [{ FieldName, Operator, Value }], FilterGroups }]',
		default: '[]',
		convert: toFilterGroups,
	}),
	searchText: textField({
		displayName: 'Search Text',
		description: 'Only records that contain this text',
		placeholder: 'e.g. Bakery',
	}),
});
type FilterFields = ReturnType<typeof createFilterFields>;

/** Creates the collection 'Filters' with an operation's own filters. `mergeFields` merges it with the filters of a search. */
export const filtersBlock = <F extends FieldMap>(fields: F) =>
	rejectEmptyExpression(
		collectionField({ displayName: 'Filters', button: 'Add Filter', fields: rejectEmptyExpressions(fields) }),
	);

const RECORDS_ARE_COMPARED =
	'What comes back is compared again, unless you enter the field by its name; a hint says what the platform ignored.';
const ONLY_PLATFORM_COMPARES =
	'The platform alone compares them: nothing is checked here, and what it does not know it may ignore.';

/**
 * Creates the collection 'Filters' of a search.
 * @param filterableFields the fields by which the platform can filter the list; other fields are entered by name
 */
export const searchFiltersBlock = (filterableFields: FilterableFields = {}) => {
	const hasFilterableFields = Object.keys(filterableFields).length > 0;
	const note = hasFilterableFields ? RECORDS_ARE_COMPARED : ONLY_PLATFORM_COMPARES;
	return filtersBlock(createFilterFields(filterableFields, note));
};

/** Creates the collection 'Filters' of an export, which returns no records that could be compared. */
export const exportFiltersBlock = (filterableFields: FilterableFields = {}) =>
	filtersBlock(createFilterFields(filterableFields, ONLY_PLATFORM_COMPARES));

/** The values of the collection 'Filters' of a search. */
export type FilterValues = Partial<FieldValues<FilterFields>>;

/** Checks filter groups from JSON. A single group becomes a list with one group. @throws InvalidInputError */
function toFilterGroups(value: unknown): IDataObject[] {
	const groups = toArray(value);
	if (!groups.every(isRecord))
		throw new InvalidInputError(
			'must be a list of groups, each an object',
			[],
			'For example: [{ "Condition": "AND", "FilterItems": [] }].',
		);
	if (hasNull(groups))
		throw new InvalidInputError(
			'must not have null in it, because the service refuses it',
			[],
			'Use an empty text ("") or leave the entry out.',
		);
	// A value that was parsed from JSON has only the types that IDataObject allows.
	return groups as IDataObject[];
}

function toArray(value: unknown): unknown[] {
	if (value === undefined) return [];
	return Array.isArray(value) ? value : [value];
}

/** Returns true if a value is null or contains null at any depth. */
const hasNull = (value: unknown): boolean =>
	value === null || (typeof value === 'object' && Object.values(value).some((part) => hasNull(part)));

/** The fields by which a list can be sorted. The keys are the names in the form, and the values are the platform's names. */
export type SortableFields = Record<string, string>;

/** The order that the user selected. If `by` is undefined, the default order is used. */
interface SortValues {
	by?: string | undefined;
	direction?: 'ascending' | 'descending' | undefined;
}

/** The option for a field that the user enters by its name. */
const OTHER_SORT_FIELD = 'other';

/** The sort option for a list that the platform cannot sort by time. The node then reads the whole list and sorts it itself. */
export const NEWEST_FIRST = 'newestFirst';

const directionField = choiceField({
	displayName: 'Direction',
	default: 'ascending',
	options: [
		{ name: 'Ascending', value: 'ascending' },
		{ name: 'Descending', value: 'descending' },
	],
});

/** Creates the field for the order of a search: a direction, and a field of the platform that the user selects or enters by name. */
export function sortField(sortableFields: SortableFields): Field<SortValues> {
	const options = [
		...Object.entries(sortableFields).map(([name, value]) => ({ name, value })),
		{ name: 'Other Field', value: OTHER_SORT_FIELD, description: 'A field that you enter by its name' },
	].sort((first, second) => first.name.localeCompare(second.name));
	const values = options.map(({ value }) => value);
	const fieldNameField = textField({
		displayName: 'Field Name',
		description: "The service's name of the field",
		placeholder: 'e.g. CreateTime',
		min: 1,
	});
	const group = groupField({
		displayName: 'Sort',
		button: 'Add Sort',
		fields: {
			by: choiceField({
				displayName: 'By',
				default: Object.values(sortableFields)[0] ?? OTHER_SORT_FIELD,
				options,
			}),
			fieldName: showWhen({ by: [OTHER_SORT_FIELD] }, fieldNameField),
			direction: values.includes(NEWEST_FIRST)
				? showWhen({ by: values.filter((value) => value !== NEWEST_FIRST) }, directionField)
				: directionField,
		},
	});
	return {
		...group,
		parse: async (raw, item) => {
			const { by, fieldName, direction } = (await group.parse(raw, item)) ?? {};
			return { by: by === OTHER_SORT_FIELD ? fieldName?.trim() : by, direction };
		},
	};
}

/**
 * Builds the filter of a search (contract 2.2). Conditions without filter groups are sent as two groups, one for AND and one for OR, as
 * the platform's own client sends them (deployment activity 10). The user's filter groups are sent unchanged.
 * @param requiredItems conditions that every record must meet, whatever filters the user sets
 */
function buildFilter(values: FilterValues, requiredItems: FilterItem[]) {
	const { searchText, condition = 'AND', fieldFilters = [], filterGroups = [] } = values;
	const items = fieldFilters.map(({ filterItem }) => filterItem);
	const conditionGroups = items.length > 0 ? [buildFilterGroup(condition, items)] : [];
	const groups = [...conditionGroups, ...filterGroups];
	if (filterGroups.length > 0 && requiredItems.length > 0)
		return buildSearchFilter({
			searchText,
			filterGroups: [buildFilterGroup('AND', requiredItems), buildFilterGroup(condition, [], groups)],
		});
	if (filterGroups.length > 0 || items.length + requiredItems.length === 0)
		return buildSearchFilter({ searchText, condition, filterGroups: groups });
	const isOneEnough = condition === 'OR';
	return buildSearchFilter({
		searchText,
		filterGroups: [
			buildFilterGroup('AND', isOneEnough ? requiredItems : [...requiredItems, ...items]),
			buildFilterGroup('OR', isOneEnough ? items : []),
		],
	});
}

/**
 * Builds the part of a search body that has the filter and the order (contract 2.2).
 * @param defaultSort the order that is used if the user selected none
 * @param requiredItems see `buildFilter`
 */
export function buildSearchBody(
	values: { filters: FilterValues; sort: SortValues },
	defaultSort: { orderBy: string; ascending: boolean },
	requiredItems: FilterItem[] = [],
): { orderBy: string; ascending: boolean; filter: IDataObject } {
	const { by, direction } = values.sort;
	const order = by === undefined ? defaultSort : { orderBy: by, ascending: direction !== 'descending' };
	return { ...order, filter: buildFilter(values.filters, requiredItems) };
}

/**
 * Builds the hint about conditions on fields that the user entered by name. A platform doesn't report a field that it doesn't know
 * (deployment activity 10).
 * @returns undefined if there are no such conditions
 */
export function buildUnknownFieldHint({ fieldFilters = [] }: FilterValues): string | undefined {
	const unknownFields = fieldFilters.filter(({ filterableField }) => !filterableField);
	if (unknownFields.length === 0) return undefined;
	const names = unknownFields.map(({ filterItem }) => `'${filterItem.FieldName}'`);
	return `It cannot be told whether the platform knows ${formatList(names)} in 'Conditions'. If it does not, it may have ignored that: look at what came.`;
}

/**
 * Creates a matcher that compares returned records with the user's conditions again.
 * @param timezone the workflow's time zone
 * @returns undefined if the comparison could not exclude any record
 */
export function createFilterMatcher(filters: FilterValues, timezone: string) {
	const { condition, fieldFilters = [], filterGroups = [] } = filters;
	const isOneEnough = condition === 'OR';
	const hasComparableField = fieldFilters.some(({ filterableField }) => filterableField?.recordField !== undefined);
	// A record that meets no condition may still match one of the filter groups.
	const mayMatchGroup = isOneEnough && filterGroups.length > 0;
	return hasComparableField && !mayMatchGroup ? createConditionMatcher(fieldFilters, isOneEnough, timezone) : undefined;
}
