/** What is remembered, and what is asked, at the size that a large reseller has. */
import type { IDataObject } from 'n8n-workflow';
import { readSource, type Reading } from '../../nodes/shared/polling/source';
import {
	keyOf,
	MAX_STATE_BYTES,
	packState,
	seedKey,
	shortId,
	sizeOf,
	trim,
	unpackState,
	type SourceState,
	type State,
} from '../../nodes/shared/polling/state';
import { deepOr, isDeep } from '../setup/depth';
import { startService } from '../stand-in';
import { Active, campaignTrigger, DAY, enrollmentTrigger, Ground, HOUR, START } from './ground';

/** A list of the service, newest first. */
class List {
	/** Oldest first: a new one is put at the head of 40,000 only at great length. */
	private readonly records: IDataObject[] = [];
	requests = 0;

	constructor(
		readonly name: string,
		public now: number,
	) {}

	add(createdAt: number): void {
		this.records.push({
			resourceId: `${this.name}-${this.records.length}`,
			status: 'Running',
			createTime: new Date(createdAt).toISOString(),
		});
	}

	get length(): number {
		return this.records.length;
	}

	page(pageNumber: number, pageSize: number): IDataObject[] {
		const end = this.length - (pageNumber - 1) * pageSize;
		return this.records.slice(Math.max(0, end - pageSize), Math.max(0, end)).reverse();
	}

	reading(windowMs: number, watchesStatus = false): Reading {
		return {
			ask: async ({ pageNumber, pageSize }) => {
				this.requests++;
				const results = this.page(pageNumber, pageSize);
				const totalNumberOfPages = Math.ceil(this.length / pageSize);
				return {
					data: { results, totalNumberOfPages, totalNumberOfRecords: this.length },
					messages: [],
					failed: false,
					servedAt: this.now,
				};
			},
			identity: (record) => String(record.resourceId),
			windowMs,
			watchesStatus,
			isOver: () => false,
		};
	}
}

/** How many hours lie between two polls of the month. */
const EVERY_HOURS = deepOr(1, 4);

/** So many days with a poll every hour, five new records a day. */
async function month(name: string, watchesStatus: boolean, days = 30) {
	const list = new List(name, START);
	for (let index = 10_000; index > 0; index--) list.add(START - index * (DAY / 5));
	let state: SourceState | undefined;
	let given = 0;
	let requests = 0;
	const largest = { bytes: 0 };
	const windowMs = watchesStatus ? 30 * DAY : DAY;
	for (let hour = 0; hour <= days * 24; hour += EVERY_HOURS) {
		list.now = START + hour * HOUR;
		if (hour > 0 && hour % 24 < 20 && hour % 4 === 0) list.add(list.now - 60_000);
		const before = list.requests;
		const read = await readSource(list.reading(windowMs, watchesStatus), state);
		// One with news reads a further page, to find nothing new on it.
		if (state && read.fresh.length === 0) requests = Math.max(requests, list.requests - before);
		if (state) given += read.fresh.length;
		const packed = packState({ print: 'p', sources: new Map([[name, read.settle(new Set())]]) }, watchesStatus);
		const unpacked = unpackState(JSON.parse(JSON.stringify(packed)));
		state = typeof unpacked === 'object' ? unpacked.sources.get(name) : undefined;
		if (!state) throw new Error('Nothing was remembered');
		largest.bytes = Math.max(largest.bytes, sizeOf(keyOf('p', name), state));
	}
	if (!state) throw new Error('Nothing was remembered');
	return { state, given, requests, largest: largest.bytes, added: list.length - 10_000 };
}

test('1,500 lists of 10,000 records with five new ones a day take at most 256 bytes each', async () => {
	const samples = await Promise.all(
		Array.from({ length: deepOr(6, 1) }, async (_, index) => await month(`source-${index}`, false)),
	);
	const sources = new Map(
		Array.from(
			{ length: 1500 },
			(_, index) =>
				[keyOf(['p', 's', 'q'][index % 3] ?? 'p', `company ${index}`), samples[index % samples.length]?.state] as const,
		).flatMap(([key, state]) => (state ? [[key, state] as const] : [])),
	);
	const bytes = Buffer.byteLength(JSON.stringify(packState({ print: 'x'.repeat(16), sources }, false)));
	process.stderr.write(
		`state: ${(bytes / 1500).toFixed(0)} bytes a source, largest ${Math.max(...samples.map(({ largest }) => largest))}, ${bytes} in all\n`,
	);
	for (const { given, added, requests } of samples) expect({ given, requests }).toEqual({ given: added, requests: 1 });
	expect(bytes / 1500).toBeLessThanOrEqual(256);
});

test('Status Changed remembers the watched days', async () => {
	const { state, largest } = await month('watched', true, deepOr(30, 10));
	process.stderr.write(`Status Changed: ${sizeOf('p:123456789', state)} bytes a source, largest ${largest}\n`);
	expect(largest).toBeLessThan(3000);
});

// 80,000 records take their time; that the limit is kept by dropping the oldest is for the deep tests.
if (isDeep) {
	test('whatever comes, 512 KB are not exceeded: the oldest go first, and are not given again', async () => {
		const lists = ['one', 'two'].map((name) => new List(name, START));
		const state: State = { print: 'p', sources: new Map() };
		for (const list of lists) for (let index = 0; index < 40_000; index++) list.add(START - 40_000_000 + index * 1000);
		const times = new Map<string, Map<string, number>>();
		for (const list of lists) {
			const read = await readSource(list.reading(DAY), undefined);
			state.sources.set(list.name, read.settle(new Set()));
			times.set(list.name, new Map(read.seen.map(({ id, created }) => [id, created ?? 0])));
		}
		expect(trim(state, times)).toBe(true);
		const bytes = Buffer.byteLength(JSON.stringify(packState(state, false)));
		expect(bytes).toBeLessThanOrEqual(MAX_STATE_BYTES);
		expect(bytes).toBeGreaterThan(MAX_STATE_BYTES * 0.9);
		for (const list of lists) {
			list.add(START - 1000);
			const read = await readSource(list.reading(DAY), state.sources.get(list.name));
			expect(read.fresh.map(({ id }) => id)).toEqual([shortId(`${list.name}-40000`)]);
		}
	});
}

test.each([true, false])(
	'20,000 companies without recent records share one beginning, and what they get later is given once (all of them read: %s)',
	async (isRead) => {
		const old = START - 30 * DAY;
		const list = new List('quiet', START);
		list.add(old);
		const first = await readSource(list.reading(DAY), undefined);
		list.now += HOUR;
		const quiet = (await readSource(list.reading(DAY), first.settle(new Set()))).settle(new Set());
		const keys = Array.from({ length: 20_000 }, (_, index) => keyOf('e', `company ${index}`));
		const seed: SourceState = {
			from: START - 60 * DAY,
			next: START - 60 * DAY,
			known: new Map(),
			vanished: [],
			isWhole: true,
		};
		const busy: SourceState = { ...quiet, known: new Map([[shortId('any'), '']]) };
		const state: State = {
			print: 'p',
			sources: new Map([[seedKey('e'), seed], ...keys.map((key) => [key, { ...quiet }] as const), ['e:busy', busy]]),
		};

		const wasLost = trim(state, new Map(isRead ? keys.map((key) => [key, new Map<string, number>()]) : []));
		expect(wasLost).toBe(!isRead);
		expect(Buffer.byteLength(JSON.stringify(packState(state, false)))).toBeLessThanOrEqual(MAX_STATE_BYTES);
		expect([...state.sources.keys()]).toEqual([seedKey('e'), 'e:busy']);

		// Late by nearly the whole window.
		list.now += HOUR;
		list.add(list.now - DAY + 60_000);
		const read = await readSource(list.reading(DAY), state.sources.get(seedKey('e')), true);
		expect(read.fresh.map(({ id }) => id)).toEqual([shortId('quiet-1')]);
		const again = await readSource(list.reading(DAY), read.settle(new Set()));
		expect(again.fresh).toEqual([]);
	},
);

test('a service that tells no number of pages, and gives fewer records at a time than it was asked for', async () => {
	const list = new List('short', START);
	const plain = list.reading(DAY);
	const reading: Reading = {
		...plain,
		ask: async ({ pageNumber }) => ({
			...(await plain.ask({ pageNumber, pageSize: 7 })),
			data: { results: list.page(pageNumber, 7) },
		}),
	};
	for (let index = 0; index < 30; index++) list.add(START - 30 * HOUR + index * HOUR);
	const first = await readSource(reading, undefined);
	list.now += HOUR;
	for (let index = 0; index < 40; index++) list.add(START + index * 1000);
	const second = await readSource(reading, first.settle(new Set()));
	expect(second.fresh).toHaveLength(40);
	expect((await readSource(reading, second.settle(new Set()))).fresh).toEqual([]);
});

const COMPANIES = deepOr(500, 100);
const NEW = deepOr(1000, 200);

test(`an idle poll over ${COMPANIES} companies, and one with ${NEW} new records`, async () => {
	const service = await startService({ companies: COMPANIES });
	try {
		const ground = new Ground(service);
		ground.clear();
		const measure = async (label: string, active: Active) => {
			service.clearLog();
			const start = performance.now();
			const items = await active.poll();
			const requests = service.log.length;
			process.stderr.write(
				`${label}: ${requests} requests, ${Math.round(performance.now() - start)} ms, ${items?.length ?? 0} items\n`,
			);
			return { requests, items: items?.length ?? 0 };
		};
		for (let index = 0; index < COMPANIES; index++)
			for (const list of ['phishing', 'smishing', 'quishing', 'enrollment'] as const)
				ground.create(list, index, DAY + index * 60_000);
		const campaigns = new Active(campaignTrigger(), { companyScope: 'every' }, service);
		const enrollments = new Active(enrollmentTrigger(), { companyScope: 'every' }, service);
		await campaigns.poll();
		await campaigns.poll();
		await enrollments.poll();
		expect(await measure('campaigns of every company, idle', campaigns)).toMatchObject({ requests: 3, items: 0 });
		// One for each company, and four for the list of 500 companies.
		expect(await measure('enrollments of every company, idle', enrollments)).toMatchObject({
			requests: COMPANIES + deepOr(4, 1),
			items: 0,
		});
		for (let index = 0; index < NEW; index++) {
			ground.create('phishing', index, 60_000);
			ground.create('enrollment', index, 60_000);
		}
		expect(await measure(`campaigns, ${NEW} new`, campaigns)).toMatchObject({ items: NEW });
		expect(await measure(`enrollments, ${NEW} new`, enrollments)).toMatchObject({ items: NEW });
		expect(await campaigns.poll()).toBeNull();
		expect(await enrollments.poll()).toBeNull();
	} finally {
		await service.close();
	}
}, 120_000);
