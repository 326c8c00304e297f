/** What a person learns of a credential's limits: from Check Access, and from an error. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { mayNameCompany } from '../../nodes/shared/transport/guard/naming';
import { the } from '../cases/case';
import { operationFixture, runCase } from '../cases/operationFixture';
import { CredentialStore } from '../n8n-core';
import { packageRoot } from '../n8n-core/package';

const g = operationFixture('contract', { companies: 120 });
const own = () => g.customer.companyId;
const store = (limits: Record<string, string | boolean>) =>
	new CredentialStore({ ...g.customer.credential(), ...limits });
const only = (companyIds: string) => ({ onlyTheseCompanies: true, companyIds });

async function run(
	[node, operation]: [string, string],
	limits: Record<string, string | boolean>,
	more: Partial<Parameters<typeof runCase>[2] & Parameters<typeof runCase>[3]> = {},
) {
	g.service.clearLog();
	const { parameters = {}, ...options } = more;
	return await runCase(g, { node, operation }, { parameters }, { ...options, credential: store(limits) });
}

describe('Check Access', () => {
	const check = ['Account', 'checkAccess'] satisfies [string, string];
	const rows = (items: Awaited<ReturnType<typeof run>>['items']) =>
		new Map(items.map(({ json }) => [`${String(json.node)} ${String(json.permission)}`, json]));

	test('tells the limits, what they allow, and which IDs the service does not list', async () => {
		const { items, hints } = await run(check, { ...only(`${own()}, 3f2a9c10`), whatItMayDo: 'readOnly' });
		const limits = { whatItMayDo: 'readOnly', onlyTheseCompanies: [own(), '3f2a9c10'], agents: 'everything' };
		for (const { json } of items) expect(json).toMatchObject({ ...limits, unknownCompanyIds: ['3f2a9c10'] });
		const found = rows(items);
		const isAllowed = (key: string) => found.get(key)?.allowedByCredential;
		expect(isAllowed('Enrollment enrollments/search|POST')).toBe(true);
		expect(isAllowed('Enrollment enrollments|POST')).toBe(false);
		expect(isAllowed('Company companies/search|POST')).toBe(true);
		expect(isAllowed('Company companies/search/export|POST')).toBe(false);
		expect(JSON.stringify(hints)).toContain("does not list these of the credential's 'Company IDs': 3f2a9c10.");
	});

	test('without limits nothing is asked for them, and everything is allowed', async () => {
		const { items, hints } = await run(check, {});
		for (const { json } of items)
			expect(json).toMatchObject({
				...{ whatItMayDo: 'everything', onlyTheseCompanies: null, unknownCompanyIds: [] },
				...{ agents: 'everything', allowedByCredential: true },
			});
		expect(hints).toEqual([]);
		expect(g.asked).toHaveLength(1);
	});

	test('in version 1 the items are as they were', async () => {
		const { items } = await run(check, only(own()), { typeVersion: 1 });
		expect(Object.keys(items[0]?.json ?? {}).sort()).toEqual(
			['allowed', 'companyName', 'companyResourceId', 'node', 'operation', 'permission', 'role'].sort(),
		);
		expect(g.asked).toHaveLength(1);
	});
});

test('a limited list of companies is read in pages of the usual size, whatever its limit', async () => {
	const { companyResourceId = '' } = g.customer.state.companies.at(-1) ?? {};
	const parameters = { limit: 1, output: 'raw' };
	const { items } = await run(['Company', 'getMany'], only(companyResourceId), { parameters });
	expect(items.map(({ json }) => json.companyResourceId)).toEqual([companyResourceId]);
	expect(g.asked.length).toBeLessThanOrEqual(4);
});

test.each([
	['Company', 'getOwn', {}, /With this credential the operation cannot be used: get a company by its ID/],
	['Company', 'export', {}, /because of 'Only These Companies' in it/],
	['CompanyGroup', 'create', { name: 'A', participantsFrom: 'none' }, /Choose the companies of the group/],
	['TargetGroup', 'getMany', { companyScope: 'own' }, /Choose 'One Company' or 'Every Company'/],
])('%s %s: the advice is one that can be followed', async (node, operation, parameters, advice) => {
	await expect(run([node, operation], only(own()), { parameters })).rejects.toThrow(advice);
	expect(g.asked).toEqual([]);
});

test('Every Company names the IDs of the credential that the service does not list', async () => {
	const parameters = { companyScope: 'every', returnAll: true };
	const { items, hints } = await run(['TargetGroup', 'getMany'], only(`${own()}; 3f2a9c10;no-such`), { parameters });
	expect(items.length).toBeGreaterThan(0);
	expect(hints.map(({ message }) => message)).toContain(
		"The service does not list these of the credential's 'Company IDs': 3f2a9c10, no-such. Correct or remove them in the credential. Nothing was done for them.",
	);
	const correct = await run(['TargetGroup', 'getMany'], only(own()), { parameters });
	expect(JSON.stringify(correct.hints)).not.toContain('does not list');
});

test("Google's consent address begins a sign-in, so it is no reading; options that were saved stay valid", async () => {
	const google = ['GoogleOAuth', 'getConsentUrl'] satisfies [string, string];
	const parameters = { ...g.customer.scoped, options: { concurrency: 2 } };
	await expect(run(google, { whatItMayDo: 'readOnly' }, { parameters })).rejects.toThrow(/only allows reading/);
	expect(g.service.log).toEqual([]);
	expect((await run(google, {}, { parameters })).items).toHaveLength(1);
});

test('an answer with another company is not shown, and it is said that the request was sent', async () => {
	const { companyAdmin } = g.service.clients;
	const client = the(g.customer.state.clients.find(({ clientId }) => clientId === companyAdmin.clientId));
	const { companyResourceId: allowed } = client;
	const credential = new CredentialStore({ ...g.customer.credential('companyAdmin'), ...only(allowed) });
	const getOwn = async () =>
		await runCase(g, { node: 'Company', operation: 'getOwn' }, { parameters: { output: 'raw' } }, { credential });
	expect((await getOwn()).items).toHaveLength(1);
	// The client is moved, and its token still names the company that it was of.
	const other = the(g.customer.state.companies.find((each) => each.companyResourceId !== allowed));
	client.companyResourceId = other.companyResourceId;
	g.service.clearLog();
	const refused: unknown = await getOwn().catch((error: unknown) => error);
	expect(g.asked).toHaveLength(1);
	expect(String(refused)).toMatch(
		/the service's answer is not about a company .*: The request was sent, and its answer is not shown\./,
	);
	expect(String(refused)).not.toContain(other.companyResourceId);
});

describe('limits by an expression', () => {
	const items = [{ json: { may: 'everything' } }, { json: { may: 'readOnly' } }];
	const parameters = () => ({ ...g.customer.scoped, returnAll: true });
	const list = ['TargetGroup', 'getMany'] satisfies [string, string];

	test('that is not the same for each item is refused, and nothing is sent', async () => {
		const ran = run(list, { whatItMayDo: '={{ $json.may }}' }, { items, parameters: parameters() });
		await expect(ran).rejects.toThrow(/does not allow the same for each item/);
		expect(g.service.log).toEqual([]);
	});

	test('that is the same for each item holds', async () => {
		const same = { whatItMayDo: '={{ "read" + "Only" }}' };
		expect((await run(list, same, { items, parameters: parameters() })).items.length).toBeGreaterThan(0);
	});
});

/**
 * Names in the contract and in what is known of deployments that sound like a company's, and are none: of the tenant of an
 * identity provider, of an API client, and of somebody who sells domains or sends text messages.
 */
const NO_COMPANY = /^(tenant(User)?Id|client_?id|clientName|vendorName|(smsP|p)roviderNumberResourceIds?)$/i;

test('each name that means a company in the contract, or on a deployment, is known', () => {
	const texts = [
		'reseller-management-api',
		'deployment-facts',
		'deployment-shapes',
		'deployment-beyond',
		'deployment-behaviour',
	];
	const names = texts.flatMap((name) =>
		[
			...readFileSync(join(packageRoot, 'test', 'contract', `${name}.md`), 'utf8').matchAll(
				/\b\w*(?:compan|customer|reseller|organi[sz]ation|parent|child|subsidiar|tenant|client|vendor|owner|account|provider)\w*(?:Ids?|Array|List|Names?|Number)\b/gi,
			),
		].map(([found]) => found),
	);
	const unknown = [...new Set(names)].filter((name) => !mayNameCompany(name) && !NO_COMPANY.test(name));
	expect(unknown).toEqual([]);
	expect(names).toEqual(expect.arrayContaining(['companyId', 'companyResourceIdArray', 'parentId']));
});
