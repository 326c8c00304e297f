/**
 * The promise of the triggers, as a property: whatever happens to the lists and between the polls, every record that
 * became visible after the baseline and is there at a successful poll is given in exactly one execution.
 * LONG_RUN=1 runs many more histories, RUNS as many as it says; SEED repeats a run.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { deepOr } from '../setup/depth';
import { startService, type StandIn } from '../stand-in';
import { Active, campaignTrigger, DAY, enrollmentTrigger, Ground, HOUR, idsOf, withCursor, type List } from './ground';

const RUNS = Number(process.env.RUNS ?? (process.env.LONG_RUN ? 10_000 : deepOr(300, 30)));
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED);
const LIMIT_MS = process.env.LONG_RUN ? 36_000_000 : 600_000;
const WINDOW = 5;
const WATCHED_DAYS = 30;
const COMPANIES = 2;

let service: StandIn;
let ground: Ground;
/** How much longer polls seem to take than they do, in ms. */
let elapsed = 0;
beforeAll(async () => {
	service = await startService({ companies: COMPANIES });
	ground = new Ground(service);
	// Pauses between tries are random: here they take no time.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	const performanceNow = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => performanceNow() + elapsed);
});
afterAll(async () => await service.close());

interface Setup {
	label: string;
	lists: List[];
	companies: number;
	make: (options: IDataObject) => Active;
	search: (list: List) => string;
	/** Whether n8n's durable poller polls, which saves the state of every poll. */
	isDurable?: boolean;
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
		label: 'enrollments with their details, company by company, the durable poller',
		lists: ['enrollment'],
		companies: COMPANIES,
		search: searchOf,
		isDurable: true,
		make: (options) => {
			const active = new Active(
				enrollmentTrigger(),
				{ companyScope: 'every', options: { ...options, includeDetails: true } },
				service,
			);
			withCursor(active.node);
			return active;
		},
	},
	{
		label: 'campaign jobs, whose list shows no create time, company by company',
		lists: ['phishing'],
		companies: COMPANIES,
		search: (list) => `POST /api/${list}-simulator/${list}-campaign-job-report/search`,
		make: (options) =>
			new Active(
				campaignTrigger(),
				{
					simulators: ['phishing'],
					watch: 'jobs',
					companyScope: 'every',
					companyFilter: { licenceNotExpired: false },
					options,
				},
				service,
			),
	},
	{
		label: 'campaigns, the credential its own',
		lists: ['quishing'],
		companies: 1,
		search: searchOf,
		make: (options) =>
			new Active(campaignTrigger(), { simulators: ['quishing'], companyScope: 'own', options }, service),
	},
];
const setups = made.map((setup) => ({ ...setup, [fc.toStringMethod]: () => setup.label }));

const place = { company: fc.nat(COMPANIES - 1), list: fc.nat(1) };
const inTime = fc.constantFrom<number>(0, 0, 0, 1, 2, 4, WINDOW);
const create = fc.record({ do: fc.constant('create' as const), ...place, late: inTime });
/** Several at once in one list, so that it has pages. */
const burst = fc.record({
	do: fc.constant('burst' as const),
	...place,
	lates: fc.array(inTime, { minLength: 2, maxLength: 4, size: 'max' }),
});
const setStatus = fc.record({
	do: fc.constant('status' as const),
	of: fc.nat(),
	status: fc.constantFrom('Running', 'Completed', 'Stopped'),
});
const remove = fc.record({ do: fc.constant('delete' as const), of: fc.nat() });
const restore = fc.record({ do: fc.constant('restore' as const), of: fc.nat() });
/** Anything that happens to the lists. */
const change = fc.oneof(
	{ weight: 6, arbitrary: create },
	{ weight: 1, arbitrary: burst },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('same moment' as const), ...place, of: fc.nat() }) },
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('too late' as const),
			...place,
			late: fc.constantFrom<number>(6, 11, 60, 400),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('future' as const), ...place, ahead: fc.constantFrom(1, 30) }) },
	{ weight: 3, arbitrary: remove },
	{ weight: 1, arbitrary: restore },
	{ weight: 2, arbitrary: setStatus },
);
/** What happens to the lists while a poll reads them: at one moment, or at several. */
const moments = fc.array(fc.record({ after: fc.nat(6), changes: fc.array(change, { minLength: 1, maxLength: 3 }) }), {
	minLength: 1,
	maxLength: 3,
});
const pass = fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(0.01, 1, 3, 7, 60) });
const poll = fc.record({ do: fc.constant('poll' as const) });
const shiftingPoll = fc.record({ do: fc.constant('shifting poll' as const), moments });
/** A poll whose time is up after so many requests. */
const cutPoll = fc.record({ do: fc.constant('cut poll' as const), after: fc.constantFrom(0, 0, 1, 1, 2, 4) });
const troubles = [
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('failing page' as const),
			page: fc.constantFrom(undefined, 1, 2),
			list: fc.nat(1),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('failing company' as const), company: fc.nat(COMPANIES - 1) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('failing details' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('activation' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('overlapping polls' as const), after: fc.nat(5) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const) }) },
];
const step = fc.oneof(
	{ weight: 10, arbitrary: change },
	{ weight: 3, arbitrary: pass },
	{ weight: 6, arbitrary: poll },
	{ weight: 2, arbitrary: shiftingPoll },
	{ weight: 1, arbitrary: cutPoll },
	...troubles,
);
/** A busy time: newer records in front of older ones, more than a poll can read. */
const busy = fc.tuple(
	burst,
	fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(1, 3) }),
	burst,
	fc.oneof(cutPoll, shiftingPoll),
);
/** What concerns a status, and all else that leaves no doubt about which status a poll has seen. */
const statusStep = fc.oneof(
	{
		weight: 2,
		arbitrary: fc.record({ do: fc.constant('create' as const), ...place, late: fc.constantFrom<number>(0, 1, 300) }),
	},
	{ weight: 6, arbitrary: setStatus },
	{ weight: 1, arbitrary: remove },
	{ weight: 1, arbitrary: restore },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(0.01, 1, 60) }) },
	{ weight: 6, arbitrary: poll },
	{ weight: 1, arbitrary: cutPoll },
	...troubles,
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
type Moments = typeof moments extends fc.Arbitrary<infer T> ? T : never;
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
	/** The last time that it came or went, counted in changes. */
	movedAt: number;
	status: string;
	/** What the trigger may remember as its status: one of these; undefined stands for a record that it does not know. */
	noted: ReadonlySet<string | undefined>;
	notedSaved: ReadonlySet<string | undefined>;
}

const UNKNOWN: ReadonlySet<string | undefined> = new Set([undefined]);

/** What all histories came to, for a reader to see that everything was exercised. */
const figures = {
	histories: 0,
	polls: 0,
	created: 0,
	owed: 0,
	emitted: 0,
	missed: 0,
	repeated: 0,
	statusChangesEmitted: 0,
};
const events = new Map<string, number>();
const count = (event: string): void => void events.set(event, (events.get(event) ?? 0) + 1);

/** How much a poll has to give: all that is there, all that was there throughout, or whatever it gets to. */
type Owes = 'everything' | 'what stood still' | 'nothing';

/** One history, with a plain list of what there is and what was given. @throws at the first broken promise */
class History {
	readonly told: Told[] = [];
	private isBased = false;
	private changes = 0;

	constructor(
		private readonly setup: Setup,
		private readonly active: Active,
		private readonly watchesStatus: boolean,
	) {}

	apply(each: Change): void {
		const there = this.told.filter(({ putBack }) => !putBack);
		const gone = this.told.filter(({ putBack }) => putBack);
		const pick = <T>(from: T[], index: number): T | undefined => from[index % Math.max(1, from.length)];
		this.changes++;
		switch (each.do) {
			case 'create':
				return this.create(each, each.late * HOUR, each.late > 0 ? 'created late' : 'created in time');
			case 'burst':
				for (const late of each.lates) this.create(each, late * HOUR, 'created in a burst');
				return;
			case 'too late':
				return this.create(each, each.late * HOUR, 'created too late');
			case 'future':
				return this.create(each, -each.ahead * HOUR, 'dated in the future');
			case 'same moment': {
				const other = pick(this.told, each.of);
				return this.create(each, other ? ground.now - other.createdAt : 0, 'created with the time of another');
			}
			case 'delete': {
				const record = pick(there, each.of);
				if (!record) return;
				record.putBack = ground.delete(record.list, record.company, record.id);
				record.movedAt = this.changes;
				return count(record.given > 0 || record.wasListed ? 'deleted' : 'deleted before it was given');
			}
			case 'restore': {
				const record = pick(gone, each.of);
				if (!record) return;
				record.putBack?.();
				record.putBack = undefined;
				record.movedAt = this.changes;
				// It becomes visible anew. A trigger that remembers a bounded time cannot tell one that no poll has seen from one
				// that was given long ago, so what counts is how late it is now.
				record.isOwed = this.isBased && !record.wasListed && ground.now - record.createdAt <= WINDOW * HOUR;
				return count('restored');
			}
			case 'status': {
				const record = pick(there, each.of);
				if (!record) return;
				if (record.status !== each.status) count('status changed');
				record.status = each.status;
				ground.setStatus(record.list, record.company, record.id, each.status);
			}
		}
	}

	private create(where: { company: number; list: number }, late: number, what: string): void {
		const list = this.listOf(where.list);
		const company = where.company % this.setup.companies;
		const id = ground.create(list, company, late);
		figures.created++;
		count(what);
		const isOwed = this.isBased && late <= WINDOW * HOUR;
		if (isOwed) figures.owed++;
		const movedAt = this.changes;
		this.told.push({
			id,
			list,
			company,
			createdAt: ground.now - late,
			isOwed,
			wasListed: false,
			given: 0,
			movedAt,
			status: 'Running',
			noted: UNKNOWN,
			notedSaved: UNKNOWN,
		});
	}

	private listOf(list: number): List {
		return this.setup.lists[list % this.setup.lists.length] ?? 'phishing';
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
				count('renamed');
				this.active.name = `${this.active.name} again`;
				return;
			case 'restart':
				return this.restart('restarted');
			case 'activation':
				this.restart('activated again');
				return await this.poll('everything', true);
			case 'failing page': {
				const route = this.setup.search(this.listOf(each.list));
				service.fault({ kind: 'status-500', times: Infinity, route, ...(each.page ? { page: each.page } : {}) });
				return await this.poll('nothing');
			}
			case 'failing company': {
				const { id } = ground.company(each.company);
				service.fault({ kind: 'status-500', times: Infinity, route: this.setup.search(this.listOf(0)), company: id });
				return await this.poll('nothing');
			}
			case 'failing details':
				service.fault({ kind: 'status-500', times: Infinity, route: 'GET /api/enrollments/{resourceId}' });
				return await this.poll('nothing');
			case 'shifting poll':
				this.shift(each.moments);
				return await this.poll(
					each.moments.length === 1 && !each.moments.some(({ changes }) => mayHide(changes))
						? 'what stood still'
						: 'nothing',
				);
			case 'cut poll': {
				let passed = 0;
				this.whileRead(() => {
					if (passed++ === each.after) {
						count('polls out of time');
						elapsed += 10 * 60_000;
					}
				});
				return await this.poll('nothing');
			}
			case 'overlapping polls': {
				let passed = 0;
				let other: Promise<IDataObject[] | null> | undefined;
				this.whileRead(() => {
					if (passed++ !== each.after) return;
					count('overlapping polls');
					figures.polls++;
					other = this.active.poll();
				});
				await this.poll();
				// The poll that was turned away has left n8n's memory as it was.
				if (await other) throw new Error('Two polls at once both gave something');
				return;
			}
			default:
				return this.apply(each);
		}
	}

	private whileRead(beforeAnswer: () => void): void {
		service.setOptions({ beforeAnswer });
	}

	private shift(at: Moments): void {
		let passed = 0;
		this.whileRead(() => {
			const now = at.filter(({ after }) => after === passed);
			passed++;
			if (now.length === 0) return;
			const page = service.log.at(-1)?.body;
			count(
				typeof page === 'object' && page && 'pageNumber' in page && Number(page.pageNumber) > 1
					? 'shifts between two pages'
					: 'shifts before a first page',
			);
			for (const { changes } of now) for (const inner of changes) this.apply(inner);
		});
	}

	private restart(what: string): void {
		count(what);
		this.active.restart();
		if (!this.setup.isDurable) for (const record of this.told) record.noted = record.notedSaved;
	}

	private async poll(owes: Owes = 'everything', isActivation?: boolean): Promise<void> {
		figures.polls++;
		const before = this.changes;
		let failed = false;
		service.clearLog();
		const items = await this.active.poll('trigger', isActivation).catch((error: unknown) => {
			failed = true;
			if (owes === 'everything') throw error;
			return null;
		});
		if (failed) count('polls that failed');
		for (const fault of new Set(
			service.log.flatMap(({ fault: kind, route }) => (kind ? [route.startsWith('GET') ? 'details' : 'a list'] : [])),
		))
			count(`polls in which ${fault} failed`);
		service.clearFaults();
		service.setOptions({ beforeAnswer: undefined });
		this.check(items, failed ? 'nothing' : owes, before, isActivation === true && !failed);
	}

	private check(items: IDataObject[] | null, owes: Owes, before: number, isActivation: boolean): void {
		if (items?.length === 0) throw new Error('An empty batch starts an execution');
		const ids = idsOf(items);
		for (const id of ids) {
			const record = this.told.find((each) => each.id === id);
			if (!record) throw new Error(`${id} was given, which there is not`);
			record.given++;
			if (this.watchesStatus) continue;
			figures.emitted++;
			if (record.given > 1) {
				figures.repeated++;
				throw new Error(`${id} was given twice`);
			}
			if (record.wasListed) throw new Error(`${id} was there before the baseline, but was given`);
		}
		if (this.watchesStatus) return this.checkStatuses(ids, items !== null || isActivation, owes);
		if (owes === 'nothing') return;
		for (const { id, isOwed, given, putBack, movedAt } of this.told)
			if (isOwed && !putBack && given === 0 && (owes === 'everything' || movedAt <= before)) {
				figures.missed++;
				throw new Error(`${id} was missed`);
			}
	}

	/** Status Changed: what a poll saw before, and sees otherwise now, is given once, and nothing else. */
	private checkStatuses(ids: string[], isSaved: boolean, owes: Owes): void {
		for (const record of this.told) {
			const { id, status, noted } = record;
			const times = ids.filter((each) => each === id).length;
			const others = [...noted].filter((each) => each !== undefined && each !== status);
			if (times > 1) throw new Error(`${id} was given ${times} times`);
			const isWatched = ground.now - record.createdAt <= WATCHED_DAYS * DAY;
			if (times === 1) {
				figures.statusChangesEmitted++;
				if (others.length === 0) throw new Error(`${id} was given without a change of its status`);
				record.noted = new Set([status]);
			} else if (owes !== 'nothing' && !record.putBack && isWatched) {
				if (others.length === noted.size) throw new Error(`The change of ${id} was missed`);
				record.noted = new Set([status]);
			} else if (noted.has(undefined) && !record.putBack) {
				// It may have been seen for the first time.
				record.noted = new Set([...noted, status]);
			}
		}
		if (isSaved || !this.isBased) for (const record of this.told) record.notedSaved = record.noted;
	}
}

/**
 * Whether a change at one moment can hide a record from every page without a trace: one is deleted, and another comes
 * that is not new, so that neither the number of records nor an unknown one tells.
 */
const mayHide = (changes: Change[]) =>
	changes.some((each) => each.do === 'delete') &&
	changes.some((each) => each.do === 'restore' || each.do === 'too late');

async function live(
	setup: Setup,
	pageSize: number | undefined,
	before: Change[],
	steps: Step[],
	watchesStatus: boolean,
): Promise<void> {
	figures.histories++;
	ground.clear();
	const active = setup.make({ lateArrivals: WINDOW, askEachEvery: 0, ...(pageSize ? { pageSize } : {}) });
	if (watchesStatus) active.parameters.triggerOn = 'statusChanged';
	const history = new History(setup, active, watchesStatus);
	for (const each of before) history.apply(each);
	await history.run(steps);
}

const told = (
	details: Pick<
		fc.RunDetails<unknown>,
		'seed' | 'counterexamplePath' | 'numRuns' | 'numShrinks' | 'counterexample' | 'errorInstance'
	>,
) =>
	`seed ${details.seed}, path ${String(details.counterexamplePath)}, after ${details.numRuns} histories and ${details.numShrinks} shrinks:\n${fc.stringify(details.counterexample)}\n${details.errorInstance instanceof Error ? details.errorInstance.message : ''}`;

async function holds(property: fc.IAsyncProperty<[Setup, number | undefined, Change[], Step[]]>, numRuns: number) {
	// In time for the seed and the shortest history so far to be printed, however slow the machine is.
	const details = await fc.check(property, {
		numRuns,
		interruptAfterTimeLimit: LIMIT_MS * 0.9,
		markInterruptAsFailure: true,
		...(SEED === undefined ? {} : { seed: SEED }),
		...(process.env.REPLAY ? { path: process.env.REPLAY } : {}),
		endOnFailure: process.env.REPLAY !== undefined || process.env.QUICK !== undefined,
	});
	if (details.failed) throw new Error(told(details));
}

const pageSizes = fc.constantFrom(1, 2, 3, 3, 5, undefined, undefined, undefined);
// The sandwich of a poll between two batches of changes is what breaks a trigger, so there are many of both.
const steps = fc
	.array(
		fc.oneof(
			{ weight: 10, arbitrary: step.map((each): Step[] => [each]) },
			{ weight: 1, arbitrary: fc.array(busy, { minLength: 2, maxLength: 3 }).map((all): Step[] => all.flat()) },
		),
		{
			minLength: 3,
			maxLength: 18,
			size: 'max',
		},
	)
	.map((all) => all.flat());

test(
	'every record that becomes visible is given once',
	async () => {
		const property = fc.asyncProperty(
			fc.constantFrom(...setups),
			pageSizes,
			fc.array(change, { maxLength: 6, size: 'max' }),
			steps,
			async (setup, size, before, after) => {
				await live(setup, size, before, after, false);
			},
		);
		await holds(property, Math.ceil(RUNS * 0.8));
	},
	LIMIT_MS,
);

test(
	'every change of a status is given once',
	async () => {
		const begin = fc.array(
			fc.record({ do: fc.constant('create' as const), ...place, late: fc.constantFrom<number>(0, 1, 300) }),
			{ maxLength: 6, size: 'max' },
		);
		const rest = fc.array(statusStep, { minLength: 3, maxLength: 24, size: 'max' });
		const property = fc.asyncProperty(
			fc.constantFrom(...setups),
			pageSizes,
			begin,
			rest,
			async (setup, size, before, after) => {
				await live(setup, size, before, after, true);
			},
		);
		await holds(property, Math.floor(RUNS * 0.2));
	},
	LIMIT_MS,
);

afterAll(() => {
	const listed = (entries: Iterable<[string, number]>) =>
		[...entries].map(([name, times]) => `${times} ${name}`).join(', ');
	process.stderr.write(
		`${listed(Object.entries(figures))}\n${listed([...events].sort(([one], [other]) => one.localeCompare(other)))}\n`,
	);
});
