import { Problem } from './problem';
import { endAllProcesses } from './processes';

/** The state of a running script. */
export interface Script {
	/** Functions that run when the script ends, whether it succeeds or fails. The last one runs first. */
	cleanups: Array<() => Promise<unknown>>;
	/** True while the script waits for the user to press Ctrl-C. While it is false, Ctrl-C counts as a failure. */
	isWaitingForUser: boolean;
}

/** The user (Ctrl-C) or the system asked the script to end. */
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

/** Runs the clean-up functions of the script. If one fails, its error is printed and the others still run. */
export async function cleanUp({ cleanups }: Script): Promise<void> {
	for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
		await cleanup().catch((error: Error) => console.error(`While cleaning up: ${error.message}`));
	}
}

/** Returns the text to print for an error: the message if the user can correct the error, the stack trace otherwise. */
export function describeError(error: unknown): string {
	if (error instanceof Problem) return error.message;
	// The command line has an option that doesn't exist.
	if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
		return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs a script until it has ended or is interrupted, and prints its error if it fails. @returns the exit code */
async function runToEnd(run: (script: Script) => Promise<void>, script: Script): Promise<number> {
	try {
		await Promise.race([run(script), waitForInterrupt()]);
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

/** Runs a script, prints its error if it fails, ends everything that it started, and exits. */
export function runScript(run: (script: Script) => Promise<void>): void {
	const script: Script = { cleanups: [], isWaitingForUser: false };
	const runAndExit = async () => {
		const exitCode = await runToEnd(run, script);
		await cleanUp(script);
		endAllProcesses();
		process.exit(exitCode);
	};
	runAndExit().catch((error: unknown) => {
		console.error(error);
		process.exit(1);
	});
}
