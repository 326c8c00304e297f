/** Sums and lists that are made from several answers: a missing value is reported, and does not count as zero. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { startFakeServer, getJson, createNodeFixture } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();

test('the total of active users counts each company that has a number, and says how many have none', async () => {
	const counts = [5, '7', 0, null, undefined, 'many', {}];
	const results = counts.map((monthlyActiveUserCount, index) => ({
		companyResourceId: `c${index}`,
		...(monthlyActiveUserCount === undefined ? {} : { monthlyActiveUserCount }),
	}));
	const { credentialStore: store } = await startFakeServer({ 'POST /api/companies/search': { data: { results, totalNumberOfPages: 1 } } });
	const { items } = await fixture.run(SecurityAwarenessCompany, { operation: 'getTotalActiveUsers' }, { credentialStore: store });
	expect(getJson(items)).toEqual([{ totalMonthlyActiveUserCount: 12, companyCount: 7, companiesWithoutCount: 4 }]);
});
