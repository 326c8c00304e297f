/** What once went wrong, each as the sequence in which it was seen. */
import { DAY, HOUR } from './deployment';
import { all, none, triggerFixtures } from './fixture';
import { statusOf } from './platform';

const fixture = triggerFixtures();

describe('1. Lists without create times', () => {
	const jobs = { simulators: ['phishing'], watch: 'jobs' };

	test.each(['obeyed', 'refused'] as const)('150 there, 230 more: each once (sort %s)', async (sort) => {
		const it = fixture({ deployment: { times: 'none', sort }, parameters: jobs });
		const old = it.create(150);
		await it.poll();
		it.clock.pass(2 * DAY);
		const created = it.create(230);
		await it.poll(12);
		expect(it.fateOf(created)).toEqual(all(230));
		expect(it.fateOf(old)).toEqual(none(150));
	});

	test.each(['obeyed', 'refused'] as const)('250 new of 300 in the list: each once (sort %s)', async (sort) => {
		const it = fixture({ deployment: { times: 'none', sort }, parameters: jobs });
		it.create(50);
		await it.poll();
		const created = it.create(250);
		await it.poll(6);
		expect(it.fateOf(created)).toEqual(all(250));
	});

	test('2,500 new at once: each once', async () => {
		const it = fixture({ deployment: { times: 'none' }, parameters: jobs });
		const old = it.create(20);
		await it.poll();
		const created = it.create(2500);
		await it.poll(10);
		expect(it.fateOf(created)).toEqual(all(2500));
		expect(it.fateOf(old)).toEqual(none(20));
	});
});

describe('2. Status Changed after a failure at the first poll', () => {
	test('a company answers 500 at the first poll: each of 28 daily changes is given', async () => {
		const parameters = { triggerOn: 'statusChanged', options: { watchedDays: 60 } };
		const it = fixture({ trigger: 'Enrollment', companies: 3, parameters });
		const created = it.clock.now() - 10 * DAY;
		const [record] = it.create(1, { owner: 'company-1', status: 'day 0', created, since: created });
		const company = it.platform.companies.get('company-1');
		if (!record || !company) throw new Error('The platform is empty');
		company.fault = 500;
		await it.poll();
		delete company.fault;
		await it.poll(4);
		for (let day = 1; day <= 28; day++) {
			it.platform.setStatus(record, `day ${day}`);
			await it.poll(2, 12 * 60);
		}
		const statuses = it.polls.flatMap(({ items }) => items.map(({ json }) => json.status));
		expect(statuses).toEqual(Array.from({ length: 28 }, (_, index) => `day ${index + 1}`));
	});

	test('a company is listed later, with an older record: each of its changes is given', async () => {
		const it = fixture({ trigger: 'Enrollment', companies: 2, parameters: { triggerOn: 'statusChanged' } });
		await it.poll();
		it.clock.pass(5 * DAY);
		const company = it.platform.addCompany();
		const created = it.clock.now() - 8 * DAY;
		const [record] = it.create(1, { owner: company.id, created, since: created, status: 'day 0' });
		if (!record) throw new Error('The platform is empty');
		await it.poll(4);
		for (let day = 1; day <= 10; day++) {
			it.platform.setStatus(record, `day ${day}`);
			await it.poll(2, 12 * 60);
		}
		const items = it.polls.flatMap((poll) => poll.items);
		expect(items.map(({ json }) => json.status)).toEqual(Array.from({ length: 10 }, (_, index) => `day ${index + 1}`));
		expect(items.map(({ json }) => json.previousStatus)).toEqual(
			Array.from({ length: 10 }, (_, index) => `day ${index}`),
		);
		expect(statusOf(record)).toBe('day 10');
	});
});

describe('3. A short budget', () => {
	test.each([
		['own' as const, 9000],
		['every' as const, 9000],
		['every' as const, 20_000],
	])('200 new on 20 pages, scope %s, %d ms a page, 36 s a poll: all are given', async (companyScope, latencyMs) => {
		const deployment = { pageCap: 10, latencyMs, unscoped: companyScope === 'own' ? 'own' : 'all' } as const;
		const it = fixture({ trigger: 'Enrollment', deployment, parameters: { companyScope }, budgetMs: 36_000 });
		await it.poll();
		const created = it.create(200);
		// Where there is no time to find the companies as well, that is tried four times.
		await it.poll(latencyMs > 9000 ? 160 : 120, 1);
		expect(it.fateOf(created)).toEqual(all(200));
	});
});

describe('4. Create times that are none', () => {
	test.each(['none', 'sentinel', 'seconds'] as const)(
		'a create time of the kind "%s": given once, the old ones never',
		async (time) => {
			const it = fixture();
			const old = [...it.create(3, { time }), ...it.create(3)];
			it.clock.pass(HOUR);
			await it.poll(2);
			const created = it.create(2, { time });
			await it.poll(4);
			it.clock.pass(3 * DAY);
			const later = [...it.create(1), ...it.create(1, { time })];
			await it.poll(4, 60);
			expect(it.fateOf([...created, ...later])).toEqual(all(4));
			expect(it.fateOf(old)).toEqual(none(6));
		},
	);
});

describe('5. A list that fails at the first poll', () => {
	test.each([1, 10])('a record that is late by 7 hours is given, %d polls after the failure', async (polls) => {
		const it = fixture({ trigger: 'Enrollment', companies: 3 });
		const company = it.platform.companies.get('company-1');
		if (!company) throw new Error('The platform is empty');
		company.fault = 500;
		await it.poll();
		delete company.fault;
		await it.poll(polls, 20);
		const created = it.create(1, { owner: 'company-1', created: it.clock.now() - 7 * HOUR });
		await it.poll(30, 60);
		expect(it.fateOf(created)).toEqual(all(1));
	});

	test('what is older than the activation is not given, what is younger is', async () => {
		const it = fixture({ trigger: 'Enrollment', companies: 2 });
		const ages = [2, 10, 30, 47, 60].map((hours) => it.clock.now() - hours * HOUR);
		const old = ages.flatMap((created) => it.create(1, { owner: 'company-1', created, since: created }));
		const company = it.platform.companies.get('company-1');
		if (!company) throw new Error('The platform is empty');
		company.fault = 500;
		await it.poll();
		const created = it.create(2, { owner: 'company-1' });
		await it.poll(2);
		delete company.fault;
		await it.poll(20, 30);
		expect(it.fateOf(old)).toEqual(none(5));
		expect(it.fateOf(created)).toEqual(all(2));
	});

	test('the same with one of two simulators', async () => {
		const it = fixture({
			parameters: { simulators: ['phishing', 'quishing'], companyScope: 'own' },
			deployment: { unscoped: 'own' },
		});
		const ages = [2, 10, 30, 47, 60].map((hours) => it.clock.now() - hours * HOUR);
		const old = ages.flatMap((created) => it.create(1, { list: 'quishing', created, since: created }));
		it.platform.listFaults.set('quishing', { fault: 500, asked: 'all' });
		await it.poll();
		const created = it.create(2, { list: 'quishing' });
		it.platform.listFaults.clear();
		await it.poll(5);
		const late = it.create(1, { list: 'quishing', created: it.clock.now() - 7 * HOUR });
		await it.poll(5);
		expect(it.fateOf(old)).toEqual(none(5));
		expect(it.fateOf([...created, ...late])).toEqual(all(3));
	});
});
