import { sleep } from 'n8n-workflow';

import { RequestError, RUN_STOPPED, toError } from './errors';
import { createTimeoutError } from './responseErrors';

/** Throws a RequestError if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal): void {
	if (signal.aborted) throw new RequestError(RUN_STOPPED);
}

/**
 * Waits for a task that can't be cancelled. If the signal is aborted, the task's later result is ignored.
 * @throws RequestError as soon as the signal is aborted
 */
export function rejectOnAbort<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise<T>((resolve, reject) => {
		const rejectAsStopped = () => reject(new RequestError(RUN_STOPPED));
		if (signal.aborted) rejectAsStopped();
		signal.addEventListener('abort', rejectAsStopped, { once: true });
		task.then(resolve, reject).finally(() => signal.removeEventListener('abort', rejectAsStopped));
	});
}

/** Waits for a task, but at most `timeoutMs`. @throws RequestError after this time */
export function withTimeout<T>(timeoutMs: number, task: Promise<T>): Promise<T> {
	const timeout = AbortSignal.timeout(timeoutMs);
	return rejectOnAbort(task, timeout).catch((error: unknown) => {
		throw timeout.aborted ? createTimeoutError() : toError(error);
	});
}

/** Waits for `ms`. @throws RequestError as soon as the signal is aborted */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
	// The wait is split into seconds, so that no long timer keeps running after an abort. Before n8n 2.41, n8n's `sleep`
	// accepts no signal (n8n 12).
	for (let remainingMs = ms; remainingMs > 0; remainingMs -= 1000)
		await rejectOnAbort(sleep(Math.min(remainingMs, 1000)), signal);
}
