/**
 * Tests the Person Event Trigger. Other test files in this folder test what all triggers have in common, and
 * eventProperty.test.ts tests random histories.
 */
import type { IDataObject } from 'n8n-workflow';
import { requireValue } from '../n8n-core/nodeFixture';
import { getJobPeople } from '../stand-in/routes/campaign-people';
import { startStandIn } from '../stand-in';
import type { PersonEvent } from '../stand-in/companyData';
import { EventPlatform, JOB_PEOPLE_ROUTE, TIMELINE_ROUTE, type PlatformEvent } from './eventPlatform';
import { ActiveTrigger, createPersonEventTrigger, DAY, HOUR, PollingFixture } from './pollingFixture';

let fixture: PollingFixture;
beforeAll(async () => {
	fixture = new PollingFixture(await startStandIn({ companyCount: 4, profile: 'deployed' }));
});
beforeEach(() => {
	fixture.clear();
	fixture.standIn.setOptions({ transformEnvelope: undefined, hasExtraRoutes: true });
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
const getCompanyData = (index: number) => fixture.standIn.world.getCompanyData(fixture.getCompany(index).id);

const addEvent = (companyIndex: number, fields: Partial<PersonEvent> = {}, ageMs = 0) =>
	fixture.createEvent(companyIndex, ageMs, fields);

const refuse = (companyIndex: number, kind: 'status-500' | 'forbidden-company' = 'status-500') =>
	fixture.standIn.addFault({
		times: Infinity,
		route: TIMELINE_ROUTE,
		kind,
		companyId: fixture.getCompany(companyIndex).id,
	});

describe('every customer', () => {
	test('a new event is one item with its customer and person; existing events and equal polls give nothing', async () => {
		for (const index of [0, 1, 2]) addEvent(index, {}, HOUR);
		const trigger = createTrigger();
		expect(await trigger.poll()).toBeNull();
		fixture.advanceTime(HOUR);
		const event = addEvent(2, { name: 'Phishing basics' });
		expect(await trigger.poll()).toEqual([
			expect.objectContaining({
				kind: 'personEvent',
				companyResourceId: fixture.getCompany(2).id,
				companyName: fixture.getCompany(2).name,
				email: getCompanyData(2).users[0]?.email,
				targetUserResourceId: event.targetUserResourceId,
				ActionType: 'TrainingCompleted',
				ActionTime: event.actionTime,
				name: 'Phishing basics',
				productType: 'Training',
				resourceId: 'training-1',
				points: 100,
			}),
		]);
		expect(await trigger.poll()).toBeNull();
	});

	test('equal events are counted', async () => {
		addEvent(0);
		const trigger = createTrigger();
		await trigger.poll();
		addEvent(0);
		addEvent(0);
		expect(await trigger.poll()).toHaveLength(2);
		expect(await trigger.poll()).toBeNull();
		addEvent(0);
		expect(await trigger.poll()).toHaveLength(1);
	});

	test('the events of a person come oldest first, also if the clock of the platform is ahead', async () => {
		const trigger = createTrigger();
		await trigger.poll();
		fixture.advanceTime(2 * HOUR);
		const [second, last, first] = [HOUR / 2, -HOUR, HOUR].map((ageMs) => addEvent(0, {}, ageMs).actionTime);
		expect((await trigger.poll())?.map(({ ActionTime }) => ActionTime)).toEqual([first, second, last]);
	});

	test('an event that disappears and comes back is given once', async () => {
		const trigger = createTrigger();
		await trigger.poll();
		const event = addEvent(0);
		expect(await trigger.poll()).toHaveLength(1);
		getCompanyData(0).personEvents.length = 0;
		fixture.advanceTime(30 * HOUR);
		expect(await trigger.poll()).toBeNull();
		getCompanyData(0).personEvents.push(event);
		expect(await trigger.poll()).toBeNull();
	});

	test('a customer that failed for ten days catches up', async () => {
		const trigger = createTrigger();
		await trigger.poll();
		refuse(1);
		const events: PersonEvent[] = [];
		for (let day = 0; day < 10; day++) {
			events.push(addEvent(1));
			fixture.advanceTime(DAY);
			await trigger.poll();
		}
		expect(trigger.log.join()).toContain(fixture.getCompany(1).name);
		fixture.standIn.clearFaults();
		const items = await trigger.poll();
		expect(items?.map(({ ActionTime }) => ActionTime).sort()).toEqual(
			events.map(({ actionTime }) => actionTime).sort(),
		);
		expect(await trigger.poll()).toBeNull();
	});

	test('a customer that failed in the first poll gives only the events since then', async () => {
		addEvent(1, {}, HOUR);
		refuse(1);
		const trigger = createTrigger();
		await trigger.poll();
		fixture.standIn.clearFaults();
		fixture.advanceTime(HOUR);
		const event = addEvent(1);
		expect((await trigger.poll())?.map(({ ActionTime }) => ActionTime)).toEqual([event.actionTime]);
	});

	test('after a restart of n8n, nothing is given again', async () => {
		addEvent(0, {}, HOUR);
		const trigger = createTrigger();
		await trigger.poll();
		addEvent(0);
		expect(await trigger.poll()).toHaveLength(1);
		await trigger.poll();
		trigger.restart();
		expect(await trigger.poll()).toBeNull();
	});

	test('by default, each customer is read once an hour, with one request for 100 people', async () => {
		const trigger = createTrigger({}, { readEachCompanyEvery: undefined });
		await trigger.poll();
		fixture.standIn.clearLog();
		fixture.advanceTime(15 * 60_000);
		await trigger.poll();
		expect(fixture.standIn.getRequests(TIMELINE_ROUTE)).toHaveLength(0);
		fixture.advanceTime(45 * 60_000);
		await trigger.poll();
		const requests = fixture.standIn.getRequests(TIMELINE_ROUTE);
		expect(requests.map(({ companyId }) => companyId).sort()).toEqual(
			[0, 1, 2, 3].map((index) => fixture.getCompany(index).id).sort(),
		);
		expect(requests[0]?.body).toMatchObject({
			startDate: new Date(fixture.now - HOUR - 2 * DAY).toISOString(),
			includeTimeline: true,
			userPagination: { pageNumber: 1, pageSize: 100 },
		});
	});

	test('Watch is sent, and another choice starts over', async () => {
		const trigger = createTrigger({ actionTypes: ['Reported'] });
		await trigger.poll();
		addEvent(0);
		const event = addEvent(1, { actionType: 'Reported' });
		expect((await trigger.poll())?.map(({ ActionTime }) => ActionTime)).toEqual([event.actionTime]);
		trigger.parameters.actionTypes = [];
		expect(await trigger.poll()).toBeNull();
		expect(trigger.log.join()).toContain('has changed (Watch Names or IDs)');
	});
});

describe('opens, clicks and submissions', () => {
	/** Creates a campaign that was sent now to all people of a company. */
	function sendCampaign(companyIndex: number) {
		const companyData = getCompanyData(companyIndex);
		const campaignId = fixture.createRecord('phishing', companyIndex, DAY);
		const campaign = requireValue(
			companyData.getCampaigns('phishing').find(({ resourceId }) => resourceId === campaignId),
		);
		campaign.userResourceIds = companyData.users.map(({ resourceId }) => resourceId);
		return getJobPeople(fixture.standIn.world, campaign, 1);
	}
	const isRisky = ({ ActionType }: IDataObject) => /Opened|Clicked|Submitted/.test(String(ActionType));

	test('those of bots are not given; reports need no confirmation', async () => {
		const trigger = createTrigger();
		await trigger.poll();
		const people = sendCampaign(0);
		fixture.advanceTime(6 * HOUR);
		fixture.standIn.clearLog();
		const items = (await trigger.poll()) ?? [];
		const getEmails = (isMatch: (person: (typeof people)[number]) => boolean) =>
			people
				.filter(isMatch)
				.map(({ user }) => user.email)
				.sort();
		const getItemEmails = (actionType: string) =>
			[
				...new Set(items.filter(({ ActionType }) => ActionType === actionType).map(({ email }) => String(email))),
			].sort();
		for (const [action, actionType] of [
			['opened', 'EmailOpened'],
			['clicked', 'LinkClicked'],
			['submitted', 'DataSubmitted'],
		] as const)
			expect(getItemEmails(actionType)).toEqual(
				getEmails(({ activities }) => activities[action].some(({ isBot }) => !isBot)),
			);
		expect(getItemEmails('Reported')).toEqual(getEmails(({ activities }) => activities.reported.length > 0));
		expect(
			people.some(({ activities }) => activities.clicked.length > 0 && activities.clicked.every(({ isBot }) => isBot)),
		).toBe(true);
		expect(items.filter(isRisky).every(({ jobId }) => String(jobId).endsWith('/1'))).toBe(true);
		// Each list of a job's people is read once.
		const jobRequests = fixture.standIn.getRequests(JOB_PEOPLE_ROUTE).map(({ path }) => path);
		expect(new Set(jobRequests).size).toBe(jobRequests.length);
		expect(jobRequests).toHaveLength(3);
		fixture.advanceTime(HOUR);
		expect(await trigger.poll()).toBeNull();
		for (let day = 0; day < 3; day++) {
			fixture.advanceTime(DAY);
			expect(await trigger.poll()).toBeNull();
		}
		expect(trigger.log.join()).toMatch(/does not emit \d+ events, because no list of results confirmed them/);
	});

	test.each(['EmailOpened', 'LinkClicked', 'QrCodeScanned', 'DataSubmitted'])(
		'%s in no list of results is not given, but it is given in a training',
		async (actionType) => {
			const trigger = createTrigger();
			await trigger.poll();
			addEvent(0, { actionType, productType: 'Quishing' });
			for (const productType of ['Training', 'Learning Path', 'Survey']) addEvent(0, { actionType, productType });
			const items = (await trigger.poll()) ?? [];
			expect(items.map(({ productType }) => productType).sort()).toEqual(['Learning Path', 'Survey', 'Training']);
		},
	);

	test('Include Unconfirmed: all are given, and no job is read', async () => {
		const trigger = createTrigger({}, { includeUnconfirmed: true });
		await trigger.poll();
		const people = sendCampaign(0);
		fixture.advanceTime(6 * HOUR);
		fixture.standIn.clearLog();
		const items = (await trigger.poll()) ?? [];
		const actions = people.flatMap(({ activities: { opened, clicked, submitted } }) => [opened, clicked, submitted]);
		expect(items.filter(isRisky)).toHaveLength(actions.flat().length);
		expect(fixture.standIn.getRequests(JOB_PEOPLE_ROUTE)).toHaveLength(0);
	});

	test.each([8, 20])(
		'Fetch Test Event shows clicks of people although %i newer ones are unconfirmed',
		async (botCount) => {
			const people = sendCampaign(0);
			fixture.advanceTime(6 * HOUR);
			for (let index = 0; index < botCount; index++)
				addEvent(1, { actionType: 'LinkClicked', productType: 'Phishing' }, index);
			const items = (await createTrigger({ actionTypes: ['LinkClicked'] }).poll('manual')) ?? [];
			const clickTimes = people.flatMap(({ activities }) => activities.clicked.filter(({ isBot }) => !isBot));
			expect(clickTimes.length).toBeGreaterThan(0);
			expect(items.length).toBe(Math.min(clickTimes.length, 5));
			expect(items.every(({ jobId }) => String(jobId).endsWith('/1'))).toBe(true);
		},
	);

	test('Fetch Test Event says if it found only unconfirmed clicks', async () => {
		for (let index = 0; index < 60; index++) addEvent(1, { actionType: 'LinkClicked', productType: 'Phishing' }, index);
		await expect(createTrigger({ actionTypes: ['LinkClicked'] }).poll('manual')).rejects.toThrow(
			'The newest 50 events may come from bots, such as email scanners',
		);
	});

	test('if the results of a job fail, its events come with a later poll, and all others at once', async () => {
		const trigger = createTrigger();
		await trigger.poll();
		sendCampaign(0);
		fixture.advanceTime(6 * HOUR);
		addEvent(0);
		fixture.standIn.addFault({ times: Infinity, route: JOB_PEOPLE_ROUTE, kind: 'status-500' });
		const items = (await trigger.poll()) ?? [];
		expect(items.filter(isRisky)).toEqual([]);
		expect(items.some(({ ActionType }) => ActionType === 'TrainingCompleted')).toBe(true);
		expect(trigger.log.join()).toContain('could not confirm the events of people of 1 company');
		// The confirmation fails for longer than the window.
		for (let day = 0; day < 5; day++) {
			fixture.advanceTime(DAY);
			expect(await trigger.poll()).toBeNull();
		}
		fixture.standIn.clearFaults();
		const laterItems = (await trigger.poll()) ?? [];
		expect(laterItems.filter(isRisky).length).toBeGreaterThan(0);
		expect(laterItems.every(isRisky)).toBe(true);
	});
});

describe('parents and children', () => {
	const createPlatform = () => {
		const traits = {
			parents: [null, 0, null, null],
			shouldListDescendants: true,
			leadingChildCount: null,
			selectedCompanies: undefined,
			globalLists: {},
		};
		return new EventPlatform(fixture, traits, {
			roundsToDays: false,
			hasDisplayTimes: false,
			maxTimelinePageSize: 100,
		});
	};
	const addPlatformEvent = (platform: EventPlatform, owner: number): PlatformEvent => {
		const event = { owner, person: 0, campaign: 0, actionType: 'Reported', time: fixture.now, isListed: true };
		platform.events.push(event);
		return event;
	};

	test('an event in both lists is that of the child; if the child fails, the parent waits', async () => {
		const platform = createPlatform();
		const trigger = createTrigger();
		await trigger.poll();
		addPlatformEvent(platform, 1);
		expect((await trigger.poll())?.map(({ companyResourceId }) => companyResourceId)).toEqual([
			platform.getCompanyId(1),
		]);
		fixture.advanceTime(HOUR);
		addPlatformEvent(platform, 0);
		addPlatformEvent(platform, 1);
		platform.failingCompanies.add(1);
		platform.setFaults();
		expect(await trigger.poll()).toBeNull();
		expect(trigger.log.join()).toContain('1 company above them must wait');
		platform.failingCompanies.clear();
		platform.setFaults();
		const items = await trigger.poll();
		expect(items?.map(({ companyResourceId }) => companyResourceId).sort()).toEqual(
			[platform.getCompanyId(0), platform.getCompanyId(1)].sort(),
		);
	});
});

test('the memory of 500 events takes 10 KB at most', async () => {
	const trigger = createTrigger();
	await trigger.poll();
	for (let index = 0; index < 500; index++) addEvent(index % 4, { resourceId: `training-${index}` });
	expect(await trigger.poll()).toHaveLength(500);
	expect(JSON.stringify(trigger.storedMemory).length).toBeLessThan(10_000);
});
