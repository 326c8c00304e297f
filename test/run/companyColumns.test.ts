/** Tests the columns `companyResourceId` and `companyName` of output items. */
import { pick, sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessAllowedDomain } from '../../nodes/AllowedDomain/SecurityAwarenessAllowedDomain.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { SecurityAwarenessSystemUser } from '../../nodes/SystemUser/SecurityAwarenessSystemUser.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import {
	startFakeServer,
	catchNodeError,
	getJson,
	createNodeFixture,
	requireValue,
	type NodeClass,
	type FixtureRunOptions,
} from '../n8n-core/nodeFixture';

const fixture = createNodeFixture({ companyCount: 10 });
const getCompany = () => requireValue(fixture.standIn.world.companies[2]);
const listCompanyColumns = async (node: NodeClass, parameters: IDataObject, runOptions: FixtureRunOptions = {}) => {
	const { items } = await fixture.run(node, { operation: 'getMany', ...parameters }, runOptions);
	expect(items.length).toBeGreaterThan(0);
	const companyColumns = getJson(items).map(({ companyResourceId, companyName }) =>
		JSON.stringify([companyResourceId, companyName]),
	);
	return [...new Set(companyColumns)].map((columnsJson): unknown => JSON.parse(columnsJson));
};
const buildOneCompany = (value: string, extraParameters: IDataObject = {}): IDataObject => ({
	companyScope: 'one',
	company: { __rl: true, mode: 'id', value, ...extraParameters },
});

test('a company from the list has its ID and name', async () => {
	const { companyResourceId: id, companyName } = getCompany();
	const companyFromList = buildOneCompany(id, { mode: 'list', cachedResultName: companyName });
	expect(await listCompanyColumns(SecurityAwarenessRole, companyFromList)).toEqual([[id, companyName]]);
	expect(fixture.requests).toHaveLength(1);
});

test('the name from the list that was read in this run replaces the saved name', async () => {
	const { companyResourceId: id, companyName } = getCompany();
	const otherCompany = requireValue(fixture.standIn.world.companies[5]);
	const json = [
		{ mode: 'list', value: id },
		{ mode: 'name', value: otherCompany.companyName },
	];
	const companyByExpression = { mode: '={{ $json.mode }}', value: '={{ $json.value }}', cachedResultName: 'Old Name' };
	const items = json.map((itemJson) => ({ json: itemJson }));
	const companyColumns = await listCompanyColumns(SecurityAwarenessRole, buildOneCompany(id, companyByExpression), {
		items,
	});
	expect(companyColumns).toEqual([
		[id, companyName],
		[otherCompany.companyResourceId, otherCompany.companyName],
	]);
});

test.each([
	['of another company', 'Beta', 'has the ID', [{ companyResourceId: 'c1', companyName: 'Alpha' }]],
	['of another company', 'Beta', 'lacks the ID', []],
	['from before a rename', 'Old Alpha', 'has the ID', [{ companyResourceId: 'c1', companyName: 'Alpha' }]],
])(
	'a saved name %s (%s) is not used if the run has read a list that %s',
	async (_kind, cachedResultName, _list, otherCompanies) => {
		const { credentialStore } = await startFakeServer({
			'POST /api/companies/search': () => [...otherCompanies, { companyResourceId: 'c2', companyName: 'Beta' }],
			'GET /api/companies/c1': () => ({ companyResourceId: 'c1', companyName: 'Alpha' }),
			'POST /api/system-users': () => ({ resourceId: 's1' }),
		});
		const { items } = await fixture.run(
			SecurityAwarenessSystemUser,
			{
				operation: 'create',
				...buildOneCompany('c1', { mode: 'list', cachedResultName }),
				firstName: 'A',
				lastName: 'B',
				email: 'a@b.example',
				phoneNumber: '+4930123456',
				additionalFields: { companyResourceId: { __rl: true, mode: 'name', value: 'Beta' } },
			},
			{ credentialStore },
		);
		expect(getJson(items)).toEqual([expect.objectContaining({ companyResourceId: 'c1', companyName: 'Alpha' })]);
	},
);

test('a company by expression has the name that its input item has', async () => {
	const { companyResourceId: id } = getCompany();
	const json = { id, companyResourceId: id, companyName: 'The Name' };
	expect(
		await listCompanyColumns(SecurityAwarenessRole, buildOneCompany('={{ $json.id }}', SAVED_NAME_OF_OTHER_COMPANY), {
			items: [{ json }],
		}),
	).toEqual([[id, 'The Name']]);
	expect(fixture.requests).toHaveLength(1);
});

/** A parameter in which n8n saved the name of another company than the one that the expression returns. */
const SAVED_NAME_OF_OTHER_COMPANY = { mode: 'list', cachedResultName: 'Another Company' };

test.each([
	["an item of the company with a field `name` that is not the company's name", { name: 'Spring Campaign' }],
	['an item of another company', { companyResourceId: 'other', companyName: 'Other' }],
])('a company by expression, with %s: its name is requested once', async (_description, fields: IDataObject) => {
	const { companyResourceId: id, companyName } = getCompany();
	const json = { id, companyResourceId: id, ...fields };
	const items = [{ json }, { json }];
	expect(
		await listCompanyColumns(SecurityAwarenessRole, buildOneCompany('={{ $json.id }}', SAVED_NAME_OF_OTHER_COMPANY), {
			items,
		}),
	).toEqual([[id, companyName]]);
	expect(fixture.requests.map(({ route }) => route).sort()).toEqual([
		'GET /api/companies/{resourceId}',
		...Array(2).fill('GET /api/roles'),
	]);
});

test('if the credential has no access to the name, the item has only the ID', async () => {
	const { companyResourceId: id } = getCompany();
	fixture.standIn.addFault({ route: 'GET /api/companies/{resourceId}', kind: 'forbidden-company', times: Infinity });
	expect(await listCompanyColumns(SecurityAwarenessRole, buildOneCompany(id))).toEqual([[id, null]]);
});

test('an error names the company', async () => {
	const { companyResourceId: id, companyName } = getCompany();
	const enrollment = { mode: 'id', value: 'unknown' };
	const run = fixture.run(SecurityAwarenessEnrollment, { operation: 'get', ...buildOneCompany(id), enrollment });
	expect((await catchNodeError(run)).message).toContain(
		`Could not get enrollment for '${companyName}': the platform has no record`,
	);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'an item for an error has the name that the output of a later item has, with %s',
	async (onError) => {
		const { companyResourceId: id, companyName } = getCompany();
		fixture.standIn.addFault({ route: 'POST /api/system-users', kind: 'status', status: 403 });
		const user = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phoneNumber: '+4930123456' };
		const parameters = { operation: 'create', ...buildOneCompany('={{ $json.id }}'), ...user };
		const items = [{ json: { id } }, { json: { id } }];
		const result = await fixture.run(SecurityAwarenessSystemUser, parameters, { items, onError });
		const outputItems = [...result.items, ...(result.errorItems ?? [])];
		const [failedItem, createdItem] = sortBy(getJson(outputItems), ({ error }) => error === undefined);
		expect(createdItem).toMatchObject({ companyName, companyResourceId: id });
		expect(failedItem).toMatchObject({
			error: { companyName, companyResourceId: id },
			message: `Could not create system user for '${companyName}': the platform refused access (403) [item 1 of 2]`,
		});
		expect(result.errorItems ?? []).toHaveLength(onError === 'continueErrorOutput' ? 1 : 0);
	},
);

test('an error has the name from the input item if the service fails', async () => {
	const { companyResourceId: id } = getCompany();
	fixture.standIn.addFault({ route: 'GET /api/roles', kind: 'reset-after', times: Infinity });
	const json = { id, companyResourceId: id, companyName: 'The Name' };
	const run = fixture.run(
		SecurityAwarenessRole,
		{ operation: 'getMany', ...buildOneCompany('={{ $json.id }}', SAVED_NAME_OF_OTHER_COMPANY) },
		{ items: [{ json }] },
	);
	expect((await catchNodeError(run)).message).toContain("Could not get roles for 'The Name'");
});

test('a saved name that n8n would evaluate as an expression is not used', async () => {
	const { companyResourceId: id, companyName } = getCompany();
	for (const cachedResultName of ["={{ 'evaluated' }}", '={{ $json.apiKey }}']) {
		const companyColumns = await listCompanyColumns(
			SecurityAwarenessRole,
			buildOneCompany(id, { mode: 'list', cachedResultName }),
			{
				items: [{ json: { apiKey: 'a-secret' } }],
			},
		);
		expect(companyColumns).toEqual([[id, companyName]]);
	}
});

test("an item of a Reseller's own company names none, because its lists have the records of all customers", async () => {
	expect(await listCompanyColumns(SecurityAwarenessRole, { companyScope: 'own' })).toEqual([[null, null]]);
});

test('a company that the service sends with a record is kept', async () => {
	const { companyResourceId: id, companyName } = getCompany();
	const companyFromList = buildOneCompany(id, { mode: 'list', cachedResultName: 'Old Name' });
	expect(await listCompanyColumns(SecurityAwarenessTargetGroup, companyFromList)).toEqual([[id, companyName]]);
});

describe('error items of companies that are entered by name', () => {
	const runDomains = async (records: IDataObject[]) => {
		const { items, hints } = await fixture.run(
			SecurityAwarenessAllowedDomain,
			{
				operation: 'create',
				companyScope: 'one',
				company: { __rl: true, mode: 'name', value: '={{ $json.company }}' },
				domain: '={{ $json.domain }}',
			},
			{ items: records.map((json) => ({ json })), onError: 'continueRegularOutput' },
		);
		return { companies: items.map(({ json }) => pick(json, ['companyName', 'companyResourceId'])), hints };
	};

	test('an item with another mistake has its own company, whether the first company exists or not', async () => {
		const { companyName, companyResourceId } = getCompany();
		const badItem = { company: companyName, domain: 'no domain' };
		const ownCompany = { companyName, companyResourceId };
		const { companies, hints } = await runDomains([{ company: 'Nope', domain: 'a.example' }, badItem]);
		expect(companies).toEqual([{ companyName: 'Nope', companyResourceId: '' }, ownCompany]);
		expect(hints.map(({ message }) => message).join()).toContain(`item 2 of 2 at ${companyName}`);
		const otherCompany = requireValue(fixture.standIn.world.companies[5]);
		const goodItem = { company: otherCompany.companyName, domain: 'a.example' };
		expect((await runDomains([goodItem, badItem])).companies[1]).toEqual(ownCompany);
	});

	test('so has an item with a mistake in its period', async () => {
		const { companyName, companyResourceId } = getCompany();
		const { items } = await fixture.run(
			SecurityAwarenessLeaderboard,
			{
				operation: 'getMany',
				companyScope: 'one',
				company: { __rl: true, mode: 'name', value: '={{ $json.company }}' },
				options: { startDate: '={{ $json.start }}' },
			},
			{
				items: [{ json: { company: 'Nope', start: '2026-01-01' } }, { json: { company: companyName, start: 'soon' } }],
				onError: 'continueRegularOutput',
			},
		);
		expect(items[1]?.json).toMatchObject({ companyName, companyResourceId });
	});
});
