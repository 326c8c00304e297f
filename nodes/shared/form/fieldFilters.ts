import { DateTime } from 'luxon';
import type { IDataObject, IDisplayOptions } from 'n8n-workflow';

import { fold } from '../answer/fileName';
import { InvalidInput } from '../transport/errors';
import { choice } from './choice';
import { rows } from './collection';
import { showWhen, type Field, type Values } from './field';
import { labelOfName } from './label';
import { parseText, text } from './text';
import { isEmpty, shown } from './value';

/** The entry for a field that is not in a list. */
export const OTHER = 'other';

/**
 * A field that chooses one of the service's fields from a list. Text from an expression may be a name in the list, or any
 * other name of a field.
 * @param fields the service's names
 * @returns the service's name; OTHER if another field is entered beside it
 */
export function serviceField(label: { displayName: string; description?: string }, fields: Record<string, string>) {
	const options = [
		...Object.entries(fields).map(([name, value]) => ({ name, value })),
		{ name: 'Other Field', value: OTHER, description: 'A field that you enter by its name' },
	].sort((one, other) => one.name.localeCompare(other.name));
	return {
		property: {
			...label,
			type: 'options',
			options,
			default: Object.values(fields)[0] ?? OTHER,
		},
		parse: (raw) => {
			const given = parseText(raw, { min: 1 }).trim();
			return (
				options.find(({ name, value }) => [name, value].some((each) => fold(each) === fold(given)))?.value ?? given
			);
		},
	} satisfies Field<string>;
}

/** The name of a field that is not in the list of `serviceField`. */
export const otherField = (description: string): Field<string> => ({
	// Not required: n8n shows it, too, where an expression chooses the field, and would ask for it there.
	...text({ displayName: 'Field Name', description, placeholder: 'e.g. CreateTime' }),
	parse: (raw) => parseText(raw, { min: 1 }).trim(),
});

/** The operators that live deployments were seen to know (deployment behaviour, "Search bodies"). */
const OPERATORS = [
	{ name: 'Contains', value: 'contains', words: [] },
	{ name: 'Equals', value: 'eq', words: ['=', '==', 'is'] },
	{ name: 'Greater Than', value: 'gt', words: ['>', 'after'] },
	{ name: 'Less Than', value: 'lt', words: ['<', 'before'] },
	{ name: 'Not Equals', value: 'neq', words: ['!=', '<>', 'is not'] },
] as const;
type Operator = (typeof OPERATORS)[number]['value'];

const operator: Field<Operator> = {
	...choice({
		displayName: 'Operator',
		description: 'Greater and less are for dates and numbers',
		default: 'contains',
		options: OPERATORS.map(({ name, value }) => ({ name, value })),
	}),
	parse: (raw) => {
		const given = typeof raw === 'string' ? fold(raw.trim()) : '';
		const found = OPERATORS.find(({ name, value, words }) =>
			[name, value, ...words].some((word) => fold(word) === given),
		);
		if (found) return found.value;
		throw new InvalidInput(
			`must be one of ${OPERATORS.map(({ value }) => `'${value}'`).join(', ')}, but is ${shown(raw)}`,
			[],
			"If your platform knows other operators, use 'Filter Groups (JSON)' in 'Filters'.",
		);
	},
};

/** The service takes every value as text (deployment facts). */
const value: Field<string> = {
	...text({
		displayName: 'Value',
		placeholder: 'e.g. Bakery, 42 or 2026-01-31',
	}),
	parse: (raw) => {
		if (raw instanceof Date || DateTime.isDateTime(raw)) return new Date(raw.valueOf()).toISOString();
		if (isEmpty(raw)) throw new InvalidInput('must not be empty');
		return parseText(raw, { min: 1 });
	},
};

/**
 * The names of the fields by which a search may be filtered, the usual one first: ["CompanyName", "CreateTime"]. No document
 * says which a platform knows: these are the fields of its records (contract 2, deployment shapes), spelled as in a sort.
 */
export type Filterable = readonly string[];

/** What records have in many searches. */
export const DEFAULT_FILTERABLE: Filterable = ['Name', 'CreateTime'];

/** Whether all of several conditions must match, or any. @param one what each is called: "filter" */
export const combination = (things: string, one: string) =>
	choice({
		displayName: 'Condition',
		description: `How the ${things} are combined`,
		builderHint: '',
		default: 'AND',
		options: [
			{ name: 'And', value: 'AND', description: `Every ${one} must match` },
			{ name: 'Or', value: 'OR', description: `One matching ${one} is enough` },
		],
	});

const condition = combination('field filters', 'filter');

/**
 * n8n's condition for a field that is shown from the second row of 'Field Filters' on. It says when the field is hidden:
 * n8n does not know the rows when it saves a node, and would remove the value of a field that has to be shown by them.
 */
const FROM_SECOND_ROW = {
	hide: {
		'/fieldFilters.rows.length': [0, 1],
		// Without rows. n8n compares any two values here, though its type has only simple ones.
		'/fieldFilters': [{ _cnd: { eq: {} } }],
	},
} as unknown as IDisplayOptions;

/**
 * The fields that filter a search by fields of its records, a row for each; and whether all or any must match, from the
 * second row on.
 */
export function fieldFilters(filterable: Filterable) {
	const fields = {
		field: serviceField(
			{ displayName: 'Field', description: 'The field to compare; not every platform knows each' },
			Object.fromEntries(filterable.map((name) => [labelOfName(name), name])),
		),
		fieldName: showWhen({ field: [OTHER] }, otherField("The service's name of the field")),
		operator,
		value,
	};
	return {
		fieldFilters: rows({
			displayName: 'Field Filters',
			description: 'Only records with certain values',
			button: 'Add Field Filter',
			row: 'Filter',
			fields,
		}),
		fieldFilterCondition: { ...condition, property: { ...condition.property, displayOptions: FROM_SECOND_ROW } },
	};
}

/** The values of those fields. */
export type FieldFilters = Partial<Values<ReturnType<typeof fieldFilters>>>;

/** The field filters as one filter group of a search (deployment facts, "Requests"). @returns none without a filter */
export function fieldFilterGroups({ fieldFilters = [], fieldFilterCondition = 'AND' }: FieldFilters): IDataObject[] {
	if (fieldFilters.length === 0) return [];
	const FilterItems = fieldFilters.map(({ field, fieldName, operator: Operator, value: Value }) => ({
		FieldName: field === OTHER && fieldName !== undefined ? fieldName : field,
		Operator,
		Value,
	}));
	return [{ Condition: fieldFilterCondition, FilterItems, FilterGroups: [] }];
}
