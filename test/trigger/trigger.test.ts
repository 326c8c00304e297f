/** What a trigger gives and says, in n8n-core's poll context against the service. */
import { isMatch, merge } from 'lodash';
import { deepCopy } from 'n8n-workflow';
import { DAY, HOUR, getIds, START } from './pollingFixture';
import { COMPANIES, ENROLLMENTS, JOBS, MINUTE, PHISHING, TriggerFixture, addFieldsToRows } from './triggerFixture';

let t: TriggerFixture;
beforeAll(async () => {
	t = await TriggerFixture.start();
});
beforeEach(() => t.reset());
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => t.service.close());

describe('New', () => {
	test('the first poll remembers what is there; then each record comes once, the oldest first, with its company', async () => {
		t.createRecord('phishing', 0, HOUR);
		const active = t.createPhishingTrigger();
		expect(await active.poll()).toBeNull();
		expect(await active.poll()).toBeNull();
		t.advanceTime(15 * MINUTE);
		const young = t.createRecord('phishing', 1);
		const old = t.createRecord('phishing', 2, 20 * HOUR);
		const items = await active.poll();
		expect(getIds(items)).toEqual([old, young]);
		const { id: companyResourceId, name: companyName } = t.getCompany(1);
		expect(items?.[1]).toMatchObject({ kind: 'phishingCampaign', companyResourceId, companyName, status: 'Running' });
		t.advanceTime(15 * MINUTE);
		expect(await active.poll()).toBeNull();
	});

	test("'Emit Existing Since' gives what was created since, at the first poll", async () => {
		t.createRecord('phishing', 0, 40 * DAY);
		const first = t.createRecord('phishing', 0, 10 * DAY);
		const second = t.createRecord('phishing', 0, 9 * DAY);
		const third = t.createRecord('phishing', 1, 2 * DAY);
		const active = t.createPhishingTrigger({ options: { emitExistingSince: new Date(START - 10 * DAY).toISOString() } });
		expect(getIds(await active.poll())).toEqual([first, second, third]);
		t.advanceTime(15 * MINUTE);
		expect(await active.poll()).toBeNull();
	});

	test.each([
		['campaigns', () => t.createPhishingTrigger(t.oneCompanyParameters(0)), 'phishing' as const, 'resourceId'],
		['enrollments', () => t.createEnrollmentsTrigger(t.oneCompanyParameters(0)), 'enrollment' as const, 'enrollmentId'],
		['campaign jobs', () => t.createPhishingTrigger({ ...t.oneCompanyParameters(0), watch: 'jobs' }), 'phishing' as const, 'jobId'],
	])('one company: its %s come with the ID that the pickers of other nodes take', async (_, make, list, idField) => {
		const active = make();
		await active.poll();
		const id = t.createRecord(list, 0);
		t.createRecord(list, 1);
		const items = await active.poll();
		expect(items).toHaveLength(1);
		expect(String(items?.[0]?.[idField])).toContain(id);
		expect(items?.[0]).toMatchObject({ companyResourceId: t.getCompany(0).id, companyName: t.getCompany(0).name });
		expect(await active.poll()).toBeNull();
	});

	test('one company, whose name does not come: its enrollments are given without it, soon, and once', async () => {
		const active = t.createEnrollmentsTrigger(t.oneCompanyParameters(0));
		await active.poll();
		const id = t.createRecord('enrollment', 0);
		t.service.addFault({ route: 'GET /api/companies/{resourceId}', kind: 'stall', times: Infinity });
		const before = Date.now();
		expect(getIds(await active.poll())).toEqual([id]);
		expect(t.service.getRequests('GET /api/companies/{resourceId}').length).toBeGreaterThan(0);
		expect(Date.now() - before).toBeLessThan(10_000);
		expect(await active.poll()).toBeNull();
	});

	test('jobs are told apart by their instance group, and read whole, by name', async () => {
		const active = t.createPhishingTrigger({ watch: 'jobs', ...t.oneCompanyParameters(0), options: { pageSize: 2 } });
		for (let times = 0; times < 5; times++) t.createRecord('phishing', 0, 40 * DAY);
		await active.poll();
		t.service.clearLog();
		t.createRecord('phishing', 0, 0, { instanceGroups: [1, 2], id: 'both' });
		expect((await active.poll())?.map(({ instanceGroup }) => instanceGroup).sort()).toEqual([1, 2]);
		expect(t.service.getRequests(JOBS).map(({ body }) => body)).toMatchObject(
			[1, 2, 3, 4].map((pageNumber) => ({ pageNumber, orderBy: 'Name' })),
		);
		expect(await active.poll()).toBeNull();
	});

	test('Surveys Only asks for surveys', async () => {
		await t.createEnrollmentsTrigger({ ...t.oneCompanyParameters(0), enrollmentType: 'Survey' }).poll();
		expect(t.service.getRequests(ENROLLMENTS)[0]?.body).toMatchObject({ enrollmentType: 'Survey' });
	});

	test('another scope, client or list begins anew; other options do not', async () => {
		const active = t.createPhishingTrigger(t.oneCompanyParameters(0));
		await active.poll();
		t.createRecord('phishing', 0);
		active.parameters.options = { pageSize: 7, askEachEvery: 0 };
		expect(await active.poll()).toHaveLength(1);
		t.createRecord('phishing', 1);
		Object.assign(active.parameters, t.oneCompanyParameters(1));
		expect(await active.poll()).toBeNull();
		expect(active.log.join()).toContain('has changed (Company or Only Companies), so the trigger begins anew');
		t.createRecord('phishing', 1);
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
		const active = t.createPhishingTrigger(t.oneCompanyParameters(0));
		t.createRecord('phishing', 0);
		await active.poll();
		const remembered = change(active.storedMemory);
		for (const own of Object.values(active.staticData)) Object.assign(own ?? {}, { remembered });
		expect(await active.poll()).toBeNull();
		expect(active.log.at(-1)).toContain('cannot be read, so the trigger begins anew');
		t.createRecord('phishing', 0);
		expect(await active.poll()).toHaveLength(1);
	});
});

test('what a page hid that shifted while it was read is found by the next poll', async () => {
	const active = t.createPhishingTrigger({ ...t.oneCompanyParameters(0), options: { pageSize: 2 } });
	const gone = t.createRecord('phishing', 0, HOUR);
	await active.poll();
	const hidden = t.createRecord('phishing', 0, 23 * HOUR);
	t.advanceTime(6 * HOUR);
	const young = t.createRecord('phishing', 0);
	t.service.clearLog();
	t.service.setOptions({
		beforeResponse: () => {
			// Between the first two pages the record before the hidden one goes, and one without interest comes.
			if (!isMatch(t.service.getRequests(PHISHING).at(-1)?.body ?? {}, { pageNumber: 2 })) return;
			t.deleteRecord('phishing', 0, gone);
			t.createRecord('phishing', 0, 40 * DAY);
		},
	});
	expect(getIds(await active.poll())).toEqual([young]);
	t.service.setOptions({ beforeResponse: undefined });
	expect(getIds(await active.poll())).toEqual([hidden]);
	expect(await active.poll()).toBeNull();
});

describe('Status Changed', () => {
	test('gives each change once, of records of the watched days', async () => {
		const old = t.createRecord('phishing', 0, 33 * DAY);
		const young = t.createRecord('phishing', 0, 10 * DAY);
		const active = t.createPhishingTrigger({ triggerOn: 'statusChanged', ...t.oneCompanyParameters(0) });
		await active.poll();
		t.createRecord('phishing', 0);
		for (let times = 0; times < 3; times++) expect(await active.poll()).toBeNull();
		for (const id of [old, young]) t.setStatus('phishing', 0, id, 'Completed');
		expect(await active.poll()).toEqual([
			expect.objectContaining({ resourceId: young, status: 'Completed', previousStatus: 'Running' }),
		]);
		expect(await active.poll()).toBeNull();
	});

	test("gives only the wanted ones, in any case, and with 'Also Records First Seen' new records too", async () => {
		const id = t.createRecord('phishing', 0);
		const wanted = { triggerOn: 'statusChanged', statuses: ['completed', 'Running'], alsoFirstSeen: true };
		const active = t.createPhishingTrigger({ ...wanted, ...t.oneCompanyParameters(0) });
		await active.poll();
		t.setStatus('phishing', 0, id, 'Scheduled');
		t.createRecord('phishing', 0, 0, { status: 'Idle' });
		expect(await active.poll()).toBeNull();
		t.setStatus('phishing', 0, id, 'Completed');
		const first = t.createRecord('phishing', 0);
		expect((await active.poll())?.map(({ resourceId, previousStatus }) => [resourceId, previousStatus])).toEqual([
			[id, 'Scheduled'],
			[first, null],
		]);
	});

	test('a change of every company names the company without asking for it', async () => {
		const active = await t.learnGlobalList(t.createPhishingTrigger({ triggerOn: 'statusChanged' }));
		t.setStatus('phishing', 1, 'record-x', 'Completed');
		const id = String(t.service.state.getCompanyData(t.getCompany(1).id).getCampaigns('phishing')[0]?.resourceId);
		t.setStatus('phishing', 1, id, 'Completed');
		expect(await active.poll()).toMatchObject([{ resourceId: id, companyName: t.getCompany(1).name }]);
		expect(t.takeRequestedCompanies(PHISHING)).toEqual(['']);
	});
});

test('a company that was entered by name is looked up once, and again when it is another one', async () => {
	const { id, name } = t.getCompany(0);
	const active = t.createPhishingTrigger({ companyScope: 'one', company: { __rl: true, mode: 'name', value: name } });
	await active.poll();
	t.createRecord('phishing', 0);
	expect(await active.poll()).toMatchObject([{ companyResourceId: id, companyName: name }]);
	expect(t.service.getRequests(COMPANIES)).toHaveLength(1);
	// The service does not know that ID any more.
	t.service.addFault({ kind: 'forbidden-company', route: PHISHING, times: 1 });
	t.createRecord('phishing', 0);
	expect(await active.poll()).toHaveLength(1);
	expect(t.service.getRequests(COMPANIES)).toHaveLength(2);
});

test('a row keeps what it says itself of its company, and one without a known ID is counted', async () => {
	const active = t.createPhishingTrigger(t.oneCompanyParameters(0));
	await active.poll();
	t.createRecord('phishing', 0);
	t.service.setOptions({ transformEnvelope: (envelope) => addFieldsToRows(envelope, { companyName: 'As the row says' }) });
	expect(await active.poll()).toMatchObject([{ companyName: 'As the row says', companyResourceId: t.getCompany(0).id }]);
	t.service.setOptions({ transformEnvelope: (envelope) => addFieldsToRows(envelope, { resourceId: null }) });
	expect(await active.poll()).toBeNull();
	expect(active.log.at(-1)).toContain('1 record of the phishing campaigns cannot be watched');
});

test('a record with an ID that every object has is given, once', async () => {
	const active = await t.learnGlobalList(t.createPhishingTrigger());
	for (const id of ['constructor', '__proto__']) t.createRecord('phishing', 2, 0, { id });
	expect(getIds(await active.poll()).sort()).toEqual(['__proto__', 'constructor']);
	active.restart();
	expect(await active.poll()).toBeNull();
});

test('two triggers of a workflow with one node ID, as n8n 1.x allows, do not stop one another', async () => {
	const one = t.createPhishingTrigger(t.oneCompanyParameters(0));
	const other = t.createPhishingTrigger(t.oneCompanyParameters(0));
	Object.assign(other, { workflowId: one.workflowId, name: 'Another Trigger' });
	await Promise.all([one.poll(), other.poll()]);
	t.createRecord('phishing', 0);
	for (const items of await Promise.all([one.poll(), other.poll()])) expect(items).toHaveLength(1);
});

test('a clock that was set back asks', async () => {
	const active = t.createPhishingTrigger({ options: { askEachCompany: true } });
	t.advanceTime(DAY);
	for (let times = 0; times < 2; times++) await active.poll();
	t.advanceTime(-DAY);
	const id = t.createRecord('phishing', 0);
	expect(getIds(await active.poll())).toEqual([id]);
});

describe('what goes wrong', () => {
	test('a list that cannot be read fails the poll, in words, and changes nothing', async () => {
		const active = t.createPhishingTrigger(t.oneCompanyParameters(0));
		await active.poll();
		const before = deepCopy(active.staticData);
		t.service.addFault({ kind: 'status-500', route: PHISHING, times: Infinity });
		const id = t.createRecord('phishing', 0);
		await expect(active.poll()).rejects.toThrow(`Could not look for phishing campaigns for '${t.getCompany(0).id}': `);
		expect(active.staticData).toEqual(before);
		t.service.clearFaults();
		expect(getIds(await active.poll())).toEqual([id]);
	});

	test('while n8n starts, it is only logged', async () => {
		const active = t.createPhishingTrigger(t.oneCompanyParameters(0));
		Object.assign(active, { activation: 'init' });
		t.service.addFault({ kind: 'status-500', route: PHISHING, times: Infinity });
		expect(await active.poll()).toBeNull();
		await expect(active.poll()).rejects.toThrow('Could not look for phishing campaigns');
	});

	test.each([
		['while a workflow is published, with what to do', 'activate', 'rejects'],
		['while n8n starts, in its log', 'init', 'resolves'],
	] as const)('a wrong company is named %s', async (_, activation, outcome) => {
		const active = t.createPhishingTrigger({ companyScope: 'one', company: { __rl: true, mode: 'id', value: 'nobody' } });
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
		t.service.addFault({ kind: 'status-500', route: ENROLLMENTS, times: Infinity });
		const active = t.createEnrollmentsTrigger({ ...t.oneCompanyParameters(0), enrollmentType: 'Survey' });
		await expect(active.poll()).rejects.toThrow('Could not look for surveys');
	});

	test('a missing company is named before anything is sent', async () => {
		t.service.clearLog();
		await expect(t.createPhishingTrigger({ companyScope: 'one' }).poll()).rejects.toThrow("'Company' must not be empty");
		expect(t.service.log).toEqual([]);
	});
});
