import { ServiceError, STOPPED } from './errors';
import { onAbort, stopIfAborted, type Signals } from './waiting';

/**
 * The one budget of requests in flight of a node run. However items, companies and pages nest, only a request holds
 * a slot, so nothing can wait for itself.
 */
export class Semaphore {
	private free: number;
	private readonly waiting = new Set<() => void>();

	constructor(readonly size: number) {
		this.free = size;
	}

	/**
	 * Runs `work` as soon as a slot is free, first come, first served.
	 * @throws ServiceError when one of the signals is aborted before that
	 */
	async use<T>(work: () => Promise<T>, signals: Signals = []): Promise<T> {
		stopIfAborted(signals);
		if (this.free > 0) this.free--;
		else await this.turn(signals);
		try {
			return await work();
		} finally {
			const [next] = this.waiting;
			if (next) next();
			else this.free++;
		}
	}

	private async turn(signals: Signals): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			const take = () => {
				this.waiting.delete(take);
				forget();
				resolve();
			};
			const forget = onAbort(signals, () => {
				this.waiting.delete(take);
				reject(new ServiceError(STOPPED));
			});
			this.waiting.add(take);
		});
	}
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown };

/**
 * Runs `work` for every entry, at most `width` at once, and gives the outcomes in the entries' order.
 * @param goOn asked before each entry starts; false leaves the rest out (they have no outcome)
 */
export async function mapBounded<S, T>(
	entries: readonly S[],
	width: number,
	work: (entry: S, index: number) => Promise<T>,
	goOn: () => boolean = () => true,
): Promise<Array<Outcome<T>>> {
	const outcomes: Array<Outcome<T>> = [];
	const upcoming = entries.entries();
	const lane = async () => {
		for (const [index, entry] of upcoming) {
			if (!goOn()) return;
			outcomes[index] = await work(entry, index).then(
				(value) => ({ ok: true as const, value }),
				(error: unknown) => ({ ok: false as const, error }),
			);
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, entries.length) }, lane));
	return outcomes;
}

/**
 * Runs a few works side by side and gives their results, each in its place. When one fails, the others are told by
 * their signal (ServiceRequest.signal: what waits is not sent any more), and waited for, so that nothing goes on behind
 * the back of whoever asked.
 * @param outer stops them all
 * @throws what the first one to fail has thrown
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
	const forget = onAbort([outer], () => stop.abort());
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
	forget();
	return failures.length > 0 ? await Promise.reject(failures[0]) : results;
}
