import type { OperationContext } from '../response/responseHandler';
import { mapConcurrently, type SettledResult } from '../http/mapConcurrently';
import { toError, RequestError } from '../http/errors';
import { toPlural } from '../values';

/** How to read each entry of a list, for example each job of a period. */
interface EntryReader<Entry, Value> {
	/** The word for one entry: "job". */
	noun: string;
	/** Returns the text that identifies an entry in a hint or an error. */
	describe: (entry: Entry) => string;
	read: (entry: Entry) => Promise<Value>;
}

/** The HTTP statuses that mean a missing sign-in: the token isn't accepted (401), or a proxy requires a sign-in (407). */
const SIGN_IN_STATUSES = [401, 407];

/**
 * Returns true for an error that concerns only one entry, such as 403, 404 or 500. It returns false if the other entries would fail too:
 * after a stopped run, a lost connection, an overload or a missing sign-in, or if the platform asks to wait.
 */
export function isErrorOfOneEntry(thrown: unknown): thrown is RequestError {
	if (!(thrown instanceof RequestError)) return false;
	const { status, cause, isTransient, retryAfterMs, hasNoData } = thrown.details;
	if (hasNoData === true) return true;
	if (status === undefined || cause !== undefined || isTransient === true || retryAfterMs !== undefined) return false;
	const isRedirect = status >= 300 && status < 400;
	return !isRedirect && !SIGN_IN_STATUSES.includes(status);
}

/**
 * Reads each entry of a list with a separate call, several at once. An entry that can't be read is left out and reported, and the others are still
 * returned.
 * @returns the values of the entries that could be read, in the order of the list
 * @throws RequestError if no entry can be read, or for an error that would also affect the other entries
 */
export async function readEach<Entry, Value>(
	entries: readonly Entry[],
	{ noun, describe, read }: EntryReader<Entry, Value>,
	{ client, reportUnread }: Pick<OperationContext, 'client' | 'reportUnread'>,
): Promise<Value[]> {
	const unreadEntries: Array<{ entry: Entry; error: RequestError }> = [];

	async function readEntry(entry: Entry): Promise<SettledResult<Value>> {
		try {
			return { ok: true, value: await read(entry) };
		} catch (error) {
			if (!isErrorOfOneEntry(error)) throw toError(error);
			unreadEntries.push({ entry, error });
			return { ok: false, error };
		}
	}

	const results = await mapConcurrently(entries, client.settings.concurrency, readEntry);
	const [firstUnreadEntry] = unreadEntries;
	if (firstUnreadEntry && unreadEntries.length === entries.length) throw firstUnreadEntry.error;
	for (const { entry, error } of unreadEntries)
		reportUnread(
			`Some ${toPlural(noun)} could not be read, so their people are missing from the output.`,
			`the ${noun} ${describe(entry)}`,
			error,
		);
	return results.flatMap((result) => (result.ok ? [result.value] : []));
}
