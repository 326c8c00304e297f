import { Problem } from './problem';
import { killAllProcesses } from './processes';

/** The state of a running script. */
export interface Script {
	/** Functions that run when the script ends, whether it succeeds or fails. The last one runs first. */
	cleanups: Array<() => Promise<unknown>>;
	/** True while the script waits for the user to press Ctrl-C. Otherwise, Ctrl-C counts as a failure. */
	isWaitingForUser: boolean;
}

/** The error with which a script ends when the user (Ctrl-C) or the system asks it to end. */
class InterruptedError extends Error {}

/** Rejects when the user (Ctrl-C) or the system asks the script to end. A second request ends the process at once. */
async function waitForInterrupt(): Promise<never> {
	return await new Promise((_, reject) => {
		let isRequested = false;
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => {
				if (isRequested) process.exit(130);
				isRequested = true;
				reject(new InterruptedError());
			});
		}
	});
}

/** Runs the clean-up functions of a script, the last one first. If one fails, prints the error and runs the others. */
export async function cleanUp({ cleanups }: Script): Promise<void> {
	for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
		await cleanup().catch((error: Error) => console.error(`While cleaning up: ${error.message}`));
	}
}

/** Returns the text to print for an error: only the message if the user can fix the problem, and the stack trace otherwise. */
export function describeError(error: unknown): string {
	if (error instanceof Problem) return error.message;
	// The user has entered an option that doesn't exist.
	if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
		return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs a script until it has ended or is interrupted, and prints its error if it fails. @returns the exit code */
async function runToEnd(runMain: (script: Script) => Promise<void>, script: Script): Promise<number> {
	try {
		await Promise.race([runMain(script), waitForInterrupt()]);
		return 0;
	} catch (error) {
		if (error instanceof InterruptedError) {
			console.log('\nEnding.');
			return script.isWaitingForUser ? 0 : 130;
		}
		console.error(`\n${describeError(error)}`);
		return 1;
	}
}

/** Runs a script and prints its error if it fails. Then cleans up, kills all processes that it has started, and exits. */
export function runScript(runMain: (script: Script) => Promise<void>): void {
	const script: Script = { cleanups: [], isWaitingForUser: false };
	const runAndExit = async () => {
		const exitCode = await runToEnd(runMain, script);
		await cleanUp(script);
		killAllProcesses();
		process.exit(exitCode);
	};
	runAndExit().catch((error: unknown) => {
		console.error(error);
		process.exit(1);
	});
}
