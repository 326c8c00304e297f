/** The Reported Email Trigger, on a platform that has these mails; what holds for every trigger is in the other files. */
import type { IDataObject } from 'n8n-workflow';
import { startStandIn } from '../stand-in';
import { ActiveTrigger, DAY, getIds, PollingFixture, createReportedEmailTrigger } from './pollingFixture';

const SEARCH = 'POST /api/notified-emails/search';

let t: PollingFixture;
beforeAll(async () => {
	t = new PollingFixture(await startStandIn({ companyCount: 4, profile: 'deployed' }));
});
beforeEach(() => {
	t.clear();
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => t.now);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => t.service.close());

const everywhere = (more: IDataObject = {}) =>
	new ActiveTrigger(createReportedEmailTrigger(), { companyScope: 'every', options: { askEachEvery: 0 }, ...more }, t.service);

test('a new mail comes once, as its own company’s, newest mails asked first, each a row of its own', async () => {
	for (const company of [0, 1, 2]) t.createRecord('reported', company, DAY / 2);
	const active = everywhere();
	expect(await active.poll()).toBeNull();
	expect(t.service.getRequests(SEARCH).at(-1)?.body).toMatchObject({
		clusteredBy: '',
		orderBy: 'CreateTime',
		ascending: false,
	});
	const made = [t.createRecord('reported', 3), t.createRecord('reported', 1)];
	const items = await active.poll();
	expect(getIds(items).sort()).toEqual([...made].sort());
	expect(items?.find(({ resourceId }) => resourceId === made[0])).toMatchObject({
		kind: 'reportedEmail',
		companyResourceId: t.getCompany(3).id,
		companyName: t.getCompany(3).name,
		subject: expect.any(String),
		reportedBy: 'ada@customer.example',
		status: 'Running',
	});
	expect(await active.poll()).toBeNull();
});

test('a status that changes comes with the one before', async () => {
	const id = t.createRecord('reported', 2, DAY, { status: 'BeingAnalyzed' });
	const active = everywhere({ triggerOn: 'statusChanged', statuses: ['open'] });
	await active.poll();
	t.setStatus('reported', 2, id, 'Open');
	expect(await active.poll()).toMatchObject([{ resourceId: id, status: 'Open', previousStatus: 'BeingAnalyzed' }]);
	expect(await active.poll()).toBeNull();
});

test('a platform that lacks these mails says so', async () => {
	t.service.setOptions({ hasExtraRoutes: false });
	const error: unknown = await everywhere()
		.poll()
		.catch((thrown: unknown) => thrown);
	t.service.setOptions({ hasExtraRoutes: true });
	expect(String(error)).toContain('Could not look for reported emails');
	expect(String(error)).toContain('404');
});
