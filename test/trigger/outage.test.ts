/** Tests of companies that fail for days after a quiet time: once they are back, each of their records is given once, as their own. */
import { isMatch } from 'lodash';
import { TriggerScenario, ROUTES, setUpTreeFixture } from './triggerScenario';
import { DAY, HOUR, type PollingFixture } from './pollingFixture';
import type { TreeRecord } from './treePlatform';

/** The customers: the first two never fail, the other five do. The last one is a child of the second one. */
const PARENTS = [null, null, null, null, null, null, 1];
/** The number of days that each customer fails, from the third customer on. */
const DAYS_OF_FAILURE = [1, 3, 6, 9, 13];

let fixture: PollingFixture;
setUpTreeFixture((trees) => void (fixture = trees), PARENTS.length);

test.each(
	[0, 3, 10, 20].flatMap((quietDays) => [
		{ quietDays, way: 'one list for all', options: { askEachCompany: false } },
		{ quietDays, way: 'each company', options: { askEachCompany: true } },
	]),
)(
	'customers that fail for 1 to 13 days after $quietDays quiet days, asking $way',
	async ({ quietDays, way, options }) => {
		const scenario = new TriggerScenario(fixture, { parents: PARENTS, listsIncludeDescendants: false }, {}, options);
		const given: Array<[id: string, company: unknown]> = [];
		const poll = async () => {
			await scenario.poll();
			for (const { resourceId, companyResourceId } of scenario.emittedItems)
				given.push([String(resourceId), companyResourceId]);
		};
		for (const owner of PARENTS.keys()) scenario.createRecord(owner);
		await poll();
		expect(scenario.trigger.log.join()).toContain(`asks ${way}`);
		fixture.advanceTime(quietDays * DAY);
		await poll();

		// Each has a new record right before it fails. While it fails, no list shows its records.
		const owed: TreeRecord[] = [];
		for (const index of DAYS_OF_FAILURE.keys()) {
			const owner = index + 2;
			owed.push(scenario.createRecord(owner));
			scenario.platform.failing.add(owner);
			scenario.platform.hiddenFromGlobalList.add(owner);
		}
		const start = fixture.now;
		for (const [index, days] of DAYS_OF_FAILURE.entries()) {
			fixture.setTime(start + days * DAY - HOUR);
			owed.push(scenario.createRecord(0));
			for (const owner of scenario.platform.failing)
				if (owner !== null) owed.push(scenario.createRecord(owner), scenario.createRecord(owner, 22));
			await poll();
			// Each company was asked, so the next polls may read only the one list for all.
			for (let times = 0; times < 2; times++) {
				fixture.advanceTime(HOUR / 2);
				await poll();
			}
			scenario.platform.failing.delete(index + 2);
			scenario.platform.hiddenFromGlobalList.delete(index + 2);
		}
		fixture.advanceTime(DAY);
		await poll();

		const expected = owed.map(({ id, owner }) => [id, scenario.platform.getCompanyId(owner ?? 0)]);
		expect(given.sort()).toEqual(expected.sort());
	},
);

test('a child that always refuses does not let polls read further and further back', async () => {
	const scenario = new TriggerScenario(fixture, { parents: PARENTS }, {}, { askEachCompany: true, pageSize: 5 });
	await scenario.poll();
	const parent = 1;
	const child = 6;
	scenario.platform.refusing.add(child);
	for (let halfDay = 0; halfDay < 10; halfDay++) {
		fixture.advanceTime(DAY / 2);
		for (let times = 0; times < 5; times++) scenario.createRecord(parent);
		fixture.standIn.clearLog();
		await scenario.poll();
		// The records of this half day wait, those of the half day before are given.
		expect(scenario.emittedItems).toHaveLength(halfDay === 0 ? 0 : 5);
	}
	const pages = fixture.standIn
		.getRequests(ROUTES.phishing)
		.filter(({ companyId }) => companyId === fixture.getCompany(parent).id);
	// It reads the records of a day, and of the time since the last poll but one.
	expect(pages.length).toBeLessThanOrEqual(7);
});

test('a record that has waited for days is given, although the list changes during the last reading', async () => {
	const parent = 1;
	const child = 6;
	const other = 0;
	const options = { askEachCompany: true, pageSize: 2 };
	const scenario = new TriggerScenario(
		fixture,
		{ parents: PARENTS, listsIncludeDescendants: false, selectedCompanies: [other, parent] },
		{},
		options,
	);
	for (const hoursAgo of [30, 31]) scenario.createRecord(parent, hoursAgo);
	await scenario.poll();
	scenario.platform.failing.add(child);
	const record = scenario.createRecord(parent, 23);
	for (let day = 0; day < 3; day++) {
		fixture.advanceTime(DAY);
		scenario.createRecord(other);
		await scenario.poll();
	}
	expect(scenario.getDecision(record)).toBe('waiting');
	scenario.platform.failing.clear();
	const [gone] = [scenario.createRecord(parent), scenario.createRecord(parent)];
	fixture.standIn.setOptions({
		beforeResponse: () => {
			const { companyId, body } = fixture.standIn.getRequests(ROUTES.phishing).at(-1) ?? {};
			if (companyId !== fixture.getCompany(parent).id || !isMatch(body ?? {}, { pageNumber: 2 })) return;
			// The record moves to the page that was read; the count stays, because an old record comes.
			scenario.platform.records.splice(scenario.platform.records.indexOf(gone), 1);
			scenario.createRecord(parent, 40 * 24);
			fixture.standIn.setOptions({ beforeResponse: undefined });
		},
	});
	await scenario.poll();
	expect(scenario.emittedItems.map(({ resourceId }) => resourceId)).not.toContain(record.id);
	await scenario.poll();
	expect(scenario.getDecision(record)).toBe("given as its company's");
	await scenario.poll();
	expect(scenario.emittedItems).toEqual([]);
});
