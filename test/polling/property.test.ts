/**
 * The promise of the triggers, as a property: whatever happens to the lists and between the polls, every record that
 * became visible after the baseline and is there at a successful poll is given in exactly one execution.
 * LONG_RUN=1 runs many more histories; SEED repeats a run.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { startService, type StandIn } from '../service';
import { Active, campaignTrigger, enrollmentTrigger, Ground, HOUR, idsOf, type List } from './ground';

const RUNS = Number(process.env.RUNS ?? (process.env.LONG_RUN ? 10_000 : 300));
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED);
const WINDOW = 5;
const COMPANIES = 2;

let service: StandIn;
let ground: Ground;
beforeAll(async () => {
	service = await startService({ companies: COMPANIES });
	ground = new Ground(service);
	// Pauses between tries are random: here they take no time.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(async () => await service.close());

interface Setup {
	label: string;
	lists: List[];
	companies: number;
	make: (options: IDataObject) => Active;
	search: (list: List) => string;
}

const searchOf = (list: List) =>
	list === 'enrollment' ? 'POST /api/enrollments/search' : `POST /api/${list}-simulator/${list}-campaign/search`;

const made: Setup[] = [
	{
		label: 'campaigns of two simulators, every company at once',
		lists: ['phishing', 'smishing'],
		companies: COMPANIES,
		search: searchOf,
		make: (options) =>
			new Active(campaignTrigger(), { simulators: ['phishing', 'smishing'], companyScope: 'every', options }, service),
	},
	{
		label: 'enrollments, company by company',
		lists: ['enrollment'],
		companies: COMPANIES,
		search: searchOf,
		make: (options) => new Active(enrollmentTrigger(), { companyScope: 'every', options }, service),
	},
	{
		label: 'campaign jobs, whose list shows no create time, company by company',
		lists: ['phishing'],
		companies: COMPANIES,
		search: (list) => `POST /api/${list}-simulator/${list}-campaign-job-report/search`,
		make: (options) =>
			new Active(
				campaignTrigger(),
				{ simulators: ['phishing'], watch: 'jobs', companyScope: 'every', companyFilter: { licenceNotExpired: false }, options },
				service,
			),
	},
	{
		label: 'campaigns, the credential its own',
		lists: ['quishing'],
		companies: 1,
		search: searchOf,
		make: (options) => new Active(campaignTrigger(), { simulators: ['quishing'], companyScope: 'own', options }, service),
	},
];
const setups = made.map((setup) => ({ ...setup, [fc.toStringMethod]: () => setup.label }));

const place = { company: fc.nat(COMPANIES - 1), list: fc.nat(1) };
/** Anything that happens to the lists. */
const change = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('create' as const), ...place, late: fc.constantFrom<number>(0, 0, 0, 1, 2, 4, WINDOW) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('same moment' as const), ...place, of: fc.nat() }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('too late' as const), ...place, late: fc.constantFrom<number>(6, 11, 60, 400) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('future' as const), ...place, ahead: fc.constantFrom(1, 30) }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), of: fc.nat() }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const), of: fc.nat() }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('status' as const), of: fc.nat(), status: fc.constantFrom('Running', 'Completed', 'Stopped') }) },
);
const step = fc.oneof(
	{ weight: 10, arbitrary: change },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(0.01, 1, 3, 7, 60) }) },
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('poll' as const) }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('shifting poll' as const), after: fc.nat(4), changes: fc.array(change, { minLength: 1, maxLength: 3 }) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('failing poll' as const), page: fc.constantFrom(undefined, 1, 2), list: fc.nat(1) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('failing company' as const), company: fc.nat(COMPANIES - 1) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('overlapping polls' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const) }) },
);
/** What concerns a status, and all else that leaves no doubt about what a poll has seen. */
const statusStep = fc.oneof(
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), ...place, late: fc.constantFrom<number>(0, 1, 300) }) },
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('status' as const), of: fc.nat(), status: fc.constantFrom('Running', 'Completed', 'Stopped') }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), of: fc.nat() }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const), of: fc.nat() }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(0.01, 1, 60) }) },
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('poll' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('overlapping polls' as const) }) },
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Told {
	id: string;
	list: List;
	company: number;
	createdAt: number;
	/** Whether it became visible after the baseline, in time or late by no more than the window. */
	isOwed: boolean;
	/** Whether the baseline saw it: such a record is never given. */
	wasListed: boolean;
	given: number;
	putBack?: (() => void) | undefined;
	status: string;
	/** The status that the last saved poll saw. */
	noted?: string | undefined;
	notedSaved?: string | undefined;
}

const figures = { histories: 0, polls: 0, created: 0, owed: 0, given: 0, changes: 0 };

/** One history, with a plain list of what there is and what was given. @throws at the first broken promise */
class History {
	readonly told: Told[] = [];
	private isBased = false;

	constructor(
		private readonly setup: Setup,
		private readonly active: Active,
		private readonly watchesStatus: boolean,
	) {}

	apply(each: Change): void {
		const there = this.told.filter(({ putBack }) => !putBack);
		const gone = this.told.filter(({ putBack }) => putBack);
		const pick = <T>(from: T[], index: number): T | undefined => from[index % Math.max(1, from.length)];
		switch (each.do) {
			case 'create':
				return this.create(each, each.late * HOUR);
			case 'too late':
				return this.create(each, each.late * HOUR);
			case 'future':
				return this.create(each, -each.ahead * HOUR);
			case 'same moment': {
				const other = pick(this.told, each.of);
				return this.create(each, other ? ground.now - other.createdAt : 0);
			}
			case 'delete': {
				const record = pick(there, each.of);
				if (record) record.putBack = ground.delete(record.list, record.company, record.id);
				return;
			}
			case 'restore': {
				const record = pick(gone, each.of);
				if (!record) return;
				record.putBack?.();
				record.putBack = undefined;
				// It becomes visible anew, which may be too late for one that no poll has seen.
				record.isOwed &&= ground.now - record.createdAt <= WINDOW * HOUR;
				return;
			}
			case 'status': {
				const record = pick(there, each.of);
				if (!record) return;
				record.status = each.status;
				ground.setStatus(record.list, record.company, record.id, each.status);
			}
		}
	}

	private create(where: { company: number; list: number }, late: number): void {
		const list = this.setup.lists[where.list % this.setup.lists.length] ?? 'phishing';
		const company = where.company % this.setup.companies;
		const id = ground.create(list, company, late);
		figures.created++;
		const isOwed = this.isBased && late <= WINDOW * HOUR;
		if (isOwed) figures.owed++;
		this.told.push({ id, list, company, createdAt: ground.now - late, isOwed, wasListed: false, given: 0, status: 'Running' });
	}

	async run(steps: Step[]): Promise<void> {
		await this.poll();
		this.isBased = true;
		for (const record of this.told) record.wasListed = !record.putBack;
		for (const each of [...steps, { do: 'poll' as const }, { do: 'poll' as const }]) await this.take(each);
	}

	private async take(each: Step): Promise<void> {
		switch (each.do) {
			case 'pass':
				return ground.pass(each.hours * HOUR);
			case 'poll':
				return await this.poll();
			case 'rename':
				this.active.name = `${this.active.name} again`;
				return;
			case 'restart':
				this.active.restart();
				for (const record of this.told) record.noted = record.notedSaved;
				return;
			case 'failing poll': {
				const list = this.setup.lists[each.list % this.setup.lists.length] ?? 'phishing';
				service.fault({ kind: 'status-500', times: Infinity, route: this.setup.search(list), ...(each.page ? { page: each.page } : {}) });
				return await this.poll(() => 'nothing');
			}
			case 'failing company': {
				const { id } = ground.company(each.company);
				service.fault({ kind: 'status-500', times: Infinity, route: this.setup.search(this.setup.lists[0] ?? 'phishing'), company: id });
				return await this.poll(() => 'nothing');
			}
			case 'shifting poll': {
				let passed = 0;
				service.setOptions({
					beforeAnswer: () => {
						if (passed++ === each.after) for (const inner of each.changes) this.apply(inner);
					},
				});
				return await this.poll(() => 'nothing');
			}
			case 'overlapping polls': {
				service.setOptions({ latencyMs: 2 });
				const both = await Promise.all([this.active.poll(), this.active.poll()]);
				service.setOptions({ latencyMs: 0 });
				figures.polls += 2;
				// The poll that was turned away has left n8n's memory as it was.
				const [items, others] = both;
				if (others) throw new Error('Two polls at once both gave something');
				this.check(items, 'everything');
				return;
			}
			default:
				return this.apply(each);
		}
	}

	private async poll(owes: () => 'everything' | 'nothing' = () => 'everything'): Promise<void> {
		figures.polls++;
		let failed = false;
		const items = await this.active.poll().catch((error: unknown) => {
			failed = true;
			if (owes() === 'everything') throw error;
			return null;
		});
		service.clearFaults();
		service.setOptions({ beforeAnswer: undefined });
		this.check(items, failed ? 'nothing' : owes());
	}

	private check(items: IDataObject[] | null, owes: 'everything' | 'nothing'): void {
		if (items?.length === 0) throw new Error('An empty batch starts an execution');
		const ids = idsOf(items);
		for (const id of ids) {
			const record = this.told.find((each) => each.id === id);
			if (!record) throw new Error(`${id} was given, which there is not`);
			record.given++;
			figures.given++;
			if (this.watchesStatus) continue;
			if (record.given > 1) throw new Error(`${id} was given twice`);
			if (record.wasListed) throw new Error(`${id} was there before the baseline, but was given`);
		}
		if (this.watchesStatus) return this.checkStatuses(new Set(ids), items !== null, owes);
		if (owes === 'nothing') return;
		for (const { id, isOwed, given, putBack } of this.told)
			if (isOwed && !putBack && given === 0) throw new Error(`${id} was missed`);
	}

	/** Status Changed: what a poll saw before, and sees otherwise now, is given, and nothing else. */
	private checkStatuses(ids: ReadonlySet<string>, isSaved: boolean, owes: 'everything' | 'nothing'): void {
		for (const record of this.told) {
			const changed = record.noted !== undefined && record.noted !== record.status;
			if (ids.has(record.id)) {
				figures.changes++;
				if (!changed) throw new Error(`${record.id} was given without a change of its status`);
				record.noted = record.status;
			} else if (owes === 'everything' && !record.putBack) {
				if (changed) throw new Error(`The change of ${record.id} was missed`);
				record.noted = record.status;
			}
		}
		if (isSaved || !this.isBased) for (const record of this.told) record.notedSaved = record.noted;
	}
}

async function live(
	setup: Setup,
	pageSize: number | undefined,
	before: Change[],
	steps: Step[],
	watchesStatus: boolean,
): Promise<void> {
	figures.histories++;
	ground.clear();
	const active = setup.make({ lateArrivals: WINDOW, ...(pageSize ? { pageSize } : {}) });
	if (watchesStatus) active.parameters.triggerOn = 'statusChanged';
	const history = new History(setup, active, watchesStatus);
	for (const each of before) history.apply(each);
	await history.run(steps);
}

const told = (details: Pick<fc.RunDetails<unknown>, 'seed' | 'counterexamplePath' | 'numRuns' | 'numShrinks' | 'counterexample' | 'errorInstance'>) =>
	`seed ${details.seed}, path ${String(details.counterexamplePath)}, after ${details.numRuns} histories and ${details.numShrinks} shrinks:\n${fc.stringify(details.counterexample)}\n${details.errorInstance instanceof Error ? details.errorInstance.message : ''}`;

async function holds(property: fc.IAsyncProperty<[Setup, number | undefined, Change[], Step[]]>, numRuns: number) {
	const details = await fc.check(property, { numRuns, ...(SEED === undefined ? {} : { seed: SEED }) });
	if (details.failed) throw new Error(told(details));
}

const pageSizes = fc.constantFrom(1, 2, 3, 3, undefined, undefined);
// The sandwich of a poll between two batches of changes is what breaks a trigger, so there are many of both.
const steps = fc.array(step, { minLength: 3, maxLength: 24, size: 'max' });

test(
	'every record that becomes visible is given once',
	async () => {
		const property = fc.asyncProperty(fc.constantFrom(...setups), pageSizes, fc.array(change, { maxLength: 6, size: 'max' }), steps, async (setup, size, before, after) => {
			await live(setup, size, before, after, false);
		});
		await holds(property, Math.ceil(RUNS * 0.8));
	},
	process.env.LONG_RUN ? 3_600_000 : 90_000,
);

test(
	'every change of a status is given once',
	async () => {
		const begin = fc.array(fc.record({ do: fc.constant('create' as const), ...place, late: fc.constantFrom<number>(0, 1, 300) }), { maxLength: 6, size: 'max' });
		const rest = fc.array(statusStep, { minLength: 3, maxLength: 24, size: 'max' });
		const property = fc.asyncProperty(fc.constantFrom(...setups), pageSizes, begin, rest, async (setup, size, before, after) => {
			await live(setup, size, before, after, true);
		});
		await holds(property, Math.floor(RUNS * 0.2));
	},
	process.env.LONG_RUN ? 3_600_000 : 90_000,
);

afterAll(() => {
	process.stderr.write(`${JSON.stringify(figures)}\n`);
});
