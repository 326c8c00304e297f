/**
 * What is remembered, and what is asked, at the size that a large reseller has. A wrong result is noticed sooner by the
 * tests beside this one. This one is for what stays right and becomes too much: a state that n8n's database would feel, a
 * request for each company at each poll.
 */
import type { IDataObject } from 'n8n-workflow';
import { deepOr } from '../setup/depth';
import { keepWithinBounds } from '../../nodes/shared/polling/bounds';
import { Clock } from '../../nodes/shared/polling/clock';
import { Memory } from '../../nodes/shared/polling/memory';
import { readWindow, type Want } from '../../nodes/shared/polling/reading';
import {
	HOUR_MS,
	hourOf,
	MAIN,
	MAX_STATE_BYTES,
	newKind,
	packState,
	shortId,
	unpackState,
	type KindState,
} from '../../nodes/shared/polling/state';
import { startService } from '../stand-in';
import { Active, campaignTrigger, DAY, enrollmentTrigger, PollingFixture, HOUR, START } from './pollingFixture';

/** A list of the service, newest first. */
class List {
	/** Oldest first. */
	private readonly records: IDataObject[] = [];
	requests = 0;
	private comparedAt = 0;
	state: KindState = newKind('s', 's', START);

	constructor(public now: number) {}

	add(createdAt: number): void {
		const createTime = new Date(createdAt).toISOString();
		this.records.push({ resourceId: `record-${this.records.length}`, status: 'Running', createTime });
	}

	get length(): number {
		return this.records.length;
	}

	/** One poll of it, with what is remembered stored and read again. @returns how many are given */
	async poll(
		windowMs: number,
		{ watchesStatus = false, isNew = false, cap = Infinity, isCounted = true } = {},
	): Promise<number> {
		const clock = new Clock();
		clock.hear(this.now);
		const rules = { clock, windowMs, watchedMs: 0, watchesStatus, alsoFirstSeen: false, warn: () => {} };
		const memory = new Memory(this.state, isNew, rules);
		const want: Want = {
			pages: {
				told: { isReordered: false },
				ask: async ({ pageNumber, pageSize: asked }) => {
					this.requests++;
					const pageSize = Math.min(cap, asked);
					const end = this.length - (pageNumber - 1) * pageSize;
					const results = this.records.slice(Math.max(0, end - pageSize), Math.max(0, end)).reverse();
					const totalNumberOfPages = Math.ceil(this.length / pageSize);
					return isCounted ? { results, totalNumberOfPages, totalNumberOfRecords: this.length } : { results };
				},
			},
			idOf: (record) => shortId(String(record.resourceId)),
			floor: memory.floorOf(MAIN),
			now: () => clock.now,
			isKnown: (id) => this.state.known.has(id),
			depth: memory.depthOf(MAIN),
			...{ expected: this.state.known.size + 50, isWhole: false, isOver: () => false },
		};
		const reading = await readWindow(want);
		const news = memory.judge(MAIN, reading);
		this.state.from = Math.max(this.state.from, memory.windowFrom(reading.begunAt));
		memory.advance(reading.begunAt);
		// Companies' lists are compared twice in the time of late arrivals.
		if (this.now - this.comparedAt >= DAY / 2) {
			Object.assign(this.state, { since: this.state.from, cleanRounds: 1 });
			this.comparedAt = this.now;
		}
		const state = new Map([['e', memory.finish()]]);
		keepWithinBounds(state, { warn: () => {}, windowMs: DAY, watchedMs: 0 });
		const stored = unpackState(JSON.parse(JSON.stringify(packState(state))))?.get('e');
		if (!stored) throw new Error('Nothing was remembered');
		this.state = stored;
		return news.length;
	}
}

const bytesOf = (state: KindState) => Buffer.byteLength(JSON.stringify(packState(new Map([['e', state]]))));

/** How many hours lie between two polls of the month. */
const EVERY_HOURS = deepOr(1, 4);

/** So many days with a poll every few hours, five new records a day, on top of 10,000 old ones. */
async function month(watchesStatus: boolean, days: number) {
	const list = new List(START);
	for (let index = 10_000; index > 0; index--) list.add(START - index * (DAY / 5));
	let given = 0;
	let most = 0;
	let largest = list.state;
	for (let hour = 0; hour <= days * 24; hour += EVERY_HOURS) {
		list.now = START + hour * HOUR;
		if (hour > 0 && hour % 24 < 20 && hour % 4 === 0) list.add(list.now - 60_000);
		const before = list.requests;
		given += await list.poll((watchesStatus ? 30 * DAY : DAY) + HOUR, { watchesStatus, isNew: hour === 0 });
		if (hour === 0) continue;
		most = Math.max(most, list.requests - before);
		if (list.state.known.size > largest.known.size || hour === EVERY_HOURS) largest = list.state;
	}
	return { largest, given, most, added: list.length - 10_000 };
}

test('1,500 lists of 10,000 records with five new ones a day take at most 256 bytes each, and one request a poll', async () => {
	const { largest, given, most, added } = await month(false, deepOr(30, 6));
	expect({ given, most }).toEqual({ given: added, most: 1 });
	const state = newKind('s'.repeat(16), 's'.repeat(16), START);
	for (let company = 0; company < 1500; company++) {
		for (const { hour, status } of largest.known.values())
			state.known.set(shortId(`${company} ${state.known.size}`), { hour, status });
	}
	process.stderr.write(`state: ${(bytesOf(state) / 1500).toFixed(0)} bytes a list, ${bytesOf(state)} in all\n`);
	expect(largest.known.size).toBeGreaterThan(4);
	expect(bytesOf(state) / 1500).toBeLessThanOrEqual(256);
});

test('Status Changed remembers the watched days', async () => {
	const { largest, most } = await month(true, deepOr(30, 3));
	process.stderr.write(`Status Changed: ${bytesOf(largest)} bytes a list\n`);
	expect(most).toBe(1);
	// Of the 30 days before the activation as well.
	expect(largest.known.size).toBeGreaterThanOrEqual(150);
	expect(bytesOf(largest)).toBeLessThan(3000);
});

test('whatever comes, 512 KB are not exceeded: the oldest go first, with the part of the window that they stood for', () => {
	const state = newKind('s', 's', START);
	const hourBegins = hourOf(START) * HOUR_MS;
	for (let index = 0; index < 80_000; index++)
		state.known.set(shortId(String(index)), { hour: hourOf(hourBegins - (index % 100) * HOUR), status: '' });
	const warnings: string[] = [];
	state.from = hourBegins - 200 * HOUR;
	keepWithinBounds(new Map([['e', state]]), { warn: (message) => warnings.push(message), windowMs: DAY, watchedMs: 0 });
	expect(bytesOf(state)).toBeLessThanOrEqual(MAX_STATE_BYTES);
	expect(bytesOf(state)).toBeGreaterThan(MAX_STATE_BYTES * 0.75);
	expect(warnings).toHaveLength(1);
	const kept = [...state.known.values()].map(({ hour }) => hour * HOUR_MS);
	expect(Math.min(...kept)).toBeGreaterThanOrEqual(state.from);
});

test('a service that tells no number of pages, and gives fewer records at a time than it was asked for', async () => {
	const list = new List(START);
	const odd = { cap: 7, isCounted: false };
	for (let index = 0; index < 30; index++) list.add(START - 30 * HOUR + index * HOUR);
	expect(await list.poll(DAY, { ...odd, isNew: true })).toBe(0);
	list.now += HOUR;
	for (let index = 0; index < 40; index++) list.add(START + index * 1000);
	expect(await list.poll(DAY, odd)).toBe(40);
	expect(await list.poll(DAY, odd)).toBe(0);
});

const COMPANIES = deepOr(500, 30);
const NEW = deepOr(1000, 120);

test(`an idle poll over ${COMPANIES} companies, and one with ${NEW} new records`, async () => {
	const service = await startService({ companies: COMPANIES });
	const seconds = () => Number(process.hrtime.bigint()) / 1e9;
	// What a poll learns in its few seconds is not to depend on how busy the machine is.
	const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
	try {
		const fixture = new PollingFixture(service);
		fixture.clear();
		const measure = async (label: string, active: Active) => {
			service.clearLog();
			const start = seconds();
			const items = await active.poll();
			const requests = service.log.length;
			process.stderr.write(
				`${label}: ${requests} requests, ${Math.round((seconds() - start) * 1000)} ms, ${items?.length ?? 0} items\n`,
			);
			return { requests, items: items?.length ?? 0 };
		};
		for (let index = 0; index < COMPANIES; index++)
			for (const list of ['phishing', 'smishing', 'quishing', 'enrollment'] as const)
				fixture.create(list, index, DAY + index * 60_000);
		const campaigns = new Active(campaignTrigger(), { companyScope: 'every' }, service);
		const enrollments = new Active(enrollmentTrigger(), { companyScope: 'every' }, service);
		// Activation, and the round in which it is learnt that the lists of all companies have everything.
		for (const active of [campaigns, enrollments]) for (let polls = 0; polls < 2; polls++) await active.poll();
		expect(await measure('campaigns of every company, idle', campaigns)).toMatchObject({ requests: 3, items: 0 });
		expect(await measure('enrollments of every company, idle', enrollments)).toMatchObject({ requests: 1, items: 0 });
		for (let index = 0; index < NEW; index++) {
			fixture.create('phishing', index, 60_000);
			fixture.create('enrollment', index, 60_000);
		}
		expect(await measure(`campaigns, ${NEW} new`, campaigns)).toMatchObject({ items: NEW });
		expect(await measure(`enrollments, ${NEW} new`, enrollments)).toMatchObject({ items: NEW });
		expect(await campaigns.poll()).toBeNull();
		expect(await enrollments.poll()).toBeNull();
	} finally {
		clock.mockRestore();
		await service.close();
	}
}, 120_000);
