import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { Problem } from '../n8n/problem';
import { stopProcess, tail } from '../n8n/processes';

const PATIENCE_MS = 60_000;

/**
 * Waits until a program that was started is ready, and ends it if it will not be.
 * @param what it is, at the beginning of a sentence
 * @throws Problem with the end of its log when it ends, or is not ready within a minute
 */
export async function untilReady(what: string, child: ChildProcess, logFile: string, isReady: () => Promise<boolean>): Promise<void> {
	for (const deadline = Date.now() + PATIENCE_MS; !(await isReady()); await sleep(200)) {
		if (child.exitCode === null && Date.now() < deadline) continue;
		await stopProcess(child);
		throw new Problem(`${what} did not start:\n${tail(logFile)}`);
	}
}
