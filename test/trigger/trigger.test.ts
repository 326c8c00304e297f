/** Tests the items and messages of a trigger with n8n-core's poll context and the stand-in (a simulated platform). */
import { merge } from 'lodash';
import { deepCopy } from 'n8n-workflow';
import { DAY, HOUR, getIds, START_TIME, type ActiveTrigger } from './pollingFixture';
import {
	COMPANIES_ROUTE,
	ENROLLMENTS_ROUTE,
	JOBS_ROUTE,
	MINUTE,
	PHISHING_ROUTE,
	TriggerFixture,
	addFieldsToRows,
} from './triggerFixture';

let fixture: TriggerFixture;
beforeAll(async () => {
	fixture = await TriggerFixture.start();
});
beforeEach(() => fixture.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(async () => fixture.standIn.close());

describe('New', () => {
	test('the first poll remembers all records; then each new record is emitted once, oldest first, with its company', async () => {
		fixture.createRecord('phishing', 0, HOUR);
		const trigger = fixture.createPhishingTrigger();
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		fixture.advanceTime(15 * MINUTE);
		const newerId = fixture.createRecord('phishing', 1);
		const olderId = fixture.createRecord('phishing', 2, 20 * HOUR);
		const items = await trigger.poll();
		expect(getIds(items)).toEqual([olderId, newerId]);
		const { id: companyResourceId, name: companyName } = fixture.getCompany(1);
		expect(items?.[1]).toMatchObject({ kind: 'phishingCampaign', companyResourceId, companyName, status: 'Running' });
		fixture.advanceTime(15 * MINUTE);
		expect(await trigger.poll()).toBeNull();
	});

	test('an existing record near the end of its day and of its hour is not emitted', async () => {
		fixture.createRecord('phishing', 0, 50 * MINUTE);
		fixture.createRecord('phishing', 0, DAY + 20 * MINUTE);
		const trigger = fixture.createPhishingTrigger(fixture.getOneCompanyParameters(0));
		for (let times = 0; times < 3; times++) expect(await trigger.poll()).toBeNull();
	});

	test("'Include Existing Since' emits the records created since then in the first poll", async () => {
		fixture.createRecord('phishing', 0, 40 * DAY);
		const tenDaysOldId = fixture.createRecord('phishing', 0, 10 * DAY);
		const nineDaysOldId = fixture.createRecord('phishing', 0, 9 * DAY);
		const twoDaysOldId = fixture.createRecord('phishing', 1, 2 * DAY);
		const trigger = fixture.createPhishingTrigger({
			options: { includeExistingSince: new Date(START_TIME - 10 * DAY).toISOString() },
		});
		expect(getIds(await trigger.poll())).toEqual([tenDaysOldId, nineDaysOldId, twoDaysOldId]);
		fixture.advanceTime(15 * MINUTE);
		expect(await trigger.poll()).toBeNull();
	});

	test.each([
		[
			'campaigns',
			() => fixture.createPhishingTrigger(fixture.getOneCompanyParameters(0)),
			'phishing' as const,
			'resourceId',
		],
		[
			'enrollments',
			() => fixture.createEnrollmentsTrigger(fixture.getOneCompanyParameters(0)),
			'enrollment' as const,
			'enrollmentId',
		],
		[
			'campaign jobs',
			() => fixture.createPhishingTrigger({ ...fixture.getOneCompanyParameters(0), watch: 'jobs' }),
			'phishing' as const,
			'jobId',
		],
	])(
		'one company: its %s are emitted with the ID that the pickers of other nodes accept',
		async (_, createTrigger, list, idField) => {
			const trigger = createTrigger();
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
		},
	);

	test('one company whose name cannot be read: its enrollments are emitted once, without the name and without a long wait', async () => {
		const trigger = fixture.createEnrollmentsTrigger(fixture.getOneCompanyParameters(0));
		await trigger.poll();
		const id = fixture.createRecord('enrollment', 0);
		fixture.standIn.addFault({ route: 'GET /api/companies/{resourceId}', kind: 'stall', times: Infinity });
		const startTime = Date.now();
		expect(getIds(await trigger.poll())).toEqual([id]);
		expect(fixture.standIn.getRequests('GET /api/companies/{resourceId}').length).toBeGreaterThan(0);
		expect(Date.now() - startTime).toBeLessThan(10_000);
		expect(await trigger.poll()).toBeNull();
	});

	test('jobs are distinguished by their instance group, and the whole list is read, sorted by name', async () => {
		const trigger = fixture.createPhishingTrigger({
			watch: 'jobs',
			...fixture.getOneCompanyParameters(0),
			options: { pageSize: 2 },
		});
		for (let times = 0; times < 5; times++) fixture.createRecord('phishing', 0, 40 * DAY);
		await trigger.poll();
		fixture.standIn.clearLog();
		fixture.createRecord('phishing', 0, 0, { instanceGroups: [1, 2], id: 'both' });
		expect((await trigger.poll())?.map(({ instanceGroup }) => instanceGroup).sort()).toEqual([1, 2]);
		expect(fixture.standIn.getRequests(JOBS_ROUTE).map(({ body }) => body)).toMatchObject(
			[1, 2, 3, 4].map((pageNumber) => ({ pageNumber, orderBy: 'Name' })),
		);
		expect(await trigger.poll()).toBeNull();
	});

	test('Surveys Only requests surveys', async () => {
		await fixture.createEnrollmentsTrigger({ ...fixture.getOneCompanyParameters(0), enrollmentType: 'Survey' }).poll();
		expect(fixture.standIn.getRequests(ENROLLMENTS_ROUTE)[0]?.body).toMatchObject({ enrollmentType: 'Survey' });
	});

	test.each<[setting: string, change: (trigger: ActiveTrigger) => void]>([
		['Company or Only Companies', ({ parameters }) => Object.assign(parameters, fixture.getOneCompanyParameters(1))],
		[
			'Trigger On',
			({ parameters }) => Object.assign(parameters, { triggerOn: 'statusChanged', includeNewRecords: true }),
		],
		['Watch', ({ parameters }) => Object.assign(parameters, { enrollmentType: 'Survey' })],
		[
			'Client ID',
			({ credentialStore }) =>
				Object.assign(credentialStore.data, fixture.standIn.clients.limited, { oauthTokenData: undefined }),
		],
	])(
		'the trigger starts over after a change of %s, but not after a change of other options',
		async (setting, change) => {
			const trigger = fixture.createEnrollmentsTrigger(fixture.getOneCompanyParameters(0));
			const createRecords = () =>
				[0, 1].map((index) => fixture.createRecord('enrollment', index, 0, { type: 'Survey' }));
			await trigger.poll();
			createRecords();
			trigger.parameters.options = { pageSize: 7, readEachCompanyEvery: 0 };
			expect(await trigger.poll()).toHaveLength(1);
			createRecords();
			change(trigger);
			expect(await trigger.poll()).toBeNull();
			expect(trigger.log.join()).toContain(`has changed (${setting}), so the trigger starts over`);
			createRecords();
			expect(await trigger.poll()).toHaveLength(1);
		},
	);

	test.each<[name: string, changeMemory: (memory: unknown) => unknown]>([
		['that is no object', () => 'x'],
		// The first version of the package stored only one time for each unread company.
		[
			'of an older version',
			(memory) => merge(memory, { lists: { phishingCampaign: { unreadCompanies: [['c', 1]] } } }),
		],
	])('with a memory %s, the trigger starts over and logs a warning', async (_, changeMemory) => {
		const trigger = fixture.createPhishingTrigger(fixture.getOneCompanyParameters(0));
		fixture.createRecord('phishing', 0);
		await trigger.poll();
		const remembered = changeMemory(trigger.storedMemory);
		for (const nodeData of Object.values(trigger.staticData)) Object.assign(nodeData ?? {}, { remembered });
		expect(await trigger.poll()).toBeNull();
		expect(trigger.log.at(-1)).toContain('could not read what it remembers, so it starts over');
		fixture.createRecord('phishing', 0);
		expect(await trigger.poll()).toHaveLength(1);
	});
});

describe('Status Changed', () => {
	test('emits each change once, for records that were created within the watched days', async () => {
		const oldId = fixture.createRecord('phishing', 0, 33 * DAY);
		const watchedId = fixture.createRecord('phishing', 0, 10 * DAY);
		const trigger = fixture.createPhishingTrigger({
			triggerOn: 'statusChanged',
			...fixture.getOneCompanyParameters(0),
		});
		await trigger.poll();
		fixture.createRecord('phishing', 0);
		for (let times = 0; times < 3; times++) expect(await trigger.poll()).toBeNull();
		for (const id of [oldId, watchedId]) fixture.setStatus('phishing', 0, id, 'Completed');
		expect(await trigger.poll()).toEqual([
			expect.objectContaining({ resourceId: watchedId, status: 'Completed', previousStatus: 'Running' }),
		]);
		expect(await trigger.poll()).toBeNull();
	});

	test("emits only the selected statuses, in upper or lower case; with 'Include New Records', new records too", async () => {
		const id = fixture.createRecord('phishing', 0);
		const statusParameters = {
			triggerOn: 'statusChanged',
			statuses: ['completed', 'Running'],
			includeNewRecords: true,
		};
		const trigger = fixture.createPhishingTrigger({ ...statusParameters, ...fixture.getOneCompanyParameters(0) });
		await trigger.poll();
		fixture.setStatus('phishing', 0, id, 'Scheduled');
		fixture.createRecord('phishing', 0, 0, { status: 'Idle' });
		expect(await trigger.poll()).toBeNull();
		fixture.setStatus('phishing', 0, id, 'Completed');
		const newId = fixture.createRecord('phishing', 0);
		expect((await trigger.poll())?.map(({ resourceId, previousStatus }) => [resourceId, previousStatus])).toEqual([
			[id, 'Scheduled'],
			[newId, null],
		]);
	});

	test('with Every Company, a change has the name of its company without another request', async () => {
		const trigger = await fixture.learnThatGlobalListIsComplete(
			fixture.createPhishingTrigger({ triggerOn: 'statusChanged' }),
		);
		const id = String(
			fixture.standIn.world.getCompanyData(fixture.getCompany(1).id).getCampaigns('phishing')[0]?.resourceId,
		);
		fixture.setStatus('phishing', 1, id, 'Completed');
		expect(await trigger.poll()).toMatchObject([{ resourceId: id, companyName: fixture.getCompany(1).name }]);
		expect(fixture.takeRequestedCompanies(PHISHING_ROUTE)).toEqual(['']);
	});
});

test('a company that was entered by name is looked up once, and again if its ID has changed', async () => {
	const { id, name } = fixture.getCompany(0);
	const trigger = fixture.createPhishingTrigger({
		companyScope: 'one',
		company: { __rl: true, mode: 'name', value: name },
	});
	await trigger.poll();
	fixture.createRecord('phishing', 0);
	expect(await trigger.poll()).toMatchObject([{ companyResourceId: id, companyName: name }]);
	expect(fixture.standIn.getRequests(COMPANIES_ROUTE)).toHaveLength(1);
	// Now the platform refuses the remembered ID once, as if the company had another ID.
	fixture.standIn.addFault({ kind: 'forbidden-company', route: PHISHING_ROUTE, times: 1 });
	fixture.createRecord('phishing', 0);
	expect(await trigger.poll()).toHaveLength(1);
	expect(fixture.standIn.getRequests(COMPANIES_ROUTE)).toHaveLength(2);
});

test('a record keeps its own company fields, and a record without a known ID is counted in the log', async () => {
	const trigger = fixture.createPhishingTrigger(fixture.getOneCompanyParameters(0));
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
	expect(trigger.log.at(-1)).toContain('cannot watch 1 record of the phishing campaigns');
});

test('a record whose ID is a property name of every object is emitted once', async () => {
	const trigger = await fixture.learnThatGlobalListIsComplete(fixture.createPhishingTrigger());
	for (const id of ['constructor', '__proto__']) fixture.createRecord('phishing', 2, 0, { id });
	expect(getIds(await trigger.poll()).sort()).toEqual(['__proto__', 'constructor']);
	trigger.restart();
	expect(await trigger.poll()).toBeNull();
});

test('two triggers with the same node ID in one workflow, as in n8n 1.x, do not block each other', async () => {
	const firstTrigger = fixture.createPhishingTrigger(fixture.getOneCompanyParameters(0));
	const secondTrigger = fixture.createPhishingTrigger(fixture.getOneCompanyParameters(0));
	Object.assign(secondTrigger, { workflowId: firstTrigger.workflowId, name: 'Another Trigger' });
	await Promise.all([firstTrigger.poll(), secondTrigger.poll()]);
	fixture.createRecord('phishing', 0);
	for (const items of await Promise.all([firstTrigger.poll(), secondTrigger.poll()])) expect(items).toHaveLength(1);
});

test('after the clock was set back, the trigger still polls', async () => {
	const trigger = fixture.createPhishingTrigger({ options: { readEachCompany: true } });
	fixture.advanceTime(DAY);
	for (let times = 0; times < 2; times++) await trigger.poll();
	fixture.advanceTime(-DAY);
	const id = fixture.createRecord('phishing', 0);
	expect(getIds(await trigger.poll())).toEqual([id]);
});

describe('failures', () => {
	test('if a list cannot be read, the poll fails with a readable message, and changes nothing', async () => {
		const trigger = fixture.createPhishingTrigger(fixture.getOneCompanyParameters(0));
		await trigger.poll();
		const staticDataBefore = deepCopy(trigger.staticData);
		fixture.standIn.addFault({ kind: 'status-500', route: PHISHING_ROUTE, times: Infinity });
		const id = fixture.createRecord('phishing', 0);
		await expect(trigger.poll()).rejects.toThrow(
			`Could not look for phishing campaigns for '${fixture.getCompany(0).id}': `,
		);
		expect(trigger.staticData).toEqual(staticDataBefore);
		fixture.standIn.clearFaults();
		expect(getIds(await trigger.poll())).toEqual([id]);
	});

	test.each(['init', 'leadershipChange'])('a failure at the start of n8n (%s) is only logged', async (activation) => {
		const trigger = fixture.createPhishingTrigger(fixture.getOneCompanyParameters(0));
		Object.assign(trigger, { activation });
		fixture.standIn.addFault({ kind: 'status-500', route: PHISHING_ROUTE, times: Infinity });
		expect(await trigger.poll()).toBeNull();
		await expect(trigger.poll()).rejects.toThrow('Could not look for phishing campaigns');
	});

	test.each([
		['in the error while a workflow is published', 'activate', false],
		['in the log while n8n starts', 'init', true],
	] as const)('a wrong company is named %s, with advice', async (_, activation, isLogged) => {
		const trigger = fixture.createPhishingTrigger({
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: 'nobody' },
		});
		Object.assign(trigger, { activation });
		const message = await trigger.poll().then(
			() => trigger.log.join(),
			(error: Error) => error.message,
		);
		if (isLogged) expect(trigger.log).toHaveLength(1);
		expect(message).toMatch(
			/Could not look for phishing campaigns for 'nobody': the platform refused access \(403\)\. Is this one of your customers\?/,
		);
	});

	test('the error about surveys calls them surveys', async () => {
		fixture.standIn.addFault({ kind: 'status-500', route: ENROLLMENTS_ROUTE, times: Infinity });
		const trigger = fixture.createEnrollmentsTrigger({
			...fixture.getOneCompanyParameters(0),
			enrollmentType: 'Survey',
		});
		await expect(trigger.poll()).rejects.toThrow('Could not look for surveys');
	});

	test('a missing company is reported before any request is sent', async () => {
		fixture.standIn.clearLog();
		await expect(fixture.createPhishingTrigger({ companyScope: 'one' }).poll()).rejects.toThrow(
			"'Company' must not be empty",
		);
		expect(fixture.standIn.log).toEqual([]);
	});
});
