/** What a trigger gives and says, in n8n-core's poll context against the service. */
import { isMatch, merge } from 'lodash';
import { deepCopy } from 'n8n-workflow';
import { DAY, HOUR, idsOf, START } from './pollingFixture';
import { COMPANIES, ENROLLMENTS, JOBS, MINUTE, PHISHING, TriggerFixture, withRows } from './triggerFixture';

let t: TriggerFixture;
beforeAll(async () => {
	t = await TriggerFixture.start();
});
beforeEach(() => t.begin());
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => t.service.close());

describe('New', () => {
	test('the first poll remembers what is there; then each record comes once, the oldest first, with its company', async () => {
		t.create('phishing', 0, HOUR);
		const active = t.phishing();
		expect(await active.poll()).toBeNull();
		expect(await active.poll()).toBeNull();
		t.pass(15 * MINUTE);
		const young = t.create('phishing', 1);
		const old = t.create('phishing', 2, 20 * HOUR);
		const items = await active.poll();
		expect(idsOf(items)).toEqual([old, young]);
		const { id: companyResourceId, name: companyName } = t.company(1);
		expect(items?.[1]).toMatchObject({ kind: 'phishingCampaign', companyResourceId, companyName, status: 'Running' });
		t.pass(15 * MINUTE);
		expect(await active.poll()).toBeNull();
	});

	test("'Emit Existing Since' gives what was created since, at the first poll", async () => {
		t.create('phishing', 0, 40 * DAY);
		const first = t.create('phishing', 0, 10 * DAY);
		const second = t.create('phishing', 0, 9 * DAY);
		const third = t.create('phishing', 1, 2 * DAY);
		const active = t.phishing({ options: { emitExistingSince: new Date(START - 10 * DAY).toISOString() } });
		expect(idsOf(await active.poll())).toEqual([first, second, third]);
		t.pass(15 * MINUTE);
		expect(await active.poll()).toBeNull();
	});

	test.each([
		['campaigns', () => t.phishing(t.one(0)), 'phishing' as const, 'resourceId'],
		['enrollments', () => t.enrollments(t.one(0)), 'enrollment' as const, 'enrollmentId'],
		['campaign jobs', () => t.phishing({ ...t.one(0), watch: 'jobs' }), 'phishing' as const, 'jobId'],
	])('one company: its %s come with the ID that the pickers of other nodes take', async (_, make, list, idField) => {
		const active = make();
		await active.poll();
		const id = t.create(list, 0);
		t.create(list, 1);
		const items = await active.poll();
		expect(items).toHaveLength(1);
		expect(String(items?.[0]?.[idField])).toContain(id);
		expect(items?.[0]).toMatchObject({ companyResourceId: t.company(0).id, companyName: t.company(0).name });
		expect(await active.poll()).toBeNull();
	});

	test('one company, whose name does not come: its enrollments are given without it, soon, and once', async () => {
		const active = t.enrollments(t.one(0));
		await active.poll();
		const id = t.create('enrollment', 0);
		t.service.fault({ route: 'GET /api/companies/{resourceId}', kind: 'stall', times: Infinity });
		const before = Date.now();
		expect(idsOf(await active.poll())).toEqual([id]);
		expect(t.service.requests('GET /api/companies/{resourceId}').length).toBeGreaterThan(0);
		expect(Date.now() - before).toBeLessThan(10_000);
		expect(await active.poll()).toBeNull();
	});

	test('jobs are told apart by their instance group, and read whole, by name', async () => {
		const active = t.phishing({ watch: 'jobs', ...t.one(0), options: { pageSize: 2 } });
		for (let times = 0; times < 5; times++) t.create('phishing', 0, 40 * DAY);
		await active.poll();
		t.service.clearLog();
		t.create('phishing', 0, 0, { instanceGroups: [1, 2], id: 'both' });
		expect((await active.poll())?.map(({ instanceGroup }) => instanceGroup).sort()).toEqual([1, 2]);
		expect(t.service.requests(JOBS).map(({ body }) => body)).toMatchObject(
			[1, 2, 3, 4].map((pageNumber) => ({ pageNumber, orderBy: 'Name' })),
		);
		expect(await active.poll()).toBeNull();
	});

	test('Surveys Only asks for surveys', async () => {
		await t.enrollments({ ...t.one(0), enrollmentType: 'Survey' }).poll();
		expect(t.service.requests(ENROLLMENTS)[0]?.body).toMatchObject({ enrollmentType: 'Survey' });
	});

	test('another scope, client or list begins anew; other options do not', async () => {
		const active = t.phishing(t.one(0));
		await active.poll();
		t.create('phishing', 0);
		active.parameters.options = { pageSize: 7, askEachEvery: 0 };
		expect(await active.poll()).toHaveLength(1);
		t.create('phishing', 1);
		Object.assign(active.parameters, t.one(1));
		expect(await active.poll()).toBeNull();
		expect(active.log.join()).toContain('has changed (Company or Only Companies), so the trigger begins anew');
		t.create('phishing', 1);
		expect(await active.poll()).toHaveLength(1);
	});

	test.each<[what: string, change: (remembered: unknown) => unknown]>([
		['is none', () => 'x'],
		// The first version remembered only one time for each company that could not be read.
		[
			'is of an older version',
			(remembered) => merge(remembered, { kinds: { phishingCampaign: { unread: [['c', 1]] } } }),
		],
	])('what was remembered and %s is begun anew, and n8n logs it', async (_, change) => {
		const active = t.phishing(t.one(0));
		t.create('phishing', 0);
		await active.poll();
		const remembered = change(active.remembered);
		for (const own of Object.values(active.memory)) Object.assign(own ?? {}, { remembered });
		expect(await active.poll()).toBeNull();
		expect(active.log.at(-1)).toContain('cannot be read, so the trigger begins anew');
		t.create('phishing', 0);
		expect(await active.poll()).toHaveLength(1);
	});
});

test('what a page hid that shifted while it was read is found by the next poll', async () => {
	const active = t.phishing({ ...t.one(0), options: { pageSize: 2 } });
	const gone = t.create('phishing', 0, HOUR);
	await active.poll();
	const hidden = t.create('phishing', 0, 23 * HOUR);
	t.pass(6 * HOUR);
	const young = t.create('phishing', 0);
	t.service.clearLog();
	t.service.setOptions({
		beforeAnswer: () => {
			// Between the first two pages the record before the hidden one goes, and one without interest comes.
			if (!isMatch(t.service.requests(PHISHING).at(-1)?.body ?? {}, { pageNumber: 2 })) return;
			t.delete('phishing', 0, gone);
			t.create('phishing', 0, 40 * DAY);
		},
	});
	expect(idsOf(await active.poll())).toEqual([young]);
	t.service.setOptions({ beforeAnswer: undefined });
	expect(idsOf(await active.poll())).toEqual([hidden]);
	expect(await active.poll()).toBeNull();
});

describe('Status Changed', () => {
	test('gives each change once, of records of the watched days', async () => {
		const old = t.create('phishing', 0, 33 * DAY);
		const young = t.create('phishing', 0, 10 * DAY);
		const active = t.phishing({ triggerOn: 'statusChanged', ...t.one(0) });
		await active.poll();
		t.create('phishing', 0);
		for (let times = 0; times < 3; times++) expect(await active.poll()).toBeNull();
		for (const id of [old, young]) t.setStatus('phishing', 0, id, 'Completed');
		expect(await active.poll()).toEqual([
			expect.objectContaining({ resourceId: young, status: 'Completed', previousStatus: 'Running' }),
		]);
		expect(await active.poll()).toBeNull();
	});

	test("gives only the wanted ones, in any case, and with 'Also Records First Seen' new records too", async () => {
		const id = t.create('phishing', 0);
		const wanted = { triggerOn: 'statusChanged', statuses: ['completed', 'Running'], alsoFirstSeen: true };
		const active = t.phishing({ ...wanted, ...t.one(0) });
		await active.poll();
		t.setStatus('phishing', 0, id, 'Scheduled');
		t.create('phishing', 0, 0, { status: 'Idle' });
		expect(await active.poll()).toBeNull();
		t.setStatus('phishing', 0, id, 'Completed');
		const first = t.create('phishing', 0);
		expect((await active.poll())?.map(({ resourceId, previousStatus }) => [resourceId, previousStatus])).toEqual([
			[id, 'Scheduled'],
			[first, null],
		]);
	});

	test('a change of every company names the company without asking for it', async () => {
		const active = await t.knowing(t.phishing({ triggerOn: 'statusChanged' }));
		t.setStatus('phishing', 1, 'record-x', 'Completed');
		const id = String(t.service.state.of(t.company(1).id).campaigns('phishing')[0]?.resourceId);
		t.setStatus('phishing', 1, id, 'Completed');
		expect(await active.poll()).toMatchObject([{ resourceId: id, companyName: t.company(1).name }]);
		expect(t.asked(PHISHING)).toEqual(['']);
	});
});

test('a company that was entered by name is looked up once, and again when it is another one', async () => {
	const { id, name } = t.company(0);
	const active = t.phishing({ companyScope: 'one', company: { __rl: true, mode: 'name', value: name } });
	await active.poll();
	t.create('phishing', 0);
	expect(await active.poll()).toMatchObject([{ companyResourceId: id, companyName: name }]);
	expect(t.service.requests(COMPANIES)).toHaveLength(1);
	// The service does not know that ID any more.
	t.service.fault({ kind: 'forbidden-company', route: PHISHING, times: 1 });
	t.create('phishing', 0);
	expect(await active.poll()).toHaveLength(1);
	expect(t.service.requests(COMPANIES)).toHaveLength(2);
});

test('a row keeps what it says itself of its company, and one without a known ID is counted', async () => {
	const active = t.phishing(t.one(0));
	await active.poll();
	t.create('phishing', 0);
	t.service.setOptions({ garble: (envelope) => withRows(envelope, { companyName: 'As the row says' }) });
	expect(await active.poll()).toMatchObject([{ companyName: 'As the row says', companyResourceId: t.company(0).id }]);
	t.service.setOptions({ garble: (envelope) => withRows(envelope, { resourceId: null }) });
	expect(await active.poll()).toBeNull();
	expect(active.log.at(-1)).toContain('1 record of the phishing campaigns cannot be watched');
});

test('a record with an ID that every object has is given, once', async () => {
	const active = await t.knowing(t.phishing());
	for (const id of ['constructor', '__proto__']) t.create('phishing', 2, 0, { id });
	expect(idsOf(await active.poll()).sort()).toEqual(['__proto__', 'constructor']);
	active.restart();
	expect(await active.poll()).toBeNull();
});

test('two triggers of a workflow with one node ID, as n8n 1.x allows, do not stop one another', async () => {
	const one = t.phishing(t.one(0));
	const other = t.phishing(t.one(0));
	Object.assign(other, { workflowId: one.workflowId, name: 'Another Trigger' });
	await Promise.all([one.poll(), other.poll()]);
	t.create('phishing', 0);
	for (const items of await Promise.all([one.poll(), other.poll()])) expect(items).toHaveLength(1);
});

test('a clock that was set back asks', async () => {
	const active = t.phishing({ options: { askEachCompany: true } });
	t.pass(DAY);
	for (let times = 0; times < 2; times++) await active.poll();
	t.pass(-DAY);
	const id = t.create('phishing', 0);
	expect(idsOf(await active.poll())).toEqual([id]);
});

describe('what goes wrong', () => {
	test('a list that cannot be read fails the poll, in words, and changes nothing', async () => {
		const active = t.phishing(t.one(0));
		await active.poll();
		const before = deepCopy(active.memory);
		t.service.fault({ kind: 'status-500', route: PHISHING, times: Infinity });
		const id = t.create('phishing', 0);
		await expect(active.poll()).rejects.toThrow(`Could not look for phishing campaigns for '${t.company(0).id}': `);
		expect(active.memory).toEqual(before);
		t.service.clearFaults();
		expect(idsOf(await active.poll())).toEqual([id]);
	});

	test('while n8n starts, it is only logged', async () => {
		const active = t.phishing(t.one(0));
		Object.assign(active, { activation: 'init' });
		t.service.fault({ kind: 'status-500', route: PHISHING, times: Infinity });
		expect(await active.poll()).toBeNull();
		await expect(active.poll()).rejects.toThrow('Could not look for phishing campaigns');
	});

	test.each([
		['while a workflow is published, with what to do', 'activate', 'rejects'],
		['while n8n starts, in its log', 'init', 'resolves'],
	] as const)('a wrong company is named %s', async (_, activation, outcome) => {
		const active = t.phishing({ companyScope: 'one', company: { __rl: true, mode: 'id', value: 'nobody' } });
		Object.assign(active, { activation });
		const said = await active.poll().then(
			() => active.log.join(),
			(error: Error) => error.message,
		);
		expect(outcome === 'resolves' ? active.log.length : 0).toBe(outcome === 'resolves' ? 1 : 0);
		expect(said).toMatch(
			/Could not look for phishing campaigns for 'nobody': access was refused \(403\)\. .+ Check that this company/,
		);
	});

	test('surveys are called surveys', async () => {
		t.service.fault({ kind: 'status-500', route: ENROLLMENTS, times: Infinity });
		const active = t.enrollments({ ...t.one(0), enrollmentType: 'Survey' });
		await expect(active.poll()).rejects.toThrow('Could not look for surveys');
	});

	test('a missing company is named before anything is sent', async () => {
		t.service.clearLog();
		await expect(t.phishing({ companyScope: 'one' }).poll()).rejects.toThrow("'Company' must not be empty");
		expect(t.service.log).toEqual([]);
	});
});
