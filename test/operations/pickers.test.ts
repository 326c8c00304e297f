/** The lists that a person chooses from, as the editor asks for them. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { callListSearch, callLoadOptions } from '../harness';
import { byId, type Visitor } from './cases';
import { Ground, ground, PERSONALITIES } from './ground';

interface Entry {
	name: string;
	value: string;
}

interface Picker {
	/** What it chooses. */
	thing: string;
	/** A node that has it; others have the same. */
	node: string;
	method: string;
	/** Whether several can be chosen, from a list that has no search. */
	several?: boolean;
	/** The operation of the service that lists it; none for what the platform knows itself. */
	route?: string;
	/** Fields that it depends on besides the company. */
	fields?: (visitor: Visitor) => IDataObject;
	/** All that can be chosen. */
	entries: (visitor: Visitor) => Promise<Entry[]> | Entry[];
	/** Part of a name, in another case, that some but not all have. */
	search?: string;
	/** How its records are told apart where names are open; for a service of the test's own. */
	names?: { id: string; name: string };
}

const text = z.coerce.string();

/** What somebody sees who asks the service directly. */
const listed =
	(search: string | ((visitor: Visitor) => string), id: string | ((visitor: Visitor) => string), name: string | ((visitor: Visitor) => string)) =>
	async (visitor: Visitor): Promise<Entry[]> => {
		const [key = '', value = '', label = ''] = [search, id, name].map((each) => (typeof each === 'string' ? each : each(visitor)));
		return (await visitor.list(key)).map((record) => ({ value: text.parse(record[value]), name: text.parse(record[label]) }));
	};

const enrollmentOf = (visitor: Visitor): string => visitor.holdings.enrollments[0]?.resourceId ?? '';

const jobs = (simulator: string): Picker => {
	const title = simulator.charAt(0).toUpperCase() + simulator.slice(1);
	const route = `POST /api/${simulator}-simulator/${simulator}-campaign-job-report/search`;
	return {
		...{ thing: 'campaign job', node: `${title}Campaign`, method: `search${title}Jobs`, route, search: 'PASSWORD' },
		entries: async (visitor) =>
			(await visitor.list(route)).map((job) => ({
				value: `${text.parse(job.resourceId ?? job[`${simulator}CampaignResourceId`])}/${text.parse(job.instanceGroup)}`,
				name: `${text.parse(job.name)} (group ${text.parse(job.instanceGroup)})`,
			})),
	};
};

/** A campaign's second run, and the people it was sent to. */
const jobOf = (simulator: 'phishing' | 'smishing' | 'quishing', visitor: Visitor) => `${visitor.holdings.campaigns(simulator)[0]?.resourceId ?? ''}/2`;
const people = (simulator: 'phishing' | 'smishing' | 'quishing'): Picker => {
	const title = simulator.charAt(0).toUpperCase() + simulator.slice(1);
	const report = `POST /api/${simulator}-simulator/${simulator}-campaign-job-report`;
	return {
		...{ thing: 'person', node: `${title}Campaign`, method: `search${title}People`, search: '1@' },
		route: `${report}/{searchType}/search/{resourceId}/{instanceGroup}`,
		fields: (visitor) => ({ operation: 'opened', job: byId(jobOf(simulator, visitor)) }),
		entries: listed((visitor) => `${report}/All/search/${jobOf(simulator, visitor)}`, 'targetUserResourceId', 'email'),
	};
};

const ROLES = { route: 'GET /api/roles', entries: listed('GET /api/roles', 'resourceId', 'name'), names: { id: 'roleResourceId', name: 'roleName' } };
const TARGET_GROUPS = {
	route: 'POST /api/target-groups/search/current-company',
	entries: listed('POST /api/target-groups/search/current-company', 'resourceId', 'name'),
	names: { id: 'targetGroupResourceId', name: 'targetGroupName' },
};

const PICKERS: Picker[] = [
	{
		...{ thing: 'training', node: 'Enrollment', method: 'searchTrainings', route: 'POST /api/trainings/search', search: 'phishing' },
		entries: listed('POST /api/trainings/search', 'trainingId', 'trainingName'),
		names: { id: 'id', name: 'name' },
	},
	{ thing: 'target group', node: 'Enrollment', method: 'loadTargetGroups', several: true, ...TARGET_GROUPS },
	{ thing: 'target group', node: 'ScimIntegration', method: 'searchTargetGroups', search: 'TEAM', ...TARGET_GROUPS },
	{ thing: 'role', node: 'ApiClient', method: 'loadRoles', several: true, ...ROLES },
	{ thing: 'role', node: 'SystemUser', method: 'loadRoles', several: true, ...ROLES },
	{ thing: 'role', node: 'SamlSetting', method: 'searchRoles', search: 'COMPANY', ...ROLES },
	{
		...{ thing: 'API client', node: 'ApiClient', method: 'searchApiClients', route: 'POST /api/companies/clients/search' },
		entries: listed('POST /api/companies/clients/search', 'resourceId', ({ names }) => names.clientName),
		names: { id: 'id', name: 'clientName' },
	},
	{
		...{ thing: 'SCIM integration', node: 'ScimIntegration', method: 'searchScimIntegrations', route: 'POST /api/scim/search' },
		entries: listed('POST /api/scim/search', 'resourceId', 'name'),
		names: { id: 'id', name: 'name' },
	},
	{
		...{ thing: 'SCIM field', node: 'ScimIntegration', method: 'searchScimFields', route: 'GET /api/scim/fields', search: 'DIVISION' },
		entries: listed('GET /api/scim/fields', 'resourceId', 'name'),
		names: { id: 'id', name: 'displayName' },
	},
	...['Enrollment', 'TrainingReport'].map((node) => ({
		...{ thing: 'enrollment', node, method: 'searchEnrollments', route: 'POST /api/enrollments/search', search: 'ONBOARDING' },
		entries: listed('POST /api/enrollments/search', ({ names }) => names.enrollmentId, 'name'),
		names: { id: 'enrollmentId', name: 'trainingName' },
	})),
	{
		...{ thing: 'target user', node: 'TrainingReport', method: 'searchTargetUsers', route: 'POST /api/training-reports/{enrollmentId}/users/search', search: '1@' },
		fields: (visitor) => ({ enrollment: byId(enrollmentOf(visitor)) }),
		entries: listed((visitor) => `POST /api/training-reports/${enrollmentOf(visitor)}/users/search`, ({ names }) => names.reportUserId, 'email'),
		names: { id: 'targetUserResourceId', name: 'firstName' },
	},
	...['phishing', 'smishing', 'quishing'].map(jobs),
	...(['phishing', 'smishing', 'quishing'] as const).map(people),
	{
		...{ thing: 'search type', node: 'PhishingCampaign', method: 'searchSearchTypes', search: 'OPENED' },
		fields: () => ({ operation: 'searchJobUsers' }),
		// The words that a live deployment knows, and 'Submitted', for which it has none.
		entries: () =>
			['All People', 'Attachment Opened', 'Clicked', 'No Response', 'Opened', 'Replied', 'Reported', 'Submitted'].map((name) => ({
				name,
				value: name === 'All People' ? 'All' : name.replace(' ', ''),
			})),
	},
	{
		...{ thing: 'widget', node: 'ExecutiveReport', method: 'loadWidgets', several: true, route: 'POST /api/executive-report/search' },
		entries: listed('POST /api/executive-report/search', 'resourceId', 'name'),
		names: { id: 'widgetId', name: 'widgetName' },
	},
	{
		...{ thing: 'value', node: 'Enrollment', method: 'searchCodedValues', route: 'GET /api/enrollments/form-details', search: 'TEAMS' },
		entries: async (visitor) => {
			const value = z.object({ id: z.number(), displayName: z.string() });
			const groups = z.object({ enumNameValuePairs: z.record(z.array(value)) }).parse(await visitor.ask('GET /api/enrollments/form-details'));
			return Object.entries(groups.enumNameValuePairs).flatMap(([group, values]) =>
				values.map(({ id, displayName }) => ({ value: `${group}:${id}`, name: `${group}: ${displayName}` })),
			);
		},
	},
	{
		...{ thing: 'time zone', node: 'Enrollment', method: 'searchTimeZones', search: 'new york' },
		entries: () => ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, name: value.replaceAll('_', ' ') })),
	},
];
/** Lists of operations beside the contract's 85: test/nodes/lookups.test.ts. */
const IN_LOOKUPS = [
	...['searchCountries', 'searchLicensePeriodTypes', 'searchLanguages', 'searchNotificationTemplateTypes', 'searchSmtpConfigurationTypes'],
	...['searchTrainingContentTypes', 'searchDateFormats', 'searchTimeFormats', 'loadLicenseModules', 'loadCompanyGroups'],
	...['searchSamlSettings', 'searchDirectEmailSettings', 'loadActionTypes', 'loadDifficultyTypes', 'loadProducts'],
	...['searchExamStatuses', 'searchTrainingTypes', 'searchTrainingTypeNumbers'],
];
const FROM_SERVICE = PICKERS.filter(({ route }) => route !== undefined);
const SEARCHED = PICKERS.filter(({ several }) => !several);
const isPaged = ({ route = '' }: Picker) => route.startsWith('POST ') && !route.includes('executive-report');

const sorted = (entries: Entry[]) => [...entries].sort((one, other) => one.value.localeCompare(other.value));

/** Opens a list as the editor does, and turns all its pages. */
async function open(g: Ground, { node, method, several }: Picker, parameters: IDataObject, filter?: string): Promise<Entry[]> {
	const options = { node: g.node(node), parameters, credential: g.credential, method };
	if (several) return (await callLoadOptions(options)).map(({ name, value }) => ({ name, value: String(value) }));
	const entries: Entry[] = [];
	for (let paginationToken: unknown, pages = 0; pages < 100; pages++) {
		const token = typeof paginationToken === 'string' ? { paginationToken } : {};
		const page = await callListSearch({ ...options, ...token, ...(filter === undefined ? {} : { filter }) });
		entries.push(...page.results.map(({ name, value }) => ({ name, value: String(value) })));
		paginationToken = page.paginationToken;
		if (paginationToken === undefined) return entries;
	}
	throw new Error('The list has no end');
}

async function failureOf(opened: Promise<unknown>): Promise<NodeApiError | NodeOperationError> {
	const thrown: unknown = await opened.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	throw new Error('The list did not end with an error of n8n', { cause: thrown });
}

describe.each(PERSONALITIES)('$named', ({ personality }) => {
	const g = ground(personality);
	const formOf = ({ fields }: Picker): IDataObject => ({ ...g.visitor.scoped, ...fields?.(g.visitor) });

	test.each(PICKERS)('$node, $method: all there is, with names', async (picker) => {
		const expected = await picker.entries(g.visitor);
		expect(expected.length).toBeGreaterThan(0);
		const shown = await open(g, picker, formOf(picker));
		expect(sorted(shown)).toEqual(sorted(expected));
	});

	test.each(SEARCHED)('$node, $method: search', async (picker) => {
		const all = await picker.entries(g.visitor);
		const { search = all[0]?.name.slice(1, 5) ?? '' } = picker;
		const wanted = search.toLowerCase();
		const shown = await open(g, picker, formOf(picker), ` ${search} `);
		expect(shown.length).toBeGreaterThan(0);
		if (picker.search) expect(shown.length).toBeLessThan(all.length);
		expect(shown.filter(({ name }) => !name.toLowerCase().includes(wanted))).toEqual([]);
		expect(await open(g, picker, formOf(picker), 'there is no such thing')).toEqual([]);
	});

	test.each(FROM_SERVICE)("$node, $method: the customer's, or the credential's own", async (picker) => {
		await picker.entries(g.visitor);
		g.service.clearLog();
		await open(g, picker, formOf(picker));
		expect([...new Set(g.asked.map(({ route, companyId }) => `${route} ${companyId}`))]).toEqual([`${picker.route} ${g.visitor.companyId}`]);
		g.service.clearLog();
		await open(g, picker, { ...formOf(picker), companyScope: 'own', company: undefined });
		expect([...new Set(g.asked.map(({ route, companyId }) => `${route} ${companyId}`))]).toEqual([`${picker.route} undefined`]);
	});

	test.each(PICKERS.filter(isPaged))('$node, $method: page by page', async (picker) => {
		const expected = await picker.entries(g.visitor);
		g.service.setOptions({ maxPageSize: 2 });
		g.service.clearLog();
		const shown = await open(g, picker, formOf(picker));
		g.service.setOptions({ maxPageSize: Infinity });
		expect(sorted(shown)).toEqual(sorted(expected));
		expect(g.asked).toHaveLength(Math.ceil(expected.length / 2));
	});

	test.each(FROM_SERVICE)('$node, $method: a 403 says what to do', async (picker) => {
		g.service.fault({ route: picker.route, kind: 'forbidden-company', times: Infinity });
		const error = await failureOf(open(g, picker, formOf(picker)));
		expect(error.message).toBe(`Could not list what can be chosen as ${picker.thing}: access was refused (403)`);
		expect(error.description).toContain('You are not authorized to act for this company.');
		expect(error.description).toContain("Check that this company is one of your customers and that 'Company Scope' fits the credential");
	});

	test.each(FROM_SERVICE)('$node, $method: before a company is chosen it says so', async (picker) => {
		for (const [company, complaint] of [
			[byId(''), 'must be filled in first'],
			[byId('={{ $json.id }}'), 'is an expression, which is only known when the workflow runs'],
		] as const) {
			const parameters = { ...formOf(picker), company };
			// n8n opens a list of several with the form, so there it stands in the list.
			if (picker.several) expect(await open(g, picker, parameters)).toEqual([{ name: `'Company' ${complaint}`, value: '' }]);
			else {
				const error = await failureOf(open(g, picker, parameters));
				expect(error.message).toBe(`'Company' ${complaint}`);
				expect(error.description).toContain("'Company'");
			}
		}
		expect(g.asked).toEqual([]);
	});

	test('target users: before an enrollment is chosen it says so', async () => {
		const [users] = PICKERS.filter(({ method }) => method === 'searchTargetUsers');
		if (!users) throw new Error('There is no picker of target users');
		for (const [enrollment, complaint] of [
			[undefined, 'must be filled in first'],
			[byId('='), 'is an expression, which is only known when the workflow runs'],
		] as const) {
			const error = await failureOf(open(g, users, { ...g.visitor.scoped, enrollment }));
			expect(error.message).toBe(`'Enrollment' ${complaint}`);
		}
		expect(g.asked).toEqual([]);
	});
});

test('every list of the nodes that act for a company is tested here', async () => {
	const g = new Ground();
	await g.loadNodes();
	const tested = new Set(PICKERS.map(({ method }) => method));
	const elsewhere = new Set(['searchCompanies', 'searchCompanyGroups', 'loadCompanies', 'searchIndustries', 'searchLicenseTypes', ...IN_LOOKUPS]);
	const methods = g.folders.flatMap((folder) => {
		const { listSearch = {}, loadOptions = {} } = g.node(folder).methods ?? {};
		return [...Object.keys(listSearch), ...Object.keys(loadOptions)];
	});
	expect([...new Set(methods)].filter((method) => !tested.has(method) && !elsewhere.has(method))).toEqual([]);
	expect([...tested].filter((method) => !methods.includes(method))).toEqual([]);
});

describe('a service whose records lack what names them', () => {
	let server: Server;
	const g = new Ground();
	let records: IDataObject[] = [];
	let url = '';

	beforeAll(async () => {
		await g.loadNodes();
		server = createServer((request, response) => {
			request.resume().on('end', () => {
				const isToken = request.url === '/connect/token';
				const isList = request.method === 'GET' || request.url?.includes('executive-report');
				const data = isList ? records : { results: records, totalNumberOfPages: 1 };
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(isToken ? { access_token: 'token', token_type: 'Bearer' } : { data }));
			});
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});

	const ask = async ({ node, method, several }: Picker): Promise<Entry[]> => {
		const credential = { serverUrl: url, clientId: 'id', clientSecret: 'secret' };
		const options = { node: g.node(node), parameters: { companyScope: 'own', enrollment: byId('enrollment') }, credential, method };
		const shown = several ? await callLoadOptions(options) : (await callListSearch(options)).results;
		return shown.map(({ name, value }) => ({ name, value: String(value) }));
	};

	test.each(PICKERS.filter(({ names }) => names))('$node, $method', async (picker) => {
		const { id = '', name = '' } = picker.names ?? {};
		records = [{ [id]: 'one', [name]: 'One' }, { [id]: 'two' }, { [id]: 'three', [name]: null }, { [id]: 4, [name]: '' }, { [name]: 'Five' }, {}];
		const named = [
			{ name: 'One', value: 'one' },
			{ name: 'No name (two)', value: 'two' },
			{ name: 'No name (three)', value: 'three' },
			{ name: 'No name (4)', value: '4' },
		];
		// A list of several has only what can be chosen.
		const unusable = picker.several ? [] : [{ name: 'Five (no ID)', value: '' }, { name: 'No name (no ID)', value: '' }];
		expect(await ask(picker)).toEqual([...named, ...unusable]);
	});

	test.each(PICKERS.filter(({ thing }) => thing === 'campaign job'))('$node, $method', async (picker) => {
		records = [{ campaignResourceId: 'one', instanceGroup: 1, campaignName: 'One' }, { id: 'two', instanceGroup: 0 }, { resourceId: 'three' }, {}];
		expect(await ask(picker)).toEqual([
			{ name: 'One (group 1)', value: 'one/1' },
			{ name: 'No name (group 0)', value: 'two/0' },
			{ name: 'No name (no ID)', value: '' },
			{ name: 'No name (no ID)', value: '' },
		]);
	});
});
