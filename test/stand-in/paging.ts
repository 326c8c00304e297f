import once from 'lodash/once';
import { z } from 'zod';
import { check, int32, invalid, Refusal } from './envelope';
import { isRow, ok, written, type Answer, type Call, type Route, type Row } from './http';
import { exported } from './files';
import { childrenOf, filterBody, matcher, prune, sorted, words, type Columns } from './filters';

/** A list that is searched, and perhaps exported, by paging bodies. */
export interface Listing extends Columns {
	/** Its records as they are shown, in their stable order, before filter and sort. */
	rows: (call: Call, body: Row) => Row[];
	/** Which paging fields must be sent: all four, pageNumber and pageSize, or none. */
	required: 'all' | 'pages' | 'none';
	/** Whether filter must be there (null is never allowed). */
	filter: 'required' | 'optional';
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

/** What a body must be like, worked out when first needed, and once. */
const bodyWanted = (listing: Listing, extra: z.ZodRawShape = {}) => once(() => pagingBody(listing, extra));

function pagingBody(listing: Pick<Listing, 'required' | 'filter' | 'fields'>, extra: z.ZodRawShape) {
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

function select(call: Call, listing: Listing, wanted: () => ReturnType<typeof pagingBody>) {
	if (listing.refusesPatch && call.patch)
		throw invalid('The content type application/json-patch+json is not supported by this operation.');
	const sent = isRow(call.json) ? call.json : {};
	listing.before?.(sent, call);
	if (listing.nullFilterBreaks && (sent.filter === null || sent.filter === undefined)) {
		throw new Refusal(500, ['An unexpected error occurred.'], 'INTERNAL_SERVER_ERROR');
	}
	// Even where a filter is optional, neither it nor any part of it may be null.
	if (sent.filter === null) throw invalid('The Filter field is required.');
	const body = check(wanted(), call.json);
	const raw: Row = body;
	const matching = prune(listing.rows(call, raw), matcher(body.filter, listing, listing.keep?.(raw)));
	const rows = sorted(matching, body.orderBy, body.ascending ?? true, listing);
	const pageSize = Math.min(body.pageSize ?? 10, call.options.maxPageSize);
	return { body: raw, rows, matching, pageNumber: body.pageNumber ?? 1, pageSize };
}

function pageOf(rows: Row[], pageNumber: number, pageSize: number): Row[] {
	return rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
}

/** The search operation of a list. */
export function search(key: string, listing: Listing, paths?: string[]): Route {
	const wanted = bodyWanted(listing);
	return {
		key,
		...(paths ? { paths } : {}),
		access: listing.access ?? 'any',
		takes: 'json',
		handle(call): Answer {
			const { rows, matching, pageNumber, pageSize } = select(call, listing, wanted);
			return ok({
				pageNumber,
				pageSize,
				totalNumberOfPages: Math.ceil(rows.length / pageSize),
				totalNumberOfRecords: rows.length,
				results: pageOf(rows, pageNumber, pageSize),
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
	const wanted = bodyWanted(listing, extra);
	return {
		key,
		access: listing.access ?? 'any',
		takes: 'json',
		async handle(call): Promise<Answer> {
			const { body, rows, pageNumber, pageSize } = select(call, listing, wanted);
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

/** One that need not say anything. */
const bodyOfAny = once(() => pagingBody({ required: 'none', filter: 'optional' }, {}));

/** Records that are not behind a paging body of their own, filtered, sorted and paged the same way. */
export function arrange(rows: Row[], listing: Columns, filter: unknown, page: Row, all: boolean): Row[] {
	const whole: Listing = { ...listing, rows: () => rows, required: 'none', filter: 'optional' };
	const body = check(bodyOfAny(), {
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
