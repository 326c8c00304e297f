/** This file defines the conditions of a search: their fields in the form, and how they are sent (deployment activity 10). */
import { groupBy } from 'lodash';
import { DateTime } from 'luxon';

import { InvalidInputError } from '../http/errors';
import { formatList, parseDecimal } from '../values';
import { rowsField } from '../fields/collection';
import { showWhen, type Field, type ItemContext } from '../fields/field';
import {
	choiceField,
	parseDate,
	parseEndDate,
	parseText,
	parseTextList,
	describeValue,
	textField,
} from '../fields/fieldTypes';
import { addFieldToError } from '../fields/formValues';
import { parseMonth } from '../fields/period';

/**
 * How the values of a field are compared. A 'choice' field has one or several of a few values, such as IDs. An 'exact' field can only be
 * compared with 'Equals'.
 */
export type ComparisonType = 'text' | 'choice' | 'exact' | 'number' | 'date' | 'yesNo' | 'month';

/** The fields by which the platform can filter a list. The keys are the platform's names. */
export type FilterableFields = Record<string, FilterableField>;

interface FilterableField {
	/** The name in the form. */
	name: string;
	type: ComparisonType;
	/** The field of a returned record that has the same value. If it is not set, returned records cannot be compared. */
	recordField?: string;
}

/**
 * The platform's operators. The keys are the values that are saved in workflows. The operators themselves are not saved, because n8n would
 * evaluate a text that begins with "=" (n8n 16).
 */
const PLATFORM_OPERATORS = {
	contains: 'Contains',
	eq: '=',
	neq: '!=',
	gt: '>',
	gte: '>=',
	lt: '<',
	lte: '<=',
	in: 'Include',
} as const;

/** An operator, as it is saved in workflows. */
export type ConditionOperator = keyof typeof PLATFORM_OPERATORS;

/** A list of operators with at least one entry. The first one is the default. */
type OperatorList = readonly [ConditionOperator, ...ConditionOperator[]];

const OPERATOR_OPTIONS: Array<{ name: string; value: ConditionOperator; description?: string }> = [
	{ name: 'Contains', value: 'contains' },
	{ name: 'Equals', value: 'eq' },
	{ name: 'Greater Than', value: 'gt' },
	{ name: 'Greater Than or Equal', value: 'gte' },
	{ name: 'Is One Of', value: 'in', description: 'One of several values, separated by commas' },
	{ name: 'Less Than', value: 'lt' },
	{ name: 'Less Than or Equal', value: 'lte' },
	{ name: 'Not Equals', value: 'neq' },
];

/** The option for a field that the user enters by its name. */
const OTHER_FIELD = 'other';

const fieldNameField = textField({
	displayName: 'Field Name',
	description: "The service's name of the field to compare; each platform decides which it knows",
	placeholder: 'e.g. CompanyName',
	required: true,
});

const valueField: Field<string> = {
	...textField({
		displayName: 'Value',
		description: 'What to compare with; for Is One Of several values, separated by commas',
		placeholder: 'e.g. Bakery, 42 or 2026-01-31',
	}),
	parse: (raw: unknown, { timezone }: ItemContext) =>
		raw instanceof Date || DateTime.isDateTime(raw) ? parseDate(raw, timezone) : parseText(raw, { min: 1 }),
};

/**
 * The operators that each type of comparison allows, with the default first. Dates can't be compared with 'Equals': a date is sent as a point
 * in time, and a record hardly ever has exactly the same one.
 */
const ALLOWED_OPERATORS: Record<ComparisonType, OperatorList> = {
	text: ['contains', 'eq', 'neq', 'in'],
	choice: ['in', 'eq', 'neq'],
	number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'],
	date: ['lt', 'lte', 'gt', 'gte'],
	yesNo: ['eq', 'neq'],
	month: ['eq'],
	exact: ['eq'],
};
const ALL_OPERATORS = ['contains', 'eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in'] as const;

/** Creates the field for the operator of a condition, in which the user can select one of these operators. */
const operatorChoiceField = (operators: OperatorList) =>
	choiceField({
		displayName: 'Operator',
		description: 'How the field and the value are compared',
		default: operators[0],
		options: OPERATOR_OPTIONS.filter(({ value }) => operators.includes(value)),
	});

/** Creates the field for the operator of a condition. n8n shows only the operators that the selected field allows. */
function operatorField(filterableFields: FilterableFields): Field<ConditionOperator> {
	const buildVariant = (operators: OperatorList, fieldNames: string[]) => ({
		...operatorChoiceField(operators).property,
		displayOptions: { show: { field: fieldNames } },
	});
	const namesByType = groupBy(Object.keys(filterableFields), (name) => filterableFields[name]?.type);
	const variants = Object.entries(ALLOWED_OPERATORS).flatMap(([type, operators]) => {
		const names = namesByType[type];
		return names ? [buildVariant(operators, names)] : [];
	});
	const field = operatorChoiceField(ALL_OPERATORS);
	if (variants.length === 0) return field;
	return { ...field, variants: [...variants, buildVariant(ALL_OPERATORS, [OTHER_FIELD])] };
}

/** The fields of a condition on a field whose name the user enters. */
type BaseConditionFields = {
	fieldName: Field<string | undefined>;
	operator: Field<ConditionOperator>;
	value: Field<string>;
};
type ConditionFields = BaseConditionFields | (BaseConditionFields & { field: Field<string | undefined> });

/** Builds the fields of one condition. If there are no filterable fields to select from, the user always enters the field's name. */
function buildConditionFields(filterableFields: FilterableFields): ConditionFields {
	const operator = operatorField(filterableFields);
	const fieldOptions = Object.entries(filterableFields).map(([value, { name }]) => ({ name, value }));
	if (fieldOptions.length === 0) return { fieldName: fieldNameField, operator, value: valueField };
	const options = [
		...fieldOptions,
		{ name: 'Other Field', value: OTHER_FIELD, description: 'A field that you enter by its name' },
	].sort((first, second) => first.name.localeCompare(second.name));
	const field: Field<string | undefined> = choiceField<string>({
		displayName: 'Field',
		description: 'What to compare',
		default: Object.keys(filterableFields)[0] ?? OTHER_FIELD,
		options,
	});
	const fieldName = showWhen({ field: [OTHER_FIELD] }, fieldNameField);
	return { field, fieldName, operator, value: valueField };
}

/** A condition in a request (deployment facts, "Requests"). */
export type FilterItem = Record<'FieldName' | 'Operator' | 'Value', string>;

/** A condition in a request, with the details that are needed to compare returned records with it. */
export interface Condition {
	filterItem: FilterItem;
	operator: ConditionOperator;
	/** Undefined if the user entered the name of an unknown field. */
	filterableField: FilterableField | undefined;
}

/** The operators that compare with the end of a day: 'Greater Than' means after the day, 'Less Than or Equal' includes the day. */
const END_OF_DAY_OPERATORS: readonly ConditionOperator[] = ['gt', 'lte'];

/**
 * Parses the date of a condition. A date without a time is a whole day in the workflow's time zone. The operator decides whether the start
 * or the end of that day is compared.
 * @param expected describes for the error what the field accepts
 * @throws InvalidInputError
 */
function parseConditionDate(value: string, operator: ConditionOperator, timezone: string, expected?: string): string {
	const parse = END_OF_DAY_OPERATORS.includes(operator) ? parseEndDate : parseDate;
	return parse(value, timezone, expected);
}

/** Joins the values of 'Is One Of' with commas, as the platform expects them (deployment activity 10). @throws InvalidInputError */
function joinValues(value: string): string {
	const values = parseTextList(value);
	const valueWithComma = values.find((text) => text.includes(','));
	if (valueWithComma !== undefined)
		throw new InvalidInputError(
			`must have no comma inside a value, but has ${describeValue(valueWithComma)}`,
			[],
			"The platform would read it as two values. Add an 'Equals' condition for each value instead, and choose 'Or' in 'Combine Conditions By'.",
		);
	return parseText(values.join(','), { min: 1 });
}

/**
 * Converts the value of a condition to the text in the request. All values are text (deployment facts, "Requests"). Dates are ISO 8601 in UTC
 * (contract 2).
 * @param type undefined if the user entered the field's name
 * @throws InvalidInputError
 */
function formatConditionValue(
	value: string,
	operator: ConditionOperator,
	type: ComparisonType | undefined,
	timezone: string,
): string {
	const isNumber = !Number.isNaN(parseDecimal(value));
	const word = value.trim().toLowerCase();
	if (type === 'number' && !isNumber) throw new InvalidInputError(`must be a number, but is ${describeValue(value)}`);
	if (type === 'yesNo' && !['true', 'false'].includes(word))
		throw new InvalidInputError(`must be true or false, but is ${describeValue(value)}`);
	if (type === 'number' || type === 'yesNo') return word;
	if (type === 'date') return parseConditionDate(value, operator, timezone);
	if (type === 'month') return parseMonth(value);
	if (operator === 'in') return joinValues(value);
	const isOrdered = ['gt', 'gte', 'lt', 'lte'].includes(operator);
	return isOrdered && !isNumber ? parseConditionDate(value, operator, timezone, 'a number or a date') : value;
}

/** The values of one condition in the form. */
interface ConditionInput {
	field?: string | undefined;
	fieldName: string | undefined;
	operator: ConditionOperator;
	value: string;
}

/**
 * Converts the values in the form to a condition.
 * @throws InvalidInputError for a value or an operator that the field doesn't allow
 */
function toCondition(input: ConditionInput, filterableFields: FilterableFields, item: ItemContext): Condition {
	const { field = OTHER_FIELD, operator } = input;
	const isEnteredByName = field === OTHER_FIELD;
	const fieldName = isEnteredByName ? (input.fieldName ?? '').trim() : field;
	const knownField = filterableFields[fieldName];
	const isOperatorAllowed = knownField !== undefined && ALLOWED_OPERATORS[knownField.type].includes(operator);
	// n8n offers only the allowed operators, but a workflow may also be written outside the editor.
	if (knownField && !isOperatorAllowed && !isEnteredByName) {
		const allowed = formatList(ALLOWED_OPERATORS[knownField.type].map(describeValue));
		throw new InvalidInputError(
			`must be one of ${allowed} for '${knownField.name}', but is ${describeValue(operator)}`,
			['operator'],
		);
	}
	// If the user entered the name of a known field with an operator that it doesn't allow, it is treated as an unknown field.
	const filterableField = isOperatorAllowed ? knownField : undefined;
	const type = isEnteredByName ? undefined : filterableField?.type;
	try {
		const filterItem = {
			FieldName: fieldName,
			Operator: PLATFORM_OPERATORS[operator],
			Value: formatConditionValue(input.value, operator, type, item.timezone),
		};
		return { filterItem, operator, filterableField };
	} catch (error) {
		throw addFieldToError('value', error);
	}
}

/**
 * Creates the field for the conditions of a list.
 * @param filterableFields the fields that the user can select; other fields are entered by name
 */
export function conditionsField(filterableFields: FilterableFields, description: string): Field<Condition[]> {
	const rows = rowsField({
		displayName: 'Conditions',
		description,
		button: 'Add Condition',
		row: 'Condition',
		fields: buildConditionFields(filterableFields),
	});
	return {
		...rows,
		parse: async (raw, item) => {
			const inputs = await rows.parse(raw, item);
			return inputs.map((input) => toCondition(input, filterableFields, item));
		},
	};
}
