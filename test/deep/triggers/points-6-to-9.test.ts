/** What once went wrong, each as the sequence in which it was seen. */
import { DAY, HOUR } from './deployment';
import { all, none, triggerFixtures } from './fixture';
import { FOR_GOOD } from './history';

const fixture = triggerFixtures();

describe('6. One wrong clock', () => {
	test('two Date headers of ten days ahead do not stop the trigger', async () => {
		const it = fixture();
		it.create(3);
		await it.poll(3);
		it.platform.headerError = { ms: 10 * DAY, answers: 2 };
		await it.poll(1);
		const created = Array.from({ length: 20 }, () => 0);
		const records = [];
		for (const _ of created) {
			records.push(...it.create(1));
			await it.poll(1, 8 * 60);
		}
		expect(it.fateOf(records)).toEqual(all(20));
	});

	test.each([10 * DAY, -10 * DAY])(
		'a Date header that is wrong by %d ms at the first poll moves nothing',
		async (ms) => {
			const it = fixture();
			const old = it.create(3);
			it.platform.headerError = { ms, answers: 1 };
			await it.poll();
			const records = [...it.create(1), ...it.create(1, { created: it.clock.now() - 3 * HOUR })];
			await it.poll(3);
			expect(it.fateOf(records)).toEqual(all(2));
			expect(it.fateOf(old)).toEqual(none(3));
		},
	);

	test('without a Date header, a record of 2099 does not stop the trigger', async () => {
		const it = fixture({ deployment: { dateHeader: 'absent' } });
		it.create(3);
		await it.poll(3);
		const records = it.create(1, { time: 'future' });
		await it.poll(2);
		for (let count = 0; count < 20; count++) {
			records.push(...it.create(1));
			await it.poll(1, 8 * 60);
		}
		expect(it.fateOf(records)).toEqual(all(21));
	});
});

describe('7. Details that cannot be read', () => {
	test('a record whose details always answer 500 comes without them, and keeps up no other', async () => {
		const it = fixture({ trigger: 'Enrollment', parameters: { options: { includeDetails: true } } });
		await it.poll();
		const [broken] = it.create(1);
		if (!broken) throw new Error('The platform is empty');
		broken.detailsFail = FOR_GOOD;
		const records = [broken];
		for (let count = 0; count < 30; count++) {
			records.push(...it.create(1));
			await it.poll(1, 60);
		}
		expect(it.fateOf(records)).toEqual(all(31));
		const item = it.polls.flatMap(({ items }) => items).find(({ json }) => json.marker === broken.marker);
		expect(item?.json.details).not.toEqual({ detailsOf: broken.marker });
		const others = it.polls.flatMap(({ items }) => items).filter(({ json }) => json.marker !== broken.marker);
		for (const { json } of others) expect(json.details).toMatchObject({ detailsOf: json.marker });
	});
});

describe('8. Lists that change or differ', () => {
	test('a simulator is added: what was created since the last poll on the others is given', async () => {
		const it = fixture({ parameters: { simulators: ['phishing'], watch: 'campaigns' } });
		const old = [...it.create(3), ...it.create(3, { list: 'quishing' })];
		await it.poll(2);
		const created = it.create(2);
		await it.change({ simulators: ['phishing', 'quishing'], watch: 'campaigns' });
		await it.poll(1);
		const later = [...it.create(1), ...it.create(1, { list: 'quishing' })];
		await it.poll(2);
		expect(it.fateOf([...created, ...later])).toEqual(all(4));
		expect(it.fateOf(old)).toEqual(none(6));
	});

	test('companies are added to those watched: the others lose nothing', async () => {
		const it = fixture({ companies: 2, parameters: { companyFilter: { nameContains: 'Customer 0' } } });
		const old = it.create(2, { owner: 'company-1' });
		await it.poll(2);
		const created = it.create(2);
		await it.change({ simulators: ['phishing'], watch: 'campaigns' });
		await it.poll(1);
		const later = it.create(1, { owner: 'company-1' });
		await it.poll(2);
		expect(it.fateOf([...created, ...later])).toEqual(all(3));
		expect(it.fateOf(old)).toEqual(none(2));
	});

	test("a parent's list has its children's records as well: each is given once", async () => {
		const it = fixture({ trigger: 'Enrollment', deployment: { parentsIncludeChildren: true } });
		const child = it.platform.addCompany({ parent: 'company-0' });
		const grandchild = it.platform.addCompany({ parent: child.id });
		await it.poll();
		const created = [child, grandchild].flatMap(({ id }) => it.create(3, { owner: id }));
		await it.poll(6);
		expect(it.fateOf(created)).toEqual(all(6));
	});

	test('a record that changes company is given once', async () => {
		const it = fixture({ trigger: 'Enrollment', companies: 3 });
		await it.poll();
		const created = it.create(2, { owner: 'company-1' });
		await it.poll(3);
		for (const record of created) it.platform.move(record, 'company-2');
		await it.poll(6, 20);
		expect(it.fateOf(created)).toEqual(all(2));
	});

	test('a list whose first page is in order by chance is read on', async () => {
		const it = fixture({ deployment: { sort: 'mostlyInOrder', pageCap: 5 } });
		for (const days of [40, 30, 20, 10]) it.create(1, { created: it.clock.now() - days * DAY });
		await it.poll();
		const created = [];
		for (let count = 0; count < 12; count++) {
			created.push(...it.create(3));
			await it.poll(1, 60);
		}
		await it.poll(3);
		expect(it.fateOf(created)).toEqual(all(36));
	});

	test.each([
		[1, 'obeyed'],
		[1, 'byName'],
		[1, 'mostlyInOrder'],
		[2, 'byName'],
	] as const)('Page Size %d reads all that is new (sort %s)', async (pageSize, sort) => {
		const it = fixture({ parameters: { options: { pageSize } }, deployment: { sort } });
		const old = [2, 5, 9].flatMap((days) => it.create(1, { created: it.clock.now() - days * DAY }));
		await it.poll();
		const created = it.create(9);
		await it.poll(3);
		expect(it.fateOf(created)).toEqual(all(9));
		expect(it.fateOf(old)).toEqual(none(3));
	});

	test('a page that is empty, because its row may not be seen, is not the end', async () => {
		const it = fixture({ parameters: { options: { pageSize: 1 } }, deployment: { trimmed: true } });
		it.create(5, { created: it.clock.now() - 3 * DAY });
		await it.poll();
		const created = it.create(9);
		await it.poll(3);
		expect(it.fateOf(created)).toEqual(all(9));
	});
});

describe('9. Details that fail for a while', () => {
	test('the first job of a list without create times, with a summary that answers 500 during one poll', async () => {
		const parameters = { simulators: ['phishing'], watch: 'jobs', options: { includeDetails: true } };
		const it = fixture({ deployment: { times: 'none' }, parameters });
		await it.poll(2);
		const created = it.create(1);
		for (const record of created) record.detailsFail = 5;
		await it.poll(6);
		expect(it.fateOf(created)).toEqual(all(1));
	});

	test.each([1, 2, 5])('Emit Existing Since, and the details of an older record fail %d times', async (fails) => {
		const it = fixture({ trigger: 'Enrollment' });
		const since = new Date(it.clock.now() - 10 * DAY).toISOString();
		const times = [6 * DAY, 3 * DAY, HOUR].map((age) => it.clock.now() - age);
		const old = times.flatMap((created) => it.create(1, { created, since: created }));
		for (const record of old.slice(0, 1)) record.detailsFail = fails;
		await it.change({ enrollmentType: 'all', options: { includeDetails: true, emitExistingSince: since } });
		await it.poll(10, 30);
		expect(it.fateOf(old)).toEqual(all(3));
	});
});

describe('Beside them', () => {
	test('Fetch Test Event says in words that there is nothing yet, and changes nothing', async () => {
		const it = fixture({ trigger: 'Enrollment' });
		const { items, error } = await it.fetchTestEvent();
		expect(items).toEqual([]);
		expect(`${error?.message} ${it.log}`).toMatch(/no enrollments/i);
	});

	test('a company that is down for three days loses nothing, and the others wait for nobody', async () => {
		const it = fixture({ trigger: 'Enrollment', companies: 3 });
		await it.poll();
		const company = it.platform.companies.get('company-1');
		if (!company) throw new Error('The platform is empty');
		company.fault = 503;
		const created = [];
		for (let count = 0; count < 12; count++) {
			created.push(...it.create(1, { owner: 'company-1' }));
			const others = it.create(1, { owner: 'company-2' });
			await it.poll(1, 6 * 60);
			expect(it.fateOf(others)).toEqual(all(1));
		}
		delete company.fault;
		await it.poll(30, 60);
		expect(it.fateOf(created)).toEqual(all(12));
		expect(it.log).toMatch(/company-1|Customer 1/);
	});
});
