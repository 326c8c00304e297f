/** Which companies are asked for the owner of a new record. */
import { DAY, HOUR, MINUTE } from './deployment';
import { ofCompanies, triggerFixtures } from './fixture';

const fixture = triggerFixtures({ trigger: 'Enrollment', companies: 3, isDirect: true });

describe('who is asked first for a new record', () => {
	test('nobody, if the record names its company', async () => {
		const it = await fixture({ deployment: { rowsNameCompany: true } }).learn();
		it.create(1, { owner: 'company-2' });
		const [item] = await it.poll();
		expect(new Set(it.asked())).toEqual(new Set(['all']));
		expect(item?.json).toMatchObject({ kind: 'enrollment', companyResourceId: 'company-2', companyName: 'Customer 2' });
	});

	test('the company that had news last', async () => {
		const it = await fixture({ companies: 40 }).learn();
		it.create(1, { owner: 'company-31' });
		const [first] = await it.poll();
		expect(first?.json).toMatchObject({ companyResourceId: 'company-31', companyName: 'Customer 31' });
		expect(it.asked().length).toBeGreaterThan(8);
		it.create(1, { owner: 'company-31' });
		const [second] = await it.poll();
		expect(second?.json).toMatchObject({ companyResourceId: 'company-31' });
		const asked = ofCompanies(it.asked());
		// Eight are asked at once.
		expect(asked[0]).toBe('company-31');
		expect(new Set(asked).size).toBeLessThanOrEqual(8);
	});

	test('twenty of them at most', async () => {
		const it = await fixture({ companies: 40 }).learn();
		for (let index = 0; index < 25; index++) {
			it.create(1, { owner: `company-${index}` });
			await it.poll();
		}
		it.asked();
		it.create(1, { owner: 'company-24' });
		await it.poll();
		expect(ofCompanies(it.asked()).length).toBeLessThanOrEqual(20);
		expect([...it.given.values()].every((times) => times === 1)).toBe(true);
		expect(it.given.size).toBe(26);
	});

	test('nobody, if the record has the ID of its company only; then no name is given', async () => {
		const createTime = new Date(fixture().clock.now() + HOUR).toISOString();
		for (const companyScope of ['every', 'own']) {
			const it = fixture({ parameters: { companyScope } });
			const results = [{ enrollmentId: 'new', marker: 'new', companyId: 'company-9', status: 'Running', createTime }];
			let isThere = false;
			it.instead(({ path, company }) => {
				if (!isThere || path !== '/api/enrollments/search' || company !== undefined) return undefined;
				return { status: 200, data: { results, totalNumberOfPages: 1, totalNumberOfRecords: 1 } };
			});
			await it.poll(3, 60);
			isThere = true;
			for (const items of [await it.poll(), (await it.fetchTestEvent()).items]) {
				expect(items.map(({ json }) => json)).toMatchObject([{ marker: 'new', companyResourceId: 'company-9' }]);
				expect(items[0]?.json).not.toHaveProperty('companyName');
			}
		}
	});

	test('a company of the same name as no other', async () => {
		const it = await fixture().learn();
		const createTime = new Date(it.clock.now() - MINUTE).toISOString();
		it.instead(({ path, company }) => {
			if (path !== '/api/enrollments/search' || company !== undefined) return undefined;
			const results = [
				{ enrollmentId: 'new', marker: 'new', companyName: 'CUSTOMER 1', status: 'Running', createTime },
			];
			return { status: 200, data: { results, totalNumberOfPages: 1, totalNumberOfRecords: 1 } };
		});
		const items = await it.poll();
		expect(ofCompanies(it.asked())).toEqual([]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ companyResourceId: 'company-1', companyName: 'CUSTOMER 1' },
		]);
	});
});

describe('of three simulators', () => {
	const SIMULATORS = ['phishing', 'smishing', 'quishing'] as const;

	test.each(['all', 'refused'] as const)(
		'one that hangs for one simulator takes nothing from the others (all at once: %s)',
		async (unscoped) => {
			const parameters = { simulators: [...SIMULATORS], watch: 'campaigns', options: { askEachEvery: 0 } };
			const it = fixture({ trigger: 'Campaign', parameters, companies: 10, deployment: { unscoped } });
			await it.poll(4);
			it.instead(({ company }) => (company === 'company-7' ? { status: 200, data: null, broken: 'hang' } : undefined));
			const owners = [...it.platform.companies.keys()].filter((each) => each !== 'company-7');
			const created = owners.flatMap((owner) => SIMULATORS.flatMap((list) => it.create(1, { owner, list })));
			await it.poll(2);
			expect(it.fateOf(created)).toEqual({ never: 0, once: created.length, oftener: 0 });
		},
	);

	test('a list of all that hangs does not keep the other lists waiting for long', async () => {
		const parameters = { simulators: [...SIMULATORS], watch: 'campaigns' };
		const it = await fixture({ trigger: 'Campaign', parameters, deployment: { rowsNameCompany: true } }).learn();
		it.instead(({ path }) => (path.includes('smishing') ? { status: 200, data: null, broken: 'hang' } : undefined));
		const created = (['phishing', 'quishing'] as const).flatMap((list) => it.create(2, { list }));
		const before = it.clock.now();
		await it.poll(1, 0);
		expect(it.clock.now() - before).toBeLessThan(40_000);
		expect(it.fateOf(created)).toEqual({ never: 0, once: 4, oftener: 0 });
	});

	test('a list of all that hangs takes nothing from the companies and details of others, however little time a poll has', async () => {
		const parameters = { simulators: [...SIMULATORS], watch: 'campaigns' };
		const deployment = { latencyMs: 500 };
		const it = fixture({
			trigger: 'Campaign',
			parameters,
			deployment,
			companies: 10,
			budgetMs: 36_000,
			isDurable: true,
		});
		await it.poll(6);
		it.instead(({ path, company }) =>
			path.includes('smishing') && company === undefined ? { status: 200, data: null, broken: 'hang' } : undefined,
		);
		const owners = [...it.platform.companies.keys()];
		const created = owners.flatMap((owner) =>
			(['phishing', 'quishing'] as const).flatMap((list) => it.create(1, { owner, list })),
		);
		const items = await it.poll(1, 0);
		expect(it.fateOf(created)).toEqual({ never: 0, once: 20, oftener: 0 });
		for (const { json } of items) expect(json.companyResourceId).toMatch(/^company-/);
	});
});

test('a late record in a long list comes with its company, also soon after the activation', async () => {
	const it = fixture({ deployment: { pageCap: 50 } });
	for (const owner of it.platform.companies.keys())
		for (let index = 1; index < 200; index++) it.create(1, { owner, created: it.clock.now() - index * 10 * MINUTE });
	await it.poll(3, 1);
	const late = [...it.platform.companies.keys()].flatMap((owner) =>
		[2.9, 8, 20].flatMap((hours) => it.create(1, { owner, created: it.clock.now() - hours * HOUR })),
	);
	const items = await it.poll(1, 1);
	expect(items).toHaveLength(late.length);
	for (const { json } of items)
		expect(json.companyResourceId).toBe(late.find(({ marker }) => marker === json.marker)?.owner);
});

test('a record with a sentinel as its create time, behind all others in long lists, comes with its company', async () => {
	const it = fixture();
	for (const owner of it.platform.companies.keys())
		for (let days = 2; days < 300; days++) it.create(1, { owner, created: it.clock.now() - days * DAY });
	await it.poll(3);
	const created = it.create(1, { owner: 'company-2', time: 'sentinel' });
	const items = await it.poll(13, 60);
	expect(it.fateOf(created)).toEqual({ never: 0, once: 1, oftener: 0 });
	expect(items.map(({ json }) => json.companyResourceId)).toEqual(['company-2']);
});
