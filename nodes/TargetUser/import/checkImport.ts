import { z } from 'zod';

import { pages } from '../../core/response/listResponse';
import { record } from '../../core/response/recordResponse';
import { idField } from '../../core/fields/fieldTypes';
import { defineOperation, type Tools } from '../../core/operation/defineOperation';
import { PERSON_ID } from '../../domain/pickers/resourcePickers';
import { pause } from '../../core/http/concurrency';
import { isRefused, rethrow, ServiceError } from '../../core/http/errors';
import { unexpectedResponse } from '../../core/http/responseErrors';
import { identityOf, plural, toJson } from '../../core/values';
import { searchFilter } from '../../core/http/requestVariants';

/** What the requests about one upload have in common (deployment beyond). */
export const ofUpload = {
	scope: 'company' as const,
	answer: record(),
	fields: { transactionId: idField({ displayName: 'Transaction ID' }) },
	request: (path: { transactionId: string }) => ({ path }),
};

export const getJob = defineOperation({
	value: 'getJob',
	name: 'Get Mapping Job',
	description: 'Read how far the check of the rows of an uploaded file is',
	endpoint: 'GET /api/target-users/mapping-job/{resourceId}',
	scope: 'company',
	answer: record(),
	fields: { job: idField({ displayName: 'Job ID' }) },
	request: ({ job }) => ({ path: { resourceId: job } }),
});

export const getRows = defineOperation({
	value: 'getRows',
	name: 'Get Rows',
	description: 'List the rows of an uploaded file',
	endpoint: 'POST /api/target-users/{transactionId}/search',
	...ofUpload,
	answer: pages({ identity: PERSON_ID }),
});

const count = z.number().catch(0);
export const uploadShape = z.object({ transactionId: z.string().min(1), rowCount: z.number(), duplicateCount: count });
const importStatus = z.object({ status: z.string().catch(''), message: z.string().catch('') });
const countsShape = importStatus.extend({ newUserCount: count, existingUserCount: count, invalidUserCount: count });
export type Uploaded = z.infer<typeof uploadShape>;

export type Counts = z.infer<typeof countsShape>;

export const countedIn = ({ newUserCount, existingUserCount, invalidUserCount }: Counts) =>
	newUserCount + existingUserCount + invalidUserCount;

/** @throws ServiceError for an answer of another form */
export function parsedAs<T>(shape: z.ZodType<T, z.ZodTypeDef, unknown>, data: unknown): T {
	const read = shape.safeParse(data);
	if (!read.success) throw unexpectedResponse(data);
	return read.data;
}

/** How long to wait before the platform is asked again whether it has checked all rows, in ms: at first, and at most. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** The platform's word for a check that is over; any other one but a failure's means that it is not. */
const isOver = (status: string) => /^completed$/i.test(status);

/** Whether a status tells anything; 'SUCCESS' only tells that the request was answered, as in an envelope (contract 2.1). */
const tells = (status: string) => !/^(success)?$/i.test(status);

/** @throws ServiceError if a status is the word for a failure */
function refuseFailed({ status, message }: z.infer<typeof importStatus>): void {
	if (!/^(\w*error|fail(ed|ure)?)$/i.test(status)) return;
	throw new ServiceError({
		reason: `the platform could not check the rows: ${message || status}`,
		advice: 'Nobody was imported. If it is about the file, put that right.',
	});
}

const notInTime = (rowCount: number, timeoutS: number, said = '') =>
	new ServiceError({
		cause: 'temporarily-unavailable',
		reason: `the platform has not checked all ${plural(rowCount, 'row')} within ${plural(timeoutS, 'second')}; its last word was '${said}'`,
		advice: "Nobody was imported. Raise 'Import Timeout' in the node's options.",
	});

/** How far the job that checks the rows is. @returns undefined if the platform does not tell @throws ServiceError if it failed */
async function statusOf(job: string, { ask }: Tools): Promise<string | undefined> {
	try {
		const read = parsedAs(importStatus, toJson((await ask(getJob, { path: { resourceId: job } })).data));
		refuseFailed(read);
		return tells(read.status) ? read.status : undefined;
	} catch (error) {
		// Empty data means that the status is not known yet (deployment onboarding, 1).
		const isUnknown = isRefused(error) || (error instanceof ServiceError && error.details.hasNoData === true);
		return isUnknown ? undefined : await rethrow(error);
	}
}

/**
 * Waits until the platform has checked all rows: asks its job and, when that is completed, for the counts (deployment behaviour,
 * 2). Where neither tells a status, the counts of new, existing and invalid rows must add up to those of the file. Whether
 * duplicates are counted among them no document says; without them, the counts must stay the same for one pause.
 * @param mapped what the request to check them answered
 * @throws ServiceError if the check failed, and after the time-out
 */
export async function waitForRows(
	uploaded: Uploaded,
	mapped: unknown,
	timeoutS: number,
	tools: Tools,
): Promise<Counts> {
	const { transactionId, rowCount, duplicateCount } = uploaded;
	const { service, signal } = tools.context;
	const body = { pageNumber: 1, pageSize: 1, orderBy: 'Email', ascending: true, filter: searchFilter() };
	const end = Date.now() + timeoutS * 1000;
	const id = identityOf(toJson(mapped, 'resourceId'), ['resourceId']) ?? transactionId;
	let job: string | undefined = '';
	for (let before = -1, wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
		if (job !== undefined && !isOver(job)) job = await statusOf(id, tools);
		let said = job;
		if (job === undefined || isOver(job)) {
			const counts = parsedAs(countsShape, (await tools.ask(getRows, { path: { transactionId }, body })).data);
			refuseFailed(counts);
			const found = countedIn(counts);
			const addUp = found >= rowCount || (found >= rowCount - duplicateCount && found === before);
			if (isOver(counts.status) || addUp || (job !== undefined && !tells(counts.status))) return counts;
			said = tells(counts.status) ? counts.status : `${found} checked`;
			before = found;
		}
		if (Date.now() >= end) throw notInTime(rowCount, timeoutS, said);
		await pause(wait, service.signal ?? signal);
	}
}
