import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The processes that are running now. Each leads a separate process group, so that its children can be ended with it. */
const runningProcesses = new Set<ChildProcess>();

/** The IDs of the process groups that this module started and that may still exist. */
const startedGroups = new Set<number>();

/** Sends a signal to a process and all processes that it started. On Windows, ends them at once. */
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

/** Kills all processes that this module started. It also runs when this process exits. */
export function endAllProcesses(): void {
	for (const child of runningProcesses) kill(child, 'SIGKILL');
	runningProcesses.clear();
}

process.once('exit', endAllProcesses);

/** Starts a program in a separate process group. Its output is appended to the log file. */
export function startProcess(
	command: string,
	args: string[],
	{ logFile, ...options }: SpawnOptions & { logFile: string },
): ChildProcess {
	const log = openSync(logFile, 'a');
	const child = spawn(command, args, {
		...options,
		// Nothing is written to this pipe. When it closes, the program knows that this process has ended.
		stdio: ['pipe', log, log],
		detached: process.platform !== 'win32',
	});
	closeSync(log);
	runningProcesses.add(child);
	if (child.pid !== undefined) startedGroups.add(child.pid);
	const removeFromRunning = () => runningProcesses.delete(child);
	child.once('error', removeFromRunning);
	child.once('exit', removeFromRunning);
	return child;
}

/** Asks a process to end, and kills it and its children after `timeoutMs`. With 0, it is killed at once. */
export async function stopProcess(child: ChildProcess, timeoutMs = 5000): Promise<void> {
	if (child.exitCode === null && child.signalCode === null) {
		const exitPromise = new Promise<void>((resolve) => child.once('exit', () => resolve()));
		const killTimer = setTimeout(() => kill(child, 'SIGKILL'), timeoutMs);
		kill(child, timeoutMs > 0 ? 'SIGTERM' : 'SIGKILL');
		await exitPromise;
		clearTimeout(killTimer);
	}
	// A child may still be running although the leader of the group has ended.
	kill(child, 'SIGKILL');
}

/** Lists the IDs of the process groups that this module started and that still have a running process. Empty on Windows. */
export function listRunningGroups(): number[] {
	if (process.platform === 'win32') return [];
	for (const group of startedGroups) {
		try {
			process.kill(-group, 0);
		} catch {
			startedGroups.delete(group);
		}
	}
	return [...startedGroups];
}

/** Reads the last lines of a log file. */
export const readTail = (logFile: string, lines = 15): string =>
	readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');

/** The error of a program that `runCommand` ran. `output` is the end of what it printed. */
export class CommandFailed extends Error {
	override readonly name = 'CommandFailed';

	constructor(
		command: string,
		readonly output: string,
	) {
		super(`"${command}" failed:\n${output}`);
	}
}

/** Runs a program and waits until it has ended. @throws CommandFailed if it fails or takes longer than `seconds` */
export async function runCommand(
	command: string,
	args: string[],
	{ seconds = 1200, ...options }: SpawnOptions & { logFile: string; seconds?: number },
): Promise<void> {
	const child = startProcess(command, args, options);
	const killTimer = setTimeout(() => kill(child, 'SIGKILL'), seconds * 1000);
	const status = await new Promise<number | string | null>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(code ?? signal));
	});
	clearTimeout(killTimer);
	if (status !== 0) throw new CommandFailed([command, ...args].join(' '), `${readTail(options.logFile)}\n(${status})`);
}

/** Arguments for Node.js that end a program when this process ends, even if this process is killed. */
export const END_WITH_PARENT_ARGS = ['--require', join(__dirname, 'end-with-parent.cjs')];

/** Finds the path of npm's program: the npm that runs this script, or the one that came with Node.js. */
export function findNpmProgram(): string | undefined {
	const folder = dirname(process.execPath);
	const relativePath = join('node_modules', 'npm', 'bin', 'npm-cli.js');
	const paths = [process.env.npm_execpath ?? '', join(folder, '..', 'lib', relativePath), join(folder, relativePath)];
	return paths.find((path) => path.endsWith('npm-cli.js') && existsSync(path));
}

/** Runs npm and waits until it has ended. @throws CommandFailed */
export async function runNpm(args: string[], options: { cwd: string; logFile: string }): Promise<void> {
	const program = findNpmProgram();
	if (program) await runCommand(process.execPath, [...END_WITH_PARENT_ARGS, program, ...args], options);
	else await runCommand('npm', args, { ...options, shell: process.platform === 'win32' });
}
