/** The lists that a person chooses from, as the editor asks for them. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { callListSearch, callLoadOptions } from '../n8n-core';
import { byId } from '../cases';
import { OperationFixture, operationFixture, PERSONALITIES, shareOf } from '../cases/operationFixture';
import { LOOKUPS } from './lookups';
import { failureOf, open, print, sorted, tell } from './open';
import { OF_RESELLER, PICKERS, type Entry, type Picker } from './table';

const FROM_SERVICE = PICKERS.filter(({ route }) => route !== undefined);
const SEARCHED = PICKERS.filter(({ several }) => !several);
const isPaged = ({ route = '' }: Picker) => route.startsWith('POST ') && !route.includes('executive-report');

afterAll(print);

/** The only entry of a list, which cannot be chosen, as an error. */
const onlyNote = z
	.tuple([z.object({ name: z.string(), value: z.literal(''), description: z.string() })])
	.transform(([{ name, description }]) => ({ message: name, description }));

describe.each(PERSONALITIES)('$named', ({ personality, named }) => {
	const g = operationFixture(personality);
	afterEach(() => g.service.setOptions({ maxPageSize: Infinity }));
	const formOf = ({ fields }: Picker): IDataObject => ({ ...g.customer.scoped, ...fields?.(g.customer) });
	/** What was asked, each with the company it was asked for. */
	const askedFor = () => [...new Set(g.asked.map(({ route, companyId }) => `${route} ${companyId}`))];
	const isDeployed = personality === 'deployed';
	const routesOf = ({ route = '', also }: Picker) => (isDeployed && also !== undefined ? [route, also] : [route]);

	test.each(PICKERS)('$node, $method: all there is, with names', async (picker) => {
		const expected = await picker.entries(g.customer);
		expect(expected.length).toBeGreaterThan(0);
		const shown = await open(g, picker, formOf(picker));
		expect(sorted(shown)).toEqual(sorted(expected));
		tell(named, picker, shown);
	});

	test.each(shareOf(personality, SEARCHED))('$node, $method: search', async (picker) => {
		const all = await picker.entries(g.customer);
		const { search = all[0]?.name.slice(1, 5) ?? '' } = picker;
		const wanted = search.toLowerCase();
		const shown = await open(g, picker, formOf(picker), ` ${search} `);
		expect(shown.length).toBeGreaterThan(0);
		if (picker.search) expect(shown.length).toBeLessThan(all.length);
		expect(shown.filter(({ name }) => !name.toLowerCase().includes(wanted))).toEqual([]);
		expect(await open(g, picker, formOf(picker), 'there is no such thing')).toEqual([]);
	});

	test.each(shareOf(personality, FROM_SERVICE))(
		"$node, $method: the customer's, or the credential's own",
		async (picker) => {
			await picker.entries(g.customer);
			g.service.clearLog();
			await open(g, picker, formOf(picker));
			expect(askedFor()).toEqual(routesOf(picker).map((route) => `${route} ${g.customer.companyId}`));
			g.service.clearLog();
			const own = open(g, picker, { ...formOf(picker), companyScope: 'own', company: undefined });
			// Without a company a live deployment acts in the reseller's own, where the customer's things are not found.
			if (isDeployed && picker.fields) expect((await failureOf(own)).message).toContain('(404)');
			else await own;
			expect(askedFor()).toEqual(routesOf(picker).map((route) => `${route} undefined`));
		},
	);

	test.each(shareOf(personality, PICKERS.filter(isPaged)))('$node, $method: page by page', async (picker) => {
		const expected = await picker.entries(g.customer);
		g.service.setOptions({ maxPageSize: 2 });
		g.service.clearLog();
		const shown = await open(g, picker, formOf(picker));
		g.service.setOptions({ maxPageSize: Infinity });
		expect(sorted(shown)).toEqual(sorted(expected));
		const pages = Math.ceil(expected.length / 2);
		expect(g.asked.filter(({ status }) => status === 200)).toHaveLength(pages);
		// Each page is asked for by itself, so a live deployment may refuse each: first its order, then its filter, and no more than that.
		expect(g.asked.length).toBeLessThanOrEqual(isDeployed ? 3 * pages : pages);
	});

	test.each(OF_RESELLER)('$node, $method: all there is, with names', async (picker) => {
		const expected = await picker.entries(g.customer);
		const shown = await open(g, picker, {});
		// A child's name comes after a mark, who has no name is told as that, and the name of several has what tells them apart.
		const names = shown.map(({ name, value }) => ({
			value,
			name: name
				.replace(/^[\s\u00a0]*↳ ?/u, '')
				.replace(/^No name \(.*\)$/, '')
				.replace(/^(Twin Peaks Consulting) \(\d+ users, [\d-]+, …(\w+)\)$/, (all, only: string, end: string) =>
					value.endsWith(end) ? only : all,
				),
		}));
		expect(sorted(names)).toEqual(sorted(expected));
		expect(askedFor()).toEqual([`${picker.route} undefined`]);
		tell(named, picker, shown);
		if (picker.search === undefined || picker.several) return;
		const found = await open(g, picker, {}, picker.search);
		expect(found.length).toBeLessThan(expected.length);
		for (const { value } of found) expect(expected.map((entry) => entry.value)).toContain(value);
		const wanted = expected.filter(({ name }) => name.toLowerCase().includes(String(picker.search).toLowerCase()));
		expect(found.map(({ value }) => value)).toEqual(expect.arrayContaining(wanted.map(({ value }) => value)));
	});

	test.each(shareOf(personality, FROM_SERVICE))('$node, $method: a 403 says what to do', async (picker) => {
		g.service.fault({ route: picker.route, kind: 'forbidden-company', times: Infinity });
		const options = { node: g.node(picker.node), parameters: formOf(picker), credential: g.credential };
		// Of an error, n8n would not show the words in a list of several.
		const error = picker.several
			? onlyNote.parse(await callLoadOptions({ ...options, method: picker.method }))
			: await failureOf(open(g, picker, formOf(picker)));
		expect(error.message).toBe(`Could not list what can be chosen as ${picker.thing}: access was refused (403)`);
		expect(error.description).toContain('You are not authorized to act for this company.');
		expect(error.description).toContain(
			"Check that this company is one of your customers and that 'Company Scope' fits the credential",
		);
	});

	test.each(shareOf(personality, FROM_SERVICE))(
		'$node, $method: before a company is chosen it says so',
		async (picker) => {
			for (const [company, complaint] of [
				[byId(''), 'must be filled in first'],
				[byId('={{ $json.id }}'), 'is an expression, whose value is only known when the workflow runs'],
			] as const) {
				const parameters = { ...formOf(picker), company };
				// n8n opens a list of several with the form, so there it stands in the list.
				if (picker.several)
					expect(await open(g, picker, parameters)).toEqual([{ name: `'Company' ${complaint}`, value: '' }]);
				else {
					const error = await failureOf(open(g, picker, parameters));
					expect(error.message).toBe(`'Company' ${complaint}`);
					expect(error.description).toContain("'Company'");
				}
			}
			expect(g.asked).toEqual([]);
		},
	);

	test('target users: before an enrollment is chosen it says so', async () => {
		const [users] = PICKERS.filter(({ method }) => method === 'searchTargetUsers');
		if (!users) throw new Error('There is no picker of target users');
		for (const [enrollment, complaint] of [
			[undefined, 'must be filled in first'],
			[byId('='), 'is an expression, whose value is only known when the workflow runs'],
		] as const) {
			const error = await failureOf(open(g, users, { ...g.customer.scoped, enrollment }));
			expect(error.message).toBe(`'Enrollment' ${complaint}`);
		}
		expect(g.asked).toEqual([]);
	});
});

/** Every node has the list of companies. */
const isShared = (method: string) => method === 'searchCompanies';

test('every list of every node is tested here', async () => {
	const g = new OperationFixture();
	await g.loadNodes();
	const tested = new Set(
		[...PICKERS, ...OF_RESELLER, ...LOOKUPS].map(({ node, method }) =>
			isShared(method) ? method : `${node} ${method}`,
		),
	);
	// What these may offer is told in words rather than as a list: see lookups.test.ts.
	const elsewhere = new Set(['TrainingReport searchTrainingTypes', 'TrainingReport searchTrainingTypeNumbers']);
	const methods = g.folders.flatMap((folder) => {
		const { listSearch = {}, loadOptions = {} } = g.node(folder).methods ?? {};
		return [...Object.keys(listSearch), ...Object.keys(loadOptions)].map((method) =>
			isShared(method) ? method : `${folder} ${method}`,
		);
	});
	expect([...new Set(methods)].filter((method) => !tested.has(method) && !elsewhere.has(method))).toEqual([]);
	expect([...tested].filter((method) => !methods.includes(method))).toEqual([]);
});

describe('a service whose records lack what names them', () => {
	let server: Server;
	const g = new OperationFixture();
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
		const options = {
			node: g.node(node),
			parameters: { companyScope: 'own', enrollment: byId('enrollment') },
			credential,
			method,
		};
		const shown = several ? await callLoadOptions(options) : (await callListSearch(options)).results;
		return shown.map(({ name, value }) => ({ name, value: String(value) }));
	};

	test.each(PICKERS.filter(({ names }) => names))('$node, $method', async (picker) => {
		const { id = '', name = '' } = picker.names ?? {};
		records = [
			{ [id]: 'one', [name]: 'One' },
			{ [id]: 'two' },
			{ [id]: 'three', [name]: null },
			{ [id]: 4, [name]: '' },
			{ [name]: 'Five' },
			{},
		];
		const named = [
			{ name: 'One', value: 'one' },
			{ name: 'No name (two)', value: 'two' },
			{ name: 'No name (three)', value: 'three' },
			{ name: 'No name (4)', value: '4' },
		];
		// A list of several has only what can be chosen.
		const unusable = picker.several
			? []
			: [
					{ name: 'Five (no ID)', value: '' },
					{ name: 'No name (no ID)', value: '' },
				];
		expect(await ask(picker)).toEqual([...named, ...unusable]);
	});

	test.each(PICKERS.filter(({ thing }) => thing === 'campaign job'))('$node, $method', async (picker) => {
		records = [
			{ campaignResourceId: 'one', instanceGroup: 1, campaignName: 'One' },
			{ id: 'two', instanceGroup: 0 },
			{ resourceId: 'three' },
			{},
		];
		expect(await ask(picker)).toEqual([
			{ name: 'One (job 1)', value: 'one/1' },
			{ name: 'No name (job 0)', value: 'two/0' },
			{ name: 'No name (no ID)', value: '' },
			{ name: 'No name (no ID)', value: '' },
		]);
	});
});
