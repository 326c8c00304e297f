/**
 * What is done again and again, each kind of work on a service of its own, and how the service's own log and world tell
 * whether it was done right.
 */
import assert from 'node:assert/strict';
import type { IDataObject, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { cases, CustomerFixture, allOperations, type Listed } from '../cases';
import { TOKEN } from '../cases/operationFixture';
import { Ground, type List } from '../polling/ground';
import type { LoggedRequest, PersonalityName, StandIn } from '../stand-in';
import { between, pick, seeded } from '../stand-in/random';
import { arm, lie, excuse, TIMEOUT } from './faults';
import type { Remote } from './remote';
import type { Door, Report, RunJob } from './runner';

/** What all workloads together came to. */
export class Tally {
	runs = 0;
	/** Runs that ended with an error, as they had to after what went wrong. */
	failures = 0;
	stops = 0;
	polls = 0;
	items = 0;
	requests = 0;
	/** Items that a write was made for, and that the service has. */
	written = 0;
	emitted = 0;
	readonly faults = new Map<string, number>();
	readonly operations = new Set<string>();
	readonly verdicts = { wrong: 0, lost: 0, doubled: 0 };
	/** The slowest Stop, in ms. */
	longestStop = 0;

	count(log: readonly LoggedRequest[]): void {
		this.requests += log.length;
		for (const { fault } of log) if (fault !== undefined) this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
	}

	/** Notes what must not be. */
	blame(verdict: keyof Tally['verdicts'], workload: string, what: string): void {
		this.verdicts[verdict]++;
		if (this.verdicts[verdict] <= 20) console.log(`\n${verdict.toUpperCase()} (${workload}): ${what}`);
	}
}

export interface Ways {
	remote: Remote;
	tally: Tally;
	/** Of the requests that go wrong: 0 to 1. */
	share: number;
	seed: number;
}

const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
/** What a stopped run ends with: the node's word, or n8n's where the node had not begun. */
const STOPPED = /the run was stopped|cancelled manually/;

/** One kind of work. */
abstract class Workload {
	protected readonly next: () => number;
	protected abstract readonly service: StandIn;
	protected abstract readonly door: Door;

	constructor(
		readonly name: string,
		protected readonly ways: Ways,
	) {
		this.next = seeded(`${ways.seed} ${name}`);
	}

	/** Does it once. */
	abstract round(): Promise<void>;
	/** Looks at what can only be told at the end. */
	async finish(): Promise<void> {}
	async close(): Promise<void> {
		await this.service.close();
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

	/** Runs a node with faults all around. */
	protected async run(job: Omit<RunJob, 'door'>, requests: number): Promise<{ report: Report; log: LoggedRequest[] }> {
		this.service.clearLog();
		this.arm(requests);
		const beHonest = this.isLiedTo ? lie(this.service, this.next) : () => undefined;
		const report = await this.ways.remote.run({
			door: this.door,
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
const shown = (log: LoggedRequest[]) =>
	log
		.map(({ route, status, fault, landed }) => `  ${route} ${status} ${fault ?? ''} ${landed ? 'landed' : ''}`)
		.slice(-12)
		.join('\n');
const failedItem = z.object({
	message: z.string(),
	error: z.object({ message: z.string(), description: z.string(), companyResourceId: z.string().optional() }),
});

/** Every operation, in an order that is new each time. */
class Cases extends Workload {
	private order: typeof cases = [];

	private constructor(
		name: string,
		ways: Ways,
		private readonly customer: CustomerFixture,
		private readonly listed: Listed[],
	) {
		super(name, ways);
	}

	static async start(ways: Ways, personality: PersonalityName): Promise<Cases> {
		const customer = await CustomerFixture.start({ personality, companies: 40 });
		return new Cases(
			personality === 'renamed' ? 'operations, other names' : "operations, the contract's names",
			ways,
			customer,
			await allOperations(),
		);
	}

	protected get service() {
		return this.customer.service;
	}

	protected get door(): Door {
		return { url: this.service.url, clients: this.service.clients, credential: this.customer.credential() };
	}

	async round(): Promise<void> {
		if (this.order.length === 0)
			this.order = cases
				.map((each) => ({ each, at: this.next() }))
				.sort((one, other) => one.at - other.at)
				.map(({ each }) => each);
		const chosen = this.order.pop();
		const operation = this.listed.find(
			({ node, operation: { value } }) => node === chosen?.node && value === chosen.operation,
		)?.operation;
		if (!chosen || !operation) throw new Error('An operation is missing');
		const title = `${chosen.node}: ${chosen.operation}`;
		this.service.reset();
		const prepared = await chosen.prepare(this.customer);
		const parameters = { operation: chosen.operation, ...prepared.parameters };
		const { report, log } = await this.run(
			{ node: chosen.node, parameters, items: [{ json: {}, files: prepared.files }], onError: 'stopWorkflow' },
			40,
		);
		this.tally.operations.add(title);
		const isWrite = !operation.reads;
		const landed = (prepared.requests ?? [operation.contract]).map((route) => ({
			route,
			times: log.filter((entry) => entry.route === route && entry.landed).length,
		}));
		if (isWrite)
			for (const { route, times } of landed)
				if (times > 1) this.blame('doubled', `${title}: ${route} landed ${times} times\n${shown(log)}`);
		if (report.failure) {
			this.judgeFailure({ ...report.failure, message: `${title}: ${report.failure.message}` }, log, isWrite);
			return;
		}
		try {
			prepared.expect(report.items);
			assert.equal(report.items.length, prepared.items);
			if (chosen.isFile) {
				const sent = log.findLast(({ sha256 }) => sha256 !== undefined);
				assert.deepEqual(report.files, [{ bytes: sent?.bytesSent, sha256: sent?.sha256 }]);
			}
		} catch (error) {
			this.blame(
				isWrite && landed.every(({ times }) => times === 0) ? 'lost' : 'wrong',
				`${title}: ${String(error)}\n${shown(log)}`,
			);
		}
	}
}

/** Reports and exports of every company, whole lists, large files, and a Stop now and then. */
class Reads extends Workload {
	protected override readonly isLiedTo = true;

	private usual: string[] = [];

	private constructor(
		name: string,
		ways: Ways,
		private readonly customer: CustomerFixture,
	) {
		super(name, ways);
	}

	static async start(ways: Ways, personality: PersonalityName): Promise<Reads> {
		const customer = await CustomerFixture.start({ personality, companies: 150, latencyMs: 5 });
		const made = new Reads(
			`every company, pages, files${personality === 'renamed' ? ', other names' : ''}`,
			ways,
			customer,
		);
		made.usual = made.service.state.companies.map(({ companyResourceId }) => companyResourceId);
		return made;
	}

	protected get service() {
		return this.customer.service;
	}

	protected get door(): Door {
		return { url: this.service.url, clients: this.service.clients, credential: this.customer.credential() };
	}

	async round(): Promise<void> {
		const works = [
			async () =>
				await this.everyCompany('TargetGroup', 'POST /api/target-groups/search/current-company', 'resourceId', (id) =>
					this.service.state.of(id).targetGroups.map(({ resourceId }) => resourceId),
				),
			async () =>
				await this.everyCompany('Enrollment', 'POST /api/enrollments/search', this.customer.names.enrollmentId, (id) =>
					this.service.state.of(id).enrollments.map(({ resourceId }) => resourceId),
				),
			async () => await this.everyExport(),
			async () => await this.pages(),
			async () => await this.largeFile(),
		] as const;
		await pick(this.next, works)();
	}

	private maybeStop(): number | undefined {
		return this.next() < 0.2 ? between(this.next, 1, 1500) : undefined;
	}

	private options(): IDataObject {
		return { concurrency: between(this.next, 1, 20) };
	}

	/** A failure of the whole run: which companies it names, and whether there was a reason. @returns whether it is dealt with */
	private judgeWhole({ failure, stoppedAt }: Report, log: LoggedRequest[]): boolean {
		if (!failure) return false;
		if (stoppedAt !== undefined && STOPPED.test(failure.message)) return true;
		const named = z
			.object({ companies: z.object({ failed: z.array(z.string()), succeeded: z.array(z.string()) }) })
			.safeParse(failure.context);
		if (!named.success) {
			this.judgeFailure(failure, log, false);
			return true;
		}
		const { failed, succeeded } = named.data.companies;
		for (const id of failed) this.judgeFailure(failure, ofCompany(log, id), false);
		for (const id of succeeded)
			if (!ofCompany(log, id).some(({ status, companyId }) => companyId === id && status === 200))
				this.blame('lost', `a company is said to have worked and was not answered: ${id}`);
		return true;
	}

	private async every(node: string, operation: string, more: IDataObject) {
		const companyFilter = pick(this.next, [{}, {}, { nameContains: 'b' }]);
		const parameters = {
			operation,
			companyScope: 'every',
			companyFilter: { licenceNotExpired: false, ...companyFilter },
			...more,
		};
		const { report, log } = await this.run(
			{ node, parameters, items: [{ json: {} }], onError: this.onError(), stopAfterMs: this.maybeStop() },
			1500,
		);
		const companies = this.service.state.companies.filter(({ companyName }) =>
			(companyName ?? '').toLowerCase().includes(companyFilter.nameContains ?? ''),
		);
		return { report, log, ids: companies.map(({ companyResourceId }) => companyResourceId) };
	}

	/** Takes out what failed, judging it. @returns the companies that worked */
	private worked(ids: string[], { items, errors }: Report, log: LoggedRequest[]): Set<string> {
		const failed = [...items.map(({ json }) => json), ...errors].flatMap((json) => {
			const parsed = failedItem.safeParse(json);
			return parsed.success ? [parsed.data.error] : [];
		});
		const left = new Set(ids);
		for (const { companyResourceId, ...error } of failed) {
			if (companyResourceId === undefined) {
				this.judgeFailure(error, log, false);
				left.clear();
			} else {
				this.judgeFailure(error, ofCompany(log, companyResourceId), false);
				if (!left.delete(companyResourceId))
					this.blame('doubled', `a company failed twice, or is none: ${companyResourceId}`);
			}
		}
		return left;
	}

	private async everyCompany(
		node: string,
		route: string,
		id: string,
		expected: (company: string) => string[],
	): Promise<void> {
		const more = { returnAll: true, options: { ...this.options(), pageSize: between(this.next, 2, 40) } };
		const { report, log, ids } = await this.every(node, 'getMany', more);
		if (this.judgeWhole(report, log)) return;
		const shownRecords = report.items.filter(({ json }) => json.error === undefined);
		const worked = this.worked(ids, report, log);
		for (const company of worked) {
			const records = shownRecords
				.filter(({ json }) => json.companyResourceId === company)
				.map(({ json }) => String(json[id]));
			this.compare(`${node} of ${company}`, records, expected(company));
		}
		const extra = shownRecords.filter(({ json }) => !worked.has(String(json.companyResourceId)));
		if (extra.length > 0)
			this.blame('wrong', `${node}: ${extra.length} records of companies that failed or were not asked for (${route})`);
	}

	private async everyExport(): Promise<void> {
		const { report, log, ids } = await this.every('Leaderboard', 'export', { options: this.options() });
		if (this.judgeWhole(report, log)) return;
		const worked = this.worked(ids, report, log);
		const files = report.items.filter(({ json }) => json.error === undefined);
		this.compare(
			'companies with a file',
			files.map(({ json }) => String(json.companyResourceId)),
			[...worked],
		);
		for (const [index, { json }] of files.entries()) {
			const sent = log.findLast(
				({ companyId, sha256 }) => companyId === json.companyResourceId && sha256 !== undefined,
			);
			if (sent?.sha256 !== report.files[index]?.sha256)
				this.blame('wrong', `the file of ${String(json.companyResourceId)} is not what was sent`);
		}
	}

	private async pages(): Promise<void> {
		const parameters = {
			operation: 'getMany',
			returnAll: true,
			options: { ...this.options(), pageSize: between(this.next, 2, 30) },
		};
		const { report, log } = await this.run(
			{ node: 'Company', parameters, items: [{ json: {} }], onError: 'stopWorkflow', stopAfterMs: this.maybeStop() },
			200,
		);
		if (this.judgeWhole(report, log)) return;
		this.compare(
			'companies',
			report.items.map(({ json }) => String(json.companyResourceId)),
			this.usual,
		);
	}

	private async largeFile(): Promise<void> {
		this.service.setOptions({ exportBytes: between(this.next, 100_000, 12_000_000) });
		const parameters = { operation: 'export', companyScope: 'own' };
		const { report, log } = await this.run(
			{
				node: 'Leaderboard',
				parameters,
				items: [{ json: {} }],
				onError: 'stopWorkflow',
				stopAfterMs: this.maybeStop(),
			},
			20,
		);
		this.service.setOptions({ exportBytes: undefined });
		if (this.judgeWhole(report, log)) return;
		const sent = log.findLast(({ sha256 }) => sha256 !== undefined);
		const [file] = report.files;
		if (file?.sha256 !== sent?.sha256 || file?.bytes !== sent?.bytesSent || report.items[0]?.json.bytes !== file?.bytes)
			this.blame('wrong', `a file of ${file?.bytes} bytes, sent were ${sent?.bytesSent}`);
	}

	/** Each record once, in any order: what the service lists by is its own affair. */
	private compare(what: string, shownIds: string[], expected: string[]): void {
		const seen = new Set(shownIds);
		if (seen.size < shownIds.length) this.blame('doubled', `${what}: ${shownIds.length - seen.size} twice`);
		const missing = expected.filter((id) => !seen.has(id));
		if (missing.length > 0) this.blame('lost', `${what}: ${missing.length} of ${expected.length} are missing`);
		if (shownIds.some((id) => !expected.includes(id)))
			this.blame('wrong', `${what}: some that the service does not have`);
	}
}

/** What may be the reason for a company's failure: its own requests, and the tokens. */
const ofCompany = (log: LoggedRequest[], id: string) =>
	log.filter(({ companyId, route }) => companyId === id || route === TOKEN);

/** Writes, one for each of many items. */
class Writes extends Workload {
	private made = 0;

	private constructor(
		ways: Ways,
		private readonly customer: CustomerFixture,
	) {
		super('writes', ways);
	}

	static async start(ways: Ways): Promise<Writes> {
		return new Writes(ways, await CustomerFixture.start({ companies: 40 }));
	}

	protected get service() {
		return this.customer.service;
	}

	protected get door(): Door {
		return { url: this.service.url, clients: this.service.clients, credential: this.customer.credential() };
	}

	async round(): Promise<void> {
		this.service.reset();
		const names = Array.from({ length: between(this.next, 1, 30) }, () => `Group ${++this.made}`);
		const parameters = { operation: 'create', name: '={{ $json.name }}', participantsFrom: 'none' };
		const onError = this.onError();
		const { report, log } = await this.run(
			{ node: 'CompanyGroup', parameters, items: names.map((name) => ({ json: { name } })), onError },
			150,
		);
		const there = new Map<string, number>();
		for (const { name } of this.service.state.groups) there.set(name, (there.get(name) ?? 0) + 1);
		const times = (name: string) => there.get(name) ?? 0;
		for (const name of names) if (times(name) > 1) this.blame('doubled', `${name} was created ${times(name)} times`);
		const requestsOf = (name: string) =>
			log.filter(({ route, body }) => route === TOKEN || z.object({ name: z.literal(name) }).safeParse(body).success);
		if (report.failure) {
			const { itemIndex = 0 } = z.object({ itemIndex: z.number().optional() }).parse(report.failure.context);
			this.judgeFailure(report.failure, requestsOf(names[itemIndex] ?? ''), true);
			for (const [index, name] of names.entries()) {
				if (index < itemIndex && times(name) === 0) this.blame('lost', `${name} was passed and does not exist`);
				if (index > itemIndex && times(name) > 0) this.blame('wrong', `${name} was created after the run had failed`);
			}
			return;
		}
		const told = new Set<string>();
		for (const { json } of report.items.filter((item) => item.json.error === undefined)) {
			const name = String(json.name);
			told.add(name);
			if (times(name) === 1) this.tally.written++;
			else if (times(name) === 0) this.blame('lost', `${name} is said to be created and does not exist`);
		}
		const failed = names.filter((name) => !told.has(name));
		const errors = [
			...report.items.filter(({ json }) => json.error !== undefined).map(({ json }) => json),
			...report.errors,
		].map((json) => failedItem.parse(json).error);
		if (failed.length !== errors.length)
			this.blame('lost', `${names.length} items, ${told.size} created, ${errors.length} failed`);
		for (const name of failed) this.judgeFailure(errors[0] ?? { message: '', description: '' }, requestsOf(name), true);
	}
}

/** Two triggers, polled all the time while records are created. */
class Triggers extends Workload {
	private readonly ground: Ground;
	private readonly created: Record<Kind, Set<string>> = { campaign: new Set(), enrollment: new Set() };
	private readonly emitted: Record<Kind, Map<string, number>> = { campaign: new Map(), enrollment: new Map() };
	private polls = 0;

	private constructor(
		ways: Ways,
		private readonly customer: CustomerFixture,
	) {
		super('triggers', ways);
		this.ground = new Ground(customer.service);
	}

	static async start(ways: Ways): Promise<Triggers> {
		const made = new Triggers(ways, await CustomerFixture.start({ companies: 40 }));
		made.ground.clear();
		for (const kind of KINDS) await made.poll(kind, 0);
		return made;
	}

	protected get service() {
		return this.customer.service;
	}

	protected get door(): Door {
		return { url: this.service.url, clients: this.service.clients, credential: this.customer.credential() };
	}

	async round(): Promise<void> {
		this.ground.pass(between(this.next, 1, 60_000));
		for (const kind of KINDS) {
			for (let left = between(this.next, 0, 3); left > 0; left--) {
				const late = this.next() < 0.25 ? between(this.next, 1, 12 * 3_600_000) : 0;
				const list: List = kind === 'enrollment' ? 'enrollment' : pick(this.next, ['phishing', 'smishing', 'quishing']);
				this.created[kind].add(this.ground.create(list, between(this.next, 0, 39), late));
			}
			await this.poll(kind, 100);
		}
		// One poll a second and trigger is more than n8n allows, but leaves the machine to the others.
		await new Promise((resolve) => setTimeout(resolve, 1000));
	}

	private async poll(kind: Kind, faulty: number): Promise<void> {
		this.service.clearLog();
		this.arm(faulty);
		const parameters = {
			companyScope: 'every',
			...(kind === 'campaign' ? { simulators: ['phishing', 'smishing', 'quishing'] } : {}),
			options: { timeout: TIMEOUT },
		};
		const report = await this.ways.remote.poll({
			door: this.door,
			trigger: kind === 'campaign' ? 'CampaignTrigger' : 'EnrollmentTrigger',
			parameters,
			restart: faulty > 0 && this.next() < 0.05,
		});
		this.tally.polls++;
		this.polls++;
		this.tally.count(this.service.log);
		if (report.failure) {
			this.tally.failures++;
			if (!this.service.log.some(({ fault }) => fault))
				this.blame('wrong', `a poll failed without a reason: ${report.failure.message}\n${shown(this.service.log)}`);
		}
		for (const { json } of report.items) {
			const id = String(json.resourceId);
			const before = this.emitted[kind].get(id) ?? 0;
			this.emitted[kind].set(id, before + 1);
			this.tally.emitted++;
			if (before > 0) this.blame('doubled', `${id} was emitted ${before + 1} times`);
			if (!this.created[kind].has(id)) this.blame('wrong', `${id} was emitted and never created`);
		}
	}

	override async finish(): Promise<void> {
		for (const kind of KINDS) {
			for (let round = 0; round < 3; round++) {
				this.ground.pass(60_000);
				await this.poll(kind, 0);
			}
			for (const id of this.created[kind])
				if (!this.emitted[kind].has(id)) this.blame('lost', `${id} was created and never emitted`);
		}
	}
}

type Kind = 'campaign' | 'enrollment';
const KINDS: readonly Kind[] = ['campaign', 'enrollment'];

/** Everything that goes on at once. */
export async function startWorkloads(ways: Ways): Promise<Workload[]> {
	return [
		await Cases.start(ways, 'contract'),
		await Cases.start(ways, 'renamed'),
		await Reads.start(ways, 'contract'),
		await Reads.start(ways, 'renamed'),
		await Writes.start(ways),
		await Triggers.start(ways),
	];
}

export type { Workload };
