/** What a trigger begins with where the service refuses lists at first. */
import { HOUR } from './deployment';
import { all, none, ofCompanies, triggerFixtures } from './fixture';

const parameters = { simulators: ['phishing', 'quishing'], watch: 'campaigns' };
const fixture = triggerFixtures({ companies: 3, isDirect: true, parameters });
type Fixture = ReturnType<typeof fixture>;
const EACH = ['company-0', 'company-1', 'company-2'];
/** One created in each of the last 40 hours, of each company. */
const existing = (it: Fixture, list: 'phishing' | 'quishing') =>
	EACH.flatMap((owner) =>
		Array.from({ length: 40 }, (_, hour) => ({ list, owner, created: it.clock.now() - (hour + 0.5) * HOUR })),
	).flatMap((made) => it.create(1, made));

describe.each([403, 404])('a simulator that is refused at first (%i)', (status) => {
	test.each([
		['new records', {}],
		['what is first seen', { triggerOn: 'statusChanged', alsoFirstSeen: true }],
		['new records, of chosen companies', { companyFilter: { nameContains: 'Customer' } }],
	])('has no existing records to give later: %s', async (_what, more) => {
		const it = fixture({ parameters: { ...parameters, ...more } });
		const old = [...existing(it, 'phishing'), ...existing(it, 'quishing')];
		let isRefused = true;
		it.instead(({ path }) => (isRefused && /quishing/.test(path) ? { status, data: null } : undefined));
		await it.poll(5, 15);
		isRefused = false;
		const created = it.create(2, { list: 'quishing', owner: 'company-1' });
		await it.poll(5, 15);
		expect(it.fateOf(old)).toEqual(none(240));
		expect(it.fateOf(created)).toEqual(all(2));
	});

	test('has none when it is added to a trigger either', async () => {
		const it = fixture({ parameters: { ...parameters, simulators: ['phishing'] } });
		const old = [...existing(it, 'phishing'), ...existing(it, 'quishing')];
		await it.poll(3);
		let isRefused = true;
		it.instead(({ path }) => (isRefused && /quishing/.test(path) ? { status, data: null } : undefined));
		await it.change(parameters);
		await it.poll(5, 15);
		isRefused = false;
		const created = it.create(2, { list: 'quishing', owner: 'company-1' });
		await it.poll(5, 15);
		expect(it.fateOf(old)).toEqual(none(240));
		expect(it.fateOf(created)).toEqual(all(2));
	});
});

test('a simulator that is refused for five days: what came meanwhile is given, and its list of all is believed', async () => {
	const it = await fixture().learn();
	await it.poll(3, 60);
	let isRefused = true;
	it.instead(({ path }) => (isRefused && /phishing/.test(path) ? { status: 403, data: null } : undefined));
	const created = [];
	for (let day = 0; day < 5; day++) {
		created.push(...it.create(1, { owner: EACH[day % 3] ?? '' }));
		await it.poll(4, 6 * 60);
	}
	isRefused = false;
	await it.poll(20, 20);
	expect(it.fateOf(created)).toEqual(all(5));
	expect(it.log).not.toMatch(/lacks some of/);
});

test('a company that is refused at first, where each is asked, has no existing records to give later', async () => {
	const it = fixture({ deployment: { unscoped: 'refused' } });
	const old = existing(it, 'phishing');
	let isRefused = true;
	it.instead(({ company }) => (isRefused && company === 'company-1' ? { status: 403, data: null } : undefined));
	await it.poll(5, 15);
	isRefused = false;
	const created = it.create(2, { owner: 'company-1' });
	await it.poll(5, 15);
	expect(it.fateOf(old)).toEqual(none(120));
	expect(it.fateOf(created)).toEqual(all(2));
});

test('where the companies cannot be listed at first, existing records are not given later', async () => {
	const it = fixture({ deployment: { unscoped: 'refused' } });
	const old = existing(it, 'phishing');
	let isDown = true;
	it.instead(({ path }) => (isDown && path.startsWith('/api/companies') ? { status: 503, data: null } : undefined));
	await it.poll();
	// That is trouble of the moment, so the workflow is published.
	expect(it.polls[0]?.error).toBeUndefined();
	expect(it.log).toMatch(/503.*The next poll tries again/);
	await it.poll(4, 15);
	isDown = false;
	const created = it.create(2, { owner: 'company-1' });
	await it.poll(5, 15);
	expect(it.fateOf(old)).toEqual(none(120));
	expect(it.fateOf(created)).toEqual(all(2));
});

describe.each([403, 404, 500])('all lists of chosen companies fail while a workflow is published (%i)', (status) => {
	const chosen = { ...parameters, companyFilter: { nameContains: 'Customer' } };

	test('the next poll asks again', async () => {
		const it = fixture({ parameters: chosen });
		const old = [...existing(it, 'phishing'), ...existing(it, 'quishing')];
		let isFailing = true;
		it.instead(({ path }) => (isFailing && !path.startsWith('/api/companies') ? { status, data: null } : undefined));
		for (let time = 0; time < 2; time++) {
			await it.poll(1, 1);
			expect(ofCompanies(it.asked()).length).toBeGreaterThanOrEqual(6);
			// Trouble of the moment is none of the person's; a refusal is said to who publishes it.
			expect(it.polls.at(-1)?.error !== undefined).toBe(status !== 500 || time > 0);
		}
		const created = it.create(2, { list: 'quishing', owner: 'company-1' });
		isFailing = false;
		await it.poll(1, 1);
		expect(it.fateOf(created)).toEqual(all(2));
		// After that each company is asked in turn.
		it.asked();
		await it.poll(1, 1);
		expect(ofCompanies(it.asked())).toEqual([]);
		await it.poll(4, 15);
		expect(it.fateOf(old)).toEqual(none(240));
	});
});

describe('lists that seem to be empty while a workflow is published', () => {
	const usual = [
		['new records', {}],
		['new records, late by an hour', { options: { lateArrivals: 1 } }],
		['what is first seen', { triggerOn: 'statusChanged', alsoFirstSeen: true }],
	] as const;
	test.each(usual)('have no existing records to give later: %s', async (_what, more) => {
		const it = fixture({ parameters: { ...parameters, ...more } });
		const old = [...existing(it, 'phishing'), ...existing(it, 'quishing')];
		it.platform.listFaults.set('quishing', { fault: 'empty', asked: 'all' });
		await it.poll(3, 1);
		const created = it.create(1, { list: 'quishing', owner: 'company-1' });
		it.platform.listFaults.clear();
		created.push(...it.create(2, { list: 'quishing', owner: 'company-2' }));
		await it.poll(5, 15);
		expect(it.fateOf(old)).toEqual(none(240));
		expect(it.fateOf(created)).toEqual(all(3));
		expect(it.log).toMatch(/list that was empty has records too old to be late/);
	});

	test.each(usual)('where each company is asked, have a few days to give at most: %s', async (_what, more) => {
		const it = fixture({ parameters: { ...parameters, ...more }, deployment: { unscoped: 'refused' } });
		const old = Array.from({ length: 100 }, (_, index) => 74 + 2 * index).flatMap((age) =>
			it.create(1, { list: 'quishing', owner: 'company-1', created: it.clock.now() - age * HOUR }),
		);
		it.platform.listFaults.set('quishing', { fault: 'empty', asked: 'all' });
		await it.poll(3, 1);
		it.platform.listFaults.clear();
		const created = it.create(2, { list: 'quishing', owner: 'company-2' });
		await it.poll(5, 15);
		expect(it.fateOf(old)).toEqual(none(100));
		expect(it.fateOf(created)).toEqual(all(2));
	});

	test.each([
		['with create times', {}],
		['in local time, eight hours behind', { times: 'unzoned', timesShift: -8 * HOUR }],
		['without create times', { times: 'none' }],
	] as const)('because nothing was created yet: all is given that comes, %s', async (_what, deployment) => {
		const it = fixture({ parameters, deployment });
		await it.poll(3, 1);
		const created = it.create(2, { list: 'quishing', owner: 'company-1' });
		await it.poll(2, 5);
		created.push(...it.create(2, { list: 'quishing', owner: 'company-2' }));
		await it.poll(2, 15);
		expect(it.fateOf(created)).toEqual(all(4));
	});
});

test('records with a create time that stand behind more than 20,000 without one count as existing when they are read', async () => {
	const it = fixture({ isDirect: true });
	const old = [30, 40, 60, 100].flatMap((hours) => it.create(1, { created: it.clock.now() - hours * HOUR }));
	it.create(20_500, { time: 'none' });
	await it.poll(3);
	// The list is read to its end twice in the time of late arrivals.
	await it.poll(14, 60);
	const created = it.create(1);
	await it.poll(14, 60);
	expect(it.fateOf(old)).toEqual(none(4));
	expect(it.fateOf(created)).toEqual(all(1));
});
