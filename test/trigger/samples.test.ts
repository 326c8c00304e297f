/** 'Fetch Test Event', in n8n-core's poll context against the service. */
import { deepCopy } from 'n8n-workflow';
import { DAY, HOUR, getIds, START } from './pollingFixture';
import { TriggerFixture } from './triggerFixture';

let fixture: TriggerFixture;
beforeAll(async () => {
	fixture = await TriggerFixture.start();
});
beforeEach(() => fixture.reset());
afterEach(() => {
	jest.restoreAllMocks();
});
afterAll(async () => fixture.standIn.close());

describe("'Fetch Test Event'", () => {
	test('gives the newest five of every company, and leaves what is remembered alone', async () => {
		const trigger = fixture.createEnrollmentsTrigger();
		for (const [index, days] of [3, 9, 1, 4, 2, 8, 7].entries()) fixture.createRecord('enrollment', index, days * DAY);
		await trigger.poll();
		const before = deepCopy(trigger.staticData);
		const items = await trigger.poll('manual');
		expect(items?.map(({ createTime }) => (START - Date.parse(String(createTime))) / DAY)).toEqual([1, 2, 3, 4, 7]);
		expect(items?.[0]).toMatchObject({ kind: 'enrollment', companyResourceId: fixture.getCompany(2).id });
		expect(trigger.staticData).toEqual(before);
	});

	test('asks the list without a company, and companies only until it is known whose its rows are', async () => {
		const trigger = fixture.createPhishingTrigger({
			simulators: ['phishing', 'smishing', 'quishing'],
			options: { concurrency: 1 },
		});
		fixture.createRecord('smishing', 0, DAY);
		fixture.standIn.clearLog();
		expect(await trigger.poll('manual')).toMatchObject([{ companyResourceId: fixture.getCompany(0).id }]);
		const asked = fixture.standIn.getRequests().map(({ route, companyId = '' }) => [route.split('-')[0], companyId]);
		const ofCompanies = asked.filter(([, companyId]) => companyId !== '');
		expect(ofCompanies.length).toBeLessThanOrEqual(4);
		expect(new Set(ofCompanies.map(([route]) => route))).toEqual(new Set(['POST /api/smishing']));
	});

	test("of jobs too, and keeps to 'Only Statuses'", async () => {
		for (let hours = 1; hours <= 6; hours++) fixture.createRecord('phishing', 0, hours * HOUR);
		const wanted = fixture.createRecord('phishing', 0, 2 * DAY, { status: 'Completed' });
		expect(
			await fixture.createPhishingTrigger({ ...fixture.oneCompanyParameters(0), watch: 'jobs' }).poll('manual'),
		).toHaveLength(5);
		const trigger = fixture.createPhishingTrigger({ triggerOn: 'statusChanged', statuses: ['completed'] });
		expect(getIds(await trigger.poll('manual'))).toEqual([wanted]);
		trigger.parameters.statuses = ['Error'];
		await expect(trigger.poll('manual')).rejects.toMatchObject({
			message: 'There are no phishing campaigns yet',
			description: expect.stringContaining("'Only Statuses'"),
		});
	});
});
