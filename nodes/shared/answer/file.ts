import type { IDataObject } from 'n8n-workflow';

import { showWhen } from '../form/field';
import { choice, text, toggle, wholeNumber } from '../form/fields';
import { filters, searchBody, sort, type Sortable } from '../form/search';
import { toJson } from '../transport/envelope';
import type { ContractKey, ServiceRequest } from '../transport/request';
import type { HttpResponse, Service } from '../transport/service';
import type { Answer, OutputItem, OperationContext } from './answer';
import { fileNameOf } from './fileName';
import { pageOf } from './page';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './paging';
import { askSearch, defaultOrder } from './search';

/** The formats of an export, with the file's extension and MIME type. */
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
		description: 'Whether to export all records instead of one page',
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
	/** The beginning of the file's name if the service sends none: "leaderboard". */
	name: string;
	/** The service's names of the formats (contract 2.16: CSV, but Csv for company groups). */
	spelling?: { csv: string; excel: string };
	sortable: Sortable;
	/** Whether the export accepts a filter. */
	isFiltered?: boolean;
	/**
	 * The search for the same records, for an export that has no reportAllPages in the contract: the search gives the
	 * number of records, and the export is requested as one page of that size besides.
	 */
	countedBy?: ContractKey;
}

/** The answer of an export: a file that is streamed from the service into n8n's binary storage, never whole in memory. */
export function file(spec: FileSpec): Answer {
	const { spelling = { csv: 'CSV', excel: 'Excel' }, sortable, isFiltered = true } = spec;
	const fields = { ...exportFields, sort: sort(sortable) };
	return {
		fields: isFiltered ? { ...fields, filters } : fields,
		options: {},
		isFile: true,
		reads: true,
		collect: async (request, form, context) => {
			const chosen = { filters: {}, ...form.of(fields), ...(isFiltered ? form.of({ filters }) : {}) };
			const { filter, ...order } = searchBody(chosen, defaultOrder(request.contract));
			const page = { pageNumber: chosen.pageNumber ?? 1, pageSize: chosen.pageSize ?? DEFAULT_PAGE_SIZE, ...order };
			const body = {
				...request.body,
				...page,
				...(isFiltered ? { filter } : {}),
				reportAllPages: chosen.allPages,
				exportType: spelling[chosen.format],
			};
			const wanted = { stem: spec.name, format: FORMATS[chosen.format], field: chosen.binaryPropertyName };
			const exportPage = async (size: IDataObject) =>
				await askSearch(context.service, { ...request, body: { ...body, ...size } }, async (asked) =>
					context.service.stream(asked, async (reply) => [await receiveFile(asked, reply, context, wanted)]),
				);
			if (!chosen.allPages || !spec.countedBy) return await exportPage({});
			const search = { ...request, contract: spec.countedBy, body: { ...request.body, ...order, filter } };
			const count = await countOf(search, context.service);
			return await exportPage({ pageNumber: 1, pageSize: Math.max(DEFAULT_PAGE_SIZE, count) });
		},
	};
}

/** How many records a search finds, by the service's count. @throws ServiceError */
async function countOf(search: ServiceRequest, service: Service): Promise<number> {
	const onePage = { ...search, body: { ...search.body, pageNumber: 1, pageSize: 1 } };
	const { data } = await askSearch(service, onePage, async (asked) => await service.json(asked));
	return pageOf(data).total ?? 0;
}

/** The value of a header as text; empty if it is missing. */
const headerOf = ({ headers }: HttpResponse, name: string): string =>
	typeof headers[name] === 'string' || typeof headers[name] === 'number' ? String(headers[name]) : '';

interface FileOptions {
	stem: string;
	format: { extension: string; mimeType: string };
	field: string;
}

/** Stores the file of an export. @returns the item with the file, or with what the service answered instead of a file */
async function receiveFile(
	request: ServiceRequest,
	answer: HttpResponse,
	{ service, files, fileLabel }: OperationContext,
	{ stem, format, field }: FileOptions,
): Promise<OutputItem> {
	const type = headerOf(answer, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '';
	// The service may answer with JSON instead of a file, and a proxy with a web page; both are short.
	if (type.includes('json') || type === 'text/html') {
		const { data, messages } = await service.read(request, answer);
		return { json: data ? toJson(data) : { ...NO_FILE, ...(messages[0] ? { serviceMessage: messages[0] } : {}) } };
	}
	if (headerOf(answer, 'content-length') === '0' || answer.status === 204) return { json: NO_FILE };
	const fileName = fileNameOf(headerOf(answer, 'content-disposition'), stem, format.extension, fileLabel);
	const mimeType = type === '' || type === 'application/octet-stream' ? format.mimeType : type;
	// If the connection ends before the announced length, the stream fails and nothing is stored.
	const { binary, bytes } = await files.store(answer.body, fileName, mimeType);
	if (bytes === 0) return { json: NO_FILE };
	return { json: { fileName, mimeType, bytes }, binary: { [field]: binary } };
}

const NO_FILE = { bytes: 0, message: 'The service accepted the export but returned no file' };
