/** Tests the filter 'Month' for monthly active users, on platforms that understand, ignore or reject it. */
import type { IDataObject } from 'n8n-workflow';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import type { RunOptions } from '../n8n-core';
import { parseBody } from '../n8n-core/nodeFixture';
import { getMonthlyCount } from '../stand-in/routes/companies';
import { getFailureMessage } from './deployedFixture';

const PAST_MONTH = '2026-01';
const SAME_COUNTS_HINT = 'Every customer has the same number of monthly active users as in the current month';
const SEARCH_COMPANIES = 'POST /api/companies/search';

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ conditionSupport: 'understood' }));

const run = async (operation: string, filters: IDataObject, overrides: Partial<RunOptions> = {}) => {
	const parameters = { returnAll: true, output: 'raw', filters };
	const { items, hints } = await runCase(fixture, { node: 'Company', operation }, { parameters }, overrides);
	return { rows: items.map(({ json }) => json), hints: JSON.stringify(hints) };
};
/** Lists each company's ID and its number of active users in a month. The default is the current month. */
const listExpectedCounts = (month?: string) =>
	fixture.customer.world.companies.map(({ companyResourceId, monthlyActiveUserCount: count }) => [
		companyResourceId,
		month === undefined ? count : getMonthlyCount(count, month),
	]);
const sumCounts = (counts: unknown[][]) => counts.reduce((sum, [, count]) => sum + Number(count), 0);
const listCounts = (rows: IDataObject[]) =>
	rows.map((row) => [row.companyResourceId, row.monthlyActiveUserCount]).sort();
const getCurrentMonth = () => new Date().toISOString().slice(0, 7);

test('understood: returns the numbers of that month', async () => {
	const total = await run('getTotalActiveUsers', { month: PAST_MONTH });
	expect(total.rows).toEqual([
		{
			totalMonthlyActiveUserCount: sumCounts(listExpectedCounts(PAST_MONTH)),
			companyCount: fixture.customer.world.companies.length,
			companiesWithoutCount: 0,
			month: PAST_MONTH,
			sameAsThisMonth: false,
		},
	]);
	const companies = await run('getMany', { month: PAST_MONTH });
	expect(listCounts(companies.rows)).toEqual(listExpectedCounts(PAST_MONTH).sort());
	expect(total.hints + companies.hints).not.toContain(SAME_COUNTS_HINT);
});

test('ignored: returns the numbers of the current month, and a hint says that this is possible', async () => {
	fixture.standIn.setOptions({ conditionSupport: 'ignored' });
	const total = await run('getTotalActiveUsers', { month: PAST_MONTH });
	expect(total.rows).toMatchObject([
		{ totalMonthlyActiveUserCount: sumCounts(listExpectedCounts()), sameAsThisMonth: true },
	]);
	const companies = await run('getMany', { month: PAST_MONTH });
	expect(listCounts(companies.rows)).toEqual(listExpectedCounts().sort());
	for (const { hints } of [total, companies]) expect(hints).toContain(SAME_COUNTS_HINT);
});

test('if nobody was active in either month, there is no hint', async () => {
	for (const company of fixture.customer.world.companies) company.monthlyActiveUserCount = 0;
	const total = await run('getTotalActiveUsers', { month: PAST_MONTH });
	expect(total.rows).toMatchObject([{ totalMonthlyActiveUserCount: 0, sameAsThisMonth: false }]);
	expect(total.hints).not.toContain(SAME_COUNTS_HINT);
	fixture.standIn.reset();
});

test('for the current month or no month, one request is enough', async () => {
	for (const filters of [{ month: getCurrentMonth() }, {}]) {
		for (const operation of ['getTotalActiveUsers', 'getMany']) {
			fixture.standIn.clearLog();
			const { hints, rows } = await run(operation, filters);
			if ('month' in filters && operation === 'getTotalActiveUsers')
				expect(rows).toMatchObject([{ sameAsThisMonth: true }]);
			expect(hints).not.toContain(SAME_COUNTS_HINT);
			expect(fixture.standIn.getRequests(SEARCH_COMPANIES)).toHaveLength(1);
		}
	}
});

test.each([
	['2026-04', 'Europe/Berlin', '2026-03-31T22:30:00Z'],
	['2026-03', 'America/Los_Angeles', '2026-04-01T06:30:00Z'],
])('%s is the current month in %s at %s, although it is another month in UTC', async (month, timezone, time) => {
	jest.spyOn(Date, 'now').mockReturnValue(Date.parse(time));
	// The shared token has expired at this time, or is not valid yet.
	const overrides = { settings: { timezone }, credential: fixture.createCredential() };
	const { rows } = await run('getTotalActiveUsers', { month }, overrides);
	expect(rows).toMatchObject([{ sameAsThisMonth: true }]);
	expect(fixture.standIn.getRequests(SEARCH_COMPANIES)).toHaveLength(1);
});

test('rejected: the error names the filters', async () => {
	fixture.standIn.setOptions({ conditionSupport: 'refused' });
	for (const operation of ['getTotalActiveUsers', 'getMany'])
		expect(await getFailureMessage(run(operation, { month: PAST_MONTH }))).toContain(
			"It may be what you chose in 'Filters'",
		);
});

test('the month must match in addition to the other conditions, even if only one of those has to match', async () => {
	const rows = ['Bakery', 'Mill'].map((value) => ({ field: 'CompanyName', operator: 'contains', value }));
	await run('getMany', { month: PAST_MONTH, condition: 'OR', fieldFilters: { rows } });
	const FilterItems = ['Bakery', 'Mill'].map((Value) => ({ FieldName: 'CompanyName', Operator: 'Contains', Value }));
	const monthGroup = {
		Condition: 'AND',
		FilterGroups: [],
		FilterItems: [{ FieldName: 'MonthlyActiveUser', Operator: '=', Value: PAST_MONTH }],
	};
	expect(parseBody(fixture.standIn.getRequests(SEARCH_COMPANIES)[0])).toMatchObject({
		filter: { Condition: 'AND', FilterGroups: [monthGroup, { Condition: 'OR', FilterItems, FilterGroups: [] }] },
	});
});

test.each(['AND', 'OR'])('with filter groups and the condition %s, the month must match, too', async (condition) => {
	const filterGroups = ['a', 'i'].map((Value) => ({
		Condition: 'AND',
		FilterItems: [{ FieldName: 'CompanyName', Operator: 'Contains', Value }],
	}));
	const { rows } = await run('getMany', { month: PAST_MONTH, condition, filterGroups: JSON.stringify(filterGroups) });
	const isMatch = (name: string) =>
		condition === 'AND' ? name.includes('a') && name.includes('i') : name.includes('a') || name.includes('i');
	const { companies } = fixture.customer.world;
	const matchingIds = companies
		.filter(({ companyName }) => isMatch((companyName ?? '').toLowerCase()))
		.map(({ companyResourceId }) => companyResourceId);
	expect(matchingIds.length).toBeGreaterThan(0);
	expect(matchingIds.length).toBeLessThan(companies.length);
	const expectedCounts = listExpectedCounts(PAST_MONTH).filter(([id]) => matchingIds.includes(String(id)));
	expect(listCounts(rows)).toEqual(expectedCounts.sort());
});

test.each(['2026-00', '2026-13', '2026', 'last month'])(
	'%s is not a valid month, and nothing is sent',
	async (month) => {
		const message = await getFailureMessage(run('getMany', { month }));
		expect(message).toContain(`'Month' in 'Filters' must be a month such as 2026-01, but is '${month}'`);
		expect(fixture.requests).toEqual([]);
	},
);
