import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Answered, Asked, Holding, Job, PollJob, Reply, Report, RunJob } from './runner';

/** The process of the nodes (runner.ts), from outside. */
export class Remote {
	private lastId = 0;
	private readonly waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();

	private constructor(private readonly child: ChildProcess) {
		child.on('message', ({ id, reply }: Answered) => {
			this.waiting.get(id)?.resolve(reply);
			this.waiting.delete(id);
		});
		child.once('exit', (code, signal) => {
			for (const { reject } of this.waiting.values()) reject(new Error(`The process of the nodes ended (${code ?? signal})`));
		});
	}

	/** @param folder for everything that n8n writes */
	static async start(folder: string): Promise<Remote> {
		const child = fork(join(__dirname, 'runner.ts'), {
			execArgv: [...process.execArgv, '--expose-gc'],
			env: { ...process.env, HARNESS_FOLDER: folder },
			serialization: 'advanced',
		});
		await once(child, 'message');
		return new Remote(child);
	}

	async run(run: RunJob): Promise<Report> {
		return reportOf(await this.ask({ run }));
	}

	async poll(poll: PollJob): Promise<Report> {
		return reportOf(await this.ask({ poll }));
	}

	async measure(): Promise<Holding> {
		const reply = await this.ask({ measure: true });
		if ('holding' in reply) return reply.holding;
		throw new Error('The process of the nodes answered something else');
	}

	async end(): Promise<void> {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const ended = once(this.child, 'exit');
		this.child.kill('SIGKILL');
		await ended;
	}

	private async ask(job: Job): Promise<Reply> {
		const id = ++this.lastId;
		return await new Promise((resolve, reject) => {
			this.waiting.set(id, { resolve, reject });
			this.child.send({ id, job } satisfies Asked);
		});
	}
}

function reportOf(reply: Reply): Report {
	if ('report' in reply) return reply.report;
	throw new Error('The process of the nodes answered something else');
}
