import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { runNode } from '../n8n-core';
import {
	startFakeServer,
	closeFakeServers,
	createNodeFixture,
	getHintMessages,
	getJson,
	parseText,
	requireValue,
	type FixtureRunOptions,
} from '../n8n-core/nodeFixture';

const SEARCH = 'POST /api/target-groups/search/current-company';
const COMPANIES = 'POST /api/companies/search';
const COUNT = 30;

describe.each([
	{ profile: 'contract', companyHeader: 'X-SERVICE-Company-Id' },
	{ profile: 'deployed', companyHeader: 'X-ACME-Company-Id' },
] as const)('target group, $profile, $companyHeader', (service) => {
	const fixture = createNodeFixture({ ...service, companyCount: COUNT });
	const header = service.companyHeader.toLowerCase();
	const run = async (parameters: IDataObject = {}, more?: FixtureRunOptions) =>
		fixture.run(
			SecurityAwarenessTargetGroup,
			{ operation: 'getMany', returnAll: true, sort: { fields: { by: 'Name' } }, ...parameters },
			more,
		);
	const groupsOf = (id: string) =>
		fixture.standIn.world.getCompanyData(id).targetGroups.map(({ resourceId }) => resourceId);
	const idsOf = (records: IDataObject[]) => records.map(({ resourceId }) => resourceId);
	const scopes = () => fixture.standIn.getRequests(SEARCH).map(({ headers }) => headers[header]);

	test.each(['list', 'id'])('one company, chosen by %s: the header names it, nothing else is asked', async (mode) => {
		const { companyResourceId: id } = requireValue(fixture.standIn.world.companies[5]);
		const { items } = await run({ companyScope: 'one', company: { mode, value: id, cachedResultName: 'The Name' } });
		expect(idsOf(getJson(items)).sort()).toEqual(groupsOf(id).sort());
		expect(scopes()).toEqual([id]);
		expect(fixture.requests).toHaveLength(1);
		expect(new Set(getJson(items).map(({ companyResourceId }) => companyResourceId))).toEqual(new Set([id]));
	});

	test("the credential's own: no header", async () => {
		const { companyResourceId } = fixture.standIn.clients.companyAdmin;
		const { items } = await run({ companyScope: 'own' }, { clientName: 'companyAdmin' });
		expect(idsOf(getJson(items)).sort()).toEqual(groupsOf(requireValue(companyResourceId)).sort());
		expect(scopes()).toEqual([undefined]);
	});

	test('every company: all groups in the order of the companies, each with the ID and name of its company', async () => {
		const result = await run({ companyScope: 'every' });
		const listed = fixture.standIn.world.companies.map(({ companyResourceId }) => companyResourceId);
		const shown = getJson(result.items);
		const order = [...new Set(shown.map(({ companyResourceId }) => parseText(companyResourceId)))];
		expect([...order].sort()).toEqual([...listed].sort());
		for (const id of order) {
			const own = shown.filter(({ companyResourceId }) => companyResourceId === id);
			expect(idsOf(own).sort()).toEqual(groupsOf(id).sort());
			const { companyName } = requireValue(
				fixture.standIn.world.companies.find(({ companyResourceId }) => companyResourceId === id),
			);
			// The service names the company itself, and is not corrected.
			expect(own.map((group) => group.companyName)).toEqual(own.map(() => companyName));
		}
		expect(shown).toHaveLength(order.flatMap(groupsOf).length);
		expect(scopes().sort()).toEqual([...listed].sort());
		expect(result.items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
		expect(getHintMessages(result)).toEqual([]);
	});

	test.each<
		[string, IDataObject, (company: { companyName: string | null; tags: string[]; licenceExpired: boolean }) => boolean]
	>([
		['name', { nameContains: ' bakery ' }, ({ companyName }) => (companyName ?? '').toLowerCase().includes('bakery')],
		['tags', { tags: 'VIP, pilot' }, ({ tags }) => tags.includes('vip') || tags.includes('pilot')],
		['licence', { licenceNotExpired: true }, ({ licenceExpired }) => !licenceExpired],
		[
			'all of these',
			{ nameContains: 'a', tags: 'vip', licenceNotExpired: true },
			({ companyName, tags, licenceExpired }) =>
				(companyName ?? '').toLowerCase().includes('a') && tags.includes('vip') && !licenceExpired,
		],
	])('every company, narrowed by %s', async (_name, onlyCompanies, matches) => {
		await run({ companyScope: 'every', onlyCompanies });
		const expected = fixture.standIn.world.companies.filter(matches).map(({ companyResourceId }) => companyResourceId);
		expect(expected.length).toBeGreaterThan(0);
		expect(scopes().sort()).toEqual(expected.sort());
	});

	test('every company, and none matches: said, and nothing asked', async () => {
		const result = await run({ companyScope: 'every', onlyCompanies: { nameContains: 'no such name' } });
		expect(result.items).toEqual([]);
		expect(getHintMessages(result).join()).toContain("No company matches 'Only Companies', so nothing was done.");
		expect(fixture.standIn.getRequests(SEARCH)).toEqual([]);
	});

	test('the companies are listed once for a run, however many items ask for every company', async () => {
		const items = Array.from({ length: 5 }, () => ({ json: {} }));
		await run({ companyScope: 'every', onlyCompanies: { nameContains: 'bakery' } }, { items });
		expect(fixture.standIn.getRequests(COMPANIES)).toHaveLength(1);
	});

	test('a limit counts for each company', async () => {
		const { items } = await run({ companyScope: 'every', returnAll: false, limit: 1 });
		expect(items).toHaveLength(COUNT);
	});
});

afterEach(closeFakeServers);

test.each([200, 204])('a deletion that is answered with %d and nothing has succeeded', async (status) => {
	const { credentialStore: store, requests } = await startFakeServer((_request, response) =>
		response.writeHead(status).end(),
	);
	const targetGroup = { __rl: true, mode: 'id', value: 'g' };
	const parameters = { operation: 'delete', companyScope: 'own', targetGroup };
	const { items } = await runNode({ node: new SecurityAwarenessTargetGroup(), parameters, credential: store });
	expect(getJson(items)).toEqual([{ deleted: true, resourceId: 'g' }]);
	expect(requests).toHaveLength(1);
});
