import type { IDataObject, OnError } from 'n8n-workflow';
import { z } from 'zod';
import type { CustomerFixture } from '../cases';
import type { LoggedRequest, StandIn } from '../stand-in';
import { pick, seeded } from '../stand-in/random';
import { arm, lie, excuse, TIMEOUT } from './faults';
import type { Remote } from './remote';
import type { ServiceAccess, Report, RunJob } from './runner';
import type { Tally } from './tally';

export interface Ways {
	remote: Remote;
	tally: Tally;
	/** Of the requests that go wrong: 0 to 1. */
	share: number;
	seed: number;
}

const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
/** The error of a stopped run: the node's own, or n8n's if the node had not started. */
export const STOPPED = /the run was stopped|cancelled manually/;

/** One kind of work. */
export abstract class Workload {
	protected readonly next: () => number;

	constructor(
		readonly name: string,
		protected readonly ways: Ways,
		protected readonly customer: CustomerFixture,
	) {
		this.next = seeded(`${ways.seed} ${name}`);
	}

	/** Does it once. */
	abstract round(): Promise<void>;
	/** Checks that are only possible at the end. */
	async finish(): Promise<void> {}
	async close(): Promise<void> {
		await this.service.close();
	}

	protected get service(): StandIn {
		return this.customer.service;
	}

	protected get access(): ServiceAccess {
		return { url: this.service.url, clients: this.service.clients, credential: this.customer.credential() };
	}

	protected get tally(): Tally {
		return this.ways.tally;
	}

	protected arm(requests: number): void {
		arm(this.service, this.next, this.ways.share, requests);
	}

	protected onError(): OnError {
		return pick(this.next, ON_ERROR);
	}

	/** Whether the lists that it reads may count themselves wrongly. */
	protected readonly isLiedTo: boolean = false;

	/** Runs a node while requests fail. */
	protected async run(
		job: Omit<RunJob, 'access'>,
		requests: number,
	): Promise<{ report: Report; log: LoggedRequest[] }> {
		this.service.clearLog();
		this.arm(requests);
		const beHonest = this.isLiedTo ? lie(this.service, this.next) : () => undefined;
		const report = await this.ways.remote.run({
			access: this.access,
			...job,
			parameters: { ...job.parameters, options: { timeout: TIMEOUT, ...optionsOf(job.parameters) } },
		});
		if (report.stoppedAt !== undefined) this.checkStop(report.endedAt - report.stoppedAt, report);
		beHonest();
		const log = [...this.service.log];
		this.service.clearFaults();
		this.tally.runs++;
		this.tally.items += report.items.length + report.errors.length;
		if (report.failure) this.tally.failures++;
		this.tally.count(log);
		return { report, log };
	}

	private checkStop(tookMs: number, { late = [], heldUpMs = 0 }: Report): void {
		this.tally.stops++;
		this.tally.longestStop = Math.max(this.tally.longestStop, tookMs);
		if (tookMs - heldUpMs > 1000)
			this.blame('wrong', `Stop took ${tookMs} ms, of which the process was held up for ${Math.round(heldUpMs)} ms`);
		// Between the node's word and a token request n8n reads the credential, and a Stop just then comes too late for it.
		const begun = late.filter(({ path, afterMs }) => !(path === '/connect/token' && afterMs < 100 + heldUpMs));
		if (begun.length > 0)
			this.blame(
				'wrong',
				`${begun.length} requests were begun after Stop: ${begun.map(({ path, afterMs }) => `${path} after ${afterMs} ms`).join(', ')}`,
			);
	}

	protected blame(verdict: 'wrong' | 'lost' | 'doubled', what: string): void {
		this.tally.blame(verdict, this.name, what);
	}

	/** A failure must say something, and the faults must be reason enough. */
	protected judgeFailure(
		{ message, description }: { message: string; description: string },
		log: LoggedRequest[],
		isWrite: boolean,
	): void {
		if (message === '' || description === '')
			this.blame('wrong', `a failure that says too little: ${message} ${description}`);
		if (!excuse(log, isWrite)) this.blame('wrong', `failed without a reason: ${message} ${description}\n${shown(log)}`);
	}
}

const optionsOf = ({ options }: IDataObject): IDataObject => z.record(z.any()).optional().parse(options) ?? {};
export const shown = (log: LoggedRequest[]) =>
	log
		.map(({ route, status, fault, landed }) => `  ${route} ${status} ${fault ?? ''} ${landed ? 'landed' : ''}`)
		.slice(-12)
		.join('\n');
export const failedItem = z.object({
	message: z.string(),
	error: z.object({ message: z.string(), description: z.string(), companyResourceId: z.string().optional() }),
});
