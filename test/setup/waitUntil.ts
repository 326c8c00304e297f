import timers from 'node:timers/promises';

// These functions are saved before a test simulates the date.
const sleep = timers.setTimeout;
const now = performance.now.bind(performance);

/** The maximum waiting time and the interval between checks, in milliseconds. */
export interface WaitOptions {
	timeoutMs: number;
	intervalMs: number;
}

const SAME_PROCESS_WAIT: WaitOptions = { timeoutMs: 10_000, intervalMs: 5 };
/** Options for waiting for another process, such as n8n. */
export const OTHER_PROCESS_WAIT: WaitOptions = { timeoutMs: 60_000, intervalMs: 200 };

/**
 * Waits until a condition is true.
 * @param description the condition in words, for the error message
 * @param condition returns true as soon as the wait can end; an error that it throws counts as false
 * @throws Error if the condition isn't true in time, with the last error of `condition` as its cause
 */
export async function waitUntil(
	description: string,
	condition: () => boolean | Promise<boolean>,
	{ timeoutMs, intervalMs }: WaitOptions = SAME_PROCESS_WAIT,
): Promise<void> {
	let cause: unknown;
	const start = now();
	while (now() - start <= timeoutMs) {
		try {
			if (await condition()) return;
			cause = undefined;
		} catch (error) {
			cause = error;
		}
		await sleep(intervalMs);
	}
	const causeText = cause === undefined ? '' : `: ${String(cause)}`;
	throw new Error(`Waited ${timeoutMs / 1000} s in vain: ${description}${causeText}`, { cause });
}
