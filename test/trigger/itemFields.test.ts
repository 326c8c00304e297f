/** Tests the order of the fields in a trigger's items, which n8n's Table view shows as columns. */
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

test('an item begins with the kind and the company, and its IDs come last', async () => {
	const isId = (name: string) => /(^id|I[dD])(s|List|Array)?$/.test(name);
	for (const watch of ['campaigns', 'jobs']) {
		const trigger = fixture.createPhishingTrigger({ watch, triggerOn: 'statusChanged', includeNewRecords: true });
		await trigger.poll();
		fixture.createRecord('phishing', 1);
		const [item = {}] = (await trigger.poll()) ?? [];
		const names = Object.keys(item);
		expect(names.slice(0, 2)).toEqual(['kind', 'companyName']);
		const idNames = names.filter(isId);
		expect(idNames).toEqual(expect.arrayContaining(['companyResourceId', watch === 'jobs' ? 'jobId' : 'resourceId']));
		expect(names.slice(-idNames.length)).toEqual(idNames);
		expect(names.at(-idNames.length - 1)).toBe('previousStatus');
	}
});
