/** What a trigger gives of lists that come in, or can be read, only later. */
import type { IDataObject } from 'n8n-workflow';

import { HOUR } from './deployment';
import { all, none, triggerFixtures } from './fixture';

const fixture = triggerFixtures({ trigger: 'Enrollment', companies: 3, isDirect: true });
const firstSeen = { triggerOn: 'statusChanged', alsoFirstSeen: true };

describe('a company that is listed for the first time, with older records', () => {
	const each = { options: { askEachEvery: 1 } };
	const ages = Array.from({ length: 40 }, (_, index) => 0.5 + index * 6.9);

	test.each<[string, IDataObject, number, ('refused' | 'all')?]>([
		['new records', {}, 24],
		['what is first seen, each company asked', { ...firstSeen, ...each }, 24, 'refused'],
		[
			'what is first seen, each company asked, late by an hour',
			{ ...firstSeen, ...each, options: { ...each.options, lateArrivals: 1 } },
			1,
			'refused',
		],
		['new records, late by an hour', { options: { lateArrivals: 1 } }, 1],
		['what is first seen', firstSeen, 24],
		['what is first seen, late by an hour', { ...firstSeen, options: { lateArrivals: 1 } }, 1],
		['what is first seen, watched for a day', { ...firstSeen, options: { watchedDays: 1, lateArrivals: 100 } }, 100],
	])(
		'%s: what was created within Late Arrivals is given, and nothing older',
		async (_what, parameters, late, unscoped = 'all') => {
			const it = fixture({ parameters, deployment: { unscoped } });
			const old = it.create(5, { created: it.clock.now() - 30 * HOUR });
			await it.poll(5, 1);
			const recent = it.create(2, { owner: 'company-1' });
			await it.poll(3, 1);
			const { id: owner } = it.platform.addCompany();
			const records = ages.flatMap((age) => it.create(1, { owner, created: it.clock.now() - age * HOUR }));
			await it.poll(4, 15);
			const within = ages.filter((age) => age < late).length;
			expect(it.fateOf(records.slice(0, within))).toEqual(all(within));
			// An hour more is allowed for pages that shift.
			expect(it.fateOf(records.filter((_, index) => (ages[index] ?? 0) > late + 1))).toEqual(
				none(ages.filter((age) => age > late + 1).length),
			);
			expect(it.fateOf(old)).toEqual(none(5));
			expect(it.fateOf(recent)).toEqual(all(2));
		},
	);

	test('where what is first seen is not given: only their changes', async () => {
		const it = fixture({ parameters: { triggerOn: 'statusChanged' } });
		await it.poll(5, 1);
		const { id: owner } = it.platform.addCompany();
		const records = ages.flatMap((age) => it.create(1, { owner, created: it.clock.now() - age * HOUR }));
		await it.poll(4, 15);
		expect(it.fateOf(records)).toEqual(none(40));
		for (const record of records.slice(20)) it.platform.setStatus(record, 'Stopped');
		await it.poll(2, 1);
		expect(it.fateOf(records.slice(0, 20))).toEqual(none(20));
		expect(it.fateOf(records.slice(20))).toEqual(all(20));
	});
});

test.each([
	['new records', {}],
	['what is first seen', firstSeen],
])(
	'a simulator that is refused for six days from the activation on, then not: %s, all is given',
	async (_what, more) => {
		const parameters = { simulators: ['phishing', 'quishing'], watch: 'campaigns', ...more };
		const it = fixture({ trigger: 'Campaign', parameters });
		const old = it.create(20, { list: 'quishing', created: it.clock.now() - 40 * HOUR });
		let isRefused = true;
		it.instead(({ path }) => (isRefused && /quishing/.test(path) ? { status: 403, data: null } : undefined));
		const created = [];
		for (let day = 0; day < 6; day++) {
			await it.poll(3, 8 * 60);
			created.push(...it.create(1, { list: 'quishing', owner: 'company-1' }));
			created.push(...it.create(1, { list: 'phishing', owner: 'company-1' }));
		}
		isRefused = false;
		await it.poll(4, 15);
		expect(it.fateOf(created)).toEqual(all(12));
		expect(it.fateOf(old)).toEqual(none(20));
	},
);

test('what the list of all leaves out once, and lists too late, is given if its company was compared meanwhile', async () => {
	const it = fixture({ parameters: { options: { lateArrivals: 1 } } });
	const old = it.create(20, { owner: 'company-2', created: it.clock.now() - 9 * HOUR });
	await it.poll(12, 15);
	const recent = it.create(2, { owner: 'company-1' });
	const created = it.create(2, { owner: 'company-2' });
	it.platform.listFaults.set('enrollment', { fault: 'some', asked: 'unscoped' });
	await it.poll(1, 70 * 60);
	it.platform.listFaults.clear();
	await it.poll(4, 15);
	expect(it.fateOf([...recent, ...created])).toEqual(all(4));
	expect(it.fateOf(old)).toEqual(none(20));
});
