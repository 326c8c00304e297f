/** Tests of a simulation's form: which fields depend on 'Schedule', and who gets the messages. */
import { NodeHelpers, type IDataObject } from 'n8n-workflow';
import { NODE_FOLDERS } from '../cases/campaigns';
import { toIdLocator } from '../cases';
import { SCHEDULED_START, getLaunchKeys, prepareNewCampaign } from '../cases/launch';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { catchNodeError, parseBody, requireValue } from '../n8n-core/nodeFixture';
import { SIMULATORS, type Simulator } from '../stand-in/profile';

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

const getCampaigns = (simulator: Simulator) => fixture.customer.companyData.getCampaigns(simulator);

const run = async (simulator: Simulator, parameters: IDataObject) =>
	runNode({
		node: fixture.getNode(NODE_FOLDERS[simulator]),
		parameters: { ...prepareNewCampaign(fixture.customer, simulator).parameters, ...parameters },
		credential: fixture.credential,
	});

/** The ways to choose the schedule 'Now' without selecting it from the list. */
const NOW_WITHOUT_LIST: Array<[way: string, schedule: IDataObject | string]> = [
	['by name', { __rl: true, mode: 'name', value: 'now' }],
	['as an expression with the name', "={{ 'Now' }}"],
	['as an expression with the number', { __rl: true, mode: 'list', value: '={{ 1 }}' }],
];

describe.each(SIMULATORS)('%s', (simulator) => {
	const launchKeys = getLaunchKeys(simulator);

	test.each(NOW_WITHOUT_LIST)(
		'Start with the schedule Now %s sends at once, without a start date',
		async (_way, schedule) => {
			const campaign = toIdLocator(getCampaigns(simulator)[0]?.resourceId ?? '');
			const parameters = { operation: 'start', campaign, additionalFields: {}, schedule };
			const { items } = await run(simulator, { ...parameters, scheduledDate: '' });
			expect(items[0]?.json).toMatchObject({ result: 'started' });
			const body = parseBody(requireValue(fixture.standIn.getRequests(launchKeys.start).at(-1)));
			expect(body).toMatchObject({ scheduleTypeId: 1 });
			expect(body).not.toHaveProperty('scheduledDate');
			// An expression that has no date for this item counts as an empty field.
			await run(simulator, { ...parameters, scheduledDate: '={{ $json.missing }}' });
		},
	);

	test("Start sends at once, without a start date, if the entered schedule is the platform's name of the type 1", async () => {
		const route = `GET /api/${simulator}-simulator/${simulator}-campaign/form-details`;
		const renameNow = (envelope: unknown): unknown =>
			JSON.parse(JSON.stringify(envelope).replace('"Now"', '"Immediately"'));
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, request) => (request.route === route ? renameNow(envelope) : envelope),
		});
		const campaign = toIdLocator(getCampaigns(simulator)[0]?.resourceId ?? '');
		const startWithSchedule = (name: string) =>
			run(simulator, {
				operation: 'start',
				campaign,
				schedule: { __rl: true, mode: 'name', value: name },
				scheduledDate: '',
			});
		const { items } = await startWithSchedule('immediately');
		expect(items[0]?.json).toMatchObject({ result: 'started' });
		const error = await catchNodeError(startWithSchedule('Later'));
		expect(error.message).toBe("'Start Date' must not be empty");
		expect(fixture.standIn.getRequests(launchKeys.start)).toHaveLength(1);
	});

	test.each(NOW_WITHOUT_LIST)(
		'with the schedule Now %s, a start date is not ignored: nothing is sent',
		async (_way, schedule) => {
			const campaign = toIdLocator(getCampaigns(simulator)[0]?.resourceId ?? '');
			for (const operation of ['create', 'start'] as const) {
				fixture.standIn.clearLog();
				const parameters = { operation, campaign, additionalFields: {}, ...SCHEDULED_START.parameters, schedule };
				const error = await catchNodeError(run(simulator, parameters));
				expect(error.message).toBe("'Start Date' can't be used with the schedule 'Now', which doesn't wait for a date");
				expect(error.description).toBe("Leave 'Start Date' empty, or select another 'Schedule'.");
				expect(fixture.requests).toEqual([]);
			}
		},
	);

	test.each(['={{ [] }}', '={{ "" }}', '={{ [""] }}', '={{ [null, ""] }}', '={{ $json.missing }}'])(
		'Start sends nothing if the expression for the target groups found none, as in %s',
		async (targetGroups) => {
			const campaign = toIdLocator(getCampaigns(simulator)[0]?.resourceId ?? '');
			fixture.standIn.clearLog();
			const error = await catchNodeError(run(simulator, { operation: 'start', campaign, targetGroups }));
			expect(error.message).toBe("'Target Group Names or IDs' must have a value, but has none");
			expect(error.description).toContain('remove the field or its expression');
			expect(fixture.requests).toEqual([]);
		},
	);

	test('Start without target groups sends to the groups that the campaign was created with', async () => {
		const campaign = toIdLocator(getCampaigns(simulator)[0]?.resourceId ?? '');
		await run(simulator, { operation: 'start', campaign, targetGroups: [], additionalFields: {} });
		const body = parseBody(requireValue(fixture.standIn.getRequests(launchKeys.start).at(-1)));
		expect(body).not.toHaveProperty('targetGroupResourceIds');
	});

	test.each<[operation: string, schedule: string, scheduledDate: string, shownFields: string[]]>([
		['create', '1', '', []],
		['create', '2', '', ['scheduledDate']],
		['create', '2', '2031-03-01T09:00:00', ['scheduledDate', 'scheduledDateTimeZoneId']],
		['start', '1', '', []],
		['start', '2', '', ['scheduledDate', 'scheduledDateTimeZoneId']],
	])(
		'%s with the schedule %s and the start date "%s" only asks for %j',
		(operation, schedule, scheduledDate, shownFields) => {
			const { description } = fixture.getNode(NODE_FOLDERS[simulator]);
			const parameters = { resource: 'campaign', operation, schedule: toIdLocator(schedule), scheduledDate };
			const shownProperties = description.properties.filter(
				(property) =>
					property.name.startsWith('scheduledDate') &&
					NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, description),
			);
			expect(shownProperties.map(({ name }) => name)).toEqual(shownFields);
		},
	);
});
