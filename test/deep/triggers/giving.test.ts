/** What a poll gives, and what it names in the log instead. */
import { DAY, HOUR } from './deployment';
import { all, markers, none, triggerFixtures, type TriggerFixture } from './fixture';

const fixture = triggerFixtures({ trigger: 'Enrollment', companies: 3, isDirect: true });
const fail = (it: TriggerFixture, company: string) => {
	const found = it.platform.companies.get(company);
	if (found) found.fault = 500;
};
const heal = (it: TriggerFixture) => it.platform.companies.forEach((each) => delete each.fault);

describe('the company of a record', () => {
	test('is found by the next polls, where a service that is slow just once leaves no time for it', async () => {
		const it = await fixture({ companies: 10, budgetMs: 36_000, isDurable: true }).learn();
		const created = it.create(3, { owner: 'company-4' });
		Object.assign(it.answers.deployment, { latencyMs: 25_000 });
		await it.poll(1, 0);
		Object.assign(it.answers.deployment, { latencyMs: 0 });
		const items = await it.poll(2);
		expect(it.fateOf(created)).toEqual(all(3));
		expect(items.map(({ json }) => json.companyResourceId)).toEqual(Array.from({ length: 3 }, () => 'company-4'));
	});

	test('whose list hangs is waited for in nine polls, as where it fails', async () => {
		const it = fixture();
		await it.poll(3);
		it.instead(({ company }) => (company === 'company-1' ? { status: 200, data: null, broken: 'hang' } : undefined));
		const created = it.create(1, { owner: 'company-1' });
		await it.poll(9);
		expect(it.fateOf(created)).toEqual(none(1));
		expect(await it.poll()).toHaveLength(1);
	});

	test('is looked for in each list; what cannot be found now waits, and is given without it after nine polls', async () => {
		const it = fixture();
		await it.poll(3);
		fail(it, 'company-1');
		const created = [...it.create(1, { owner: 'company-1' }), ...it.create(1, { owner: 'company-2' })];
		await it.poll();
		expect(it.last).toEqual(markers(created.slice(1)));
		await it.poll(8);
		expect(it.fateOf(created)).toEqual({ once: 1, oftener: 0, never: 1 });
		expect(it.log).not.toMatch(/without a company/);
		const [item] = await it.poll();
		expect(it.last).toEqual(markers(created.slice(0, 1)));
		expect(item?.json).not.toHaveProperty('companyResourceId');
		expect(item?.json).not.toHaveProperty('companyName');
		expect(it.log).toMatch(
			/Of the enrollments, 1 record could not be found in any company's list that could be read; given without a company/,
		);
		heal(it);
		await it.poll(5);
		expect(it.fateOf(created)).toEqual(all(2));
	});

	test('is found by a later poll, if its list can be read then', async () => {
		const it = fixture();
		await it.poll(3);
		fail(it, 'company-1');
		const created = it.create(2, { owner: 'company-1' });
		await it.poll(3);
		heal(it);
		const items = await it.poll();
		expect(items.map(({ json }) => json.companyResourceId)).toEqual(['company-1', 'company-1']);
		expect(it.fateOf(created)).toEqual(all(2));
		expect(it.log).not.toMatch(/without a company/);
	});

	test('is not waited for where each list was read and none has it', async () => {
		const it = fixture();
		await it.poll(3);
		const created = it.create(1, { owner: 'company-1' });
		it.instead(({ path, company }) =>
			path.endsWith('/search') && company === 'company-1'
				? { status: 200, data: { results: [], totalNumberOfPages: 0, totalNumberOfRecords: 0 } }
				: undefined,
		);
		await it.poll();
		expect(it.fateOf(created)).toEqual(all(1));
		expect(it.log).toMatch(/1 record could not be found in any company's list/);
	});

	test('is found among those that were listed last, where the companies cannot be listed', async () => {
		const it = fixture();
		await it.poll(3);
		it.platform.companiesFault = 503;
		const created = it.create(1, { owner: 'company-1' });
		const [item] = await it.poll();
		expect(item?.json.companyResourceId).toBe('company-1');
		expect(it.fateOf(created)).toEqual(all(1));
		expect(it.log).toMatch(/The list of companies cannot be read .*503.*, so those are used that were listed last/);
		// But not for ever.
		it.clock.pass(25 * HOUR);
		it.create(1, { owner: 'company-1' });
		await it.poll();
		expect(it.given.size).toBe(1);
	});

	test('waits where the companies were never listed', async () => {
		const it = fixture();
		it.clock.pass(48 * HOUR);
		it.platform.companiesFault = 503;
		await it.poll(3);
		const created = it.create(1, { owner: 'company-1' });
		await it.poll(2);
		expect(it.fateOf(created)).toEqual(none(1));
		expect(it.log).toMatch(/could not be read and are tried again later/);
		delete it.platform.companiesFault;
		await it.poll();
		expect(it.fateOf(created)).toEqual(all(1));
	});

	test.each(['one', 'own'] as const)('is not looked for with the scope %s', async (companyScope) => {
		const company = { __rl: true, mode: 'id', value: 'company-0' };
		const it = fixture({ deployment: { unscoped: 'own' }, parameters: { companyScope, company } });
		await it.poll(2);
		const created = it.create(1, { owner: 'company-0' });
		it.create(1, { owner: 'company-1' });
		it.asked();
		const [item] = await it.poll();
		expect(it.last).toEqual(markers(created));
		expect(item?.json.companyResourceId).toBe(companyScope === 'one' ? 'company-0' : undefined);
		expect(new Set(it.asked())).toEqual(new Set([companyScope === 'one' ? 'company-0' : 'all']));
		await it.poll(5, 60);
		expect(it.asked()).toEqual(Array.from({ length: 5 }, () => (companyScope === 'one' ? 'company-0' : 'all')));
		expect(it.log).toBe('');
	});
});

describe('a company that is listed for the first time', () => {
	test.each([true, false])(
		"gives what was created within 'Late Arrivals' (records name their company: %s)",
		async (rowsNameCompany) => {
			const it = fixture({ deployment: { rowsNameCompany } });
			it.create(1, { created: it.clock.now() - HOUR });
			await it.poll(3);
			it.clock.pass(5 * HOUR);
			const company = it.platform.addCompany();
			const of = (hours: number) => it.create(1, { owner: company.id, created: it.clock.now() - hours * HOUR });
			const created = [1, 3, 6, 20].flatMap(of);
			const old = [40, 400].flatMap(of);
			const items = await it.poll(4);
			expect(it.fateOf(created)).toEqual(all(4));
			expect(it.fateOf(old)).toEqual(none(2));
			for (const { json } of items) expect(json.companyResourceId).toBe(company.id);
			const later = it.create(2, { owner: company.id });
			await it.poll(2);
			expect(it.fateOf(later)).toEqual(all(2));
		},
	);
});

describe('a record that came late', () => {
	test("is given within 'Late Arrivals', and not after", async () => {
		const it = fixture({ parameters: { options: { lateArrivals: 5 } }, deployment: { rowsNameCompany: true } });
		it.create(1, { created: it.clock.now() - HOUR });
		await it.poll(2);
		it.clock.pass(10 * DAY);
		it.create(1);
		await it.poll(3);
		const late = it.create(1, { created: it.clock.now() - 4 * HOUR });
		const tooLate = it.create(1, { created: it.clock.now() - 8 * HOUR });
		await it.poll(3);
		expect(it.fateOf(late)).toEqual(all(1));
		expect(it.fateOf(tooLate)).toEqual(none(1));
	});
});

describe('IDs that are unique only inside a company', () => {
	const same = (it: TriggerFixture, id: string) =>
		['company-0', 'company-1'].flatMap((owner, index) => {
			it.clock.pass(1000 * index);
			return it.create(1, { owner, id });
		});

	test('are noticed at activation; records of the same ID are two then', async () => {
		const it = fixture({ deployment: { rowsNameCompany: true } });
		same(it, 'id');
		await it.poll(2);
		const created = same(it, 'other');
		await it.poll(3);
		expect(it.fateOf(created)).toEqual(all(2));
		expect(it.given.size).toBe(2);
		expect(it.log).not.toMatch(/starts over/);
	});

	test('each company is asked where records do not name theirs', async () => {
		const it = fixture();
		same(it, 'id');
		await it.poll(2);
		expect(it.log).toMatch(
			/has records of the same ID and does not say whose they are: from now on each company is asked/,
		);
		const created = same(it, 'other');
		const items = await it.poll(3, 15);
		expect(it.fateOf(created)).toEqual(all(2));
		expect(items.map(({ json }) => json.companyResourceId).sort()).toEqual(['company-0', 'company-1']);
	});

	test('a company that hangs then does not stop the poll that notices it', async () => {
		const it = fixture({
			deployment: { rowsNameCompany: true, latencyMs: 4000 },
			parameters: { companyFilter: { nameContains: 'Customer' } },
			budgetMs: 60_000,
		});
		same(it, 'id');
		it.instead(({ company }) => (company === 'company-2' ? { status: 200, data: null, broken: 'hang' } : undefined));
		await it.poll(2, 15);
		expect(it.polls.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
		const created = same(it, 'other');
		await it.poll(4, 15);
		expect(it.fateOf(created)).toEqual(all(2));
	});

	test('in the list of the own company are no reason to ask others', async () => {
		const it = fixture({ companies: 1, deployment: { unscoped: 'own' }, parameters: { companyScope: 'own' } });
		await it.poll(2);
		it.create(1, { owner: 'company-0', id: 'twice' });
		it.clock.pass(1000);
		it.create(1, { owner: 'company-0', id: 'twice' });
		await it.poll(2);
		const created = it.create(3, { owner: 'company-0' });
		await it.poll(3);
		expect(it.fateOf(created)).toEqual(all(3));
		expect(it.log).not.toMatch(/each company is asked/);
	});

	test('noticed later, the kind begins again, and says so', async () => {
		const it = fixture({ deployment: { rowsNameCompany: true } });
		const old = it.create(2, { created: it.clock.now() - HOUR });
		await it.poll(3);
		const created = same(it, 'id');
		await it.poll();
		expect(it.log).toMatch(/Two enrollments of different companies have the same ID, so the trigger starts over/);
		const later = same(it, 'other');
		await it.poll(3);
		expect(it.fateOf(later)).toEqual(all(2));
		expect(it.fateOf([...old])).toEqual(none(2));
		expect(it.fateOf(created).oftener).toBe(0);
		expect(it.log.match(/starts over/g)).toHaveLength(1);
	});
});

test('records without an ID are left out, and named', async () => {
	const it = fixture();
	await it.poll(2);
	const [record] = it.create(1);
	if (record) record.id = '';
	await it.poll();
	expect(it.given.size).toBe(0);
	expect(it.log).toMatch(/Of the enrollments, 1 record without an ID/);
});

test('the oldest is given first, of all kinds', async () => {
	const parameters = { simulators: ['phishing', 'quishing'], watch: 'campaigns' };
	const it = fixture({ trigger: 'Campaign', parameters, deployment: { rowsNameCompany: true } });
	await it.poll(2);
	const hours = [5, 4, 3, 2, 1];
	const created = hours.flatMap((age) =>
		it.create(1, { list: age % 2 === 0 ? 'quishing' : 'phishing', created: it.clock.now() - age * HOUR }),
	);
	const items = await it.poll();
	expect(it.last).toEqual(markers(created));
	expect(items.map(({ json }) => json.kind)).toEqual(
		hours.map((age) => (age % 2 === 0 ? 'quishingCampaign' : 'phishingCampaign')),
	);
});

test('a list of more old records than are read at activation: none of them is given', async () => {
	const it = fixture({ companies: 1, deployment: { rowsNameCompany: true } });
	for (let index = 0; index < 6000; index++) it.create(1, { created: it.clock.now() - 23 * HOUR - index * 1000 });
	await it.poll(2);
	const created = it.create(1);
	await it.poll(2);
	expect(it.given.size).toBe(1);
	expect(it.fateOf(created)).toEqual(all(1));
});

test('a list that is read at first in several polls, while a record comes and moves the others: none of the old ones is given', async () => {
	const parameters = { options: { pageSize: 1 } };
	const it = fixture({ companies: 2, parameters, deployment: { totals: 'absent', latencyMs: 300 } });
	const old = [...it.create(200, { created: it.clock.now() - HOUR }), ...it.create(40, { time: 'none' })];
	await it.poll();
	it.answers.during = { after: 4, happens: () => void it.create(1) };
	await it.poll(16, 60);
	expect(it.fateOf(old)).toEqual(none(240));
	expect(it.given.size).toBe(1);
});
