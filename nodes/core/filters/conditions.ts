/** This file defines the conditions of a search: the form fields for them, and how they are sent (deployment activity 10). */
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
import { addFieldNameToError } from '../fields/formValues';
import { parseMonth } from '../fields/period';

/**
 * How the values of a record field are compared. A 'choice' is one of a limited set of values, such as the IDs of license types.
 * An 'exact' field can only be compared with 'Equals'.
 */
export type ComparisonType = 'text' | 'choice' | 'exact' | 'number' | 'date' | 'yesNo' | 'month';

/** The record fields by which the platform can filter a list. The keys are the names that the platform expects in a filter. */
export type FilterableFields = Record<string, FilterableField>;

interface FilterableField {
	/** The name that the user sees in the form. */
	name: string;
	type: ComparisonType;
	/**
	 * The key under which returned records have the value that the platform filters by. If it is not set, the node can't check whether
	 * returned records meet a condition on this field.
	 */
	recordField?: string;
}

/**
 * The platform's operators, by the keys that are saved in workflows. The operators themselves can't be saved, because n8n would evaluate a
 * text that begins with "=" (n8n 16).
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

/** The key of an operator, which is saved in workflows. */
export type ConditionOperator = keyof typeof PLATFORM_OPERATORS;

/** A list of at least one operator. The first operator is the default of the form field. */
type OperatorList = readonly [ConditionOperator, ...ConditionOperator[]];

const OPERATOR_OPTIONS: Array<{ name: string; value: ConditionOperator; description?: string }> = [
	{ name: 'Contains', value: 'contains' },
	{ name: 'Equals', value: 'eq' },
	{ name: 'Greater Than', value: 'gt' },
	{ name: 'Greater Than or Equal', value: 'gte' },
	{
		name: 'Is One Of',
		value: 'in',
		description: "The field has one of several values, which you enter in 'Value', separated by commas",
	},
	{ name: 'Less Than', value: 'lt' },
	{ name: 'Less Than or Equal', value: 'lte' },
	{ name: 'Not Equals', value: 'neq' },
];

/** The option 'Other Field'. If the user selects it, the user enters the name of the record field. */
const OTHER_FIELD_OPTION = 'other';

const fieldNameField = textField({
	displayName: 'Field Name',
	description: "The name of the field in the platform's API, such as CompanyName",
	placeholder: 'e.g. CompanyName',
	required: true,
});

const valueField: Field<string> = {
	...textField({
		displayName: 'Value',
		description: 'The value to compare the field with, such as Bakery, 42 or 2026-01-31',
		placeholder: 'e.g. Bakery, 42 or 2026-01-31',
	}),
	parse: (raw: unknown, { timezone }: ItemContext) =>
		raw instanceof Date || DateTime.isDateTime(raw) ? parseDate(raw, timezone) : parseText(raw, { min: 1 }),
};

/**
 * The operators that each type of comparison allows, starting with the default. A date is sent as a point in time. It can't be compared
 * with 'Equals', because hardly any record has exactly the same point in time.
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

/** Creates the form field for the operator of a condition. The user can select one of the given operators. */
const operatorChoiceField = (operators: OperatorList) =>
	choiceField({
		displayName: 'Operator',
		description: "How to compare the field with 'Value'",
		default: operators[0],
		options: OPERATOR_OPTIONS.filter(({ value }) => operators.includes(value)),
	});

/** Creates the form field for the operator of a condition. n8n offers only the operators that the selected record field allows. */
function operatorField(filterableFields: FilterableFields): Field<ConditionOperator> {
	const buildVariant = (operators: OperatorList, fieldNames: string[]) => ({
		...operatorChoiceField(operators).property,
		displayOptions: { show: { field: fieldNames } },
	});
	const fieldNamesByType = groupBy(Object.keys(filterableFields), (name) => filterableFields[name]?.type);
	const variants = Object.entries(ALLOWED_OPERATORS).flatMap(([type, operators]) => {
		const fieldNames = fieldNamesByType[type];
		return fieldNames ? [buildVariant(operators, fieldNames)] : [];
	});
	const field = operatorChoiceField(ALL_OPERATORS);
	if (variants.length === 0) return field;
	return { ...field, variants: [...variants, buildVariant(ALL_OPERATORS, [OTHER_FIELD_OPTION])] };
}

/** The form fields of one condition, if the user enters the name of the record field. */
type BaseConditionFields = {
	fieldName: Field<string | undefined>;
	operator: Field<ConditionOperator>;
	value: Field<string>;
};
/** The form fields of one condition. `field` selects the record field from a list; `fieldName` is then only shown for 'Other Field'. */
type ConditionFields = BaseConditionFields | (BaseConditionFields & { field: Field<string | undefined> });

/**
 * Builds the form fields of one condition. If there are no filterable fields to select, the user always enters the name of the record
 * field.
 */
function buildConditionFields(filterableFields: FilterableFields): ConditionFields {
	const operator = operatorField(filterableFields);
	const fieldOptions = Object.entries(filterableFields).map(([value, { name }]) => ({ name, value }));
	if (fieldOptions.length === 0) return { fieldName: fieldNameField, operator, value: valueField };
	const options = [
		...fieldOptions,
		{ name: 'Other Field', value: OTHER_FIELD_OPTION, description: "A field that you enter in 'Field Name'" },
	].sort((first, second) => first.name.localeCompare(second.name));
	const field: Field<string | undefined> = choiceField<string>({
		displayName: 'Field',
		description: "The field to compare with 'Value'",
		default: Object.keys(filterableFields)[0] ?? OTHER_FIELD_OPTION,
		options,
		// With an expression, n8n would show all variants of the field 'Operator' at once (n8n 4).
		noDataExpression: true,
	});
	const fieldName = showWhen({ field: [OTHER_FIELD_OPTION] }, fieldNameField);
	return { field, fieldName, operator, value: valueField };
}

/** A condition as the platform expects it in a request (deployment facts, "Requests"). */
export type FilterItem = Record<'FieldName' | 'Operator' | 'Value', string>;

/** A condition as it is sent, and what the node needs to know to check whether returned records meet it. */
export interface Condition {
	filterItem: FilterItem;
	operator: ConditionOperator;
	/** The record field that is compared. Undefined if the user entered a name that is not among the filterable fields. */
	filterableField: FilterableField | undefined;
}

/** The operators that compare with the end of a day: 'Greater Than' excludes the day itself, and 'Less Than or Equal' includes it. */
const END_OF_DAY_OPERATORS: readonly ConditionOperator[] = ['gt', 'lte'];

/**
 * Parses the date of a condition. A date without a time means a whole day in the workflow's time zone. The operator decides whether the
 * start or the end of that day is sent.
 * @param expectedInput describes what the form field accepts; used in the error message
 * @throws InvalidInputError
 */
function parseConditionDate(
	value: string,
	operator: ConditionOperator,
	timezone: string,
	expectedInput?: string,
): string {
	const parse = END_OF_DAY_OPERATORS.includes(operator) ? parseEndDate : parseDate;
	return parse(value, timezone, expectedInput);
}

/**
 * Splits the text that the user entered for 'Is One Of', and joins the values with commas as the platform expects (deployment activity 10).
 * @throws InvalidInputError if there is no value, or if one of them contains a comma
 */
function joinValues(value: string): string {
	const values = parseTextList(value);
	const valueWithComma = values.find((text) => text.includes(','));
	if (valueWithComma !== undefined)
		throw new InvalidInputError(
			`must not have a comma inside a value, but has ${describeValue(valueWithComma)}`,
			[],
			"The platform would read it as two values. Add an 'Equals' condition for each value instead, and select 'Or' in 'Combine Conditions By'.",
		);
	return parseText(values.join(','), { min: 1 });
}

/**
 * Converts the value of a condition to the text that is sent. The platform expects text for all types of values (deployment facts,
 * "Requests"), and dates as ISO 8601 in UTC (contract 2).
 * @param type undefined if the user entered the name of the record field
 * @throws InvalidInputError
 */
function formatConditionValue(
	value: string,
	operator: ConditionOperator,
	type: ComparisonType | undefined,
	timezone: string,
): string {
	const isNumber = !Number.isNaN(parseDecimal(value));
	const lowerCaseValue = value.trim().toLowerCase();
	if (type === 'number' && !isNumber) throw new InvalidInputError(`must be a number, but is ${describeValue(value)}`);
	if (type === 'yesNo' && !['true', 'false'].includes(lowerCaseValue))
		throw new InvalidInputError(`must be true or false, but is ${describeValue(value)}`);
	if (type === 'number' || type === 'yesNo') return lowerCaseValue;
	if (type === 'date') return parseConditionDate(value, operator, timezone);
	if (type === 'month') return parseMonth(value);
	if (operator === 'in') return joinValues(value);
	const isOrderComparison = ['gt', 'gte', 'lt', 'lte'].includes(operator);
	return isOrderComparison && !isNumber ? parseConditionDate(value, operator, timezone, 'a number or a date') : value;
}

/** The values of the form fields of one condition. */
interface ConditionInput {
	field?: string | undefined;
	fieldName: string | undefined;
	operator: ConditionOperator;
	value: string;
}

/**
 * Converts the values of the form fields to a condition.
 * @throws InvalidInputError for a value or an operator that the record field doesn't allow
 */
function toCondition(input: ConditionInput, filterableFields: FilterableFields, item: ItemContext): Condition {
	const { field = OTHER_FIELD_OPTION, operator } = input;
	const isEnteredByName = field === OTHER_FIELD_OPTION;
	const fieldName = isEnteredByName ? (input.fieldName ?? '').trim() : field;
	const knownField = filterableFields[fieldName];
	const isOperatorAllowed = knownField !== undefined && ALLOWED_OPERATORS[knownField.type].includes(operator);
	// The editor offers only the allowed operators, but a workflow that was written by a program may have any operator.
	if (knownField && !isOperatorAllowed && !isEnteredByName) {
		const allowedOperators = formatList(ALLOWED_OPERATORS[knownField.type].map(describeValue));
		throw new InvalidInputError(
			`must be one of ${allowedOperators} for '${knownField.name}', but is ${describeValue(operator)}`,
			['operator'],
		);
	}
	// If the user entered the name of a filterable field, but selected an operator that this field doesn't allow, the field is treated as
	// unknown: returned records are not compared with the condition.
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
		throw addFieldNameToError('value', error);
	}
}

/**
 * Creates the form field for the conditions by which a list is filtered.
 * @param filterableFields the record fields that the user can select; for other record fields, the user enters the name
 * @param hint tells the user who checks the conditions
 */
export function conditionsField(filterableFields: FilterableFields, hint: string): Field<Condition[]> {
	const rows = rowsField({
		displayName: 'Conditions',
		description: 'Only include records whose fields have certain values',
		hint,
		buttonText: 'Add Condition',
		rowLabel: 'Condition',
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
