/** What a trigger remembers from poll to poll, and where n8n keeps it. */
import { deepCopy, type IDataObject } from 'n8n-workflow';
import { listOf, MAIN } from '../../nodes/shared/polling/state';
import { DAY, HOUR, idsOf, withBudget, withCursor } from './pollingFixture';
import { triggerFixture } from './triggerFixture';

const t = triggerFixture();

describe('what is remembered', () => {
	test.each([
		['of another version', (state: IDataObject) => ({ ...state, version: 2 })],
		['half of it', ({ kinds: _kinds, ...state }: IDataObject) => state],
		['foreign', () => ({ lastTimeChecked: '2026-01-01' })],
		['a text', () => 'broken'],
		[
			'with cut identities',
			(state: IDataObject): unknown =>
				JSON.parse(JSON.stringify(state).replace(/"([\w-]{26})"/g, (_all, ids: string) => `"${ids.slice(1)}"`)),
		],
		['with nothing in it', () => ({})],
	])('is not trusted when it is %s: a new baseline', async (_what, broken) => {
		const active = t.phishing();
		t.fixture.create('phishing', 0);
		t.fixture.create('phishing', 0);
		await active.poll();
		const global = active.memory.global as IDataObject;
		const [key = ''] = Object.keys(global);
		const before = global[key] as IDataObject;
		active.memory = { global: { [key]: broken(structuredClone(before)) as IDataObject } };
		expect(active.memory).not.toEqual({ global });
		expect(await active.poll()).toBeNull();
		const id = t.fixture.create('phishing', 0);
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test.each([false, true])('is taken over from an earlier release; is each company asked: %s', async (asksEach) => {
		const { id: company, name } = t.fixture.company(0);
		const companyFilter = asksEach ? { companyFilter: { nameContains: name } } : {};
		const active = t.enrollments({ ...companyFilter, options: { askEachEvery: 0, includeDetails: false } });
		const before = t.fixture.create('enrollment', 0, HOUR);
		for (let polls = 0; polls < 3; polls++) await active.poll();
		const [state] = Object.values(active.memory.global as Record<string, { kinds: Record<string, IDataObject> }>);
		for (const kind of Object.values(state?.kinds ?? {})) {
			const { newest: _newest, refusals: _refusals, ...same } = structuredClone(kind);
			const former = {
				...same,
				from: kind.from || kind.since,
				lists: [asksEach ? listOf(company) : MAIN, ''],
				twins: [],
			};
			for (const name of Object.keys(kind)) delete kind[name];
			Object.assign(kind, former);
		}
		expect(await active.poll()).toBeNull();
		t.fixture.pass(HOUR);
		const ids = [20 * HOUR, 0].map((late) => t.fixture.create('enrollment', 0, late));
		t.fixture.delete('enrollment', 0, before);
		expect(idsOf(await active.poll())).toEqual(ids);
		t.fixture.pass(HOUR);
		expect(await active.poll()).toBeNull();
	});

	test('outlives another name of the node', async () => {
		const active = t.phishing();
		t.fixture.create('phishing', 0);
		await active.poll();
		const id = t.fixture.create('phishing', 0);
		active.name = 'Renamed';
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test("is the workflow's, also for the durable scheduler without durable cursors", async () => {
		const active = t.phishing();
		withBudget(active.node, () => 36_000);
		await active.poll();
		expect(active.memory.global).not.toEqual({});
		expect(active.memory['node:Trigger']).toEqual({});
	});

	describe('where n8n hands out a copy of it (durable cursors)', () => {
		test('goes on from the poll at activation, whose copy n8n throws away', async () => {
			const active = t.phishing();
			const durable = withCursor(active.node);
			await active.poll();
			durable.cursor = {};
			const id = t.fixture.create('phishing', 0);
			expect(idsOf(await active.poll())).toEqual([id]);
			expect(Object.keys(durable.cursor)).toEqual(['securityAwareness']);
			expect(await active.poll()).toBeNull();
			expect(active.memory.global).toEqual({});
		});

		test('goes on from what the usual poller had', async () => {
			const active = t.phishing();
			await active.poll();
			const id = t.fixture.create('phishing', 0);
			withCursor(active.node);
			expect(idsOf(await active.poll())).toEqual([id]);
			expect(await active.poll()).toBeNull();
		});

		test('gives nothing again that n8n is still saving, but what it has failed to save', async () => {
			const active = t.phishing();
			const durable = withCursor(active.node);
			await active.poll();
			const before = deepCopy(durable.cursor);
			const id = t.fixture.create('phishing', 0);
			expect(await active.poll()).toHaveLength(1);
			durable.cursor = deepCopy(before);
			expect(await active.poll()).toBeNull();
			const later = performance.now() + 31_000;
			jest.spyOn(performance, 'now').mockImplementation(() => later);
			expect(idsOf(await active.poll())).toEqual([id]);
		});
	});

	test('stays the same while nothing happens, but for the time', async () => {
		t.fixture.create('phishing', 0);
		const active = t.phishing();
		for (let polls = 0; polls < 3; polls++) await active.poll();
		const untimed = () => JSON.stringify(active.memory).replace(/"(polled|read)At":\d+/g, '');
		const before = untimed();
		t.fixture.pass(60_000);
		await active.poll();
		expect(untimed()).toEqual(before);
	});

	test('does not move with a record that is dated in the future', async () => {
		const active = t.phishing();
		await active.poll();
		const ahead = t.fixture.create('phishing', 0, -400 * DAY);
		expect(idsOf(await active.poll())).toEqual([ahead]);
		await active.poll();
		const late = t.fixture.create('phishing', 0, 20 * HOUR);
		expect(idsOf(await active.poll())).toEqual([late]);
		t.fixture.pass(500 * DAY);
		expect(await active.poll()).toBeNull();
	});
});
