import { deepCopy, type IDataObject } from 'n8n-workflow';
import { failureOf } from '../n8n-core/nodeFixture';
import { startService, type StandIn } from '../stand-in';
import { Active, campaignTrigger, DAY, enrollmentTrigger, Ground, HOUR, idsOf, withBudget, withCursor } from './ground';

let service: StandIn;
let ground: Ground;
beforeAll(async () => {
	service = await startService({ companies: 4 });
	ground = new Ground(service);
});
beforeEach(() => {
	ground.clear();
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => await service.close());

const PHISHING = 'POST /api/phishing-simulator/phishing-campaign/search';
const ENROLLMENTS = 'POST /api/enrollments/search';
const phishing = (more: IDataObject = {}) =>
	new Active(campaignTrigger(), { simulators: ['phishing'], companyScope: 'every', ...more }, service);
const enrollments = (more: IDataObject = {}) =>
	new Active(enrollmentTrigger(), { companyScope: 'every', ...more }, service);

describe('the first poll', () => {
	test('remembers what is there and gives nothing', async () => {
		ground.create('phishing', 0, HOUR);
		const active = phishing();
		expect(await active.poll()).toBeNull();
		expect(await active.poll()).toBeNull();
		const id = ground.create('phishing', 1);
		expect(await active.poll()).toEqual([
			expect.objectContaining({
				resourceId: id,
				kind: 'phishingCampaign',
				companyResourceId: ground.company(1).id,
				companyName: ground.company(1).name,
			}),
		]);
		expect(await active.poll()).toBeNull();
	});

	test("gives what was created since a date, with 'Emit Existing Since'", async () => {
		ground.create('phishing', 0, 40 * DAY);
		const second = ground.create('phishing', 0, 9 * DAY);
		const third = ground.create('phishing', 1, 2 * DAY);
		const options = { emitExistingSince: new Date(ground.now - 10 * DAY).toISOString() };
		const active = phishing({ options });
		expect(idsOf(await active.poll())).toEqual([second, third]);
		expect(await active.poll()).toBeNull();
	});

	test('goes on with another page size, and with the simulators that were there before, when one is added', async () => {
		const active = phishing();
		await active.poll();
		ground.create('phishing', 0);
		active.parameters.options = { lateArrivals: 48, pageSize: 7, includeDetails: true };
		expect(await active.poll()).toHaveLength(1);
		ground.create('smishing', 0, HOUR);
		const unchanged = ground.create('phishing', 0);
		active.parameters.simulators = ['phishing', 'smishing'];
		expect(idsOf(await active.poll())).toEqual([unchanged]);
		const id = ground.create('smishing', 0);
		expect(idsOf(await active.poll())).toEqual([id]);
	});
});

describe('what is remembered', () => {
	test.each([
		['of another version', (state: IDataObject) => ({ ...state, version: 3 })],
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
		const active = phishing();
		ground.create('phishing', 0);
		ground.create('phishing', 0);
		await active.poll();
		const global = active.memory.global as IDataObject;
		const [key = ''] = Object.keys(global);
		const before = global[key] as IDataObject;
		active.memory = { global: { [key]: broken(structuredClone(before)) as IDataObject } };
		expect(active.memory).not.toEqual({ global });
		expect(await active.poll()).toBeNull();
		const id = ground.create('phishing', 0);
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('outlives another name of the node', async () => {
		const active = phishing();
		ground.create('phishing', 0);
		await active.poll();
		const id = ground.create('phishing', 0);
		active.name = 'Renamed';
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test("is the workflow's, also for the durable scheduler without durable cursors", async () => {
		const active = phishing();
		withBudget(active.node, () => 36_000);
		await active.poll();
		expect(active.memory.global).not.toEqual({});
		expect(active.memory['node:Trigger']).toEqual({});
	});

	describe('where n8n hands out a copy of it (durable cursors)', () => {
		test('goes on from the poll at activation, whose copy n8n throws away', async () => {
			const active = phishing();
			const durable = withCursor(active.node);
			await active.poll();
			durable.cursor = {};
			const id = ground.create('phishing', 0);
			expect(idsOf(await active.poll())).toEqual([id]);
			expect(Object.keys(durable.cursor)).toEqual(['securityAwareness']);
			expect(await active.poll()).toBeNull();
			expect(active.memory.global).toEqual({});
		});

		test('goes on from what the usual poller had', async () => {
			const active = phishing();
			await active.poll();
			const id = ground.create('phishing', 0);
			withCursor(active.node);
			expect(idsOf(await active.poll())).toEqual([id]);
			expect(await active.poll()).toBeNull();
		});

		test('gives nothing again that n8n is still saving, but what it has failed to save', async () => {
			const active = phishing();
			const durable = withCursor(active.node);
			await active.poll();
			const before = deepCopy(durable.cursor);
			const id = ground.create('phishing', 0);
			expect(await active.poll()).toHaveLength(1);
			durable.cursor = deepCopy(before);
			expect(await active.poll()).toBeNull();
			const later = performance.now() + 31_000;
			jest.spyOn(performance, 'now').mockImplementation(() => later);
			expect(idsOf(await active.poll())).toEqual([id]);
		});
	});

	test('stays the same while nothing happens, but for the time', async () => {
		ground.create('phishing', 0);
		const active = phishing();
		for (let polls = 0; polls < 3; polls++) await active.poll();
		const untimed = () => JSON.stringify(active.memory).replace(/"polledAt":\d+/g, '');
		const before = untimed();
		ground.pass(60_000);
		await active.poll();
		expect(untimed()).toEqual(before);
	});

	test('does not move with a record that is dated in the future', async () => {
		const active = phishing();
		await active.poll();
		const ahead = ground.create('phishing', 0, -400 * DAY);
		expect(idsOf(await active.poll())).toEqual([ahead]);
		await active.poll();
		const late = ground.create('phishing', 0, 20 * HOUR);
		expect(idsOf(await active.poll())).toEqual([late]);
		ground.pass(500 * DAY);
		expect(await active.poll()).toBeNull();
	});
});

describe('requests', () => {
	test('one for each list while nothing happens', async () => {
		for (let made = 0; made < 150; made++) ground.create('phishing', made, made * 60_000);
		const active = phishing({ simulators: ['phishing', 'smishing', 'quishing'] });
		await active.poll();
		await active.poll();
		ground.service.clearLog();
		await active.poll();
		expect(service.log.map(({ route }) => route).sort()).toEqual(
			['phishing', 'quishing', 'smishing'].map((each) => `POST /api/${each}-simulator/${each}-campaign/search`),
		);
	});

	test('one for all companies, once it is learnt that their list has everything; whose a new record is, is looked up', async () => {
		for (let made = 0; made < 8; made++) ground.create('enrollment', made);
		const active = enrollments();
		await active.poll();
		// One page behind the last, for the counts are not believed the first time.
		expect(service.requests(ENROLLMENTS).map(({ companyId }) => companyId)).toEqual([undefined, undefined]);
		await active.poll();
		expect(new Set(service.requests(ENROLLMENTS).map(({ companyId }) => companyId))).toEqual(
			new Set([undefined, ...service.state.companies.map(({ companyResourceId }) => companyResourceId)]),
		);
		service.clearLog();
		expect(await active.poll()).toBeNull();
		expect(service.log.map(({ route }) => route)).toEqual([ENROLLMENTS]);
		ground.create('enrollment', 2);
		expect(await active.poll()).toEqual([
			expect.objectContaining({
				kind: 'enrollment',
				companyResourceId: ground.company(2).id,
				companyName: ground.company(2).name,
			}),
		]);
	});

	test('falls back without loss or repetition when a list that was empty turns out to name no company', async () => {
		const active = enrollments();
		await active.poll();
		const ids = [0, 1, 2].map((company) => ground.create('enrollment', company, company * HOUR)).reverse();
		expect(idsOf(await active.poll())).toEqual(ids);
		expect(await active.poll()).toBeNull();
		expect(await active.poll()).toBeNull();
	});

	test('a burst is read in full', async () => {
		const active = phishing();
		await active.poll();
		const ids = Array.from({ length: 1000 }, (_, index) => ground.create('phishing', index, (1000 - index) * 1000));
		expect(idsOf(await active.poll())).toEqual(ids);
		expect(await active.poll()).toBeNull();
	});

	test("what n8n's time for a poll does not allow is read the next time", async () => {
		const active = phishing({ options: { pageSize: 2 } });
		withBudget(active.node, () => 50_000);
		await active.poll();
		const ids = Array.from({ length: 60 }, () => ground.create('phishing', 1, 1000));
		// Seven requests of five seconds take the 70 % of the time that are for reading.
		const read = performance.now.bind(performance);
		let elapsed = 0;
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => read() + elapsed);
		service.setOptions({ beforeAnswer: () => (elapsed += 5000) });
		const given: string[][] = [];
		for (let polls = 0; polls < 30 && given.flat().length < ids.length; polls++) given.push(idsOf(await active.poll()));
		expect(given.length).toBeGreaterThan(1);
		expect(given.flat().sort()).toEqual([...ids].sort());
		clock.mockRestore();
		service.setOptions({ beforeAnswer: undefined });
		expect(await active.poll()).toBeNull();
	});
});

describe('pages that shift', () => {
	/** Does something before the given request is answered. */
	const before = (request: number, change: () => void) => {
		let passed = 0;
		service.setOptions({ beforeAnswer: () => (++passed === request ? change() : undefined) });
	};

	/** Lets the time that a poll has for lists be up with the given request. @returns what makes the clock right again */
	const outOfTimeAt = (request: number) => {
		const read = performance.now.bind(performance);
		const clock = jest.spyOn(performance, 'now');
		before(request, () => clock.mockImplementation(() => read() + 160_000));
		return () => {
			clock.mockRestore();
			service.setOptions({ beforeAnswer: undefined });
		};
	};

	test('a record that moves up unnoticed is found in the same poll, for it may be gone at the next', async () => {
		const active = phishing({ options: { pageSize: 2 } });
		const oldest = ground.create('phishing', 0, 3 * HOUR);
		await active.poll();
		const ids = [2, 1, 0].map((hours) => ground.create('phishing', 0, hours * HOUR));
		let late = '';
		before(2, () => {
			ground.delete('phishing', 0, ids[2] ?? '');
			// The number of records stays the same.
			late = ground.create('phishing', 0, 2.5 * HOUR);
		});
		expect(idsOf(await active.poll())).toEqual([late, ...ids]);
		ground.delete('phishing', 0, oldest);
		expect(await active.poll()).toBeNull();
	});

	test('pages fixed by nobody grow, so that all is on one that cannot shift', async () => {
		const active = phishing();
		await active.poll();
		for (let made = 0; made < 350; made++) ground.create('phishing', made, made * 1000);
		service.clearLog();
		expect(await active.poll()).toHaveLength(350);
		const ofAll = service.requests(PHISHING).filter(({ companyId }) => companyId === undefined);
		expect(ofAll.map(({ body }) => body)).toMatchObject([
			{ pageSize: 100 },
			{ pageSize: 1000, pageNumber: 1 },
			// Behind new records the service's counts are not believed.
			{ pageSize: 1000, pageNumber: 2 },
		]);
	});

	test('what shows up where a poll that ran out of time had been is found by the next, though it goes on from there', async () => {
		const active = phishing({ options: { pageSize: 2 } });
		withBudget(active.node, () => 300_000);
		await active.poll();
		const ids = Array.from({ length: 16 }, (_, index) => ground.create('phishing', 0, 60_000 * (20 - index)));
		const again = outOfTimeAt(6);
		const given = idsOf(await active.poll());
		expect(given).toEqual(ids.slice(4));
		again();
		const between = ground.create('phishing', 0, 60_000 * 11.5);
		expect(idsOf(await active.poll())).toEqual([...ids.slice(0, 4), between]);
		expect(await active.poll()).toBeNull();
	});

	test('a first poll that runs out of time does not give the rest later', async () => {
		const active = phishing({ options: { pageSize: 2 } });
		for (let made = 0; made < 9; made++) ground.create('phishing', 0, made * 60_000);
		const again = outOfTimeAt(3);
		await active.poll();
		again();
		const id = ground.create('phishing', 0);
		expect(idsOf(await active.poll())).toEqual([id]);
		expect(await active.poll()).toBeNull();
	});

	test('one dated in the future that vanishes and comes back long after is not given again', async () => {
		const active = phishing();
		await active.poll();
		const ahead = ground.create('phishing', 0, -100 * HOUR);
		expect(idsOf(await active.poll())).toEqual([ahead]);
		const restore = ground.delete('phishing', 0, ahead);
		for (let polls = 0; polls < 3; polls++) {
			ground.pass(30 * HOUR);
			const id = ground.create('phishing', 0);
			expect(idsOf(await active.poll())).toEqual([id]);
		}
		restore();
		expect(await active.poll()).toBeNull();
	});
});

describe('failures', () => {
	test('a company that fails holds back none but its own records', async () => {
		ground.create('enrollment', 0);
		const active = enrollments();
		await active.poll();
		const first = ground.create('enrollment', 0);
		const second = ground.create('enrollment', 1);
		service.fault({ kind: 'status-500', times: Infinity, route: ENROLLMENTS, company: ground.company(0).id });
		expect(idsOf(await active.poll())).toEqual([second]);
		service.clearFaults();
		expect(idsOf(await active.poll())).toEqual([first]);
	});

	test('a company that fails at the baseline is not flooded later', async () => {
		const company = ground.company(0).id;
		ground.create('enrollment', 1, HOUR);
		ground.create('enrollment', 0, 3 * HOUR);
		ground.create('enrollment', 0, 30 * DAY);
		service.fault({ kind: 'status-500', times: Infinity, route: ENROLLMENTS, company });
		const active = enrollments();
		await active.poll();
		service.clearFaults();
		ground.pass(HOUR);
		const id = ground.create('enrollment', 0);
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('a company that is listed later gives what was created since the baseline', async () => {
		const late = service.state.companies[0];
		ground.create('enrollment', 1, HOUR);
		ground.create('enrollment', 0, 90 * DAY);
		if (late) late.licenceExpired = true;
		const active = enrollments({ companyFilter: { licenceNotExpired: true }, options: { askEachEvery: 0 } });
		for (const company of service.state.companies) company.licenseEndDate = '2099-01-01T00:00:00Z';
		await active.poll();
		ground.pass(HOUR);
		const id = ground.create('enrollment', 0);
		if (late) late.licenceExpired = false;
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('when nothing works, the error tells n8n why, and what is remembered stays', async () => {
		const active = phishing();
		await active.poll();
		const before = structuredClone(active.memory);
		service.fault({ kind: 'status-429', times: Infinity, route: PHISHING, retryAfter: '1' });
		const limited = await failureOf(active.poll());
		expect(limited).toMatchObject({ failure: { cause: 'rate-limited', retryAfterMs: 1000 } });
		service.clearFaults();
		service.fault({ kind: 'status-401', times: Infinity, route: PHISHING });
		expect(await failureOf(active.poll())).toMatchObject({ failure: { cause: 'credential-invalid' } });
		service.clearFaults();
		expect(active.memory).toEqual(before);
		const id = ground.create('phishing', 0);
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('records whose details cannot be read now wait; those that will never be read do not', async () => {
		const active = enrollments({ options: { includeDetails: true } });
		await active.poll();
		const id = ground.create('enrollment', 0);
		service.fault({ kind: 'status-503', times: Infinity, route: 'GET /api/enrollments/{resourceId}' });
		expect(await active.poll()).toBeNull();
		service.clearFaults();
		expect(await active.poll()).toEqual([
			expect.objectContaining({ resourceId: id, details: expect.objectContaining({ delivery: 'Email' }) }),
		]);
		const refused = ground.create('enrollment', 0);
		service.fault({ kind: 'forbidden-company', times: Infinity, route: 'GET /api/enrollments/{resourceId}' });
		const items = await active.poll();
		expect(idsOf(items)).toEqual([refused]);
		expect(items?.[0]).not.toHaveProperty('details');
	});

	test('two polls at once: the second gives way', async () => {
		const active = phishing();
		await active.poll();
		const id = ground.create('phishing', 0);
		service.setOptions({ latencyMs: 20 });
		const both = await Promise.all([active.poll(), active.poll()]);
		expect(both.map(idsOf)).toEqual([[id], []]);
	});
});

describe("'Fetch Test Event'", () => {
	test('gives recent records and leaves what is remembered alone', async () => {
		const active = phishing();
		ground.create('phishing', 0, 40 * DAY);
		const id = ground.create('phishing', 1, DAY);
		await active.poll();
		const before = structuredClone(active.memory);
		const items = await active.poll('manual');
		expect(items?.[0]).toMatchObject({
			resourceId: id,
			kind: 'phishingCampaign',
			companyResourceId: ground.company(1).id,
		});
		expect(items).toHaveLength(2);
		expect(active.memory).toEqual(before);
	});

	test('names the company of enrollments too', async () => {
		ground.create('enrollment', 3);
		const items = await enrollments().poll('manual');
		expect(items?.[0]).toMatchObject({ kind: 'enrollment', companyResourceId: ground.company(3).id });
	});
});

describe('Status Changed', () => {
	test('gives each change once, of records that were created in the watched days', async () => {
		const old = ground.create('phishing', 0, 33 * DAY);
		const young = ground.create('phishing', 0, 10 * DAY);
		const active = phishing({ triggerOn: 'statusChanged' });
		await active.poll();
		ground.create('phishing', 1);
		expect(await active.poll()).toBeNull();
		ground.setStatus('phishing', 0, old, 'Completed');
		ground.setStatus('phishing', 0, young, 'Completed');
		expect(await active.poll()).toEqual([expect.objectContaining({ resourceId: young, status: 'Completed' })]);
		expect(await active.poll()).toBeNull();
	});

	test('gives only changes to chosen statuses', async () => {
		const id = ground.create('phishing', 0);
		const active = phishing({ triggerOn: 'statusChanged', statuses: 'completed, Stopped' });
		await active.poll();
		ground.setStatus('phishing', 0, id, 'Scheduled');
		expect(await active.poll()).toBeNull();
		ground.setStatus('phishing', 0, id, 'Completed');
		expect(idsOf(await active.poll())).toEqual([id]);
	});
});

describe('lists without create times', () => {
	test('campaign jobs are told apart by their instance group', async () => {
		const active = phishing({ watch: 'jobs' });
		await active.poll();
		ground.create('phishing', 0, 0, { instanceGroups: [1, 2], id: 'both' });
		expect((await active.poll())?.map(({ instanceGroup }) => instanceGroup).sort()).toEqual([1, 2]);
		expect(await active.poll()).toBeNull();
	});

	test('what moves up among the newest 200 as others are deleted is not new', async () => {
		const made = Array.from({ length: 230 }, () => ground.create('phishing', 0));
		const active = phishing({
			watch: 'jobs',
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: ground.company(0).id },
		});
		await active.poll();
		for (const id of made.slice(0, 20)) ground.delete('phishing', 0, id);
		expect(await active.poll()).toBeNull();
	});
});
