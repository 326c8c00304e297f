import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { fileField } from '../../core/fields/fieldTypes';
import { toError, InvalidInputError, RequestError } from '../../core/http/errors';
import { getFileContent } from '../../core/http/request';
import { defineComposite, defineOperation, type OperationHelpers } from '../../core/operation/defineOperation';
import { LARGE_PAGE_SIZE } from '../../core/pagination/readList';
import { recordResponse } from '../../core/response/recordResponse';
import { formatCount } from '../../core/values';
import { TARGET_USER_ID_FIELDS } from '../../domain/pickers/resourcePickers';
import {
	getMappingJobOperation,
	getUploadedRowsOperation,
	parseResponseData,
	sumCheckedRowCounts,
	uploadedFileOperationBase,
	uploadSummarySchema,
	waitForCheckedRows,
	type CheckedRowCounts,
	type UploadSummary,
} from './waitForCheckedRows';
import { DEFAULT_IMPORT_TIMEOUT_SECONDS, importFields, mapColumns, type ColumnMapping } from './importFields';
import { addLeftOutHint, isInvalidRow, classifyRows } from './leftOutRows';
import { isExcel } from './fileFormat';
import { isStatusColumn, cleanFileBeforeUpload, type CleanedFile } from './cleanFileBeforeUpload';

const uploadFileOperation = defineOperation({
	value: 'upload',
	name: 'Upload Target Users',
	action: 'Upload target users',
	description: 'Upload a file of people',
	endpoint: 'POST /api/target-users/upload',
	scope: 'company',
	response: recordResponse(),
	fields: { file: fileField({ displayName: 'File' }) },
	request: ({ file }) => ({ multipart: { File: file } }),
});

const getUploadedColumnsOperation = defineOperation({
	value: 'getColumns',
	name: 'Get Columns',
	action: 'Get columns',
	description: 'Read the columns of an uploaded file',
	endpoint: 'GET /api/target-users/upload/{transactionId}',
	...uploadedFileOperationBase,
});

const mapColumnsOperation = defineOperation({
	value: 'map',
	name: 'Map Columns',
	action: 'Map columns',
	description: 'Define what the columns of an uploaded file contain',
	endpoint: 'POST /api/target-users/create-mapping',
	scope: 'company',
	response: recordResponse(),
});

const importRowsOperation = defineOperation({
	value: 'importRows',
	name: 'Import Rows',
	action: 'Import rows',
	description: 'Add the people of an uploaded file',
	endpoint: 'POST /api/target-users/{transactionId}/import',
	...uploadedFileOperationBase,
});

const uploadedColumnsSchema = z.object({ fileFieldNames: z.array(z.string()).catch([]) });

const RUN_AGAIN_ADVICE = 'Run the node again with the same file. People who exist already are not added twice.';

/**
 * Adds the transaction ID and advice to the error of a failed import. Status 404 means that the upload has expired (deployment behaviour
 * 3).
 * @returns the unchanged error if it isn't about a request, or if the run was stopped
 */
function explainImportError(error: unknown, transactionId: string): Error {
	if (!(error instanceof RequestError) || error.details.cause === 'cancelled') return toError(error);
	const { advice, status } = error.details;
	if (status === 404)
		return new RequestError({
			...error.details,
			reason: `the upload '${transactionId}' has expired (404)`,
			advice: `The platform keeps uploaded files only for a limited time. ${RUN_AGAIN_ADVICE}`,
		});
	return new RequestError({
		...error.details,
		advice: `${advice} The transaction ID is '${transactionId}'. ${RUN_AGAIN_ADVICE}`,
	});
}

/**
 * Describes where the platform's counts differ from the rows in the file, so that the user can check the file.
 * @param listedInvalidCount the number of invalid rows that the platform gave a reason for
 */
function describeCountDifferences(
	upload: UploadSummary,
	counts: CheckedRowCounts,
	listedInvalidCount: number,
): string[] {
	const { rowCount, duplicateCount } = upload;
	const { invalidUserCount } = counts;
	const differences: string[] = [];
	const checkedCount = sumCheckedRowCounts(counts);
	if (checkedCount > rowCount || checkedCount < rowCount - duplicateCount)
		differences.push(
			`The file has ${formatCount(rowCount, 'row')}, but the platform counts ${checkedCount} as new, existing or invalid people. The difference can be blank lines, for example.`,
		);
	if (listedInvalidCount !== invalidUserCount)
		differences.push(
			`The platform counts ${formatCount(invalidUserCount, 'invalid row')}, but gives reasons for ${listedInvalidCount}.`,
		);
	return differences;
}

const COUNTS_INCLUDE_REJECTED_ROWS_HINT =
	"'newUserCount' and 'existingUserCount' are the platform's counts. They include rows that the node left out afterwards.";

/** The values from the form of an import. */
interface ImportSettings {
	mappings: readonly ColumnMapping[];
	targetGroupResourceIds: string[];
	timeoutSeconds: number;
	includeInactive: boolean;
}

/**
 * Creates the output items of an import: the summary, then the rows that were left out. Also adds hints about the rows that were left out.
 * @param rowCount the number of rows in the file
 * @param summary the platform's counts of the uploaded rows; without an upload, the counts of the node itself
 */
function createImportOutput(
	{ invalidItems, inactiveItems }: Pick<CleanedFile, 'invalidItems' | 'inactiveItems'>,
	rowCount: number,
	summary: IDataObject & Pick<CheckedRowCounts, 'newUserCount' | 'existingUserCount' | 'invalidUserCount'>,
	helpers: OperationHelpers,
) {
	addLeftOutHint('Invalid rows were not imported.', invalidItems, rowCount, helpers);
	addLeftOutHint(
		"Inactive people were not imported. To import them, turn on 'Include Inactive People'.",
		inactiveItems,
		rowCount,
		helpers,
	);
	const summaryItem: IDataObject = { isSummary: true, ...summary, rowCount };
	if (inactiveItems.length > 0) summaryItem.skippedUserCount = inactiveItems.length;
	return [summaryItem, ...invalidItems, ...inactiveItems].map((json) => ({ json }));
}

/**
 * Rejects an Excel file with a status column, because the node can't find the inactive people in it. Only the platform can read the cells
 * of an Excel file, and no document describes the fields `status` and `customFields` of the rows that the platform returns (deployment
 * beyond, "People").
 * @throws InvalidInputError
 */
function rejectExcelStatusColumn(columnNames: readonly string[]): void {
	const statusColumn = columnNames.find(isStatusColumn);
	if (statusColumn === undefined) return;
	throw new InvalidInputError(
		`has the column '${statusColumn}', which the node can't read in an Excel file to skip inactive people`,
		['file'],
		"No people were imported. To skip inactive people, save the file as 'CSV UTF-8 (Comma delimited)' and import that file. If all people in it are active, remove the column, or turn on 'Include Inactive People' in the options.",
	);
}

/**
 * Reads the rows that the platform has checked. For a CSV file, it reads only the rows that the platform found invalid, because the node
 * itself checked the other rows before the upload. For an Excel file, it reads all rows, because the node could not check any of them.
 */
async function readCheckedRows(
	transactionId: string,
	invalidCount: number,
	isExcelFile: boolean,
	helpers: OperationHelpers,
): Promise<IDataObject[]> {
	const path = { transactionId };
	const options = { identity: TARGET_USER_ID_FIELDS, pageSize: LARGE_PAGE_SIZE };
	if (isExcelFile) return await helpers.listRecordsCompletely(getUploadedRowsOperation, { path }, options);
	if (invalidCount <= 0) return [];
	return await helpers.listRecords(getUploadedRowsOperation, { path }, { ...options, shouldKeep: isInvalidRow });
}

/** Maps the columns of an uploaded file, waits until its rows are checked, and imports the valid ones. @returns the output of the import */
async function importUploadedFile(
	upload: UploadSummary,
	cleanedFile: CleanedFile,
	settings: ImportSettings,
	helpers: OperationHelpers,
) {
	const { mappings, targetGroupResourceIds, timeoutSeconds, includeInactive } = settings;
	const { transactionId } = upload;
	const path = { transactionId };
	const isExcelFile = isExcel(getFileContent(cleanedFile.file));
	const { data: columnsData } = await helpers.callOperation(getUploadedColumnsOperation, { path });
	const { fileFieldNames } = parseResponseData(uploadedColumnsSchema, columnsData);
	if (isExcelFile && !includeInactive) rejectExcelStatusColumn(fileFieldNames);
	const fieldMappings = mapColumns(mappings, fileFieldNames);
	const { data: mappingData } = await helpers.callOperation(mapColumnsOperation, {
		body: { transactionId, targetGroupResourceIds, fieldMappings },
	});
	const counts = await waitForCheckedRows(upload, mappingData, timeoutSeconds, helpers);
	const rows = await readCheckedRows(transactionId, counts.invalidUserCount, isExcelFile, helpers);
	const { invalidItems, rejectedItems, acceptedIds } = classifyRows(rows);
	for (const hint of describeCountDifferences(upload, counts, invalidItems.length)) helpers.context.addHint(hint);
	const hasRejectedRows = rejectedItems.length > 0;
	if (hasRejectedRows)
		helpers.context.addHint(COUNTS_INCLUDE_REJECTED_ROWS_HINT, formatCount(rejectedItems.length, 'row'));
	const isEveryRowInvalid = counts.invalidUserCount > 0 && counts.invalidUserCount === sumCheckedRowCounts(counts);
	const hasNothingToImport = hasRejectedRows ? acceptedIds.length === 0 : isEveryRowInvalid;
	const body: IDataObject = hasRejectedRows
		? { importType: 'Selected', selectedResourceIds: acceptedIds }
		: { importType: 'All' };
	if (!hasNothingToImport) await helpers.callOperation(importRowsOperation, { path, body });
	const removedRowCount = cleanedFile.invalidItems.length + cleanedFile.inactiveItems.length;
	return createImportOutput(
		{
			invalidItems: [...invalidItems, ...rejectedItems, ...cleanedFile.invalidItems],
			inactiveItems: cleanedFile.inactiveItems,
		},
		upload.rowCount + removedRowCount,
		{
			...upload,
			...omit(counts, ['status', 'message']),
			invalidUserCount: counts.invalidUserCount + rejectedItems.length + cleanedFile.invalidItems.length,
		},
		helpers,
	);
}

export const importTargetUsersOperation = defineComposite({
	value: 'importFile',
	name: 'Import From File',
	action: 'Import target users from file',
	description: 'Import people from a CSV or Excel file',
	outputNote:
		"The first item is a summary of the import. Each further item is a row that was not imported, with the reason in 'reason'.",
	scope: 'company',
	fields: importFields,
	isReadOnly: false,
	dependencies: [
		uploadFileOperation,
		getUploadedColumnsOperation,
		mapColumnsOperation,
		getMappingJobOperation,
		getUploadedRowsOperation,
		importRowsOperation,
	],
	check: ({ file }) => {
		if (!file) throw new InvalidInputError('must not be empty', ['file']);
	},
	run: async ({ file, targetGroups, columns, options }, helpers) => {
		if (!file) throw new InvalidInputError('must not be empty', ['file']);
		const { importTimeout = DEFAULT_IMPORT_TIMEOUT_SECONDS, includeInactive = false } = options;
		const cleanedFile = cleanFileBeforeUpload(file, columns, includeInactive);
		if (!cleanedFile.hasRowsToUpload) {
			const rowCount = cleanedFile.invalidItems.length + cleanedFile.inactiveItems.length;
			const summary = {
				duplicateCount: 0,
				newUserCount: 0,
				existingUserCount: 0,
				invalidUserCount: cleanedFile.invalidItems.length,
			};
			return createImportOutput(cleanedFile, rowCount, summary, helpers);
		}
		const { data } = await helpers.callOperation(uploadFileOperation, { multipart: { File: cleanedFile.file } });
		const upload = parseResponseData(uploadSummarySchema, data);
		if (upload.rowCount === 0) throw new InvalidInputError('has no rows', ['file'], 'No people were imported.');
		const settings = {
			mappings: columns,
			targetGroupResourceIds: targetGroups,
			timeoutSeconds: importTimeout,
			includeInactive,
		};
		return await importUploadedFile(upload, cleanedFile, settings, helpers).catch((error: unknown) => {
			throw explainImportError(error, upload.transactionId);
		});
	},
});
