/** Which company an item is of, and how it is called. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { SecurityAwarenessSystemUser } from '../../nodes/SystemUser/SecurityAwarenessSystemUser.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { startFakeServer, catchNodeError, getJson, createNodeFixture, requireValue, type NodeClass, type FixtureRunOptions } from '../n8n-core/nodeFixture';

const b = createNodeFixture({ companyCount: 10 });
const company = () => requireValue(b.standIn.state.companies[2]);
const stampsOf = async (node: NodeClass, parameters: IDataObject, more: FixtureRunOptions = {}) => {
	const { items } = await b.run(node, { operation: 'getMany', ...parameters }, more);
	expect(items.length).toBeGreaterThan(0);
	const stamps = getJson(items).map(({ companyResourceId, companyName }) =>
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
	expect(b.requests).toHaveLength(1);
});

test('as the list says that was read in this run, not as it was called when it was chosen', async () => {
	const { companyResourceId: id, companyName } = company();
	const other = requireValue(b.standIn.state.companies[5]);
	const json = [
		{ mode: 'list', value: id },
		{ mode: 'name', value: other.companyName },
	];
	const named = { mode: '={{ $json.mode }}', value: '={{ $json.value }}', cachedResultName: 'Old Name' };
	const items = json.map((each) => ({ json: each }));
	const stamps = await stampsOf(SecurityAwarenessRole, one(id, named), { items });
	expect(stamps).toEqual([
		[id, companyName],
		[other.companyResourceId, other.companyName],
	]);
});

test.each([
	['has the ID', [{ companyResourceId: 'c1', companyName: 'Alpha' }]],
	['lacks the ID', []],
])(
	'a saved name that is that of another company is not used, where the run has read a list that %s',
	async (_what, more) => {
		const { store } = await startFakeServer({
			'POST /api/companies/search': () => [...more, { companyResourceId: 'c2', companyName: 'Beta' }],
			'GET /api/companies/c1': () => ({ companyResourceId: 'c1', companyName: 'Alpha' }),
			'POST /api/system-users': () => ({ resourceId: 's1' }),
		});
		const { items } = await b.run(
			SecurityAwarenessSystemUser,
			{
				operation: 'create',
				...one('c1', { mode: 'list', cachedResultName: 'Beta' }),
				firstName: 'A',
				lastName: 'B',
				email: 'a@b.example',
				phoneNumber: '+4930123456',
				additionalFields: { companyResourceId: { __rl: true, mode: 'name', value: 'Beta' } },
			},
			{ store },
		);
		expect(getJson(items)).toEqual([expect.objectContaining({ companyResourceId: 'c1', companyName: 'Alpha' })]);
	},
);

test('by an expression, from the list of companies: as the item says', async () => {
	const { companyResourceId: id } = company();
	const json = { id, companyResourceId: id, companyName: 'The Name' };
	expect(await stampsOf(SecurityAwarenessRole, one('={{ $json.id }}', SAVED), { items: [{ json }] })).toEqual([
		[id, 'The Name'],
	]);
	expect(b.requests).toHaveLength(1);
});

/** What n8n saved when another company was chosen. */
const SAVED = { mode: 'list', cachedResultName: 'Another Company' };

test.each([
	['something of the company, with a name of its own', { name: 'Spring Campaign' }],
	['something of another company', { companyResourceId: 'other', companyName: 'Other' }],
])('by an expression, from %s: as the service says, asked once', async (_what, fields: IDataObject) => {
	const { companyResourceId: id, companyName } = company();
	const json = { id, companyResourceId: id, ...fields };
	const items = [{ json }, { json }];
	expect(await stampsOf(SecurityAwarenessRole, one('={{ $json.id }}', SAVED), { items })).toEqual([[id, companyName]]);
	expect(b.requests.map(({ route }) => route).sort()).toEqual([
		'GET /api/companies/{resourceId}',
		...Array(2).fill('GET /api/roles'),
	]);
});

test('where a credential may not ask for the name, the ID is enough', async () => {
	const { companyResourceId: id } = company();
	b.standIn.addFault({ route: 'GET /api/companies/{resourceId}', kind: 'forbidden-company', times: Infinity });
	expect(await stampsOf(SecurityAwarenessRole, one(id))).toEqual([[id, null]]);
});

test('an error names the company, too', async () => {
	const { companyResourceId: id, companyName } = company();
	const enrollment = { mode: 'id', value: 'unknown' };
	const run = b.run(SecurityAwarenessEnrollment, { operation: 'get', ...one(id), enrollment });
	expect((await catchNodeError(run)).message).toContain(`Could not get enrollment for '${companyName}': nothing was found`);
});

test('an error names it as the item does, where the service is in trouble', async () => {
	const { companyResourceId: id } = company();
	b.standIn.addFault({ route: 'GET /api/roles', kind: 'reset-after', times: Infinity });
	const json = { id, companyResourceId: id, companyName: 'The Name' };
	const run = b.run(
		SecurityAwarenessRole,
		{ operation: 'getMany', ...one('={{ $json.id }}', SAVED) },
		{ items: [{ json }] },
	);
	expect((await catchNodeError(run)).message).toContain("Could not get roles for 'The Name'");
});

test('a name is never code: one that n8n would evaluate is not used', async () => {
	const { companyResourceId: id, companyName } = company();
	for (const cachedResultName of ["={{ 'evaluated' }}", '={{ $json.apiKey }}']) {
		const stamps = await stampsOf(SecurityAwarenessRole, one(id, { mode: 'list', cachedResultName }), {
			items: [{ json: { apiKey: 'a-secret' } }],
		});
		expect(stamps).toEqual([[id, companyName]]);
	}
});

test("a Reseller's own: without a company its lists are of all its customers, so nothing is said that may be wrong", async () => {
	expect(await stampsOf(SecurityAwarenessRole, { companyScope: 'own' })).toEqual([[null, null]]);
});

test('what the service says of a record is kept', async () => {
	const { companyResourceId: id, companyName } = company();
	const listed = one(id, { mode: 'list', cachedResultName: 'Old Name' });
	expect(await stampsOf(SecurityAwarenessTargetGroup, listed)).toEqual([[id, companyName]]);
});
