/**
 * The promise of the triggers (docs/triggers.md), as a property: whatever happens to lists, companies and n8n between the polls,
 * each record that is listed within 24 hours of its create time is given once, and nothing else is. RUNS=2000 runs more
 * histories than usual, SEED others.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { startService, type LoggedRequest } from '../stand-in';
import { Active, campaignTrigger, enrollmentTrigger, HOUR, idsOf, PollingFixture, type List } from './pollingFixture';

const RUNS = Number(process.env.RUNS ?? 25);
const SEED = process.env.SEED === 'fresh' ? undefined : Number(process.env.SEED ?? 32);
const COMPANIES = 3;

const company = fc.nat({ max: COMPANIES - 1 });
const late = fc.constantFrom(0, 0, 1, 12, 20, 23);
const doing = <D extends string, F extends object>(name: D, fields: { [K in keyof F]: fc.Arbitrary<F[K]> }) =>
	fc.record<{ do: D } & F>({ do: fc.constant(name), ...fields } as never);
const create = doing('create', { company, late });
const step = fc.oneof(
	{ weight: 6, arbitrary: create },
	{ weight: 2, arbitrary: doing('burst', { company, count: fc.integer({ min: 2, max: 5 }) }) },
	{ weight: 3, arbitrary: doing('status', { of: fc.nat(), to: fc.constantFrom('Running', 'Done') }) },
	{ weight: 8, arbitrary: doing('poll', {}) },
	{ weight: 3, arbitrary: doing('pass', { hours: fc.constantFrom(0, 1, 6, 23, 25, 40, 100) }) },
	{ weight: 3, arbitrary: doing('fail', { what: fc.constantFrom<'all' | number>('all', 0, 0, 1, 1, 2) }) },
	{ weight: 2, arbitrary: doing('mend', {}) },
	{ weight: 2, arbitrary: doing('restart', {}) },
	{ weight: 1, arbitrary: doing('two polls', {}) },
	{ weight: 1, arbitrary: doing('company comes', {}) },
	// Between two pages one record goes, and another one comes: others move from the next page to the one that was read.
	{ weight: 3, arbitrary: doing('shifting poll', { company, late, of: fc.nat(), after: fc.nat({ max: 4 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const setup = fc.record({
	list: fc.constantFrom<List>('phishing', 'enrollment'),
	watch: fc.constantFrom('campaigns', 'campaigns', 'jobs'),
	scope: fc.constantFrom('every', 'every', 'every', 'one'),
	/** What a request without a company gives: everything (contract 4.1), the reseller's own records, or a refusal. */
	unscoped: fc.constantFrom('all', 'all', 'own', 'refused'),
	triggerOn: fc.constantFrom('new', 'new', 'statusChanged'),
	pageSize: fc.constantFrom(1, 2, 3, 100),
});
type Setup = typeof setup extends fc.Arbitrary<infer S> ? S : never;

/** The status of a record that a poll may have seen. */
const UNSURE = 'unsure';

/** A record, and what became of it. */
interface Told {
	id: string;
	company: number;
	isOwed: boolean;
	given: number;
	status: string;
	/** The status at the last poll, and at the last that n8n has saved; undefined for none. */
	noted: string | undefined;
	saved: string | undefined;
}

let fixture: PollingFixture;
beforeAll(async () => {
	fixture = new PollingFixture(await startService({ companies: COMPANIES }));
	// Pauses between tries are random: here they take no time.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
});
afterAll(async () => {
	jest.restoreAllMocks();
	await fixture.service.close();
});

/** Lives through a history. @throws at the first broken promise */
class History {
	private readonly records: Told[] = [];
	private readonly active: Active;
	private readonly failing = new Set<number | 'all'>();
	/** How many companies are listed: the last one comes later. */
	private listed = COMPANIES - 1;
	private hasBegun = false;
	/** How long something has failed, in hours: a company is waited for 14 days. */
	private failedFor = 0;

	constructor(private readonly setup: Setup) {
		fixture.clear();
		const { list, watch, scope, triggerOn, pageSize } = setup;
		const own = list === 'enrollment' ? {} : { simulators: ['phishing'], watch };
		const one = scope === 'one' ? { company: { __rl: true, mode: 'id', value: fixture.company(0).id } } : {};
		const options = { pageSize, askEachEvery: 0 };
		const node = list === 'enrollment' ? enrollmentTrigger() : campaignTrigger();
		this.active = new Active(node, { ...own, companyScope: scope, ...one, triggerOn, options }, fixture.service);
		fixture.service.setOptions({ garble: (envelope, request) => this.listedOf(envelope, request) });
	}

	private get route(): string {
		if (this.setup.list === 'enrollment') return 'POST /api/enrollments/search';
		return `POST /api/phishing-simulator/phishing-campaign${this.setup.watch === 'jobs' ? '-job-report' : ''}/search`;
	}

	/** Leaves out of an answer what this deployment does not list. */
	private listedOf(envelope: unknown, { route, companyId }: LoggedRequest): unknown {
		const { data, ...rest } = envelope as { data?: { results?: IDataObject[] } };
		if (!data?.results) return envelope;
		const hidden = fixture.company(this.listed).id;
		const isHidden = (record: IDataObject) => this.listed < COMPANIES && record.companyResourceId === hidden;
		if (route === 'POST /api/companies/search')
			return { ...rest, data: { ...data, results: data.results.filter((each) => !isHidden(each)) } };
		const isUnscoped = companyId === undefined && route === this.route;
		if (isUnscoped && this.setup.unscoped === 'refused')
			return { data: null, status: 'INPUT_ERROR', message: 'Refused' };
		const isOwn = isUnscoped && this.setup.unscoped === 'own';
		return isOwn
			? { ...rest, data: { ...data, results: [], totalNumberOfRecords: 0, totalNumberOfPages: 0 } }
			: envelope;
	}

	private setFaults(): void {
		const { service } = fixture;
		service.clearFaults();
		const fault = { times: Infinity, route: this.route };
		if (this.failing.has('all')) service.fault({ ...fault, kind: 'status-500' });
		for (const each of this.failing)
			if (each !== 'all') service.fault({ ...fault, kind: 'status-500', company: fixture.company(each).id });
	}

	private create(index: number, late: number): void {
		const { scope, list } = this.setup;
		const company = scope === 'one' ? 0 : index % this.listed;
		const id = fixture.create(list, company, late * HOUR);
		this.records.push({
			...{ id, company, isOwed: this.hasBegun, given: 0, status: 'Running' },
			...{ noted: undefined, saved: undefined },
		});
	}

	async run(before: Step[], steps: Step[]): Promise<void> {
		for (const each of before) if (each.do === 'create') this.create(each.company, each.late);
		await this.poll();
		this.hasBegun = true;
		for (const each of steps) await this.take(each);
		this.failing.clear();
		for (let times = 0; times < 3; times++) {
			fixture.pass(HOUR);
			await this.poll();
		}
		const missed = this.records.filter(({ isOwed, given }) => isOwed && given === 0);
		if (this.setup.triggerOn === 'new' && missed.length > 0)
			throw new Error(`missed: ${missed.map(({ id }) => id).join(' ')}`);
	}

	/** Deletes a record that was given, or never will be. */
	private delete(of: number): void {
		const done = this.records.filter(({ isOwed, given }) => !isOwed || given > 0);
		const told = done[of % Math.max(1, done.length)];
		if (!told) return;
		fixture.delete(this.setup.list, told.company, told.id);
		this.records.splice(this.records.indexOf(told), 1);
	}

	private async take(each: Step): Promise<void> {
		switch (each.do) {
			case 'create':
				return this.create(each.company, each.late);
			case 'burst':
				for (let times = 0; times < each.count; times++) this.create(each.company, 0);
				return;
			case 'status': {
				const told = this.records[each.of % Math.max(1, this.records.length)];
				if (!told) return;
				told.status = each.to;
				return fixture.setStatus(this.setup.list, told.company, told.id, each.to);
			}
			case 'pass':
				this.failedFor += this.failing.size > 0 ? each.hours : 0;
				if (this.failedFor > 13 * 24) this.failing.clear();
				return fixture.pass(each.hours * HOUR);
			case 'fail':
				this.failing.add(each.what);
				return;
			case 'mend':
				return this.failing.clear();
			case 'restart':
				this.active.restart();
				for (const told of this.records) told.noted = told.saved;
				return;
			case 'company comes':
				this.listed = COMPANIES;
				return;
			case 'two polls': {
				const [one, other] = await Promise.all([this.polled(), this.polled()]);
				if (one && other) throw new Error('Two polls at once both gave something');
				return this.check(one ?? other);
			}
			case 'shifting poll': {
				let answered = 0;
				fixture.service.setOptions({
					beforeAnswer: () => {
						if (answered++ !== each.after) return;
						this.create(each.company, each.late);
						this.delete(each.of);
					},
				});
				const items = await this.polled();
				fixture.service.setOptions({ beforeAnswer: undefined });
				return this.check(items, answered > each.after);
			}
			case 'poll':
				return await this.poll();
		}
	}

	private async polled(): Promise<IDataObject[] | null> {
		this.setFaults();
		return await this.active.poll().catch((error: unknown) => {
			if (this.failing.size === 0) throw error;
			return null;
		});
	}

	private async poll(): Promise<void> {
		this.check(await this.polled());
	}

	/** @param isShifting whether the lists changed while they were read, so that not all was to be seen */
	private check(items: IDataObject[] | null, isShifting = false): void {
		const ids = idsOf(items);
		const isWhole = this.failing.size === 0 && !isShifting;
		for (const told of this.records) {
			const times = ids.filter((id) => id === told.id).length;
			told.given += times;
			if (times > 1) throw new Error(`${told.id} was given twice in one poll`);
			if (this.setup.triggerOn === 'new') {
				if (told.given > 1) throw new Error(`${told.id} was given again`);
				if (told.given > 0 && !told.isOwed) throw new Error(`${told.id} was there before, but was given`);
			} else if (isWhole && told.noted !== UNSURE) {
				const isChanged = told.noted !== undefined && told.noted !== told.status;
				if (isChanged !== (times === 1)) throw new Error(`${told.id}: ${told.noted} → ${told.status}, given ${times}`);
			}
			// A poll that failed has changed nothing.
			if (this.failing.has('all')) continue;
			told.noted = times === 1 || isWhole ? told.status : UNSURE;
			if (items || !this.hasBegun) told.saved = told.noted;
		}
	}
}

test('each record is given once', async () => {
	const property = fc.asyncProperty(
		setup,
		fc.array(create, { maxLength: 6 }),
		fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }),
		async (chosen, before, steps) => await new History(chosen).run(before, steps),
	);
	const details = await fc.check(property, { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: SEED }) });
	if (details.failed)
		throw new Error(
			`seed ${details.seed}, after ${details.numRuns}: ${fc.stringify(details.counterexample)}\n${String(details.errorInstance)}`,
		);
}, 3_600_000);
