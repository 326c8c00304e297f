import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { InvalidInputError } from '../http/errors';
import { buildFilterGroup, buildSearchFilter } from '../api/searchFilter';
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
import { rejectReplacedSearchFields } from '../fields/jsonFields';

/**
 * Creates the form fields for the filter of a search (contract 2.2). Their parsed values never contain null, because the platform rejects
 * null anywhere in the filter.
 * @param conditionsHint tells the user whether the node checks again that returned records meet the conditions
 */
const createFilterFields = (filterableFields: FilterableFields, conditionsHint: string) => ({
	condition: choiceField({
		displayName: 'Combine Conditions By',
		description: 'How to combine conditions and filter groups: a record must meet all of them or at least one',
		default: 'AND',
		options: [
			{ name: 'And', value: 'AND', description: 'A record must meet all conditions' },
			{ name: 'Or', value: 'OR', description: 'A record must meet at least one condition' },
		],
	}),
	fieldFilters: conditionsField(filterableFields, conditionsHint),
	filterGroups: jsonField({
		displayName: 'Filter Groups (JSON)',
		description: 'Nested conditions such as (A or B) and C, as JSON in the format of the example below',
		hint: 'For example [{ "Condition": "OR", "FilterItems": [{ "FieldName": "CompanyName", "Operator": "=", "Value": "Bakery" }], "FilterGroups": [] }]',
		default: '[]',
		convert: toFilterGroups,
	}),
	searchText: textField({
		displayName: 'Search Text',
		description: 'Only include records that contain this text',
		placeholder: 'e.g. Bakery',
	}),
});
type FilterFields = ReturnType<typeof createFilterFields>;

/**
 * Creates the collection 'Filters' with filters that only one operation has. `mergeFields` merges it with the collection from
 * `searchFiltersBlock`.
 */
export const filtersBlock = <F extends FieldMap>(fields: F) =>
	rejectEmptyExpression(
		collectionField({ displayName: 'Filters', buttonText: 'Add Filter', fields: rejectEmptyExpressions(fields) }),
	);

const NODE_CHECKS_HINT =
	"If the platform ignores a condition, the node leaves out the records that don't match and shows a hint. The node can't check conditions on 'Other Field'.";
const ONLY_PLATFORM_CHECKS_HINT =
	"If the platform doesn't know a field, it may ignore the condition, so check the result";

/**
 * Creates the collection 'Filters' of a search.
 * @param filterableFields the record fields by which the platform can filter the list; for other record fields, the user enters the name
 */
export const searchFiltersBlock = (filterableFields: FilterableFields = {}) => {
	const hasFilterableFields = Object.keys(filterableFields).length > 0;
	const hint = hasFilterableFields ? NODE_CHECKS_HINT : ONLY_PLATFORM_CHECKS_HINT;
	return filtersBlock(createFilterFields(filterableFields, hint));
};

/** Creates the collection 'Filters' of an export. An export returns no records that the node could check again. */
export const exportFiltersBlock = (filterableFields: FilterableFields = {}) =>
	filtersBlock(createFilterFields(filterableFields, ONLY_PLATFORM_CHECKS_HINT));

/** The parsed values of the collection 'Filters' of a search. Filters that the user didn't add are missing. */
export type FilterValues = Partial<FieldValues<FilterFields>>;

/** Checks the filter groups that the user entered as JSON. A single group is returned as a list with one group. @throws InvalidInputError */
function toFilterGroups(value: unknown): IDataObject[] {
	const groups = toArray(value);
	if (!groups.every(isRecord))
		throw new InvalidInputError(
			'must be a list of objects',
			[],
			'For example: [{ "Condition": "AND", "FilterItems": [] }].',
		);
	if (hasNull(groups))
		throw new InvalidInputError(
			'must not contain null, because the platform rejects it',
			[],
			'Use an empty text ("") instead, or remove the entry.',
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
	value === null || (typeof value === 'object' && Object.values(value).some((innerValue) => hasNull(innerValue)));

/**
 * The record fields by which the platform can sort a list. The keys are the names that the user sees, and the values are the platform's
 * names.
 */
export type SortableFields = Record<string, string>;

/** The order that the user selected. If `orderBy` is undefined, the default order is used. */
interface SortValues {
	orderBy?: string | undefined;
	direction?: 'ascending' | 'descending' | undefined;
}

/** The option 'Other Field'. If the user selects it, the user enters the name of the record field. */
const OTHER_SORT_FIELD_OPTION = 'other';

/** The sort option for lists that the platform can't sort by time. If the user selects it, the node reads the whole list and sorts it. */
export const NEWEST_FIRST = 'newestFirst';

const directionField = choiceField({
	displayName: 'Direction',
	default: 'ascending',
	options: [
		{ name: 'Ascending', value: 'ascending' },
		{ name: 'Descending', value: 'descending' },
	],
});

/** Creates the form field for the order of a search. The user selects a direction, and selects a record field or enters its name. */
export function sortField(sortableFields: SortableFields): Field<SortValues> {
	const options = [
		...Object.entries(sortableFields).map(([name, value]) => ({ name, value })),
		{ name: 'Other Field', value: OTHER_SORT_FIELD_OPTION, description: "A field that you enter in 'Field Name'" },
	].sort((first, second) => first.name.localeCompare(second.name));
	const optionValues = options.map(({ value }) => value);
	const fieldNameField = textField({
		displayName: 'Field Name',
		description: "The name of the field in the platform's API, such as CreateTime",
		placeholder: 'e.g. CreateTime',
		min: 1,
	});
	const group = groupField({
		displayName: 'Sort',
		buttonText: 'Add Sort',
		fields: {
			by: choiceField({
				displayName: 'By',
				description: 'The field to sort by',
				default: Object.values(sortableFields)[0] ?? OTHER_SORT_FIELD_OPTION,
				options,
			}),
			fieldName: showWhen({ by: [OTHER_SORT_FIELD_OPTION] }, fieldNameField),
			direction: optionValues.includes(NEWEST_FIRST)
				? showWhen({ by: optionValues.filter((value) => value !== NEWEST_FIRST) }, directionField)
				: directionField,
		},
	});
	return {
		...group,
		parse: async (raw, item) => {
			const { by, fieldName, direction } = (await group.parse(raw, item)) ?? {};
			return { orderBy: by === OTHER_SORT_FIELD_OPTION ? fieldName?.trim() : by, direction };
		},
	};
}

/**
 * Builds the filter of a search (contract 2.2). If the user entered no filter groups, the conditions are sent as two groups, one for AND
 * and one for OR, as the platform's own client sends them (deployment activity 10). Filter groups that the user entered are sent unchanged.
 * @param requiredFilterItems conditions of the operation itself; every record must meet them in addition to the user's filters
 */
function buildFilter(values: FilterValues, requiredFilterItems: FilterItem[]) {
	const { searchText, condition = 'AND', fieldFilters = [], filterGroups = [] } = values;
	const filterItems = fieldFilters.map(({ filterItem }) => filterItem);
	const conditionGroups = filterItems.length > 0 ? [buildFilterGroup(condition, filterItems)] : [];
	const groups = [...conditionGroups, ...filterGroups];
	if (filterGroups.length > 0 && requiredFilterItems.length > 0)
		return buildSearchFilter({
			searchText,
			filterGroups: [buildFilterGroup('AND', requiredFilterItems), buildFilterGroup(condition, [], groups)],
		});
	if (filterGroups.length > 0 || filterItems.length + requiredFilterItems.length === 0)
		return buildSearchFilter({ searchText, condition, filterGroups: groups });
	const isOneConditionEnough = condition === 'OR';
	return buildSearchFilter({
		searchText,
		filterGroups: [
			buildFilterGroup('AND', isOneConditionEnough ? requiredFilterItems : [...requiredFilterItems, ...filterItems]),
			buildFilterGroup('OR', isOneConditionEnough ? filterItems : []),
		],
	});
}

/**
 * Builds the keys of a search body that set the filter and the order (contract 2.2).
 * @param defaultSort the order to use if the user selected none
 * @param requiredFilterItems see `buildFilter`
 */
export function buildSearchBody(
	values: { filters: FilterValues; sort: SortValues },
	defaultSort: { orderBy: string; ascending: boolean },
	requiredFilterItems: FilterItem[] = [],
): { orderBy: string; ascending: boolean; filter: IDataObject } {
	const { orderBy: by, direction } = values.sort;
	const order = by === undefined ? defaultSort : { orderBy: by, ascending: direction !== 'descending' };
	return { ...order, filter: buildFilter(values.filters, requiredFilterItems) };
}

/**
 * Checks that the fields in JSON that a user adds to a search replace neither its page nor an order or a filter that isn't the default.
 * @param searchBody the order and the filter of the search
 * @param hasFixedOrder true if the user selected an order, or if the operation depends on its default order
 * @throws InvalidInputError
 */
export function rejectReplacedSearch(
	jsonFields: IDataObject | undefined,
	{ filter, orderBy, ascending }: ReturnType<typeof buildSearchBody>,
	hasFixedOrder: boolean,
): void {
	rejectReplacedSearchFields(jsonFields, {
		pageNumber: true,
		pageSize: true,
		pagination: true,
		orderBy: hasFixedOrder ? orderBy : undefined,
		ascending: hasFixedOrder ? ascending : undefined,
		filter: isEqual(filter, buildSearchFilter()) ? undefined : filter,
	});
}

/**
 * Builds the hint about conditions on unknown record fields, whose names the user entered. The hint is needed because a platform may ignore
 * such a condition without reporting it (deployment activity 10).
 * @returns undefined if there are no such conditions
 */
export function buildUnknownFieldHint({ fieldFilters = [] }: FilterValues): string | undefined {
	const unknownFields = fieldFilters.filter(({ filterableField }) => !filterableField);
	if (unknownFields.length === 0) return undefined;
	const quotedNames = unknownFields.map(({ filterItem }) => `'${filterItem.FieldName}'`);
	return `It isn't certain that the platform can filter by ${formatList(quotedNames)}. It may have ignored such a condition, so check the returned records.`;
}

/**
 * Creates the matcher for the user's conditions (see `createConditionMatcher`).
 * @param timezone the workflow's time zone
 * @returns undefined if the matcher could not exclude any record
 */
export function createFilterMatcher(filters: FilterValues, timezone: string) {
	const { condition, fieldFilters = [], filterGroups = [] } = filters;
	const isOneConditionEnough = condition === 'OR';
	const hasComparableField = fieldFilters.some(({ filterableField }) => filterableField?.recordField !== undefined);
	// With OR, a record that meets no condition may still match one of the filter groups, which the node doesn't check.
	const canMatchGroup = isOneConditionEnough && filterGroups.length > 0;
	return hasComparableField && !canMatchGroup
		? createConditionMatcher(fieldFilters, isOneConditionEnough, timezone)
		: undefined;
}
