import { rejectOnAbort } from './abort';
import { createTimeoutSignal } from './clock';
import { toError } from './errors';
import { createTimeoutError } from './responseErrors';

/** Waits for a task, but at most `timeoutMs`. @throws RequestError if the task takes longer */
export function withTimeout<T>(timeoutMs: number, task: Promise<T>): Promise<T> {
	const timeoutSignal = createTimeoutSignal(timeoutMs);
	return rejectOnAbort(task, timeoutSignal).catch((error: unknown) => {
		throw timeoutSignal.aborted ? createTimeoutError() : toError(error);
	});
}
