/** Which company an item is of, as far as it is known without a further request. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { jsonOf, nodeFixture, the, type NodeClass, type RunMore } from '../n8n-core/nodeFixture';

const b = nodeFixture({ companies: 10 });
const company = () => the(b.service.state.companies[2]);
const stampsOf = async (node: NodeClass, parameters: IDataObject, more: RunMore = {}) => {
	const { items } = await b.run(node, { operation: 'getMany', ...parameters }, more);
	expect(items.length).toBeGreaterThan(0);
	const stamps = jsonOf(items).map(({ companyResourceId, companyName }) =>
		JSON.stringify([companyResourceId, companyName]),
	);
	return [...new Set(stamps)].map((stamp): unknown => JSON.parse(stamp));
};
const one = (value: string, more: IDataObject = {}): IDataObject => ({
	companyScope: 'one',
	company: { __rl: true, mode: 'id', value, ...more },
});

test('chosen from the list: ID and name', async () => {
	const { companyResourceId: id, companyName } = company();
	const listed = one(id, { mode: 'list', cachedResultName: companyName });
	expect(await stampsOf(SecurityAwarenessRole, listed)).toEqual([[id, companyName]]);
	expect(b.asked).toHaveLength(1);
});

test.each([
	['the list of companies', { companyName: 'The Name' }, 'The Name'],
	['something of the company, with a name of its own', { name: 'Spring Campaign' }, null],
	['something of another company', { companyResourceId: 'other', companyName: 'Other' }, null],
])('by an expression, from %s', async (_what, fields: IDataObject, name) => {
	const { companyResourceId: id } = company();
	const json = { id, companyResourceId: id, ...fields };
	expect(await stampsOf(SecurityAwarenessRole, one('={{ $json.id }}'), { items: [{ json }] })).toEqual([[id, name]]);
	expect(b.asked).toHaveLength(1);
});

test("a Reseller's own: without a company its lists are of all its customers, so nothing is said that may be wrong", async () => {
	expect(await stampsOf(SecurityAwarenessRole, { companyScope: 'own' })).toEqual([[null, null]]);
});

test('what the service says of a record is kept', async () => {
	const { companyResourceId: id, companyName } = company();
	const listed = one(id, { mode: 'list', cachedResultName: 'Old Name' });
	expect(await stampsOf(SecurityAwarenessTargetGroup, listed)).toEqual([[id, companyName]]);
});
