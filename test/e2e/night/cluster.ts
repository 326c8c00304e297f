import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { measureCpuSeconds, measureGroupMemory } from '../../real-n8n/processLoad';
import { stopProcess } from '../../real-n8n/processes';
import type { RunningN8n } from '../../real-n8n/startN8n';
import type { TestPartContext } from '../part';

interface Worker {
	name: string;
	logFile: string;
	child: ChildProcess;
}

/** Starts and kills the workers of an n8n in queue mode, and measures the CPU time and memory of n8n and its workers. */
export class Cluster {
	private readonly workers: Worker[] = [];
	private startedWorkerCount = 0;
	private pendingReplacement: Promise<void> = Promise.resolve();
	/** The CPU time that the killed workers have used, in seconds. */
	private killedWorkersCpuSeconds = 0;

	constructor(
		private readonly n8n: RunningN8n,
		private readonly context: TestPartContext,
		private readonly concurrency: number,
	) {}

	/** Starts workers until `count` workers are running. */
	async startWorkersUpTo(count: number): Promise<void> {
		await Promise.all(
			Array.from({ length: Math.max(0, count - this.workers.length) }, async () => {
				const name = `worker-${++this.startedWorkerCount}`;
				const logFile = join(this.context.resultsFolder, `${name}.log`);
				const child = await this.n8n.startWorker(logFile, { concurrency: this.concurrency });
				this.workers.push({ name, logFile, child });
				this.context.cleanups.push(() => stopProcess(child));
			}),
		);
	}

	/** Kills a worker without letting it finish its executions. @returns the worker's name, or 'nobody' if there is no worker */
	async killWorker(index: number): Promise<string> {
		const [worker] = this.workers.splice(Math.max(0, index), 1);
		if (!worker) return 'nobody';
		this.killedWorkersCpuSeconds += await measureGroupCpuSeconds(worker.child.pid);
		await stopProcess(worker.child, 0);
		return worker.name;
	}

	/** Starts a worker in the background in place of a killed one, as a process manager would. */
	replaceWorker(): void {
		const targetCount = this.workers.length + 1;
		this.pendingReplacement = this.pendingReplacement.then(() => this.startWorkersUpTo(targetCount));
	}

	async waitForReplacements(): Promise<void> {
		await this.pendingReplacement;
	}

	/** Returns the indexes of the workers whose logs show an execution that hasn't ended. */
	async listBusyWorkers(): Promise<number[]> {
		const logs = await Promise.all(this.workers.map(({ logFile }) => readFile(logFile, 'utf8')));
		const countMatches = (text: string, word: string) => text.split(`Worker ${word} execution`).length;
		return logs.flatMap((text, index) =>
			countMatches(text, 'started') > countMatches(text, 'finished') ? [index] : [],
		);
	}

	/** Returns the index of the running worker that has started the execution, or -1. */
	async findWorkerOfExecution(executionId: string): Promise<number> {
		const logs = await Promise.all(this.workers.map(({ logFile }) => readFile(logFile, 'utf8')));
		return logs.findIndex((text) => new RegExp(`started execution ${executionId}\\b`).test(text));
	}

	/** Returns the CPU time that n8n's main process, all workers and their task runners have used so far, in seconds. */
	async measureCpuSeconds(): Promise<number> {
		const secondsOfProcesses = await Promise.all(
			[this.n8n.pid, ...this.workers.map(({ child }) => child.pid)].map(measureGroupCpuSeconds),
		);
		return secondsOfProcesses.reduce((sum, seconds) => sum + seconds, this.killedWorkersCpuSeconds);
	}

	/** Returns the memory that each process and its task runner use now, in megabytes, by names such as `main` and `worker-1, runner`. */
	async measureMemory(): Promise<Record<string, number>> {
		const processes = [
			{ name: 'main', pid: this.n8n.pid },
			...this.workers.map(({ name, child }) => ({ name, pid: child.pid })),
		];
		const memoryPromises = processes.map(async ({ name, pid = 0 }) => {
			const { leader, children } = await measureGroupMemory(pid);
			return { [name]: leader, [`${name}, runner`]: children };
		});
		return Object.assign({}, ...(await Promise.all(memoryPromises))) as Record<string, number>;
	}
}

async function measureGroupCpuSeconds(pid = 0): Promise<number> {
	const { leader, children } = await measureCpuSeconds(pid);
	return leader + children;
}
