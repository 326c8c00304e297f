/** The lists that a person chooses from, as the editor asks for them. */
import type { IDataObject } from 'n8n-workflow';
import { callListSearch, callLoadOptions } from '../n8n-core';
import { catchNodeError } from '../n8n-core/nodeFixture';
import { toIdLocator } from '../cases';
import { OperationFixture, createOperationFixture, TESTED_PROFILES, takeShare } from '../cases/operationFixture';
import { BESIDE } from './beside';
import { readEntryId, KNOWN, LISTED, OF_RESELLER, type Entry, type List } from './table';

type Named = [key: string, list: List];

const sorted = (entries: Entry[]) => [...entries].sort((one, other) => one.value.localeCompare(other.value));

/** Whether several can be chosen: from a list that has no search, and that n8n opens with the form. */
const areSeveral = (key: string) => key.includes('.load');

/** The name that the service has, without the mark of a child and the end of an ID. */
const plain = ({ name, value }: Entry) => ({
	value,
	name: name
		.replace(/^↳ /, '')
		.replace(/^No name \(.*\)$/, '')
		.replace(/ \(…(.+)\)$/, (all, end: string) => (value.endsWith(end) ? '' : all)),
});

/** A part of some names, but not of all, in another case. */
function partOf(entries: Entry[]): string {
	const names = entries.map(({ name }) => name.toUpperCase());
	const words = names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)).filter(({ length }) => length > 2);
	const some = words.find((word) => !names.every((name) => name.includes(word)));
	return some ?? names[0]?.slice(1, 5) ?? '';
}

/** Opens a list, and turns all its pages. */
async function open(g: OperationFixture, key: string, parameters: IDataObject, filter?: string): Promise<Entry[]> {
	const [node = '', method = ''] = key.split('.');
	const options = { node: g.getNode(node), parameters, credential: g.credential, method };
	if (areSeveral(key))
		return (await callLoadOptions(options)).map(({ name, value }) => ({ name, value: readEntryId(value) }));
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

/** What a list says that has nothing to choose: one that n8n opens with the form as its only entry. */
async function saidBy(key: string, opened: Promise<Entry[]>): Promise<string> {
	if (!areSeveral(key)) return (await catchNodeError(opened)).message;
	const entries = await opened;
	expect(entries.map(({ value }) => value)).toEqual(['?']);
	return entries[0]?.name ?? '';
}

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const g = createOperationFixture(profile);
	const isDeployed = profile === 'deployed';
	const formOf = ({ fields }: List): IDataObject => ({ ...g.customer.companyParameters, ...fields?.(g.customer) });
	/** What was asked, each with the company it was asked for. */
	const askedFor = () => [...new Set(g.requests.map(({ route, companyId }) => `${route} ${companyId}`))].sort();
	/** What the service lists, and the operations that list it. The log is empty afterwards. */
	async function expected(entries: List['entries']) {
		g.standIn.clearLog();
		const all = await entries(g.customer);
		const routes = [...new Set(g.requests.map(({ route }) => route))];
		g.standIn.clearLog();
		return { all, for: (company: string | undefined) => routes.map((route) => `${route} ${company}`).sort(), routes };
	}
	const listed = takeShare<Named>(profile, Object.entries(LISTED));

	test.each([...Object.entries(LISTED), ...Object.entries(KNOWN)])(
		'%s: all there is, with names',
		async (key, list) => {
			const { all } = await expected(list.entries);
			expect(all.length).toBeGreaterThan(0);
			expect(sorted(await open(g, key, formOf(list)))).toEqual(sorted(all));
		},
	);

	test.each(
		takeShare<Named>(profile, [...Object.entries(LISTED), ...Object.entries(KNOWN)]).filter(
			([key]) => !areSeveral(key),
		),
	)('%s: search', async (key, list) => {
		const { all } = await expected(list.entries);
		const part = partOf(all);
		const shown = await open(g, key, formOf(list), ` ${part} `);
		expect(sorted(shown)).toEqual(sorted(all.filter(({ name }) => name.toUpperCase().includes(part))));
		expect(shown.length).toBeGreaterThan(0);
	});

	test.each(listed)("%s: the customer's, or the credential's own", async (key, list) => {
		const asked = await expected(list.entries);
		await open(g, key, formOf(list));
		expect(askedFor()).toEqual(asked.for(g.customer.companyId));
		g.standIn.clearLog();
		const own = open(g, key, { ...formOf(list), companyScope: 'own', company: undefined });
		// Without a company a live deployment acts in the reseller's own, where the customer's things are not found.
		if (isDeployed && list.fields) expect((await catchNodeError(own)).message).toContain('(404)');
		else await own;
		expect(askedFor()).toEqual(asked.for(undefined));
	});

	test.each(listed)('%s: page by page to the end', async (key, list) => {
		const { all } = await expected(list.entries);
		g.standIn.setOptions({ maxPageSize: 2 });
		const shown = await open(g, key, formOf(list));
		g.standIn.setOptions({ maxPageSize: Infinity });
		expect(sorted(shown)).toEqual(sorted(all));
	});

	test.each(Object.entries(OF_RESELLER))('%s: all there is, with names', async (key, list) => {
		const shown = await open(g, key, {});
		expect(sorted(shown.map(plain))).toEqual(sorted(await list.entries(g.customer)));
		expect(new Set(shown.map(({ name }) => name)).size).toBe(shown.length);
		expect(askedFor()).toEqual([
			`POST /api/${key.endsWith('Groups') ? 'company-groups' : 'companies'}/search undefined`,
		]);
	});

	test.each(listed)('%s: a 403 says what to do', async (key, list) => {
		const [route] = (await expected(list.entries)).routes;
		g.standIn.addFault({ route, kind: 'forbidden-company', times: Infinity });
		const error = await catchNodeError(open(g, key, formOf(list)));
		expect(error.message).toBe(`Could not list what can be chosen as ${list.thing}: access was refused (403)`);
		expect(error.description).toContain('You are not authorized to act for this company.');
	});

	test.each(listed)('%s: before a company is chosen it says so', async (key, list) => {
		// An expression without input data is null in the editor (n8n 4).
		const expression = 'Company is an expression: run the previous node once, or enter a name';
		for (const [company, message, advice] of [
			[toIdLocator(''), "'Company' must be filled in first", "Choose 'Company' first"],
			[{ __rl: true, mode: 'id', value: null }, expression, expression],
			[null, expression, expression],
		] as const) {
			const said = await saidBy(key, open(g, key, { ...formOf(list), company }));
			expect(said).toContain(areSeveral(key) ? advice : message);
		}
		expect(g.requests).toEqual([]);
	});

	test.each(Object.entries(BESIDE))(
		'%s: the list beside the contract, or without it what is known, or that there is none',
		async (key, list) => {
			if (isDeployed) await list.make?.(g.customer);
			const asked = await expected(isDeployed ? list.entries : (list.otherwise ?? (() => [])));
			if (isDeployed) expect(asked.all.length).toBeGreaterThan(0);
			const opened = open(g, key, list.isOfPlatform ? (list.fields?.(g.customer) ?? {}) : formOf(list));
			if (asked.all.length === 0) expect(await saidBy(key, opened)).toMatch(/^There is no \w+/);
			else expect(sorted(await opened)).toEqual(sorted(asked.all));
			if (isDeployed) expect(askedFor()).toEqual(asked.for(list.isOfPlatform ? undefined : g.customer.companyId));
		},
	);
});

test('every list of every node is tested here', async () => {
	const g = new OperationFixture();
	await g.loadNodes();
	// Every node has the list of companies.
	const keyOf = (key: string) => key.replace(/^.*\.searchCompanies$/, 'searchCompanies');
	const tested = new Set([LISTED, KNOWN, OF_RESELLER, BESIDE].flatMap((lists) => Object.keys(lists)).map(keyOf));
	const methods = g.nodeFolders.flatMap((folder) => {
		const { listSearch = {}, loadOptions = {} } = g.getNode(folder).methods ?? {};
		return [...Object.keys(listSearch), ...Object.keys(loadOptions)].map((method) => keyOf(`${folder}.${method}`));
	});
	// No platform's page has them (deployment behaviour, "Training reports").
	const unknown = new Set(['TrainingReport.searchTrainingTypes', 'TrainingReport.searchTrainingTypeNumbers']);
	expect([...new Set(methods)].filter((method) => !tested.has(method) && !unknown.has(method))).toEqual([]);
	expect([...tested].filter((method) => !methods.includes(method))).toEqual([]);
});
