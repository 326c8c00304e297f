/** Filters and sorts the records of a list as the body of a search requests. */
import { z } from 'zod';
import { createBadRequestError } from './envelope';
import { isJsonObject, formatValue, type JsonObject, type ConditionSupport } from './http';

/** The fields of a list that have a special role in searches. */
export interface ListColumns {
	/** The field that holds the ID of a record. */
	idField: string;
	/** The field that holds the name of a record. */
	nameField: string;
	/** The fields that the search text is compared with. The default is the name. */
	textFields?: string[];
	/**
	 * The fields that live deployments filter by the number of a value instead of the value itself, each with its values
	 * in lower case. The first value has the number 1.
	 */
	numberedFields?: Record<string, string[]>;
}

const filterItemSchema = z.object({ fieldName: z.string(), operator: z.string(), value: z.string() });
type FilterItem = z.output<typeof filterItemSchema>;

interface FilterGroup {
	condition?: string | undefined;
	filterItems?: FilterItem[] | undefined;
	filterGroups?: FilterGroup[] | undefined;
}

const conditionSchema = z.string().superRefine((value, context) => {
	if (!/^(and|or)$/i.test(value))
		context.addIssue({ code: 'custom', message: "The Condition field must be 'AND' or 'OR'." });
});

const filterGroupSchema: z.ZodType<FilterGroup> = z.lazy(() =>
	z.object({
		condition: conditionSchema.optional(),
		filterItems: z.array(filterItemSchema).optional(),
		filterGroups: z.array(filterGroupSchema).optional(),
	}),
);

/** The schema of the filter in a search body (contract 2.2). */
export const filterSchema = z.object({
	condition: conditionSchema,
	searchInputTextValue: z.string(),
	filterGroups: z.array(filterGroupSchema).optional(),
});

type Filter = z.output<typeof filterSchema>;

/**
 * Returns the value of a row's field, ignoring the case of the field name. If the row has no such field, 'name' means
 * the list's name field, 'resourceId' its ID field, and 'renewalDate' the end of the license.
 */
function getFieldValue(row: JsonObject, field: string, columns: ListColumns): unknown {
	const name = field.toLowerCase();
	const key = Object.keys(row).find((candidate) => candidate.toLowerCase() === name);
	if (key !== undefined) return row[key];
	if (name === 'name') return row[columns.nameField];
	if (name === 'resourceid') return row[columns.idField];
	if (name === 'renewaldate') return row.licenseEndDate;
	return undefined;
}

/**
 * Converts a number, a boolean, a date or the text of a number to a number, so that "9" is less than "10".
 * @returns undefined for any other value
 */
function toComparableNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value === 'boolean') return Number(value);
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const number = Number(value);
	if (!Number.isNaN(number)) return number;
	return /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : undefined;
}

/** Converts a value to a lower-case text. The entries of a list are joined by line breaks. */
export function toLowerCaseText(value: unknown): string {
	return formatValue(value, '\n').toLowerCase();
}

const collator = new Intl.Collator('en', { sensitivity: 'variant' });

function compareValues(left: unknown, right: unknown): number {
	const leftNumber = toComparableNumber(left);
	const rightNumber = toComparableNumber(right);
	if (leftNumber !== undefined && rightNumber !== undefined) return leftNumber - rightNumber;
	return collator.compare(toLowerCaseText(left), toLowerCaseText(right));
}

type ValuePredicate = (value: unknown, expected: string) => boolean;

const isEqual: ValuePredicate = (value, expected) =>
	[value].flat().some((entry) => toLowerCaseText(entry) === expected.toLowerCase()) ||
	(toComparableNumber(value) !== undefined && toComparableNumber(value) === toComparableNumber(expected));

const isTextIncluded: ValuePredicate = (value, expected) => toLowerCaseText(value).includes(expected.toLowerCase());

function createComparison(isMatch: (difference: number) => boolean): ValuePredicate {
	return (value, expected) => toLowerCaseText(value) !== '' && isMatch(compareValues(value, expected));
}

/**
 * The operators of the contract's platform. The contract itself does not list them. They are in a document about live
 * deployments (deployment activity 10).
 */
const CONTRACT_OPERATORS = new Map<string, ValuePredicate>([
	['eq', isEqual],
	['neq', (value, expected) => !isEqual(value, expected)],
	['contains', isTextIncluded],
	['gt', createComparison((difference) => difference > 0)],
	['lt', createComparison((difference) => difference < 0)],
]);

/** The operators of live deployments (deployment activity 10). */
const DEPLOYED_OPERATORS = new Map<string, ValuePredicate>([
	['=', isEqual],
	['!=', (value, expected) => !isEqual(value, expected)],
	['Contains', isTextIncluded],
	['>', createComparison((difference) => difference > 0)],
	['>=', createComparison((difference) => difference >= 0)],
	['<', createComparison((difference) => difference < 0)],
	['<=', createComparison((difference) => difference <= 0)],
	['Include', (value, expected) => expected.split(',').some((entry) => isEqual(value, entry))],
]);

/**
 * Creates a predicate for one condition of a filter.
 * @returns undefined if the platform ignores the condition
 * @throws HttpError 400 for an unknown operator; the predicate itself throws it for an unknown field
 */
function createConditionPredicate(
	item: FilterItem,
	columns: ListColumns,
	support: ConditionSupport,
): ((row: JsonObject) => boolean) | undefined {
	const { fieldName, operator, value } = item;
	if (support === 'ignored') return undefined;
	if (support === 'refused') throw createBadRequestError(`The filter operator '${operator}' is not known.`);
	const isExpectedValue =
		support === 'older' ? CONTRACT_OPERATORS.get(operator.toLowerCase()) : DEPLOYED_OPERATORS.get(operator);
	if (!isExpectedValue && support === 'older')
		throw createBadRequestError(`The filter operator '${operator}' is not known.`);
	return (row) => {
		const numberedValues = support === 'older' ? undefined : columns.numberedFields?.[fieldName];
		const fieldValue = getFieldValue(row, fieldName, columns);
		if (fieldValue === undefined && support === 'older')
			throw createBadRequestError(`The filter field '${fieldName}' is not known.`);
		if (!isExpectedValue || fieldValue === undefined) return true;
		return isExpectedValue(
			numberedValues ? numberedValues.indexOf(toLowerCaseText(fieldValue)) + 1 : fieldValue,
			value,
		);
	};
}

function isGroupMatch(row: JsonObject, group: FilterGroup, columns: ListColumns, support: ConditionSupport): boolean {
	const predicates = (group.filterItems ?? [])
		.map((item) => createConditionPredicate(item, columns, support))
		.filter((isExpectedValue) => isExpectedValue !== undefined);
	const results = [
		...predicates.map((isExpectedValue) => isExpectedValue(row)),
		...(group.filterGroups ?? []).map((innerGroup) => isGroupMatch(row, innerGroup, columns, support)),
	];
	return group.condition?.toLowerCase() === 'or' && results.length > 0 ? results.some(Boolean) : results.every(Boolean);
}

/**
 * Creates a predicate for a whole filter.
 * @param isKept a further predicate that rows must satisfy
 */
export function createFilterPredicate(
	filter: Filter | undefined,
	columns: ListColumns,
	support: ConditionSupport,
	isKept?: (row: JsonObject) => boolean,
): (row: JsonObject) => boolean {
	const searchText = filter?.searchInputTextValue.toLowerCase() ?? '';
	const fields = columns.textFields ?? [columns.nameField];
	return (row) =>
		(searchText === '' || fields.some((field) => toLowerCaseText(row[field]).includes(searchText))) &&
		(!filter || isGroupMatch(row, filter, columns, support)) &&
		(!isKept || isKept(row));
}

/** Returns the child rows of a row in a tree; an empty list if it has none. */
export function getChildRows(row: JsonObject): JsonObject[] {
	return Array.isArray(row.children) ? row.children.filter(isJsonObject) : [];
}

/**
 * Keeps the rows that match. In a tree, matching children replace a parent that does not match, so that exactly the
 * matching rows are returned.
 */
export function keepMatchingRows(rows: JsonObject[], isMatch: (row: JsonObject) => boolean): JsonObject[] {
	return rows.flatMap((row) => {
		if (!('children' in row)) return isMatch(row) ? [row] : [];
		const children = keepMatchingRows(getChildRows(row), isMatch);
		return isMatch(row) ? [{ ...row, children }] : children;
	});
}

/** Sorts rows by a field; rows without a value come last. The order is unchanged if no row has the field. */
export function sortRows(
	rows: JsonObject[],
	field: string | null | undefined,
	isAscending: boolean,
	columns: ListColumns,
): JsonObject[] {
	if (!field) return rows;
	// Each value is converted once, because a comparison happens many times.
	const entries = rows.map((row) => {
		const value = getFieldValue(row, field, columns);
		const isEmpty = value === null || value === undefined;
		return { row, value, isEmpty, number: toComparableNumber(value), text: toLowerCaseText(value) };
	});
	if (entries.every(({ value }) => value === undefined)) return rows;
	const direction = isAscending ? 1 : -1;
	entries.sort((left, right) => {
		if (left.isEmpty || right.isEmpty) return Number(left.isEmpty) - Number(right.isEmpty);
		if (left.number !== undefined && right.number !== undefined) return direction * (left.number - right.number);
		return direction * collator.compare(left.text, right.text);
	});
	return entries.map(({ row }) => row);
}
