import { ApiClient } from '../apiClient';
import { NEW_COMPANY } from './requests';
import { body, Deployed, formOf, refusalOf, rowsOf } from './testing';

let d: Deployed;
beforeAll(async () => {
	d = await Deployed.start();
});
afterAll(async () => await d.service.close());
beforeEach(() => {
	d.service.reset();
	d.service.setOptions({ participants: 'add' });
});

const CLIENTS = '/api/companies/clients';

describe('the participants of a company group', () => {
	const members = async (id: string) =>
		(await d.reseller.results(`POST /api/company-groups/${id}/companies/search`, body('CompanyName'))).map(
			({ companyResourceId }) => companyResourceId,
		);

	test.each([
		['add', 3],
		['replace', 1],
	] as const)('are changed by: %s', async (participants, expected) => {
		d.service.setOptions({ participants });
		const [first, second, third] = d.service.state.companies.map(({ companyResourceId }) => companyResourceId);
		const { resourceId } = await d.reseller.record('POST /api/company-groups', {
			name: 'Mine',
			companyResourceIdArray: [first, second],
		});
		const id = String(resourceId);
		expect(
			await d.reseller.record(`PUT /api/company-groups/${id}/participants`, { companyResourceIdArray: [third] }),
		).toEqual({ resourceId });
		expect((await members(id)).sort()).toEqual((participants === 'add' ? [first, second, third] : [third]).sort());
		expect(await d.reseller.record(`GET /api/company-groups/${id}`)).toEqual({
			resourceId,
			name: 'Mine',
			addedTime: expect.any(String),
			companyCount: expected,
		});
	});

	test('come in an object, not as a bare list', async () => {
		const id = d.service.state.groups[0]?.resourceId;
		expect((await d.reseller.ask(`PUT /api/company-groups/${id}/participants`, [d.companyId])).status).toBe(400);
		expect(
			(await d.reseller.ask(`PUT /api/company-groups/${id}/participants`, { companyResourceIdArray: ['nobody'] }))
				.status,
		).toBe(400);
	});
});

describe('a REST API client', () => {
	const settings = { name: 'Mine', clientId: 'my-client', clientSecret: 'my-secret', statusId: 1 };
	const roleOf = async (apiClient: ApiClient, wanted: string) =>
		(await apiClient.list('GET /api/roles')).find(({ name }) => name === wanted)?.resourceId;

	test('has a role of its own company, is listed, tells its secret, and is gone after its deletion', async () => {
		const roleResourceIdList = [await roleOf(d.customer, 'Company Admin')];
		const { resourceId } = await d.customer.record(`POST ${CLIENTS}`, { ...settings, roleResourceIdList });
		const rows = await d.customer.results(`POST ${CLIENTS}/search`, body('CreateTime'));
		expect(rows.find((row) => row.resourceId === resourceId)).toEqual({
			...{ resourceId, clientName: 'Mine', clientId: 'my-client', statusId: 1, statusName: 'Active' },
			createTime: expect.any(String),
		});
		expect(await d.customer.record(`GET ${CLIENTS}/${String(resourceId)}`)).toMatchObject({
			name: 'Mine',
			clientSecret: 'my-secret',
			roleResourceIdList,
		});
		const own = new ApiClient(d.service, { clientId: 'my-client', clientSecret: 'my-secret', role: 'Company Admin' });
		expect(await own.list('GET /api/companies/my')).toMatchObject([{ resourceId: d.companyId }]);
		expect(
			await d.customer.record(`PUT ${CLIENTS}/${String(resourceId)}`, { ...settings, statusId: 2, roleResourceIdList }),
		).toEqual({ resourceId });
		expect((await own.requestToken()).status).toBe(400);
		expect(await d.customer.record(`DELETE ${CLIENTS}/${String(resourceId)}`)).toEqual({ resourceId });
		expect((await d.customer.ask(`GET ${CLIENTS}/${String(resourceId)}`)).status).toBe(404);
	});

	test('is refused with another company’s role, without a role, and with a status that is none', async () => {
		const foreign = await roleOf(
			d.reseller.for(d.service.state.companies[20]?.companyResourceId ?? ''),
			'Company Admin',
		);
		const own = await roleOf(d.customer, 'Company Admin');
		expect(foreign).not.toBe(own);
		const refused = async (more: object) =>
			(await d.customer.ask(`POST ${CLIENTS}`, { ...settings, roleResourceIdList: [own], ...more })).data;
		expect(await refused({ roleResourceIdList: [foreign] })).toMatchObject({
			Status: 'INPUT_ERROR',
			ValidationMessages: ['Role is invalid'],
		});
		expect(await refused({ roleResourceIdList: [] })).toMatchObject({
			ValidationMessages: ['A role should be selected'],
		});
		expect(await refused({ statusId: 7 })).toMatchObject({ ValidationMessages: ['Status Id is invalid'] });
		expect(await refused({ hasIpAddressRestriction: true, allowedIpAddresses: [''] })).toMatchObject({
			ValidationMessages: ['Invalid ip address'],
		});
	});

	test('is not made by generating credentials', async () => {
		const { clientId, clientSecret } = await d.customer.record(`GET ${CLIENTS}/generate-client-credentials`);
		const nobody = new ApiClient(d.service, {
			clientId: String(clientId),
			clientSecret: String(clientSecret),
			role: '',
		});
		expect((await nobody.requestToken()).status).toBe(400);
	});
});

describe('a SCIM integration', () => {
	test('tells its token at creation and revocation alone, without an identifier', async () => {
		expect((await d.customer.record('GET /api/scim/fields')).fields).toContainEqual({
			resourceId: expect.any(String),
			name: 'userName',
		});
		const created = await d.customer.record('POST /api/scim', { name: 'Entra' });
		expect(created).toEqual({ token: expect.any(String) });
		const [row] = await d.customer.results(
			'POST /api/scim/search',
			body('Name', { filter: { Condition: 'AND', SearchInputTextValue: 'Entra' } }),
		);
		const id = String(row?.resourceId);
		const page = await d.customer.record(`POST /api/scim/${id}/revoke`);
		expect(page).toMatchObject({ totalNumberOfRecords: 1, results: [{ token: expect.any(String) }] });
		expect(rowsOf(page)[0]?.token).not.toBe(created.token);
		expect(await d.customer.record(`PUT /api/scim/${id}`, { name: 'Entra ID' })).toEqual({ resourceId: id });
		const record = await d.customer.record(`GET /api/scim/${id}`);
		expect(record).toMatchObject({ name: 'Entra ID' });
		expect(JSON.stringify(record)).not.toContain(String(rowsOf(page)[0]?.token));
	});

	test('wants a group of its own company, and a name of its own', async () => {
		const elsewhere = d.service.state.of(d.service.state.companies[20]?.companyResourceId ?? '').targetGroups[0]
			?.resourceId;
		expect((await d.customer.ask('POST /api/scim', { name: 'One', groupResourceId: elsewhere })).status).toBe(400);
		const group = d.holdings.targetGroups[0];
		await d.customer.data('POST /api/scim', { name: 'One', groupResourceId: group?.resourceId });
		expect((await d.customer.ask('POST /api/scim', { name: 'one' })).status).toBe(409);
		expect(
			(await d.customer.results('POST /api/scim/search', body('Name'))).find(({ name }) => name === 'One'),
		).toMatchObject({ groupName: group?.name });
	});
});

describe('a direct-email setting', () => {
	const setting = { name: 'Tenant', tenantId: 'tenant-1', allowedDomains: ['customer.example'], type: 2 };

	test('is tested with its tenant and its type, made the default, and listed', async () => {
		const { resourceId } = await d.customer.record('POST /api/companies/direct-email-settings', setting);
		const mail = {
			resourceId,
			from: 'a@customer.example',
			fromName: 'A',
			to: 'b@customer.example',
			message: 'Hello',
			tenantId: 'tenant-1',
			type: 2,
		};
		expect(await d.customer.record('POST /api/companies/direct-email-settings/test', mail)).toEqual({ resourceId });
		for (const wrong of [{ tenantId: 'tenant-2' }, { type: 1 }]) {
			expect(
				refusalOf(await d.customer.ask('POST /api/companies/direct-email-settings/test', { ...mail, ...wrong })).http,
			).toBe(400);
		}
		expect(
			await d.customer.record(`PUT /api/companies/direct-email-settings/make-default/${String(resourceId)}`),
		).toEqual({ resourceId });
		expect(
			(await d.customer.ask(`POST /api/companies/direct-email-settings/make-default/${String(resourceId)}`)).status,
		).toBe(404);
		expect(await d.customer.results('POST /api/companies/direct-email-settings/search', body('Name'))).toMatchObject([
			{ resourceId, ...setting },
		]);
		expect(d.holdings.emailSettings).toMatchObject([{ isDefault: true, testsSent: 1 }]);
		expect((await d.customer.ask('POST /api/companies/direct-email-settings', setting)).status).toBe(409);
	});
});

describe('a company', () => {
	test('is made under the reseller, of its nine required fields', async () => {
		const { resourceId } = await d.reseller.record('POST /api/companies', formOf(NEW_COMPANY, false));
		expect(resourceId).toMatch(/^[A-Za-z0-9]{12}$/);
		expect(d.service.state.tree.at(-1)).toMatchObject({ companyResourceId: resourceId, companyName: 'New' });
		expect(await d.reseller.record(`GET /api/companies/${String(resourceId)}`)).toMatchObject({
			name: 'New',
			numberOfUsers: 5,
			timeZoneId: 'UTC',
		});
	});
});

describe('a system user', () => {
	test('needs no role, but if one is given it is the company’s own', async () => {
		const user = { firstName: 'A', lastName: 'B', email: 'a@customer.example', phoneNumber: '+15551234567' };
		const { resourceId } = await d.customer.record('POST /api/system-users', user);
		expect(await d.customer.results('POST /api/system-users/search', body('Email'))).toMatchObject([
			{ resourceId, email: user.email, roles: '' },
		]);
		expect((await d.customer.ask('POST /api/system-users', { ...user, roleResourceIdList: ['nobody'] })).status).toBe(
			400,
		);
		expect(d.holdings.systemUsers).toHaveLength(1);
	});
});
