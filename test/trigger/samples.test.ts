/** Tests 'Fetch Test Event' with n8n-core's poll context and the stand-in (a simulated platform). */
import { deepCopy } from 'n8n-workflow';
import { DAY, HOUR, getIds, START_TIME } from './pollingFixture';
import { PHISHING_ROUTE, TriggerFixture } from './triggerFixture';

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
	test('returns the five newest records of all companies, and does not change the memory', async () => {
		const trigger = fixture.createEnrollmentsTrigger();
		for (const [index, days] of [3, 9, 1, 4, 2, 8, 7].entries()) fixture.createRecord('enrollment', index, days * DAY);
		await trigger.poll();
		const staticDataBefore = deepCopy(trigger.staticData);
		const items = await trigger.poll('manual');
		expect(items?.map(({ createTime }) => (START_TIME - Date.parse(String(createTime))) / DAY)).toEqual([
			1, 2, 3, 4, 7,
		]);
		expect(items?.[0]).toMatchObject({ kind: 'enrollment', companyResourceId: fixture.getCompany(2).id });
		expect(trigger.staticData).toEqual(staticDataBefore);
	});

	test('reads the global lists, and company lists only until the company of each record is known', async () => {
		const trigger = fixture.createPhishingTrigger({
			simulators: ['phishing', 'smishing', 'quishing'],
			options: { concurrency: 1 },
		});
		fixture.createRecord('smishing', 0, DAY);
		fixture.standIn.clearLog();
		expect(await trigger.poll('manual')).toMatchObject([{ companyResourceId: fixture.getCompany(0).id }]);
		const requests = fixture.standIn.getRequests().map(({ route, companyId = '' }) => [route.split('-')[0], companyId]);
		const companyRequests = requests.filter(([, companyId]) => companyId !== '');
		expect(companyRequests.length).toBeLessThanOrEqual(4);
		expect(new Set(companyRequests.map(([route]) => route))).toEqual(new Set(['POST /api/smishing']));
	});

	test("returns campaign jobs too, and respects 'Status Names or IDs'", async () => {
		for (let hours = 1; hours <= 6; hours++) fixture.createRecord('phishing', 0, hours * HOUR);
		const completedId = fixture.createRecord('phishing', 0, 2 * DAY, { status: 'Completed' });
		expect(
			await fixture.createPhishingTrigger({ ...fixture.getOneCompanyParameters(0), watch: 'jobs' }).poll('manual'),
		).toHaveLength(5);
		const trigger = fixture.createPhishingTrigger({ triggerOn: 'statusChanged', statuses: ['completed'] });
		expect(getIds(await trigger.poll('manual'))).toEqual([completedId]);
		trigger.parameters.statuses = ['Error'];
		await expect(trigger.poll('manual')).rejects.toMatchObject({
			message: 'There are no phishing campaigns yet',
			description: expect.stringContaining("'Status Names or IDs'"),
		});
	});

	test("names the customers that can't be read, if the others have no records", async () => {
		for (const index of [0, 1])
			fixture.standIn.addFault({
				times: Infinity,
				route: PHISHING_ROUTE,
				kind: 'forbidden-company',
				companyId: fixture.getCompany(index).id,
			});
		const trigger = fixture.createPhishingTrigger({ options: { readEachCompany: true } });
		const error = String(await trigger.poll('manual').catch((thrown: unknown) => thrown));
		expect(error).toContain('refused access (403) for 2 of 4 companies: ');
		for (const index of [0, 1]) expect(error).toContain(fixture.getCompany(index).name);
		const id = fixture.createRecord('phishing', 2, DAY);
		expect(getIds(await trigger.poll('manual'))).toEqual([id]);
		expect(trigger.log.at(-1)).toContain(fixture.getCompany(0).name);
		expect(trigger.log.at(-1)).toContain(fixture.getCompany(1).name);
	});
});

test('the errors and the log of polls name the customers that cannot be read', async () => {
	const fault = { times: Infinity, route: PHISHING_ROUTE, kind: 'forbidden-company' } as const;
	const trigger = fixture.createPhishingTrigger({ options: { readEachCompany: true } });
	for (const index of [0, 1]) fixture.standIn.addFault({ ...fault, companyId: fixture.getCompany(index).id });
	await trigger.poll();
	for (const index of [0, 1]) expect(trigger.log.join()).toContain(fixture.getCompany(index).name);
	fixture.standIn.addFault(fault);
	const error = String(
		await fixture
			.createPhishingTrigger(trigger.parameters)
			.poll()
			.catch((thrown: unknown) => thrown),
	);
	expect(error).toContain('refused access (403) for 4 of 4 companies: ');
	for (const index of [0, 1, 2, 3]) expect(error).toContain(fixture.getCompany(index).name);
});
