/** The Reported Email Trigger, on a platform that has these mails; what holds for every trigger is in the other files. */
import type { IDataObject } from 'n8n-workflow';
import { startStandIn } from '../stand-in';
import { ActiveTrigger, DAY, getIds, PollingFixture, createReportedEmailTrigger } from './pollingFixture';

const SEARCH = 'POST /api/notified-emails/search';

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

const everywhere = (more: IDataObject = {}) =>
	new ActiveTrigger(
		createReportedEmailTrigger(),
		{ companyScope: 'every', options: { askEachEvery: 0 }, ...more },
		fixture.standIn,
	);

test('a new mail comes once, as its own company’s, newest mails asked first, each a row of its own', async () => {
	for (const company of [0, 1, 2]) fixture.createRecord('reported', company, DAY / 2);
	const trigger = everywhere();
	expect(await trigger.poll()).toBeNull();
	expect(fixture.standIn.getRequests(SEARCH).at(-1)?.body).toMatchObject({
		clusteredBy: '',
		orderBy: 'CreateTime',
		ascending: false,
	});
	const made = [fixture.createRecord('reported', 3), fixture.createRecord('reported', 1)];
	const items = await trigger.poll();
	expect(getIds(items).sort()).toEqual([...made].sort());
	expect(items?.find(({ resourceId }) => resourceId === made[0])).toMatchObject({
		kind: 'reportedEmail',
		companyResourceId: fixture.getCompany(3).id,
		companyName: fixture.getCompany(3).name,
		subject: expect.any(String),
		reportedBy: 'ada@customer.example',
		status: 'Running',
	});
	expect(await trigger.poll()).toBeNull();
});

test('a status that changes comes with the one before', async () => {
	const id = fixture.createRecord('reported', 2, DAY, { status: 'BeingAnalyzed' });
	const trigger = everywhere({ triggerOn: 'statusChanged', statuses: ['open'] });
	await trigger.poll();
	fixture.setStatus('reported', 2, id, 'Open');
	expect(await trigger.poll()).toMatchObject([{ resourceId: id, status: 'Open', previousStatus: 'BeingAnalyzed' }]);
	expect(await trigger.poll()).toBeNull();
});

test('a platform that lacks these mails says so', async () => {
	fixture.standIn.setOptions({ hasExtraRoutes: false });
	const error: unknown = await everywhere()
		.poll()
		.catch((thrown: unknown) => thrown);
	fixture.standIn.setOptions({ hasExtraRoutes: true });
	expect(String(error)).toContain('Could not look for reported emails');
	expect(String(error)).toContain('404');
});
