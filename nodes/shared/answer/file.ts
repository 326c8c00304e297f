import type { IDataObject } from 'n8n-workflow';

import { choice } from '../form/choice';
import { wholeNumber } from '../form/number';
import { text } from '../form/text';
import { toggle } from '../form/toggle';
import { savedOnly, showWhen } from '../form/field';
import { filters, isSortChosen, searchBody, sort, type Sortable } from '../form/search';
import { toJson } from '../transport/envelope';
import { firstAccepted } from '../transport/firstAccepted';
import type { ContractKey, ServiceRequest } from '../transport/request';
import type { HttpResponse } from '../transport/service';
import type { Answer, Produced, Session } from './answer';
import { fileNameOf, headerOf } from './fileName';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type PageRequest } from './paging';
import { askSearch, type Order, type Rules } from './search';
import { countOf } from './count';

/** The formats of an export, the service's word and the file's ending and type. */
const FORMATS = {
	csv: { extension: 'csv', mimeType: 'text/csv' },
	excel: {
		extension: 'xlsx',
		mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	},
} as const;

const exportFields = {
	format: choice({
		displayName: 'Format',
		description: 'What kind of file to export',
		default: 'csv',
		options: [
			{ name: 'CSV', value: 'csv' },
			{ name: 'Excel', value: 'excel' },
		],
	}),
	allPages: toggle({
		displayName: 'All Pages',
		default: true,
		description: 'Whether to export everything rather than one page',
	}),
	pageNumber: showWhen(
		{ allPages: [false] },
		wholeNumber({
			displayName: 'Page',
			default: 1,
			min: 1,
			description: 'Which page to export, counted from 1',
		}),
	),
	pageSize: showWhen(
		{ allPages: [false] },
		wholeNumber({
			displayName: 'Page Size',
			default: DEFAULT_PAGE_SIZE,
			min: 1,
			max: MAX_PAGE_SIZE,
			description: 'How many records a page has',
		}),
	),
	binaryPropertyName: text({
		displayName: 'Put Output File in Field',
		default: 'data',
		required: true,
		hint: 'The name of the output binary field to put the file in',
	}),
};

interface FileSpec {
	/** The beginning of a file's name where the service gives none: "leaderboard". */
	name: string;
	/** How the service spells the formats (contract 2.16: CSV, for company groups Csv). */
	spelling?: { csv: string; excel: string };
	/** How the page is sent: beside the other fields, or in an object of its own (deployment facts). */
	page?: (page: PageRequest & Order) => IDataObject;
	sortable: Sortable;
	defaultOrder: Order;
	/** Whether it takes a filter. One that was saved before this was known is still sent, an empty one is not. */
	isFiltered?: boolean;
	/**
	 * The search beside an export that has no reportAllPages in the contract: it tells how many records there are, and
	 * the export is asked for a page of that size.
	 */
	countedBy?: ContractKey;
}

/** An export, streamed from the service into n8n's store of files, never held whole. */
export function file(spec: FileSpec): Answer {
	const { spelling = { csv: 'CSV', excel: 'Excel' }, sortable, defaultOrder, isFiltered = true } = spec;
	const fields = { ...exportFields, filters: isFiltered ? filters : savedOnly(filters), sort: sort(sortable) };
	return {
		fields,
		options: {},
		reads: true,
		collect: async (request, form, session) => {
			const chosen = form.of(fields);
			const { filter, ...order } = searchBody(chosen, defaultOrder);
			const page = { pageNumber: chosen.pageNumber ?? 1, pageSize: chosen.pageSize ?? DEFAULT_PAGE_SIZE, ...order };
			const body = {
				...request.body,
				...(spec.page ?? ((plain) => ({ ...plain })))(page),
				...(isFiltered || Object.keys(chosen.filters).length > 0 ? { filter } : {}),
				reportAllPages: chosen.allPages,
				exportType: spelling[chosen.format],
			};
			const rules = { isOwnOrder: !isSortChosen(chosen.sort), hint: session.hint };
			const wanted = { stem: spec.name, format: FORMATS[chosen.format], field: chosen.binaryPropertyName };
			const asOne = async (size: IDataObject) =>
				await exportOnce({ ...request, body: { ...body, ...size } }, session, rules, wanted);
			if (!chosen.allPages || !spec.countedBy) return await asOne({});
			const search = { ...request, contract: spec.countedBy, body: { ...request.body, ...order, filter } };
			return await exportAll(await countOf(search, session, rules), asOne, session);
		},
	};
}

/** An export that has no word for all pages is asked for one page of as many records as there are. */
async function exportAll(
	count: number,
	asOne: (size: IDataObject) => Promise<Produced[]>,
	{ hint }: Session,
): Promise<Produced[]> {
	if (count <= DEFAULT_PAGE_SIZE) return await asOne({ pageNumber: 1, pageSize: Math.max(1, count) });
	return await firstAccepted(
		async () => await asOne({ pageNumber: 1, pageSize: count }),
		async () => {
			// A platform that takes no page of that size may still know what all pages are.
			const produced = await asOne({ pageNumber: 1 });
			hint(
				`The platform takes no page of ${count} records, so it was asked for all pages instead. Check that the file has all ${count} records.`,
			);
			return produced;
		},
	);
}

async function exportOnce(
	request: ServiceRequest,
	session: Session,
	rules: Rules,
	wanted: Wanted,
): Promise<Produced[]> {
	const receive = async (asked: ServiceRequest) =>
		await session.service.stream(asked, async (response) => [await stored(asked, response, session, wanted)]);
	return (await askSearch(session.service, request, rules, receive)).answer;
}

interface Wanted {
	stem: string;
	format: { extension: string; mimeType: string };
	field: string;
}

/** What came of an export: the file, stored, or what the service answered in place of one. */
async function stored(
	request: ServiceRequest,
	answer: HttpResponse,
	{ service, files, companyLabel }: Session,
	{ stem, format, field }: Wanted,
): Promise<Produced> {
	const type = headerOf(answer, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '';
	// The service may answer in words instead of a file, and a page in between in HTML; both are short.
	if (type.includes('json') || type === 'text/html') {
		const { data, messages } = service.read(request, answer, await service.text(answer.body));
		return { json: data ? toJson(data) : { ...NO_FILE, ...(messages[0] ? { serviceMessage: messages[0] } : {}) } };
	}
	if (headerOf(answer, 'content-length') === '0' || answer.status === 204) return { json: NO_FILE };
	const fileName = fileNameOf(answer, stem, format.extension, companyLabel);
	const mimeType = type === '' || type === 'application/octet-stream' ? format.mimeType : type;
	// A connection that ends before the promised length is an error of the stream, so nothing is stored of it.
	const { binary, bytes } = await files.store(answer.body, fileName, mimeType);
	if (bytes === 0) return { json: NO_FILE };
	return { json: { fileName, mimeType, bytes }, binary: { [field]: binary } };
}

const NO_FILE = { bytes: 0, message: 'The service accepted the export but sent no file' };
