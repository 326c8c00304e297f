/** A company that is entered by its name: who is meant, and what a person is told when that is not certain. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { callListSearch, callLoadOptions, runTool } from '../n8n-core';
import {
	startFakeServer,
	catchNodeError,
	isFailedItem,
	toItems,
	getJson,
	createNodeFixture,
	parseText,
	requireValue,
	createIndexRecords,
} from '../n8n-core/nodeFixture';

const COMPANIES = 'POST /api/companies/search';
const GROUPS = 'POST /api/target-groups/search/current-company';
const CUSTOMER = 'Golden Crust Bakery';
const TWINS = 'Twin Peaks Consulting';

const fixture = createNodeFixture({ companyCount: 60 });
const byName = (value: string) => ({ __rl: true, mode: 'name', value });
const groupsOf = (name: string): IDataObject => ({ operation: 'getMany', companyScope: 'one', company: byName(name) });
const named = (name: string) => fixture.standIn.world.companies.filter(({ companyName }) => companyName === name);
const idOf = (name: string) => requireValue(named(name)[0]).companyResourceId;

test.each([CUSTOMER, 'golden crust BAKERY', '  Golden  Crust\u00a0Bakery '])("'%s' is one company", async (name) => {
	await fixture.run(SecurityAwarenessTargetGroup, groupsOf(name));
	expect(fixture.standIn.getRequests(GROUPS).map(({ companyId }) => companyId)).toEqual([idOf(CUSTOMER)]);
});

test('the encoding of letters makes no difference, and a child company is found', async () => {
	const special = fixture.standIn.world.companies.find(({ companyName }) => /[^\u0000-\u007f]/.test(companyName ?? ''));
	const { companyName, companyResourceId } = requireValue(special);
	for (const form of ['NFC', 'NFD'] as const)
		await fixture.run(SecurityAwarenessTargetGroup, groupsOf(parseText(companyName).normalize(form)));
	expect(fixture.standIn.getRequests(GROUPS).map(({ companyId }) => companyId)).toEqual([companyResourceId, companyResourceId]);
	const { items } = await fixture.run(SecurityAwarenessCompany, { operation: 'getMany', returnAll: true, simplify: false });
	const child = requireValue(getJson(items).find(({ parentCompanyResourceId }) => parentCompanyResourceId));
	await fixture.run(SecurityAwarenessTargetGroup, groupsOf(parseText(child.companyName)));
	expect(fixture.standIn.getRequests(GROUPS).at(-1)?.companyId).toBe(child.companyResourceId);
});

test('the list of companies is read once for all items, and each item has its own', async () => {
	const names = fixture.standIn.world.companies.flatMap(({ companyName }) =>
		companyName && named(companyName).length === 1 ? [companyName] : [],
	);
	const some = names.slice(3, 9);
	await fixture.run(
		SecurityAwarenessTargetGroup,
		{ ...groupsOf(''), company: byName('={{ $json.name }}') },
		{ items: toItems(...some.map((name) => ({ name }))) },
	);
	expect(new Set(fixture.standIn.getRequests(GROUPS).map(({ companyId }) => companyId))).toEqual(new Set(some.map(idOf)));
	expect(fixture.standIn.getRequests(COMPANIES)).toHaveLength(1);
});

test('Get Company reads the company of the name', async () => {
	const { items } = await fixture.run(SecurityAwarenessCompany, { operation: 'get', company: byName(CUSTOMER) });
	expect(items).toHaveLength(1);
	const [request] = fixture.standIn.getRequests('GET /api/companies/{resourceId}');
	expect(request?.path).toContain(idOf(CUSTOMER));
});

test('several of one name are all named, with what tells them apart, and nothing is asked for any of them', async () => {
	const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, groupsOf(TWINS.toLowerCase())));
	expect(error.message).toBe("'Company' is 'twin peaks consulting', the name of 2 companies");
	const twins = named(TWINS);
	expect(twins).toHaveLength(2);
	for (const { companyResourceId } of twins) expect(error.description).toContain(companyResourceId);
	expect(fixture.requests.map(({ route }) => route)).toEqual([COMPANIES]);
});

test.each(['GoldenCrust Bakery', 'Golden CrustBakery'])("'%s' is another name: spaces count", async (name) => {
	const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, groupsOf(name)));
	expect(error.message).toContain('manages no company of that name');
	expect(fixture.standIn.getRequests(GROUPS)).toEqual([]);
});

test('a name of nobody is refused, and nothing is done', async () => {
	const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, groupsOf('Golden Crust')));
	expect(error.message).toBe(
		`'Company' is 'Golden Crust', but the credential manages no company of that name (${fixture.standIn.world.companies.length} companies in all)`,
	);
	expect(error.description).toContain("Enter the company's whole name as the platform shows it");
	expect(fixture.standIn.getRequests(GROUPS)).toEqual([]);
});

test.each(['  ', '={{ "" }}', '={{ null }}'])("'%s' is no name, and nothing is asked", async (name) => {
	const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, groupsOf(name)));
	expect(error.message).toBe("'Company' must not be empty");
	expect(fixture.requests).toEqual([]);
});

test.each([
	['of one field', SecurityAwarenessTargetGroup, { returnAll: false, limit: 0 }, "'Limit'"],
	[
		'of two together',
		SecurityAwarenessLeaderboard,
		{ options: { startDate: '2026-02-02', endDate: '2026-02-01' } },
		"'End Date'",
	],
])('other mistakes in the form, %s, are told before the companies are read', async (_, node, form, message) => {
	expect((await catchNodeError(fixture.run(node, { ...groupsOf(CUSTOMER), ...form }))).message).toContain(message);
	expect(fixture.requests).toEqual([]);
});

describe('names that are alike but for accents and capital letters', () => {
	/** Renames companies that have nothing special. */
	const rename = (...names: string[]) =>
		names.map((name, index) => {
			const company = requireValue(fixture.standIn.world.companies[index + 5]);
			company.companyName = name;
			return company.companyResourceId;
		});
	const asked = () => fixture.standIn.getRequests(GROUPS).map(({ companyId }) => companyId);

	test.each([
		['Müller GmbH', 'MULLER gmbh'],
		['STRAẞE 9', 'strasse 9'],
		['İstanbul Ofis', 'istanbul ofis'],
		['Işık A.Ş.', 'ISIK a.s.'],
		['Łódź', 'lodz'],
	])("'%s' is also '%s'", async (name, entered) => {
		const [id] = rename(name);
		await fixture.run(SecurityAwarenessTargetGroup, groupsOf(entered));
		expect(asked()).toEqual([id]);
	});

	test('the one of exactly that name is meant; where none has it, the error names both', async () => {
		const [one, other] = rename('Müller GmbH', 'Muller GmbH');
		await fixture.run(SecurityAwarenessTargetGroup, groupsOf('Muller GmbH'));
		await fixture.run(SecurityAwarenessTargetGroup, groupsOf('Müller GmbH'.normalize('NFD')));
		expect(asked()).toEqual([other, one]);
		const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, groupsOf('muller gmbh')));
		expect(error.message).toBe("'Company' is 'muller gmbh', the name of 2 companies");
		expect(error.description).toContain(`Müller GmbH (${one}), Muller GmbH (${other})`);
	});

	test("'Only Companies' finds both", async () => {
		const ids = rename('Tülpe Bäckerei', 'TULPE BACKEREI');
		const onlyCompanies = { nameContains: 'tülpe ' };
		await fixture.run(SecurityAwarenessTargetGroup, { operation: 'getMany', companyScope: 'every', onlyCompanies });
		expect(asked().sort()).toEqual(ids.sort());
	});

	test('the list in the editor, where it is searched here', async () => {
		const { results } = await fixture.searchList(SecurityAwarenessEnrollment, 'searchIanaZones', { filter: 'SÃO paulo' });
		expect(results.map(({ value }) => value)).toEqual(['America/Sao_Paulo']);
	});
});

test('a write needs the complete list of companies to use a name, because another company may have it', async () => {
	const companyName = 'Golden Crust';
	const GROUP = 'POST /api/target-groups';
	const listing = (count: number) => ({
		[COMPANIES]: () => ({
			results: [{ companyResourceId: 'c1', companyName }],
			totalNumberOfPages: 1,
			totalNumberOfRecords: count,
		}),
		[GROUP]: () => ({ resourceId: 'g1' }),
		[GROUPS]: () => ({ results: [{ resourceId: 'g1', name: 'All' }], totalNumberOfPages: 1, totalNumberOfRecords: 1 }),
	});
	const form = { ...groupsOf(companyName), operation: 'create', name: 'Sales', priority: 'Medium' };
	const partial = await startFakeServer(listing(2));
	const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, form, { credentialStore: partial.credentialStore }));
	expect(error.message).toBe(
		"'Company' is a name, but the platform did not list all companies, so another one may have that name",
	);
	expect(error.description).toContain('Nothing was changed.');
	// The list is read once more, because it may have changed while it was read.
	expect(partial.requests.filter(({ body }) => body.pageNumber === 1)).toHaveLength(2);
	expect(partial.requests.every(({ route }) => route === COMPANIES)).toBe(true);
	// An operation that only reads goes on, with a hint.
	const { items } = await fixture.run(SecurityAwarenessTargetGroup, groupsOf(companyName), { credentialStore: partial.credentialStore });
	expect(items).toHaveLength(1);
	const whole = await startFakeServer(listing(1));
	await fixture.run(SecurityAwarenessTargetGroup, form, { credentialStore: whole.credentialStore });
	expect(whole.requests.map(({ route }) => route)).toEqual([COMPANIES, GROUP]);
});

test('after the list of companies has failed, the next item reads it again', async () => {
	fixture.standIn.addFault({ route: COMPANIES, kind: 'status-500', times: 5 });
	const more = { items: toItems(...createIndexRecords(12)), onError: 'continueRegularOutput' } as const;
	const { items } = await fixture.run(SecurityAwarenessTargetGroup, groupsOf(CUSTOMER), more);
	expect(items.some(isFailedItem)).toBe(true);
	expect(isFailedItem(requireValue(items.at(-1)))).toBe(false);
});

test("a Company Admin's credential cannot list companies, and is told what to do instead", async () => {
	const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, groupsOf(CUSTOMER), { clientName: 'companyAdmin' }));
	expect(error.description).toContain("Only a Reseller's credential can list companies.");
	expect(fixture.standIn.getRequests(GROUPS)).toEqual([]);
});

test('lists in the form are those of the company of the name', async () => {
	const options = { credential: fixture.buildCredentialData(), parameters: groupsOf(CUSTOMER) };
	const open = async (company: IDataObject) =>
		callLoadOptions({
			...options,
			node: new SecurityAwarenessEnrollment(),
			method: 'loadTargetGroups',
			parameters: { ...options.parameters, operation: 'create', company },
		});
	expect((await open(byName(CUSTOMER))).length).toBeGreaterThan(0);
	expect(fixture.standIn.getRequests(GROUPS).at(-1)?.companyId).toBe(idOf(CUSTOMER));
	expect((await open(byName(TWINS))).map(({ name }) => name)).toEqual([expect.stringMatching(/^Choose one of them/)]);
	const enrollments = callListSearch({
		...options,
		node: new SecurityAwarenessEnrollment(),
		method: 'searchEnrollments',
		parameters: { ...options.parameters, operation: 'get', company: byName('Nobody at All') },
	});
	expect((await catchNodeError(enrollments)).message).toContain("'Company' is 'Nobody at All'");
});

test('an AI agent gives a name', async () => {
	const text = await runTool({
		node: new SecurityAwarenessTargetGroup(),
		parameters: { ...groupsOf(''), company: byName("={{ $fromAI('customer', 'Which customer', 'string') }}") },
		credential: fixture.buildCredentialData(),
		toolArguments: { customer: CUSTOMER },
	});
	expect(text).toContain('resourceId');
	expect(fixture.standIn.getRequests(GROUPS).map(({ companyId }) => companyId)).toEqual([idOf(CUSTOMER)]);
});

test('what was saved by ID or from the list goes on without the list of companies', async () => {
	for (const company of [
		{ __rl: true, mode: 'id', value: idOf(CUSTOMER) },
		{ __rl: true, mode: 'list', value: idOf(CUSTOMER), cachedResultName: CUSTOMER },
		idOf(CUSTOMER),
	])
		await fixture.run(SecurityAwarenessTargetGroup, { ...groupsOf(''), company });
	expect(fixture.requests.map(({ route, companyId }) => [route, companyId])).toEqual(Array(3).fill([GROUPS, idOf(CUSTOMER)]));
});
