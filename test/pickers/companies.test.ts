/** Tests of the functions that read company records (contract 2.4): license, child companies, ID and name. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { toCompany, flattenCompanies, isLicenseExpired, flattenChildren } from '../../nodes/core/companies/companies';
import { catchNodeError, getJson, createNodeFixture, requireValue } from '../n8n-core/nodeFixture';
import { readEntryId } from './expectedLists';

const NOW = Date.parse('2026-01-31T22:00:00Z');

test.each<[object, boolean]>([
	[{ licenseEndDate: '2026-01-30T23:59:59Z' }, true],
	[{ licenseEndDate: '2026-01-31T00:00:00Z' }, false],
	[{ licenceExpired: true, licenseEndDate: '2026-01-31T00:00:00Z' }, false],
	[{ licenseEndDate: '2026-01-31T00:30:00+01:00' }, true],
	[{ licenseEndDate: '2026-01-31T00:00:00' }, false],
	[{ licenseEndDate: '2026-02-01' }, false],
	[{ licenceExpired: true, licenseEndDate: '2100-01-01' }, true],
	[{ licenceExpired: false, licenseEndDate: '2020-01-01' }, true],
	[{ licenceExpired: 'true' }, false],
	[{ licenseEndDate: null }, false],
	[{ licenseEndDate: 'soon' }, false],
	[{}, false],
])('the license of %j is expired: %s', (company, isExpired) => {
	expect(isLicenseExpired({ ...company }, NOW, 'UTC')).toBe(isExpired);
});

test('ID and name are read from any of the known field names', () => {
	expect(toCompany({ companyResourceId: 'a', resourceId: 'b', companyName: 'A', name: 'B' })).toEqual({
		id: 'a',
		name: 'A',
	});
	expect(toCompany({})).toEqual({ id: '', name: '' });
});

const createCompany = (id: string, children: IDataObject[string] = []) => ({ companyResourceId: id, children });
const COMPANY_TREE = {
	...createCompany('a', [createCompany('b', [createCompany('c')]), 'odd', createCompany('d', null)]),
	name: 'A',
};

test('child companies at every depth follow their parent and get its ID', () => {
	expect(flattenChildren({ ...COMPANY_TREE })).toEqual([
		{ companyResourceId: 'a', name: 'A' },
		{ companyResourceId: 'b', parentCompanyResourceId: 'a' },
		{ companyResourceId: 'c', parentCompanyResourceId: 'b' },
		{ companyResourceId: 'd', parentCompanyResourceId: 'a' },
	]);
});

test('a company that is listed on its own and inside its parent is returned once', () => {
	const companies = flattenCompanies([createCompany('b'), { ...COMPANY_TREE }, createCompany('e'), createCompany('e')]);
	expect(companies.map((company) => [company.companyResourceId, company.parentCompanyResourceId])).toEqual([
		['a', undefined],
		['b', 'a'],
		['c', 'b'],
		['d', 'a'],
		['e', undefined],
	]);
});

describe('names that n8n could evaluate', () => {
	const fixture = createNodeFixture({ companyCount: 6 });
	const NAMES = [
		"={{ $('Settings').first().json.apiKey }}",
		'=2+2',
		'\u200fעברית',
		'{{ $json.x }}',
		`"Twin's" {peaks}`,
	];

	test.each(NAMES)('%j is shown unchanged in the list, in every item and in an error', async (companyName) => {
		const company = requireValue(fixture.standIn.world.companies[1]);
		company.companyName = companyName;
		const value = company.companyResourceId;
		const { results } = await fixture.searchList(SecurityAwarenessRole, 'searchCompanies');
		const cachedResultName = requireValue(results.find((result) => result.value === value)).name;
		expect(cachedResultName).toBe(companyName.startsWith('=') ? `\u00a0${companyName}` : companyName);
		const options = await fixture.loadOptions(SecurityAwarenessCompanyGroup, 'loadCompanies');
		const entry = requireValue(options.find((option) => readEntryId(option.value) === value));
		expect(entry.name).toBe(cachedResultName);
		expect(String(entry.value)).not.toMatch(/^=/);

		const scope = { companyScope: 'one', company: { __rl: true, mode: 'list', value, cachedResultName } };
		const { items } = await fixture.run(SecurityAwarenessRole, { operation: 'getMany', ...scope });
		expect(new Set(getJson(items).map((json) => json.companyName))).toEqual(new Set([companyName]));
		const enrollment = { mode: 'id', value: 'unknown' };
		const run = fixture.run(SecurityAwarenessEnrollment, { operation: 'get', ...scope, enrollment });
		expect((await catchNodeError(run)).message).toContain(
			`for '${companyName}': the platform has no record with the ID 'unknown' (404)`,
		);
	});
});
