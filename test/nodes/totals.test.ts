/** Tests that a total reports missing values instead of counting them as zero. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { startFakeServer, getJson, createNodeFixture } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();

test('the total of active users adds the companies that have a number, and reports how many have none', async () => {
	const counts = [5, '7', 0, null, undefined, 'many', {}];
	// JSON leaves out the undefined count.
	const results = counts.map((monthlyActiveUserCount, index) => ({
		companyResourceId: `c${index}`,
		monthlyActiveUserCount,
	}));
	const { credentialStore } = await startFakeServer({
		'POST /api/companies/search': { data: { results, totalNumberOfPages: 1 } },
	});
	const { items } = await fixture.run(
		SecurityAwarenessCompany,
		{ operation: 'getTotalActiveUsers' },
		{ credentialStore },
	);
	expect(getJson(items)).toEqual([{ totalMonthlyActiveUserCount: 12, companyCount: 7, companiesWithoutCount: 4 }]);
});
