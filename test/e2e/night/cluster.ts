import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { measureCpuSeconds, measureGroupMemory } from '../../real-n8n/load';
import { stopProcess } from '../../real-n8n/processes';
import type { RunningN8n } from '../../real-n8n/start';
import type { PartContext } from '../part';

interface Worker {
	name: string;
	log: string;
	child: ChildProcess;
}

/** The workers of an n8n in queue mode, what they take, and who of them dies. */
export class Cluster {
	private readonly workers: Worker[] = [];
	private startedCount = 0;
	private replacement: Promise<void> = Promise.resolve();
	/** CPU time of those that have ended. */
	private endedCpuSeconds = 0;

	constructor(
		private readonly n8n: RunningN8n,
		private readonly tools: PartContext,
		private readonly concurrency: number,
	) {}

	async startUpTo(count: number): Promise<void> {
		await Promise.all(
			Array.from({ length: Math.max(0, count - this.workers.length) }, async () => {
				const name = `worker-${++this.startedCount}`;
				const log = join(this.tools.results, `${name}.log`);
				const child = await this.n8n.startWorker(log, { concurrency: this.concurrency });
				this.workers.push({ name, log, child });
				this.tools.cleanups.push(() => stopProcess(child));
			}),
		);
	}

	/** Kills a worker outright. @returns its name */
	async kill(index: number): Promise<string> {
		const [worker] = this.workers.splice(Math.max(0, index), 1);
		if (!worker) return 'nobody';
		this.endedCpuSeconds += await measureGroupCpuSeconds(worker.child.pid);
		await stopProcess(worker.child, 0);
		return worker.name;
	}

	/** Starts another worker for one that was killed, as a program that supervises the workers would do, without waiting for it. */
	replace(): void {
		const targetCount = this.workers.length + 1;
		this.replacement = this.replacement.then(async () => this.startUpTo(targetCount));
	}

	async waitForReplacements(): Promise<void> {
		await this.replacement;
	}

	/** Those that work on something, by their logs. */
	async listBusyWorkers(): Promise<number[]> {
		const logs = await Promise.all(this.workers.map(({ log }) => readFile(log, 'utf8')));
		const count = (text: string, word: string) => text.split(`Worker ${word} execution`).length;
		return logs.flatMap((text, index) => (count(text, 'started') > count(text, 'finished') ? [index] : []));
	}

	/** Which worker began the execution, if one that lives has. */
	async findWorkerOfExecution(execution: string): Promise<number> {
		const logs = await Promise.all(this.workers.map(({ log }) => readFile(log, 'utf8')));
		return logs.findIndex((text) => new RegExp(`started execution ${execution}\\b`).test(text));
	}

	/** The CPU time of n8n's main process and all workers so far, their task runners included. @returns seconds */
	async measureCpuSeconds(): Promise<number> {
		const living = await Promise.all([this.n8n.pid, ...this.workers.map(({ child }) => child.pid)].map(measureGroupCpuSeconds));
		return living.reduce((sum, each) => sum + each, this.endedCpuSeconds);
	}

	/** The memory of each process and of its task runner now, in megabytes. */
	async measureMemory(): Promise<Record<string, number>> {
		const members = [
			{ name: 'main', pid: this.n8n.pid },
			...this.workers.map(({ name, child }) => ({ name, pid: child.pid })),
		];
		const sizes = members.map(async ({ name, pid = 0 }) => {
			const { leader, children } = await measureGroupMemory(pid);
			return { [name]: own, [`${name}, runner`]: others };
		});
		return Object.assign({}, ...(await Promise.all(sizes))) as Record<string, number>;
	}
}

async function measureGroupCpuSeconds(pid = 0): Promise<number> {
	const { leader, children } = await measureCpuSeconds(pid);
	return own + others;
}
