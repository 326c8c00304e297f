/** The lists that a person chooses from, as the editor asks for them. */
import type { IDataObject } from 'n8n-workflow';
import { byId } from '../cases';
import { OperationFixture, operationFixture, PERSONALITIES, shareOf } from '../cases/operationFixture';
import { LOOKUPS } from './lookups';
import { failureOf, open, print, sorted, tell } from './open';
import { OF_RESELLER, PICKERS, type Entry, type Picker } from './table';

const FROM_SERVICE = PICKERS.filter(({ route }) => route !== undefined);

afterAll(print);

/** The name that the service has, without the mark of a child and the end of an ID. */
const plain = ({ name, value }: Entry) => ({
	value,
	name: name
		.replace(/^↳ /, '')
		.replace(/^No name \(.*\)$/, '')
		.replace(/ \(…(.+)\)$/, (all, end: string) => (value.endsWith(end) ? '' : all)),
});

describe.each(PERSONALITIES)('$named', ({ personality, named }) => {
	const g = operationFixture(personality);
	const formOf = ({ fields }: Pick<Picker, 'fields'>): IDataObject => ({
		...g.customer.scoped,
		...fields?.(g.customer),
	});
	/** What was asked, each with the company it was asked for. */
	const askedFor = () => [...new Set(g.asked.map(({ route, companyId }) => `${route} ${companyId}`))];
	const isDeployed = personality === 'deployed';

	test.each(PICKERS)('$node, $method: all there is, with names', async (picker) => {
		const expected = await picker.entries(g.customer);
		expect(expected.length).toBeGreaterThan(0);
		const shown = await open(g, picker, formOf(picker));
		expect(sorted(shown)).toEqual(sorted(expected));
		tell(named, picker, shown);
	});

	test.each(
		shareOf(
			personality,
			PICKERS.filter(({ several }) => !several),
		),
	)('$node, $method: search', async (picker) => {
		const all = await picker.entries(g.customer);
		const { search = all[0]?.name.slice(1, 5) ?? '' } = picker;
		const shown = await open(g, picker, formOf(picker), ` ${search} `);
		expect(shown.length).toBeGreaterThan(0);
		if (picker.search) expect(shown.length).toBeLessThan(all.length);
		expect(shown.filter(({ name }) => !name.toLowerCase().includes(search.toLowerCase()))).toEqual([]);
	});

	test.each(shareOf(personality, FROM_SERVICE))(
		"$node, $method: the customer's, or the credential's own",
		async (picker) => {
			await picker.entries(g.customer);
			g.service.clearLog();
			await open(g, picker, formOf(picker));
			expect(askedFor()).toEqual([`${picker.route} ${g.customer.companyId}`]);
			g.service.clearLog();
			const own = open(g, picker, { ...formOf(picker), companyScope: 'own', company: undefined });
			// Without a company a live deployment acts in the reseller's own, where the customer's things are not found.
			if (isDeployed && picker.fields) expect((await failureOf(own)).message).toContain('(404)');
			else await own;
			expect(askedFor()).toEqual([`${picker.route} undefined`]);
		},
	);

	test.each(shareOf(personality, FROM_SERVICE))('$node, $method: page by page to the end', async (picker) => {
		const expected = await picker.entries(g.customer);
		g.service.setOptions({ maxPageSize: 2 });
		const shown = await open(g, picker, formOf(picker));
		g.service.setOptions({ maxPageSize: Infinity });
		expect(sorted(shown)).toEqual(sorted(expected));
	});

	test.each(OF_RESELLER)('$node, $method: all there is, with names', async (picker) => {
		const expected = await picker.entries(g.customer);
		const shown = await open(g, picker, {});
		expect(sorted(shown.map(plain))).toEqual(sorted(expected));
		expect(new Set(shown.map(({ name }) => name)).size).toBe(shown.length);
		expect(askedFor()).toEqual([`${picker.route} undefined`]);
	});

	test.each(shareOf(personality, FROM_SERVICE))('$node, $method: a 403 says what to do', async (picker) => {
		g.service.fault({ route: picker.route, kind: 'forbidden-company', times: Infinity });
		const error = await failureOf(open(g, picker, formOf(picker)));
		expect(error.message).toBe(`Could not list what can be chosen as ${picker.thing}: access was refused (403)`);
		expect(error.description).toContain('You are not authorized to act for this company.');
	});

	test.each(shareOf(personality, FROM_SERVICE))(
		'$node, $method: before a company is chosen it says so, or is empty where n8n opens it with the form',
		async (picker) => {
			for (const [company, complaint] of [
				[byId(''), 'must be filled in first'],
				[byId('={{ $json.id }}'), 'is an expression, whose value is only known when the workflow runs'],
			] as const) {
				const opened = open(g, picker, { ...formOf(picker), company });
				if (picker.several) expect(await opened).toEqual([]);
				else expect((await failureOf(opened)).message).toBe(`'Company' ${complaint}`);
			}
			expect(g.asked).toEqual([]);
		},
	);

	test.each(LOOKUPS)('$node, $method: the list beside the contract, or without it what is known', async (lookup) => {
		if (isDeployed) await lookup.make?.(g.customer);
		const expected = isDeployed ? await lookup.entries(g.customer) : ((await lookup.otherwise?.(g.customer)) ?? []);
		if (isDeployed) expect(expected.length).toBeGreaterThan(0);
		g.service.clearLog();
		const form = lookup.isScoped ? formOf(lookup) : (lookup.fields?.(g.customer) ?? {});
		const shown = await open(g, lookup, form);
		expect(sorted(shown)).toEqual(sorted(expected));
		if (isDeployed)
			expect(askedFor()).toEqual(
				lookup.helpers.map((route) => `${route} ${lookup.isScoped ? g.customer.companyId : undefined}`),
			);
		tell(named, lookup, shown);
	});
});

test('every list of every node is tested here', async () => {
	const g = new OperationFixture();
	await g.loadNodes();
	// Every node has the list of companies.
	const keyOf = (node: string, method: string) => (method === 'searchCompanies' ? method : `${node} ${method}`);
	const tested = new Set([...PICKERS, ...OF_RESELLER, ...LOOKUPS].map(({ node, method }) => keyOf(node, method)));
	const methods = g.folders.flatMap((folder) => {
		const { listSearch = {}, loadOptions = {} } = g.node(folder).methods ?? {};
		return [...Object.keys(listSearch), ...Object.keys(loadOptions)].map((method) => keyOf(folder, method));
	});
	// No platform's page has them (deployment behaviour, "Training reports").
	const unknown = new Set(['TrainingReport searchTrainingTypes', 'TrainingReport searchTrainingTypeNumbers']);
	expect([...new Set(methods)].filter((method) => !tested.has(method) && !unknown.has(method))).toEqual([]);
	expect([...tested].filter((method) => !methods.includes(method))).toEqual([]);
});
