import { sleep } from 'n8n-workflow';

import { ServiceError, STOPPED } from './errors';

/** What can end a wait: the person presses Stop, or the caller does not need the result any more. */
export type Signals = ReadonlyArray<AbortSignal | undefined>;

const STEP_MS = 1000;

/** One listener for each signal, however many calls wait for it: Node prints a warning above ten listeners. */
const listening = new WeakMap<AbortSignal, { calls: Set<() => void>; notifyAll: () => void }>();

function listen(signal: AbortSignal, call: () => void): () => void {
	const existing = listening.get(signal);
	const calls = existing?.calls ?? new Set();
	const notifyAll = existing?.notifyAll ?? (() => [...calls].forEach((each) => each()));
	if (!existing) {
		listening.set(signal, { calls, notifyAll });
		signal.addEventListener('abort', notifyAll, { once: true });
	}
	calls.add(call);
	return () => {
		if (!calls.delete(call) || calls.size > 0) return;
		signal.removeEventListener('abort', notifyAll);
		listening.delete(signal);
	};
}

export const isAborted = (signals: Signals) => signals.some((signal) => signal?.aborted === true);

/**
 * Calls `call` when one of the signals is aborted, at once if one already is.
 * @returns a function that removes the listeners
 */
export function onAbort(signals: Signals, call: () => void): () => void {
	if (isAborted(signals)) {
		call();
		return () => {};
	}
	const removers = signals.flatMap((signal) => (signal ? [listen(signal, call)] : []));
	return () => removers.forEach((each) => each());
}

/** @throws ServiceError when one of the signals is aborted */
export function stopIfAborted(signals: Signals): void {
	if (isAborted(signals)) throw new ServiceError(STOPPED);
}

/** How long to wait from now, in ms, and the error to throw after that. */
export interface Deadline {
	ms: number;
	timeoutError: () => Error;
}

/**
 * Waits for work that cannot be stopped itself, such as n8n's token request. A result that comes later is ignored.
 * @throws ServiceError when one of the signals is aborted first; the deadline's error when the time is over first
 */
export async function waitFor<T>(work: Promise<T>, signals: Signals, deadline?: Deadline): Promise<T> {
	const removers: Array<() => void> = [];
	const aborted = new Promise<never>((_resolve, reject) => {
		removers.push(onAbort(signals, () => reject(new ServiceError(STOPPED))));
		if (deadline)
			removers.push(
				onAbort([AbortSignal.timeout(Math.ceil(Math.max(0, deadline.ms)))], () => reject(deadline.timeoutError())),
			);
	});
	try {
		return await Promise.race([work, aborted]);
	} finally {
		for (const each of removers) each();
	}
}

/**
 * Waits for `ms`, or until one of the signals is aborted. n8n's sleep takes no signal before 2.41.
 * @param onStep called each second with the time that is left, in ms
 */
export async function pause(ms: number, signals: Signals, onStep: (leftMs: number) => void = () => {}): Promise<void> {
	let removeListener = () => {};
	const stopped = new Promise<void>((resolve) => (removeListener = onAbort(signals, resolve)));
	// In steps of one second, so that no long timer is left over.
	for (let left = ms; left > 0 && !isAborted(signals); left -= STEP_MS) {
		onStep(left);
		await Promise.race([sleep(Math.min(left, STEP_MS)), stopped]);
	}
	removeListener();
}

const FIRST_BACK_OFF_MS = 500;
const MAX_BACK_OFF_MS = 30_000;

/**
 * How long to wait after this many tries, in ms: a random time, so that requests that failed together are not repeated
 * together.
 */
export const backOffMs = (tries: number) =>
	Math.random() * Math.min(MAX_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (tries - 1));
