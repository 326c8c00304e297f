/** How the records of a list are filtered and sorted, as the bodies of searches ask for it. */
import { z } from 'zod';
import { invalid } from './envelope';
import { isRow, written, type Row } from './http';

/** What is known of a list by name. */
export interface Columns {
	/** The field that tells two records apart, and the one that people read. */
	id: string;
	name: string;
	/** What the text filter looks at; the name when missing. */
	text?: string[];
}

const filterItem = z.object({ fieldName: z.string(), operator: z.string(), value: z.string() });
type FilterItem = z.output<typeof filterItem>;

interface FilterGroup {
	condition?: string | undefined;
	filterItems?: FilterItem[] | undefined;
	filterGroups?: FilterGroup[] | undefined;
}

const condition = z.string().superRefine((value, context) => {
	if (!/^(and|or)$/i.test(value))
		context.addIssue({ code: 'custom', message: "The Condition field must be 'AND' or 'OR'." });
});

const filterGroup: z.ZodType<FilterGroup> = z.lazy(() =>
	z.object({
		condition: condition.optional(),
		filterItems: z.array(filterItem).optional(),
		filterGroups: z.array(filterGroup).optional(),
	}),
);

export const filterBody = z.object({
	condition,
	searchInputTextValue: z.string(),
	filterGroups: z.array(filterGroup).optional(),
});

type Filter = z.output<typeof filterBody>;

/** A field's value whatever the case of its name; the names that stand for others included. */
function valueOf(row: Row, field: string, listing: Columns): unknown {
	const wanted = field.toLowerCase();
	const key = Object.keys(row).find((name) => name.toLowerCase() === wanted);
	if (key !== undefined) return row[key];
	if (wanted === 'name') return row[listing.name];
	if (wanted === 'resourceid') return row[listing.id];
	if (wanted === 'renewaldate') return row.licenseEndDate;
	return undefined;
}

/** A number for what can be counted or dated, so that texts like "9" and "10" compare as people expect. */
function measure(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value === 'boolean') return Number(value);
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const number = Number(value);
	if (!Number.isNaN(number)) return number;
	return /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : undefined;
}

export function words(value: unknown): string {
	return written(value, '\n').toLowerCase();
}

const order = new Intl.Collator('en', { sensitivity: 'variant' });

function compare(left: unknown, right: unknown): number {
	const a = measure(left);
	const b = measure(right);
	if (a !== undefined && b !== undefined) return a - b;
	return order.compare(words(left), words(right));
}

/** The contract does not list the operators; these were once named (deployment behaviour). */
const OPERATORS: Record<string, (value: unknown, wanted: string) => boolean> = {
	eq: (value, wanted) =>
		[value].flat().some((entry) => words(entry) === wanted.toLowerCase()) ||
		(measure(value) !== undefined && measure(value) === measure(wanted)),
	neq: (value, wanted) => !OPERATORS.eq?.(value, wanted),
	contains: (value, wanted) => words(value).includes(wanted.toLowerCase()),
	gt: (value, wanted) => words(value) !== '' && compare(value, wanted) > 0,
	lt: (value, wanted) => words(value) !== '' && compare(value, wanted) < 0,
};

function itemMatches(row: Row, item: FilterItem, listing: Columns): boolean {
	const name = item.operator.toLowerCase();
	const test = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
	if (!test) throw invalid(`The filter operator '${item.operator}' is not known.`);
	const value = valueOf(row, item.fieldName, listing);
	if (value === undefined) throw invalid(`The filter field '${item.fieldName}' is not known.`);
	return test(value, item.value);
}

function groupMatches(row: Row, group: FilterGroup, listing: Columns): boolean {
	const results = [
		...(group.filterItems ?? []).map((item) => itemMatches(row, item, listing)),
		...(group.filterGroups ?? []).map((inner) => groupMatches(row, inner, listing)),
	];
	return group.condition?.toLowerCase() === 'or' && results.length > 0 ? results.some(Boolean) : results.every(Boolean);
}

export function matcher(
	filter: Filter | undefined,
	listing: Columns,
	keep: ((row: Row) => boolean) | undefined,
): (row: Row) => boolean {
	const wanted = filter?.searchInputTextValue.toLowerCase() ?? '';
	const fields = listing.text ?? [listing.name];
	return (row) =>
		(wanted === '' || fields.some((field) => words(row[field]).includes(wanted))) &&
		(!filter || groupMatches(row, filter, listing)) &&
		(!keep || keep(row));
}

export function childrenOf(row: Row): Row[] {
	return Array.isArray(row.children) ? row.children.filter(isRow) : [];
}

/**
 * In a tree, a child that matches is listed instead of a parent that does not, so that exactly the matching records are
 * returned.
 */
export function prune(rows: Row[], matches: (row: Row) => boolean): Row[] {
	return rows.flatMap((row) => {
		if (!('children' in row)) return matches(row) ? [row] : [];
		const children = prune(childrenOf(row), matches);
		return matches(row) ? [{ ...row, children }] : children;
	});
}

export function sorted(rows: Row[], by: string | null | undefined, ascending: boolean, listing: Columns): Row[] {
	if (!by || !rows.some((row) => valueOf(row, by, listing) !== undefined)) return rows;
	const sign = ascending ? 1 : -1;
	return [...rows].sort((a, b) => {
		const left = valueOf(a, by, listing);
		const right = valueOf(b, by, listing);
		const noLeft = left === null || left === undefined;
		const noRight = right === null || right === undefined;
		return noLeft || noRight ? Number(noLeft) - Number(noRight) : sign * compare(left, right);
	});
}
