/** Conditions of a search: what a person fills in, what is sent, and what of it can be compared again (deployment activity, 10). */
import { groupBy, gt, gte, lt, lte } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../http/errors';
import {
	isEmpty,
	isScalar,
	listOf,
	normalized,
	numberOf,
	parseDecimal,
	readLastMoment,
	recordsIn,
	toJson,
} from '../values';
import { rows } from '../fields/collection';
import { showWhen, type Field, type ItemContext } from '../fields/field';
import { choice, parseDate, parseEndDate, parseText, parseTexts, shown, text } from '../fields/fieldTypes';
import { inField } from '../fields/formValues';
import { parseMonth } from '../fields/period';

/** A 'choice' has one or several of a few values, such as IDs, by which it is compared. An 'exact' field can only be compared by 'Equals'. */
type Kind = 'text' | 'choice' | 'exact' | 'number' | 'date' | 'yesNo' | 'month';

/** The fields that a list is known to be filtered by, by the service's names, each with the row's field that has the same, if any. */
export type Conditions = Record<string, { name: string; kind: Kind; of?: string }>;

/** The platform's operators by the values in saved workflows: n8n would evaluate a text that begins with "=" (n8n-facts 16). */
const OPERATORS = {
	contains: 'Contains',
	eq: '=',
	neq: '!=',
	gt: '>',
	gte: '>=',
	lt: '<',
	lte: '<=',
	in: 'Include',
} as const;
type Operator = keyof typeof OPERATORS;

const OPTIONS: Array<{ name: string; value: Operator; description?: string }> = [
	{ name: 'Contains', value: 'contains' },
	{ name: 'Equals', value: 'eq' },
	{ name: 'Greater Than', value: 'gt' },
	{ name: 'Greater Than or Equal', value: 'gte' },
	{ name: 'Is One Of', value: 'in', description: 'One of several values, separated by commas' },
	{ name: 'Less Than', value: 'lt' },
	{ name: 'Less Than or Equal', value: 'lte' },
	{ name: 'Not Equals', value: 'neq' },
];

const OTHER = 'other';

const fieldName = text({
	displayName: 'Field Name',
	description: "The service's name of the field to compare; each platform decides which it knows",
	placeholder: 'e.g. CompanyName',
	required: true,
});

const value: Field<string> = {
	...text({
		displayName: 'Value',
		description: 'What to compare with; for Is One Of several values, separated by commas',
		placeholder: 'e.g. Bakery, 42 or 2026-01-31',
	}),
	parse: (raw: unknown, { timezone }: ItemContext) =>
		raw instanceof Date || DateTime.isDateTime(raw) ? parseDate(raw, timezone) : parseText(raw, { min: 1 }),
};

/** The operators that fit each kind, the usual one first. A date is sent as a moment, which no row has exactly. */
const FITTING: Record<Kind, readonly [Operator, ...Operator[]]> = {
	text: ['contains', 'eq', 'neq', 'in'],
	choice: ['in', 'eq', 'neq'],
	number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'],
	date: ['lt', 'lte', 'gt', 'gte'],
	yesNo: ['eq', 'neq'],
	month: ['eq'],
	exact: ['eq'],
};
const ANY = ['contains', 'eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in'] as const;

const operatorOf = ([usual, ...others]: readonly [Operator, ...Operator[]]) =>
	choice({
		displayName: 'Operator',
		description: 'How the field and the value are compared',
		default: usual,
		options: OPTIONS.filter(({ value }) => [usual, ...others].includes(value)),
	});

/** The operator, of which n8n shows those that fit the chosen field. */
function operatorField(known: Conditions): Field<Operator> {
	const variant = (operators: readonly [Operator, ...Operator[]], field: string[]) => ({
		...operatorOf(operators).property,
		displayOptions: { show: { field } },
	});
	const kinds = groupBy(Object.keys(known), (name) => known[name]?.kind);
	const fitting = Object.entries(FITTING).flatMap(([kind, operators]) => {
		const names = kinds[kind];
		return names ? [variant(operators, names)] : [];
	});
	return fitting.length > 0 ? { ...operatorOf(ANY), variants: [...fitting, variant(ANY, [OTHER])] } : operatorOf(ANY);
}

/** The fields of a row; of a list that is not known to be filtered by anything, without the choice. */
function rowFieldsOf(known: Conditions) {
	const options = [
		...Object.entries(known).map(([value, { name }]) => ({ name, value })),
		{ name: 'Other Field', value: OTHER, description: 'A field that you enter by its name' },
	].sort((one, other) => one.name.localeCompare(other.name));
	const field: Field<string | undefined> = choice<string>({
		displayName: 'Field',
		description: 'What to compare',
		default: Object.keys(known)[0] ?? OTHER,
		options,
	});
	const own: Field<string | undefined> = options.length > 1 ? showWhen({ field: [OTHER] }, fieldName) : fieldName;
	const rest = { fieldName: own, operator: operatorField(known), value };
	return options.length > 1 ? { field, ...rest } : { ...rest };
}

/** A condition as it is sent (deployment facts, "Requests"). */
export type FilterItem = Record<'FieldName' | 'Operator' | 'Value', string>;

/** A condition as it is sent, and what is needed to compare it again. */
export interface Condition {
	item: FilterItem;
	operator: Operator;
	/** Unless the person entered the field by its name. */
	known: Conditions[string] | undefined;
}

/** The operators for which a day stands for its end: 'Greater Than' begins after the day, 'Less Than or Equal' includes it. */
const END_OF_DAY_OPERATORS: readonly Operator[] = ['gt', 'lte'];

/**
 * Parses the date of a condition. A day without a time is a whole day in the workflow's time zone, so it stands for its beginning or
 * its end, depending on the operator.
 */
const parseConditionDate = (value: string, operator: Operator, timezone: string, wanted?: string): string =>
	(END_OF_DAY_OPERATORS.includes(operator) ? parseEndDate : parseDate)(value, timezone, wanted);

/** Joins the values of 'Is One Of' as the platform takes them: with commas (deployment activity, 10). @throws InvalidInput */
function joinValues(value: string): string {
	const values = parseTexts(value);
	const valueWithComma = values.find((text) => text.includes(','));
	if (valueWithComma !== undefined)
		throw new InvalidInput(
			`must have no comma inside a value, but has ${shown(valueWithComma)}`,
			[],
			"The platform would read it as two values. Add an 'Equals' condition for each value instead, and choose 'Or' in 'Combine Conditions By'.",
		);
	return parseText(values.join(','), { min: 1 });
}

/** The value as it is sent: all are text (deployment facts, "Requests"), dates ISO 8601 in UTC (contract 2). @throws InvalidInput */
function sentValue(value: string, operator: Operator, kind: Kind | undefined, timezone: string): string {
	const isNumber = !Number.isNaN(parseDecimal(value));
	const word = value.trim().toLowerCase();
	if (kind === 'number' && !isNumber) throw new InvalidInput(`must be a number, but is ${shown(value)}`);
	if (kind === 'yesNo' && !['true', 'false'].includes(word))
		throw new InvalidInput(`must be true or false, but is ${shown(value)}`);
	if (kind === 'number' || kind === 'yesNo') return word;
	if (kind === 'date') return parseConditionDate(value, operator, timezone);
	if (kind === 'month') return parseMonth(value);
	if (operator === 'in') return joinValues(value);
	const isCompared = ['gt', 'gte', 'lt', 'lte'].includes(operator);
	return isCompared && !isNumber ? parseConditionDate(value, operator, timezone, 'a number or a date') : value;
}

interface Row {
	field?: string | undefined;
	fieldName: string | undefined;
	operator: Operator;
	value: string;
}

/** @throws InvalidInput for a value that is none of the field's, or an operator that does not fit it */
function conditionOf(row: Row, known: Conditions, { timezone }: ItemContext): Condition {
	const { field = OTHER, fieldName: name = '', operator } = row;
	const chosen = field === OTHER ? known[name.trim()] : known[field];
	// A name that was entered by hand is compared as the list's own field, where the operator fits that.
	const its = field !== OTHER || FITTING[chosen?.kind ?? 'text'].includes(operator) ? chosen : undefined;
	// n8n shows only the operators that fit; a workflow may be written elsewhere.
	if (its && !FITTING[its.kind].includes(operator))
		throw new InvalidInput(
			`must be one of ${listOf(FITTING[its.kind].map(shown))} for '${its.name}', but is ${shown(operator)}`,
			['operator'],
		);
	const FieldName = field === OTHER ? name.trim() : field;
	try {
		const Value = sentValue(row.value, operator, field === OTHER ? undefined : its?.kind, timezone);
		return { item: { FieldName, Operator: OPERATORS[operator], Value }, operator, known: its };
	} catch (error) {
		throw inField('value', error);
	}
}

/** The field for the conditions of a list. @param known the fields that it is known to be filtered by; others are entered by name */
export function conditionsField(known: Conditions, description: string): Field<Condition[]> {
	const typed = rows({
		displayName: 'Conditions',
		description,
		button: 'Add Condition',
		row: 'Condition',
		fields: rowFieldsOf(known),
	});
	return {
		...typed,
		parse: async (raw, item) => (await typed.parse(raw, item)).map((row) => conditionOf(row, known, item)),
	};
}

type Measure = (value: unknown, timezone: string) => string | number;

/** What makes values comparable; NaN for one that is not. Capital letters, accents and spaces make no difference. */
const asWord: Measure = (value) => (isScalar(value) ? normalized(String(value)).replaceAll(' ', '') : NaN);
const asMoment: Measure = (value, timezone) => readLastMoment(value, timezone).toMillis();
const MEASURES: Partial<Record<Kind, Measure>> = { number: numberOf, date: asMoment };
/** Keeps a text unchanged, because 'Not Equals' must not leave out a row whose text is only similar. */
const readExactText: Measure = (value) => (isScalar(value) ? String(value) : NaN);

/** Chooses how the values of a condition are made comparable. */
function chooseMeasure(kind: Kind, operator: Operator): Measure {
	if (operator === 'neq' && (kind === 'text' || kind === 'choice')) return readExactText;
	return MEASURES[kind] ?? asWord;
}

/** Whether what a row has compares so with one of the values. */
const HOLDS: Record<Exclude<Operator, 'neq'>, (own: string | number, wanted: Array<string | number>) => boolean> = {
	contains: (own, wanted) => wanted.some((each) => String(own).includes(String(each))),
	eq: (own, wanted) => wanted.includes(own),
	gt: (own, [wanted]) => gt(own, wanted),
	gte: (own, [wanted]) => gte(own, wanted),
	in: (own, wanted) => wanted.includes(own),
	lt: (own, [wanted]) => lt(own, wanted),
	lte: (own, [wanted]) => lte(own, wanted),
};

/** Whether a row meets a condition; undefined where that cannot be told. A field that is there and empty is equal to nothing. */
function meets({ item, operator, known }: Condition, row: IDataObject, timezone: string): boolean | undefined {
	const own = known?.of === undefined ? undefined : row[known.of];
	if (known === undefined || own === undefined) return undefined;
	if (isEmpty(own)) return operator === 'neq';
	const measure = chooseMeasure(known.kind, operator);
	const owns = [own].flat().map((value) => measure(value, timezone));
	const wanted = (operator === 'in' ? item.Value.split(',') : [item.Value]).map((value) => measure(value, timezone));
	if ([...owns, ...wanted].some(Number.isNaN)) return undefined;
	return operator === 'neq'
		? !owns.some((each) => wanted.includes(each))
		: owns.some((each) => HOLDS[operator](each, wanted));
}

/**
 * Compares the rows of a list again with its conditions, because nothing tells a platform that ignores one (deployment activity, 10).
 * @param isAny whether one match is enough
 * @param timezone the workflow's time zone
 */
export function comparison(conditions: readonly Condition[], isAny: boolean, timezone: string) {
	const ignored = new Set<string>();
	const failedOf = (row: IDataObject) => conditions.filter((each) => meets(each, row, timezone) === false);
	const matches = (row: IDataObject): boolean =>
		failedOf(row).length < (isAny ? conditions.length : 1) ||
		recordsIn(row.children).some((each) => matches(toJson(each)));
	return {
		/** Whether a row matches as far as can be told; a company also by a child company inside of it. */
		matches,
		/** Whether one of the rows that a record became matches; if none does, the platform should have left it out. */
		hasMatch: (rowsOfIt: IDataObject[]) => {
			if (rowsOfIt.some(matches)) return true;
			for (const { known } of rowsOfIt.slice(0, 1).flatMap(failedOf)) if (known) ignored.add(`'${known.name}'`);
			return false;
		},
		/** The hint about what does not match. */
		note: () =>
			ignored.size === 0
				? undefined
				: `The platform ignored ${listOf([...ignored])} in 'Conditions', or compares it in another way: what does not match was left out here.`,
	};
}
