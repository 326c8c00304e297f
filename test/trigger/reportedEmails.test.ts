/** The Reported Email Trigger, on a platform that has these mails; what holds for every trigger is in the other files. */
import type { IDataObject } from 'n8n-workflow';
import { startService } from '../stand-in';
import { Active, DAY, idsOf, PollingFixture, reportedEmailTrigger } from './pollingFixture';

const SEARCH = 'POST /api/notified-emails/search';

let t: PollingFixture;
beforeAll(async () => {
	t = new PollingFixture(await startService({ companies: 4, personality: 'deployed' }));
});
beforeEach(() => {
	t.clear();
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => t.now);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => t.service.close());

const everywhere = (more: IDataObject = {}) =>
	new Active(reportedEmailTrigger(), { companyScope: 'every', options: { askEachEvery: 0 }, ...more }, t.service);

test('a new mail comes once, as its own company’s, newest mails asked first, each a row of its own', async () => {
	for (const company of [0, 1, 2]) t.create('reported', company, DAY / 2);
	const active = everywhere();
	expect(await active.poll()).toBeNull();
	expect(t.service.requests(SEARCH).at(-1)?.body).toMatchObject({
		clusteredBy: '',
		orderBy: 'CreateTime',
		ascending: false,
	});
	const made = [t.create('reported', 3), t.create('reported', 1)];
	const items = await active.poll();
	expect(idsOf(items).sort()).toEqual([...made].sort());
	expect(items?.find(({ resourceId }) => resourceId === made[0])).toMatchObject({
		kind: 'reportedEmail',
		companyResourceId: t.company(3).id,
		companyName: t.company(3).name,
		subject: expect.any(String),
		reportedBy: 'ada@customer.example',
		status: 'Running',
	});
	expect(await active.poll()).toBeNull();
});

test('a status that changes comes with the one before', async () => {
	const id = t.create('reported', 2, DAY, { status: 'BeingAnalyzed' });
	const active = everywhere({ triggerOn: 'statusChanged', statuses: ['open'] });
	await active.poll();
	t.setStatus('reported', 2, id, 'Open');
	expect(await active.poll()).toMatchObject([{ resourceId: id, status: 'Open', previousStatus: 'BeingAnalyzed' }]);
	expect(await active.poll()).toBeNull();
});

test('a platform that lacks these mails says so', async () => {
	t.service.setOptions({ helpers: false });
	const error: unknown = await everywhere()
		.poll()
		.catch((thrown: unknown) => thrown);
	t.service.setOptions({ helpers: true });
	expect(String(error)).toContain('Could not look for reported emails');
	expect(String(error)).toContain('404');
});
