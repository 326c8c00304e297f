import { clamp } from 'lodash';

import { showWhen } from '../fields/field';
import { choice, text, toggle, wholeNumber } from '../fields/fieldTypes';
import type { Conditions } from '../filters/conditions';
import type { FormValues } from '../fields/formValues';
import { exportFilters, searchBody, sort, type Sortable } from '../filters/filterFields';
import { isStop, rethrow, ServiceError } from '../http/errors';
import type { ServiceRequest } from '../http/request';
import type { Service } from '../http/client';
import type { Answer, OutputItem } from './responseHandler';
import { download } from './download';
import type { Subject } from './fileOwner';
import { pageOf } from '../pagination/page';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../pagination/readList';
import { endpointOf } from '../api/endpoint';

/** The formats of an export, with the file's extension and MIME type. */
const FORMATS = {
	csv: { extension: 'csv', mimeType: 'text/csv' },
	excel: {
		extension: 'xlsx',
		mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	},
	pdf: { extension: 'pdf', mimeType: 'application/pdf' },
} as const;

/** The largest page that platforms allow (deployment activity, 10). */
const MOST_IN_PAGE = 99_999;

const exportFields = {
	format: choice({
		displayName: 'Format',
		description: 'What kind of file to export',
		default: 'csv',
		options: [
			{ name: 'CSV', value: 'csv' },
			{ name: 'Excel', value: 'excel' },
			{ name: 'PDF', value: 'pdf', description: 'Where your platform makes it' },
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
	/** The service's names of the formats (contract 2.16: CSV, but Csv for company groups; deployment activity, 6: Pdf). */
	spelling?: { csv: string; excel: string };
	sortable: Sortable;
	isFiltered?: boolean;
	/** The fields that it is known to be filtered by, for 'Conditions'. */
	conditions?: Conditions;
	/**
	 * Whether the contract gives the export no reportAllPages: then the search gives the number of records, and the export is
	 * requested as one page of that size besides.
	 */
	isOnePage?: boolean;
	/** What the file is of, besides its company, by the form. */
	of?: (form: FormValues) => Subject;
}

/** The answer of an export: a file that is streamed from the service into n8n's binary storage, never whole in memory. */
export function file(spec: FileSpec): Answer {
	const { spelling = { csv: 'CSV', excel: 'Excel' }, sortable, isFiltered = true } = spec;
	const fields = { ...exportFields, sort: sort(sortable) };
	const filtered = { filters: exportFilters(spec.conditions) };
	return {
		fields: isFiltered ? { ...fields, ...filtered } : fields,
		options: {},
		collect: async (request, form, context) => {
			const chosen = { filters: {}, ...form.of(fields), ...(isFiltered ? form.of(filtered) : {}) };
			const { order: usual, exportOf = request.endpoint } = endpointOf(request.endpoint);
			const { filter, ...order } = searchBody(chosen, usual);
			const common = { ...request.body, ...order, ...(isFiltered ? { filter } : {}) };
			const search = { ...request, endpoint: exportOf, body: common };
			const { pageNumber = 1, pageSize = DEFAULT_PAGE_SIZE, allPages: reportAllPages, format } = chosen;
			const page =
				spec.isOnePage && reportAllPages
					? { pageNumber: 1, pageSize: clamp(await countOf(search, context.service), DEFAULT_PAGE_SIZE, MOST_IN_PAGE) }
					: { pageNumber, pageSize };
			const exportType = { ...spelling, pdf: 'Pdf' }[format];
			const asked = { ...request, body: { ...common, ...page, reportAllPages, exportType } };
			const wanted = {
				stem: spec.name,
				format: FORMATS[format],
				field: chosen.binaryPropertyName,
				of: spec.of?.(form),
			};
			const item = await download(asked, context, wanted).catch(async (error: unknown) =>
				nothingOr(error, search, context.service),
			);
			return [item];
		},
	};
}

/** The answer of a request for one Excel file, which the service may have to prepare first (deployment activity, 6). */
export function readyFile(stem: string, of: (form: FormValues) => Subject): Answer {
	const { binaryPropertyName } = exportFields;
	const fields = { binaryPropertyName };
	return {
		fields,
		options: {},
		collect: async (request, form, context) => {
			const wanted = { stem, format: FORMATS.excel, field: form.of(fields).binaryPropertyName, of: of(form) };
			return [await download(request, context, wanted)];
		},
	};
}

/** How many records a search finds, by the service's count; without one, those on a page of one. @throws ServiceError */
async function countOf(search: ServiceRequest, service: Service): Promise<number> {
	const onePage = { ...search, body: { ...search.body, pageNumber: 1, pageSize: 1 } };
	const { data } = await service.json(onePage);
	const { total, records } = pageOf(data);
	return total ?? records.length;
}

/** The failures of an export that may be one of an empty list (deployment activity, 6); an envelope may say them with a 200. */
const MAYBE_EMPTY = [200, 400, 500];

/** What an export that failed comes to: an item, if its search finds nothing. @throws the error, if that is not certain */
async function nothingOr(error: unknown, search: ServiceRequest, service: Service): Promise<OutputItem> {
	const mayBe = error instanceof ServiceError && MAYBE_EMPTY.includes(error.details.status ?? 0);
	const count = mayBe
		? await countOf(search, service).catch(async (second: unknown) => (isStop(second) ? await rethrow(second) : NaN))
		: NaN;
	return count === 0 ? { json: { exported: false, reason: 'nothing to export' } } : await rethrow(error);
}
