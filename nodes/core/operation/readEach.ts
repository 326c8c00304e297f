import type { OperationContext } from '../response/responseHandler';
import { mapAll, type Outcome } from '../http/concurrency';
import { rethrow, ServiceError } from '../http/errors';
import { pluralOf } from '../values';

/** How to read several things of one kind, such as the jobs of a period. */
interface Reading<Entry, Value> {
	/** The word for one thing: "job". */
	thing: string;
	/** Returns the name of one thing for the hint. */
	describe: (entry: Entry) => string;
	read: (entry: Entry) => Promise<Value>;
}

/** The statuses of a token that isn't accepted (401) and of a proxy that asks for a sign-in (407). */
const NOT_SIGNED_IN = [401, 407];

/**
 * Returns true for a failure that is about one thing only, such as 403, 404 or 500. A stopped run, a wait that the service asks for, a
 * lost connection, an overload or a missing sign-in would make every other thing fail as well.
 */
function isAboutOneThing(thrown: unknown): thrown is ServiceError {
	if (!(thrown instanceof ServiceError)) return false;
	const { status, cause, transient, retryAfterMs, hasNoData } = thrown.details;
	if (hasNoData === true) return true;
	if (status === undefined || cause !== undefined || transient === true || retryAfterMs !== undefined) return false;
	const isRedirect = status >= 300 && status < 400;
	return !isRedirect && !NOT_SIGNED_IN.includes(status);
}

/**
 * Reads several things, several at once. A thing that can't be read is left out and reported, so that the others are still
 * returned.
 * @returns the things that could be read, in the order of the entries
 * @throws ServiceError if none can be read, or for a failure that is not about one thing
 */
export async function readEach<Entry, Value>(
	entries: readonly Entry[],
	{ thing, describe, read }: Reading<Entry, Value>,
	{ service, reportUnread }: Pick<OperationContext, 'service' | 'reportUnread'>,
): Promise<Value[]> {
	const unreadable: Array<{ entry: Entry; error: ServiceError }> = [];
	const outcomes = await mapAll(entries, service.settings.concurrency, async (entry): Promise<Outcome<Value>> => {
		try {
			return { ok: true, value: await read(entry) };
		} catch (error) {
			if (!isAboutOneThing(error)) return await rethrow(error);
			unreadable.push({ entry, error });
			return { ok: false, error };
		}
	});
	const [first] = unreadable;
	if (first && unreadable.length === entries.length) return await rethrow(first.error);
	for (const { entry, error } of unreadable)
		reportUnread(
			`Some ${pluralOf(thing)} could not be read, so their people are missing from the output.`,
			`the ${thing} ${describe(entry)}`,
			error,
		);
	return outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
}
