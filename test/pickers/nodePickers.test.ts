import { plainName } from '../../nodes/shared/pickers/apart';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { callListSearch } from '../n8n-core';
import { answering, nodeFixture, failureOf, sendJson, textOf, type NodeClass, type Who } from '../n8n-core/nodeFixture';

const SEARCH = 'POST /api/companies/search';
const withCompanies: NodeClass[] = [
	SecurityAwarenessCompany,
	SecurityAwarenessTargetGroup,
	SecurityAwarenessLeaderboard,
];
const refusals: Array<[NodeClass, string, string, string]> = [
	...withCompanies.map((node): [NodeClass, string, string, string] => [
		node,
		'searchCompanies',
		'company',
		"Only a Reseller's credential can list companies. With a Company Admin's, choose 'Credential's Own' in 'Company Scope', or enter the company's ID.",
	]),
	[
		SecurityAwarenessCompanyGroup,
		'searchCompanyGroups',
		'company group',
		"Only a Reseller's credential has company groups.",
	],
	[
		SecurityAwarenessCompany,
		'searchIndustries',
		'industry',
		"Only a Reseller's credential can list these. Enter the ID instead.",
	],
	[
		SecurityAwarenessCompany,
		'searchLicenseTypes',
		'license type',
		"Only a Reseller's credential can list these. Enter the ID instead.",
	],
];

describe.each([
	{ personality: 'contract', named: 'the contract' },
	{ personality: 'renamed', named: 'the other personality' },
] as const)('pickers, names as in $named', ({ personality }) => {
	const b = nodeFixture({ personality, companies: 260 });
	const all = async (node: NodeClass, method: string, filter?: string, as?: Who) => {
		const pages = [];
		for (let paginationToken: unknown, first = true; first || paginationToken !== undefined; first = false) {
			const page = await b.pick(node, method, {
				...(as ? { as } : {}),
				...(filter === undefined ? {} : { filter }),
				...(typeof paginationToken === 'string' ? { paginationToken } : {}),
			});
			pages.push(page.results);
			({ paginationToken } = page);
		}
		return pages;
	};
	const shown = ({ companyName, companyResourceId }: { companyName: string | null; companyResourceId: string }) => ({
		name: companyName ?? `No name (${companyResourceId})`,
		value: companyResourceId,
	});
	/** Every company; the children are marked. */
	const inTree = () => {
		const children = new Set(
			b.service.state.companies.flatMap(({ children: below }) =>
				below.map(({ companyResourceId }) => companyResourceId),
			),
		);
		return b.service.state.companies.map((company) => {
			const { name, value } = shown(company);
			return { name: children.has(value) && company.companyName !== null ? `↳ ${name}` : name, value };
		});
	};
	const byValue = (entries: Array<{ name: string; value: unknown }>) =>
		[...entries].sort((one, other) => textOf(one.value).localeCompare(textOf(other.value)));

	test.each(withCompanies)('companies, page by page to the end: all, children behind their parents', async (node) => {
		const pages = await all(node, 'searchCompanies');
		expect(pages).toHaveLength(Math.ceil(b.service.state.tree.length / 100));
		const entries = pages.flat();
		expect(byValue(entries)).toEqual(byValue(inTree()));
		for (const parent of b.service.state.tree.filter(({ children }) => children.length > 0)) {
			const at = entries.findIndex(({ value }) => value === parent.companyResourceId);
			const [child] = parent.children;
			expect(entries[at + 1]?.value).toBe(child?.companyResourceId);
		}
	});

	test.each(['ü', ' BAKERY ', "O'Brien", '=1+1', '100% Secure {{', 'no such company'])(
		'companies by text: %j',
		async (filter) => {
			const entries = (await all(SecurityAwarenessCompany, 'searchCompanies', filter)).flat();
			const wanted = filter.trim().toLowerCase();
			expect(byValue(entries)).toEqual(
				byValue(
					b.service.state.companies
						.filter(({ companyName }) => (companyName ?? '').toLowerCase().includes(wanted))
						.map(shown),
				),
			);
			expect(b.asked).toHaveLength(1);
		},
	);

	test('the mark of a child company is no part of its name', async () => {
		const company = { mode: 'list', value: 'nobody', cachedResultName: '↳ Lumen Media' };
		const error = await failureOf(
			b.run(SecurityAwarenessTargetGroup, { operation: 'getMany', companyScope: 'one', company }),
		);
		expect(error.message).toContain("'Lumen Media'");
	});

	test('company groups, with search', async () => {
		const groups = (await all(SecurityAwarenessCompanyGroup, 'searchCompanyGroups')).flat();
		expect(byValue(groups)).toEqual(
			byValue(b.service.state.groups.map(({ name, resourceId: value }) => ({ name, value }))),
		);
		expect((await all(SecurityAwarenessCompanyGroup, 'searchCompanyGroups', 'größte')).flat()).toHaveLength(1);
	});

	test('several companies: all of them, each once', async () => {
		const entries = await b.load(SecurityAwarenessCompanyGroup, 'loadCompanies');
		const plain = entries.map(({ name, value }) => ({ name: plainName(name, String(value)), value }));
		expect(byValue(plain)).toEqual(byValue(inTree()));
		// Two have one name, one of them is a child company.
		expect(entries.filter(({ name }) => name.includes('…')).map(({ name }) => name)).toEqual([
			expect.stringMatching(/^↳ Twin Peaks Consulting \(\d+ users, [\d-]+, ….{4}\)$/),
			expect.stringMatching(/^Twin Peaks Consulting \(\d+ users, [\d-]+, ….{4}\)$/),
		]);
	});

	test('industries and licence types are those of the companies, in order, with search', async () => {
		const names = [...new Set(b.service.state.companies.map(({ industryName }) => industryName))].sort();
		expect((await all(SecurityAwarenessCompany, 'searchIndustries')).flat().map(({ name }) => name)).toEqual(names);
		expect((await all(SecurityAwarenessCompany, 'searchLicenseTypes', 'prem')).flat()).toEqual([
			{
				name: 'Premium',
				value: b.service.state.companies.find(({ licenseTypeName }) => licenseTypeName === 'Premium')
					?.licenseTypeResourceId,
			},
		]);
	});

	test('time zones need no service', async () => {
		const entries = (await all(SecurityAwarenessEnrollment, 'searchTimeZones', 'new york')).flat();
		expect(entries).toEqual([{ name: 'America/New York', value: 'America/New_York' }]);
		expect(b.service.log).toEqual([]);
	});

	test('time zones of a company: whatever becomes of asking the platform for its own, there are some', async () => {
		for (const kind of ['status-500', 'status-401', 'html-200'] as const) {
			b.service.fault({ route: 'unknown', kind, times: Infinity });
			const entries = (await all(SecurityAwarenessCompany, 'searchTimeZones', 'new york')).flat();
			expect(entries).toEqual([{ name: 'America/New York', value: 'America/New_York' }]);
			b.service.clearFaults();
		}
	});

	test.each(refusals)('%p.%s as a Company Admin: what to do instead', async (node, method, thing, advice) => {
		const error = await failureOf(b.pick(node, method, { as: 'companyAdmin' }));
		expect(error.message).toBe(`Could not list what can be chosen as ${thing}: access was refused (403)`);
		expect(error.description?.slice(0, advice.length)).toBe(advice);
		expect(error.description).toContain("does not list the permission '");
	});

	test('several companies as a Company Admin: explained', async () => {
		expect(await b.load(SecurityAwarenessCompanyGroup, 'loadCompanies', 'companyAdmin')).toEqual([
			{
				name: 'Could not list what can be chosen as company: access was refused (403)',
				value: '',
				description: expect.stringContaining("does not list the permission 'companies/search|POST'"),
			},
		]);
	});

	test('a list that is late or cut is asked for again', async () => {
		for (const kind of ['status-429', 'truncate', 'reset-before'] as const) b.service.fault({ route: SEARCH, kind });
		expect((await b.pick(SecurityAwarenessCompany, 'searchCompanies')).results.length).toBeGreaterThan(90);
		expect(b.asked).toHaveLength(4);
	});

	test('a wrong secret, a web page and a wrong address each say so', async () => {
		const pick = async (more: { clientSecret?: string; serverUrl?: string }) =>
			await failureOf(
				callListSearch({
					node: new SecurityAwarenessCompany(),
					parameters: {},
					credential: b.newStore('reseller', more),
					method: 'searchCompanies',
				}),
			);
		expect((await pick({ clientSecret: 'wrong' })).message).toContain(
			'the service did not accept the Client ID or Client Secret',
		);
		expect((await pick({ serverUrl: 'http://127.0.0.1:1' })).message).toContain(
			'http://127.0.0.1:1 cannot be reached (ECONNREFUSED)',
		);
		expect((await pick({ serverUrl: 'nowhere' })).message).toBe("'Base URL' must begin with https://");
		b.service.fault({ route: SEARCH, kind: 'html-200' });
		expect((await pick({})).message).toContain('a web page came back instead of data');
	});

	test('records without a name or an ID are shown as such', async () => {
		const results = [
			{ companyResourceId: 'id-1' },
			{ companyName: 'Nameless ID' },
			{ companyName: '', companyResourceId: 7 },
			{},
		];
		const odd = await answering((_request, response) => sendJson(response, 200, { data: { results } }));
		const { results: entries, paginationToken } = await callListSearch({
			node: new SecurityAwarenessCompany(),
			parameters: {},
			credential: odd.store,
			method: 'searchCompanies',
		});
		expect(entries).toEqual([
			{ name: 'No name (id-1)', value: 'id-1' },
			{ name: 'Nameless ID (no ID)', value: '' },
			{ name: 'No name (7)', value: '7' },
			{ name: 'No name (no ID)', value: '' },
		]);
		expect(paginationToken).toBeUndefined();
	});
});
