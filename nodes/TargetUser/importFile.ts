import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { pages } from '../shared/answer/pages';
import { record } from '../shared/answer/record';
import { binaryInput, idField } from '../shared/form/fields';
import { searchFilter } from '../shared/form/search';
import { defineComposite, defineOperation, type Tools } from '../shared/operation/operation';
import { PERSON_ID } from '../shared/pickers/resources';
import { pause } from '../shared/transport/concurrency';
import { InvalidInput, rethrow, ServiceError } from '../shared/transport/errors';
import { unexpectedResponse } from '../shared/transport/explain';
import { plural } from '../shared/transport/text';
import { IMPORT_TIMEOUT, importFields, mappingsOf, type Mapping } from './importFields';

/** What the requests about one upload have in common (deployment beyond). */
const ofUpload = {
	isOptional: true,
	scope: 'company' as const,
	answer: record(),
	fields: { transactionId: idField({ displayName: 'Transaction ID' }) },
	request: (path: { transactionId: string }) => ({ path }),
};

const upload = defineOperation({
	value: 'upload',
	name: 'Upload Target Users',
	description: 'Upload a file of people',
	contract: 'POST /api/target-users/upload',
	isOptional: true,
	scope: 'company',
	answer: record(),
	fields: { file: binaryInput({ displayName: 'File' }) },
	request: ({ file }) => ({ form: { File: file } }),
});

const getColumns = defineOperation({
	value: 'getColumns',
	name: 'Get Columns',
	description: 'Read the columns of an uploaded file',
	contract: 'GET /api/target-users/upload/{transactionId}',
	...ofUpload,
});

const map = defineOperation({
	value: 'map',
	name: 'Map Columns',
	description: 'Tell what the columns of an uploaded file have',
	contract: 'POST /api/target-users/create-mapping',
	isOptional: true,
	scope: 'company',
	answer: record(),
});

const getRows = defineOperation({
	value: 'getRows',
	name: 'Get Rows',
	description: 'List the rows of an uploaded file',
	contract: 'POST /api/target-users/{transactionId}/search',
	...ofUpload,
	answer: pages({ identity: PERSON_ID }),
});

const importRows = defineOperation({
	value: 'importRows',
	name: 'Import Rows',
	description: 'Add the people of an uploaded file',
	contract: 'POST /api/target-users/{transactionId}/import',
	...ofUpload,
});

const count = z.number().catch(0);
const uploadShape = z.object({ transactionId: z.string().min(1), rowCount: z.number(), duplicateCount: count });
const columnsShape = z.object({ fileFieldNames: z.array(z.string()).catch([]) });
const countsShape = z.object({ newUserCount: count, existingUserCount: count, invalidUserCount: count });
const detailShape = z.object({ validationDetail: z.array(z.unknown()).min(1) });

type Uploaded = z.infer<typeof uploadShape>;

/** @throws ServiceError for an answer of another form */
function parsed<T>(shape: z.ZodType<T, z.ZodTypeDef, unknown>, data: unknown): T {
	const read = shape.safeParse(data);
	if (!read.success) throw unexpectedResponse(data);
	return read.data;
}

const isInvalid = (row: IDataObject) => detailShape.safeParse(row).success;

/** How long to wait before the platform is asked again whether it has checked all rows, in ms: at first, and at most. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 5000];

const AGAIN = 'Run the node again with the same file: people who are there already are not added twice.';

/**
 * Waits until the platform has checked all rows: then the counts of new, existing and invalid ones add up to those of the file.
 * Whether duplicates are counted among them no document says; without them, the counts must stay the same for one pause.
 * @throws ServiceError after the time-out
 */
async function waitForRows(
	{ transactionId, rowCount, duplicateCount }: Uploaded,
	timeoutS: number,
	{ ask, context: { service, signal } }: Tools,
) {
	const path = { transactionId };
	const body = { pageNumber: 1, pageSize: 1, orderBy: 'Email', ascending: true, filter: searchFilter() };
	const end = Date.now() + timeoutS * 1000;
	for (let before = -1, wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
		const counts = parsed(countsShape, (await ask(getRows, { path, body })).data);
		const found = counts.newUserCount + counts.existingUserCount + counts.invalidUserCount;
		if (found >= rowCount || (found >= rowCount - duplicateCount && found === before)) return counts;
		if (Date.now() >= end)
			throw new ServiceError({
				cause: 'temporarily-unavailable',
				reason: `the platform has checked ${found} of ${plural(rowCount, 'row')} within ${plural(timeoutS, 'second')}`,
				advice: "Nobody was imported. Raise 'Import Timeout' in the node's options.",
			});
		await pause(wait, service.signal ?? signal);
		before = found;
	}
}

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
	const { fileFieldNames } = parsed(columnsShape, (await ask(getColumns, { path })).data);
	const fieldMappings = mappingsOf(columns, fileFieldNames);
	await ask(map, { body: { transactionId, targetGroupResourceIds, fieldMappings } });
	const counts = await waitForRows(uploaded, timeoutS, tools);
	const shape = { identity: PERSON_ID, filter: isInvalid };
	const invalid = counts.invalidUserCount > 0 ? await list(getRows, { path }, shape) : [];
	if (invalid.length !== counts.invalidUserCount)
		tools.context.hint(
			`Rows that are not valid: the platform counts ${counts.invalidUserCount}, and gives the reasons for ${invalid.length}.`,
		);
	const isAnyValid = counts.newUserCount + counts.existingUserCount > 0;
	if (isAnyValid) await ask(importRows, { path, body: { importType: 'All' } });
	const summary = { isSummary: true, ...uploaded, ...counts };
	return [{ json: summary }, ...invalid.map((row) => ({ json: { isSummary: false, ...row } }))];
}

export const importFile = defineComposite({
	value: 'importFile',
	name: 'Import Target Users From File',
	description: 'Add the people of a CSV or Excel file, and list the rows that are not valid',
	outputNote:
		"The first item is the summary. Each row that is not valid is an item of its own, with the reasons in 'validationDetail'; 'isSummary' tells them apart.",
	scope: 'company',
	fields: importFields,
	takesFile: true,
	reads: false,
	uses: [upload, getColumns, map, getRows, importRows],
	run: async ({ file, targetGroups, columns, options }, tools) => {
		if (!file) throw new InvalidInput('must not be empty', ['file']);
		const uploaded = parsed(uploadShape, (await tools.ask(upload, { form: { File: file } })).data);
		if (uploaded.rowCount === 0) throw new InvalidInput('has no rows', ['file'], 'Nobody was imported.');
		const { importTimeout = IMPORT_TIMEOUT } = options;
		const work = async () => await importUpload(uploaded, columns, targetGroups, importTimeout, tools);
		return await work().catch(async (error: unknown) => await explained(error, uploaded.transactionId));
	},
});
