/** What a trigger gives and says, in n8n-core's poll context against the service. */
import { isMatch, merge } from 'lodash';
import { deepCopy } from 'n8n-workflow';
import { DAY, HOUR, getIds, START } from './pollingFixture';
import { COMPANIES, ENROLLMENTS, JOBS, MINUTE, PHISHING, TriggerFixture, addFieldsToRows } from './triggerFixture';

let fixture: TriggerFixture;
beforeAll(async () => {
	fixture = await TriggerFixture.start();
});
beforeEach(() => fixture.reset());
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => fixture.standIn.close());

describe('New', () => {
	test('the first poll remembers what is there; then each record comes once, the oldest first, with its company', async () => {
		fixture.createRecord('phishing', 0, HOUR);
		const trigger = fixture.createPhishingTrigger();
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		fixture.advanceTime(15 * MINUTE);
		const young = fixture.createRecord('phishing', 1);
		const old = fixture.createRecord('phishing', 2, 20 * HOUR);
		const items = await trigger.poll();
		expect(getIds(items)).toEqual([old, young]);
		const { id: companyResourceId, name: companyName } = fixture.getCompany(1);
		expect(items?.[1]).toMatchObject({ kind: 'phishingCampaign', companyResourceId, companyName, status: 'Running' });
		fixture.advanceTime(15 * MINUTE);
		expect(await trigger.poll()).toBeNull();
	});

	test("'Emit Existing Since' gives what was created since, at the first poll", async () => {
		fixture.createRecord('phishing', 0, 40 * DAY);
		const first = fixture.createRecord('phishing', 0, 10 * DAY);
		const second = fixture.createRecord('phishing', 0, 9 * DAY);
		const third = fixture.createRecord('phishing', 1, 2 * DAY);
		const trigger = fixture.createPhishingTrigger({
			options: { emitExistingSince: new Date(START - 10 * DAY).toISOString() },
		});
		expect(getIds(await trigger.poll())).toEqual([first, second, third]);
		fixture.advanceTime(15 * MINUTE);
		expect(await trigger.poll()).toBeNull();
	});

	test.each([
		[
			'campaigns',
			() => fixture.createPhishingTrigger(fixture.oneCompanyParameters(0)),
			'phishing' as const,
			'resourceId',
		],
		[
			'enrollments',
			() => fixture.createEnrollmentsTrigger(fixture.oneCompanyParameters(0)),
			'enrollment' as const,
			'enrollmentId',
		],
		[
			'campaign jobs',
			() => fixture.createPhishingTrigger({ ...fixture.oneCompanyParameters(0), watch: 'jobs' }),
			'phishing' as const,
			'jobId',
		],
	])('one company: its %s come with the ID that the pickers of other nodes take', async (_, make, list, idField) => {
		const trigger = make();
		await trigger.poll();
		const id = fixture.createRecord(list, 0);
		fixture.createRecord(list, 1);
		const items = await trigger.poll();
		expect(items).toHaveLength(1);
		expect(String(items?.[0]?.[idField])).toContain(id);
		expect(items?.[0]).toMatchObject({
			companyResourceId: fixture.getCompany(0).id,
			companyName: fixture.getCompany(0).name,
		});
		expect(await trigger.poll()).toBeNull();
	});

	test('one company, whose name does not come: its enrollments are given without it, soon, and once', async () => {
		const trigger = fixture.createEnrollmentsTrigger(fixture.oneCompanyParameters(0));
		await trigger.poll();
		const id = fixture.createRecord('enrollment', 0);
		fixture.standIn.addFault({ route: 'GET /api/companies/{resourceId}', kind: 'stall', times: Infinity });
		const before = Date.now();
		expect(getIds(await trigger.poll())).toEqual([id]);
		expect(fixture.standIn.getRequests('GET /api/companies/{resourceId}').length).toBeGreaterThan(0);
		expect(Date.now() - before).toBeLessThan(10_000);
		expect(await trigger.poll()).toBeNull();
	});

	test('jobs are told apart by their instance group, and read whole, by name', async () => {
		const trigger = fixture.createPhishingTrigger({
			watch: 'jobs',
			...fixture.oneCompanyParameters(0),
			options: { pageSize: 2 },
		});
		for (let times = 0; times < 5; times++) fixture.createRecord('phishing', 0, 40 * DAY);
		await trigger.poll();
		fixture.standIn.clearLog();
		fixture.createRecord('phishing', 0, 0, { instanceGroups: [1, 2], id: 'both' });
		expect((await trigger.poll())?.map(({ instanceGroup }) => instanceGroup).sort()).toEqual([1, 2]);
		expect(fixture.standIn.getRequests(JOBS).map(({ body }) => body)).toMatchObject(
			[1, 2, 3, 4].map((pageNumber) => ({ pageNumber, orderBy: 'Name' })),
		);
		expect(await trigger.poll()).toBeNull();
	});

	test('Surveys Only asks for surveys', async () => {
		await fixture.createEnrollmentsTrigger({ ...fixture.oneCompanyParameters(0), enrollmentType: 'Survey' }).poll();
		expect(fixture.standIn.getRequests(ENROLLMENTS)[0]?.body).toMatchObject({ enrollmentType: 'Survey' });
	});

	test('another scope, client or list begins anew; other options do not', async () => {
		const trigger = fixture.createPhishingTrigger(fixture.oneCompanyParameters(0));
		await trigger.poll();
		fixture.createRecord('phishing', 0);
		trigger.parameters.options = { pageSize: 7, askEachEvery: 0 };
		expect(await trigger.poll()).toHaveLength(1);
		fixture.createRecord('phishing', 1);
		Object.assign(trigger.parameters, fixture.oneCompanyParameters(1));
		expect(await trigger.poll()).toBeNull();
		expect(trigger.log.join()).toContain('has changed (Company or Only Companies), so the trigger begins anew');
		fixture.createRecord('phishing', 1);
		expect(await trigger.poll()).toHaveLength(1);
	});

	test.each<[what: string, change: (remembered: unknown) => unknown]>([
		['is none', () => 'x'],
		// The first version remembered only one time for each company that could not be read.
		[
			'is of an older version',
			(remembered) => merge(remembered, { kinds: { phishingCampaign: { unread: [['c', 1]] } } }),
		],
	])('what was remembered and %s is begun anew, and n8n logs it', async (_, change) => {
		const trigger = fixture.createPhishingTrigger(fixture.oneCompanyParameters(0));
		fixture.createRecord('phishing', 0);
		await trigger.poll();
		const remembered = change(trigger.storedMemory);
		for (const own of Object.values(trigger.staticData)) Object.assign(own ?? {}, { remembered });
		expect(await trigger.poll()).toBeNull();
		expect(trigger.log.at(-1)).toContain('cannot be read, so the trigger begins anew');
		fixture.createRecord('phishing', 0);
		expect(await trigger.poll()).toHaveLength(1);
	});
});

test('what a page hid that shifted while it was read is found by the next poll', async () => {
	const trigger = fixture.createPhishingTrigger({ ...fixture.oneCompanyParameters(0), options: { pageSize: 2 } });
	const gone = fixture.createRecord('phishing', 0, HOUR);
	await trigger.poll();
	const hidden = fixture.createRecord('phishing', 0, 23 * HOUR);
	fixture.advanceTime(6 * HOUR);
	const young = fixture.createRecord('phishing', 0);
	fixture.standIn.clearLog();
	fixture.standIn.setOptions({
		beforeResponse: () => {
			// Between the first two pages the record before the hidden one goes, and one without interest comes.
			if (!isMatch(fixture.standIn.getRequests(PHISHING).at(-1)?.body ?? {}, { pageNumber: 2 })) return;
			fixture.deleteRecord('phishing', 0, gone);
			fixture.createRecord('phishing', 0, 40 * DAY);
		},
	});
	expect(getIds(await trigger.poll())).toEqual([young]);
	fixture.standIn.setOptions({ beforeResponse: undefined });
	expect(getIds(await trigger.poll())).toEqual([hidden]);
	expect(await trigger.poll()).toBeNull();
});

describe('Status Changed', () => {
	test('gives each change once, of records of the watched days', async () => {
		const old = fixture.createRecord('phishing', 0, 33 * DAY);
		const young = fixture.createRecord('phishing', 0, 10 * DAY);
		const trigger = fixture.createPhishingTrigger({ triggerOn: 'statusChanged', ...fixture.oneCompanyParameters(0) });
		await trigger.poll();
		fixture.createRecord('phishing', 0);
		for (let times = 0; times < 3; times++) expect(await trigger.poll()).toBeNull();
		for (const id of [old, young]) fixture.setStatus('phishing', 0, id, 'Completed');
		expect(await trigger.poll()).toEqual([
			expect.objectContaining({ resourceId: young, status: 'Completed', previousStatus: 'Running' }),
		]);
		expect(await trigger.poll()).toBeNull();
	});

	test("gives only the wanted ones, in any case, and with 'Also Records First Seen' new records too", async () => {
		const id = fixture.createRecord('phishing', 0);
		const wanted = { triggerOn: 'statusChanged', statuses: ['completed', 'Running'], alsoFirstSeen: true };
		const trigger = fixture.createPhishingTrigger({ ...wanted, ...fixture.oneCompanyParameters(0) });
		await trigger.poll();
		fixture.setStatus('phishing', 0, id, 'Scheduled');
		fixture.createRecord('phishing', 0, 0, { status: 'Idle' });
		expect(await trigger.poll()).toBeNull();
		fixture.setStatus('phishing', 0, id, 'Completed');
		const first = fixture.createRecord('phishing', 0);
		expect((await trigger.poll())?.map(({ resourceId, previousStatus }) => [resourceId, previousStatus])).toEqual([
			[id, 'Scheduled'],
			[first, null],
		]);
	});

	test('a change of every company names the company without asking for it', async () => {
		const trigger = await fixture.learnGlobalList(fixture.createPhishingTrigger({ triggerOn: 'statusChanged' }));
		fixture.setStatus('phishing', 1, 'record-x', 'Completed');
		const id = String(
			fixture.standIn.state.getCompanyData(fixture.getCompany(1).id).getCampaigns('phishing')[0]?.resourceId,
		);
		fixture.setStatus('phishing', 1, id, 'Completed');
		expect(await trigger.poll()).toMatchObject([{ resourceId: id, companyName: fixture.getCompany(1).name }]);
		expect(fixture.takeRequestedCompanies(PHISHING)).toEqual(['']);
	});
});

test('a company that was entered by name is looked up once, and again when it is another one', async () => {
	const { id, name } = fixture.getCompany(0);
	const trigger = fixture.createPhishingTrigger({
		companyScope: 'one',
		company: { __rl: true, mode: 'name', value: name },
	});
	await trigger.poll();
	fixture.createRecord('phishing', 0);
	expect(await trigger.poll()).toMatchObject([{ companyResourceId: id, companyName: name }]);
	expect(fixture.standIn.getRequests(COMPANIES)).toHaveLength(1);
	// The service does not know that ID any more.
	fixture.standIn.addFault({ kind: 'forbidden-company', route: PHISHING, times: 1 });
	fixture.createRecord('phishing', 0);
	expect(await trigger.poll()).toHaveLength(1);
	expect(fixture.standIn.getRequests(COMPANIES)).toHaveLength(2);
});

test('a row keeps what it says itself of its company, and one without a known ID is counted', async () => {
	const trigger = fixture.createPhishingTrigger(fixture.oneCompanyParameters(0));
	await trigger.poll();
	fixture.createRecord('phishing', 0);
	fixture.standIn.setOptions({
		transformEnvelope: (envelope) => addFieldsToRows(envelope, { companyName: 'As the row says' }),
	});
	expect(await trigger.poll()).toMatchObject([
		{ companyName: 'As the row says', companyResourceId: fixture.getCompany(0).id },
	]);
	fixture.standIn.setOptions({ transformEnvelope: (envelope) => addFieldsToRows(envelope, { resourceId: null }) });
	expect(await trigger.poll()).toBeNull();
	expect(trigger.log.at(-1)).toContain('1 record of the phishing campaigns cannot be watched');
});

test('a record with an ID that every object has is given, once', async () => {
	const trigger = await fixture.learnGlobalList(fixture.createPhishingTrigger());
	for (const id of ['constructor', '__proto__']) fixture.createRecord('phishing', 2, 0, { id });
	expect(getIds(await trigger.poll()).sort()).toEqual(['__proto__', 'constructor']);
	trigger.restart();
	expect(await trigger.poll()).toBeNull();
});

test('two triggers of a workflow with one node ID, as n8n 1.x allows, do not stop one another', async () => {
	const one = fixture.createPhishingTrigger(fixture.oneCompanyParameters(0));
	const other = fixture.createPhishingTrigger(fixture.oneCompanyParameters(0));
	Object.assign(other, { workflowId: one.workflowId, name: 'Another Trigger' });
	await Promise.all([one.poll(), other.poll()]);
	fixture.createRecord('phishing', 0);
	for (const items of await Promise.all([one.poll(), other.poll()])) expect(items).toHaveLength(1);
});

test('a clock that was set back asks', async () => {
	const trigger = fixture.createPhishingTrigger({ options: { askEachCompany: true } });
	fixture.advanceTime(DAY);
	for (let times = 0; times < 2; times++) await trigger.poll();
	fixture.advanceTime(-DAY);
	const id = fixture.createRecord('phishing', 0);
	expect(getIds(await trigger.poll())).toEqual([id]);
});

describe('what goes wrong', () => {
	test('a list that cannot be read fails the poll, in words, and changes nothing', async () => {
		const trigger = fixture.createPhishingTrigger(fixture.oneCompanyParameters(0));
		await trigger.poll();
		const before = deepCopy(trigger.staticData);
		fixture.standIn.addFault({ kind: 'status-500', route: PHISHING, times: Infinity });
		const id = fixture.createRecord('phishing', 0);
		await expect(trigger.poll()).rejects.toThrow(
			`Could not look for phishing campaigns for '${fixture.getCompany(0).id}': `,
		);
		expect(trigger.staticData).toEqual(before);
		fixture.standIn.clearFaults();
		expect(getIds(await trigger.poll())).toEqual([id]);
	});

	test('while n8n starts, it is only logged', async () => {
		const trigger = fixture.createPhishingTrigger(fixture.oneCompanyParameters(0));
		Object.assign(trigger, { activation: 'init' });
		fixture.standIn.addFault({ kind: 'status-500', route: PHISHING, times: Infinity });
		expect(await trigger.poll()).toBeNull();
		await expect(trigger.poll()).rejects.toThrow('Could not look for phishing campaigns');
	});

	test.each([
		['while a workflow is published, with what to do', 'activate', 'rejects'],
		['while n8n starts, in its log', 'init', 'resolves'],
	] as const)('a wrong company is named %s', async (_, activation, outcome) => {
		const trigger = fixture.createPhishingTrigger({
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: 'nobody' },
		});
		Object.assign(trigger, { activation });
		const said = await trigger.poll().then(
			() => trigger.log.join(),
			(error: Error) => error.message,
		);
		expect(outcome === 'resolves' ? trigger.log.length : 0).toBe(outcome === 'resolves' ? 1 : 0);
		expect(said).toMatch(
			/Could not look for phishing campaigns for 'nobody': access was refused \(403\)\. .+ Check that this company/,
		);
	});

	test('surveys are called surveys', async () => {
		fixture.standIn.addFault({ kind: 'status-500', route: ENROLLMENTS, times: Infinity });
		const trigger = fixture.createEnrollmentsTrigger({ ...fixture.oneCompanyParameters(0), enrollmentType: 'Survey' });
		await expect(trigger.poll()).rejects.toThrow('Could not look for surveys');
	});

	test('a missing company is named before anything is sent', async () => {
		fixture.standIn.clearLog();
		await expect(fixture.createPhishingTrigger({ companyScope: 'one' }).poll()).rejects.toThrow(
			"'Company' must not be empty",
		);
		expect(fixture.standIn.log).toEqual([]);
	});
});
