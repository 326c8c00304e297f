import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { toError, isCancellationError } from '../core/http/errors';
import type { AnyRequestParts, Operation, OperationHelpers } from '../core/operation/defineOperation';
import { toItemJson } from '../core/values';

/** The values of the output field `result`, which says what an operation did with a record. */
export type WriteResult =
	/** Something was created, and isn't sent yet. */
	| 'created'
	| 'started'
	| 'scheduled'
	| 'stopped'
	| 'sent'
	/** Nothing was sent, because there was no one to send it to. */
	| 'nothingSent'
	/** The recipients were only counted. */
	| 'counted'
	| 'turnedOn'
	| 'turnedOff'
	| 'statusChanged'
	| 'restored';

/**
 * Builds the output fields that say what an operation did, when, and in which time zone the time is written.
 * @param timezone an IANA name. With any other name, the time is written as it is in `time`.
 * @param time ISO 8601; by default the current time, for what is done at once
 */
export const describeWrite = (
	result: WriteResult,
	timezone: string,
	time = new Date().toISOString(),
): { result: WriteResult; time: string; timeZone: string } => ({
	result,
	time: DateTime.fromISO(time, { zone: timezone }).toISO() ?? time,
	timeZone: timezone,
});

/**
 * Reads something that only adds details to the output of a write, such as the record's name. The write doesn't depend on it, so a failed
 * request is ignored. If the record doesn't exist, the platform's response to the write says so.
 * @returns undefined if the request failed
 * @throws RequestError only if the run was stopped
 */
export async function readIfPossible<T>(read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (isCancellationError(error)) throw toError(error);
		return undefined;
	}
}

/** Reads a record like `readIfPossible`. @returns an empty object if the request failed; @throws RequestError only if the run was stopped */
export async function readRecordIfPossible(
	operation: Operation,
	parts: AnyRequestParts,
	{ callOperation }: Pick<OperationHelpers, 'callOperation'>,
): Promise<IDataObject> {
	const envelope = await readIfPossible(() => callOperation(operation, parts));
	return toItemJson(envelope?.data ?? {});
}
