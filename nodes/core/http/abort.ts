import { RequestError, RUN_STOPPED } from './errors';

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
