/** Tests the Person Event Trigger with parents and children, on a platform without the list of events. */
import { startStandIn } from '../stand-in';
import { EventPlatform, JOB_PEOPLE_ROUTE, TIMELINE_ROUTE } from './eventPlatform';
import { ActiveTrigger, createPersonEventTrigger, HOUR, PollingFixture } from './pollingFixture';
import { addActivity, sendCampaign } from './simulationActivities';

let fixture: PollingFixture;
beforeAll(async () => {
	fixture = new PollingFixture(await startStandIn({ companyCount: 4, profile: 'deployed' }));
});
beforeEach(() => {
	fixture.clear();
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => fixture.standIn.close());

test.each([
	['fails', { kind: 'status-500' }],
	['rejects the request', { kind: 'status', status: 404 }],
] as const)(
	'an action of a parent and its child is that of the child; if the child %s, the parent waits',
	async (_what, fault) => {
		const { standIn } = fixture;
		const traits = {
			parents: [null, 0, null, null],
			shouldListDescendants: true,
			leadingChildCount: null,
			selectedCompanies: undefined,
			globalLists: {},
		};
		const eventTraits = { roundsToDays: false, hasDisplayTimes: false, maxTimelinePageSize: 100 };
		const platform = new EventPlatform(fixture, traits, eventTraits);
		// The stand-in's own answers are used, not the results that the platform of events makes from its events.
		standIn.setOptions({
			missingRoutes: [TIMELINE_ROUTE],
			transformEnvelope: (envelope, request) =>
				request.route === JOB_PEOPLE_ROUTE ? envelope : platform.replaceEnvelope(envelope, request),
		});
		const people = sendCampaign(fixture, 1);
		const getCampaigns = (index: number) =>
			standIn.world.getCompanyData(platform.getCompanyId(index)).getCampaigns('phishing');
		getCampaigns(0).push(...getCampaigns(1).slice(-1));
		const trigger = new ActiveTrigger(
			createPersonEventTrigger(),
			{ companyScope: 'every', options: { readEachCompanyEvery: 0 } },
			standIn,
		);
		await trigger.poll();
		addActivity(fixture, people, 0, 'clicked');
		standIn.addFault({
			times: Infinity,
			route: JOB_PEOPLE_ROUTE,
			...fault,
			companyId: platform.getCompanyId(1),
		});
		expect(await trigger.poll()).toBeNull();
		expect(trigger.log.join()).toContain('1 company above them must wait');
		standIn.clearFaults();
		fixture.advanceTime(HOUR);
		const items = await trigger.poll();
		expect(items?.map(({ companyResourceId }) => companyResourceId)).toEqual([platform.getCompanyId(1)]);
		expect(await trigger.poll()).toBeNull();
	},
);
