/** Tests companies that are entered by name: which company is used, and which error is shown if the name is not unique. */
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

const SEARCH_COMPANIES = 'POST /api/companies/search';
const SEARCH_GROUPS = 'POST /api/target-groups/search/current-company';
const UNIQUE_NAME = 'Golden Crust Bakery';
const DUPLICATE_NAME = 'Twin Peaks Consulting';

const fixture = createNodeFixture({ companyCount: 60 });
const createNameLocator = (value: string) => ({ __rl: true, mode: 'name', value });
const buildGetGroupsParameters = (name: string): IDataObject => ({
	operation: 'getMany',
	companyScope: 'one',
	company: createNameLocator(name),
});
const findCompanies = (name: string) =>
	fixture.standIn.world.companies.filter(({ companyName }) => companyName === name);
const getCompanyId = (name: string) => requireValue(findCompanies(name)[0]).companyResourceId;

test.each([UNIQUE_NAME, 'golden crust BAKERY', '  Golden  Crust\u00a0Bakery '])(
	"the name '%s' finds the company",
	async (name) => {
		await fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters(name));
		expect(fixture.standIn.getRequests(SEARCH_GROUPS).map(({ companyId }) => companyId)).toEqual([
			getCompanyId(UNIQUE_NAME),
		]);
	},
);

test('the Unicode form of the name makes no difference, and child companies are found', async () => {
	const companyWithSpecialName = fixture.standIn.world.companies.find(({ companyName }) =>
		/[^\u0000-\u007f]/.test(companyName ?? ''),
	);
	const { companyName, companyResourceId } = requireValue(companyWithSpecialName);
	for (const unicodeForm of ['NFC', 'NFD'] as const)
		await fixture.run(
			SecurityAwarenessTargetGroup,
			buildGetGroupsParameters(parseText(companyName).normalize(unicodeForm)),
		);
	expect(fixture.standIn.getRequests(SEARCH_GROUPS).map(({ companyId }) => companyId)).toEqual([
		companyResourceId,
		companyResourceId,
	]);
	const { items } = await fixture.run(SecurityAwarenessCompany, {
		operation: 'getMany',
		returnAll: true,
		simplify: false,
	});
	const child = requireValue(getJson(items).find(({ parentCompanyResourceId }) => parentCompanyResourceId));
	await fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters(parseText(child.companyName)));
	expect(fixture.standIn.getRequests(SEARCH_GROUPS).at(-1)?.companyId).toBe(child.companyResourceId);
});

test('the list of companies is read once for all items, and each item uses its own company', async () => {
	const uniqueNames = fixture.standIn.world.companies.flatMap(({ companyName }) =>
		companyName && findCompanies(companyName).length === 1 ? [companyName] : [],
	);
	const selectedNames = uniqueNames.slice(3, 9);
	await fixture.run(
		SecurityAwarenessTargetGroup,
		{ ...buildGetGroupsParameters(''), company: createNameLocator('={{ $json.name }}') },
		{ items: toItems(...selectedNames.map((name) => ({ name }))) },
	);
	expect(new Set(fixture.standIn.getRequests(SEARCH_GROUPS).map(({ companyId }) => companyId))).toEqual(
		new Set(selectedNames.map(getCompanyId)),
	);
	expect(fixture.standIn.getRequests(SEARCH_COMPANIES)).toHaveLength(1);
});

test('Get Company accepts a name', async () => {
	const { items } = await fixture.run(SecurityAwarenessCompany, {
		operation: 'get',
		company: createNameLocator(UNIQUE_NAME),
	});
	expect(items).toHaveLength(1);
	const [request] = fixture.standIn.getRequests('GET /api/companies/{resourceId}');
	expect(request?.path).toContain(getCompanyId(UNIQUE_NAME));
});

test('if several companies have the name, the error lists their IDs, and no other request is sent', async () => {
	const error = await catchNodeError(
		fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters(DUPLICATE_NAME.toLowerCase())),
	);
	expect(error.message).toBe("'Company' is 'twin peaks consulting', but 2 companies have this name");
	const companiesWithSameName = findCompanies(DUPLICATE_NAME);
	expect(companiesWithSameName).toHaveLength(2);
	for (const { companyResourceId } of companiesWithSameName) expect(error.description).toContain(companyResourceId);
	expect(fixture.requests.map(({ route }) => route)).toEqual([SEARCH_COMPANIES]);
});

test.each(['GoldenCrust Bakery', 'Golden CrustBakery'])(
	"'%s' is a different name, because spaces count",
	async (name) => {
		const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters(name)));
		expect(error.message).toContain('but no company that the credential manages has this name');
		expect(fixture.standIn.getRequests(SEARCH_GROUPS)).toEqual([]);
	},
);

test('if no company has the name, the error says so and nothing else is requested', async () => {
	const error = await catchNodeError(
		fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters('Golden Crust')),
	);
	expect(error.message).toBe("'Company' is 'Golden Crust', but no company that the credential manages has this name");
	expect(error.description).toContain("Enter the company's full name as the platform shows it");
	expect(error.description).toContain(`manages ${fixture.standIn.world.companies.length} companies`);
	expect(fixture.standIn.getRequests(SEARCH_GROUPS)).toEqual([]);
});

test.each(['  ', '={{ "" }}', '={{ null }}'])(
	"'%s' is not accepted as a name, and nothing is requested",
	async (name) => {
		const error = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters(name)));
		expect(error.message).toBe("'Company' must not be empty");
		expect(fixture.requests).toEqual([]);
	},
);

test.each([
	['in one field', SecurityAwarenessTargetGroup, { returnAll: false, limit: 0 }, "'Limit'"],
	[
		'in two fields together',
		SecurityAwarenessLeaderboard,
		{ options: { startDate: '2026-02-02', endDate: '2026-02-01' } },
		"'End Date'",
	],
])(
	'other mistakes in the form, %s, are reported before the companies are read',
	async (_place, node, parameters, message) => {
		expect(
			(await catchNodeError(fixture.run(node, { ...buildGetGroupsParameters(UNIQUE_NAME), ...parameters }))).message,
		).toContain(message);
		expect(fixture.requests).toEqual([]);
	},
);

describe('names that only differ in accents and capital letters', () => {
	/** Gives new names to companies, from the sixth company on. @returns the IDs of these companies */
	const renameCompanies = (...names: string[]) =>
		names.map((name, index) => {
			const company = requireValue(fixture.standIn.world.companies[index + 5]);
			company.companyName = name;
			return company.companyResourceId;
		});
	const listRequestedCompanyIds = () => fixture.standIn.getRequests(SEARCH_GROUPS).map(({ companyId }) => companyId);

	test.each([
		['Müller GmbH', 'MULLER gmbh'],
		['STRAẞE 9', 'strasse 9'],
		['İstanbul Ofis', 'istanbul ofis'],
		['Işık A.Ş.', 'ISIK a.s.'],
		['Łódź', 'lodz'],
	])("the company '%s' is found as '%s'", async (name, enteredName) => {
		const [id] = renameCompanies(name);
		await fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters(enteredName));
		expect(listRequestedCompanyIds()).toEqual([id]);
	});

	test('an exact match is preferred; without one, the error names both companies', async () => {
		const [umlautId, plainId] = renameCompanies('Müller GmbH', 'Muller GmbH');
		await fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters('Muller GmbH'));
		await fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters('Müller GmbH'.normalize('NFD')));
		expect(listRequestedCompanyIds()).toEqual([plainId, umlautId]);
		const error = await catchNodeError(
			fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters('muller gmbh')),
		);
		expect(error.message).toBe("'Company' is 'muller gmbh', but 2 companies have this name");
		expect(error.description).toContain(`Müller GmbH (${umlautId}), Muller GmbH (${plainId})`);
	});

	test("'Only Companies' finds both spellings", async () => {
		const ids = renameCompanies('Tülpe Bäckerei', 'TULPE BACKEREI');
		const onlyCompanies = { nameContains: 'tülpe ' };
		await fixture.run(SecurityAwarenessTargetGroup, { operation: 'getMany', companyScope: 'every', onlyCompanies });
		expect(listRequestedCompanyIds().sort()).toEqual(ids.sort());
	});

	test('a list that the node itself searches in the editor', async () => {
		const { results } = await fixture.searchList(SecurityAwarenessEnrollment, 'searchIanaZones', {
			filter: 'SÃO paulo',
		});
		// The default is always listed, so that the editor can show its label.
		expect(results.map(({ value }) => value)).toEqual(['customersOwn', 'America/Sao_Paulo']);
	});
});

test('a write needs the complete list of companies to use a name, because another company may have it', async () => {
	const companyName = 'Golden Crust';
	const CREATE_GROUP = 'POST /api/target-groups';
	const createPlatformRoutes = (count: number) => ({
		[SEARCH_COMPANIES]: () => ({
			results: [{ companyResourceId: 'c1', companyName }],
			totalNumberOfPages: 1,
			totalNumberOfRecords: count,
		}),
		[CREATE_GROUP]: () => ({ resourceId: 'g1' }),
		[SEARCH_GROUPS]: () => ({
			results: [{ resourceId: 'g1', name: 'All' }],
			totalNumberOfPages: 1,
			totalNumberOfRecords: 1,
		}),
	});
	const parameters = {
		...buildGetGroupsParameters(companyName),
		operation: 'create',
		name: 'Sales',
		priority: 'Medium',
	};
	const incompletePlatform = await startFakeServer(createPlatformRoutes(2));
	const error = await catchNodeError(
		fixture.run(SecurityAwarenessTargetGroup, parameters, { credentialStore: incompletePlatform.credentialStore }),
	);
	expect(error.message).toBe(
		"'Company' is a name, but the platform did not list all companies, so another company may have the same name",
	);
	expect(error.description).toContain('Nothing was changed.');
	// The list is read a second time, because it may have changed during the first read.
	expect(incompletePlatform.requests.filter(({ body }) => body.pageNumber === 1)).toHaveLength(2);
	expect(incompletePlatform.requests.every(({ route }) => route === SEARCH_COMPANIES)).toBe(true);
	// An operation that only reads continues, with a hint.
	const { items } = await fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters(companyName), {
		credentialStore: incompletePlatform.credentialStore,
	});
	expect(items).toHaveLength(1);
	const completePlatform = await startFakeServer(createPlatformRoutes(1));
	await fixture.run(SecurityAwarenessTargetGroup, parameters, { credentialStore: completePlatform.credentialStore });
	expect(completePlatform.requests.map(({ route }) => route)).toEqual([SEARCH_COMPANIES, CREATE_GROUP]);
});

test('after the list of companies has failed, the next item reads it again', async () => {
	fixture.standIn.addFault({ route: SEARCH_COMPANIES, kind: 'status-500', times: 5 });
	const options = { items: toItems(...createIndexRecords(12)), onError: 'continueRegularOutput' } as const;
	const { items } = await fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters(UNIQUE_NAME), options);
	expect(items.some(isFailedItem)).toBe(true);
	expect(isFailedItem(requireValue(items.at(-1)))).toBe(false);
});

test('an item for an error has no ID of a company if several companies have the entered name', async () => {
	const { items } = await fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters(DUPLICATE_NAME), {
		onError: 'continueRegularOutput',
	});
	expect(items.map(({ json }) => [json.companyName, json.companyResourceId])).toEqual([[DUPLICATE_NAME, '']]);
});

test("a Company Admin's credential cannot list companies, and the error says what to do instead", async () => {
	const error = await catchNodeError(
		fixture.run(SecurityAwarenessTargetGroup, buildGetGroupsParameters(UNIQUE_NAME), { clientName: 'companyAdmin' }),
	);
	expect(error.description).toContain("Only a Reseller's credential can list companies.");
	expect(fixture.standIn.getRequests(SEARCH_GROUPS)).toEqual([]);
});

test('lists in the form belong to the company with the entered name', async () => {
	const options = { credential: fixture.buildCredentialData(), parameters: buildGetGroupsParameters(UNIQUE_NAME) };
	const openList = async (company: IDataObject) =>
		callLoadOptions({
			...options,
			node: new SecurityAwarenessEnrollment(),
			method: 'loadTargetGroups',
			parameters: { ...options.parameters, operation: 'create', company },
		});
	expect((await openList(createNameLocator(UNIQUE_NAME))).length).toBeGreaterThan(0);
	expect(fixture.standIn.getRequests(SEARCH_GROUPS).at(-1)?.companyId).toBe(getCompanyId(UNIQUE_NAME));
	expect((await openList(createNameLocator(DUPLICATE_NAME))).map(({ name }) => name)).toEqual([
		expect.stringMatching(/^Select one of them/),
	]);
	const enrollments = callListSearch({
		...options,
		node: new SecurityAwarenessEnrollment(),
		method: 'searchEnrollments',
		parameters: { ...options.parameters, operation: 'get', company: createNameLocator('Nobody at All') },
	});
	expect((await catchNodeError(enrollments)).message).toContain("'Company' is 'Nobody at All'");
});

test('an AI agent can enter a name', async () => {
	const output = await runTool({
		node: new SecurityAwarenessTargetGroup(),
		parameters: {
			...buildGetGroupsParameters(''),
			company: createNameLocator("={{ $fromAI('customer', 'Which customer', 'string') }}"),
		},
		credential: fixture.buildCredentialData(),
		toolArguments: { customer: UNIQUE_NAME },
	});
	expect(output).toContain('resourceId');
	expect(fixture.standIn.getRequests(SEARCH_GROUPS).map(({ companyId }) => companyId)).toEqual([
		getCompanyId(UNIQUE_NAME),
	]);
});

test('companies that are saved by ID or from the list do not need the list of companies', async () => {
	for (const company of [
		{ __rl: true, mode: 'id', value: getCompanyId(UNIQUE_NAME) },
		{ __rl: true, mode: 'list', value: getCompanyId(UNIQUE_NAME), cachedResultName: UNIQUE_NAME },
		getCompanyId(UNIQUE_NAME),
	])
		await fixture.run(SecurityAwarenessTargetGroup, { ...buildGetGroupsParameters(''), company });
	expect(fixture.requests.map(({ route, companyId }) => [route, companyId])).toEqual(
		Array(3).fill([SEARCH_GROUPS, getCompanyId(UNIQUE_NAME)]),
	);
});
