import { sleep } from 'n8n-workflow';

import { ServiceError, STOPPED } from './errors';

/** Whoever may lose interest in something: the person who presses Stop, or those who asked for it. */
export type Signals = ReadonlyArray<AbortSignal | undefined>;

const SLICE_MS = 1000;

/** One listener for each signal, however many wait for it: Node warns of more than ten. */
const listening = new WeakMap<AbortSignal, { calls: Set<() => void>; tellAll: () => void }>();

function listen(signal: AbortSignal, call: () => void): () => void {
	const there = listening.get(signal);
	const calls = there?.calls ?? new Set();
	const tellAll = there?.tellAll ?? (() => [...calls].forEach((each) => each()));
	if (!there) {
		listening.set(signal, { calls, tellAll });
		signal.addEventListener('abort', tellAll, { once: true });
	}
	calls.add(call);
	return () => {
		if (!calls.delete(call) || calls.size > 0) return;
		signal.removeEventListener('abort', tellAll);
		listening.delete(signal);
	};
}

export const isAborted = (signals: Signals) => signals.some((signal) => signal?.aborted === true);

/** Calls `call` once one of the signals is aborted, at once if one is already. @returns forgets about it */
export function onAbort(signals: Signals, call: () => void): () => void {
	if (isAborted(signals)) {
		call();
		return () => {};
	}
	const forget = signals.flatMap((signal) => (signal ? [listen(signal, call)] : []));
	return () => forget.forEach((each) => each());
}

/** @throws ServiceError when nobody waits any more */
export function stopIfAborted(signals: Signals): void {
	if (isAborted(signals)) throw new ServiceError(STOPPED);
}

/** When something is given up, counted from now, and what is said then. */
export interface Deadline {
	ms: number;
	late: () => Error;
}

/**
 * Waits for what cannot be stopped itself, as n8n's token request. What it comes to later is nobody's any more.
 * @throws ServiceError when one of the signals is aborted first; the deadline's error when that is over first
 */
export async function waitFor<T>(work: Promise<T>, signals: Signals, deadline?: Deadline): Promise<T> {
	const forget: Array<() => void> = [];
	const givenUp = new Promise<never>((_resolve, reject) => {
		forget.push(onAbort(signals, () => reject(new ServiceError(STOPPED))));
		if (deadline)
			forget.push(onAbort([AbortSignal.timeout(Math.ceil(Math.max(0, deadline.ms)))], () => reject(deadline.late())));
	});
	try {
		return await Promise.race([work, givenUp]);
	} finally {
		for (const each of forget) each();
	}
}

/**
 * Waits, but not a moment longer than somebody wants it. n8n's sleep takes no signal before 2.41.
 * @param onSlice told each second how long it still is, in ms
 */
export async function pause(ms: number, signals: Signals, onSlice: (leftMs: number) => void = () => {}): Promise<void> {
	let forget = () => {};
	const stopped = new Promise<void>((resolve) => (forget = onAbort(signals, resolve)));
	// In slices, so that no long timer stays behind.
	for (let left = ms; left > 0 && !isAborted(signals); left -= SLICE_MS) {
		onSlice(left);
		await Promise.race([sleep(Math.min(left, SLICE_MS)), stopped]);
	}
	forget();
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** How long to wait after so many tries, in ms: at random, so that those who failed together do not come back together. */
export const backOffMs = (tries: number) =>
	Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
