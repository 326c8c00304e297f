import { Problem } from './problem';
import { endAllProcesses } from './processes';

/** What a script tells about itself while it runs. */
export interface Script {
	/** What has to be undone when it ends, however it ends; last to first. */
	cleanups: Array<() => Promise<unknown>>;
	/** Whether it runs until the person presses Ctrl-C. Before that, Ctrl-C interrupts it, which is a failure. */
	isOpen: boolean;
}

class Interrupted extends Error {}

/** Rejects when the person (Ctrl-C) or the system requests the end; a second request ends everything at once. */
async function untilInterrupted(): Promise<never> {
	return await new Promise((_, reject) => {
		let asked = false;
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => {
				if (asked) process.exit(130);
				asked = true;
				reject(new Interrupted());
			});
		}
	});
}

/** Runs the clean-up functions of the script; if one fails, that is printed and the others run nevertheless. */
export async function cleanUp({ cleanups }: Script): Promise<void> {
	for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
		await cleanup().catch((error: Error) => console.error(`While cleaning up: ${error.message}`));
	}
}

/** What to print of an error: what a person can do about it, else where it came from. */
export function describe(error: unknown): string {
	if (error instanceof Problem) return error.message;
	// What was written on the command line is not understood.
	if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
		return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs a script, says why when it fails, ends all it started and exits. */
export function runScript(main: (script: Script) => Promise<void>): void {
	const script: Script = { cleanups: [], isOpen: false };
	void Promise.race([main(script), untilInterrupted()])
		.then(
			() => 0,
			(error: unknown) => {
				if (error instanceof Interrupted) {
					console.log('\nEnding.');
					return script.isOpen ? 0 : 130;
				}
				console.error(`\n${describe(error)}`);
				return 1;
			},
		)
		.then(async (status) => {
			await cleanUp(script);
			endAllProcesses();
			process.exit(status);
		});
}
