/** What is set up for a company: clients, users, SCIM, e-mail, SAML, sign-in. */
import axios from 'axios';
import type { StandIn } from './index';
import { messages, searchFor, ApiClient } from './apiClient';
import { ids, useSignedIn } from './testing';

let service: StandIn;
let reseller: ApiClient;
const companyAt = useSignedIn((started) => ({ service, reseller } = started));

describe('clients and roles', () => {
	it('are provisioned step by step; the new client can sign in', async () => {
		const company = companyAt(6).companyResourceId;
		const scoped = reseller.for(company);
		const role = (await scoped.list('GET /api/roles')).find((entry) => entry.name === 'Company Admin');
		const generated = await scoped.record('GET /api/companies/clients/generate-client-credentials');
		expect(String(generated.clientId).length).toBeLessThanOrEqual(32);
		expect(String(generated.clientSecret).length).toBeLessThanOrEqual(100);
		const body = { name: 'Nightly', ...generated, statusId: 1, roleResourceIdList: [role?.resourceId] };
		const { resourceId } = await scoped.record('POST /api/companies/clients', body);
		const client = {
			clientId: String(generated.clientId),
			clientSecret: String(generated.clientSecret),
			role: 'Company Admin',
		};
		const apiClient = new ApiClient(service, client);
		expect((await apiClient.record('GET /api/companies/my')).companyResourceId).toBe(company);
		expect(await scoped.results('POST /api/companies/clients/search', searchFor('nightly'))).toEqual([
			expect.objectContaining({ resourceId, name: 'Nightly', statusId: 1 }),
		]);
		const path = `/api/companies/clients/${String(resourceId)}`;
		await scoped.record(`PUT ${path}`, {
			...body,
			name: 'Weekly',
			hasIpAddressRestriction: true,
			allowedIpAddresses: ['10.0.0.0/8', '::1'],
		});
		expect(await scoped.record(`GET ${path}`)).toMatchObject({
			name: 'Weekly',
			allowedIpAddresses: ['10.0.0.0/8', '::1'],
		});
		expect(JSON.stringify(await scoped.record(`GET ${path}`))).not.toContain(generated.clientSecret);
		expect((await apiClient.ask('GET /api/roles')).status).toBe(403);
		await scoped.ask(`DELETE ${path}`);
		expect((await scoped.ask(`GET ${path}`)).status).toBe(404);
		expect((await apiClient.requestToken()).data).toEqual({ error: 'invalid_client' });
	});

	it.each([
		['no name', { name: '' }, /Name field is required/],
		['a long client id', { clientId: 'x'.repeat(33) }, /ClientId.*32/],
		['a long secret', { clientSecret: 'x'.repeat(101) }, /ClientSecret.*100/],
		['no roles', { roleResourceIdList: [] }, /role should be selected/],
		['null roles', { roleResourceIdList: null }, /role should be selected/],
		['an unknown status', { statusId: 99 }, /StatusId/],
		['no addresses', { hasIpAddressRestriction: true }, /Invalid ip address/],
		['an empty address', { hasIpAddressRestriction: true, allowedIpAddresses: [''] }, /Invalid ip address/],
		['a bad range', { hasIpAddressRestriction: true, allowedIpAddresses: ['10.0.0.0/33'] }, /Invalid ip address/],
	])('are refused with %s', async (_what, change, expected) => {
		const role = (await reseller.list('GET /api/roles'))[0];
		const body = {
			name: 'N',
			clientId: 'c',
			clientSecret: 's',
			statusId: 1,
			roleResourceIdList: [role?.resourceId],
			...change,
		};
		const response = await reseller.ask('POST /api/companies/clients', body);
		expect([response.status, messages(response)]).toEqual([400, expect.stringMatching(expected)]);
	});
});

describe('system users, SCIM, direct email, SAML', () => {
	it('create a system user in the scoped company', async () => {
		const company = companyAt(2).companyResourceId;
		const body = { firstName: 'Ada', lastName: 'L', email: 'ada@x.example', phoneNumber: '1' };
		await reseller.for(company).record('POST /api/system-users', body);
		expect(service.state.of(company).systemUsers).toMatchObject([{ email: 'ada@x.example' }]);
		for (const wrong of [
			{ ...body, firstName: 'x'.repeat(41) },
			{ ...body, phoneNumber: undefined },
			{ ...body, email: 'no' },
			{ ...body, phoneNumber: '1'.repeat(21) },
		]) {
			expect((await reseller.ask('POST /api/system-users', wrong)).status).toBe(400);
		}
		expect((await reseller.ask('POST /api/system-users', { ...body, companyResourceId: 'nope' })).status).toBe(403);
	});

	it('create, rename, revoke a SCIM integration', async () => {
		const company = companyAt(2).companyResourceId;
		const scoped = reseller.for(company);
		const [field] = await scoped.list('GET /api/scim/fields');
		const groupResourceId = service.state.of(company).targetGroups[0]?.resourceId;
		const body = {
			name: 'Okta',
			groupResourceId,
			fieldMappings: [{ customFieldResourceId: 'c', scimFieldResourceId: field?.resourceId }],
			syncPlatformGroup: true,
		};
		const made = await scoped.record('POST /api/scim', body);
		expect(made).toMatchObject({ scimToken: expect.any(String), scimEndpointUrl: expect.stringContaining('http') });
		expect((await scoped.ask('POST /api/scim', body)).status).toBe(409);
		expect((await scoped.ask('POST /api/scim', { ...body, name: 'Other', groupResourceId: 'nope' })).status).toBe(400);
		expect((await scoped.ask('POST /api/scim', { name: 'x'.repeat(31) })).status).toBe(400);
		const path = `/api/scim/${String(made.resourceId)}`;
		expect((await scoped.record(`POST ${path}/revoke`)).scimToken).not.toBe(made.scimToken);
		await scoped.record(`PUT ${path}`, { name: 'Entra' });
		await scoped.record(`PUT ${path}`, {});
		expect(await scoped.record(`GET ${path}`)).toMatchObject({ name: 'Entra', groupResourceId });
		expect(ids(await scoped.results('POST /api/scim/search', {}), 'name')).toEqual(['Directory Sync', 'Entra']);
		expect((await reseller.for(companyAt(3).companyResourceId).ask(`GET ${path}`)).status).toBe(404);
	});

	it('create, test and choose a direct email setting', async () => {
		const base = '/api/companies/direct-email-settings';
		const body = { name: 'M365', tenantId: 't', allowedDomains: ['a.example'], type: 1 };
		const { resourceId } = await reseller.record(`POST ${base}`, body);
		expect((await reseller.ask(`POST ${base}`, body)).status).toBe(409);
		expect((await reseller.ask(`POST ${base}`, { ...body, name: 'x', type: 3 })).status).toBe(400);
		expect((await reseller.ask(`POST ${base}`, { ...body, name: 'x', allowedDomains: [] })).status).toBe(400);
		await reseller.record(`POST ${base}/test`, {
			resourceId,
			from: 'a@a.example',
			fromName: 'A',
			to: 'b@a.example',
			message: 'Hello',
			tenantId: 't',
			type: 1,
		});
		await reseller.record(`PUT ${base}/make-default/${String(resourceId)}`);
		expect(service.state.emailSettings).toMatchObject([{ resourceId, isDefault: true, testsSent: 1 }]);
		expect((await reseller.ask(`PUT ${base}/make-default/nope`)).status).toBe(404);
	});

	it('create a SAML setting from a form with a metadata file', async () => {
		const form = (change: Record<string, string> = {}, file = true) => {
			const made = new FormData();
			const fields = {
				Name: 'SSO',
				IdPSSOTargetUrl: 'https://idp.example',
				IdPEntityID: 'idp',
				StatusId: '1',
				'Domain[0]': 'a.example',
				IdPCertFingerprintTypeId: '2',
				...change,
			};
			for (const [name, value] of Object.entries(fields)) made.append(name, value);
			made.append('Domain[1]', 'b.example');
			if (file) made.append('File', new Blob(['<xml/>'], { type: 'text/xml' }), 'metadata.xml');
			return made;
		};
		const base = '/api/companies/saml-settings';
		const { resourceId } = await reseller.record(`POST ${base}`, form());
		expect(await reseller.record(`GET ${base}/${String(resourceId)}`)).toMatchObject({
			name: 'SSO',
			domain: ['a.example', 'b.example'],
			statusId: 1,
			metadataFileName: 'metadata.xml',
		});
		for (const wrong of [
			form({ Name: '' }),
			form({ StatusId: '2' }),
			form({ IdPCertFingerprintTypeId: '3' }),
			form({}, false),
			form({ Name: 'x'.repeat(65) }),
		]) {
			expect((await reseller.ask(`POST ${base}`, wrong)).status).toBe(400);
		}
		expect(await reseller.record(`GET ${base}/default`)).toHaveProperty('entityId');
		expect((await reseller.ask(`GET ${base}/nope`)).status).toBe(404);
	});
});

describe('sign-in', () => {
	it('logs in and out without a token', async () => {
		const ask = async (data: unknown) =>
			await axios.post(`${service.url}/api/account/login`, data, { validateStatus: () => true });
		expect((await ask({ ...service.state.login, bypassSaml: true })).data).toMatchObject({
			data: { accessToken: expect.any(String) },
		});
		expect((await ask({ ...service.state.login, password: 'no' })).status).toBe(401);
		expect((await ask({ username: 'x' })).status).toBe(400);
		expect((await axios.get(`${service.url}/api/account/logout`)).status).toBe(200);
	});

	it('takes an agent code once', async () => {
		const url = await reseller.record('POST /api/v2/agent-auth/login-url', { sessionId: 's1' });
		const authCode = new URL(String(url.redirectUrl)).searchParams.get('authCode');
		expect(await reseller.record('POST /api/v2/agent-auth/token', { authCode })).toHaveProperty('accessToken');
		const replay = await reseller.ask('POST /api/v2/agent-auth/token', { authCode });
		expect(replay.status).toBe(401);
		expect(replay.headers['content-type']).toContain('application/problem+json');
		expect(replay.data).toMatchObject({
			status: 401,
			title: expect.any(String),
			detail: expect.stringContaining('used'),
		});
		expect((await reseller.ask('POST /api/v2/agent-auth/login-url', {})).data).toMatchObject({
			status: 400,
			detail: expect.stringContaining('SessionId'),
		});
	});

	it('connects and disconnects Google', async () => {
		expect(await reseller.data('GET /api/googleoauth/authorize')).toMatch(/^https:/);
		expect(await reseller.record('GET /api/googleoauth/callback?Code=c&State=s')).toHaveProperty('resourceId');
		expect((await reseller.ask('GET /api/googleoauth/callback?Code=c')).status).toBe(400);
		expect((await reseller.ask('DELETE /api/googleoauth/revoke')).status).toBe(200);
	});
});
