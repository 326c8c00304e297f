/**
 * Tests the Reported Email Trigger on a platform that has reported emails. Other test files in this folder test what
 * all triggers have in common.
 */
import type { IDataObject } from 'n8n-workflow';
import { startStandIn } from '../stand-in';
import { ActiveTrigger, DAY, getIds, PollingFixture, createReportedEmailTrigger } from './pollingFixture';

const SEARCH_ROUTE = 'POST /api/notified-emails/search';

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

const createTrigger = (parameters: IDataObject = {}) =>
	new ActiveTrigger(
		createReportedEmailTrigger(),
		{ companyScope: 'every', options: { readEachCompanyEvery: 0 }, ...parameters },
		fixture.standIn,
	);

test('a new email is emitted once, for its company; the request asks for unclustered emails, newest first', async () => {
	for (const company of [0, 1, 2]) fixture.createRecord('reported', company, DAY / 2);
	const trigger = createTrigger();
	expect(await trigger.poll()).toBeNull();
	expect(fixture.standIn.getRequests(SEARCH_ROUTE).at(-1)?.body).toMatchObject({
		clusteredBy: '',
		orderBy: 'CreateTime',
		ascending: false,
	});
	const newIds = [fixture.createRecord('reported', 3), fixture.createRecord('reported', 1)];
	const items = await trigger.poll();
	expect(getIds(items).sort()).toEqual([...newIds].sort());
	expect(items?.find(({ resourceId }) => resourceId === newIds[0])).toMatchObject({
		kind: 'reportedEmail',
		companyResourceId: fixture.getCompany(3).id,
		companyName: fixture.getCompany(3).name,
		subject: expect.any(String),
		reportedBy: 'ada@customer.example',
		status: 'Running',
	});
	expect(await trigger.poll()).toBeNull();
});

test('a changed status is emitted with the previous status', async () => {
	const id = fixture.createRecord('reported', 2, DAY, { status: 'BeingAnalyzed' });
	const trigger = createTrigger({ triggerOn: 'statusChanged', statuses: ['open'] });
	await trigger.poll();
	fixture.setStatus('reported', 2, id, 'Open');
	expect(await trigger.poll()).toMatchObject([{ resourceId: id, status: 'Open', previousStatus: 'BeingAnalyzed' }]);
	expect(await trigger.poll()).toBeNull();
});

test('on a platform without reported emails, the error says so', async () => {
	fixture.standIn.setOptions({ hasExtraRoutes: false });
	const error: unknown = await createTrigger()
		.poll()
		.catch((pollError: unknown) => pollError);
	fixture.standIn.setOptions({ hasExtraRoutes: true });
	expect(String(error)).toContain('Could not look for reported emails');
	expect(String(error)).toContain('404');
});
