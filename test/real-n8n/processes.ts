import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The processes that this module has started and that are running now. Each leads a process group, so it can be killed with its
 * children.
 */
const runningProcesses = new Set<ChildProcess>();

/** The IDs of the process groups that this module has started. Some of them may have ended. */
const startedGroupIds = new Set<number>();

/** Sends a signal to a process and to all processes that it has started. On Windows, kills them instead. */
function sendSignal(child: ChildProcess, signal: NodeJS.Signals): void {
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

/** Kills all processes that this module has started. This also happens when the current process exits. */
export function killAllProcesses(): void {
	for (const child of runningProcesses) sendSignal(child, 'SIGKILL');
	runningProcesses.clear();
}

process.once('exit', killAllProcesses);

/** Starts a program in a separate process group. Its output is appended to the log file. */
export function startProcess(
	command: string,
	args: string[],
	{ logFile, ...options }: SpawnOptions & { logFile: string },
): ChildProcess {
	const logDescriptor = openSync(logFile, 'a');
	const child = spawn(command, args, {
		...options,
		// Nothing is written to the input pipe. When it closes, the started program knows that this process has ended.
		stdio: ['pipe', logDescriptor, logDescriptor],
		detached: process.platform !== 'win32',
	});
	closeSync(logDescriptor);
	runningProcesses.add(child);
	if (child.pid !== undefined) startedGroupIds.add(child.pid);
	const removeFromRunning = () => runningProcesses.delete(child);
	child.once('error', removeFromRunning);
	child.once('exit', removeFromRunning);
	return child;
}

/** Asks a process to end, and kills it after `timeoutMs`, or at once if that is 0. Then kills the children that are left. */
export async function stopProcess(child: ChildProcess, timeoutMs = 5000): Promise<void> {
	if (child.exitCode === null && child.signalCode === null) {
		const exitPromise = new Promise<void>((resolve) => child.once('exit', () => resolve()));
		const killTimer = setTimeout(() => sendSignal(child, 'SIGKILL'), timeoutMs);
		sendSignal(child, timeoutMs > 0 ? 'SIGTERM' : 'SIGKILL');
		await exitPromise;
		clearTimeout(killTimer);
	}
	// A child may still be running although the leader of the group has ended.
	sendSignal(child, 'SIGKILL');
}

/** Lists the IDs of the process groups that this module has started and in which a process is still running. Empty on Windows. */
export function listRunningGroups(): number[] {
	if (process.platform === 'win32') return [];
	for (const group of startedGroupIds) {
		try {
			process.kill(-group, 0);
		} catch {
			startedGroupIds.delete(group);
		}
	}
	return [...startedGroupIds];
}

/** Reads the last lines of a log file. */
export const readTail = (logFile: string, lines = 15): string =>
	readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');

/** A program that `runCommand` ran has failed. `output` has the last lines that it printed. */
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
	const killTimer = setTimeout(() => sendSignal(child, 'SIGKILL'), seconds * 1000);
	const status = await new Promise<number | string | null>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(code ?? signal));
	});
	clearTimeout(killTimer);
	if (status !== 0) throw new CommandFailed([command, ...args].join(' '), `${readTail(options.logFile)}\n(${status})`);
}

/** Arguments for Node.js that make the started program end when this process ends, even if this process is killed. */
export const END_WITH_PARENT_ARGS = ['--require', join(__dirname, 'end-with-parent.cjs')];

/** Finds the path of npm-cli.js: that of the npm that runs this script, or of the npm that came with Node.js. */
export function findNpmProgram(): string | undefined {
	const folder = dirname(process.execPath);
	const relativePath = join('node_modules', 'npm', 'bin', 'npm-cli.js');
	const paths = [process.env.npm_execpath ?? '', join(folder, '..', 'lib', relativePath), join(folder, relativePath)];
	return paths.find((path) => path.endsWith('npm-cli.js') && existsSync(path));
}

/** Runs npm and waits until it has ended. @throws CommandFailed if it fails */
export async function runNpm(args: string[], options: { cwd: string; logFile: string }): Promise<void> {
	const program = findNpmProgram();
	if (program) await runCommand(process.execPath, [...END_WITH_PARENT_ARGS, program, ...args], options);
	else await runCommand('npm', args, { ...options, shell: process.platform === 'win32' });
}
