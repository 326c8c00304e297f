/** Which lists a poll reads: that of all companies, each company's, and what it learns by it. */
import { DAY, HOUR } from './deployment';
import { ofCompanies, triggerFixtures } from './fixture';

const fixture = triggerFixtures({ trigger: 'Enrollment', companies: 3, isDirect: true });
const EACH = ['company-2', 'company-1', 'company-0'];
const sorted = (asked: string[]) => [...asked].sort();

describe('the rounds', () => {
	test('activation asks no company, the next poll each, and an idle one none', async () => {
		const it = fixture();
		it.create(1, { created: it.clock.now() - HOUR });
		await it.poll();
		expect(it.asked()).toEqual(['all', 'all']);
		await it.poll();
		expect(sorted([...new Set(it.asked())])).toEqual(sorted(['all', 'companies', ...EACH]));
		await it.poll(23);
		expect(it.asked()).toEqual(Array.from({ length: 23 }, () => 'all'));
		// The second round.
		await it.poll(2);
		expect(sorted(it.asked())).toEqual(sorted(['all', 'all', 'companies', ...EACH]));
		await it.poll(100);
		expect(it.asked()).toEqual(Array.from({ length: 100 }, () => 'all'));
		expect(it.log).toBe('');
	});

	test('companies with news do not keep the others waiting, however few a poll has time for', async () => {
		const deployment = { unscoped: 'refused', latencyMs: 3000 } as const;
		const parameters = { options: { concurrency: 2, askEachEvery: 0 } };
		const it = fixture({ companies: 60, deployment, parameters, budgetMs: 36_000 });
		await it.poll(20);
		const created = [];
		for (let polls = 0; polls < 40; polls++) {
			created.push(...Array.from({ length: 20 }, (_, index) => it.create(1, { owner: `company-${index}` })).flat());
			if (polls === 20) created.push(...it.create(1, { owner: 'company-59' }));
			await it.poll();
		}
		expect(it.asked().filter((each) => each === 'company-59').length).toBeGreaterThan(2);
		await it.poll(20);
		expect(it.fateOf(created)).toEqual({ never: 0, once: created.length, oftener: 0 });
	});

	test('children are asked before their parents, which the list of companies has first', async () => {
		const it = fixture({ parameters: { options: { concurrency: 1 } } });
		await it.poll(2);
		expect([...new Set(ofCompanies(it.asked()))]).toEqual(EACH);
	});

	test("once it has found nothing twice, two in the time of 'Late Arrivals'", async () => {
		const it = fixture({ parameters: { options: { lateArrivals: 10 } } });
		for (const owner of it.platform.companies.keys()) it.create(1, { owner, created: it.clock.now() - HOUR });
		await it.poll(15, 10);
		it.asked();
		const rounds = [];
		for (let poll = 1; poll <= 100; poll++) {
			await it.poll(1, 10);
			if (ofCompanies(it.asked()).length > 0) rounds.push(poll * 10);
		}
		expect(rounds).toEqual([290, 590, 890]);
	});

	test('until then, the pause is eight times as long after the first, up to that', async () => {
		const it = fixture({ companies: 1, parameters: { options: { askEachEvery: 10, lateArrivals: 4 } } });
		await it.poll();
		const rounds = [];
		for (let poll = 1; poll <= 60; poll++) {
			await it.poll(1, 10);
			if (ofCompanies(it.asked()).length > 0) rounds.push((poll - 1) * 10);
		}
		expect(rounds).toEqual([0, 80, 200, 320, 440, 560]);
	});

	test('one takes five seconds of a poll, then it goes on with the next company', async () => {
		const it = fixture({ companies: 60, deployment: { latencyMs: 2000 } });
		for (const owner of it.platform.companies.keys()) it.create(1, { owner, created: it.clock.now() - HOUR });
		await it.poll();
		it.asked();
		const rounds: string[][] = [];
		for (let poll = 0; poll < 4; poll++) {
			await it.poll();
			rounds.push([...new Set(ofCompanies(it.asked()))]);
		}
		const counts = rounds.map(({ length }) => length);
		expect(counts.slice(0, 2)).toEqual([24, 24]);
		expect(new Set(rounds.flat()).size).toBe(60);
		expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
	});

	test('one holds up what a poll has to give by five seconds at most', async () => {
		const it = fixture({ companies: 60, deployment: { latencyMs: 2000, rowsNameCompany: true } });
		for (const owner of it.platform.companies.keys()) it.create(1, { owner, created: it.clock.now() - HOUR });
		await it.poll();
		it.asked();
		const created = it.create(1);
		const start = it.clock.now();
		await it.poll(1, 0);
		expect(it.fateOf(created).once).toBe(1);
		expect(it.clock.now() - start).toBeLessThan(16_000);
		expect(new Set(ofCompanies(it.asked())).size).toBe(24);
	});

	test('the kinds share the requests of a poll', async () => {
		const parameters = { simulators: ['phishing', 'quishing'], watch: 'campaigns' };
		const deployment = { latencyMs: 2000, rowsNameCompany: true };
		const it = fixture({ trigger: 'Campaign', companies: 60, deployment, parameters });
		await it.poll(2);
		const ofKind = (path: string) =>
			it.server.requests.filter((each) => each.company !== undefined && each.path.includes(path)).length;
		expect([ofKind('quishing'), ofKind('phishing')]).toEqual([12, 12]);
	});

	test('where each is asked, it takes up to a minute of a poll', async () => {
		const parameters = { companyFilter: { nameContains: 'Customer' } };
		const it = fixture({ companies: 300, deployment: { latencyMs: 2000 }, parameters });
		const start = it.clock.now();
		await it.poll(1, 0);
		// Activation, for which somebody waits.
		expect(it.clock.now() - start).toBeLessThan(22_000);
		expect(new Set(ofCompanies(it.asked())).size).toBeLessThan(80);
		const next = it.clock.now();
		await it.poll(1, 0);
		expect(it.clock.now() - next).toBeLessThan(66_000);
		expect(new Set(ofCompanies(it.asked())).size).toBeGreaterThan(150);
	});

	test("one that takes longer than 'Late Arrivals' is named in the log", async () => {
		const options = { lateArrivals: 1, askEachEvery: 1 };
		const it = fixture({ companies: 60, deployment: { latencyMs: 2000 }, parameters: { options } });
		await it.poll(4, 29);
		expect(it.log).toBe('');
		await it.poll(4, 40);
		expect(it.log).toMatch(/took longer than 'Late Arrivals'/);
	});

	test('one that begins again, because the list of another simulator lacks records, is not named so', async () => {
		const parameters = { simulators: ['phishing', 'quishing'], watch: 'campaigns' };
		const deployment = { latencyMs: 2000, unscoped: 'own' } as const;
		const it = fixture({ trigger: 'Campaign', companies: 60, deployment, parameters });
		it.create(1, { owner: 'company-59', created: it.clock.now() - 5 * HOUR });
		await it.poll(20, 1);
		expect(it.log).toMatch(/list of phishing campaigns of all companies lacks some/);
		expect(it.log).not.toMatch(/took longer/);
	});
});

describe('a list of all that has not everything', () => {
	test("one that has only the credential's own: it is said, nothing is lost, and each is asked from then on", async () => {
		const it = fixture({ deployment: { unscoped: 'own' } });
		for (const owner of it.platform.companies.keys()) it.create(1, { owner, created: it.clock.now() - 5 * HOUR });
		await it.poll(3);
		expect(it.log).toMatch(/lacks some of 'Customer [12]': from now on each company is asked/);
		await it.poll(3, 15);
		it.asked();
		const created = EACH.flatMap((owner) => it.create(2, { owner }));
		await it.poll(1, 15);
		expect(sorted([...new Set(it.asked())])).toEqual(sorted(['all', 'companies', ...EACH]));
		expect(it.fateOf(created).once).toBe(6);
		expect(
			it.polls
				.at(-1)
				?.items.map(({ json }) => json.companyResourceId)
				.sort(),
		).toEqual([...EACH, ...EACH].sort());
		await it.poll(6);
		// Every quarter of an hour, and in between that of all.
		expect(it.asked().filter((each) => each === 'company-0')).toHaveLength(2);
		expect(it.given.size).toBe(6);
		expect(it.log.match(/from now on/g)).toHaveLength(1);
	});

	test('one that fails is no reason: it is read again', async () => {
		const it = await fixture().learn();
		it.platform.fault = 503;
		await it.poll();
		expect(it.polls.at(-1)?.error).toBeDefined();
		delete it.platform.fault;
		it.asked();
		const created = it.create(1);
		await it.poll();
		expect(it.fateOf(created).once).toBe(1);
		await it.poll(3);
		expect(it.asked().filter((each) => each === 'company-1').length).toBeLessThanOrEqual(1);
		expect(it.log).not.toMatch(/from now on/);
	});

	test('with a condition on companies each is asked, and no search names none', async () => {
		const it = fixture({ parameters: { companyFilter: { nameContains: 'Customer 1' } } });
		await it.poll();
		expect([...new Set(it.asked())]).toEqual(['companies', 'company-1']);
		const created = it.create(1, { owner: 'company-1' });
		it.create(1, { owner: 'company-2' });
		await it.poll(1, 15);
		expect(it.last).toEqual(created.map(({ marker }) => marker));
		it.asked();
		await it.poll(2);
		expect(it.asked()).toEqual([]);
	});

	test('a round goes on where a company could not be read, and that one is read again', async () => {
		const it = fixture({ parameters: { companyFilter: { nameContains: 'Customer' }, options: { askEachEvery: 0 } } });
		await it.poll(2);
		const company = it.platform.companies.get('company-1');
		if (company) company.fault = 500;
		const created = EACH.flatMap((owner) => it.create(1, { owner }));
		await it.poll(2);
		expect(it.given.size).toBe(2);
		expect(it.log).toMatch(
			/1 of 3 lists could not be read and are tried again later\. The first, enrollments of Customer 1/,
		);
		if (company) delete company.fault;
		await it.poll();
		expect(it.fateOf(created).once).toBe(3);
	});
});

describe("a company's list that seems to have more", () => {
	test('a record that came between the two readings is no proof', async () => {
		const it = await fixture().learn();
		it.clock.pass(12 * HOUR);
		it.answers.during = { after: 1, happens: () => void it.create(1, { owner: 'company-0' }) };
		await it.poll();
		expect(ofCompanies(it.asked()).length).toBeGreaterThan(0);
		await it.poll(2);
		expect([...it.given.values()]).toEqual([1]);
		it.asked();
		await it.poll(4, 20);
		expect(ofCompanies(it.asked())).toEqual([]);
		expect(it.log).toBe('');
	});

	test('a record that came and is gone again is no proof either', async () => {
		const it = fixture({ companies: 1 });
		it.create(1, { created: it.clock.now() - 5 * HOUR });
		await it.poll();
		const happens = () => {
			const [record] = it.create(1);
			it.answers.during = { after: 2, happens: () => record && it.platform.setVisible(record, false) };
		};
		it.answers.during = { after: 1, happens };
		await it.poll();
		await it.poll(3);
		expect(it.log).toBe('');
		it.asked();
		await it.poll(2);
		expect(it.asked()).toEqual(['all', 'all']);
	});

	test('what lies further back than the list of all was read is none', async () => {
		const it = fixture({ companies: 2, deployment: { pageCap: 30 } });
		for (const owner of it.platform.companies.keys())
			for (let days = 2; days < 50; days++) it.create(1, { owner, created: it.clock.now() - days * DAY });
		await it.poll(4);
		expect(it.log).toBe('');
		it.asked();
		await it.poll(2);
		expect(it.asked()).toEqual(['all', 'all']);
	});
});
