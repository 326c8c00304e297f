/** Tests the field 'Watch Names or IDs' of the Person Event Trigger: how the user enters action types, and which events they select. */
import type { IDataObject } from 'n8n-workflow';
import { startStandIn } from '../stand-in';
import { isRecord } from '../../nodes/core/values';
import { EventPlatform, TIMELINE_ROUTE } from './eventPlatform';
import { ActiveTrigger, createPersonEventTrigger, DAY, HOUR, PollingFixture } from './pollingFixture';

const ACTION_TYPES_ROUTE = 'GET /api/leaderboard/form-details';

let fixture: PollingFixture;
beforeAll(async () => {
	fixture = new PollingFixture(await startStandIn({ companyCount: 4, profile: 'deployed' }));
});
beforeEach(() => {
	fixture.clear();
	fixture.standIn.setOptions({ transformEnvelope: undefined, hasExtraRoutes: true, missingRoutes: [] });
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => fixture.standIn.close());

const createTrigger = (actionTypes: unknown, parameters: IDataObject = {}) =>
	new ActiveTrigger(
		createPersonEventTrigger(),
		{
			companyScope: 'every',
			actionTypes: actionTypes as string[],
			...parameters,
			options: { readEachCompanyEvery: 0, includeUnconfirmed: true },
		},
		fixture.standIn,
	);

const addEvents = (...actionTypes: string[]) =>
	actionTypes.forEach((actionType, index) => fixture.createEvent(index, 0, { actionType }));
const listActionTypes = (items: IDataObject[] | null) => (items ?? []).map(({ ActionType }) => ActionType).sort();

const splitWords = (actionType: string) => actionType.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/**
 * Makes the platform ignore the action types of requests and give every event the word that `getWord` returns.
 * @param listedTypes the action types that the platform lists instead of its own
 */
function ignoreActionTypes(getWord = (actionType: string) => actionType, listedTypes?: IDataObject[]): void {
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route, companyId }) => {
			if (!isRecord(envelope) || !isRecord(envelope.data)) return envelope;
			if (route === ACTION_TYPES_ROUTE && listedTypes)
				return { ...envelope, data: { ...envelope.data, gamificationActionTypes: listedTypes } };
			if (route !== TIMELINE_ROUTE) return envelope;
			const { personEvents } = fixture.standIn.world.getCompanyData(companyId ?? '');
			const timeline = personEvents.map(({ actionType, actionTime }) => ({
				resourceId: 'campaign-1',
				ActionType: getWord(actionType),
				ActionTime: actionTime,
			}));
			const user = { targetUserResourceId: 'person', timeline, timelineTotalCount: timeline.length };
			return { ...envelope, data: { users: [user], totalUserCount: 1 } };
		},
	});
}

describe.each([
	['an entry of the list', ['Link Clicked ⟨ID LinkClicked⟩']],
	['the name of an action type', ['Link Clicked']],
	['the name in small letters', 'link clicked'],
	['the ID of an action type', ['LinkClicked']],
])('Watch with %s', (_kind, actionTypes) => {
	test.each([{ companyScope: 'every' }, { companyScope: 'one' }])(
		'gives the events of $companyScope',
		async (scope) => {
			const company = { __rl: true, mode: 'id', value: fixture.getCompany(0).id };
			const trigger = createTrigger(actionTypes, { ...scope, company });
			await trigger.poll();
			addEvents('LinkClicked', 'Reported');
			expect(listActionTypes(await trigger.poll())).toEqual(['LinkClicked']);
			expect(listActionTypes(await trigger.poll('manual'))).toEqual(['LinkClicked']);
			expect(fixture.standIn.getRequests(TIMELINE_ROUTE).at(-1)?.body).toMatchObject({ actionTypes: ['LinkClicked'] });
		},
	);
});

test('an action type that the platform does not list is an error that names the choices, before publishing too', async () => {
	const trigger = createTrigger(['Nonsense']);
	for (const mode of ['manual', 'trigger'] as const)
		await expect(trigger.poll(mode)).rejects.toMatchObject({
			message: expect.stringContaining(
				"'Watch Names or IDs' has 'Nonsense', but no action type has that name",
			) as string,
		});
	const error: unknown = await trigger.poll('manual').catch((pollError: unknown) => pollError);
	expect(error).toMatchObject({ description: expect.stringContaining('Link Clicked') as string });
	expect(fixture.standIn.getRequests(TIMELINE_ROUTE)).toEqual([]);
});

test('on a platform without a list of action types, IDs are sent as they are', async () => {
	fixture.standIn.addFault({ times: Infinity, route: ACTION_TYPES_ROUTE, kind: 'forbidden-company' });
	const trigger = createTrigger(['LinkClicked']);
	await trigger.poll();
	addEvents('LinkClicked', 'Reported');
	expect(listActionTypes(await trigger.poll())).toEqual(['LinkClicked']);
});

describe('the words of a platform without the list of events', () => {
	const jobsRoute = 'POST /api/phishing-simulator/phishing-campaign-job-report/search';

	test.each([['Clicked'], ['clicked'], [['CLICKED', 'reported']], ['Opened, Submitted']])(
		'%j is accepted there although the list of action types lacks it',
		async (actionTypes) => {
			fixture.standIn.setOptions({ missingRoutes: [TIMELINE_ROUTE] });
			const trigger = createTrigger(actionTypes);
			expect(await trigger.poll()).toBeNull();
			expect(fixture.standIn.getRequests(jobsRoute)).toHaveLength(4);
		},
	);

	test.each([{ rejects: false }, { rejects: true }])(
		'Clicked is an error on a platform with the list of events (the platform rejects it: $rejects)',
		async ({ rejects }) => {
			if (rejects) fixture.standIn.addFault({ times: Infinity, route: TIMELINE_ROUTE, kind: 'status', status: 400 });
			for (const mode of ['manual', 'trigger'] as const)
				await expect(createTrigger(['Clicked']).poll(mode)).rejects.toThrow(
					"'Watch Names or IDs' has 'Clicked', but no action type has that name",
				);
		},
	);

	test('are named by the error, if the platform has no list of action types', async () => {
		fixture.standIn.setOptions({ missingRoutes: [TIMELINE_ROUTE, ACTION_TYPES_ROUTE] });
		await expect(createTrigger(['Training Completed']).poll('manual')).rejects.toMatchObject({
			description: 'Enter Opened, Clicked, Submitted, Reported, or an ID.',
		});
		fixture.standIn.setOptions({ missingRoutes: [TIMELINE_ROUTE] });
		fixture.standIn.addFault({ times: Infinity, route: ACTION_TYPES_ROUTE, kind: 'forbidden-company' });
		await expect(createTrigger(['Training Completed']).poll('manual')).rejects.toMatchObject({
			description: expect.stringContaining('Or enter Opened, Clicked, Submitted, Reported, or an ID.') as string,
		});
	});
});

describe('a platform that ignores the action types of a request', () => {
	test('events of action types that are not watched are left out', async () => {
		ignoreActionTypes();
		const trigger = createTrigger(['Link Clicked ⟨ID LinkClicked⟩']);
		await trigger.poll();
		addEvents('LinkClicked', 'Reported', 'TrainingCompleted');
		expect(listActionTypes(await trigger.poll())).toEqual(['LinkClicked']);
		expect(listActionTypes(await trigger.poll('manual'))).toEqual(['LinkClicked']);
	});

	test('so they are if events have the names of action types; an unknown word is given', async () => {
		ignoreActionTypes(splitWords);
		const trigger = createTrigger(['LinkClicked']);
		await trigger.poll();
		addEvents('LinkClicked', 'TrainingCompleted', 'AttachmentOpened');
		expect(listActionTypes(await trigger.poll())).toEqual(['Attachment Opened', 'Link Clicked']);
	});

	test('an event is given if one of two action types with its name is watched', async () => {
		ignoreActionTypes(splitWords, [
			{ text: 'Link Clicked', value: 'LinkClicked' },
			{ text: 'Link Clicked', value: 'SmsLinkClicked' },
			{ text: 'Reported', value: 'Reported' },
		]);
		for (const watchedId of ['LinkClicked', 'SmsLinkClicked']) {
			const trigger = createTrigger([watchedId]);
			await trigger.poll();
			addEvents('LinkClicked', 'Reported');
			expect(listActionTypes(await trigger.poll())).toEqual(['Link Clicked']);
		}
	});

	test('if the action types cannot be read, the events wait for the next poll', async () => {
		ignoreActionTypes();
		const trigger = createTrigger(['Link Clicked ⟨ID LinkClicked⟩']);
		await trigger.poll();
		for (const actionType of ['LinkClicked', 'Reported']) fixture.createEvent(0, 0, { actionType });
		fixture.standIn.addFault({ times: Infinity, route: ACTION_TYPES_ROUTE, kind: 'status-500' });
		expect(await trigger.poll()).toBeNull();
		expect(trigger.log.join()).toContain(fixture.getCompany(0).name);
		fixture.standIn.clearFaults();
		fixture.advanceTime(HOUR);
		expect(listActionTypes(await trigger.poll())).toEqual(['LinkClicked']);
	});
});

describe('Fetch Test Event', () => {
	test('shows existing events, and changes nothing', async () => {
		const event = fixture.createEvent(3, 2 * DAY);
		const trigger = createTrigger([]);
		expect(await trigger.poll('manual')).toMatchObject([{ ActionTime: event.actionTime, kind: 'personEvent' }]);
		expect(await trigger.poll()).toBeNull();
		fixture.clear();
		await expect(trigger.poll('manual')).rejects.toThrow('There are no events of people in the last 14 days');
	});

	test('shows the five newest events of all customers, the newest first', async () => {
		for (const index of [0, 1, 2, 3])
			for (const days of [10, 6, 2]) fixture.createEvent(index, days * DAY + index * HOUR);
		const items = await createTrigger([]).poll('manual');
		const ages = items?.map(({ ActionTime }) => fixture.now - Date.parse(String(ActionTime)));
		expect(ages).toEqual([2 * DAY, 2 * DAY + HOUR, 2 * DAY + 2 * HOUR, 2 * DAY + 3 * HOUR, 6 * DAY]);
	});

	test('shows an event in the lists of a parent and its child once, as that of the child', async () => {
		const parents = [null, 0, null, null];
		const traits = { parents, shouldListDescendants: true, leadingChildCount: null, selectedCompanies: undefined };
		const platform = new EventPlatform(
			fixture,
			{ ...traits, globalLists: {} },
			{ roundsToDays: false, hasDisplayTimes: false, maxTimelinePageSize: 100 },
		);
		const event = { person: 0, campaign: 0, actionType: 'Reported', isListed: true };
		platform.events.push({ ...event, owner: 1, time: fixture.now }, { ...event, owner: 0, time: fixture.now - HOUR });
		const items = await createTrigger([]).poll('manual');
		expect(items?.map(({ companyResourceId }) => companyResourceId)).toEqual(
			[1, 0].map((index) => platform.getCompanyId(index)),
		);
	});
});
