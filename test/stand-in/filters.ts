/** Filters and sorts the records of a list as the body of a search describes. */
import { z } from 'zod';
import { createBadRequestError } from './envelope';
import { isJsonObject, formatValue, type JsonObject, type ConditionSupport } from './http';

/** The fields of a list that have a role in searches. */
export interface ListColumns {
	/** The field that holds the ID of a record. */
	idField: string;
	/** The field that holds the name of a record. */
	nameField: string;
	/** The fields that the search text is compared with. The default is the name. */
	textFields?: string[];
	/**
	 * The fields that live deployments filter by number instead of by value, each with its values in lower case. The first
	 * value has the number 1.
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
 * Returns the value of a field. The case of its name is ignored. If the row has no such field, 'name' means the list's
 * name field, 'resourceId' its ID field, and 'renewalDate' the end of the license.
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
	const a = toComparableNumber(left);
	const b = toComparableNumber(right);
	if (a !== undefined && b !== undefined) return a - b;
	return collator.compare(toLowerCaseText(left), toLowerCaseText(right));
}

type ValueTest = (value: unknown, expected: string) => boolean;

const isEqual: ValueTest = (value, expected) =>
	[value].flat().some((entry) => toLowerCaseText(entry) === expected.toLowerCase()) ||
	(toComparableNumber(value) !== undefined && toComparableNumber(value) === toComparableNumber(expected));

const isTextIncluded: ValueTest = (value, expected) => toLowerCaseText(value).includes(expected.toLowerCase());

function createComparison(isMatch: (difference: number) => boolean): ValueTest {
	return (value, expected) => toLowerCaseText(value) !== '' && isMatch(compareValues(value, expected));
}

/**
 * The operators of the contract's platform. The contract does not list them; another document does (deployment activity
 * 10).
 */
const OLD_OPERATORS = new Map<string, ValueTest>([
	['eq', isEqual],
	['neq', (value, expected) => !isEqual(value, expected)],
	['contains', isTextIncluded],
	['gt', createComparison((difference) => difference > 0)],
	['lt', createComparison((difference) => difference < 0)],
]);

/** The operators of live deployments (deployment activity 10). */
const DEPLOYED_OPERATORS = new Map<string, ValueTest>([
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
 * Creates the test for one condition of a filter.
 * @returns undefined if the condition is ignored
 * @throws HttpError 400 for an unknown operator; the test itself throws it for an unknown field
 */
function createRowTest(
	item: FilterItem,
	columns: ListColumns,
	support: ConditionSupport,
): ((row: JsonObject) => boolean) | undefined {
	const { fieldName, operator, value } = item;
	if (support === 'ignored') return undefined;
	if (support === 'refused') throw createBadRequestError(`The filter operator '${operator}' is not known.`);
	const test = support === 'older' ? OLD_OPERATORS.get(operator.toLowerCase()) : DEPLOYED_OPERATORS.get(operator);
	if (!test && support === 'older') throw createBadRequestError(`The filter operator '${operator}' is not known.`);
	return (row) => {
		const numberedValues = support === 'older' ? undefined : columns.numberedFields?.[fieldName];
		const fieldValue = getFieldValue(row, fieldName, columns);
		if (fieldValue === undefined && support === 'older')
			throw createBadRequestError(`The filter field '${fieldName}' is not known.`);
		if (!test || fieldValue === undefined) return true;
		return test(numberedValues ? numberedValues.indexOf(toLowerCaseText(fieldValue)) + 1 : fieldValue, value);
	};
}

function isGroupMatch(row: JsonObject, group: FilterGroup, columns: ListColumns, support: ConditionSupport): boolean {
	const tests = (group.filterItems ?? [])
		.map((item) => createRowTest(item, columns, support))
		.filter((test) => test !== undefined);
	const results = [
		...tests.map((test) => test(row)),
		...(group.filterGroups ?? []).map((innerGroup) => isGroupMatch(row, innerGroup, columns, support)),
	];
	return group.condition?.toLowerCase() === 'or' && results.length > 0 ? results.some(Boolean) : results.every(Boolean);
}

/**
 * Creates the test for a whole filter.
 * @param isKept a further test that rows must pass
 */
export function createMatcher(
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

/** Returns the child rows of a row in a tree. */
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
	if (!field || !rows.some((row) => getFieldValue(row, field, columns) !== undefined)) return rows;
	const sign = isAscending ? 1 : -1;
	return [...rows].sort((a, b) => {
		const left = getFieldValue(a, field, columns);
		const right = getFieldValue(b, field, columns);
		const isLeftEmpty = left === null || left === undefined;
		const isRightEmpty = right === null || right === undefined;
		if (isLeftEmpty || isRightEmpty) return Number(isLeftEmpty) - Number(isRightEmpty);
		return sign * compareValues(left, right);
	});
}
