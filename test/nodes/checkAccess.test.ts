/** Tests Check Access: the role and the company of a credential, its permissions, and the check of the company header. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { createOperationFixture, TESTED_PROFILES } from '../cases/operationFixture';
import { CONTRACT_KEYS, isResellerOnly } from '../contract/keys';
import { CredentialStore, runNode } from '../n8n-core';
import { toPermission } from '../stand-in/permissions';

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);

	/** Runs Check Access. Returns only the rows whose endpoints this platform has. */
	const checkAccess = async (clientName: 'companyAdmin' | 'limited' | 'blocked') => {
		const servedPermissions = fixture.standIn.routeKeys.map(toPermission);
		const { items } = await runNode({
			node: fixture.getNode('Account'),
			parameters: { operation: 'checkAccess' },
			credential: fixture.createCredential(clientName),
		});
		return items.map(({ json }) => json).filter(({ permission }) => servedPermissions.includes(String(permission)));
	};

	test('a Company Admin has its own company, and no permissions that only Resellers have', async () => {
		const rows = await checkAccess('companyAdmin');
		const { companyResourceId, companyName } = fixture.customer.world.companies[0] ?? {};
		expect(new Set(rows.map(({ role }) => role))).toEqual(new Set(['Company Admin']));
		expect(new Set(rows.map((row) => `${row.companyResourceId} ${row.companyName}`))).toEqual(
			new Set([`${companyResourceId} ${companyName}`]),
		);
		const resellerPermissions = fixture.standIn.routeKeys.filter(isResellerOnly).map(toPermission);
		const deniedRows = rows.filter(({ allowed }) => allowed === false);
		expect(deniedRows.map(({ permission }) => permission).sort()).toEqual(
			[...new Set(rows.map(({ permission }) => String(permission)))]
				.filter((permission) => resellerPermissions.includes(permission))
				.sort(),
		);
		expect(rows.filter(({ allowed }) => allowed === true)).toHaveLength(rows.length - deniedRows.length);
	});

	test('an operation that the platform offers at another path is allowed, too', async () => {
		const rows = await checkAccess('companyAdmin');
		const isListOfClicks = ({ permission }: IDataObject) => /search-\w+-clicked/.test(String(permission));
		const smishingRows = rows.filter(({ node }) => node === 'Smishing Campaign').filter(isListOfClicks);
		const word = profile === 'deployed' ? 'sms' : 'email';
		expect(smishingRows.map(({ permission, allowed }) => [permission, allowed])).toEqual([
			[`smishing-simulator/smishing-campaign-job-report/search-${word}-clicked/{resourceId}|POST`, true],
		]);
	});

	test('a Reseller without two permissions', async () => {
		const deniedRows = (await checkAccess('limited')).filter(({ allowed }) => allowed !== true);
		expect(deniedRows.map(({ node, operation, permission }) => [node, operation, permission])).toEqual([
			['Company', 'Get many companies', 'companies/search|POST'],
			['Leaderboard', 'Export leaderboard', 'leaderboard/get-all/export|POST'],
		]);
	});

	test('leaves open whether operations are allowed if the token lists no permissions', async () => {
		await runNode({
			node: fixture.getNode('Role'),
			parameters: { operation: 'getMany', ...fixture.customer.companyParameters },
			credential: fixture.credential,
		});
		const { access_token } = z.object({ access_token: z.string() }).parse(fixture.credential.token);
		const { items } = await runNode({
			node: fixture.getNode('Account'),
			parameters: { operation: 'checkAccess' },
			credential: new CredentialStore({
				...fixture.customer.buildCredentialData(),
				oauthTokenData: { access_token, token_type: 'Bearer' },
			}),
		});
		expect(new Set(items.map(({ json }) => json.allowed))).toEqual(new Set([null]));
	});

	test('a hint says if the platform does not read the company header', async () => {
		const { items, hints } = await runNode({
			node: fixture.getNode('Account'),
			parameters: { operation: 'checkAccess' },
			credential: fixture.createCredential('reseller', { companyHeaderName: 'X-Other-Company-Id' }),
		});
		expect(new Set(items.map(({ json }) => json.companyHeaderIsRead))).toEqual(new Set([false]));
		expect(JSON.stringify(hints)).toContain("Correct 'Company Header Name' in the credential.");
	});

	test.each(['POST /api/companies/search', 'GET /api/roles'])(
		'it is unknown whether the platform reads the company header if %s fails',
		async (route) => {
			fixture.standIn.addFault({ route, kind: 'forbidden-company', times: Infinity });
			const { items, hints } = await runNode({
				node: fixture.getNode('Account'),
				parameters: { operation: 'checkAccess' },
				credential: fixture.credential,
			});
			expect(new Set(items.map(({ json }) => json.companyHeaderIsRead))).toEqual(new Set([null]));
			expect(hints).toEqual([]);
		},
	);

	test('says nothing about the access if the platform does not answer', async () => {
		fixture.standIn.addFault({ route: 'GET /api/enrollments/form-details', kind: 'status-500', times: Infinity });
		await expect(checkAccess('companyAdmin')).rejects.toThrow('the platform had an internal error (500)');
	});

	test('a blocked client still gets a token, and has no permissions', async () => {
		const rows = await checkAccess('blocked');
		expect(rows.length).toBeGreaterThanOrEqual(CONTRACT_KEYS.length);
		expect(rows.filter(({ allowed }) => allowed !== true)).toEqual([]);
	});
});
