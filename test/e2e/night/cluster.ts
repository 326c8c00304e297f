import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { measureCpuSeconds, measureGroupMemory } from '../../real-n8n/processLoad';
import { stopProcess } from '../../real-n8n/processes';
import type { RunningN8n } from '../../real-n8n/startN8n';
import type { PartContext } from '../part';

interface Worker {
	name: string;
	log: string;
	child: ChildProcess;
}

/** Starts and kills the workers of an n8n in queue mode, and measures the CPU time and memory of n8n and its workers. */
export class Cluster {
	private readonly workers: Worker[] = [];
	private startedCount = 0;
	private replacement: Promise<void> = Promise.resolve();
	/** The CPU time of killed workers, in seconds. */
	private endedCpuSeconds = 0;

	constructor(
		private readonly n8n: RunningN8n,
		private readonly context: PartContext,
		private readonly concurrency: number,
	) {}

	/** Starts workers until there are `count` of them. */
	async startUpTo(count: number): Promise<void> {
		await Promise.all(
			Array.from({ length: Math.max(0, count - this.workers.length) }, async () => {
				const name = `worker-${++this.startedCount}`;
				const log = join(this.context.results, `${name}.log`);
				const child = await this.n8n.startWorker(log, { concurrency: this.concurrency });
				this.workers.push({ name, log, child });
				this.context.cleanups.push(() => stopProcess(child));
			}),
		);
	}

	/** Kills a worker without letting it finish its work. @returns its name, or 'nobody' if there is no worker */
	async kill(index: number): Promise<string> {
		const [worker] = this.workers.splice(Math.max(0, index), 1);
		if (!worker) return 'nobody';
		this.endedCpuSeconds += await measureGroupCpuSeconds(worker.child.pid);
		await stopProcess(worker.child, 0);
		return worker.name;
	}

	/** Starts a worker in the background to replace a killed one, as a program that supervises the workers would do. */
	replace(): void {
		const targetCount = this.workers.length + 1;
		this.replacement = this.replacement.then(() => this.startUpTo(targetCount));
	}

	async waitForReplacements(): Promise<void> {
		await this.replacement;
	}

	/** Returns the indexes of the workers whose logs show an execution that hasn't ended. */
	async listBusyWorkers(): Promise<number[]> {
		const logs = await Promise.all(this.workers.map(({ log }) => readFile(log, 'utf8')));
		const countMatches = (text: string, word: string) => text.split(`Worker ${word} execution`).length;
		return logs.flatMap((text, index) =>
			countMatches(text, 'started') > countMatches(text, 'finished') ? [index] : [],
		);
	}

	/** Returns the index of the living worker that has started the execution, or -1. */
	async findWorkerOfExecution(execution: string): Promise<number> {
		const logs = await Promise.all(this.workers.map(({ log }) => readFile(log, 'utf8')));
		return logs.findIndex((text) => new RegExp(`started execution ${execution}\\b`).test(text));
	}

	/** Returns the CPU time so far of n8n's main process, all workers and their task runners, in seconds. */
	async measureCpuSeconds(): Promise<number> {
		const secondsOfProcesses = await Promise.all(
			[this.n8n.pid, ...this.workers.map(({ child }) => child.pid)].map(measureGroupCpuSeconds),
		);
		return secondsOfProcesses.reduce((sum, seconds) => sum + seconds, this.endedCpuSeconds);
	}

	/** Returns the current memory of each process and of its task runner, in megabytes, by name. */
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
