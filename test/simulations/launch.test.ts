/** Creating and starting a simulation: what is at the platform afterwards, and how often. */
import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { NODE_FOLDERS } from '../cases/campaigns';
import { toIdLocator } from '../cases';
import { SCHEDULED_START, getLaunchKeys, prepareNewCampaign } from '../cases/launch';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { parseBody, requireValue } from '../n8n-core/nodeFixture';
import { useSimulatedClock } from '../setup/turnedClock';
import type { FaultKind } from '../stand-in';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import type { Campaign } from '../stand-in/seed';

useSimulatedClock();

const NAME = 'Parcel notice, May';
const g = createOperationFixture('deployed');
afterEach(() => g.standIn.setOptions({ createdCampaignFormat: undefined, transformEnvelope: undefined }));

const campaigns = (simulator: Simulator) => g.customer.companyData.getCampaigns(simulator);
/** The campaigns of the name, each with how often it was started. */
const there = (simulator: Simulator): Array<[id: string, runs: number]> =>
	campaigns(simulator)
		.filter(({ name }) => name === NAME)
		.map(({ resourceId, instanceGroups }) => [resourceId, instanceGroups.length]);

/** How often a creation and a start were sent. */
const sent = (simulator: Simulator) => {
	const { create, start } = getLaunchKeys(simulator);
	return [create, start].map((key) => g.standIn.getRequests(key).length);
};

const run = async (simulator: Simulator, more: IDataObject = {}) =>
	runNode({
		node: g.getNode(NODE_FOLDERS[simulator]),
		parameters: { operation: 'createAndStart', ...prepareNewCampaign(g.customer, simulator).parameters, ...more },
		credential: g.credential,
	});

async function failure(simulator: Simulator, more: IDataObject = {}) {
	const thrown: unknown = await run(simulator, more).then(
		() => undefined,
		(error: unknown) => error,
	);
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	throw new Error('The run did not end with an error of n8n', { cause: thrown });
}

/** A campaign of the name that somebody else creates. */
function addOther(simulator: Simulator, resourceId: string): void {
	const [first] = campaigns(simulator);
	if (first) campaigns(simulator).push({ ...first, resourceId, name: NAME, instanceGroups: [] } satisfies Campaign);
}

/** Does something when a creation has landed, before it is answered. */
const whenCreated = (simulator: Simulator, act: () => void) =>
	g.standIn.setOptions({
		transformEnvelope: (envelope, request) => {
			if (request.route === getLaunchKeys(simulator).create) act();
			return envelope;
		},
	});

const fault = (route: string, kind: FaultKind) => g.standIn.addFault({ route, kind, times: Infinity });

describe.each(SIMULATORS)('%s', (simulator) => {
	const keys = getLaunchKeys(simulator);
	const Thing = NODE_FOLDERS[simulator].replace('Campaign', ' Campaign');

	test.each(['id', 'map', 'page'] as const)(
		'answered with %s: one campaign, started once',
		async (createdCampaigns) => {
			g.standIn.setOptions({ createdCampaignFormat: createdCampaigns });
			// Of that name and there before, and of a name that only begins so.
			addOther(simulator, 'older');
			const { items } = await run(simulator);
			const [older, [id = '', runs] = []] = there(simulator);
			expect(items.map(({ json }) => json)).toEqual([
				expect.objectContaining({ resourceId: id, name: NAME, started: true }),
			]);
			expect([older, runs]).toEqual([['older', 0], 1]);
			expect(sent(simulator)).toEqual([1, 1]);
		},
	);

	test('two of that name are new at once: none is started, and both IDs are told', async () => {
		g.standIn.setOptions({ createdCampaignFormat: 'map' });
		whenCreated(simulator, () => addOther(simulator, 'another'));
		const error = await failure(simulator);
		const ids = there(simulator).map(([id]) => id);
		expect(ids).toHaveLength(2);
		for (const id of ids) expect(error.message).toContain(id);
		expect(error.message).toContain('the service did not return its ID');
		expect(error.description).toContain(`start it with the operation 'Start ${Thing}'`);
		expect(there(simulator).map(([, runs]) => runs)).toEqual([0, 0]);
		expect(sent(simulator)).toEqual([1, 0]);
	});

	test('the start is refused: one campaign, whose ID is in the error, and Start takes it', async () => {
		fault(keys.start, 'forbidden-company');
		const error = await failure(simulator);
		const [[id = ''] = []] = there(simulator);
		expect(error.message).toContain(`the campaign was created with the ID '${id}', but access was refused (403)`);
		expect(error.description).toContain(
			`Start it with the operation 'Start ${Thing}'; running this one again would create another.`,
		);
		expect(there(simulator)).toEqual([[id, 0]]);
		expect(sent(simulator)).toEqual([1, 1]);
		g.standIn.clearFaults();
		await run(simulator, { operation: 'start', campaign: id, additionalFields: {} });
		expect(there(simulator)).toEqual([[id, 1]]);
	});

	test.each(['reset-after', 'truncate', 'stall-body'] as const)(
		'the answer to the creation is lost (%s): one campaign, started once',
		async (kind) => {
			fault(keys.create, kind);
			const { items } = await run(simulator, { options: { timeout: 1 } });
			const [[id = ''] = []] = there(simulator);
			expect(items.map(({ json }) => json.resourceId)).toEqual([id]);
			expect(there(simulator)).toEqual([[id, 1]]);
			expect(sent(simulator)).toEqual([1, 1]);
		},
	);

	test.each(['reset-before', 'status-500'] as const)(
		'the creation is cut before it lands (%s): there is none, nothing is started, and the error says so',
		async (kind) => {
			fault(keys.create, kind);
			const error = await failure(simulator);
			expect(error.message).toContain('no new campaign of that name is there');
			// Only that: the advice of the request that failed would create another campaign.
			expect(error.description).toMatch(
				/^(The service says: [^.]*\. )?If it is in the platform, start it with the operation/,
			);
			expect(there(simulator)).toEqual([]);
			expect(sent(simulator)).toEqual([1, 0]);
		},
	);

	test('the creation is refused: there is none, it is not looked for, and the next run makes one', async () => {
		const error = await failure(simulator, { scenarios: ['ffffffff-0000-4000-8000-ffffffffffff'] });
		expect(error.description).toContain('The scenario is unknown: ffffffff-0000-4000-8000-ffffffffffff.');
		expect(there(simulator)).toEqual([]);
		expect(g.standIn.getRequests(keys.search)).toHaveLength(1);
		await run(simulator);
		expect(there(simulator).map(([, runs]) => runs)).toEqual([1]);
	});

	test('the answer to the start is lost: started once, and the error says to look for its job', async () => {
		fault(keys.start, 'reset-after');
		const error = await failure(simulator);
		const [[id = ''] = []] = there(simulator);
		expect(error.message).toContain(id);
		expect(error.description).toContain('If it has no job, start it with the operation');
		expect(there(simulator)).toEqual([[id, 1]]);
		expect(sent(simulator)).toEqual([1, 1]);
	});

	test('the time zone of each user is sent to what takes it (deployment beyond, "Campaigns")', async () => {
		const { additionalFields } = prepareNewCampaign(g.customer, simulator).parameters;
		const asked = { ...Object(additionalFields), useTargetUserTimeZone: true };
		await run(simulator, { additionalFields: asked });
		const has = (key: string) =>
			g.standIn.getRequests(key).map((request) => parseBody(request).useTargetUserTimeZone === true);
		expect([has(keys.create), has(keys.start)]).toEqual([[simulator === 'smishing'], [true]]);
		const { fields: form } = g.getOperation(NODE_FOLDERS[simulator], 'create');
		expect('useTargetUserTimeZone' in (form.additionalFields?.innerFields ?? {})).toBe(simulator === 'smishing');
	});

	test('the campaigns cannot be listed: nothing is created', async () => {
		fault(keys.search, 'forbidden-company');
		await failure(simulator);
		expect(there(simulator)).toEqual([]);
		expect(sent(simulator)).toEqual([0, 0]);
	});

	test('they cannot be listed any more after the answer without an ID: one campaign, not started', async () => {
		g.standIn.setOptions({ createdCampaignFormat: 'page' });
		whenCreated(simulator, () => fault(keys.search, 'forbidden-company'));
		const error = await failure(simulator);
		expect(error.message).toContain('its campaigns could not be listed: access was refused (403)');
		expect(there(simulator).map(([, runs]) => runs)).toEqual([0]);
		expect(sent(simulator)).toEqual([1, 0]);
	});

	test.each([
		['scenarios', "'Scenario Names or IDs' must name at least one scenario"],
		['targetGroups', "'Target Group Names or IDs' must name at least one target group"],
	])('without %s nothing is asked', async (field, message) => {
		g.standIn.clearLog();
		expect((await failure(simulator, { [field]: '={{ [] }}' })).message).toBe(message);
		expect(g.requests).toEqual([]);
	});

	test.each<[field: string, entered: IDataObject]>([
		['Start Date', { scheduledDate: '={{ $json.missing }}' }],
		['Time Zone', { scheduledDateTimeZoneId: toIdLocator('={{ $json.missing }}') }],
		['Time Zone', { scheduledDateTimeZoneId: toIdLocator('Berlin') }],
	])('%s of another schedule than Now is asked for before anything is sent: %j', async (field, entered) => {
		const campaign = toIdLocator(campaigns(simulator)[0]?.resourceId ?? '');
		for (const operation of ['create', 'start']) {
			g.standIn.clearLog();
			const parameters = { operation, campaign, additionalFields: {}, ...SCHEDULED_START.parameters };
			expect((await failure(simulator, { ...parameters, ...entered })).message).toContain(`'${field}' must `);
			expect(g.requests).toEqual([]);
			await run(simulator, { ...parameters, ...entered, schedule: toIdLocator('1') });
			expect(
				parseBody(requireValue(g.standIn.getRequests(keys[operation === 'create' ? 'create' : 'start']).at(-1))),
			).not.toHaveProperty('scheduledDate');
		}
	});

	test('each run creates another', async () => {
		await run(simulator);
		await run(simulator);
		expect(there(simulator).map(([, runs]) => runs)).toEqual([1, 1]);
	});

	test('only created: with its ID whatever the answer is, and not started', async () => {
		g.standIn.setOptions({ createdCampaignFormat: 'page' });
		const { items } = await run(simulator, { operation: 'create' });
		const [[id = ''] = []] = there(simulator);
		const { companyName, companyResourceId } = g.customer.company;
		expect(items.map(({ json }) => json)).toEqual([{ companyName, companyResourceId, resourceId: id, name: NAME }]);
		expect(there(simulator)).toEqual([[id, 0]]);
		expect(sent(simulator)).toEqual([1, 0]);
	});

	test('a platform without these operations says so', async () => {
		g.standIn.setOptions({ hasExtraRoutes: false });
		const error = await failure(simulator).finally(() => g.standIn.setOptions({ hasExtraRoutes: true }));
		expect(error.message).toContain('this platform does not offer the operation (404)');
	});
});
