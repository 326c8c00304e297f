/**
 * Tests that a company counts only once, even if a platform lists it several times. Also tests that 'Check Access' shows an operation as
 * allowed if the token contains the permission for any path of the operation.
 */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { callLoadOptions } from '../n8n-core';
import { startFakeServer, createNodeFixture, getJson, sendJson } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();
const buildCompany = (id: string, monthlyActiveUserCount: number, children: IDataObject[] = []): IDataObject => ({
	companyResourceId: id,
	resourceId: id,
	companyName: id,
	name: id,
	monthlyActiveUserCount,
	children,
});
// Each child company is listed twice: inside its parent, and as a separate entry before the parent, after it or on another page.
const grandchild = buildCompany('grandchild', 1000);
const child = buildCompany('child', 100, [grandchild]);
const listedCompanies = [buildCompany('plain', 1), child, buildCompany('parent', 10, [child]), grandchild];
const routes = {
	'POST /api/companies/search': ({ body }: { body: Record<string, unknown> }) => ({
		results: body.pageNumber === 1 ? listedCompanies.slice(0, 2) : listedCompanies.slice(2),
		totalNumberOfPages: 2,
		totalNumberOfRecords: 4,
	}),
	'GET /api/companies/my': { data: listedCompanies },
	'POST /api/leaderboard/get-all/export': { csv: 'a,b\r\n1,2' },
};

test('the total of monthly active users counts each company once', async () => {
	const { credentialStore } = await startFakeServer(routes);
	const { items } = await fixture.run(
		SecurityAwarenessCompany,
		{ operation: 'getTotalActiveUsers' },
		{ credentialStore },
	);
	expect(getJson(items)).toEqual([{ totalMonthlyActiveUserCount: 1111, companyCount: 4, companiesWithoutCount: 0 }]);
});

test('Get Many, Get Own and the dropdown list have each company once', async () => {
	const { credentialStore } = await startFakeServer(routes);
	const manyCompanies = getJson(
		(
			await fixture.run(
				SecurityAwarenessCompany,
				{ operation: 'getMany', returnAll: true, output: 'raw' },
				{ credentialStore },
			)
		).items,
	);
	expect(manyCompanies.map(({ companyResourceId }) => companyResourceId).sort()).toEqual([
		'child',
		'grandchild',
		'parent',
		'plain',
	]);
	const ownCompanies = getJson(
		(await fixture.run(SecurityAwarenessCompany, { operation: 'getOwn', output: 'raw' }, { credentialStore })).items,
	);
	expect(
		ownCompanies.map(({ companyResourceId, parentCompanyResourceId: parent }) => [companyResourceId, parent]),
	).toEqual([
		['plain', undefined],
		['grandchild', 'child'],
		['parent', undefined],
		['child', 'parent'],
	]);
	const choices = await callLoadOptions({
		node: new SecurityAwarenessCompanyGroup(),
		credential: credentialStore,
		method: 'loadCompanies',
		parameters: {},
	});
	expect(choices.map(({ value }) => value).sort()).toEqual(['child', 'grandchild', 'parent', 'plain']);
});

test('an export for every company has one file for each company', async () => {
	const { credentialStore, requests } = await startFakeServer(routes);
	const { items } = await fixture.run(
		SecurityAwarenessLeaderboard,
		{ operation: 'export', companyScope: 'every', onlyCompanies: {} },
		{ credentialStore },
	);
	expect(getJson(items).map(({ companyResourceId }) => companyResourceId)).toEqual([
		'plain',
		'grandchild',
		'parent',
		'child',
	]);
	const exportedCompanyIds = requests
		.filter(({ route }) => route.endsWith('/export'))
		.map(({ companyId }) => String(companyId));
	expect(exportedCompanyIds.sort()).toEqual(['child', 'grandchild', 'parent', 'plain']);
});

test('Check Access: an operation is allowed by any of its paths, and the path in the token is shown', async () => {
	const permissions = ['agent-auth/login-url|POST', 'v2/agent-auth/token|POST', 'companies/search|POST'];
	const { credentialStore } = await startFakeServer(
		(_request, response) => sendJson(response, 200, { data: {} }),
		(response) =>
			sendJson(response, 200, { access_token: 'token', token_type: 'Bearer', expires_in: 3600, permissions }),
	);
	const { items } = await fixture.run(SecurityAwarenessAccount, { operation: 'checkAccess' }, { credentialStore });
	const allowedEntries = getJson(items).filter((entry) => entry.allowed === true);
	expect(allowedEntries.map(({ operation, permission }) => [operation, permission])).toEqual(
		expect.arrayContaining([
			['Get agent login URL', 'agent-auth/login-url|POST'],
			['Exchange agent login code', 'v2/agent-auth/token|POST'],
			['Get many companies', 'companies/search|POST'],
		]),
	);
	expect(allowedEntries).toHaveLength(3);
});
