/** Companies and groups of them: made, read, changed and refused. */
import { createHash } from 'node:crypto';
import type { StandIn } from './index';
import { type ApiClient, messages, searchFor } from './apiClient';
import { ids, SEARCH, useSignedIn } from './testing';

let service: StandIn;
let reseller: ApiClient;
let admin: ApiClient;
const companyAt = useSignedIn((started) => ({ service, reseller, admin } = started));

describe('companies', () => {
	const creation = (change: Record<string, string | undefined> = {}): FormData => {
		const form = new FormData();
		const fields: Record<string, string | undefined> = {
			Name: 'Neue Bäckerei',
			IndustryResourceId: companyAt(0).industryResourceId,
			CountryResourceId: 'de',
			LicenseTypeResourceId: companyAt(0).licenseTypeResourceId,
			LicensePeriodTypeResourceId: 'year',
			NumberOfUsers: '25',
			TimeZoneId: 'Europe/Berlin',
			DateFormat: 'dd.MM.yyyy',
			TimeFormat: 'HH:mm',
			...change,
		};
		for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
		return form;
	};

	it('are created from a form with a logo, listed, and read back', async () => {
		const form = creation({
			IsNumberOfUsersLimited: 'true',
			LicenseEndDate: '2032-01-01T00:00:00Z',
			Description: 'New',
		});
		form.append('Tags', 'one');
		form.append('Tags', 'two');
		const logo = Buffer.from('a logo');
		form.append('File', new Blob([logo], { type: 'image/png' }), 'logo.png');
		const { resourceId } = await reseller.record('POST /api/companies', form);
		expect(await reseller.record(`GET /api/companies/${String(resourceId)}`)).toMatchObject({
			companyName: 'Neue Bäckerei',
			numberOfUsers: '25',
			tags: ['one', 'two'],
			description: 'New',
		});
		expect(ids(await reseller.results(SEARCH, searchFor('neue bäck')))).toEqual([resourceId]);
		const sha256 = createHash('sha256').update(logo).digest('hex');
		expect(service.state.logos[String(resourceId)]).toEqual({
			fileName: 'logo.png',
			mimeType: 'image/png',
			bytes: 6,
			sha256,
		});
		expect(service.requests('POST /api/companies')[0]).toMatchObject({
			landed: true,
			body: {
				fields: { Name: 'Neue Bäckerei', Tags: ['one', 'two'] },
				files: [{ field: 'File', fileName: 'logo.png', mimeType: 'image/png', bytes: 6, sha256 }],
			},
		});
	});

	it.each([
		['no name', { Name: undefined }, /Name field is required/],
		['a name that is too long', { Name: 'x'.repeat(65) }, /at most 64/],
		['a number that is none', { NumberOfUsers: '12.5' }, /NumberOfUsers|numberOfUsers/],
		['a date that is none', { LicenseEndDate: 'soon' }, /LicenseEndDate/],
		['a long description', { Description: 'x'.repeat(301) }, /Description.*300/],
	])('are not created with %s', async (_what, change, expected) => {
		const response = await reseller.ask('POST /api/companies', creation(change));
		expect(response.status).toBe(400);
		expect(messages(response)).toMatch(expected);
		expect(service.state.companies).toHaveLength(500);
	});

	it('answer 404 when unknown, 403 when foreign', async () => {
		expect((await reseller.ask('GET /api/companies/unknown')).status).toBe(404);
		expect((await reseller.ask(`GET /api/companies/${service.state.foreign.companyResourceId}`)).status).toBe(403);
	});

	it('tell a caller its own', async () => {
		expect(await admin.record('GET /api/companies/my')).toMatchObject({
			companyResourceId: service.clients.companyAdmin.companyResourceId,
		});
		expect(await reseller.record('GET /api/companies/my')).toMatchObject({ companyName: 'Northwind Reseller' });
	});
});

describe('company groups', () => {
	it('are created, read, changed and given other participants', async () => {
		const [one, two, three] = [
			companyAt(1).companyResourceId,
			companyAt(2).companyResourceId,
			companyAt(3).companyResourceId,
		];
		const { resourceId } = await reseller.record('POST /api/company-groups', {
			name: 'Three',
			companyResourceIdArray: [one, two],
		});
		const path = `/api/company-groups/${String(resourceId)}`;
		expect(await reseller.record(`GET ${path}`)).toMatchObject({
			name: 'Three',
			companies: [{ companyResourceId: one }, { companyResourceId: two }],
		});
		await reseller.record(`PUT ${path}/participants`, { companyResourceIdArray: [three] });
		expect((await reseller.record(`GET ${path}`)).companyResourceIdArray).toEqual([three]);
		await reseller.record(`PUT ${path}/participants`, [one, three]);
		await reseller.record(`PUT ${path}`, { name: 'Renamed', companyResourceIdArray: [two] });
		expect(await reseller.record(`GET ${path}`)).toMatchObject({ name: 'Renamed', companyResourceIdArray: [two] });
		expect(ids(await reseller.list('GET /api/company-groups'), 'name')).toContain('Renamed');
		expect(await reseller.results('POST /api/company-groups/search', searchFor('renam'))).toHaveLength(1);
		await reseller.record(`PUT ${path}/participants`, { companyResourceIdArray: [] });
		expect((await reseller.record(`GET ${path}`)).companyCount).toBe(0);
	});

	it('are checked', async () => {
		const key = 'POST /api/company-groups';
		expect((await reseller.ask(key, { name: '' })).status).toBe(400);
		expect((await reseller.ask(key, { name: 'x'.repeat(65) })).status).toBe(400);
		expect((await reseller.ask(key, { name: 'x'.repeat(64) })).status).toBe(200);
		const unknown = await reseller.ask(key, { name: 'x', companyResourceIdArray: ['nope'] });
		expect([unknown.status, messages(unknown)]).toEqual([400, expect.stringContaining('nope')]);
		expect(
			(await reseller.ask('PUT /api/company-groups/unknown/participants', { companyResourceIdArray: [] })).status,
		).toBe(404);
		const group = service.state.groups[0]?.resourceId ?? '';
		expect((await reseller.ask(`PUT /api/company-groups/${group}/participants`, {})).status).toBe(400);
	});
});
