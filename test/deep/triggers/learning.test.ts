/** What a trigger learns about the service's lists, and what it forgets. */
import { DAY, HOUR } from './deployment';
import { all, ofCompanies, triggerFixtures, type TriggerFixture } from './fixture';
const fixture = triggerFixtures({ trigger: 'Enrollment', companies: 3, isDirect: true });
const unscoped = (it: TriggerFixture, status: number, list = 'enrollments') => {
	let isFailing = true;
	it.instead(({ path, company }) =>
		isFailing && company === undefined && path.includes(list) ? { status, data: null } : undefined,
	);
	return () => (isFailing = false);
};

describe('a record without a create time at the end of a long list', () => {
	const long = (it: TriggerFixture) => {
		for (let hour = 0; hour < 300; hour++) it.create(1, { created: it.clock.now() - hour * HOUR });
		it.create(2, { time: 'none', created: it.clock.now() - 400 * HOUR });
	};

	test.each([
		['the list of all', {}],
		[
			'each company, where each is asked',
			{ companyFilter: { nameContains: 'Customer' }, options: { askEachEvery: 0 } },
		],
	])("is found twice in the time of 'Late Arrivals', with few requests: %s", async (_what, parameters) => {
		const it = fixture({ companies: 1, deployment: { totals: 'absent', rowsNameCompany: true }, parameters });
		long(it);
		await it.poll(3, 30);
		const created = it.create(1, { time: 'none', created: it.clock.now() - 900 * HOUR });
		it.asked();
		let whole = 0;
		for (let polls = 0; polls < 52; polls++) {
			await it.poll(1, 30);
			if (it.asked().filter((each) => each !== 'companies').length > 1) whole++;
		}
		expect(it.fateOf(created)).toEqual(all(1));
		expect(it.given.size).toBe(1);
		// In 26 hours, with the polls that compare the company's list.
		expect(whole).toBeGreaterThanOrEqual(1);
		expect(whole).toBeLessThanOrEqual(5);
		expect(it.log).toBe('');
	});

	test.each([false, true])(
		'is given though rows name no company, with the company that it is of (details: %s)',
		async (includeDetails) => {
			const it = fixture({ parameters: { options: { includeDetails } } });
			long(it);
			await it.poll(3, 30);
			const created = it.create(2, { time: 'none', owner: 'company-2', created: it.clock.now() - 900 * HOUR });
			const items = await it.poll(14, 60);
			expect(it.fateOf(created)).toEqual(all(2));
			expect(items.map(({ json }) => json.companyResourceId)).toEqual(['company-2', 'company-2']);
		},
	);

	/** One whose details cannot be read so often. */
	const withoutDetails = async (detailsFail: number) => {
		const it = fixture({ deployment: { rowsNameCompany: true }, parameters: { options: { includeDetails: true } } });
		long(it);
		await it.poll(3, 30);
		const created = it.create(1, { time: 'none', created: it.clock.now() - 900 * HOUR });
		return { it, created: created.map((record) => Object.assign(record, { detailsFail })) };
	};

	test('whose details fail for a while is given', async () => {
		const { it, created } = await withoutDetails(3);
		await it.poll(18, 60);
		expect(it.fateOf(created)).toEqual(all(1));
	});

	test('that is gone again before it could be given is named', async () => {
		const { it, created } = await withoutDetails(100);
		for (let polls = 0; polls < 20 && created.every(({ detailsFailed }) => !detailsFailed); polls++)
			await it.poll(1, 60);
		for (const record of created) it.platform.setVisible(record, false);
		await it.poll(30, 60);
		expect(it.fateOf(created)).toEqual({ once: 0, oftener: 0, never: 1 });
		expect(it.log).toMatch(/1 record that waited to be given can no longer be found/);
	});

	test('is no reason to doubt the list of all, if it was there before', async () => {
		const it = fixture({ companies: 2 });
		for (const owner of it.platform.companies.keys()) {
			for (let days = 1; days < 70; days++) it.create(1, { owner, created: it.clock.now() - days * DAY });
			it.create(1, { owner, time: 'none', created: it.clock.now() - 400 * DAY });
		}
		await it.poll();
		it.asked();
		await it.poll();
		expect(it.asked().filter((each) => each === 'all')).toHaveLength(1);
		await it.poll(3);
		expect([it.given.size, it.log]).toEqual([0, '']);
	});
});

describe('the list of all', () => {
	test('that is refused together with the list of companies lets the poll fail: n8n says so, and nothing is learnt', async () => {
		const it = fixture({ deployment: { unscoped: 'refused' } });
		let isRefused = true;
		it.instead(() => (isRefused ? { status: 403, data: null } : undefined));
		await it.poll(3);
		for (const { error } of it.polls) expect(error?.message).toMatch(/Could not look for enrollments: .*403/);
		expect(it.log).not.toMatch(/from now on/);
		isRefused = false;
		await it.poll(2);
		expect(it.log).toMatch(/from now on each company is asked, every 15 minutes/);
		const created = it.create(1, { owner: 'company-1' });
		await it.poll(1, 15);
		expect(it.fateOf(created)).toEqual(all(1));
	});

	test('that fails in the poll that was to compare it stops nothing', async () => {
		const parameters = { simulators: ['phishing', 'quishing'], watch: 'campaigns' };
		const it = fixture({ trigger: 'Campaign', parameters });
		await it.poll();
		const heal = unscoped(it, 503, 'quishing');
		const created = [
			...it.create(1, { owner: 'company-1' }),
			...it.create(1, { list: 'quishing', owner: 'company-2' }),
		];
		await it.poll();
		expect(it.polls.at(-1)?.error).toBeUndefined();
		expect(it.fateOf(created)).toEqual({ once: 1, oftener: 0, never: 1 });
		heal();
		await it.poll();
		expect(it.fateOf(created)).toEqual(all(2));
		expect(it.log).not.toMatch(/from now on/);
	});

	test.each([
		['failed while it was compared', 0, 30],
		['shows a record late', 23.5, 0],
	])('without a company that %s: its record is found by the next rounds', async (_what, lateHours, failsForHours) => {
		const it = fixture({ companies: 2, deployment: { unscoped: 'own' } });
		const company = it.platform.companies.get('company-1');
		if (!company) throw new Error('The platform is empty');
		it.create(1, { created: it.clock.now() - HOUR });
		await it.poll(40, 60);
		const created = [];
		if (failsForHours > 0) company.fault = 500;
		for (let passed = 0; passed < 70; passed += 0.5) {
			if (passed === 1 + lateHours)
				created.push(...it.create(1, { owner: 'company-1', created: it.clock.now() - lateHours * HOUR }));
			if (passed >= failsForHours) delete company.fault;
			// The list of all has recent records, so its own window ends soon.
			it.create(1);
			await it.poll(1, 30);
		}
		expect(it.fateOf(created)).toEqual(all(1));
	});

	test('that lacks records of one simulator is compared at once for the others', async () => {
		const parameters = { simulators: ['phishing', 'quishing'], watch: 'campaigns' };
		const it = fixture({ trigger: 'Campaign', companies: 6, parameters, deployment: { unscoped: 'some' } });
		await it.poll(40, 60);
		it.create(1, { owner: 'company-1' });
		for (let polls = 0; polls < 14 && !it.log.includes('lacks some of'); polls++) await it.poll(1, 60);
		expect(it.log.match(/lacks some of/g)).toHaveLength(1);
		it.asked();
		await it.poll(1, 1);
		const ofOthers = it.server.requests.filter(
			({ path, company }) => path.includes('quishing') && company !== undefined,
		);
		expect(new Set(ofOthers.map(({ company }) => company)).size).toBe(6);
	});

	test('that is in no order is read whole, though its first page is in order by chance', async () => {
		const it = fixture({ companies: 2, deployment: { sort: 'byName', pageCap: 20, rowsNameCompany: true } });
		for (let count = 0; count < 90; count++) it.create(1, { created: it.clock.now() - count * 7 * HOUR });
		await it.poll();
		const created = [];
		for (let polls = 0; polls < 30; polls++) {
			created.push(...it.create(1));
			await it.poll();
		}
		expect(it.fateOf(created)).toEqual(all(30));
	});

	test('goes on telling what it has, where each company is asked', async () => {
		const it = fixture({ companies: 90, deployment: { unscoped: 'some', latencyMs: 20_000, rowsNameCompany: true } });
		for (const owner of it.platform.companies.keys()) it.create(1, { owner, created: it.clock.now() - 5 * HOUR });
		await it.poll(3);
		expect(it.log).toMatch(/lacks some of/);
		const created = it.create(1, { owner: 'company-0' });
		it.asked();
		await it.poll(1, 0);
		expect(it.asked()).toContain('all');
		await it.poll(1, 0);
		expect(it.fateOf(created)).toEqual(all(1));
		await it.poll(20);
		expect(it.given.size).toBe(1);
	});

	test('that is said to lack a record, of one company of several, is asked no more', async () => {
		const it = fixture({ companies: 6, deployment: { unscoped: 'some' } });
		for (const owner of it.platform.companies.keys()) it.create(2, { owner, created: it.clock.now() - 5 * HOUR });
		await it.poll(3);
		expect(it.log).toMatch(/lacks some of 'Customer [14]'/);
		const created = [...it.platform.companies.keys()].flatMap((owner) => it.create(1, { owner }));
		await it.poll(2, 15);
		expect(it.fateOf(created)).toEqual(all(6));
		expect(it.given.size).toBe(6);
	});

	test('records without create times that it had are not new in the lists of the companies', async () => {
		const it = fixture({ deployment: { times: 'none', unscoped: 'some' } });
		for (const owner of it.platform.companies.keys()) it.create(3, { owner });
		await it.poll(4, 20);
		expect(it.log).toMatch(/from now on/);
		expect(it.given.size).toBe(0);
		const created = [...it.platform.companies.keys()].flatMap((owner) => it.create(1, { owner }));
		await it.poll(4, 20);
		expect(it.fateOf(created)).toEqual(all(3));
		expect(it.given.size).toBe(3);
	});
});

describe('a clock that was ahead', () => {
	test('does not stop the rounds when it is set right', async () => {
		const it = fixture();
		for (const owner of it.platform.companies.keys()) it.create(1, { owner, created: it.clock.now() - HOUR });
		await it.poll(2);
		it.clock.turnBack(20 * DAY);
		it.asked();
		await it.poll(2);
		expect(ofCompanies(it.asked()).length).toBeGreaterThan(0);
	});
});

describe('what is forgotten', () => {
	test('what is older than the window, once each company was read', async () => {
		const it = fixture({ companies: 1 });
		for (let day = 0; day < 12; day++) {
			it.create(60);
			await it.poll(2, 12 * 60);
		}
		const bytes = it.polls.map(({ stateBytes }) => stateBytes);
		expect(Math.max(...bytes.slice(12))).toBeLessThan(5000);
		expect(it.given.size).toBe(660);
	});

	test('more than 20,000 records without create times: it is said', async () => {
		const it = fixture({ companies: 1, deployment: { times: 'none' } });
		it.create(19_990);
		await it.poll();
		expect(it.log).toBe('');
		const created = it.create(20);
		await it.poll(3);
		expect(it.fateOf(created)).toEqual(all(20));
		expect(it.log.match(/More than 20,000 records without a create time/g)).toHaveLength(1);
		// Of those that are created after that, the new ones stand before the known ones.
		const later = it.create(20);
		await it.poll(3);
		expect(it.fateOf(later)).toEqual(all(20));
	});

	test('5,000 jobs without create times, sorted by name: each new one is given', async () => {
		const parameters = { simulators: ['phishing'], watch: 'jobs' };
		const deployment = { times: 'none', sort: 'refused' } as const;
		const it = fixture({ trigger: 'Campaign', companies: 20, deployment, parameters });
		for (const owner of it.platform.companies.keys()) it.create(250, { list: 'phishing', owner });
		await it.poll(2);
		const created = [...it.platform.companies.keys()].flatMap((owner) => it.create(10, { list: 'phishing', owner }));
		await it.poll(2);
		expect(it.fateOf(created)).toEqual(all(200));
		expect(it.log).toBe('');
	});

	test('20,100 of them: those that cannot be given are named at each poll', async () => {
		const parameters = { simulators: ['phishing'], watch: 'jobs' };
		const deployment = { times: 'none', sort: 'refused' } as const;
		const it = fixture({ trigger: 'Campaign', companies: 1, deployment, parameters });
		it.create(20_100);
		await it.poll(2);
		it.create(10);
		await it.poll();
		expect(it.given.size).toBe(0);
		expect(it.polls.at(-1)?.warnings.join()).toMatch(/\d+ records without a create time.*cannot be distinguished/);
	});

	test('nothing of that, before', async () => {
		const it = fixture({ companies: 2, deployment: { rowsNameCompany: true } });
		const company = it.platform.companies.get('company-1');
		await it.poll(3);
		const created = it.create(3, { owner: 'company-1' });
		await it.poll();
		if (company) company.fault = 500;
		for (let day = 0; day < 5; day++) {
			it.create(1);
			await it.poll(2, 12 * 60);
		}
		if (company) delete company.fault;
		await it.poll(10, 3 * 60);
		expect(it.fateOf(created)).toEqual(all(3));
	});
});
