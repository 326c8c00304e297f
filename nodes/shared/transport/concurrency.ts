import { rethrow, ServiceError, STOPPED } from './errors';
import { onAbort, stopIfAborted, type Signals } from './waiting';

/**
 * Limits how many requests of a node run are in flight at once. Items, companies and pages are nested, but only a request
 * holds a slot, so no request can wait for itself.
 */
export class Semaphore {
	private free: number;
	private readonly waiting = new Set<() => void>();

	constructor(readonly size: number) {
		this.free = size;
	}

	/**
	 * Runs `work` as soon as a slot is free, in the order of the calls.
	 * @throws ServiceError when one of the signals is aborted before that
	 */
	async use<T>(work: () => Promise<T>, signals: Signals = []): Promise<T> {
		stopIfAborted(signals);
		if (this.free > 0) this.free--;
		else await this.waitForSlot(signals);
		try {
			return await work();
		} finally {
			const [next] = this.waiting;
			if (next) next();
			else this.free++;
		}
	}

	private async waitForSlot(signals: Signals): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			const take = () => {
				this.waiting.delete(take);
				removeListener();
				resolve();
			};
			const removeListener = onAbort(signals, () => {
				this.waiting.delete(take);
				reject(new ServiceError(STOPPED));
			});
			this.waiting.add(take);
		});
	}
}

/** The result of one piece of work, or the error that it threw. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown };

/**
 * Runs `work` for every entry, at most `width` at once.
 * @param shouldStart called before each entry; after false the remaining entries are not started and have no outcome
 * @returns the outcomes, in the order of the entries
 */
export async function mapBounded<S, T>(
	entries: readonly S[],
	width: number,
	work: (entry: S, index: number) => Promise<T>,
	shouldStart: () => boolean = () => true,
): Promise<Array<Outcome<T>>> {
	const outcomes: Array<Outcome<T>> = [];
	const upcoming = entries.entries();
	const worker = async () => {
		for (const [index, entry] of upcoming) {
			if (!shouldStart()) return;
			outcomes[index] = await work(entry, index).then(
				(value) => ({ ok: true as const, value }),
				(error: unknown) => ({ ok: false as const, error }),
			);
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, entries.length) }, worker));
	return outcomes;
}

/**
 * Runs several functions in parallel and returns their results in the same order. When one fails, the signal of the others
 * is aborted (ServiceRequest.signal: requests that still wait are not sent) and their end is awaited, so that nothing runs
 * on after this function has returned.
 * @param outer a signal that stops them all
 * @throws the error of the function that failed first
 */
export function runTogether<T extends readonly unknown[]>(
	works: { [K in keyof T]: (signal: AbortSignal) => Promise<T[K]> },
	outer?: AbortSignal,
): Promise<T>;
export async function runTogether(
	works: ReadonlyArray<(signal: AbortSignal) => Promise<unknown>>,
	outer?: AbortSignal,
): Promise<readonly unknown[]> {
	const stop = new AbortController();
	const removeListener = onAbort([outer], () => stop.abort());
	const failures: unknown[] = [];
	const running = works.map(async (work) => {
		try {
			return await work(stop.signal);
		} catch (error) {
			failures.push(error);
			stop.abort();
			return undefined;
		}
	});
	const results = await Promise.all(running);
	removeListener();
	return failures.length > 0 ? await rethrow(failures[0]) : results;
}
