import { z } from 'zod';

import { buildSearchFilter } from '../../core/api/searchFilter';
import { idField } from '../../core/fields/fieldTypes';
import { toError, isRejected, RequestError } from '../../core/http/errors';
import { createUnexpectedResponseError } from '../../core/http/responseErrors';
import { pause } from '../../core/http/clock';
import { defineOperation, type OperationHelpers } from '../../core/operation/defineOperation';
import { listResponse } from '../../core/response/listResponse';
import { recordResponse } from '../../core/response/recordResponse';
import { formatCount, readId, toItemJson } from '../../core/values';
import { TARGET_USER_ID_FIELDS } from '../../domain/pickers/resourcePickers';

/** The properties that the definitions of all operations on one uploaded file share (deployment beyond, "People"). */
export const uploadedFileOperationBase = {
	scope: 'company' as const,
	response: recordResponse(),
	fields: { transactionId: idField({ displayName: 'Transaction ID' }) },
	request: (path: { transactionId: string }) => ({ path }),
};

export const getMappingJobOperation = defineOperation({
	value: 'getJob',
	name: 'Get Mapping Job',
	action: 'Get mapping job',
	description: 'Read how far the check of the rows of an uploaded file is',
	endpoint: 'GET /api/target-users/mapping-job/{resourceId}',
	scope: 'company',
	response: recordResponse(),
	fields: { job: idField({ displayName: 'Job ID' }) },
	request: ({ job }) => ({ path: { resourceId: job } }),
});

export const getUploadedRowsOperation = defineOperation({
	value: 'getRows',
	name: 'Get Rows',
	action: 'Get rows',
	description: 'List the rows of an uploaded file',
	endpoint: 'POST /api/target-users/{transactionId}/search',
	...uploadedFileOperationBase,
	response: listResponse({ identity: TARGET_USER_ID_FIELDS }),
});

const countSchema = z.number().catch(0);

/** The data of the response to an upload. */
export const uploadSummarySchema = z.object({
	transactionId: z.string().min(1),
	rowCount: z.number(),
	duplicateCount: countSchema,
});

export type UploadSummary = z.infer<typeof uploadSummarySchema>;

const checkStatusSchema = z.object({ status: z.string().catch(''), message: z.string().catch('') });

const checkedRowCountsSchema = checkStatusSchema.extend({
	newUserCount: countSchema,
	existingUserCount: countSchema,
	invalidUserCount: countSchema,
});

/** The numbers of new, existing and invalid people among the rows that the platform has checked. */
export type CheckedRowCounts = z.infer<typeof checkedRowCountsSchema>;

/** Returns the number of rows that the platform has checked. */
export const sumCheckedRowCounts = ({ newUserCount, existingUserCount, invalidUserCount }: CheckedRowCounts): number =>
	newUserCount + existingUserCount + invalidUserCount;

/** Parses the data of a response. @throws RequestError if the data doesn't match the schema */
export function parseResponseData<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, data: unknown): T {
	const result = schema.safeParse(data);
	if (!result.success) throw createUnexpectedResponseError(data);
	return result.data;
}

/**
 * The first pause between two requests for the status, in ms. Each pause is twice as long as the previous one, up to `LONGEST_PAUSE_MS`.
 */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Returns true if the check of the rows has succeeded. Any other status, except a failure, means that the check is still running. */
const isCompletedStatus = (status: string) => /^completed$/i.test(status);

/**
 * Returns true if a status is about the check of the rows. 'SUCCESS' only says that the request succeeded, as in the envelope of every
 * response (contract 2.1), and an empty status says nothing.
 */
const isCheckStatus = (status: string) => !/^(success)?$/i.test(status);

/** Rejects a status that means that the check of the rows failed. @throws RequestError */
function rejectFailedStatus({ status, message }: z.infer<typeof checkStatusSchema>): void {
	if (!/^(\w*error|fail(ed|ure)?)$/i.test(status)) return;
	throw new RequestError({
		reason: `the platform could not check the rows: ${message || status}`,
		advice: 'No people were imported. If the message is about the file, correct the file and run the node again.',
	});
}

const createCheckTimeoutError = (rowCount: number, timeoutSeconds: number, lastStatus = '') =>
	new RequestError({
		cause: 'temporarily-unavailable',
		reason: `the platform has not checked all ${formatCount(rowCount, 'row')} within ${formatCount(timeoutSeconds, 'second')}; the last status was '${lastStatus}'`,
		advice: "No people were imported. Increase 'Import Timeout' in the options.",
	});

/**
 * Reads the status of the job that checks the rows.
 * @returns undefined if the platform doesn't show the status
 * @throws RequestError if the check failed
 */
async function readJobStatus(jobId: string, helpers: OperationHelpers): Promise<string | undefined> {
	try {
		const { data } = await helpers.callOperation(getMappingJobOperation, { path: { resourceId: jobId } });
		const job = parseResponseData(checkStatusSchema, toItemJson(data));
		rejectFailedStatus(job);
		return isCheckStatus(job.status) ? job.status : undefined;
	} catch (error) {
		// Empty data means that the status isn't known yet (deployment onboarding 1).
		const isEmptyResponse = error instanceof RequestError && error.details.hasNoData === true;
		if (isRejected(error) || isEmptyResponse) return undefined;
		throw toError(error);
	}
}

/** Reads how many rows the platform has checked so far. @throws RequestError if the check failed */
async function readCheckedRowCounts(transactionId: string, helpers: OperationHelpers): Promise<CheckedRowCounts> {
	const body = { pageNumber: 1, pageSize: 1, orderBy: 'Email', ascending: true, filter: buildSearchFilter() };
	const { data } = await helpers.callOperation(getUploadedRowsOperation, { path: { transactionId }, body });
	const counts = parseResponseData(checkedRowCountsSchema, data);
	rejectFailedStatus(counts);
	return counts;
}

/**
 * Waits until the platform has checked all rows. It first waits for the job, then reads the counts (deployment behaviour 2). If neither the
 * job nor the counts show a status, the check has ended when the counts add up to the number of rows in the file. No document says if the
 * counts include duplicates. If they add up only to the number of rows without duplicates, they must also stay the same for one pause.
 * @param mappingData the data of the response to the request that started the check
 * @param timeoutSeconds how long to wait
 * @throws RequestError if the check failed or takes too long
 */
export async function waitForCheckedRows(
	upload: UploadSummary,
	mappingData: unknown,
	timeoutSeconds: number,
	helpers: OperationHelpers,
): Promise<CheckedRowCounts> {
	const { transactionId, rowCount, duplicateCount } = upload;
	const { client, signal } = helpers.context;
	const deadline = Date.now() + timeoutSeconds * 1000;
	const jobId = readId(toItemJson(mappingData, 'resourceId'), ['resourceId']) ?? transactionId;
	// The status is empty until it is read, and undefined if the platform doesn't show it.
	let jobStatus: string | undefined = '';
	let previousCheckedCount = -1;
	let pauseMs = FIRST_PAUSE_MS;
	for (;;) {
		if (jobStatus !== undefined && !isCompletedStatus(jobStatus)) jobStatus = await readJobStatus(jobId, helpers);
		let lastStatus = jobStatus;
		if (jobStatus === undefined || isCompletedStatus(jobStatus)) {
			const counts = await readCheckedRowCounts(transactionId, helpers);
			const checkedCount = sumCheckedRowCounts(counts);
			const hasAllRowsExceptDuplicates =
				checkedCount >= rowCount - duplicateCount && checkedCount === previousCheckedCount;
			const hasAllRows = checkedCount >= rowCount || hasAllRowsExceptDuplicates;
			// A completed job means that the check has ended, unless the counts have a status of their own that is not completed.
			const isJobStatusDecisive = jobStatus !== undefined && !isCheckStatus(counts.status);
			if (isCompletedStatus(counts.status) || hasAllRows || isJobStatusDecisive) return counts;
			lastStatus = isCheckStatus(counts.status) ? counts.status : `${checkedCount} checked`;
			previousCheckedCount = checkedCount;
		}
		if (Date.now() >= deadline) throw createCheckTimeoutError(rowCount, timeoutSeconds, lastStatus);
		await pause(pauseMs, client.stopSignal ?? signal);
		pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
	}
}
