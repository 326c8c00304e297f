/**
 * Routes that import users from a file: upload, mapping of columns, check of rows, and import (deployment beyond,
 * "People").
 */
import { z } from 'zod';
import { getFileContent } from '../body';
import { parseWithSchema, requireFound, createBadRequestError } from '../envelope';
import { parseCsv } from '../files';
import {
	markOutsideContract,
	okResponse,
	defineReadRoute,
	defineSaveRoute,
	type RouteResponse,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import type { World } from '../world';
import type { ListDefinition } from '../paging';
import { defineDeployedSearchRoute } from './lists';
import { addUser } from './target-users';

interface ImportUpload {
	transactionId: string;
	jobId: string;
	columnNames: string[];
	/** The rows of the file without duplicates. */
	lines: string[][];
	rowCount: number;
	/** The rows with the mapped fields; empty before the mapping. */
	mappedRows: JsonObject[];
	/** The number of requests for the result since the columns were mapped. Each request makes the stand-in check more rows. */
	requestCount: number;
}

/** The number of requests after which all rows are checked. */
const REQUESTS_UNTIL_CHECKED = 3;

/** The uploads of each world, by company and transaction. A reset creates a new world, so it removes all uploads. */
const uploadsByWorld = new WeakMap<World, Map<string, ImportUpload>>();

function getUploads({ world }: RouteCall): Map<string, ImportUpload> {
	const worldUploads = uploadsByWorld.get(world) ?? new Map<string, ImportUpload>();
	uploadsByWorld.set(world, worldUploads);
	return worldUploads;
}

function buildUploadKey({ companyData }: RouteCall, transactionId = ''): string {
	return `${companyData.company.companyResourceId} ${transactionId}`;
}

function findUpload(call: RouteCall, transactionId: string | undefined): ImportUpload {
	return requireFound(getUploads(call).get(buildUploadKey(call, transactionId)), 'transaction');
}

/** Returns true for the tests' imitation of an Excel file: the first four bytes of a ZIP archive, followed by a CSV. */
const isWorkbook = (file: Buffer) => file.toString('hex', 0, 4) === '504b0304';

function uploadFile(call: RouteCall): JsonObject {
	const filePart = call.files.find(({ field }) => field.toLowerCase() === 'file');
	if (!filePart) throw createBadRequestError('The File field is required.');
	const file = getFileContent(filePart);
	const content = (isWorkbook(file) ? file.subarray(4) : file).toString('utf8');
	const [columnNames = [], ...lines] = parseCsv(content.replace(/\r?\n/g, '\r\n'));
	const uniqueLines = [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()];
	const transactionId = call.world.createId('upload');
	const newUpload: ImportUpload = {
		transactionId,
		jobId: call.world.createId('mapping job'),
		columnNames,
		lines: uniqueLines,
		rowCount: lines.length,
		mappedRows: [],
		requestCount: 0,
	};
	getUploads(call).set(buildUploadKey(call, transactionId), newUpload);
	const { rowCount } = newUpload;
	return { transactionId, rowCount, columnCount: columnNames.length, duplicateCount: rowCount - uniqueLines.length };
}

const buildColumnsResult = ({ columnNames, lines }: ImportUpload): JsonObject => ({
	fileType: 'csv',
	sheetNames: [],
	data: lines.slice(0, 5),
	fileFieldNames: columnNames,
});

const mappingSchema = z.object({
	transactionId: z.string(),
	targetGroupResourceIds: z.array(z.string()).nullish(),
	fieldMappings: z.array(z.object({ excelColumnName: z.string(), fieldName: z.string() })),
});

const ROW_FIELDS = ['email', 'phoneNumber', 'firstName', 'lastName', 'department', 'priority'];
const toTrimmedText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
const getEmailKey = (row: JsonObject) => toTrimmedText(row.email).toLowerCase();

function findRowProblems(row: JsonObject, isDuplicate: boolean): JsonObject[] {
	const problems: JsonObject[] = [];
	if (!/^[^\s@]+@[^\s@]+$/.test(toTrimmedText(row.email)))
		problems.push({ field: 'email', message: 'It is no e-mail address.' });
	if (toTrimmedText(row.phoneNumber) === '') problems.push({ field: 'phoneNumber', message: 'It is required.' });
	if (isDuplicate) problems.push({ field: 'email', message: 'Another row has it.' });
	return problems;
}

function mapColumns(call: RouteCall): JsonObject {
	const { transactionId, targetGroupResourceIds, fieldMappings } = parseWithSchema(mappingSchema, call.json);
	const savedUpload = findUpload(call, transactionId);
	const mappedColumns = fieldMappings.map(({ excelColumnName, fieldName }) => {
		const columnIndex = savedUpload.columnNames.indexOf(excelColumnName);
		if (columnIndex < 0) throw createBadRequestError(`The file has no column '${excelColumnName}'.`);
		return { columnIndex, fieldName };
	});
	const earlierEmails = new Set<string>();
	savedUpload.requestCount = 0;
	savedUpload.mappedRows = savedUpload.lines.map((line, index) => {
		const row: JsonObject = Object.fromEntries(
			mappedColumns.map(({ columnIndex, fieldName }) => [fieldName, line[columnIndex] ?? '']),
		);
		const validationDetail = findRowProblems(row, earlierEmails.has(getEmailKey(row)));
		earlierEmails.add(getEmailKey(row));
		return {
			resourceId: call.world.makeId(`row ${transactionId} ${index}`),
			transactionId,
			validationDetail,
			...Object.fromEntries(ROW_FIELDS.map((name) => [name, row[name] ?? null])),
			customFields: [],
			createTime: '2025-05-01T08:00:00.000Z',
			updateTime: '2025-05-01T08:00:00.000Z',
			status: validationDetail.length > 0 ? 'Invalid' : 'Valid',
			timeZone: null,
			preferredLanguage: null,
			groups: targetGroupResourceIds ?? [],
		};
	});
	return { resourceId: savedUpload.jobId, status: 'Processing' };
}

const isValidRow = ({ validationDetail }: JsonObject) =>
	Array.isArray(validationDetail) && validationDetail.length === 0;

/** Lists the rows that have been checked so far. */
function listCheckedRows({ mappedRows, requestCount }: ImportUpload): JsonObject[] {
	const checkedShare = Math.min(requestCount, REQUESTS_UNTIL_CHECKED);
	return mappedRows.slice(0, Math.ceil((mappedRows.length * checkedShare) / REQUESTS_UNTIL_CHECKED));
}

/** Creates a predicate that returns true for rows whose email address belongs to an existing user. */
const createExistingUserPredicate = ({ companyData }: RouteCall) => {
	const emailAddresses = new Set(companyData.users.map(({ email }) => email.toLowerCase()));
	return (row: JsonObject) => emailAddresses.has(getEmailKey(row));
};

const ROW_LIST: ListDefinition = {
	getRows: (call) =>
		listCheckedRows(findUpload(call, call.params.transactionId)).map(({ groups: _groups, ...row }) => row),
	idField: 'resourceId',
	nameField: 'email',
	requiredPaging: 'pages',
	filterRequirement: 'optional',
	extraSortNames: ['Email', 'FirstName', 'LastName', 'Department', 'CreateTime', 'UpdateTime', 'Status'],
};

const rowSearch = defineDeployedSearchRoute('POST /api/target-users/{transactionId}/search', ROW_LIST);

async function listRows(call: RouteCall): Promise<RouteResponse> {
	const savedUpload = getUploads(call).get(buildUploadKey(call, call.params.transactionId));
	if (savedUpload) savedUpload.requestCount++;
	const response = await rowSearch.handle(call);
	if (!savedUpload || !('data' in response)) return response;
	const checkedRows = listCheckedRows(savedUpload);
	const validRows = checkedRows.filter(isValidRow);
	const existingRows = validRows.filter(createExistingUserPredicate(call));
	return okResponse({
		status: checkedRows.length < savedUpload.mappedRows.length ? 'Processing' : 'Completed',
		message: null,
		items: response.data,
		newUserCount: validRows.length - existingRows.length,
		existingUserCount: existingRows.length,
		invalidUserCount: checkedRows.length - validRows.length,
	});
}

const importSchema = z.object({
	importType: z.enum(['All', 'Selected']),
	selectedResourceIds: z.array(z.string()).nullish(),
});

/** Adds a user for each selected valid row. Rows of existing users are skipped. */
function importRows(call: RouteCall): JsonObject {
	const { importType, selectedResourceIds } = parseWithSchema(importSchema, call.json);
	const { mappedRows } = findUpload(call, call.params.transactionId);
	const selectedRows = mappedRows.filter(
		(row) => importType === 'All' || selectedResourceIds?.includes(toTrimmedText(row.resourceId)),
	);
	const isExistingUser = createExistingUserPredicate(call);
	for (const { groups, ...row } of selectedRows.filter(isValidRow))
		if (!isExistingUser(row)) addUser(call, { ...row, customFields: [], targetGroupResourceIds: groups });
	return { resourceId: call.params.transactionId };
}

/** Creates the routes that import users. */
export function targetUserImportRoutes(): Route[] {
	const path = '/api/target-users';
	const definePostRoute = (key: string, buildData: (call: RouteCall) => JsonObject): Route => ({
		...defineSaveRoute(key, () => ''),
		handle: (call) => okResponse(buildData(call)),
	});
	return [
		{ ...definePostRoute(`POST ${path}/upload`, uploadFile), bodyType: 'multipart' as const },
		defineReadRoute(`GET ${path}/upload/{transactionId}`, (call) =>
			buildColumnsResult(findUpload(call, call.params.transactionId)),
		),
		definePostRoute(`POST ${path}/create-mapping`, mapColumns),
		defineReadRoute(`GET ${path}/mapping-job/{resourceId}`, (call) => {
			const savedUpload = [...getUploads(call).values()].find(({ jobId }) => jobId === call.params.resourceId);
			const requestCount = ++requireFound(savedUpload, 'mapping job').requestCount;
			return { status: requestCount < REQUESTS_UNTIL_CHECKED ? 'Processing' : 'Completed' };
		}),
		{ key: rowSearch.key, access: 'any' as const, bodyType: 'json' as const, handle: listRows },
		definePostRoute(`POST ${path}/{transactionId}/import`, importRows),
	].map(markOutsideContract);
}
