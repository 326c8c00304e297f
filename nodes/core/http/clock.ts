import { sleep } from 'n8n-workflow';

import { rejectOnAbort } from './abort';

/** Waits for `ms`. @throws RequestError as soon as the signal is aborted */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
	// After an abort, the current timer keeps running, because n8n's `sleep` accepts no signal before n8n 2.41 (n8n 12). The wait
	// is split into seconds to keep that timer short.
	for (let remainingMs = ms; remainingMs > 0; remainingMs -= 1000)
		await rejectOnAbort(sleep(Math.min(remainingMs, 1000)), signal);
}

/** Returns a signal that is aborted after `ms`. */
export const createTimeoutSignal = (ms: number): AbortSignal => AbortSignal.timeout(ms);
