import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { Problem } from './problem';
import { stopProcess, tail } from './processes';

const USUAL_PATIENCE_MS = 180_000;

/**
 * Waits until a program that was started is ready, and ends it if it will not be.
 * @param what it is, at the beginning of a sentence
 * @param patience how long to wait at most, in ms
 * @throws Problem with the end of its log when it ends, or is not ready in time
 */
export async function untilReady(
	what: string,
	child: ChildProcess,
	logFile: string,
	isReady: () => Promise<boolean>,
	patience = USUAL_PATIENCE_MS,
): Promise<void> {
	const deadline = Date.now() + patience;
	for (; !(await isReady()); await sleep(50)) {
		const hasEnded = child.exitCode !== null || child.signalCode !== null;
		if (!hasEnded && Date.now() < deadline) continue;
		const how = hasEnded
			? `ended while it was starting (${child.exitCode ?? child.signalCode})`
			: `did not answer within ${patience / 60_000} minutes`;
		await stopProcess(child);
		throw new Problem(`${what} ${how}. The last it printed:\n${tail(logFile)}`);
	}
}
