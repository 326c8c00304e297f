import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The processes that are running now. Each is the leader of its own process group, so that its children end with it.
 */
const running = new Set<ChildProcess>();

/** All process groups that were started here and are not known to have ended. */
const groups = new Set<number>();

/** Ends a process and everything it started, at once. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	if (process.platform === 'win32') {
		spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
		return;
	}
	try {
		process.kill(-child.pid, signal);
	} catch {
		// The group is gone already.
	}
}

/** Ends, at once, all that was started here. Runs by itself when this process exits. */
export function endAllProcesses(): void {
	for (const child of running) kill(child, 'SIGKILL');
	running.clear();
}

process.once('exit', endAllProcesses);

/** Starts a program in a process group of its own; what it prints goes to the log file. */
export function startProcess(
	command: string,
	args: string[],
	{ logFile, ...options }: SpawnOptions & { logFile: string },
): ChildProcess {
	const log = openSync(logFile, 'a');
	const child = spawn(command, args, {
		...options,
		// A pipe that nothing is written to: when it closes, the program knows that this process has ended.
		stdio: ['pipe', log, log],
		detached: process.platform !== 'win32',
	});
	closeSync(log);
	running.add(child);
	if (child.pid !== undefined) groups.add(child.pid);
	const forget = () => running.delete(child);
	child.once('error', forget);
	child.once('exit', forget);
	return child;
}

/** Asks a process to end, and kills it (with its children) if it has not ended in time; without a time, at once. */
export async function stopProcess(child: ChildProcess, patience = 5000): Promise<void> {
	if (child.exitCode === null && child.signalCode === null) {
		const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
		const late = setTimeout(() => kill(child, 'SIGKILL'), patience);
		kill(child, patience > 0 ? 'SIGTERM' : 'SIGKILL');
		await gone;
		clearTimeout(late);
	}
	// The leader may have ended while one of its children is still running.
	kill(child, 'SIGKILL');
}

/** The process groups that were started here and still have a living member. Not known on Windows. */
export function groupsLeft(): number[] {
	if (process.platform === 'win32') return [];
	for (const group of groups) {
		try {
			process.kill(-group, 0);
		} catch {
			groups.delete(group);
		}
	}
	return [...groups];
}

/** The last lines of a log file. */
export const tail = (logFile: string, lines = 15): string =>
	readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');

export class CommandFailed extends Error {
	override readonly name = 'CommandFailed';

	constructor(
		command: string,
		readonly output: string,
	) {
		super(`"${command}" failed:\n${output}`);
	}
}

/** Runs a program to its end; throws, with the last of what it printed, when it fails. */
export async function runCommand(
	command: string,
	args: string[],
	{ seconds = 1200, ...options }: SpawnOptions & { logFile: string; seconds?: number },
): Promise<void> {
	const child = startProcess(command, args, options);
	const late = setTimeout(() => kill(child, 'SIGKILL'), seconds * 1000);
	const status = await new Promise<number | string | null>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(code ?? signal));
	});
	clearTimeout(late);
	if (status !== 0) throw new CommandFailed([command, ...args].join(' '), `${tail(options.logFile)}\n(${status})`);
}

/** Before the name of a Node.js program: it ends when this process does, even if this one is killed outright. */
export const END_WITH_PARENT = ['--require', join(__dirname, 'end-with-parent.cjs')];

/** npm's own program: the one that runs this script, or the one that came with Node.js. */
export function npmProgram(): string | undefined {
	const folder = dirname(process.execPath);
	const usual = join('node_modules', 'npm', 'bin', 'npm-cli.js');
	const places = [process.env.npm_execpath ?? '', join(folder, '..', 'lib', usual), join(folder, usual)];
	return places.find((place) => place.endsWith('npm-cli.js') && existsSync(place));
}

/** Runs npm to its end; throws as runCommand does. */
export async function runNpm(args: string[], options: { cwd: string; logFile: string }): Promise<void> {
	const program = npmProgram();
	if (program) await runCommand(process.execPath, [...END_WITH_PARENT, program, ...args], options);
	else await runCommand('npm', args, { ...options, shell: process.platform === 'win32' });
}
