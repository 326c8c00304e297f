import { z } from 'zod';
import { check, int32, invalid, Refusal } from './envelope';
import { isRow, ok, written, type Answer, type Call, type Route, type Row } from './http';
import { exported } from './files';

/** A list that is searched, and perhaps exported, by paging bodies. */
export interface Listing {
	/** Its records as they are shown, in their stable order, before filter and sort. */
	rows: (call: Call, body: Row) => Row[];
	/** The field that tells two records apart, and the one that people read. */
	id: string;
	name: string;
	/** Which paging fields must be sent: all four, pageNumber and pageSize, or none. */
	required: 'all' | 'pages' | 'none';
	/** Whether filter must be there (null is never allowed). */
	filter: 'required' | 'optional';
	/** What the text filter looks at; the name when missing. */
	text?: string[];
	/** Further body fields. */
	fields?: z.ZodRawShape;
	/** Keeps only some, told by further body fields. */
	keep?: (body: Row) => ((row: Row) => boolean) | undefined;
	/** Fields beside the page's own. */
	extra?: (matching: Row[]) => Row;
	access?: Route['access'];
	/** A null or missing filter breaks the service instead of being refused. */
	nullFilterBreaks?: boolean;
	/** Refuses what this deployment does not take, before anything else is looked at. */
	before?: (sent: Row, call: Call) => void;
	/** json-patch+json is refused. */
	refusesPatch?: boolean;
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

const filterBody = z.object({
	condition,
	searchInputTextValue: z.string(),
	filterGroups: z.array(filterGroup).optional(),
});

type Filter = z.output<typeof filterBody>;

function pagingBody(listing: Listing, extra: z.ZodRawShape) {
	const page = int32.min(1);
	const all = listing.required === 'all';
	const pages = all || listing.required === 'pages';
	const base = z
		.object({
			pageNumber: pages ? page : page.nullish(),
			pageSize: pages ? page : page.nullish(),
			orderBy: all ? z.string() : z.string().nullish(),
			ascending: all ? z.boolean() : z.boolean().nullish(),
			filter: listing.filter === 'required' ? filterBody : filterBody.optional(),
		})
		.passthrough();
	const more = z.object({ ...listing.fields, ...extra }).passthrough();
	return z.intersection(
		base,
		more.transform((fields): Row => fields),
	);
}

/** A field's value whatever the case of its name; the names that stand for others included. */
function valueOf(row: Row, field: string, listing: Listing): unknown {
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

function words(value: unknown): string {
	return written(value, '\n').toLowerCase();
}

const order = new Intl.Collator('en', { sensitivity: 'variant' });

function compare(left: unknown, right: unknown): number {
	const a = measure(left);
	const b = measure(right);
	if (a !== undefined && b !== undefined) return a - b;
	return order.compare(words(left), words(right));
}

// The contract names no operators: whatever a client may reasonably call them is understood.
const OPERATORS: Record<string, (value: unknown, wanted: string) => boolean> = {
	equal: (value, wanted) =>
		Array.isArray(value)
			? value.some((entry) => words(entry) === wanted.toLowerCase())
			: words(value) === wanted.toLowerCase() || (measure(value) !== undefined && measure(value) === measure(wanted)),
	contains: (value, wanted) => words(value).includes(wanted.toLowerCase()),
	startswith: (value, wanted) => words(value).startsWith(wanted.toLowerCase()),
	endswith: (value, wanted) => words(value).endsWith(wanted.toLowerCase()),
	greaterthan: (value, wanted) => words(value) !== '' && compare(value, wanted) > 0,
	lessthan: (value, wanted) => words(value) !== '' && compare(value, wanted) < 0,
	in: (value, wanted) => wanted.split(',').some((entry) => words(value) === entry.trim().toLowerCase()),
	isempty: (value) => words(value) === '',
};
const SAME: Record<string, [operator: string, negated: boolean]> = {
	equals: ['equal', false],
	'=': ['equal', false],
	'==': ['equal', false],
	eq: ['equal', false],
	neq: ['equal', true],
	gt: ['greaterthan', false],
	lt: ['lessthan', false],
	is: ['equal', false],
	notequal: ['equal', true],
	notequals: ['equal', true],
	isnot: ['equal', true],
	'!=': ['equal', true],
	'<>': ['equal', true],
	include: ['contains', false],
	like: ['contains', false],
	notcontains: ['contains', true],
	doesnotcontain: ['contains', true],
	notinclude: ['contains', true],
	beginswith: ['startswith', false],
	'>': ['greaterthan', false],
	greater: ['greaterthan', false],
	'<': ['lessthan', false],
	less: ['lessthan', false],
	'>=': ['lessthan', true],
	greaterthanorequal: ['lessthan', true],
	greaterthanorequals: ['lessthan', true],
	greaterorequal: ['lessthan', true],
	'<=': ['greaterthan', true],
	lessthanorequal: ['greaterthan', true],
	lessthanorequals: ['greaterthan', true],
	lessorequal: ['greaterthan', true],
	notin: ['in', true],
	isnotempty: ['isempty', true],
	notempty: ['isempty', true],
};

/** A table's entry, but not what every object has, such as a constructor. */
function own<T>(table: Record<string, T>, name: string): T | undefined {
	return Object.hasOwn(table, name) ? table[name] : undefined;
}

function itemMatches(row: Row, item: FilterItem, listing: Listing): boolean {
	const name = item.operator.toLowerCase().replace(/[\s_-]/g, '');
	const [operator, negated] = own(SAME, name) ?? [name, false];
	const test = own(OPERATORS, operator);
	if (!test) throw invalid(`The filter operator '${item.operator}' is not known.`);
	const value = valueOf(row, item.fieldName, listing);
	if (value === undefined) throw invalid(`The filter field '${item.fieldName}' is not known.`);
	return test(value, item.value) !== negated;
}

function groupMatches(row: Row, group: FilterGroup, listing: Listing): boolean {
	const results = [
		...(group.filterItems ?? []).map((item) => itemMatches(row, item, listing)),
		...(group.filterGroups ?? []).map((inner) => groupMatches(row, inner, listing)),
	];
	return group.condition?.toLowerCase() === 'or' && results.length > 0 ? results.some(Boolean) : results.every(Boolean);
}

function matcher(
	filter: Filter | undefined,
	listing: Listing,
	keep: ((row: Row) => boolean) | undefined,
): (row: Row) => boolean {
	const wanted = filter?.searchInputTextValue.toLowerCase() ?? '';
	const fields = listing.text ?? [listing.name];
	return (row) =>
		(wanted === '' || fields.some((field) => words(row[field]).includes(wanted))) &&
		(!filter || groupMatches(row, filter, listing)) &&
		(!keep || keep(row));
}

function childrenOf(row: Row): Row[] {
	return Array.isArray(row.children) ? row.children.filter(isRow) : [];
}

/** In a tree, a child that matches takes the place of a parent that does not: all that match are there, and only these. */
function prune(rows: Row[], matches: (row: Row) => boolean): Row[] {
	return rows.flatMap((row) => {
		if (!('children' in row)) return matches(row) ? [row] : [];
		const children = prune(childrenOf(row), matches);
		return matches(row) ? [{ ...row, children }] : children;
	});
}

function sorted(rows: Row[], by: string | null | undefined, ascending: boolean, listing: Listing): Row[] {
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

function select(call: Call, listing: Listing, extra: z.ZodRawShape = {}) {
	if (listing.refusesPatch && call.patch)
		throw invalid('The content type application/json-patch+json is not supported by this operation.');
	const sent = isRow(call.json) ? call.json : {};
	listing.before?.(sent, call);
	if (listing.nullFilterBreaks && (sent.filter === null || sent.filter === undefined)) {
		throw new Refusal(500, ['An unexpected error occurred.'], 'INTERNAL_SERVER_ERROR');
	}
	// Where a filter may be left out it may still not be null, and nothing in it may be.
	if (sent.filter === null) throw invalid('The Filter field is required.');
	const body = check(pagingBody(listing, extra), call.json);
	const raw: Row = body;
	const matching = prune(listing.rows(call, raw), matcher(body.filter, listing, listing.keep?.(raw)));
	const rows = call.tamper(sorted(matching, body.orderBy, body.ascending ?? true, listing), listing.id, listing.name);
	const pageSize = Math.min(body.pageSize ?? 10, call.options.maxPageSize);
	return { body: raw, rows, matching, pageNumber: body.pageNumber ?? 1, pageSize };
}

function pageOf(rows: Row[], pageNumber: number, pageSize: number): Row[] {
	return rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
}

/** The search operation of a list. */
export function search(key: string, listing: Listing, paths?: string[]): Route {
	return {
		key,
		...(paths ? { paths } : {}),
		access: listing.access ?? 'any',
		takes: 'json',
		handle(call): Answer {
			const { rows, matching, pageNumber, pageSize } = select(call, listing);
			const pages = Math.ceil(rows.length / pageSize);
			return ok({
				pageNumber,
				pageSize,
				totalNumberOfPages: call.endless ? 1_000_000 : pages,
				totalNumberOfRecords: call.endless ? 1_000_000 * pageSize : rows.length,
				results: pageOf(rows, call.endless && pages > 0 ? ((pageNumber - 1) % pages) + 1 : pageNumber, pageSize),
				...listing.extra?.(matching),
			});
		},
	};
}

/** Records of a tree one after the other, each without what is below it. */
function flat(rows: Row[]): Row[] {
	return rows.flatMap((row) => {
		if (!('children' in row)) return [row];
		const { children: _below, ...own } = row;
		return [own, ...flat(childrenOf(row))];
	});
}

/** Which file an export makes; null means that nothing was said. */
export function exportFormat(value: unknown): 'csv' | 'excel' {
	if (value === undefined || value === null) return 'csv';
	const name = words(value);
	if (name === 'csv' || name === 'excel') return name;
	throw invalid(`The ExportType '${written(value)}' is not valid. Valid values are CSV and Excel.`);
}

/** What a deployment's files are. */
export interface ExportForm {
	excel?: 'excel' | 'xls';
	/** The content type that a CSV comes with. */
	csvType?: string;
}

/** The export operation of a list: the same body, answered by a file. */
export function exportOf(
	key: string,
	listing: Listing,
	fileName: string,
	needsType: boolean,
	{ excel = 'excel', csvType }: ExportForm = {},
): Route {
	const extra: z.ZodRawShape = {
		exportType: needsType ? z.string().min(1) : z.string().nullish(),
		reportAllPages: z.boolean().nullish(),
		isClustered: z.boolean().nullish(),
	};
	return {
		key,
		access: listing.access ?? 'any',
		takes: 'json',
		async handle(call): Promise<Answer> {
			const { body, rows, pageNumber, pageSize } = select(call, listing, extra);
			const records = flat(rows);
			const format = exportFormat(body.exportType);
			return await exported(
				body.reportAllPages === true ? records : pageOf(records, pageNumber, pageSize),
				format === 'csv' ? 'csv' : excel,
				fileName,
				csvType,
			);
		},
	};
}

/** Records that are not behind a paging body of their own, filtered, sorted and paged the same way. */
export function arrange(
	rows: Row[],
	listing: Pick<Listing, 'id' | 'name' | 'text'>,
	filter: unknown,
	page: Row,
	all: boolean,
): Row[] {
	const whole: Listing = { ...listing, rows: () => rows, required: 'none', filter: 'optional' };
	const body = check(pagingBody(whole, {}), {
		...page,
		...(filter === undefined || filter === null ? {} : { filter }),
	});
	const found = sorted(
		rows.filter(matcher(body.filter, whole, undefined)),
		body.orderBy,
		body.ascending ?? true,
		whole,
	);
	return all ? found : pageOf(found, body.pageNumber ?? 1, body.pageSize ?? 10);
}
