/**
 * Tests creating and starting a campaign: which campaigns exist on the platform afterwards, and how often each was
 * started.
 */
import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { NODE_FOLDERS } from '../cases/campaigns';
import { toIdLocator } from '../cases';
import { SCHEDULED_START, getLaunchKeys, prepareNewCampaign } from '../cases/launch';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { parseBody, requireValue } from '../n8n-core/nodeFixture';
import { useSimulatedDate } from '../setup/testClock';
import { chooseTimeout } from '../stand-in/chooseTimeout';
import type { FaultKind } from '../stand-in';
import { SIMULATORS, type Simulator } from '../stand-in/profile';
import type { Campaign } from '../stand-in/seed';

useSimulatedDate();

const CAMPAIGN_NAME = 'Parcel notice, May';
const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ createdCampaignFormat: undefined, transformEnvelope: undefined }));

const getCampaigns = (simulator: Simulator) => fixture.customer.companyData.getCampaigns(simulator);
/** Returns the ID of each campaign with the tested name, and the number of times that the campaign was started. */
const countStartsById = (simulator: Simulator): Array<[id: string, startCount: number]> =>
	getCampaigns(simulator)
		.filter(({ name }) => name === CAMPAIGN_NAME)
		.map(({ resourceId, instanceGroups }) => [resourceId, instanceGroups.length]);

/** Returns the number of requests that create a campaign, and the number of requests that start one. */
const countLaunchRequests = (simulator: Simulator) => {
	const { create, start } = getLaunchKeys(simulator);
	return [create, start].map((key) => fixture.standIn.getRequests(key).length);
};

const run = async (simulator: Simulator, parameters: IDataObject = {}) =>
	runNode({
		node: fixture.getNode(NODE_FOLDERS[simulator]),
		parameters: {
			operation: 'createAndStart',
			...prepareNewCampaign(fixture.customer, simulator).parameters,
			...parameters,
		},
		credential: fixture.credential,
	});

/** Runs the node and returns the error of the run. @throws Error if the run succeeds */
async function runToFailure(simulator: Simulator, parameters: IDataObject = {}) {
	const nodeError: unknown = await run(simulator, parameters).then(
		() => undefined,
		(error: unknown) => error,
	);
	if (nodeError instanceof NodeApiError || nodeError instanceof NodeOperationError) return nodeError;
	throw new Error('The run did not end with an error of n8n', { cause: nodeError });
}

/** Adds a campaign, by default with the tested name, as if another user had created it. */
function addForeignCampaign(simulator: Simulator, resourceId: string, name = CAMPAIGN_NAME): void {
	const [template] = getCampaigns(simulator);
	if (template) getCampaigns(simulator).push({ ...template, resourceId, name, instanceGroups: [] } satisfies Campaign);
}

/** Makes the platform call a function each time after it has created a campaign, before it responds. */
const interceptCreation = (simulator: Simulator, onCreate: () => void) =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, request) => {
			if (request.route === getLaunchKeys(simulator).create) onCreate();
			return envelope;
		},
	});

const addFault = (route: string, kind: FaultKind) => fixture.standIn.addFault({ route, kind, times: Infinity });

describe.each(SIMULATORS)('%s', (simulator) => {
	const launchKeys = getLaunchKeys(simulator);

	test.each(['id', 'map', 'page'] as const)(
		'the response to the creation has the format %s: one campaign is created and started once',
		async (createdCampaignFormat) => {
			fixture.standIn.setOptions({ createdCampaignFormat });
			// Before the run, there is already a campaign with the same name.
			addForeignCampaign(simulator, 'older');
			const { items } = await run(simulator);
			const [olderCampaign, [id = '', startCount] = []] = countStartsById(simulator);
			expect(items.map(({ json }) => json)).toEqual([
				expect.objectContaining({ resourceId: id, name: CAMPAIGN_NAME, result: 'started' }),
			]);
			expect([olderCampaign, startCount]).toEqual([['older', 0], 1]);
			expect(countLaunchRequests(simulator)).toEqual([1, 1]);
		},
	);

	test('two new campaigns have the name: none is started, and the error contains both IDs', async () => {
		fixture.standIn.setOptions({ createdCampaignFormat: 'map' });
		interceptCreation(simulator, () => addForeignCampaign(simulator, 'another'));
		const error = await runToFailure(simulator);
		const ids = countStartsById(simulator).map(([id]) => id);
		expect(ids).toHaveLength(2);
		for (const id of ids) expect(error.message).toContain(id);
		expect(error.message).toContain('the platform did not return its ID');
		expect(error.description).toContain(`start it with 'Start ${simulator} campaign'`);
		expect(countStartsById(simulator).map(([, startCount]) => startCount)).toEqual([0, 0]);
		expect(countLaunchRequests(simulator)).toEqual([1, 0]);
	});

	test('a campaign with a longer name appears meanwhile: the one with the exact name is started', async () => {
		fixture.standIn.setOptions({ createdCampaignFormat: 'map' });
		interceptCreation(simulator, () => addForeignCampaign(simulator, 'longer', `${CAMPAIGN_NAME} 2`));
		const { items } = await run(simulator);
		const [[id = '', startCount] = []] = countStartsById(simulator);
		expect([items[0]?.json.resourceId, startCount]).toEqual([id, 1]);
	});

	test('the response is lost and two new campaigns have the name: the error warns of creating another one', async () => {
		addFault(launchKeys.create, 'reset-after');
		interceptCreation(simulator, () => addForeignCampaign(simulator, 'another'));
		const { message, description } = await runToFailure(simulator);
		expect(message).toContain('several new campaigns have that name');
		expect(description).toContain('would create another campaign');
		expect(countLaunchRequests(simulator)).toEqual([1, 0]);
	});

	test("additional fields as JSON are only sent to create the campaign, and its first status isn't in the output", async () => {
		fixture.standIn.setOptions({
			createdCampaignFormat: 'id',
			transformEnvelope: (envelope, { route }) => {
				const { data } = envelope as { data: unknown };
				return route === launchKeys.create ? { data: { ...Object(data), status: 'Draft' } } : envelope;
			},
		});
		const { additionalFields } = prepareNewCampaign(fixture.customer, simulator).parameters;
		const fieldsWithJson = { ...Object(additionalFields), additionalFieldsJson: '{ "isQuickLaunch": true }' };
		const { items } = await run(simulator, { additionalFields: fieldsWithJson });
		const hasJsonField = (key: string) => 'isQuickLaunch' in parseBody(fixture.standIn.getRequests(key)[0]);
		expect([hasJsonField(launchKeys.create), hasJsonField(launchKeys.start)]).toEqual([true, false]);
		expect(items[0]?.json).toMatchObject({ result: 'started' });
		expect(items[0]?.json).not.toHaveProperty('status');
	});

	test('the start is refused: the error contains the ID of the campaign, and Start accepts it', async () => {
		addFault(launchKeys.start, 'forbidden-company');
		const error = await runToFailure(simulator);
		const [[id = ''] = []] = countStartsById(simulator);
		expect(error.message).toContain(
			`the campaign was created with the ID '${id}', but the platform refused access (403)`,
		);
		expect(error.description).toContain(
			`Start the campaign with 'Start ${simulator} campaign'. Don't run this node again, because that would create another campaign.`,
		);
		expect(countStartsById(simulator)).toEqual([[id, 0]]);
		expect(countLaunchRequests(simulator)).toEqual([1, 1]);
		fixture.standIn.clearFaults();
		await run(simulator, { operation: 'start', campaign: id, additionalFields: {} });
		expect(countStartsById(simulator)).toEqual([[id, 1]]);
	});

	test.each(['reset-after', 'truncate', 'stall-body'] as const)(
		'the response to the creation is lost (%s): one campaign is created and started once',
		async (kind) => {
			addFault(launchKeys.create, kind);
			const { items } = await run(simulator, { options: { timeout: chooseTimeout(kind) } });
			const [[id = ''] = []] = countStartsById(simulator);
			expect(items.map(({ json }) => json.resourceId)).toEqual([id]);
			expect(countStartsById(simulator)).toEqual([[id, 1]]);
			expect(countLaunchRequests(simulator)).toEqual([1, 1]);
		},
	);

	test.each(['reset-before', 'status-500'] as const)(
		'the creation fails before it reaches the platform (%s): nothing is started, and the error says so',
		async (kind) => {
			addFault(launchKeys.create, kind);
			const error = await runToFailure(simulator);
			expect(error.message).toContain('the list of campaigns has no new one with that name');
			// The description must not contain the advice of the failed request to try again, because following it could
			// create another campaign.
			expect(error.description).toMatch(
				/^(The platform says: [^.]*\. )?Look for the campaign on the platform\. If it is there, start it with 'Start .+ campaign'\. If not, run this node again\.$/,
			);
			// Both sentences can't be true.
			expect(error.description).not.toContain('would create another campaign');
			expect(countStartsById(simulator)).toEqual([]);
			expect(countLaunchRequests(simulator)).toEqual([1, 0]);
		},
	);

	test('the creation is refused: the campaign is not searched for, and the next run creates one', async () => {
		const error = await runToFailure(simulator, { scenarios: ['ffffffff-0000-4000-8000-ffffffffffff'] });
		expect(error.description).toContain('The scenario is unknown: ffffffff-0000-4000-8000-ffffffffffff.');
		expect(countStartsById(simulator)).toEqual([]);
		expect(fixture.standIn.getRequests(launchKeys.search)).toHaveLength(1);
		await run(simulator);
		expect(countStartsById(simulator).map(([, startCount]) => startCount)).toEqual([1]);
	});

	test('the response to the start is lost: the campaign is started once, and the error says to look for its job', async () => {
		addFault(launchKeys.start, 'reset-after');
		const error = await runToFailure(simulator);
		const [[id = ''] = []] = countStartsById(simulator);
		expect(error.message).toContain(id);
		expect(error.description).toContain(`If the campaign has no job, start it with 'Start ${simulator} campaign'`);
		expect(countStartsById(simulator)).toEqual([[id, 1]]);
		expect(countLaunchRequests(simulator)).toEqual([1, 1]);
	});

	test('the time zone of each user is sent only in the requests that accept it (deployment beyond, "Campaigns")', async () => {
		const { additionalFields } = prepareNewCampaign(fixture.customer, simulator).parameters;
		const fieldsWithTimeZone = { ...Object(additionalFields), useTargetUserTimeZone: true };
		await run(simulator, { additionalFields: fieldsWithTimeZone });
		const isTimeZoneSent = (key: string) =>
			fixture.standIn.getRequests(key).map((request) => parseBody(request).useTargetUserTimeZone === true);
		expect([isTimeZoneSent(launchKeys.create), isTimeZoneSent(launchKeys.start)]).toEqual([
			[simulator === 'smishing'],
			[true],
		]);
		const { fields } = fixture.getOperation(NODE_FOLDERS[simulator], 'create');
		expect('useTargetUserTimeZone' in (fields.additionalFields?.innerFields ?? {})).toBe(simulator === 'smishing');
	});

	test('the campaigns cannot be listed before: nothing is created', async () => {
		addFault(launchKeys.search, 'forbidden-company');
		await runToFailure(simulator);
		expect(countStartsById(simulator)).toEqual([]);
		expect(countLaunchRequests(simulator)).toEqual([0, 0]);
	});

	test('the campaigns cannot be listed after a response without an ID: one campaign is created and not started', async () => {
		fixture.standIn.setOptions({ createdCampaignFormat: 'page' });
		interceptCreation(simulator, () => addFault(launchKeys.search, 'forbidden-company'));
		const error = await runToFailure(simulator);
		expect(error.message).toContain('its campaigns could not be listed: the platform refused access (403)');
		expect(error.description).toContain('would create another campaign');
		expect(countStartsById(simulator).map(([, startCount]) => startCount)).toEqual([0]);
		expect(countLaunchRequests(simulator)).toEqual([1, 0]);
	});

	test.each([
		['scenarios', "'Scenario Names or IDs' must name at least one scenario"],
		['targetGroups', "'Target Group Names or IDs' must name at least one target group"],
	])('without %s no request is sent', async (field, message) => {
		fixture.standIn.clearLog();
		expect((await runToFailure(simulator, { [field]: '={{ [] }}' })).message).toBe(message);
		expect(fixture.requests).toEqual([]);
	});

	test.each<[fieldName: string, enteredValue: IDataObject]>([
		['Start Date', { scheduledDate: '={{ $json.missing }}' }],
		['Time Zone', { scheduledDateTimeZoneId: toIdLocator('={{ $json.missing }}') }],
		['Time Zone', { scheduledDateTimeZoneId: toIdLocator('Berlin') }],
	])(
		'with another schedule than Now, a missing or wrong %s is reported before any request is sent: %j',
		async (fieldName, enteredValue) => {
			const campaign = toIdLocator(getCampaigns(simulator)[0]?.resourceId ?? '');
			for (const operation of ['create', 'start'] as const) {
				fixture.standIn.clearLog();
				const parameters = { operation, campaign, additionalFields: {}, ...SCHEDULED_START.parameters };
				expect((await runToFailure(simulator, { ...parameters, ...enteredValue })).message).toContain(
					`'${fieldName}' must `,
				);
				expect(fixture.requests).toEqual([]);
				await run(simulator, { ...parameters, ...enteredValue, schedule: toIdLocator('1') });
				const lastRequest = fixture.standIn.getRequests(launchKeys[operation]).at(-1);
				expect(parseBody(requireValue(lastRequest))).not.toHaveProperty('scheduledDate');
			}
		},
	);

	test('a new campaign with another schedule than Now needs no start date, because it is not started yet', async () => {
		const schedule = toIdLocator('2');
		const parameters = { operation: 'create', schedule, scheduledDate: '' };
		await run(simulator, parameters);
		const body = parseBody(requireValue(fixture.standIn.getRequests(launchKeys.create).at(-1)));
		expect(body).toMatchObject({ scheduleTypeId: 2 });
		expect(body).not.toHaveProperty('scheduledDate');
		expect(body).not.toHaveProperty('scheduledDateTimeZoneId');
	});

	test('a new campaign with a start date may not start then: a hint says how to check and start it', async () => {
		const { hints } = await run(simulator, { operation: 'create', ...SCHEDULED_START.parameters });
		expect(countStartsById(simulator).map(([, startCount]) => startCount)).toEqual([0]);
		const texts = hints.map(({ message }) => message).join();
		expect(texts).toContain('the platform may not start it at that date');
		expect(texts).toContain(`use 'Start ${simulator} campaign'`);
		expect((await run(simulator, { operation: 'create' })).hints).toEqual([]);
	});

	test('Get shows all scenarios of a campaign, its start date, and the time zone of the date', async () => {
		const { parameters } = prepareNewCampaign(fixture.customer, simulator);
		const scenarios = ['Parcel Notice', 'Password Expiry'];
		const created = await run(simulator, { operation: 'create', ...SCHEDULED_START.parameters, scenarios });
		const campaign = toIdLocator(String(created.items[0]?.json.resourceId));
		const { items } = await run(simulator, { ...parameters, operation: 'get', campaign, output: 'simplified' });
		expect(items[0]?.json).toMatchObject({
			[`${simulator}Scenarios`]: scenarios.map((text) => ({ text })),
			scheduledDate: '2031-03-01T08:00:00.000Z',
			scheduledDateTimeZoneId: 'Europe/Berlin',
		});
	});

	test('a deleted campaign has its name in the output, also if it was entered by ID', async () => {
		const { items: created } = await run(simulator, { operation: 'create' });
		const resourceId = String(created[0]?.json.resourceId);
		const { items } = await run(simulator, { operation: 'delete', campaign: toIdLocator(resourceId) });
		expect(items[0]?.json).toMatchObject({ deleted: true, name: CAMPAIGN_NAME, resourceId });
		expect(countStartsById(simulator)).toEqual([]);
	});

	test('a campaign whose record cannot be read is deleted all the same, without its name', async () => {
		const { items: created } = await run(simulator, { operation: 'create' });
		const resourceId = String(created[0]?.json.resourceId);
		addFault(`GET /api/${simulator}-simulator/${simulator}-campaign/{resourceId}`, 'forbidden-company');
		const { items } = await run(simulator, { operation: 'delete', campaign: toIdLocator(resourceId) });
		expect(items[0]?.json).toMatchObject({ deleted: true, name: null, resourceId });
		expect(countStartsById(simulator)).toEqual([]);
	});

	test('each run creates another campaign', async () => {
		await run(simulator);
		await run(simulator);
		expect(countStartsById(simulator).map(([, startCount]) => startCount)).toEqual([1, 1]);
	});

	test('Create returns the ID for every response format, and does not start the campaign', async () => {
		fixture.standIn.setOptions({ createdCampaignFormat: 'page' });
		const { items } = await run(simulator, { operation: 'create' });
		const [[id = ''] = []] = countStartsById(simulator);
		const { companyName, companyResourceId } = fixture.customer.company;
		expect(items.map(({ json }) => json)).toEqual([
			{ companyName, companyResourceId, resourceId: id, name: CAMPAIGN_NAME, result: 'created' },
		]);
		expect(countStartsById(simulator)).toEqual([[id, 0]]);
		expect(countLaunchRequests(simulator)).toEqual([1, 0]);
	});

	test('on a platform without these operations, the error says so', async () => {
		fixture.standIn.setOptions({ hasExtraRoutes: false });
		const error = await runToFailure(simulator).finally(() => fixture.standIn.setOptions({ hasExtraRoutes: true }));
		expect(error.message).toContain('the platform does not support this operation (404)');
	});
});
