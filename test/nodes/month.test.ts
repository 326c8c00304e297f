/** Monthly active users of a month, on platforms that know months, ignore or refuse them. */
import type { IDataObject } from 'n8n-workflow';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { parseBody } from '../n8n-core/nodeFixture';
import { getMonthlyCount } from '../stand-in/routes/companies';
import { getFailureMessage } from './deployed';

const MONTH = '2026-01';
const HINT = 'Every customer has the same monthly active users as in the present month';
const SEARCH = 'POST /api/companies/search';

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ conditionSupport: 'understood' }));

const run = async (operation: string, filters: IDataObject) => {
	const parameters = { returnAll: true, output: 'raw', filters };
	const { items, hints } = await runCase(fixture, { node: 'Company', operation }, { parameters });
	return { rows: items.map(({ json }) => json), hints: JSON.stringify(hints) };
};
const figures = (month?: string) =>
	fixture.customer.world.companies.map(({ companyResourceId, monthlyActiveUserCount: count }) => [
		companyResourceId,
		month === undefined ? count : getMonthlyCount(count, month),
	]);
const sumOf = (counts: unknown[][]) => counts.reduce((sum, [, count]) => sum + Number(count), 0);
const shown = (rows: IDataObject[]) => rows.map((row) => [row.companyResourceId, row.monthlyActiveUserCount]).sort();
const present = () => new Date().toISOString().slice(0, 7);

test('known: the figures of that month', async () => {
	const total = await run('getTotalActiveUsers', { month: MONTH });
	expect(total.rows).toEqual([
		{
			totalMonthlyActiveUserCount: sumOf(figures(MONTH)),
			companyCount: fixture.customer.world.companies.length,
			companiesWithoutCount: 0,
			month: MONTH,
			sameAsThisMonth: false,
		},
	]);
	const many = await run('getMany', { month: MONTH });
	expect(shown(many.rows)).toEqual(figures(MONTH).sort());
	expect(total.hints + many.hints).not.toContain(HINT);
});

test('ignored: the figures are those of the present month, and that may be so is said', async () => {
	fixture.standIn.setOptions({ conditionSupport: 'ignored' });
	const total = await run('getTotalActiveUsers', { month: MONTH });
	expect(total.rows).toMatchObject([{ totalMonthlyActiveUserCount: sumOf(figures()), sameAsThisMonth: true }]);
	const many = await run('getMany', { month: MONTH });
	expect(shown(many.rows)).toEqual(figures().sort());
	for (const { hints } of [total, many]) expect(hints).toContain(HINT);
});

test('where nobody was active in either month, nothing is suspicious', async () => {
	for (const company of fixture.customer.world.companies) company.monthlyActiveUserCount = 0;
	const total = await run('getTotalActiveUsers', { month: MONTH });
	expect(total.rows).toMatchObject([{ totalMonthlyActiveUserCount: 0, sameAsThisMonth: false }]);
	expect(total.hints).not.toContain(HINT);
	fixture.standIn.reset();
});

test('the present month, and none, are asked for once', async () => {
	for (const filters of [{ month: present() }, {}]) {
		for (const operation of ['getTotalActiveUsers', 'getMany']) {
			fixture.standIn.clearLog();
			const { hints, rows } = await run(operation, filters);
			if ('month' in filters && operation === 'getTotalActiveUsers')
				expect(rows).toMatchObject([{ sameAsThisMonth: true }]);
			expect(hints).not.toContain(HINT);
			expect(fixture.standIn.getRequests(SEARCH)).toHaveLength(1);
		}
	}
});

test('refused: an error that names the filters', async () => {
	fixture.standIn.setOptions({ conditionSupport: 'refused' });
	for (const operation of ['getTotalActiveUsers', 'getMany'])
		expect(await getFailureMessage(run(operation, { month: MONTH }))).toContain(
			"It may be what you chose in 'Filters'",
		);
});

test('a month must match whatever else is chosen, also any of several conditions', async () => {
	const rows = ['Bakery', 'Mill'].map((value) => ({ field: 'CompanyName', operator: 'contains', value }));
	await run('getMany', { month: MONTH, condition: 'OR', fieldFilters: { rows } });
	const FilterItems = ['Bakery', 'Mill'].map((Value) => ({ FieldName: 'CompanyName', Operator: 'Contains', Value }));
	const ofMonth = {
		Condition: 'AND',
		FilterGroups: [],
		FilterItems: [{ FieldName: 'MonthlyActiveUser', Operator: '=', Value: MONTH }],
	};
	expect(parseBody(fixture.standIn.getRequests(SEARCH)[0])).toMatchObject({
		filter: { Condition: 'AND', FilterGroups: [ofMonth, { Condition: 'OR', FilterItems, FilterGroups: [] }] },
	});
});

test.each(['2026-13', '2026', 'last month'])('%s is no month, and nothing is sent', async (month) => {
	const said = await getFailureMessage(run('getMany', { month }));
	expect(said).toContain(`'Month' in 'Filters' must be a month such as 2026-01, but is '${month}'`);
	expect(fixture.requests).toEqual([]);
});
