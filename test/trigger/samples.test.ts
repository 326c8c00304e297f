/** 'Fetch Test Event', in n8n-core's poll context against the service. */
import { deepCopy } from 'n8n-workflow';
import { DAY, HOUR, getIds, START } from './pollingFixture';
import { TriggerFixture } from './triggerFixture';

let t: TriggerFixture;
beforeAll(async () => {
	t = await TriggerFixture.start();
});
beforeEach(() => t.reset());
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => t.service.close());

describe("'Fetch Test Event'", () => {
	test('gives the newest five of every company, and leaves what is remembered alone', async () => {
		const active = t.createEnrollmentsTrigger();
		for (const [index, days] of [3, 9, 1, 4, 2, 8, 7].entries()) t.createRecord('enrollment', index, days * DAY);
		await active.poll();
		const before = deepCopy(active.staticData);
		const items = await active.poll('manual');
		expect(items?.map(({ createTime }) => (START - Date.parse(String(createTime))) / DAY)).toEqual([1, 2, 3, 4, 7]);
		expect(items?.[0]).toMatchObject({ kind: 'enrollment', companyResourceId: t.getCompany(2).id });
		expect(active.staticData).toEqual(before);
	});

	test('asks the list without a company, and companies only until it is known whose its rows are', async () => {
		const active = t.createPhishingTrigger({ simulators: ['phishing', 'smishing', 'quishing'], options: { concurrency: 1 } });
		t.createRecord('smishing', 0, DAY);
		t.service.clearLog();
		expect(await active.poll('manual')).toMatchObject([{ companyResourceId: t.getCompany(0).id }]);
		const asked = t.service.getRequests().map(({ route, companyId = '' }) => [route.split('-')[0], companyId]);
		const ofCompanies = asked.filter(([, companyId]) => companyId !== '');
		expect(ofCompanies.length).toBeLessThanOrEqual(4);
		expect(new Set(ofCompanies.map(([route]) => route))).toEqual(new Set(['POST /api/smishing']));
	});

	test("of jobs too, and keeps to 'Only Statuses'", async () => {
		for (let hours = 1; hours <= 6; hours++) t.createRecord('phishing', 0, hours * HOUR);
		const wanted = t.createRecord('phishing', 0, 2 * DAY, { status: 'Completed' });
		expect(await t.createPhishingTrigger({ ...t.oneCompanyParameters(0), watch: 'jobs' }).poll('manual')).toHaveLength(5);
		const active = t.createPhishingTrigger({ triggerOn: 'statusChanged', statuses: ['completed'] });
		expect(getIds(await active.poll('manual'))).toEqual([wanted]);
		active.parameters.statuses = ['Error'];
		await expect(active.poll('manual')).rejects.toMatchObject({
			message: 'There are no phishing campaigns yet',
			description: expect.stringContaining("'Only Statuses'"),
		});
	});
});
