/** Details of records, and changes of their status. */
import { DAY } from './deployment';
import { all, markers, triggerFixtures } from './fixture';
import { FOR_GOOD } from './history';

const fixture = triggerFixtures({ trigger: 'Enrollment', companies: 3, isDirect: true });

describe('details', () => {
	const details = { parameters: { options: { includeDetails: true } }, deployment: { rowsNameCompany: true } };

	test('come with the record, and are asked for once more where the service stumbles', async () => {
		const it = fixture(details);
		await it.poll(2);
		const [record] = it.create(1, { owner: 'company-2' });
		if (record) record.detailsFail = 1;
		it.asked();
		const items = await it.poll();
		expect(items.map(({ json }) => json)).toMatchObject([
			{ details: { detailsOf: record?.marker }, companyResourceId: 'company-2' },
		]);
		expect(items[0]?.json).not.toHaveProperty('detailsError');
		expect(it.asked().filter((each) => each === 'details')).toHaveLength(2);
		expect(it.log).toBe('');
	});

	test('that fail keep their record for three polls, and no other; then it comes with the reason', async () => {
		const it = fixture(details);
		await it.poll(2);
		const [broken, ...others] = it.create(5);
		if (broken) broken.detailsFail = FOR_GOOD;
		await it.poll();
		expect(it.last.sort()).toEqual(markers(others));
		expect(it.log).toMatch(/1 record must wait for the next poll/);
		await it.poll(2);
		expect(it.last).toEqual([]);
		expect(it.log).not.toMatch(/given without/);
		const [item] = await it.poll();
		expect(item?.json).toMatchObject({ marker: broken?.marker, detailsError: expect.stringContaining('500') });
		expect(item?.json).not.toHaveProperty('details');
		expect(it.log).toMatch(/The details of one of the enrollments cannot be read, so it is given without/);
		expect(it.log.match(/must wait for the next poll/g)).toHaveLength(3);
		await it.poll(5);
		expect(it.given.get(broken?.marker ?? '')).toBe(1);
	});

	test('that the service refuses for good come so at once', async () => {
		const it = fixture(details);
		await it.poll(2);
		const created = it.create(1);
		it.instead(({ method }) => (method === 'GET' ? { status: 403, data: null } : undefined));
		const [item] = await it.poll();
		expect(it.fateOf(created)).toEqual(all(1));
		expect(item?.json.detailsError).toEqual(expect.any(String));
	});

	test('for which there is no time are read by the next polls, however many it takes', async () => {
		const it = fixture({ ...details, deployment: { rowsNameCompany: true, latencyMs: 5000 }, budgetMs: 36_000 });
		await it.poll(2);
		const created = it.create(100);
		await it.poll();
		const [first] = it.polls.slice(-1);
		expect(first?.items.length).toBeGreaterThanOrEqual(8);
		expect(first?.items.length).toBeLessThan(60);
		await it.poll(20);
		expect(it.fateOf(created)).toEqual(all(100));
		for (const { json } of it.polls.flatMap(({ items }) => items))
			expect(json.details).toEqual({ detailsOf: json.marker });
	});

	test('that fail once come later, however long there was no time for them before', async () => {
		const deployment = { rowsNameCompany: true, latencyMs: 5000 };
		const it = fixture({ ...details, deployment, budgetMs: 36_000 });
		await it.poll(2);
		const created = it.create(60);
		// Once more in the same poll, as well.
		for (const record of created) record.detailsFail = 2;
		await it.poll(40);
		expect(it.fateOf(created)).toEqual(all(60));
		for (const { json } of it.polls.flatMap(({ items }) => items)) expect(json).toHaveProperty('details');
	});

	test('are not asked for where a person wants none', async () => {
		const it = fixture({ deployment: { rowsNameCompany: true }, parameters: { options: { includeDetails: false } } });
		await it.poll(2);
		it.create(1);
		it.asked();
		const [item] = await it.poll();
		expect(item?.json).not.toHaveProperty('details');
		expect(it.asked()).not.toContain('details');
	});
});

describe('Status Changed', () => {
	const status = (more: object = {}) =>
		fixture({ parameters: { triggerOn: 'statusChanged', ...more }, deployment: { rowsNameCompany: true } });

	test('gives a change with the status before, once', async () => {
		const it = status();
		const [record] = it.create(1, { created: it.clock.now() - DAY, status: 'Running' });
		await it.poll(2);
		if (record) it.platform.setStatus(record, 'Stopped');
		const items = await it.poll(3);
		expect(items.map(({ json }) => json)).toMatchObject([{ status: 'Stopped', previousStatus: 'Running' }]);
		it.create(1);
		expect(await it.poll(2)).toEqual([]);
	});

	test("with 'Also Records First Seen', what is new has no status before", async () => {
		const it = status({ alsoFirstSeen: true, statuses: 'stopped' });
		it.create(1, { created: it.clock.now() - DAY, status: 'Stopped' });
		await it.poll(2);
		it.create(1, { status: 'Running' });
		const created = it.create(1, { status: 'Stopped' });
		const items = await it.poll(2);
		expect(items.map(({ json }) => [json.marker, json.previousStatus])).toEqual([[created[0]?.marker, null]]);
	});

	test("watches for as many days as a person wants, whatever 'Late Arrivals' says", async () => {
		const it = status({ options: { watchedDays: 3, lateArrivals: 1 } });
		const [young, old] = [2, 5].flatMap((days) =>
			it.create(1, { created: it.clock.now() - days * DAY, status: 'Running' }),
		);
		await it.poll(4, 60);
		for (const record of [young, old]) if (record) it.platform.setStatus(record, 'Stopped');
		await it.poll(3);
		expect([...it.given.keys()]).toEqual([young?.marker]);
	});

	test('New says nothing of the status before', async () => {
		const it = fixture();
		await it.poll(2);
		it.create(1);
		const [item] = await it.poll();
		expect(item?.json).not.toHaveProperty('previousStatus');
	});
});
