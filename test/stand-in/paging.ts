import memoize from 'lodash/memoize';
import upperFirst from 'lodash/upperFirst';
import { z } from 'zod';
import { check, int32, invalid, Refusal } from './envelope';
import { exported } from './files';
import { childrenOf, filterBody, matcher, prune, sorted, words, type Columns } from './filters';
import { isRow, ok, written, type Answer, type Call, type Route, type Row } from './http';
import { completed, rowShape } from './shapes';

/** A list that is searched, and perhaps exported, by paging bodies. */
export interface Listing extends Columns {
	/** Its records as they are shown, in their stable order, before filter and sort. */
	rows: (call: Call, body: Row) => Row[];
	/** Which paging fields the contract requires: all four, pageNumber and pageSize, or none. */
	required?: 'all' | 'pages' | 'none';
	/** Whether the contract requires a filter (null is never allowed). */
	filter?: 'required' | 'optional';
	/** Further body fields. */
	fields?: z.ZodRawShape;
	/** Keeps only some, told by further body fields. */
	keep?: (body: Row, call: Call) => ((row: Row) => boolean) | undefined;
	/** Fields beside the page's own. @param all the list's rows, before filter and sort */
	extra?: (matching: Row[], all: Row[]) => Row;
	access?: Route['access'];
	/** A null or missing filter breaks the service instead of being refused, and json-patch+json is refused (contract 7). */
	isFragile?: boolean;
	/** Refuses what is not taken, before anything else is looked at. */
	before?: (sent: Row, call: Call) => void;
	/** What a live deployment sorts it by besides the fields of its rows. */
	sorts?: readonly string[];
	/** Whether a live deployment refuses a filter without one group for AND and one for OR (deployment behaviour). */
	needsGroups?: boolean;
}

/** The names that a live deployment sorts a list by: those of its rows' fields; any other is refused (deployment behaviour). */
const sortsOf = memoize((key: string): string[] => {
	const shape = rowShape(key);
	const fields = shape?.kind === 'object' ? [...shape.fields] : [];
	return fields.filter(([, { kind }]) => !['list', 'object', 'map'].includes(kind)).map(([name]) => upperFirst(name));
});

function pagingBody({ required = 'none', filter = 'optional', fields }: Omit<Listing, keyof Columns | 'rows'>) {
	const page = int32.min(1);
	const all = required === 'all';
	const pages = all || required === 'pages';
	const base = z
		.object({
			pageNumber: pages ? page : page.nullish(),
			pageSize: pages ? page : page.nullish(),
			orderBy: all ? z.string() : z.string().nullish(),
			ascending: all ? z.boolean() : z.boolean().nullish(),
			filter: filter === 'required' ? filterBody : filterBody.optional(),
		})
		.passthrough();
	const more = z.object({ ...fields }).passthrough();
	return z.intersection(
		base,
		more.transform((parsed): Row => parsed),
	);
}
const bodyOf = memoize(pagingBody);
const hasTwoGroups = (filter: Row): boolean => Array.isArray(filter.filterGroups) && filter.filterGroups.length > 1;

/** Refuses what a live deployment does not take in any search (deployment behaviour, "Search bodies"). */
function strictly(key: string, { sorts = [], needsGroups }: Listing, sent: Row, { options }: Call): void {
	if (Object.keys(sent).length === 0) throw invalid('A non-empty request body is required.');
	const { orderBy } = sent;
	const isKnown =
		typeof orderBy === 'string' &&
		[...sorts, ...sortsOf(key)].some((name) => name.toLowerCase() === orderBy.toLowerCase());
	if ('orderBy' in sent && !isKnown) throw invalid(`The OrderBy field is not valid: ${written(orderBy)}.`);
	// The documents describe filters with groups and without them, so a strict service accepts both.
	const areGroupsNeeded = needsGroups === true && options.undescribed === 'ignored';
	if (areGroupsNeeded && isRow(sent.filter) && !hasTwoGroups(sent.filter))
		throw invalid('The Filter.FilterGroups field is required.');
}

const understandingOf = ({ isDeployed, options }: Call) => (isDeployed ? options.conditions : 'older');

function select(key: string, call: Call, listing: Listing) {
	const sent = isRow(call.json) ? call.json : {};
	listing.before?.(sent, call);
	if (call.isDeployed) strictly(key, listing, sent, call);
	if (listing.isFragile) {
		refusePatch(call);
		if (sent.filter === null || sent.filter === undefined)
			throw new Refusal(500, ['An unexpected error occurred.'], 'INTERNAL_SERVER_ERROR');
	}
	// Even where a filter is optional, neither it nor any part of it may be null.
	if (sent.filter === null) throw invalid('The Filter field is required.');
	const body = check(bodyOf(listing), call.json);
	const raw: Row = body;
	const shape = call.isDeployed ? rowShape(key) : undefined;
	const all = listing.rows(call, raw).map((row) => (shape ? { ...row, ...asRow(completed(row, shape)) } : row));
	const matching = prune(all, matcher(body.filter, listing, understandingOf(call), listing.keep?.(raw, call)));
	const rows = sorted(matching, body.orderBy, body.ascending ?? true, listing);
	const pageSize = Math.min(body.pageSize ?? 10, call.options.maxPageSize);
	return { body: raw, all, rows, matching, pageNumber: body.pageNumber ?? 1, pageSize };
}

const asRow = (value: unknown): Row => (isRow(value) ? value : {});

/** Refuses json-patch. */
export function refusePatch(call: Call): void {
	if (call.patch) throw invalid('The content type application/json-patch+json is not supported by this operation.');
}

function pageOf(rows: Row[], pageNumber: number, pageSize: number): Row[] {
	return rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
}

/** The search operation of a list. */
export function search(key: string, listing: Listing): Route {
	return {
		key,
		access: listing.access ?? 'any',
		takes: 'json',
		sorts: [...(listing.sorts ?? []), ...sortsOf(key)],
		handle(call): Answer {
			const { all, rows, matching, pageNumber, pageSize } = select(key, call, listing);
			return ok({
				pageNumber,
				pageSize,
				totalNumberOfPages: Math.ceil(rows.length / pageSize),
				totalNumberOfRecords: rows.length,
				results: pageOf(rows, pageNumber, pageSize),
				...listing.extra?.(matching, all),
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

/** Which file an export makes; null means that nothing was said. Live deployments make a PDF as well (deployment activity, 6). */
export function exportFormat(value: unknown, { isDeployed }: Call): 'csv' | 'excel' | 'pdf' {
	if (value === undefined || value === null) return 'csv';
	const name = words(value);
	if (name === 'csv' || name === 'excel' || (name === 'pdf' && isDeployed)) return name;
	throw invalid(`The ExportType '${written(value)}' is not valid. Valid values are CSV and Excel.`);
}

/** What a deployment's files are. */
export interface ExportForm {
	excel?: 'excel' | 'xls';
	/** The content type that a CSV comes with. */
	csvType?: string;
}

/** The export operation of a list: the same body, answered by a file of one page, unless all are asked for. */
export function exportOf(
	key: string,
	listing: Listing,
	fileName: string,
	needsType: boolean,
	{ excel = 'excel', csvType }: ExportForm = {},
): Route {
	const fields: z.ZodRawShape = {
		...listing.fields,
		exportType: needsType ? z.string().min(1) : z.string().nullish(),
		reportAllPages: z.boolean().nullish(),
		isClustered: z.boolean().nullish(),
	};
	const wanted: Listing = { ...listing, fields };
	return {
		key,
		access: listing.access ?? 'any',
		takes: 'json',
		async handle(call): Promise<Answer> {
			const { body, rows, pageNumber, pageSize } = select(key, call, wanted);
			const records = flat(rows);
			const page = body.reportAllPages === true ? records : pageOf(records, pageNumber, pageSize);
			const format = exportFormat(body.exportType, call);
			return await exported(page, format === 'excel' ? excel : format, fileName, csvType);
		},
	};
}

const ANY = {};

/** Records that are not behind a paging body of their own, filtered, sorted and paged the same way. */
export function arrange(
	call: Call,
	rows: Row[],
	listing: Columns,
	{ filter, page, all }: { filter: unknown; page: Row; all: boolean },
): Row[] {
	const body = check(bodyOf(ANY), { ...page, ...(filter === undefined || filter === null ? {} : { filter }) });
	const kept = rows.filter(matcher(body.filter, listing, understandingOf(call)));
	const found = sorted(kept, body.orderBy, body.ascending ?? true, listing);
	return all ? found : pageOf(found, body.pageNumber ?? 1, body.pageSize ?? 10);
}
