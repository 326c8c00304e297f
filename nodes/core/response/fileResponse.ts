import { clamp } from 'lodash';

import { showWhen } from '../fields/field';
import { choiceField, textField, toggleField, wholeNumberField } from '../fields/fieldTypes';
import type { FilterableFields } from '../filters/conditions';
import type { FormValues } from '../fields/formValues';
import {
	exportFiltersBlock,
	buildSearchBody,
	rejectReplacedSearch,
	sortField,
	type SortableFields,
} from '../filters/filterFields';
import { rejectReplacedSearchFields } from '../fields/jsonFields';
import { toError, isCancellationError, RequestError } from '../http/errors';
import type { ApiRequest } from '../http/request';
import type { HttpClient } from '../http/client';
import type { ResponseHandler, OutputItem } from './responseHandler';
import { download } from './download';
import type { FileOwner } from './fileOwner';
import { parsePage } from '../pagination/parsePage';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../pagination/readList';
import { getEndpoint } from '../api/endpoint';

/** The formats of an export, with the file extension and the MIME type of each. */
const FORMATS = {
	csv: { extension: 'csv', mimeType: 'text/csv' },
	excel: {
		extension: 'xlsx',
		mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	},
	pdf: { extension: 'pdf', mimeType: 'application/pdf' },
} as const;

/** The largest page size that platforms allow (deployment activity 10). */
const MAX_EXPORT_PAGE_SIZE = 99_999;

const exportFields = {
	format: choiceField({
		displayName: 'Format',
		description: 'The type of file to export',
		default: 'csv',
		options: [
			{ name: 'CSV', value: 'csv' },
			{ name: 'Excel', value: 'excel' },
			{ name: 'PDF', value: 'pdf', description: "Some platforms can't export PDF files" },
		],
	}),
	allPages: toggleField({
		displayName: 'All Pages',
		default: true,
		description: 'Whether to export all records instead of only one page of the list',
	}),
	pageNumber: showWhen(
		{ allPages: [false] },
		wholeNumberField({
			displayName: 'Page',
			default: 1,
			min: 1,
			description: 'The page of the list to export. The first page is 1.',
		}),
	),
	pageSize: showWhen(
		{ allPages: [false] },
		wholeNumberField({
			displayName: 'Page Size',
			default: DEFAULT_PAGE_SIZE,
			min: 1,
			max: MAX_PAGE_SIZE,
			description: 'The number of records on one page of the list',
		}),
	),
	binaryPropertyName: textField({
		displayName: 'Put Output File in Field',
		default: 'data',
		required: true,
		hint: 'The name of the output binary field to put the file in',
	}),
};

interface FileResponseOptions {
	/** The beginning of the file name if the platform doesn't send one: "leaderboard". */
	fallbackName: string;
	/** The names by which the platform calls the formats in a request (contract 2.16; deployment activity 6). */
	formatNames?: { csv: string; excel: string };
	sortableFields: SortableFields;
	/** False if the endpoint takes no filter. */
	isFilterable?: boolean;
	/** The record fields that the platform is known to filter by. 'Conditions' offers them. */
	filterableFields?: FilterableFields;
	/**
	 * True if the contract doesn't describe `reportAllPages` for this endpoint, so that the platform may ignore it. To export all records
	 * nevertheless, the operation counts them with a search, and requests a single page that is large enough for all.
	 */
	isSinglePage?: boolean;
	/** Reads from the form which record the file is about. It is undefined if the file is about the whole company. */
	getOwner?: (form: FormValues) => FileOwner;
}

/** Creates the response of an export. The file is streamed into n8n's binary data storage, so it is never in memory as a whole. */
export function fileResponse(options: FileResponseOptions): ResponseHandler {
	const { formatNames = { csv: 'CSV', excel: 'Excel' }, sortableFields, isFilterable = true } = options;
	const fields = { ...exportFields, sort: sortField(sortableFields) };
	const filterFields = { filters: exportFiltersBlock(options.filterableFields) };
	return {
		fields: isFilterable ? { ...fields, ...filterFields } : fields,
		options: {},
		handle: async (request, form, context) => {
			const values = form.get(fields);
			const { filters } = isFilterable ? form.get(filterFields) : { filters: {} };
			const { defaultOrder, exportedSearch = request.endpoint } = getEndpoint(request.endpoint);
			const { filter, ...order } = buildSearchBody({ filters, sort: values.sort }, defaultOrder);
			rejectReplacedSearch(request.additionalFields, { filter, ...order }, values.sort.orderBy !== undefined);
			rejectReplacedSearchFields(request.additionalFields, { reportAllPages: true, exportType: true });
			const searchBody = isFilterable ? { ...request.body, ...order, filter } : { ...request.body, ...order };
			const searchRequest = { ...request, endpoint: exportedSearch, body: searchBody };

			const { allPages: reportAllPages, format } = values;
			let { pageNumber = 1, pageSize = DEFAULT_PAGE_SIZE } = values;
			if (options.isSinglePage && reportAllPages) {
				pageNumber = 1;
				pageSize = clamp(await countRecords(searchRequest, context.client), DEFAULT_PAGE_SIZE, MAX_EXPORT_PAGE_SIZE);
			}
			const exportType = { ...formatNames, pdf: 'Pdf' }[format];
			const body = { ...searchBody, pageNumber, pageSize, reportAllPages, exportType };
			const downloadOptions = {
				fallbackName: options.fallbackName,
				format: FORMATS[format],
				binaryField: values.binaryPropertyName,
				owner: options.getOwner?.(form),
			};
			try {
				return [await download({ ...request, body }, context, downloadOptions)];
			} catch (error) {
				return [await createEmptyExportItem(error, searchRequest, context.client)];
			}
		},
	};
}

/** Creates the response of a request for one Excel file, which the platform may have to prepare first (deployment activity 6). */
export function excelFileResponse(fallbackName: string, getOwner: (form: FormValues) => FileOwner): ResponseHandler {
	const { binaryPropertyName } = exportFields;
	const fields = { binaryPropertyName };
	return {
		fields,
		options: {},
		handle: async (request, form, context) => {
			const downloadOptions = {
				fallbackName,
				format: FORMATS.excel,
				binaryField: form.get(fields).binaryPropertyName,
				owner: getOwner(form),
			};
			return [await download(request, context, downloadOptions)];
		},
	};
}

/**
 * Counts the records that a search finds.
 * @returns the platform's count. If the platform sends none, 1 stands for at least one record, and 0 for no record.
 * @throws RequestError
 */
async function countRecords(searchRequest: ApiRequest, client: HttpClient): Promise<number> {
	const body = { ...searchRequest.body, pageNumber: 1, pageSize: 1 };
	const { data } = await client.requestJson({ ...searchRequest, body });
	const { totalCount, records } = parsePage(data);
	return totalCount ?? records.length;
}

/**
 * The statuses with which platforms refuse to export an empty list (deployment activity 6). The status is 200 if only the envelope
 * reports the failure.
 */
const EMPTY_EXPORT_STATUSES = [200, 400, 500];

/** Creates the item for an export that failed because there is nothing to export. @throws `error` if there may be records to export */
async function createEmptyExportItem(
	error: unknown,
	searchRequest: ApiRequest,
	client: HttpClient,
): Promise<OutputItem> {
	const mayBeEmpty = error instanceof RequestError && EMPTY_EXPORT_STATUSES.includes(error.details.status ?? 0);
	if (mayBeEmpty && (await isEmptySearch(searchRequest, client)))
		return { json: { exported: false, reason: 'nothing to export' } };
	throw toError(error);
}

/** Returns true if a search finds no record, and false if the search fails. @throws RequestError if the run was stopped */
async function isEmptySearch(searchRequest: ApiRequest, client: HttpClient): Promise<boolean> {
	try {
		return (await countRecords(searchRequest, client)) === 0;
	} catch (error) {
		if (isCancellationError(error)) throw toError(error);
		return false;
	}
}
