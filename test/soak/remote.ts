import { join } from 'node:path';
import { startChild, type Child } from '../real-n8n/children';
import type { Installation } from '../real-n8n/install';
import type { Holding, PollJob, Report, RunJob } from './runner';

/** The process of the nodes (runner.ts), from outside, on the n8n-core of an installed n8n. */
export class Remote {
	private constructor(private readonly child: Child) {}

	/** @param folder for everything that n8n writes */
	static async start(folder: string, installation: Installation): Promise<Remote> {
		return new Remote(await startChild(join(__dirname, 'runner.ts'), installation, { HARNESS_FOLDER: folder }));
	}

	async run(job: RunJob): Promise<Report> {
		return (await this.child.ask('run', job)) as Report;
	}

	async poll(job: PollJob): Promise<Report> {
		return (await this.child.ask('poll', job)) as Report;
	}

	async measure(): Promise<Holding> {
		return (await this.child.ask('measure')) as Holding;
	}

	async end(): Promise<void> {
		await this.child.stop();
	}
}
