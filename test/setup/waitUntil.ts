import timers from 'node:timers/promises';

// Taken before a test turns the clock: what is waited for here happens outside of the test's time.
const sleep = timers.setTimeout;
const now = performance.now.bind(performance);

/** How long something is waited for, and how often one looks, in ms. */
export interface WaitOptions {
	withinMs: number;
	everyMs: number;
}

const SAME_PROCESS_WAIT: WaitOptions = { withinMs: 10_000, everyMs: 5 };
/** For what another process does, as n8n. */
export const OTHER_PROCESS_WAIT: WaitOptions = { withinMs: 60_000, everyMs: 200 };

const pendingChecks = new Set<() => Promise<boolean>>();

/** Looks at once for all that is waited for. @returns whether any of it has happened, so that whoever waited goes on */
export async function runPendingChecks(): Promise<boolean> {
	const happened = await Promise.all([...pendingChecks].map(async (check) => check()));
	return happened.includes(true);
}

/**
 * Waits until something has happened.
 * @param what what is waited for, for the message
 * @param condition returns whether it has happened; an error that it throws means no
 * @throws when it has not happened in time, with the last error of `condition` as its cause
 */
export async function waitUntil(
	what: string,
	condition: () => boolean | Promise<boolean>,
	{ withinMs, everyMs }: WaitOptions = SAME_PROCESS_WAIT,
): Promise<void> {
	let hasHappened = false;
	let cause: unknown;
	const check = async () => {
		try {
			hasHappened ||= await condition();
			cause = undefined;
		} catch (error) {
			cause = error;
		}
		return hasHappened;
	};
	pendingChecks.add(check);
	try {
		for (const start = now(); now() - start <= withinMs; await sleep(everyMs)) if (await check()) return;
	} finally {
		pendingChecks.delete(check);
	}
	const because = cause === undefined ? '' : `: ${String(cause)}`;
	throw new Error(`Waited ${withinMs / 1000} s in vain: ${what}${because}`, { cause });
}
