import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { Problem } from './problem';
import { stopProcess, readTail } from './processes';

const DEFAULT_TIMEOUT_MS = 180_000;

/**
 * Waits until a started program is ready. Stops the program if it isn't ready in time.
 * @param name the program's name with which an error message starts, such as "The service"
 * @param timeoutMs the maximum waiting time, in milliseconds
 * @throws Problem with the last lines of the log, if the program ends or isn't ready in time
 */
export async function waitUntilReady(
	name: string,
	child: ChildProcess,
	logFile: string,
	isReady: () => Promise<boolean>,
	timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (!(await isReady())) {
		const hasEnded = child.exitCode !== null || child.signalCode !== null;
		if (hasEnded || Date.now() >= deadline) {
			const failure = hasEnded
				? `ended while it was starting (${child.exitCode ?? child.signalCode})`
				: `did not answer within ${timeoutMs / 60_000} minutes`;
			await stopProcess(child);
			throw new Problem(`${name} ${failure}. The last it printed:\n${readTail(logFile)}`);
		}
		await sleep(50);
	}
}
