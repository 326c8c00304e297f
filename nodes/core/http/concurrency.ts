import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { rethrow, ServiceError, STOPPED } from './errors';
import { timedOut } from './responseErrors';

/** How many requests of a node run are in flight at once. Only a request holds a slot, so none can wait for itself. */
export class Semaphore {
	private readonly waiting: Array<() => void> = [];

	constructor(private free: number) {}

	/** Takes a slot. @returns what to wait for where none is free: the order of the calls decides */
	enter(): Promise<void> | undefined {
		if (this.free === 0) return new Promise((resolve) => this.waiting.push(resolve));
		this.free--;
		return undefined;
	}

	/** Gives a slot back, to whoever has waited longest. */
	leave(): void {
		const next = this.waiting.shift();
		if (next) next();
		else this.free++;
	}
}

/** @throws ServiceError when the signal is aborted */
export function stopIfAborted(signal: AbortSignal): void {
	if (signal.aborted) throw new ServiceError(STOPPED);
}

/**
 * Waits for work that cannot be stopped itself. Its later result is ignored.
 * @throws ServiceError as soon as the signal is aborted
 */
export async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const stop = () => reject(new ServiceError(STOPPED));
		if (signal.aborted) stop();
		signal.addEventListener('abort', stop, { once: true });
		work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
	});
}

/** Waits for work, but no longer than `ms`. @throws ServiceError when the time is over */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
	const late = AbortSignal.timeout(ms);
	return await rejectOnAbort(work, late).catch(async (error: unknown) => rethrow(late.aborted ? timedOut() : error));
}

/** Waits for `ms`. @throws ServiceError as soon as the signal is aborted */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
	// In steps of a second, so that no long timer is left over: n8n's sleep takes no signal before 2.41 (n8n-facts 12).
	for (let left = ms; left > 0; left -= 1000) await rejectOnAbort(sleep(Math.min(left, 1000)), signal);
}

type FileStream = Exclude<Parameters<IExecuteFunctions['helpers']['binaryToString']>[0], Buffer>;

/** Whether a body is the stream of a file; its class depends on the version of n8n (n8n-facts 12). */
export const isStream = (body: unknown): body is FileStream =>
	typeof body === 'object' && body !== null && 'destroy' in body && 'pipe' in body;

/**
 * Ends a download that gives nothing for `ms`: n8n's own time-out ends with the headers. It does not start the stream's flow.
 * @param endRequest ends the request itself: in n8n 2.41 the stream only wraps the answer, and its end would wait for that
 */
export function abortOnInactivity(stream: FileStream, ms: number, endRequest: () => void): void {
	let last = performance.now();
	// An error without a listener would end the process.
	stream.on('error', () => {});
	const listen = (event: unknown) => {
		if (event !== 'data' && event !== 'readable') return;
		stream.off('newListener', listen);
		// Only after the reader has added its listener: the first one for data starts the flow.
		queueMicrotask(() => stream.on('data', () => (last = performance.now())));
	};
	stream.on('newListener', listen);
	const watch = (left: number) => {
		AbortSignal.timeout(Math.ceil(left)).addEventListener('abort', () => {
			const silent = performance.now() - last;
			if (stream.destroyed || stream.readableEnded) return;
			if (silent < ms) return watch(ms - silent);
			stream.destroy(timedOut());
			endRequest();
		});
	};
	watch(ms);
}

/** The result of one piece of work, or the error that it threw. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** Waits for work and never throws. @returns its result or its error */
export const settle = async <T>(work: Promise<T>): Promise<Outcome<T>> =>
	work.then(
		(value) => ({ ok: true as const, value }),
		(error: unknown) => ({ ok: false as const, error }),
	);

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
			outcomes[index] = await settle(work(entry, index));
		}
	};
	const workers: Array<Promise<void>> = [];
	while (workers.length < Math.min(width, entries.length)) workers.push(worker());
	await Promise.all(workers);
	return outcomes;
}

/**
 * The values of `work` for every entry, at most `width` at once, in the order of the entries. After a failure nothing more is
 * started; what is under way is awaited, so that nothing runs on after this function has returned.
 * @throws what failed first
 */
export async function mapAll<S, T>(
	entries: readonly S[],
	width: number,
	work: (entry: S, index: number) => Promise<T>,
): Promise<T[]> {
	const failures: unknown[] = [];
	const outcomes = await mapBounded(
		entries,
		width,
		async (entry, index) => {
			try {
				return [await work(entry, index)];
			} catch (error) {
				failures.push(error);
				return [];
			}
		},
		() => failures.length === 0,
	);
	if (failures.length > 0) await rethrow(failures[0]);
	return outcomes.flatMap((outcome) => (outcome.ok ? outcome.value : []));
}
