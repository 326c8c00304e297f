import timers from 'node:timers/promises';

// Taken before a test turns the clock: what is waited for here happens outside of the test's time.
const sleep = timers.setTimeout;
const now = performance.now.bind(performance);

/** How long something is waited for, and how often one looks, in ms. */
export interface Patience {
	withinMs: number;
	everyMs: number;
}

const IN_THIS_PROCESS: Patience = { withinMs: 10_000, everyMs: 5 };
/** For what another process does, as n8n. */
export const IN_ANOTHER_PROCESS: Patience = { withinMs: 60_000, everyMs: 200 };

const looks = new Set<() => Promise<boolean>>();

/** Looks at once for all that is waited for. @returns whether any of it has happened, so that whoever waited goes on */
export async function lookForAll(): Promise<boolean> {
	const happened = await Promise.all([...looks].map(async (look) => look()));
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
	{ withinMs, everyMs }: Patience = IN_THIS_PROCESS,
): Promise<void> {
	let hasHappened = false;
	let cause: unknown;
	const look = async () => {
		try {
			hasHappened ||= await condition();
			cause = undefined;
		} catch (error) {
			cause = error;
		}
		return hasHappened;
	};
	looks.add(look);
	try {
		for (const start = now(); now() - start <= withinMs; await sleep(everyMs)) if (await look()) return;
	} finally {
		looks.delete(look);
	}
	const because = cause === undefined ? '' : `: ${String(cause)}`;
	throw new Error(`Waited ${withinMs / 1000} s in vain: ${what}${because}`, { cause });
}
