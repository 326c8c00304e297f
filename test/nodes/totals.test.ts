/** Tests that a total reports missing values instead of counting them as zero. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { startFakeServer, getHintMessages, getJson, createNodeFixture } from '../n8n-core/nodeFixture';

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

test('if companies are missing from the list, a hint says that the total may be wrong', async () => {
	const results = [{ companyResourceId: 'c1', monthlyActiveUserCount: 5 }];
	const { credentialStore } = await startFakeServer({
		'POST /api/companies/search': { data: { results, totalNumberOfPages: 1, totalNumberOfRecords: 3 } },
	});
	const parameters = { operation: 'getTotalActiveUsers' };
	const result = await fixture.run(SecurityAwarenessCompany, parameters, { credentialStore });
	expect(getJson(result.items)).toMatchObject([{ totalMonthlyActiveUserCount: 5, companyCount: 1 }]);
	expect(getHintMessages(result)).toEqual([expect.stringContaining('The total may therefore be wrong.')]);
});
