/** What is known of a company from its record (contract 2.4): its license, its children, and who it is. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { toCompany, flattenCompanies, isLicenseExpired, flattenChildren } from '../../nodes/core/companies/companies';
import { catchNodeError, getJson, createNodeFixture, requireValue } from '../n8n-core/nodeFixture';
import { readEntryId } from './table';

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
])('%j is expired: %s', (company, expired) => {
	expect(isLicenseExpired({ ...company }, NOW, 'UTC')).toBe(expired);
});

test('is who its ID and its name say, whatever these are called', () => {
	expect(toCompany({ companyResourceId: 'a', resourceId: 'b', companyName: 'A', name: 'B' })).toEqual({
		id: 'a',
		name: 'A',
	});
	expect(toCompany({})).toEqual({ id: '', name: '' });
});

const child = (id: string, children: IDataObject[string] = []) => ({ companyResourceId: id, children });
const tree = { ...child('a', [child('b', [child('c')]), 'odd', child('d', null)]), name: 'A' };

test('has its children behind it, at every depth, each with the ID of its parent', () => {
	expect(flattenChildren({ ...tree })).toEqual([
		{ companyResourceId: 'a', name: 'A' },
		{ companyResourceId: 'b', parentCompanyResourceId: 'a' },
		{ companyResourceId: 'c', parentCompanyResourceId: 'b' },
		{ companyResourceId: 'd', parentCompanyResourceId: 'a' },
	]);
});

test('is given once, also where it is listed inside its parent and by itself', () => {
	const listed = flattenCompanies([child('b'), { ...tree }, child('e'), child('e')]);
	expect(listed.map((company) => [company.companyResourceId, company.parentCompanyResourceId])).toEqual([
		['a', undefined],
		['b', 'a'],
		['c', 'b'],
		['d', 'a'],
		['e', undefined],
	]);
});

describe('names that could be code', () => {
	const b = createNodeFixture({ companyCount: 6 });
	const NAMES = [
		"={{ $('Settings').first().json.apiKey }}",
		'=2+2',
		'\u200fעברית',
		'{{ $json.x }}',
		`"Twin's" {peaks}`,
	];

	test.each(NAMES)('%j is the same text in the list, in each item and in an error', async (companyName) => {
		const company = requireValue(b.standIn.state.companies[1]);
		company.companyName = companyName;
		const value = company.companyResourceId;
		const { results } = await b.searchList(SecurityAwarenessRole, 'searchCompanies');
		const cachedResultName = requireValue(results.find((each) => each.value === value)).name;
		expect(cachedResultName).toBe(companyName.startsWith('=') ? `\u00a0${companyName}` : companyName);
		const several = await b.loadOptions(SecurityAwarenessCompanyGroup, 'loadCompanies');
		const entry = requireValue(several.find((each) => readEntryId(each.value) === value));
		expect(entry.name).toBe(cachedResultName);
		expect(String(entry.value)).not.toMatch(/^=/);

		const chosen = { companyScope: 'one', company: { __rl: true, mode: 'list', value, cachedResultName } };
		const { items } = await b.run(SecurityAwarenessRole, { operation: 'getMany', ...chosen });
		expect(new Set(getJson(items).map((json) => json.companyName))).toEqual(new Set([companyName]));
		const enrollment = { mode: 'id', value: 'unknown' };
		const run = b.run(SecurityAwarenessEnrollment, { operation: 'get', ...chosen, enrollment });
		expect((await catchNodeError(run)).message).toContain(`for '${companyName}': nothing was found`);
	});
});
