/** How the records of a list are filtered and sorted, as the bodies of searches ask for it. */
import { z } from 'zod';
import { invalid } from './envelope';
import { isRow, written, type Row, type Understanding } from './http';

/** What is known of a list by name. */
export interface Columns {
	/** The field that tells two records apart, and the one that people read. */
	id: string;
	name: string;
	/** What the text filter looks at; the name when missing. */
	text?: string[];
	/** The fields whose values live deployments filter by their number, from 1, with these values in small letters. */
	numbered?: Record<string, string[]>;
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

type Test = (value: unknown, wanted: string) => boolean;

const equals: Test = (value, wanted) =>
	[value].flat().some((entry) => words(entry) === wanted.toLowerCase()) ||
	(measure(value) !== undefined && measure(value) === measure(wanted));
const comparing =
	(holds: (difference: number) => boolean): Test =>
	(value, wanted) =>
		words(value) !== '' && holds(compare(value, wanted));

/** The contract does not list the operators; these were once named (deployment activity, 10: [O]). */
const OLDER = new Map<string, Test>([
	['eq', equals],
	['neq', (value, wanted) => !equals(value, wanted)],
	['contains', (value, wanted) => words(value).includes(wanted.toLowerCase())],
	['gt', comparing((difference) => difference > 0)],
	['lt', comparing((difference) => difference < 0)],
]);

/** Those that live deployments take (deployment activity, 10). */
const LIVE = new Map<string, Test>([
	['=', equals],
	['!=', (value, wanted) => !equals(value, wanted)],
	['Contains', (value, wanted) => words(value).includes(wanted.toLowerCase())],
	['>', comparing((difference) => difference > 0)],
	['>=', comparing((difference) => difference >= 0)],
	['<', comparing((difference) => difference < 0)],
	['<=', comparing((difference) => difference <= 0)],
	['Include', (value, wanted) => wanted.split(',').some((each) => equals(value, each))],
]);

/** What a condition asks of a row; nothing for one that is left out. */
function testOf(item: FilterItem, listing: Columns, how: Understanding): ((row: Row) => boolean) | undefined {
	const { fieldName, operator, value } = item;
	if (how === 'ignored') return undefined;
	if (how === 'refused') throw invalid(`The filter operator '${operator}' is not known.`);
	const test = how === 'older' ? OLDER.get(operator.toLowerCase()) : LIVE.get(operator);
	if (!test && how === 'older') throw invalid(`The filter operator '${operator}' is not known.`);
	return (row) => {
		const numbered = how === 'older' ? undefined : listing.numbered?.[fieldName];
		const own = valueOf(row, fieldName, listing);
		if (own === undefined && how === 'older') throw invalid(`The filter field '${fieldName}' is not known.`);
		return !test || own === undefined || test(numbered ? numbered.indexOf(words(own)) + 1 : own, value);
	};
}

function groupMatches(row: Row, group: FilterGroup, listing: Columns, how: Understanding): boolean {
	const tests = (group.filterItems ?? [])
		.map((item) => testOf(item, listing, how))
		.filter((test) => test !== undefined);
	const results = [
		...tests.map((test) => test(row)),
		...(group.filterGroups ?? []).map((inner) => groupMatches(row, inner, listing, how)),
	];
	return group.condition?.toLowerCase() === 'or' && results.length > 0 ? results.some(Boolean) : results.every(Boolean);
}

export function matcher(
	filter: Filter | undefined,
	listing: Columns,
	how: Understanding,
	keep?: (row: Row) => boolean,
): (row: Row) => boolean {
	const wanted = filter?.searchInputTextValue.toLowerCase() ?? '';
	const fields = listing.text ?? [listing.name];
	return (row) =>
		(wanted === '' || fields.some((field) => words(row[field]).includes(wanted))) &&
		(!filter || groupMatches(row, filter, listing, how)) &&
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
