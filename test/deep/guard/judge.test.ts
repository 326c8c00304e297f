/** The judge itself: what it lets pass, and what it does not, without any node. */
import type { Arrived } from './front';
import { judged } from './judge';
import type { Rules } from './settings';

const [OWN, OTHER] = ['0b6f7f3e-5c1d-4f57-9a53-0d9a4c6be111', '7d1a2c44-9e0b-4a1c-8b6d-3f2e5a7c9d22'];
const HEADER = 'x-service-company-id';
const GROUP = 'group-1';

const request = (line: string, more: Partial<Arrived> = {}): Arrived => {
	const [method = '', target = ''] = line.split(' ');
	return { method, target, headers: [[HEADER, OWN]], body: '', ...more };
};
const json = (body: unknown): Partial<Arrived> => ({
	body: JSON.stringify(body),
	headers: [
		[HEADER, OWN],
		['content-type', 'application/json'],
	],
});
const form = (name: string, value: string): Partial<Arrived> => ({
	body: `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--`,
	headers: [
		[HEADER, OWN],
		['content-type', 'multipart/form-data; boundary=x'],
	],
});
const unnamed: Partial<Arrived> = { headers: [] };

const LIMITED: Rules = { companies: new Set([OWN]), nothing: false, writes: true, clear: true };
const known = { header: HEADER, membersOf: (group: string) => (group === GROUP ? [OWN, OTHER] : [OWN]) };
const complaints = (arrived: Arrived, rules: Rules, isAgent = false) =>
	judged({ arrived: [arrived], said: { texts: [], items: [], error: undefined, given: '' } }, rules, isAgent, {
		known,
		belongings: { owners: new Map(), names: new Map() },
		given: '',
	});

test.each([
	request(
		'POST /api/target-groups/search/current-company',
		json({ pageNumber: 1, companyName: 'x', numberOfCompanies: 3 }),
	),
	request(`GET /api/roles?companyId=${OWN}`),
	request(`GET /api/companies/${OWN.toUpperCase()}`, unnamed),
	request('POST /api/companies/search', unnamed),
	request('GET /api/lookups/licenses', unnamed),
	request('POST /api/company-groups', { ...json({ companyResourceIdArray: [OWN] }) }),
	request('PUT /api/company-groups/group-2', json({ companyResourceIdArray: [OWN], companyGroupResourceIds: ['x'] })),
	request('POST /api/companies/saml-settings', form('CompanyResourceId', OWN)),
])('$method $target: may pass', (arrived) => {
	expect(complaints(arrived, LIMITED)).toEqual([]);
});

test.each([
	request('GET /api/roles', unnamed),
	request('GET /api/roles', { headers: [[HEADER, OTHER]] }),
	request('GET /api/roles', { headers: [[HEADER, `${OWN},${OTHER}`]] }),
	request('GET /api/roles', {
		headers: [
			[HEADER, OWN],
			[HEADER, OTHER],
		],
	}),
	request('GET /api/roles', {
		headers: [
			[HEADER, OWN],
			['x-ir-company-id', OTHER],
		],
	}),
	request(`GET /api/roles?companyId=${OTHER}`),
	request(`GET /api/roles?COMPANYID=${OTHER}&companyId=${OWN}`),
	request(`GET /api/roles?company%49d=${OTHER}`),
	request(`GET /api/companies/${OTHER}`),
	request(`GET /api/companies/${OTHER}/license-check`),
	request(`GET /api/scim/..%2fcompanies%2f${OTHER}`),
	request(`GET /api/scim/x%3FcompanyId=${OTHER}`),
	request('GET /api/scim/%2e%2e'),
	request('POST /api/scim/search', json({ filter: { companyId: OTHER } })),
	request('POST /api/scim/search', json({ companies: [{ id: OTHER }] })),
	request(
		'POST /api/scim/search',
		json({ filter: { FilterGroups: [{ FilterItems: [{ fieldName: 'company_id', value: OTHER }] }] } }),
	),
	request('POST /api/companies/saml-settings', form('companyId', OTHER)),
	request('POST /api/company-groups', { ...json({ companyResourceIdArray: [OWN, OTHER] }) }),
	request('POST /api/company-groups', { ...json({ companyResourceIdArray: [] }) }),
	request(`PUT /api/company-groups/${GROUP}/participants`, json({ companyResourceIdArray: [OWN] })),
	request('GET /api/company-groups', unnamed),
	request('POST /api/companies/search/export', unnamed),
	request('POST /api/companies'),
	request('GET /api/companies/my'),
	request('POST /api/account/login'),
])('$method $target: may not pass', (arrived) => {
	expect(complaints(arrived, LIMITED)).not.toEqual([]);
});

const READING: Rules = { companies: undefined, nothing: false, writes: false, clear: true };

test.each([
	'GET /api/roles',
	'POST /api/enrollments/search',
	'POST /api/phishing-simulator/phishing-campaign-job-report/All/search/id/1',
	'POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-clicked/id',
	'POST /api/leaderboard/get-all/export',
])('%s: a read', (line) => {
	expect(complaints(request(line), READING)).toEqual([]);
});

test.each([
	...['POST /api/enrollments', 'POST /api/enrollments/search/send', 'PUT /api/scim/search', 'POST /api/scim/id/revoke'],
	...['DELETE /api/companies/clients/id', 'GET /api/googleoauth/callback?Code=x', 'GET /api/account/logout'],
	'POST /api/companies/direct-email-settings/test',
])('%s: a write', (line) => {
	expect(complaints(request(line), READING)).not.toEqual([]);
});

test('no request passes where there must be none, and no agent deletes', () => {
	expect(complaints(request('GET /api/roles'), { ...READING, nothing: true })).not.toEqual([]);
	const all: Rules = { ...READING, writes: true };
	expect(complaints(request('DELETE /api/companies/clients/id'), all)).toEqual([]);
	expect(complaints(request('DELETE /api/companies/clients/id'), all, true)).not.toEqual([]);
});
