/** Tests the list of target groups: company scope, company filters and limits. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { runNode } from '../n8n-core';
import {
	startFakeServer,
	catchNodeError,
	closeFakeServers,
	createNodeFixture,
	getHintMessages,
	getJson,
	parseText,
	requireValue,
	type FixtureRunOptions,
} from '../n8n-core/nodeFixture';

const SEARCH_GROUPS = 'POST /api/target-groups/search/current-company';
const SEARCH_COMPANIES = 'POST /api/companies/search';
/** The number of companies in the stand-in. */
const COMPANY_COUNT = 30;

describe.each([
	{ profile: 'contract', companyHeader: 'X-SERVICE-Company-Id' },
	{ profile: 'deployed', companyHeader: 'X-ACME-Company-Id' },
] as const)('target group, $profile, $companyHeader', (profileOptions) => {
	const fixture = createNodeFixture({ ...profileOptions, companyCount: COMPANY_COUNT });
	const headerName = profileOptions.companyHeader.toLowerCase();
	const getGroups = async (parameters: IDataObject = {}, options?: FixtureRunOptions) =>
		fixture.run(
			SecurityAwarenessTargetGroup,
			{ operation: 'getMany', returnAll: true, sort: { fields: { by: 'Name' } }, ...parameters },
			options,
		);
	const listGroupIds = (companyId: string) =>
		fixture.standIn.world.getCompanyData(companyId).targetGroups.map(({ resourceId }) => resourceId);
	const getIds = (records: IDataObject[]) => records.map(({ resourceId }) => resourceId);
	const listHeaderValues = () => fixture.standIn.getRequests(SEARCH_GROUPS).map(({ headers }) => headers[headerName]);

	test.each(['list', 'id'])(
		'one company, selected by %s: the header contains its ID, and no other request is sent',
		async (mode) => {
			const { companyResourceId: id } = requireValue(fixture.standIn.world.companies[5]);
			const { items } = await getGroups({
				companyScope: 'one',
				company: { mode, value: id, cachedResultName: 'The Name' },
			});
			expect(getIds(getJson(items)).sort()).toEqual(listGroupIds(id).sort());
			expect(listHeaderValues()).toEqual([id]);
			expect(fixture.requests).toHaveLength(1);
			expect(new Set(getJson(items).map(({ companyResourceId }) => companyResourceId))).toEqual(new Set([id]));
		},
	);

	test("the credential's own company: no header is sent", async () => {
		const { companyResourceId } = fixture.standIn.clients.companyAdmin;
		const { items } = await getGroups({ companyScope: 'own' }, { clientName: 'companyAdmin' });
		expect(getIds(getJson(items)).sort()).toEqual(listGroupIds(requireValue(companyResourceId)).sort());
		expect(listHeaderValues()).toEqual([undefined]);
	});

	test('every company: returns all groups, each with the ID and name of its company', async () => {
		const result = await getGroups({ companyScope: 'every' });
		const companyIds = fixture.standIn.world.companies.map(({ companyResourceId }) => companyResourceId);
		const groups = getJson(result.items);
		const outputCompanyIds = [...new Set(groups.map(({ companyResourceId }) => parseText(companyResourceId)))];
		expect([...outputCompanyIds].sort()).toEqual([...companyIds].sort());
		for (const id of outputCompanyIds) {
			const companyGroups = groups.filter(({ companyResourceId }) => companyResourceId === id);
			expect(getIds(companyGroups).sort()).toEqual(listGroupIds(id).sort());
			const { companyName } = requireValue(
				fixture.standIn.world.companies.find(({ companyResourceId }) => companyResourceId === id),
			);
			// The records keep the company name that the platform returns.
			expect(companyGroups.map((group) => group.companyName)).toEqual(companyGroups.map(() => companyName));
		}
		expect(groups).toHaveLength(outputCompanyIds.flatMap(listGroupIds).length);
		expect(listHeaderValues().sort()).toEqual([...companyIds].sort());
		expect(result.items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
		expect(getHintMessages(result)).toEqual([]);
	});

	test.each<
		[string, IDataObject, (company: { companyName: string | null; tags: string[]; licenceExpired: boolean }) => boolean]
	>([
		['name', { nameContains: ' bakery ' }, ({ companyName }) => (companyName ?? '').toLowerCase().includes('bakery')],
		['tags', { tags: 'VIP, pilot' }, ({ tags }) => tags.includes('vip') || tags.includes('pilot')],
		['license', { licenceNotExpired: true }, ({ licenceExpired }) => !licenceExpired],
		[
			'all of these',
			{ nameContains: 'a', tags: 'vip', licenceNotExpired: true },
			({ companyName, tags, licenceExpired }) =>
				(companyName ?? '').toLowerCase().includes('a') && tags.includes('vip') && !licenceExpired,
		],
	])('every company, filtered by %s', async (_name, onlyCompanies, matches) => {
		await getGroups({ companyScope: 'every', onlyCompanies });
		const expected = fixture.standIn.world.companies.filter(matches).map(({ companyResourceId }) => companyResourceId);
		expect(expected.length).toBeGreaterThan(0);
		expect(listHeaderValues().sort()).toEqual(expected.sort());
	});

	test('every company: if no company matches, a hint says so and no groups are requested', async () => {
		const result = await getGroups({ companyScope: 'every', onlyCompanies: { nameContains: 'no such name' } });
		expect(result.items).toEqual([]);
		expect(getHintMessages(result).join()).toContain("No company matches 'Only Companies', so the node did nothing.");
		expect(fixture.standIn.getRequests(SEARCH_GROUPS)).toEqual([]);
	});

	test('the companies are listed once in a run, regardless of the number of items', async () => {
		const items = Array.from({ length: 5 }, () => ({ json: {} }));
		await getGroups({ companyScope: 'every', onlyCompanies: { nameContains: 'bakery' } }, { items });
		expect(fixture.standIn.getRequests(SEARCH_COMPANIES)).toHaveLength(1);
	});

	test('the limit applies to each company', async () => {
		const { items } = await getGroups({ companyScope: 'every', returnAll: false, limit: 1 });
		expect(items).toHaveLength(COMPANY_COUNT);
	});
});

afterEach(closeFakeServers);

test.each([200, 204])('a deletion with status %d and an empty response succeeds', async (status) => {
	const { credentialStore, requests } = await startFakeServer((_request, response) => response.writeHead(status).end());
	const resourceId = '11111111-2222-4333-8444-555555555555';
	const targetGroup = { __rl: true, mode: 'id', value: resourceId };
	const parameters = { operation: 'delete', companyScope: 'own', targetGroup };
	const { items } = await runNode({
		node: new SecurityAwarenessTargetGroup(),
		parameters,
		credential: credentialStore,
	});
	expect(getJson(items)).toEqual([{ deleted: true, resourceId }]);
	expect(requests).toHaveLength(1);
});

test.each(['list', 'id'])(
	'a new group without a priority, selected by %s, is rejected before any request',
	async (mode) => {
		const { credentialStore, requests } = await startFakeServer({});
		const parameters = {
			operation: 'create',
			companyScope: 'own',
			name: 'New',
			priority: { __rl: true, mode, value: '={{ "" }}' },
		};
		const error = await catchNodeError(
			runNode({ node: new SecurityAwarenessTargetGroup(), parameters, credential: credentialStore }),
		);
		expect(error.message).toContain("'Priority' must not be empty");
		expect(requests).toEqual([]);
	},
);
