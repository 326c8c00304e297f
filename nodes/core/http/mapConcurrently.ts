import { toError } from './errors';

/** The result of a promise: its value, or the error with which it was rejected. */
export type SettledResult<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** Waits for a promise and never throws. @returns its value or its error */
export function settle<T>(promise: Promise<T>): Promise<SettledResult<T>> {
	return promise.then(
		(value) => ({ ok: true as const, value }),
		(error: unknown) => ({ ok: false as const, error }),
	);
}

/**
 * Calls `task` for every entry, at most `concurrency` at once.
 * @param shouldStartNext is called before each task. If it returns false, no more tasks are started. The remaining entries
 * then have no result.
 * @returns the results, in the order of the entries
 */
export async function settleConcurrently<Entry, T>(
	entries: readonly Entry[],
	concurrency: number,
	task: (entry: Entry, index: number) => Promise<T>,
	shouldStartNext: () => boolean = () => true,
): Promise<Array<SettledResult<T>>> {
	const results: Array<SettledResult<T>> = [];
	const remainingEntries = entries.entries();
	const runWorker = async () => {
		for (const [index, entry] of remainingEntries) {
			if (!shouldStartNext()) return;
			results[index] = await settle(task(entry, index));
		}
	};
	const workers: Array<Promise<void>> = [];
	while (workers.length < Math.min(concurrency, entries.length)) workers.push(runWorker());
	await Promise.all(workers);
	return results;
}

/**
 * Calls `task` for every entry, at most `concurrency` at once. After a failure it starts no more tasks. It waits until the
 * running tasks have ended, so that none is still running after this function has returned.
 * @returns the values, in the order of the entries
 * @throws the first error
 */
export async function mapConcurrently<Entry, T>(
	entries: readonly Entry[],
	concurrency: number,
	task: (entry: Entry, index: number) => Promise<T>,
): Promise<T[]> {
	const errors: unknown[] = [];
	const runTask = async (entry: Entry, index: number) => {
		try {
			return await task(entry, index);
		} catch (error) {
			errors.push(error);
			throw toError(error);
		}
	};
	const results = await settleConcurrently(entries, concurrency, runTask, () => errors.length === 0);
	if (errors.length > 0) throw toError(errors[0]);
	return results.flatMap((result) => (result.ok ? [result.value] : []));
}
