/** Fetch Test Event: what a person gets, and what is asked for it. */
import { DAY, HOUR } from './deployment';
import { triggerFixtures, type TriggerFixture } from './fixture';

const fixture = triggerFixtures({ trigger: 'Enrollment', companies: 3, isDirect: true });
const ages = (it: TriggerFixture, owner: string, ...hours: number[]) =>
	hours.flatMap((age) => it.create(1, { owner, created: it.clock.now() - age * HOUR }));

test('the five newest of all companies, the newest first, with their companies', async () => {
	const it = fixture();
	const records = [...ages(it, 'company-0', 9, 1), ...ages(it, 'company-1', 2, 8, 3), ...ages(it, 'company-2', 7, 4)];
	const { items, warnings } = await it.fetchTestEvent();
	expect(items.map(({ json }) => json.marker)).toEqual([1, 2, 4, 6, 5].map((index) => records[index]?.marker));
	expect(items.map(({ json }) => json.companyResourceId)).toEqual([0, 1, 1, 2, 2].map((index) => `company-${index}`));
	expect(items.map(({ json }) => json.companyName)).toEqual([0, 1, 1, 2, 2].map((index) => `Customer ${index}`));
	expect(items.map(({ json }) => json.kind)).toEqual(Array.from({ length: 5 }, () => 'enrollment'));
	expect(warnings).toEqual([]);
	expect(it.asked().sort()).toEqual(['all', 'companies', 'company-0', 'company-1', 'company-2']);
});

test('where records name their company, no company is asked', async () => {
	const it = fixture({ deployment: { rowsNameCompany: true } });
	ages(it, 'company-2', 1, 2);
	const { items } = await it.fetchTestEvent();
	expect(items.map(({ json }) => json.companyName)).toEqual(['Customer 2', 'Customer 2']);
	expect(it.asked()).toEqual(['all']);
});

test('no more than 20 companies are asked', async () => {
	const it = fixture({ companies: 30 });
	for (const owner of it.platform.companies.keys()) ages(it, owner, 1);
	expect((await it.fetchTestEvent()).items).toHaveLength(5);
	expect(new Set(it.asked().filter((each) => each.startsWith('company-'))).size).toBe(20);
});

test('of a service that shows more than it was asked for, five', async () => {
	const it = fixture({ deployment: { rowsNameCompany: true } });
	it.instead(({ path, body }) =>
		path.endsWith('/search') && Number(Reflect.get(Object(body), 'pageSize')) === 5
			? it.answers.answer({ method: 'POST', path, body: { ...Object(body), pageSize: 50 } })
			: undefined,
	);
	ages(it, 'company-2', 7, 6, 5, 4, 3, 2, 1);
	expect((await it.fetchTestEvent()).items).toHaveLength(5);
});

test.each(['one', 'own'] as const)('of one company, only that is asked (scope %s)', async (companyScope) => {
	const company = { __rl: true, mode: 'id', value: 'company-0' };
	const it = fixture({ deployment: { unscoped: 'own' }, parameters: { companyScope, company } });
	const [record] = ages(it, 'company-0', 1);
	ages(it, 'company-1', 2);
	const { items } = await it.fetchTestEvent();
	expect(items.map(({ json }) => json.marker)).toEqual([record?.marker]);
	expect(it.asked()).toEqual([companyScope === 'one' ? 'company-0' : 'all']);
});

test('with a condition on companies, those are asked', async () => {
	const it = fixture({ parameters: { companyFilter: { nameContains: 'Customer 1' } } });
	const [record] = ages(it, 'company-1', 1);
	ages(it, 'company-2', 2);
	expect((await it.fetchTestEvent()).items.map(({ json }) => json.marker)).toEqual([record?.marker]);
	expect(it.asked().sort()).toEqual(['companies', 'company-1']);
});

test('with details, if a person wants them; without a record whose details fail', async () => {
	const it = fixture({ deployment: { rowsNameCompany: true }, parameters: { options: { includeDetails: true } } });
	const [record, broken] = ages(it, 'company-1', 1, 2);
	if (broken) broken.detailsFail = 15;
	const { items, warnings } = await it.fetchTestEvent();
	expect(items.map(({ json }) => json.details)).toEqual([{ detailsOf: record?.marker }]);
	expect(warnings).toEqual([expect.stringMatching(/1 record must wait/)]);
});

test('of several simulators, the newest of all', async () => {
	const parameters = { simulators: ['phishing', 'quishing'], watch: 'campaigns' };
	const it = fixture({ trigger: 'Campaign', parameters, deployment: { rowsNameCompany: true } });
	for (const age of [1, 2, 3, 4, 5, 6, 7])
		it.create(1, { list: age % 2 === 0 ? 'quishing' : 'phishing', created: it.clock.now() - age * DAY });
	const { items } = await it.fetchTestEvent();
	const kinds = ['phishingCampaign', 'quishingCampaign'];
	expect(items.map(({ json }) => json.kind)).toEqual([0, 1, 0, 1, 0].map((index) => kinds[index]));
});

test('what fails is left out; if nothing can be read, the reason is told', async () => {
	const it = fixture({ deployment: { unscoped: 'refused' } });
	const [record] = ages(it, 'company-1', 1);
	const company = it.platform.companies.get('company-2');
	if (company) company.fault = 500;
	expect((await it.fetchTestEvent()).items.map(({ json }) => json.marker)).toEqual([record?.marker]);
	it.platform.fault = 503;
	const { items, error } = await it.fetchTestEvent();
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/503/);
	expect(error?.message).not.toMatch(/There are no/);
});

test('where there are none yet, that is said', async () => {
	const it = fixture();
	const { error } = await it.fetchTestEvent();
	expect(error?.message).toBe('There are no enrollments yet');
	expect(error).toHaveProperty('description', expect.stringMatching(/Company Scope/));
});

test('nothing of what is remembered is changed by it, nor does it give what was given', async () => {
	const it = fixture();
	await it.poll(2);
	const created = it.create(2);
	await it.fetchTestEvent();
	await it.poll();
	expect(it.fateOf(created).once).toBe(2);
	expect((await it.fetchTestEvent()).items).toHaveLength(2);
});
