/** Tests the Person Event Trigger if some customers can't be read: the errors, n8n's log and 'Fetch Test Event'. */
import { startStandIn } from '../stand-in';
import { EventPlatform, JOB_PEOPLE_ROUTE, TIMELINE_ROUTE } from './eventPlatform';
import { ActiveTrigger, createPersonEventTrigger, DAY, HOUR, PollingFixture } from './pollingFixture';
import { addActivity, getPerson, sendCampaign } from './simulationActivities';
import { JOBS_ROUTE } from './triggerFixture';

let fixture: PollingFixture;
beforeAll(async () => {
	fixture = new PollingFixture(await startStandIn({ companyCount: 8, profile: 'deployed' }));
});
beforeEach(() => {
	fixture.clear();
	fixture.standIn.setOptions({ transformEnvelope: undefined });
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => fixture.standIn.close());

const createTrigger = (parameters: { onlyCompanies?: { nameContains: string } } = {}) =>
	new ActiveTrigger(
		createPersonEventTrigger(),
		{ companyScope: 'every', ...parameters, options: { readEachCompanyEvery: 0 } },
		fixture.standIn,
	);

/** Makes the requests of a customer fail. @param companyIndex undefined for all customers */
const failRequests = (route: string, status: number, companyIndex?: number) =>
	fixture.standIn.addFault({
		times: Infinity,
		route,
		kind: 'status',
		status,
		companyId: companyIndex === undefined ? undefined : fixture.getCompany(companyIndex).id,
	});

/** Creates a platform with trees of customers. The list of a parent contains the events of the companies below it. */
function createPlatform(parents: Array<number | null>, selectedCompanies?: number[]): EventPlatform {
	return new EventPlatform(
		fixture,
		{ parents, shouldListDescendants: true, leadingChildCount: null, selectedCompanies, globalLists: {} },
		{ roundsToDays: false, hasDisplayTimes: false, maxTimelinePageSize: 100 },
	);
}
const addEvent = (platform: EventPlatform, owner: number, ageMs = 0) =>
	platform.events.push({
		owner,
		person: 0,
		campaign: 0,
		actionType: 'Reported',
		time: fixture.now - ageMs,
		isListed: true,
	});
const refuse = (platform: EventPlatform, ...companies: number[]) => {
	for (const company of companies) platform.refusingCompanies.add(company);
	platform.setFaults();
};

describe('a platform without the list of events', () => {
	test.each([403, 503])('is recognized although one customer answers %i; the customer comes later', async (status) => {
		failRequests(TIMELINE_ROUTE, status, 1);
		failRequests(TIMELINE_ROUTE, 404);
		failRequests(JOBS_ROUTE, status, 1);
		const people = [1, 2].map((index) => sendCampaign(fixture, index));
		const trigger = createTrigger();
		expect(await trigger.poll()).toBeNull();
		expect(trigger.log.join()).toContain("The platform doesn't list events of people (404)");
		expect(trigger.log.join()).toContain(fixture.getCompany(1).name);
		fixture.standIn.clearFaults();
		fixture.advanceTime(HOUR);
		for (const list of people) addActivity(fixture, list, 0, 'clicked');
		const items = await trigger.poll();
		expect(items?.map(({ companyResourceId }) => companyResourceId).sort()).toEqual(
			[1, 2].map((index) => fixture.getCompany(index).id).sort(),
		);
	});

	test('is recognized by Fetch Test Event too', async () => {
		failRequests(TIMELINE_ROUTE, 403, 1);
		failRequests(TIMELINE_ROUTE, 404);
		const people = sendCampaign(fixture, 2);
		addActivity(fixture, people, 0, 'clicked');
		const items = await createTrigger().poll('manual');
		expect(items?.map(({ email }) => email)).toEqual([getPerson(people, 0).user.email]);
	});

	test('Fetch Test Event shows actions of simulations that are too old for polls', async () => {
		fixture.standIn.setOptions({ missingRoutes: [TIMELINE_ROUTE] });
		const people = sendCampaign(fixture, 2, { ageMs: 35 * DAY });
		addActivity(fixture, people, 0, 'clicked');
		expect(await createTrigger().poll('manual')).toHaveLength(1);
	});
});

describe('if no customer can be read', () => {
	test.each(['trigger', 'manual'] as const)('the error names customers and each reason (%s)', async (mode) => {
		failRequests(TIMELINE_ROUTE, 403, 1);
		failRequests(TIMELINE_ROUTE, 500);
		const error = String(
			await createTrigger()
				.poll(mode)
				.catch((thrown: unknown) => thrown),
		);
		expect(error).toContain('internal error (500) for 7 of 8 companies');
		expect(error).toContain(`refused access (403) for 1 of 8 companies: ${fixture.getCompany(1).name}`);
		expect(error).toMatch(/, and 2 more/);
		expect(fixture.standIn.getRequests(JOBS_ROUTE)).toEqual([]);
	});
});

describe("the log names the customers that can't be read", () => {
	test('by the reason', async () => {
		const trigger = createTrigger();
		await trigger.poll();
		for (const index of [1, 2]) failRequests(TIMELINE_ROUTE, 403, index);
		failRequests(TIMELINE_ROUTE, 500, 4);
		await trigger.poll();
		const log = trigger.log.join();
		for (const index of [1, 2, 4]) expect(log).toContain(fixture.getCompany(index).name);
	});

	test('those for which parents wait', async () => {
		// The first five have neither parents nor children.
		const platform = createPlatform([null, null, null, null, null, null, 5, 5]);
		const trigger = createTrigger();
		await trigger.poll();
		refuse(platform, 0, 1, 2, 3, 4, 7);
		await trigger.poll();
		expect(trigger.log.join()).toContain('1 company above them must wait until these are read completely: in 7.');
		expect(trigger.log.join()).toMatch(/\(in 7, in \d, in \d, in \d, in \d, and 1 more: the platform refused access/);
	});

	test('those whose list has a gap', async () => {
		const platform = createPlatform([null, 0, null]);
		const trigger = createTrigger();
		await trigger.poll();
		addEvent(platform, 1);
		platform.gaps.set(1, 'cut people');
		await trigger.poll();
		expect(trigger.log.join()).toContain('1 company above them must wait until these are read completely: in 1.');
	});
});

describe('Fetch Test Event', () => {
	const listCompanies = async (trigger: ActiveTrigger) =>
		(await trigger.poll('manual'))?.map(({ companyName }) => companyName);

	test("does not show a child's event as the parent's if the child can't be read, and logs it", async () => {
		const platform = createPlatform([null, 0, null]);
		addEvent(platform, 1);
		addEvent(platform, 2, HOUR);
		refuse(platform, 1);
		const trigger = createTrigger();
		expect(await listCompanies(trigger)).toEqual(['in 2']);
		expect(trigger.log.join()).toContain('1 company above them must wait until these are read completely: in 1.');
	});

	test("does not show a child's event as the parent's if 'Only Companies' leaves out the child", async () => {
		const platform = createPlatform([null, 0, null], [0, 2]);
		for (let hours = 0; hours < 6; hours++) addEvent(platform, 1, hours * HOUR);
		addEvent(platform, 0, DAY);
		addEvent(platform, 2, 2 * DAY);
		expect(await listCompanies(createTrigger({ onlyCompanies: { nameContains: 'in' } }))).toEqual(['in 0', 'in 2']);
	});

	test("names the customer that can't be read, if the others have no events", async () => {
		failRequests(TIMELINE_ROUTE, 403, 1);
		await expect(createTrigger().poll('manual')).rejects.toThrow(
			`refused access (403) for 1 of 8 companies: ${fixture.getCompany(1).name}`,
		);
	});

	test('says that a list has a gap, if there are no other events', async () => {
		const platform = createPlatform([null, 0, null]);
		addEvent(platform, 0);
		platform.gaps.set(1, 'cut people');
		await expect(createTrigger().poll('manual')).rejects.toThrow('only listed a part of the events of people of in 1');
	});

	test('shows the other events if the results of one customer fail', async () => {
		for (const index of [1, 2])
			fixture.createEvent(index, index * HOUR, {
				actionType: index === 1 ? 'LinkClicked' : 'Reported',
				productType: 'Phishing',
			});
		fixture.createRecord('phishing', 1, DAY, { id: 'training-1' });
		failRequests(JOB_PEOPLE_ROUTE, 500, 1);
		const trigger = createTrigger();
		expect(await trigger.poll('manual')).toMatchObject([{ ActionType: 'Reported' }]);
		expect(trigger.log.join()).toContain(
			`could not confirm the events of people of 1 company (${fixture.getCompany(1).name}`,
		);
	});
});
