/** Limits of a run for every company: of each customer, and of all together. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { hintsOf, jsonOf, nodeFixture, type RunMore } from '../n8n-core/nodeFixture';

const SEARCH = 'POST /api/target-groups/search/current-company';
const b = nodeFixture({ companies: 40 });
const run = async (parameters: IDataObject, more: RunMore = {}) => {
	const result = await b.run(
		SecurityAwarenessTargetGroup,
		{ operation: 'getMany', companyScope: 'every', ...parameters },
		more,
	);
	return { records: jsonOf(result.items), hints: hintsOf(result).join(' '), result };
};
const asked = () => b.service.requests(SEARCH).length;
const customers = (records: IDataObject[]) => new Set(records.map(({ companyResourceId }) => companyResourceId)).size;

test('the limit is that of each customer', async () => {
	const { records, hints } = await run({ limit: 1 });
	expect(records).toHaveLength(40);
	expect(customers(records)).toBe(40);
	expect(hints).not.toContain('Total Limit');
});

test('the total limit ends it early, in the order of the customers, and says what was left out', async () => {
	const all = (await run({ limit: 2 })).records;
	b.service.clearLog();
	const options = { concurrency: 2 };
	const { records, hints } = await run({ limit: 2, totalLimit: 5, options });
	expect(records).toEqual(all.slice(0, 5));
	expect(asked()).toBeLessThan(8);
	expect(hints).toMatch(/'Total Limit' ended this at 5 results\. Left out: 3\d of 40 customers/);
});

test('a company is not asked for more than the total', async () => {
	await run({ limit: 50, totalLimit: 1, options: { concurrency: 1 } });
	expect(b.service.requests(SEARCH).map(({ body }) => body)).toEqual([expect.objectContaining({ pageSize: 1 })]);
});

test.each([
	['none', 0],
	['more than there is', 10_000],
])('%s: nothing is left out, and nothing said', async (_what, totalLimit) => {
	const { records, hints } = await run({ limit: 1, totalLimit });
	expect(records).toHaveLength(40);
	expect(hints).not.toContain('Total Limit');
});

test('a customer that fails counts nothing, and its error stays in its place', async () => {
	const [first] = (await run({ limit: 1 })).records;
	b.service.fault({
		route: SEARCH,
		company: String(first?.companyResourceId),
		kind: 'forbidden-company',
		times: Infinity,
	});
	const { records } = await run(
		{ limit: 1, totalLimit: 2, options: { concurrency: 1 } },
		{ onError: 'continueRegularOutput' },
	);
	expect(records.map((json) => 'error' in json)).toEqual([true, false, false]);
});

test('there is no total where Return All is on, for one customer, or in a workflow that was saved before', async () => {
	const more = { totalLimit: 1, limit: 2 };
	expect(customers((await run({ ...more, returnAll: true })).records)).toBe(40);
	expect((await run(more, { typeVersion: 1 })).records).toHaveLength(80);
	const [company] = b.service.state.companies;
	const one = { companyScope: 'one', company: { mode: 'id', value: company?.companyResourceId } };
	expect((await run({ ...more, ...one })).records).toHaveLength(2);
});

test('only lists of every customer have it, and their limit says whose it is', () => {
	const limits = (node: { description: { properties: Array<{ name: string; hint?: string }> } }) =>
		node.description.properties.filter(({ name }) => /limit/i.test(name)).map(({ name, hint = '' }) => [name, hint]);
	expect(limits(new SecurityAwarenessTargetGroup())).toEqual([
		['limit', 'With Every Company: per customer'],
		['totalLimit', ''],
	]);
	expect(limits(new SecurityAwarenessRole())).toEqual([]);
});
