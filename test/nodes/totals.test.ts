/** Sums and lists that are made from several answers: a missing value is reported, and does not count as zero. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { callLoadOptions } from '../n8n-core';
import { jsonOf, nodeFixture } from '../n8n-core/nodeFixture';
import { deployment, type Given } from '../stand-in/deployment';

const b = nodeFixture();

test('the total of active users counts each company that has a number, and says how many have none', async () => {
	const counts = [5, '7', 0, null, undefined, 'many', {}];
	const results = counts.map((monthlyActiveUserCount, index) => ({
		companyResourceId: `c${index}`,
		...(monthlyActiveUserCount === undefined ? {} : { monthlyActiveUserCount }),
	}));
	const { store } = await deployment({ 'POST /api/companies/search': { data: { results, totalNumberOfPages: 1 } } });
	const { items } = await b.run(SecurityAwarenessCompany, { operation: 'getTotalActiveUsers' }, { store });
	expect(jsonOf(items)).toEqual([{ totalMonthlyActiveUserCount: 12, companyCount: 7, companiesWithoutCount: 4 }]);
});

describe('widgets of reports', () => {
	const SEARCH = 'POST /api/executive-report/search';
	const opened = async (reports: number) => {
		const ids = Array.from({ length: reports }, (_, index) => `r${index}`);
		const routes = ids.map((id): [string, Given] => [
			`GET /api/executive-report/${id}`,
			{ data: { name: `Report ${id}`, widgets: [{ widgetId: `w-${id}`, name: 'Clicks' }] } },
		]);
		const results = ids.map((resourceId) => ({ resourceId, name: `Report ${resourceId}`, isDefault: false }));
		const { store, asked } = await deployment({
			...Object.fromEntries(routes),
			[SEARCH]: { data: { results, totalNumberOfPages: 1, totalNumberOfRecords: reports } },
		});
		const call = { node: new SecurityAwarenessExecutiveReport(), method: 'loadWidgets', credential: store };
		const entries = await callLoadOptions({ ...call, parameters: { companyScope: 'own' } });
		return { entries, read: asked.filter(({ route }) => /executive-report\/r\d/.test(route)).length };
	};

	test('are those of the first 20; with more, how many are not shown', async () => {
		const few = await opened(20);
		const many = await opened(23);
		expect([few.read, many.read]).toEqual([20, 20]);
		expect(few.entries).toHaveLength(20);
		expect(many.entries).toHaveLength(21);
		expect(many.entries.at(-1)).toMatchObject({
			value: '',
			name: expect.stringMatching(/^The widgets of 3 more reports/),
		});
	});
});

test('a list that several are chosen from says whose it is when it is refused', async () => {
	const { store } = await deployment({ 'POST /api/company-groups/search': { status: 403 } });
	const call = { node: new SecurityAwarenessCompany(), method: 'loadCompanyGroups', credential: store, parameters: {} };
	expect(await callLoadOptions(call)).toEqual([
		{
			name: expect.stringMatching(/company group/),
			value: '',
			description: expect.stringMatching(/^Only a Reseller's credential has company groups\./),
		},
	]);
});
