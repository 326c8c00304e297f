import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { fileField } from '../../core/fields/fieldTypes';
import { toError, InvalidInputError, RequestError } from '../../core/http/errors';
import { getFileContent } from '../../core/http/request';
import { defineComposite, defineOperation, type OperationTools } from '../../core/operation/defineOperation';
import { LARGE_PAGE_SIZE } from '../../core/pagination/readList';
import { recordResponse } from '../../core/response/recordResponse';
import { formatCount } from '../../core/values';
import { TARGET_USER_ID_FIELDS } from '../../domain/pickers/resourcePickers';
import {
	getMappingJobOperation,
	getUploadedRowsOperation,
	parseImportResponse,
	sumImportCounts,
	uploadedFileDefinition,
	uploadSchema,
	waitForCheckedRows,
	type ImportCounts,
	type UploadSummary,
} from './checkImport';
import { DEFAULT_IMPORT_TIMEOUT_SECONDS, importFields, mapColumns, type ColumnMapping } from './importFields';
import { addLeftOutHint, isInvalidRow, sortRows } from './importRows';
import { isExcel } from './importText';
import { isStatusColumn, prepareFile, type PreparedFile } from './prepareFile';

const uploadFileOperation = defineOperation({
	value: 'upload',
	name: 'Upload Target Users',
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
	description: 'Read the columns of an uploaded file',
	endpoint: 'GET /api/target-users/upload/{transactionId}',
	...uploadedFileDefinition,
});

const mapColumnsOperation = defineOperation({
	value: 'map',
	name: 'Map Columns',
	description: 'Tell what the columns of an uploaded file have',
	endpoint: 'POST /api/target-users/create-mapping',
	scope: 'company',
	response: recordResponse(),
});

const importRowsOperation = defineOperation({
	value: 'importRows',
	name: 'Import Rows',
	description: 'Add the people of an uploaded file',
	endpoint: 'POST /api/target-users/{transactionId}/import',
	...uploadedFileDefinition,
});

const uploadedColumnsSchema = z.object({ fileFieldNames: z.array(z.string()).catch([]) });

const RUN_AGAIN_ADVICE = 'Run the node again with the same file: people who are there already are not added twice.';

/**
 * Adds the transaction ID and advice to the error of an import. If the platform doesn't know the upload (404), the upload has expired
 * (deployment behaviour 3).
 * @returns the unchanged error if it isn't about a request, or if the run was stopped
 */
function explainImportError(error: unknown, transactionId: string): Error {
	if (!(error instanceof RequestError) || error.details.cause === 'cancelled') return toError(error);
	const { advice, status } = error.details;
	if (status === 404)
		return new RequestError({
			...error.details,
			reason: `the upload '${transactionId}' has expired (404)`,
			advice: `The platform keeps an uploaded file for a while only. ${RUN_AGAIN_ADVICE}`,
		});
	return new RequestError({
		...error.details,
		advice: `${advice} The transaction is '${transactionId}'. ${RUN_AGAIN_ADVICE}`,
	});
}

/**
 * Describes where the platform's counts differ from the rows in the file, so that the user can check the file.
 * @param listedInvalidCount the number of invalid rows that the platform gave a reason for
 */
function describeCountDifferences(upload: UploadSummary, counts: ImportCounts, listedInvalidCount: number): string[] {
	const { rowCount, duplicateCount } = upload;
	const { invalidUserCount } = counts;
	const differences: string[] = [];
	const checkedCount = sumImportCounts(counts);
	if (checkedCount > rowCount || checkedCount < rowCount - duplicateCount)
		differences.push(
			`The platform counts ${formatCount(rowCount, 'row')} in the file, and ${checkedCount} that are new, existing or not valid: blank lines, for example, are no people.`,
		);
	if (listedInvalidCount !== invalidUserCount)
		differences.push(
			`Rows that are not valid: the platform counts ${invalidUserCount}, and gives the reasons for ${listedInvalidCount}.`,
		);
	return differences;
}

const COUNTS_INCLUDE_REJECTED_HINT =
	"'newUserCount' and 'existingUserCount' are the platform's counts. They include rows that the node left out afterwards.";

/** The values from the form of an import. */
interface ImportSettings {
	mappings: readonly ColumnMapping[];
	targetGroupResourceIds: string[];
	timeoutSeconds: number;
	includeInactive: boolean;
}

/**
 * Creates the output of an import: the summary, then the rows that were left out. Also adds hints about these rows.
 * @param rowCount the number of rows in the file
 * @param summary the platform's counts of the uploaded rows, or zeros if no row was uploaded
 */
function createOutput(
	{ invalidItems, inactiveItems }: Pick<PreparedFile, 'invalidItems' | 'inactiveItems'>,
	rowCount: number,
	summary: IDataObject & Pick<ImportCounts, 'newUserCount' | 'existingUserCount' | 'invalidUserCount'>,
	tools: OperationTools,
) {
	addLeftOutHint('Rows that are not valid were not imported.', invalidItems, rowCount, tools);
	addLeftOutHint(
		"Rows of people who are not active were not imported. To import them, turn on 'Include Inactive People'.",
		inactiveItems,
		rowCount,
		tools,
	);
	const summaryItem: IDataObject = { isSummary: true, ...summary, rowCount };
	if (inactiveItems.length > 0) summaryItem.skippedUserCount = inactiveItems.length;
	return [summaryItem, ...invalidItems, ...inactiveItems].map((json) => ({ json }));
}

/**
 * Rejects an Excel file with a status column, because the node can't find the inactive people in it. Only the platform can read its cells,
 * and no document describes the fields `status` and `customFields` of the rows that the platform returns (deployment beyond, "People").
 * @throws InvalidInputError
 */
function rejectStatusColumn(columnNames: readonly string[]): void {
	const statusColumn = columnNames.find(isStatusColumn);
	if (statusColumn === undefined) return;
	throw new InvalidInputError(
		`has the column '${statusColumn}', and the node can't read it in an Excel file to leave out inactive people`,
		['file'],
		"No one was imported. To leave out inactive people, save the file as 'CSV UTF-8 (Comma delimited)' and import that. If everyone in it is active, remove the column, or turn on 'Include Inactive People' in the options.",
	);
}

/**
 * Reads the rows that the platform has checked. For a CSV file, it reads only the rows that the platform found invalid, because the node
 * itself checked the rows before the upload. For an Excel file, it reads all rows, because the node could not check them before.
 */
async function readCheckedRows(
	transactionId: string,
	invalidCount: number,
	isExcelFile: boolean,
	tools: OperationTools,
): Promise<IDataObject[]> {
	const path = { transactionId };
	const options = { identity: TARGET_USER_ID_FIELDS, pageSize: LARGE_PAGE_SIZE };
	if (isExcelFile) return await tools.listRecordsCompletely(getUploadedRowsOperation, { path }, options);
	if (invalidCount <= 0) return [];
	return await tools.listRecords(getUploadedRowsOperation, { path }, { ...options, shouldKeep: isInvalidRow });
}

/** Maps the columns of an uploaded file, waits until its rows are checked, and imports the valid ones. @returns the output of the import */
async function importUploadedFile(
	upload: UploadSummary,
	preparedFile: PreparedFile,
	settings: ImportSettings,
	tools: OperationTools,
) {
	const { mappings, targetGroupResourceIds, timeoutSeconds, includeInactive } = settings;
	const { transactionId } = upload;
	const path = { transactionId };
	const isExcelFile = isExcel(getFileContent(preparedFile.file));
	const { data: columnsData } = await tools.callOperation(getUploadedColumnsOperation, { path });
	const { fileFieldNames } = parseImportResponse(uploadedColumnsSchema, columnsData);
	if (isExcelFile && !includeInactive) rejectStatusColumn(fileFieldNames);
	const fieldMappings = mapColumns(mappings, fileFieldNames);
	const { data: mappingData } = await tools.callOperation(mapColumnsOperation, {
		body: { transactionId, targetGroupResourceIds, fieldMappings },
	});
	const counts = await waitForCheckedRows(upload, mappingData, timeoutSeconds, tools);
	const rows = await readCheckedRows(transactionId, counts.invalidUserCount, isExcelFile, tools);
	const { invalidItems, rejectedItems, acceptedIds } = sortRows(rows);
	for (const hint of describeCountDifferences(upload, counts, invalidItems.length)) tools.context.addHint(hint);
	const hasRejectedRows = rejectedItems.length > 0;
	if (hasRejectedRows) tools.context.addHint(COUNTS_INCLUDE_REJECTED_HINT, formatCount(rejectedItems.length, 'row'));
	const isEveryRowInvalid = counts.invalidUserCount > 0 && counts.invalidUserCount === sumImportCounts(counts);
	const hasNothingToImport = hasRejectedRows ? acceptedIds.length === 0 : isEveryRowInvalid;
	const body: IDataObject = hasRejectedRows
		? { importType: 'Selected', selectedResourceIds: acceptedIds }
		: { importType: 'All' };
	if (!hasNothingToImport) await tools.callOperation(importRowsOperation, { path, body });
	const removedRowCount = preparedFile.invalidItems.length + preparedFile.inactiveItems.length;
	return createOutput(
		{
			invalidItems: [...invalidItems, ...rejectedItems, ...preparedFile.invalidItems],
			inactiveItems: preparedFile.inactiveItems,
		},
		upload.rowCount + removedRowCount,
		{
			...upload,
			...omit(counts, ['status', 'message']),
			invalidUserCount: counts.invalidUserCount + rejectedItems.length + preparedFile.invalidItems.length,
		},
		tools,
	);
}

export const importTargetUsersOperation = defineComposite({
	value: 'importFile',
	name: 'Import Target Users From File',
	description: 'Add the people of a CSV or Excel file, and list the rows that are not valid',
	outputNote:
		"The first item is the summary. Each row that was not imported is a separate item, and 'reason' says why. 'isSummary' is true only for the summary. 'skippedUserCount' is the number of people who were left out because of their status, such as inactive, disabled or guest.",
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
	run: async ({ file, targetGroups, columns, options }, tools) => {
		if (!file) throw new InvalidInputError('must not be empty', ['file']);
		const { importTimeout = DEFAULT_IMPORT_TIMEOUT_SECONDS, includeInactive = false } = options;
		const preparedFile = prepareFile(file, columns, includeInactive);
		if (!preparedFile.hasRows) {
			const rowCount = preparedFile.invalidItems.length + preparedFile.inactiveItems.length;
			const summary = {
				duplicateCount: 0,
				newUserCount: 0,
				existingUserCount: 0,
				invalidUserCount: preparedFile.invalidItems.length,
			};
			return createOutput(preparedFile, rowCount, summary, tools);
		}
		const { data } = await tools.callOperation(uploadFileOperation, { multipart: { File: preparedFile.file } });
		const upload = parseImportResponse(uploadSchema, data);
		if (upload.rowCount === 0) throw new InvalidInputError('has no rows', ['file'], 'Nobody was imported.');
		const settings = {
			mappings: columns,
			targetGroupResourceIds: targetGroups,
			timeoutSeconds: importTimeout,
			includeInactive,
		};
		return await importUploadedFile(upload, preparedFile, settings, tools).catch((error: unknown) => {
			throw explainImportError(error, upload.transactionId);
		});
	},
});
