import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { LARGE_PAGE_SIZE } from '../../core/pagination/readList';
import { record } from '../../core/response/recordResponse';
import { binaryInput } from '../../core/fields/fieldTypes';
import { defineComposite, defineOperation, type Tools } from '../../core/operation/defineOperation';
import { PERSON_ID } from '../../domain/pickers/resourcePickers';
import { InvalidInput, rethrow, ServiceError } from '../../core/http/errors';
import { getContent } from '../../core/http/request';
import {
	countedIn,
	getJob,
	getRows,
	ofUpload,
	parsedAs,
	uploadShape,
	waitForRows,
	type Counts,
	type Uploaded,
} from './checkImport';
import { IMPORT_TIMEOUT, importFields, mappingsOf, type Mapping } from './importFields';
import { isInvalid, sortRows, addLeftOutHint } from './importRows';
import { isExcel } from './importText';
import { isStatusColumn, prepareFile, type PreparedFile } from './prepareFile';
import { plural } from '../../core/values';

const upload = defineOperation({
	value: 'upload',
	name: 'Upload Target Users',
	description: 'Upload a file of people',
	endpoint: 'POST /api/target-users/upload',
	scope: 'company',
	answer: record(),
	fields: { file: binaryInput({ displayName: 'File' }) },
	request: ({ file }) => ({ form: { File: file } }),
});

const getColumns = defineOperation({
	value: 'getColumns',
	name: 'Get Columns',
	description: 'Read the columns of an uploaded file',
	endpoint: 'GET /api/target-users/upload/{transactionId}',
	...ofUpload,
});

const map = defineOperation({
	value: 'map',
	name: 'Map Columns',
	description: 'Tell what the columns of an uploaded file have',
	endpoint: 'POST /api/target-users/create-mapping',
	scope: 'company',
	answer: record(),
});

const importRows = defineOperation({
	value: 'importRows',
	name: 'Import Rows',
	description: 'Add the people of an uploaded file',
	endpoint: 'POST /api/target-users/{transactionId}/import',
	...ofUpload,
});

const columnsShape = z.object({ fileFieldNames: z.array(z.string()).catch([]) });
const AGAIN = 'Run the node again with the same file: people who are there already are not added twice.';

/** The same error with the transaction, and what to do: an upload that is not known any more has expired (deployment behaviour, 3). */
async function explained(error: unknown, transactionId: string): Promise<never> {
	if (!(error instanceof ServiceError) || error.details.cause === 'cancelled') return await rethrow(error);
	const { reason, advice, status } = error.details;
	const isExpired = status === 404;
	return await rethrow(
		new ServiceError({
			...error.details,
			reason: isExpired ? `the upload '${transactionId}' has expired (404)` : reason,
			advice: `${isExpired ? 'The platform keeps an uploaded file for a while only.' : `${advice} The transaction is '${transactionId}'.`} ${AGAIN}`,
		}),
	);
}

/** What the platform's counts leave open, for a person to look at. @param listed how many invalid rows it gave */
function differences({ rowCount, duplicateCount }: Uploaded, counts: Counts, listed: number): string[] {
	const { invalidUserCount } = counts;
	const found = countedIn(counts);
	const areAllCounted = found <= rowCount && found >= rowCount - duplicateCount;
	return [
		...(areAllCounted
			? []
			: [
					`The platform counts ${plural(rowCount, 'row')} in the file, and ${found} that are new, existing or not valid: blank lines, for example, are no people.`,
				]),
		...(listed === invalidUserCount
			? []
			: [`Rows that are not valid: the platform counts ${invalidUserCount}, and gives the reasons for ${listed}.`]),
	];
}

const COUNTS_INCLUDE_REFUSED =
	"'newUserCount' and 'existingUserCount' are the platform's counts. They include rows that the node left out afterwards.";

/** The choices in the form of an import. */
interface ImportChoices {
	columns: readonly Mapping[];
	targetGroupResourceIds: string[];
	timeoutS: number;
	includeInactive: boolean;
}

/**
 * Creates the output of an import: the summary, then the rows that were left out. Hints name these rows as well.
 * @param rowCount the number of rows in the file
 * @param summary the platform's counts of the rows that were uploaded
 */
function createOutput(
	{ invalid, inactive }: PreparedFile,
	rowCount: number,
	summary: IDataObject & Pick<Counts, 'newUserCount' | 'existingUserCount' | 'invalidUserCount'>,
	tools: Tools,
) {
	addLeftOutHint('Rows that are not valid were not imported.', invalid, rowCount, tools);
	addLeftOutHint(
		"Rows of people who are not active were not imported. To import them, turn on 'Include Inactive People'.",
		inactive,
		rowCount,
		tools,
	);
	const skipped = inactive.length > 0 ? { skippedUserCount: inactive.length } : {};
	const rows = [{ isSummary: true, ...summary, rowCount, ...skipped }, ...invalid, ...inactive];
	return rows.map((json) => ({ json }));
}

/**
 * Refuses an Excel file with a status column. Only the platform can read its cells, and no document says what the rows that it shows
 * have in `status` and `customFields` (deployment beyond).
 * @throws InvalidInput
 */
function checkStatusColumns(names: readonly string[]): void {
	const column = names.find(isStatusColumn);
	if (column === undefined) return;
	throw new InvalidInput(
		`has the column '${column}', and the node can't read it in an Excel file to leave out inactive people`,
		['file'],
		"No one was imported. To leave out inactive people, save the file as 'CSV UTF-8 (Comma delimited)' and import that. If everyone in it is active, remove the column, or turn on 'Include Inactive People' in the options.",
	);
}

/** Maps the columns of an uploaded file, waits until its rows are checked, and imports the valid ones. @returns the output of the import */
async function importUpload(uploaded: Uploaded, prepared: PreparedFile, choices: ImportChoices, tools: Tools) {
	const { ask, list, listComplete } = tools;
	const { columns, targetGroupResourceIds, timeoutS, includeInactive } = choices;
	const { transactionId } = uploaded;
	const path = { transactionId };
	const isWorkbook = isExcel(getContent(prepared.file));
	const { fileFieldNames } = parsedAs(columnsShape, (await ask(getColumns, { path })).data);
	if (isWorkbook && !includeInactive) checkStatusColumns(fileFieldNames);
	const fieldMappings = mappingsOf(columns, fileFieldNames);
	const { data: mapped } = await ask(map, { body: { transactionId, targetGroupResourceIds, fieldMappings } });
	const counts = await waitForRows(uploaded, mapped, timeoutS, tools);
	// The rows of a CSV file were checked before the upload. Those of an Excel file can only be checked now.
	const shape = { identity: PERSON_ID, pageSize: LARGE_PAGE_SIZE };
	const readInvalid = async () =>
		counts.invalidUserCount > 0 ? await list(getRows, { path }, { ...shape, isWanted: isInvalid }) : [];
	const rows = isWorkbook ? await listComplete(getRows, { path }, shape) : await readInvalid();
	const { invalid, refused, acceptedIds } = sortRows(rows);
	for (const hint of differences(uploaded, counts, invalid.length)) tools.context.hint(hint);
	if (refused.length > 0) tools.context.hint(COUNTS_INCLUDE_REFUSED, plural(refused.length, 'row'));
	const isEveryRowInvalid = counts.invalidUserCount > 0 && counts.invalidUserCount === countedIn(counts);
	const body: IDataObject =
		refused.length === 0 ? { importType: 'All' } : { importType: 'Selected', selectedResourceIds: acceptedIds };
	const isNobodyLeft = refused.length === 0 ? isEveryRowInvalid : acceptedIds.length === 0;
	if (!isNobodyLeft) await ask(importRows, { path, body });
	return createOutput(
		{ ...prepared, invalid: [...invalid, ...refused, ...prepared.invalid] },
		uploaded.rowCount + prepared.invalid.length + prepared.inactive.length,
		{
			...uploaded,
			...omit(counts, ['status', 'message']),
			invalidUserCount: counts.invalidUserCount + refused.length + prepared.invalid.length,
		},
		tools,
	);
}

export const importFile = defineComposite({
	value: 'importFile',
	name: 'Import Target Users From File',
	description: 'Add the people of a CSV or Excel file, and list the rows that are not valid',
	outputNote:
		"The first item is the summary. Each row that was not imported is a separate item, and 'reason' says why. 'isSummary' is true only for the summary. 'skippedUserCount' is the number of people who were left out because of their status, such as inactive, disabled or guest.",
	scope: 'company',
	fields: importFields,
	reads: false,
	uses: [upload, getColumns, map, getJob, getRows, importRows],
	check: ({ file }) => {
		if (!file) throw new InvalidInput('must not be empty', ['file']);
	},
	run: async ({ file, targetGroups, columns, options }, tools) => {
		if (!file) throw new InvalidInput('must not be empty', ['file']);
		const { importTimeout: timeoutS = IMPORT_TIMEOUT, includeInactive = false } = options;
		const prepared = prepareFile(file, columns, includeInactive);
		if (!prepared.hasRows) {
			const rowCount = prepared.invalid.length + prepared.inactive.length;
			const summary = {
				duplicateCount: 0,
				newUserCount: 0,
				existingUserCount: 0,
				invalidUserCount: prepared.invalid.length,
			};
			return createOutput(prepared, rowCount, summary, tools);
		}
		const uploaded = parsedAs(uploadShape, (await tools.ask(upload, { form: { File: prepared.file } })).data);
		if (uploaded.rowCount === 0) throw new InvalidInput('has no rows', ['file'], 'Nobody was imported.');
		const choices = { columns, targetGroupResourceIds: targetGroups, timeoutS, includeInactive };
		return await importUpload(uploaded, prepared, choices, tools).catch((error: unknown) =>
			explained(error, uploaded.transactionId),
		);
	},
});
