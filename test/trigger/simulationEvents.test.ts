/**
 * Tests the Person Event Trigger on a platform without the list of events. There it reads the rows of people in campaign
 * jobs, which show only the last action of each kind (deployment shapes, "Campaign reports").
 */
import type { IDataObject } from 'n8n-workflow';
import { startStandIn } from '../stand-in';
import { JOB_PEOPLE_ROUTE, TIMELINE_ROUTE } from './eventPlatform';
import { ActiveTrigger, createPersonEventTrigger, DAY, HOUR, PollingFixture } from './pollingFixture';
import { addActivity, getPerson, sendCampaign } from './simulationActivities';
import { JOBS_ROUTE } from './triggerFixture';

const ACTION_TYPES_ROUTE = 'GET /api/leaderboard/form-details';

let fixture: PollingFixture;
beforeAll(async () => {
	fixture = new PollingFixture(await startStandIn({ companyCount: 4, profile: 'deployed' }));
});
beforeEach(() => {
	fixture.clear();
	fixture.standIn.setOptions({ transformEnvelope: undefined, missingRoutes: [TIMELINE_ROUTE] });
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => fixture.standIn.close());

const createTrigger = (parameters: IDataObject = {}, options: IDataObject = {}) =>
	new ActiveTrigger(
		createPersonEventTrigger(),
		{ companyScope: 'every', ...parameters, options: { readEachCompanyEvery: 0, ...options } },
		fixture.standIn,
	);

const listActions = (items: IDataObject[] | null) =>
	(items ?? []).map(({ email, ActionType }) => `${String(email)} ${String(ActionType)}`).sort();
const catchMessage = async (trigger: ActiveTrigger, mode: 'manual' | 'trigger' = 'trigger') =>
	trigger.poll(mode).then(
		() => 'no error',
		(error: unknown) => String(error),
	);

test('an action is one item with the fields of an event; actions before the first poll are not emitted', async () => {
	const people = sendCampaign(fixture, 2);
	addActivity(fixture, people, 0, 'clicked');
	const trigger = createTrigger();
	expect(await trigger.poll()).toBeNull();
	expect(trigger.log.join()).toContain("The platform doesn't list events of people (404)");
	fixture.advanceTime(HOUR);
	addActivity(fixture, people, 1, 'clicked');
	const { user, resourceId } = getPerson(people, 1);
	const items = await trigger.poll();
	expect(items).toEqual([
		{
			kind: 'personEvent',
			companyResourceId: fixture.getCompany(2).id,
			companyName: fixture.getCompany(2).name,
			email: user.email,
			firstName: user.firstName,
			lastName: user.lastName,
			department: user.department,
			targetUserResourceId: null,
			personResourceId: resourceId,
			ActionType: 'Clicked',
			ActionTime: new Date(fixture.now).toISOString(),
			name: expect.stringMatching(/^Record/) as string,
			productType: 'Phishing',
			activityType: 'Human Activity',
			resourceId: expect.stringMatching(/^record/) as string,
			jobId: `${String(items?.[0]?.resourceId)}/1`,
			result: null,
			points: null,
			campaignType: null,
			difficultyType: null,
		},
	]);
	expect(await trigger.poll()).toBeNull();
	fixture.advanceTime(5 * DAY);
	expect(await trigger.poll()).toBeNull();
});

test('each kind of action of each simulator is one item, if its rows have a time', async () => {
	const peopleBySimulator = (['phishing', 'smishing', 'quishing'] as const).map((simulator) =>
		sendCampaign(fixture, 1, { simulator }),
	);
	const trigger = createTrigger();
	await trigger.poll();
	for (const people of peopleBySimulator)
		for (const action of ['opened', 'clicked', 'submitted', 'reported'] as const)
			addActivity(fixture, people, 0, action);
	const items = await trigger.poll();
	expect(items?.map(({ productType, ActionType }) => `${String(productType)} ${String(ActionType)}`).sort()).toEqual([
		'Phishing Clicked',
		'Phishing Opened',
		'Phishing Reported',
		'Phishing Submitted',
		'Quishing Clicked',
		'Quishing Opened',
		'Quishing Reported',
		'Quishing Submitted',
		'Smishing Clicked',
		'Smishing Submitted',
	]);
	expect(await trigger.poll()).toBeNull();
});

test('two clicks between two polls are one event, a later click is another one', async () => {
	const people = sendCampaign(fixture, 0);
	const trigger = createTrigger();
	await trigger.poll();
	addActivity(fixture, people, 0, 'clicked');
	fixture.advanceTime(HOUR / 2);
	addActivity(fixture, people, 0, 'clicked');
	expect(await trigger.poll()).toHaveLength(1);
	fixture.advanceTime(HOUR);
	addActivity(fixture, people, 0, 'clicked');
	expect((await trigger.poll())?.map(({ ActionTime }) => ActionTime)).toEqual([new Date(fixture.now).toISOString()]);
	// The platform recognizes the last click as that of a bot and shows the earlier one again.
	const person = getPerson(people, 0);
	person.activities = { ...person.activities, clicked: person.activities.clicked.slice(0, 2) };
	fixture.advanceTime(HOUR);
	expect(await trigger.poll()).toBeNull();
});

describe('bots', () => {
	test('are left out, and an action is emitted once its row is marked as that of a human', async () => {
		const people = sendCampaign(fixture, 0);
		const trigger = createTrigger();
		await trigger.poll();
		addActivity(fixture, people, 0, 'clicked', { isBot: true });
		addActivity(fixture, people, 1, 'clicked');
		expect(listActions(await trigger.poll())).toEqual([`${getPerson(people, 1).user.email} Clicked`]);
		const bot = getPerson(people, 0);
		bot.activities = {
			...bot.activities,
			clicked: bot.activities.clicked.map((click) => ({ ...click, isBot: false })),
		};
		fixture.advanceTime(HOUR);
		expect(listActions(await trigger.poll())).toEqual([`${bot.user.email} Clicked`]);
		expect(await trigger.poll()).toBeNull();
	});

	test('without marks of bots: clicks are not emitted, and the log says so; reports are emitted', async () => {
		const people = sendCampaign(fixture, 0);
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) =>
				route === JOB_PEOPLE_ROUTE
					? (JSON.parse(JSON.stringify(envelope).replace(/"(?:system)?[aA]ctivityType":"[^"]*",?/g, '')) as unknown)
					: envelope,
		});
		const trigger = createTrigger();
		await trigger.poll();
		addActivity(fixture, people, 0, 'clicked');
		addActivity(fixture, people, 0, 'reported');
		expect(listActions(await trigger.poll())).toEqual([`${getPerson(people, 0).user.email} Reported`]);
		fixture.advanceTime(3 * DAY);
		await trigger.poll();
		fixture.advanceTime(3 * DAY);
		await trigger.poll();
		expect(trigger.log.join()).toContain('does not emit 1 event, because no list of results confirmed them');
	});

	test('Include Unconfirmed: all actions are emitted', async () => {
		const people = sendCampaign(fixture, 0);
		const trigger = createTrigger({}, { includeUnconfirmed: true });
		await trigger.poll();
		addActivity(fixture, people, 0, 'clicked', { isBot: true });
		addActivity(fixture, people, 0, 'reported');
		const items = (await trigger.poll()) ?? [];
		const email = getPerson(people, 0).user.email;
		expect(listActions(items)).toEqual([`${email} Clicked`, `${email} Reported`]);
		expect(items.map(({ activityType }) => activityType)).toEqual(['Bot Activity', null]);
	});
});

test('actions in tests, and in simulations that started more than 30 days earlier, are not emitted', async () => {
	const test = sendCampaign(fixture, 0, { isTest: true });
	const old = sendCampaign(fixture, 1, { ageMs: 33 * DAY });
	const recent = sendCampaign(fixture, 2, { ageMs: 29 * DAY });
	const trigger = createTrigger();
	await trigger.poll();
	for (const people of [test, old, recent]) addActivity(fixture, people, 0, 'clicked');
	const items = await trigger.poll();
	expect(items?.map(({ companyResourceId }) => companyResourceId)).toEqual([fixture.getCompany(2).id]);
});

describe('Watch Names or IDs', () => {
	test('selects the actions, and only their lists are read', async () => {
		const people = sendCampaign(fixture, 0);
		const trigger = createTrigger({ actionTypes: ['Link Clicked ⟨ID LinkClicked⟩', 'Reported'] });
		await trigger.poll();
		for (const action of ['opened', 'clicked', 'submitted', 'reported'] as const)
			addActivity(fixture, people, 0, action);
		fixture.standIn.clearLog();
		expect((await trigger.poll())?.map(({ ActionType }) => ActionType).sort()).toEqual(['Clicked', 'Reported']);
		const searchTypes = fixture.standIn.getRequests(JOB_PEOPLE_ROUTE).map(({ path }) => path.split('/').at(-4));
		expect(searchTypes.sort()).toEqual(['Clicked', 'Reported']);
	});

	test.each(['LinkClicked', 'Clicked', 'clicked', 'QrCodeScanned'])(
		'without a list of action types: %s',
		async (actionType) => {
			fixture.standIn.setOptions({ missingRoutes: [TIMELINE_ROUTE, ACTION_TYPES_ROUTE] });
			const people = sendCampaign(fixture, 0);
			const trigger = createTrigger({ actionTypes: [actionType] });
			await trigger.poll();
			addActivity(fixture, people, 0, 'clicked');
			addActivity(fixture, people, 0, 'reported');
			expect((await trigger.poll())?.map(({ ActionType }) => ActionType)).toEqual(['Clicked']);
		},
	);

	test.each(['trigger', 'manual'] as const)(
		'events that the rows do not show are an error that names them (%s)',
		async (mode) => {
			const trigger = createTrigger({ actionTypes: ['LinkClicked', 'TrainingCompleted'] });
			const message = await catchMessage(trigger, mode);
			expect(message).toContain("'Watch Names or IDs' has 'Training Completed', but");
			expect(message).toContain("doesn't list events of people (404)");
			expect(trigger.storedMemory).toBeUndefined();
		},
	);

	test('an opened attachment is not an opened message', async () => {
		fixture.standIn.setOptions({ missingRoutes: [TIMELINE_ROUTE, ACTION_TYPES_ROUTE] });
		const message = await catchMessage(createTrigger({ actionTypes: ['EmailOpened', 'AttachmentOpened'] }));
		expect(message).toContain("'Watch Names or IDs' has 'AttachmentOpened', but");
		expect(message).toContain("Remove these events from 'Watch Names or IDs'.");
	});
});

describe('which source is used', () => {
	test('the first poll decides; a later 404 of the list of events is an error', async () => {
		fixture.standIn.setOptions({ missingRoutes: [] });
		const trigger = createTrigger();
		await trigger.poll();
		fixture.standIn.setOptions({ missingRoutes: [TIMELINE_ROUTE] });
		fixture.advanceTime(HOUR);
		expect(await catchMessage(trigger)).toContain('404');
		const event = fixture.createEvent(0);
		fixture.standIn.setOptions({ missingRoutes: [] });
		fixture.advanceTime(HOUR);
		expect((await trigger.poll())?.map(({ ActionTime }) => ActionTime)).toEqual([event.actionTime]);
	});

	test('the trigger keeps reading rows if the platform has the list of events later, also after a restart', async () => {
		const people = sendCampaign(fixture, 0);
		const trigger = createTrigger();
		await trigger.poll();
		addActivity(fixture, people, 0, 'clicked');
		expect(await trigger.poll()).toHaveLength(1);
		fixture.standIn.setOptions({ missingRoutes: [] });
		trigger.restart();
		fixture.standIn.clearLog();
		fixture.advanceTime(HOUR);
		expect(await trigger.poll()).toBeNull();
		expect(fixture.standIn.getRequests(TIMELINE_ROUTE)).toEqual([]);
	});

	test('a 404 for one customer does not change the source if another customer can be read', async () => {
		fixture.standIn.setOptions({ missingRoutes: [] });
		fixture.standIn.addFault({
			times: Infinity,
			route: TIMELINE_ROUTE,
			kind: 'status',
			status: 404,
			companyId: fixture.getCompany(1).id,
		});
		expect(await createTrigger().poll()).toBeNull();
		expect(fixture.standIn.getRequests(JOBS_ROUTE)).toEqual([]);
	});

	test('if the rows cannot be read either, the first poll fails, and the next one tries both again', async () => {
		fixture.standIn.addFault({ times: Infinity, route: JOBS_ROUTE, kind: 'status-500' });
		const trigger = createTrigger();
		expect(await catchMessage(trigger)).toContain('500');
		expect(trigger.storedMemory).toBeUndefined();
		fixture.standIn.clearFaults();
		fixture.standIn.setOptions({ missingRoutes: [TIMELINE_ROUTE, JOBS_ROUTE] });
		expect(await catchMessage(trigger)).toContain('404');
		fixture.standIn.setOptions({ missingRoutes: [] });
		expect(await trigger.poll()).toBeNull();
		const event = fixture.createEvent(0);
		fixture.advanceTime(HOUR);
		expect((await trigger.poll())?.map(({ ActionTime }) => ActionTime)).toEqual([event.actionTime]);
	});
});

test('a customer whose jobs fail for ten days catches up', async () => {
	const people = sendCampaign(fixture, 1);
	const trigger = createTrigger();
	await trigger.poll();
	fixture.standIn.addFault({
		times: Infinity,
		route: JOB_PEOPLE_ROUTE,
		kind: 'status-500',
		companyId: fixture.getCompany(1).id,
	});
	addActivity(fixture, people, 0, 'clicked');
	for (let day = 0; day < 10; day++) {
		fixture.advanceTime(DAY);
		expect(await trigger.poll()).toBeNull();
	}
	expect(trigger.log.join()).toContain(fixture.getCompany(1).name);
	fixture.standIn.clearFaults();
	expect(listActions(await trigger.poll())).toEqual([`${getPerson(people, 0).user.email} Clicked`]);
	expect(await trigger.poll()).toBeNull();
});

test('of a customer that failed in the first poll, only later actions are emitted', async () => {
	const people = sendCampaign(fixture, 1);
	addActivity(fixture, people, 0, 'clicked', { ageMs: HOUR });
	fixture.standIn.addFault({
		times: Infinity,
		route: JOB_PEOPLE_ROUTE,
		kind: 'status-500',
		companyId: fixture.getCompany(1).id,
	});
	const trigger = createTrigger();
	await trigger.poll();
	fixture.standIn.clearFaults();
	fixture.advanceTime(HOUR);
	addActivity(fixture, people, 1, 'clicked');
	expect(listActions(await trigger.poll())).toEqual([`${getPerson(people, 1).user.email} Clicked`]);
});

test('Fetch Test Event shows the newest actions', async () => {
	const people = sendCampaign(fixture, 3);
	for (const index of [0, 1, 2]) addActivity(fixture, people, index, 'clicked', { ageMs: index * HOUR });
	const items = await createTrigger().poll('manual');
	expect(items?.map(({ email }) => email)).toEqual([0, 1, 2].map((index) => getPerson(people, index).user.email));
});

test('a poll sends three requests for each customer, one for each recent job and action, and one for each job with new actions', async () => {
	const people = sendCampaign(fixture, 0);
	sendCampaign(fixture, 0, { simulator: 'quishing' });
	sendCampaign(fixture, 0, { ageMs: 40 * DAY });
	sendCampaign(fixture, 1);
	const trigger = createTrigger();
	await trigger.poll();
	fixture.advanceTime(HOUR);
	addActivity(fixture, people, 0, 'clicked');
	fixture.standIn.clearLog();
	await trigger.poll();
	const companyRequests = fixture.standIn.log.filter(({ companyId }) => companyId !== undefined);
	// Four customers have three lists of jobs each. Three recent jobs have four actions each.
	expect(companyRequests).toHaveLength(4 * 3 + 3 * 4 + 1);
});
