/**
 * Tests companies that have no new records for some days, and whose requests then fail for days. When the requests
 * succeed again, each record of these companies is emitted once, for its own company.
 */
import { isMatch } from 'lodash';
import { TriggerScenario, ROUTES, setUpTreeFixture } from './triggerScenario';
import { DAY, HOUR, type PollingFixture } from './pollingFixture';
import type { TreeRecord } from './treePlatform';

/**
 * The index of each customer's parent; null if the customer has no parent. Only the last customer has one: the second
 * customer. In the first test, the first two customers never fail, and the other five do.
 */
const PARENT_INDEXES = [null, null, null, null, null, null, 1];
/** The number of days for which a customer fails. The first number is that of the third customer, and so on. */
const DAYS_OF_FAILURE = [1, 3, 6, 9, 13];

let fixture: PollingFixture;
setUpTreeFixture((startedFixture) => {
	fixture = startedFixture;
}, PARENT_INDEXES.length);

test.each(
	[0, 10, 20].flatMap((quietDays) => [
		{ quietDays, source: 'one list for all companies', options: { readEachCompany: false } },
		{ quietDays, source: 'the list of each company', options: { readEachCompany: true } },
	]),
)(
	'customers that fail for 1 to 13 days after $quietDays quiet days, reading $source',
	async ({ quietDays, source, options }) => {
		const scenario = new TriggerScenario(
			fixture,
			{ parents: PARENT_INDEXES, shouldListDescendants: false },
			{},
			options,
		);
		const emittedRecords: Array<[id: string, companyId: unknown]> = [];
		const poll = async () => {
			await scenario.poll();
			for (const { resourceId, companyResourceId } of scenario.emittedItems)
				emittedRecords.push([String(resourceId), companyResourceId]);
		};
		for (const owner of PARENT_INDEXES.keys()) scenario.createRecord(owner);
		await poll();
		expect(scenario.trigger.log.join()).toContain(`reads ${source}`);
		fixture.advanceTime(quietDays * DAY);
		await poll();

		// Each failing customer has a new record right before it fails. While the customer fails, the global list lacks its
		// records too.
		const expectedRecords: TreeRecord[] = [];
		for (const index of DAYS_OF_FAILURE.keys()) {
			const owner = index + 2;
			expectedRecords.push(scenario.createRecord(owner));
			scenario.platform.failingCompanies.add(owner);
			scenario.platform.companiesHiddenFromGlobalList.add(owner);
		}
		const startTime = fixture.now;
		for (const [index, days] of DAYS_OF_FAILURE.entries()) {
			fixture.setTime(startTime + days * DAY - HOUR);
			expectedRecords.push(scenario.createRecord(0));
			for (const owner of scenario.platform.failingCompanies)
				if (owner !== null) expectedRecords.push(scenario.createRecord(owner), scenario.createRecord(owner, 22));
			await poll();
			// The poll above reads every company list, so the next two polls may read only the global list.
			for (let times = 0; times < 2; times++) {
				fixture.advanceTime(HOUR / 2);
				await poll();
			}
			scenario.platform.failingCompanies.delete(index + 2);
			scenario.platform.companiesHiddenFromGlobalList.delete(index + 2);
		}
		fixture.advanceTime(DAY);
		await poll();

		const expectedEntries = expectedRecords.map(({ id, owner }) => [id, scenario.platform.getCompanyId(owner ?? 0)]);
		expect(emittedRecords.sort()).toEqual(expectedEntries.sort());
	},
);

test('if a child always refuses, later polls do not read further and further back', async () => {
	const scenario = new TriggerScenario(
		fixture,
		{ parents: PARENT_INDEXES },
		{},
		{ readEachCompany: true, pageSize: 5 },
	);
	await scenario.poll();
	const parent = 1;
	const child = 6;
	scenario.platform.refusingCompanies.add(child);
	for (let halfDay = 0; halfDay < 10; halfDay++) {
		fixture.advanceTime(DAY / 2);
		for (let times = 0; times < 5; times++) scenario.createRecord(parent);
		fixture.standIn.clearLog();
		await scenario.poll();
		// The five records of this half day wait. The five records of the half day before are emitted.
		expect(scenario.emittedItems).toHaveLength(halfDay === 0 ? 0 : 5);
	}
	const pageRequests = fixture.standIn
		.getRequests(ROUTES.phishing)
		.filter(({ companyId }) => companyId === fixture.getCompany(parent).id);
	// The last poll reads only the records of the window (one day) and of the time since the poll before the previous
	// one.
	expect(pageRequests.length).toBeLessThanOrEqual(7);
});

test('a record that waited for days is emitted, even if the list changes while it is read for the last time', async () => {
	const parent = 1;
	const child = 6;
	const otherCompany = 0;
	const options = { readEachCompany: true, pageSize: 2 };
	const scenario = new TriggerScenario(
		fixture,
		{ parents: PARENT_INDEXES, shouldListDescendants: false, selectedCompanies: [otherCompany, parent] },
		{},
		options,
	);
	for (const hoursAgo of [30, 31]) scenario.createRecord(parent, hoursAgo);
	await scenario.poll();
	scenario.platform.failingCompanies.add(child);
	const record = scenario.createRecord(parent, 23);
	for (let day = 0; day < 3; day++) {
		fixture.advanceTime(DAY);
		scenario.createRecord(otherCompany);
		await scenario.poll();
	}
	expect(scenario.getDecision(record)).toBe('waiting');
	scenario.platform.failingCompanies.clear();
	const deletedRecord = scenario.createRecord(parent);
	scenario.createRecord(parent);
	fixture.standIn.setOptions({
		beforeResponse: () => {
			const { companyId, body } = fixture.standIn.getRequests(ROUTES.phishing).at(-1) ?? {};
			if (companyId !== fixture.getCompany(parent).id || !isMatch(body ?? {}, { pageNumber: 2 })) return;
			// Deleting a newer record moves the waiting record to the page that was already read. An old record is added, so
			// that the number of records stays the same and the trigger can't notice the change.
			scenario.platform.records.splice(scenario.platform.records.indexOf(deletedRecord), 1);
			scenario.createRecord(parent, 40 * 24);
			fixture.standIn.setOptions({ beforeResponse: undefined });
		},
	});
	await scenario.poll();
	expect(scenario.emittedItems.map(({ resourceId }) => resourceId)).not.toContain(record.id);
	await scenario.poll();
	expect(scenario.getDecision(record)).toBe('emitted for its company');
	await scenario.poll();
	expect(scenario.emittedItems).toEqual([]);
});
