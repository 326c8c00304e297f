import { RequestError, RUN_STOPPED, toError } from './errors';
import { createTimeoutError } from './responseErrors';

/** Checks whether the run may go on. @throws RequestError if the signal is aborted */
export function throwIfAborted(signal: AbortSignal): void {
	if (signal.aborted) throw new RequestError(RUN_STOPPED);
}

/**
 * Waits for a task that can't be cancelled. If the signal is aborted, the task's result is ignored.
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

/** Waits for a task, but at most `timeoutMs`. @throws RequestError if the task takes longer */
export function withTimeout<T>(timeoutMs: number, task: Promise<T>): Promise<T> {
	const timeoutSignal = AbortSignal.timeout(timeoutMs);
	return rejectOnAbort(task, timeoutSignal).catch((error: unknown) => {
		throw timeoutSignal.aborted ? createTimeoutError() : toError(error);
	});
}
