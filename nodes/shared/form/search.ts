import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../transport/errors';
import { searchFilter } from '../transport/search';
import { collection, group, rows } from './collection';
import {
	mustHaveValue,
	mustHaveValues,
	showWhen,
	type Field,
	type FieldMap,
	type ItemContext,
	type Values,
} from './field';
import { choice, json, parseDate, parseText, text } from './fields';
import { isRecord } from '../values';

const rowFields = {
	field: text({
		displayName: 'Field',
		description: "The service's name of the field to compare; each platform decides which it knows",
		placeholder: 'e.g. CompanyName',
		required: true,
	}),
	operator: choice({
		displayName: 'Operator',
		description: 'Greater Than and Less Than take a number or a date',
		default: 'contains',
		// Deployment behaviour, "Search bodies".
		options: [
			{ name: 'Contains', value: 'contains' },
			{ name: 'Equals', value: 'eq' },
			{ name: 'Greater Than', value: 'gt' },
			{ name: 'Less Than', value: 'lt' },
			{ name: 'Not Equals', value: 'neq' },
		],
	}),
	value: {
		...text({ displayName: 'Value', placeholder: 'e.g. Bakery, 42 or 2026-01-31' }),
		parse: (raw: unknown, { timezone }: ItemContext) =>
			raw instanceof Date || DateTime.isDateTime(raw) ? parseDate(raw, timezone) : parseText(raw, { min: 1 }),
	} satisfies Field<string>,
};

/** A row as the service takes it: every value is text (deployment facts, "Requests"), and a date ISO 8601 in UTC (contract 2). */
function filterItem({ field, operator, value }: Values<typeof rowFields>, { timezone }: ItemContext): IDataObject {
	const isNumber = value.trim() !== '' && Number.isFinite(Number(value));
	const isDate = ['gt', 'lt'].includes(operator) && !isNumber;
	const Value = isDate ? parseDate(value, timezone, 'a number or a date') : value;
	return { FieldName: field.trim(), Operator: operator, Value };
}

const typedRows = rows({
	displayName: 'Conditions',
	description:
		"Only records whose fields have certain values. The platform decides which fields it compares, and how; n8n's Filter node behind this one is sure for dates and numbers.",
	button: 'Add Condition',
	row: 'Condition',
	fields: rowFields,
});

const fieldFilters: Field<IDataObject[]> = {
	...typedRows,
	parse: async (raw, item) => (await typedRows.parse(raw, item)).map((row) => filterItem(row, item)),
};

/** The filter of a search (contract 2.2); no part of it may be null. */
const filterFields = {
	condition: choice({
		displayName: 'Combine Conditions By',
		description: 'How the conditions, and the filter groups, are combined',
		default: 'AND',
		options: [
			{ name: 'And', value: 'AND', description: 'Every one must match' },
			{ name: 'Or', value: 'OR', description: 'One match is enough' },
		],
	}),
	fieldFilters,
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
};

/** A block 'Filters' with an operation's own filters; `mergedFields` joins it with that of the search. */
export const filtersOf = <F extends FieldMap>(fields: F) =>
	mustHaveValue(collection({ displayName: 'Filters', button: 'Add Filter', fields: mustHaveValues(fields) }));

/** The field 'Filters' of every search and export. */
export const filters = filtersOf(filterFields);

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
 * The part of a search body with the filter and the order (contract 2.2).
 * @param defaultSort used where a person chose none
 */
export function searchBody(
	{ filters: chosen, sort: { by, direction } }: { filters: Partial<Values<typeof filterFields>>; sort: ChosenSort },
	defaultSort: { orderBy: string; ascending: boolean },
): { orderBy: string; ascending: boolean; filter: IDataObject } {
	const { searchText, condition = 'AND', fieldFilters: FilterItems = [], filterGroups = [] } = chosen;
	const conditions = FilterItems.length > 0 ? [{ Condition: condition, FilterItems, FilterGroups: [] }] : [];
	const filter = searchFilter({ searchText, condition, filterGroups: [...conditions, ...filterGroups] });
	const order = by === undefined ? defaultSort : { orderBy: by, ascending: direction !== 'descending' };
	return { ...order, filter };
}
