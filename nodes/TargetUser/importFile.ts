import { omit } from 'lodash';
import { z } from 'zod';

import { record } from '../shared/answer/record';
import { binaryInput } from '../shared/form/fields';
import { defineComposite, defineOperation, type Tools } from '../shared/operation/operation';
import { PERSON_ID } from '../shared/pickers/resources';
import { InvalidInput, rethrow, ServiceError } from '../shared/transport/errors';
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
} from './importCheck';
import { IMPORT_TIMEOUT, importFields, mappingsOf, type Mapping } from './importFields';
import { asInvalid, isInvalid, tellInvalid } from './importRows';
import { plural } from '../shared/values';

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

/** Maps the columns, waits, lists the invalid rows and imports the others. @returns the summary, then the invalid rows */
async function importUpload(
	uploaded: Uploaded,
	columns: readonly Mapping[],
	targetGroupResourceIds: string[],
	timeoutS: number,
	tools: Tools,
) {
	const { ask, list } = tools;
	const { transactionId } = uploaded;
	const path = { transactionId };
	const { fileFieldNames } = parsedAs(columnsShape, (await ask(getColumns, { path })).data);
	const fieldMappings = mappingsOf(columns, fileFieldNames);
	const { data: mapped } = await ask(map, { body: { transactionId, targetGroupResourceIds, fieldMappings } });
	const counts = await waitForRows(uploaded, mapped, timeoutS, tools);
	const shape = { identity: PERSON_ID, isWanted: isInvalid };
	const invalid = counts.invalidUserCount > 0 ? await list(getRows, { path }, shape) : [];
	const rows = invalid.map(asInvalid);
	tellInvalid(rows, uploaded, tools);
	for (const hint of differences(uploaded, counts, invalid.length)) tools.context.hint(hint);
	const isNobodyValid = counts.invalidUserCount > 0 && counts.invalidUserCount === countedIn(counts);
	if (!isNobodyValid) await ask(importRows, { path, body: { importType: 'All' } });
	const summary = { isSummary: true, ...uploaded, ...omit(counts, ['status', 'message']) };
	return [{ json: summary }, ...rows.map((json) => ({ json }))];
}

export const importFile = defineComposite({
	value: 'importFile',
	name: 'Import Target Users From File',
	description: 'Add the people of a CSV or Excel file, and list the rows that are not valid',
	outputNote:
		"The first item is the summary. Each row that is not valid is an item of its own, with why in 'reason'; 'isSummary' tells them apart.",
	scope: 'company',
	fields: importFields,
	reads: false,
	uses: [upload, getColumns, map, getJob, getRows, importRows],
	run: async ({ file, targetGroups, columns, options }, tools) => {
		if (!file) throw new InvalidInput('must not be empty', ['file']);
		const uploaded = parsedAs(uploadShape, (await tools.ask(upload, { form: { File: file } })).data);
		if (uploaded.rowCount === 0) throw new InvalidInput('has no rows', ['file'], 'Nobody was imported.');
		const { importTimeout = IMPORT_TIMEOUT } = options;
		const work = async () => await importUpload(uploaded, columns, targetGroups, importTimeout, tools);
		return await work().catch(async (error: unknown) => await explained(error, uploaded.transactionId));
	},
});
