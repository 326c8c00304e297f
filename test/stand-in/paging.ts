import memoize from 'lodash/memoize';
import upperFirst from 'lodash/upperFirst';
import { z } from 'zod';
import { parseWithSchema, int32Schema, createBadRequestError, HttpError } from './envelope';
import { exportResponse } from './files';
import {
	getChildRows,
	filterSchema,
	createFilterPredicate,
	keepMatchingRows,
	sortRows,
	toLowerCaseText,
	type ListColumns,
} from './filters';
import {
	isJsonObject,
	okResponse,
	formatValue,
	type RouteResponse,
	type RouteCall,
	type Route,
	type JsonObject,
} from './http';
import { completeValue, getRowShape } from './endpointDescriptions';

/**
 * A list that can be searched and, for some lists, exported. Searches and exports both have a body with paging fields.
 */
export interface ListDefinition extends ListColumns {
	/**
	 * Returns all records in the form that responses contain, always in the same order. They are filtered and sorted
	 * afterwards.
	 */
	getRows: (call: RouteCall, body: JsonObject) => JsonObject[];
	/** The paging fields that the contract requires: 'all' four, only pageNumber and pageSize ('pages'), or none. */
	requiredPaging?: 'all' | 'pages' | 'none';
	/** 'required' if the contract requires a filter. A filter that is null is never allowed. */
	filterRequirement?: 'required' | 'optional';
	/** The schemas of the body fields that are neither paging fields nor the filter. */
	extraBodyFields?: z.ZodRawShape;
	/** Creates a predicate from the extra body fields; undefined keeps every row. */
	createRowFilter?: (body: JsonObject, call: RouteCall) => ((row: JsonObject) => boolean) | undefined;
	/**
	 * Returns the response fields that pages of other lists do not have.
	 * @param matchingRows the rows that the filter matches
	 * @param allRows all rows of the list
	 */
	getExtraPageFields?: (matchingRows: JsonObject[], allRows: JsonObject[]) => JsonObject;
	access?: Route['access'];
	/** True if a missing or null filter causes a 500 instead of a 400, and json-patch+json is rejected (contract 7). */
	shouldFailWithoutFilter?: boolean;
	/** Throws an HttpError for a body that the list does not accept. It is called before all other checks. */
	checkBody?: (bodyObject: JsonObject, call: RouteCall) => void;
	/** The names that a live deployment can sort by, in addition to the fields of the rows. */
	extraSortNames?: readonly string[];
	/**
	 * True if a live deployment rejects a filter without two groups, one for AND and one for OR (deployment behaviour,
	 * "Search bodies").
	 */
	shouldRequireFilterGroups?: boolean;
}

/**
 * Lists the names that a live deployment can sort a list by: the fields of its rows that contain a single value. It
 * rejects any other name (deployment behaviour, "Search bodies").
 */
const listSortNames = memoize((key: string): string[] => {
	const shape = getRowShape(key);
	const fields = shape?.kind === 'object' ? [...shape.fields] : [];
	return fields.filter(([, { kind }]) => !['list', 'object', 'map'].includes(kind)).map(([name]) => upperFirst(name));
});

type BodyRequirements = Pick<ListDefinition, 'requiredPaging' | 'filterRequirement' | 'extraBodyFields'>;

function buildBodySchema({
	requiredPaging = 'none',
	filterRequirement = 'optional',
	extraBodyFields,
}: BodyRequirements) {
	const pageNumberSchema = int32Schema.min(1);
	const isAllPagingRequired = requiredPaging === 'all';
	const isPageRequired = isAllPagingRequired || requiredPaging === 'pages';
	const pagingSchema = z
		.object({
			pageNumber: isPageRequired ? pageNumberSchema : pageNumberSchema.nullish(),
			pageSize: isPageRequired ? pageNumberSchema : pageNumberSchema.nullish(),
			orderBy: isAllPagingRequired ? z.string() : z.string().nullish(),
			ascending: isAllPagingRequired ? z.boolean() : z.boolean().nullish(),
			filter: filterRequirement === 'required' ? filterSchema : filterSchema.optional(),
		})
		.passthrough();
	const extraFieldsSchema = z.object({ ...extraBodyFields }).passthrough();
	return z.intersection(
		pagingSchema,
		extraFieldsSchema.transform((parsed): JsonObject => parsed),
	);
}

const getBodySchema = memoize(buildBodySchema);

function hasTwoGroups(filter: JsonObject): boolean {
	return Array.isArray(filter.filterGroups) && filter.filterGroups.length > 1;
}

/** Rejects a body that no search of a live deployment accepts (deployment behaviour, "Search bodies"). */
function rejectInvalidDeployedBody(
	key: string,
	list: ListDefinition,
	bodyObject: JsonObject,
	{ options }: RouteCall,
): void {
	if (Object.keys(bodyObject).length === 0) throw createBadRequestError('A non-empty request body is required.');
	const { orderBy } = bodyObject;
	const sortNames = [...(list.extraSortNames ?? []), ...listSortNames(key)];
	const isKnown = typeof orderBy === 'string' && sortNames.some((name) => name.toLowerCase() === orderBy.toLowerCase());
	if ('orderBy' in bodyObject && !isKnown)
		throw createBadRequestError(`The OrderBy field is not valid: ${formatValue(orderBy)}.`);
	// The documents describe filters with and without groups. A stand-in that rejects what is undocumented accepts both.
	const areGroupsRequired = list.shouldRequireFilterGroups === true && options.undocumentedFieldsMode === 'ignored';
	if (areGroupsRequired && isJsonObject(bodyObject.filter) && !hasTwoGroups(bodyObject.filter))
		throw createBadRequestError('The Filter.FilterGroups field is required.');
}

function getConditionSupport({ isDeployed, options }: RouteCall) {
	return isDeployed ? options.conditionSupport : 'older';
}

/**
 * Reads the body of a search or export, and returns the rows that it selects, sorted.
 * @throws HttpError for an invalid body
 */
function selectRows(key: string, call: RouteCall, list: ListDefinition) {
	const bodyObject = isJsonObject(call.json) ? call.json : {};
	list.checkBody?.(bodyObject, call);
	if (call.isDeployed) rejectInvalidDeployedBody(key, list, bodyObject, call);
	if (list.shouldFailWithoutFilter) {
		rejectJsonPatch(call);
		if (bodyObject.filter === null || bodyObject.filter === undefined)
			throw new HttpError(500, ['An unexpected error occurred.'], 'INTERNAL_SERVER_ERROR');
	}
	// Even where a filter is optional, neither the filter nor any part of it can be null.
	if (bodyObject.filter === null) throw createBadRequestError('The Filter field is required.');
	const body = parseWithSchema(getBodySchema(list), call.json);
	const parsedBody: JsonObject = body;
	const shape = call.isDeployed ? getRowShape(key) : undefined;
	const allRows = list
		.getRows(call, parsedBody)
		.map((row) => (shape ? { ...row, ...toJsonObject(completeValue(row, shape)) } : row));
	const isKept = list.createRowFilter?.(parsedBody, call);
	const matchingRows = keepMatchingRows(
		allRows,
		createFilterPredicate(body.filter, list, getConditionSupport(call), isKept),
	);
	const sortedRows = sortRows(matchingRows, body.orderBy, body.ascending ?? true, list);
	const pageSize = Math.min(body.pageSize ?? 10, call.options.maxPageSize);
	return { body: parsedBody, allRows, matchingRows, sortedRows, pageNumber: body.pageNumber ?? 1, pageSize };
}

function toJsonObject(value: unknown): JsonObject {
	return isJsonObject(value) ? value : {};
}

/**
 * Rejects a body that was sent as JSON Patch.
 * @throws HttpError 400
 */
export function rejectJsonPatch(call: RouteCall): void {
	if (call.isJsonPatch)
		throw createBadRequestError('The content type application/json-patch+json is not supported by this operation.');
}

function slicePage(rows: JsonObject[], pageNumber: number, pageSize: number): JsonObject[] {
	return rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
}

/** Defines the search operation of a list. */
export function defineSearchRoute(key: string, list: ListDefinition): Route {
	return {
		key,
		access: list.access ?? 'any',
		bodyType: 'json',
		sortNames: [...(list.extraSortNames ?? []), ...listSortNames(key)],
		handle(call): RouteResponse {
			const { allRows, matchingRows, sortedRows, pageNumber, pageSize } = selectRows(key, call, list);
			return okResponse({
				pageNumber,
				pageSize,
				totalNumberOfPages: Math.ceil(sortedRows.length / pageSize),
				totalNumberOfRecords: sortedRows.length,
				results: slicePage(sortedRows, pageNumber, pageSize),
				...list.getExtraPageFields?.(matchingRows, allRows),
			});
		},
	};
}

/** Flattens a tree of records into one list. Each record loses its field `children`, and its children follow it. */
export function flattenRows(rows: JsonObject[]): JsonObject[] {
	return rows.flatMap((row) => {
		if (!('children' in row)) return [row];
		const { children: _children, ...fields } = row;
		return [fields, ...flattenRows(getChildRows(row))];
	});
}

/**
 * Parses the file format of an export. Null and undefined mean CSV. Live deployments also export PDF (deployment activity
 * 6).
 * @throws HttpError 400 for an unknown format
 */
export function parseExportFormat(value: unknown, { isDeployed }: RouteCall): 'csv' | 'excel' | 'pdf' {
	if (value === undefined || value === null) return 'csv';
	const formatName = toLowerCaseText(value);
	if (formatName === 'csv' || formatName === 'excel' || (formatName === 'pdf' && isDeployed)) return formatName;
	throw createBadRequestError(`The ExportType '${formatValue(value)}' is not valid. Valid values are CSV and Excel.`);
}

/** The properties of exported files that differ between platforms. */
export interface ExportFileOptions {
	/** The format of Excel files. */
	excelFormat?: 'excel' | 'xls';
	/** The content type of CSV files. */
	csvMimeType?: string;
}

/**
 * Defines the export operation of a list. It takes the body of a search. The file contains one page, or all pages if
 * the body has reportAllPages.
 * @param isTypeRequired true if requests must contain exportType
 */
export function defineExportRoute(
	key: string,
	list: ListDefinition,
	fileName: string,
	isTypeRequired: boolean,
	{ excelFormat = 'excel', csvMimeType }: ExportFileOptions = {},
): Route {
	const extraBodyFields: z.ZodRawShape = {
		...list.extraBodyFields,
		exportType: isTypeRequired ? z.string().min(1) : z.string().nullish(),
		reportAllPages: z.boolean().nullish(),
		isClustered: z.boolean().nullish(),
	};
	const exportedList: ListDefinition = { ...list, extraBodyFields };
	return {
		key,
		access: list.access ?? 'any',
		bodyType: 'json',
		async handle(call): Promise<RouteResponse> {
			const { body, sortedRows, pageNumber, pageSize } = selectRows(key, call, exportedList);
			const records = flattenRows(sortedRows);
			const page = body.reportAllPages === true ? records : slicePage(records, pageNumber, pageSize);
			const format = parseExportFormat(body.exportType, call);
			return await exportResponse(page, format === 'excel' ? excelFormat : format, fileName, csvMimeType);
		},
	};
}

const NO_REQUIREMENTS: BodyRequirements = {};

/**
 * Filters and sorts rows, and returns one page of them. It is for requests whose paging fields are inside another field
 * of the body.
 * @param selection the filter and the paging fields of the request
 * @param selection.page the paging fields
 * @param selection.shouldReturnAllPages true to return every page
 */
export function filterSortAndPage(
	call: RouteCall,
	rows: JsonObject[],
	columns: ListColumns,
	{ filter, page, shouldReturnAllPages }: { filter: unknown; page: JsonObject; shouldReturnAllPages: boolean },
): JsonObject[] {
	const requestBody = { ...page };
	if (filter !== undefined && filter !== null) requestBody.filter = filter;
	const body = parseWithSchema(getBodySchema(NO_REQUIREMENTS), requestBody);
	const matchingRows = rows.filter(createFilterPredicate(body.filter, columns, getConditionSupport(call)));
	const sortedRows = sortRows(matchingRows, body.orderBy, body.ascending ?? true, columns);
	return shouldReturnAllPages ? sortedRows : slicePage(sortedRows, body.pageNumber ?? 1, body.pageSize ?? 10);
}
