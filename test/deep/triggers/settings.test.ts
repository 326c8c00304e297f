/** Changed settings, and the time that n8n gives a poll. */
import { DAY, HOUR } from './deployment';
import { all, none, triggerFixtures } from './fixture';

const fixture = triggerFixtures({
	trigger: 'Enrollment',
	companies: 2,
	isDirect: true,
	deployment: { rowsNameCompany: true },
});
const every = { enrollmentType: 'all' };

describe('changed settings', () => {
	test.each([
		['Late Arrivals', { options: { lateArrivals: 100 } }],
		['Page Size', { options: { pageSize: 5 } }],
		['Include Details', { options: { includeDetails: true } }],
		['Concurrent Requests', { options: { concurrency: 2, timeout: 30, askEachEvery: 5 } }],
	])('%s changes nothing of what is remembered', async (_what, more) => {
		const it = fixture();
		const old = it.create(3, { created: it.clock.now() - HOUR });
		await it.poll(3);
		const created = it.create(2, { created: it.clock.now() - 30 * 60_000 });
		await it.change({ ...every, ...more });
		await it.poll(2);
		expect(it.fateOf(created)).toEqual(all(2));
		expect(it.fateOf(old)).toEqual(none(3));
		expect(it.log).toBe('');
	});

	test.each([
		['Trigger On', { triggerOn: 'statusChanged', alsoFirstSeen: true }, /settings of enrollments were changed/],
		['Only surveys', { enrollmentType: 'Survey' }, /settings of enrollments were changed/],
	])('with another %s the list begins at the last poll, and that is said', async (_what, more, said) => {
		const it = fixture();
		const old = it.create(3, { created: it.clock.now() - 5 * HOUR, isSurvey: true });
		await it.poll(3);
		const created = it.create(2, { isSurvey: true });
		it.clock.pass(HOUR);
		await it.change({ ...every, ...more });
		await it.poll(2);
		expect(it.fateOf(created)).toEqual(all(2));
		expect(it.fateOf(old)).toEqual(none(3));
		expect(it.log).toMatch(said);
		expect(it.log.match(/starts over/g)).toHaveLength(1);
	});

	test('other companies begin at the last poll, silently, as do those that were there', async () => {
		// The usual poller would save only the polls that give something.
		const parameters = { companyFilter: { nameContains: 'Customer 0' }, options: { askEachEvery: 0 } };
		const it = fixture({ isDurable: true, parameters });
		const old = it.create(2, { owner: 'company-1', created: it.clock.now() - HOUR });
		await it.poll(3);
		const before = it.create(1, { owner: 'company-1' });
		await it.poll(1);
		const created = [...it.create(1), ...it.create(1, { owner: 'company-1' })];
		await it.change({ ...every, companyFilter: { nameContains: 'Customer' }, options: { askEachEvery: 0 } });
		await it.poll(4);
		expect(it.fateOf(created)).toEqual(all(2));
		expect(it.fateOf([...old, ...before])).toEqual(none(3));
		await it.change({ ...every, companyScope: 'one', company: { __rl: true, mode: 'id', value: 'company-1' } });
		const later = [...it.create(1, { owner: 'company-1' })];
		await it.poll(3);
		expect(it.fateOf(later)).toEqual(all(1));
		expect(it.given.size).toBe(3);
		expect(it.log).not.toMatch(/starts over/);
	});

	test.each([
		['removed', { nameContains: 'Customer' }, {}],
		['replaced', { nameContains: 'Customer' }, { nameContains: 'Cust' }],
		['added', {}, { nameContains: 'Customer' }],
	])('a condition on companies is %s: what came since they were asked last is given', async (_what, first, second) => {
		const options = { askEachEvery: 240 };
		const it = fixture({ isDurable: true, parameters: { companyFilter: first, options } });
		const old = it.create(2, { owner: 'company-1', created: it.clock.now() - HOUR });
		await it.poll(3);
		const created = [...it.create(2, { owner: 'company-1' }), ...it.create(1)];
		await it.poll(1);
		await it.change({ ...every, companyFilter: second, options });
		await it.poll(3);
		expect(it.fateOf(created)).toEqual(all(3));
		expect(it.fateOf(old)).toEqual(none(2));
		expect(it.log).not.toMatch(/starts over|cannot be distinguished/);
	});

	test('an empty choice is named, with its field', async () => {
		const it = fixture({ trigger: 'Campaign', parameters: { simulators: [] } });
		await it.poll();
		expect(it.polls[0]?.error?.message).toMatch(/Simulators/);
		const other = fixture({ parameters: { companyScope: 'one', company: { __rl: true, mode: 'id', value: '' } } });
		await other.poll();
		expect(other.polls[0]?.error?.message).toMatch(/Company/);
		expect(other.asked()).toEqual([]);
	});

	test('Only Statuses is asked for in any letters', async () => {
		const it = fixture({ parameters: { triggerOn: 'statusChanged', statuses: 'FINISHED , stopped' } });
		const records = it.create(3, { created: it.clock.now() - DAY, status: 'Running' });
		await it.poll(2);
		for (const [index, status] of ['Finished', 'Sending', 'Stopped'].entries()) {
			const record = records[index];
			if (record) it.platform.setStatus(record, status);
		}
		await it.poll(2);
		expect([...it.given.keys()].sort()).toEqual([records[0]?.marker, records[2]?.marker]);
	});
});

describe('Emit Existing Since', () => {
	test('gives what is younger, once, and nothing of what is older', async () => {
		const it = fixture();
		const since = new Date(it.clock.now() - 5 * DAY).toISOString();
		const created = [1, 4].flatMap((days) => it.create(1, { created: it.clock.now() - days * DAY }));
		const old = [6, 50].flatMap((days) => it.create(1, { created: it.clock.now() - days * DAY }));
		await it.change({ ...every, options: { emitExistingSince: since } });
		await it.poll(3);
		expect(it.fateOf(created)).toEqual(all(2));
		expect(it.fateOf(old)).toEqual(none(2));
	});

	test('is nothing to Status Changed', async () => {
		const it = fixture();
		it.create(1, { created: it.clock.now() - DAY });
		await it.change({
			...every,
			triggerOn: 'statusChanged',
			alsoFirstSeen: true,
			options: { emitExistingSince: '2020-01-01' },
		});
		await it.poll(3);
		expect(it.given.size).toBe(0);
	});
});

test('a state that cannot be read is begun anew, and that is said', async () => {
	const it = fixture();
	it.create(2, { created: it.clock.now() - HOUR });
	await it.poll(3);
	expect(it.log).toBe('');
	await it.damage();
	await it.poll();
	expect(it.log).toMatch(/What was remembered of earlier polls cannot be read, so the trigger starts over/);
	const created = it.create(1);
	await it.poll(2);
	expect(it.fateOf(created)).toEqual(all(1));
	expect(it.given.size).toBe(1);
});

test('what comes while a workflow is being activated is given, what was there before is not', async () => {
	const it = fixture({ deployment: { latencyMs: 9000 } });
	const old = [...it.create(2), ...it.create(2, { created: it.clock.now() - HOUR })];
	it.clock.pass(2000);
	const created: ReturnType<typeof it.create> = [];
	it.answers.during = { after: 1, happens: () => created.push(...it.create(3)) };
	await it.poll(4);
	expect(it.fateOf(created)).toEqual(all(3));
	expect(it.fateOf(old)).toEqual(none(4));
});

describe('a service that fails while n8n starts', () => {
	test('does not stop the trigger: it is named, the next poll says so by failing, and nothing is lost', async () => {
		const it = await fixture().learn();
		const created = it.create(1);
		await it.poll();
		await it.restart();
		let isDown = true;
		it.instead(() => (isDown ? { status: 503, data: null } : undefined));
		const later = it.create(1);
		await it.poll();
		expect(it.polls.at(-1)?.error).toBeUndefined();
		expect(it.log).toMatch(/Could not look for enrollments: .*503.*The next poll tries again/);
		await it.poll();
		expect(it.polls.at(-1)?.error?.message).toMatch(/503/);
		isDown = false;
		await it.poll();
		expect(it.fateOf([...created, ...later])).toEqual(all(2));
	});

	test('nor does one that has trouble while a person publishes the workflow', async () => {
		const it = fixture();
		const old = it.create(1, { created: it.clock.now() - HOUR });
		let isDown = true;
		it.instead(() => (isDown ? { status: 503, data: null } : undefined));
		await it.poll(2);
		expect(it.polls.map(({ error }) => error?.message)).toEqual([undefined, expect.stringMatching(/503/)]);
		expect(it.log).toMatch(/503.*The next poll tries again/);
		// The trigger has begun with the poll that failed.
		const created = it.create(1);
		isDown = false;
		await it.poll(2);
		expect(it.fateOf(created)).toEqual(all(1));
		expect(it.fateOf(old)).toEqual(none(1));
	});

	test('who publishes a workflow is told what the service refuses', async () => {
		const it = fixture();
		it.instead(() => ({ status: 403, data: null }));
		await it.poll();
		expect(it.polls[0]?.error?.message).toMatch(/403/);
	});
});

describe("n8n's time for a poll", () => {
	test('a poll that has none for one page fails, and says so', async () => {
		const it = fixture({ deployment: { latencyMs: 40_000 }, budgetMs: 36_000 });
		await it.poll(2);
		expect(it.polls[1]?.error?.message).toMatch(/did not answer in the time/);
	});

	test.each([36_000, 300_000])('of %d ms at most 95 %% are used', async (budgetMs) => {
		const it = fixture({
			companies: 30,
			budgetMs,
			deployment: { latencyMs: 2000, pageCap: 3 },
			parameters: { options: { includeDetails: true } },
		});
		await it.poll();
		const created = [...it.platform.companies.keys()].flatMap((owner) => it.create(2, { owner }));
		for (let polls = 0; polls < 60 && it.given.size < 60; polls++) {
			const start = it.clock.now();
			await it.poll(1, 0);
			expect(it.clock.now() - start).toBeLessThanOrEqual(0.95 * budgetMs + 3000);
		}
		expect(it.fateOf(created)).toEqual(all(60));
		for (const { json } of it.polls.flatMap(({ items }) => items))
			expect(json.details).toEqual({ detailsOf: json.marker });
	});

	test('new records come a few at a time where it is too short for their companies as well', async () => {
		const it = fixture({ trigger: 'Enrollment', budgetMs: 36_000, deployment: { latencyMs: 9000, pageCap: 10 } });
		it.create(20, { created: it.clock.now() - HOUR });
		await it.poll(5, 1);
		const created = [...it.platform.companies.keys()].flatMap((owner) => it.create(40, { owner }));
		for (let polls = 0; polls < 2; polls++) {
			const before = it.given.size;
			// A record waits for its company for nine polls.
			await it.poll(10, 1);
			expect(it.given.size).toBeGreaterThan(before);
		}
		await it.poll(40, 1);
		expect(it.fateOf(created)).toEqual(all(created.length));
		expect(it.log).toMatch(/could not be found in any company's list that could be read; given without a company/);
	});

	test.each([0, -5, NaN])('a time of %d is none: five minutes', async (budgetMs) => {
		const it = fixture({ budgetMs, deployment: { latencyMs: 10_000, pageCap: 2 } });
		await it.poll();
		const created = it.create(6);
		const items = await it.poll(4);
		expect(it.fateOf(created)).toEqual(all(6));
		for (const { json } of items) expect(json.companyResourceId).toBe('company-0');
	});

	test('a page that comes late in its share is waited for', async () => {
		const it = fixture({ deployment: { latencyMs: 25_000 }, budgetMs: 36_000 });
		await it.poll(3);
		expect(it.polls.map(({ error }) => error?.message)).toEqual([undefined, undefined, undefined]);
		const created = it.create(1);
		await it.poll(6);
		expect(it.fateOf(created)).toEqual(all(1));
	});
});

test('a list that stumbles is asked once more; one that fails is named, and the others are given', async () => {
	const parameters = { simulators: ['phishing', 'quishing'], watch: 'campaigns' };
	const it = fixture({ trigger: 'Campaign', parameters });
	await it.poll(3);
	let left = 1;
	it.instead(({ path }) => (path.includes('quishing') && left-- > 0 ? { status: 500, data: null } : undefined));
	it.asked();
	await it.poll();
	expect(it.asked()).toEqual(['all', 'all', 'all']);
	expect(it.log).toBe('');
	// A read is sent three times if the answer is 500.
	left = 3;
	const created = [...it.create(1), ...it.create(1, { list: 'quishing' })];
	await it.poll();
	expect(it.fateOf(created)).toEqual({ once: 1, oftener: 0, never: 1 });
	expect(it.log).toMatch(/1 of 2 lists could not be read and are tried again later\. The first, quishing campaigns:/);
	await it.poll();
	expect(it.fateOf(created)).toEqual(all(2));
});

test('a company that is asked by itself and fails is named in the error', async () => {
	const it = fixture({
		parameters: {
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: 'company-1', cachedResultName: 'Acme' },
		},
	});
	const company = it.platform.companies.get('company-1');
	if (company) company.fault = 503;
	await it.poll(2);
	expect(`${it.polls[1]?.error?.message} ${String(Reflect.get(it.polls[1]?.error ?? {}, 'description'))}`).toMatch(
		/Acme|company-1/,
	);
});
