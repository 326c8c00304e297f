/** Tests of every picker's list. The lists are opened in the same way as in n8n's editor. */
import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { omitUndefined } from '../../nodes/core/values';
import { callListSearch, callLoadOptions } from '../n8n-core';
import { catchNodeError } from '../n8n-core/nodeFixture';
import { toIdLocator } from '../cases';
import {
	OperationFixture,
	createOperationFixture,
	TESTED_PROFILES,
	selectEntriesForProfile,
} from '../cases/operationFixture';
import { listFields } from '../rules/nodeFields';
import { DEPLOYED_LISTS } from './listsOutsideContract';
import {
	readEntryId,
	BUILT_IN_LISTS,
	CONTRACT_LISTS,
	RESELLER_LISTS,
	type Entry,
	type ExpectedList,
} from './expectedLists';

type ListWithKey = [key: string, list: ExpectedList];

const IRREGULAR_PLURALS: Record<string, string | undefined> = { person: 'people', priority: 'priorities' };

const sortEntries = (entries: Entry[]) => [...entries].sort((first, second) => first.value.localeCompare(second.value));

/** Returns true for the key of a multi-select list. n8n loads such a list together with the form, and without a search text. */
const isMultiSelect = (key: string) => key.includes('.load');

/**
 * Removes everything from an entry's name that the node added to the platform's name, such as the mark of a child company and the end of an
 * ID.
 */
const removeMarks = ({ name, value }: Entry) => ({
	value,
	name: name
		.replace(/^↳ /, '')
		.replace(/^No name \(.*\)$/, '')
		.replace(/ \(…(.+)\)$/, (all, end: string) => (value.endsWith(end) ? '' : all)),
});

/** Finds a text that is part of at least one name but, if possible, not of all names. @returns the text in capital letters */
function findPartOfNames(entries: Entry[]): string {
	const names = entries.map(({ name }) => name.toUpperCase());
	const words = names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)).filter(({ length }) => length > 2);
	const partialMatch = words.find((word) => !names.every((name) => name.includes(word)));
	return partialMatch ?? names[0]?.slice(1, 5) ?? '';
}

/** Opens a list and reads all its pages. */
async function openList(
	fixture: OperationFixture,
	key: string,
	parameters: IDataObject,
	filter?: string,
): Promise<Entry[]> {
	const [node = '', method = ''] = key.split('.');
	const options = { node: fixture.getNode(node), parameters, credential: fixture.credential, method };
	if (isMultiSelect(key))
		return (await callLoadOptions(options)).map(({ name, value }) => ({ name, value: readEntryId(value) }));
	const entries: Entry[] = [];
	let paginationToken: string | undefined;
	for (let pageCount = 0; pageCount < 100; pageCount++) {
		const page = await callListSearch({ ...options, ...omitUndefined({ paginationToken, filter }) });
		entries.push(...page.results.map(({ name, value }) => ({ name, value: String(value) })));
		if (page.paginationToken === undefined) return entries;
		paginationToken = String(page.paginationToken);
	}
	throw new Error('The list has no end');
}

/**
 * Reads the message that an empty list shows. A multi-select list shows it as its only entry, because n8n shows no error text in such a
 * list.
 */
async function readEmptyMessage(key: string, openedList: Promise<Entry[]>): Promise<string> {
	if (!isMultiSelect(key)) return (await catchNodeError(openedList)).message;
	const entries = await openedList;
	expect(entries.map(({ value }) => value)).toEqual(['?']);
	return entries[0]?.name ?? '';
}

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const isDeployed = profile === 'deployed';
	const buildForm = ({ createFields }: ExpectedList): IDataObject => ({
		...fixture.customer.companyParameters,
		...createFields?.(fixture.customer),
	});
	/** Lists the routes that were requested, each with the ID of the company that the request was for. */
	const listRequests = () =>
		[...new Set(fixture.requests.map(({ route, companyId }) => `${route} ${companyId}`))].sort();
	/**
	 * Reads the entries that a picker's list must have, and the routes that must be requested for them. The request log is cleared afterwards.
	 * `buildRequests` of the result builds what `listRequests` must return after the picker's list was read for a company.
	 */
	async function readExpectation(readEntries: ExpectedList['readEntries']) {
		fixture.standIn.clearLog();
		const entries = await readEntries(fixture.customer);
		const routes = [...new Set(fixture.requests.map(({ route }) => route))];
		fixture.standIn.clearLog();
		const buildRequests = (company: string | undefined) => routes.map((route) => `${route} ${company}`).sort();
		return { entries, buildRequests, routes };
	}
	const contractLists = selectEntriesForProfile<ListWithKey>(profile, Object.entries(CONTRACT_LISTS));

	test.each([...Object.entries(CONTRACT_LISTS), ...Object.entries(BUILT_IN_LISTS)])(
		'%s: shows every entry with its name',
		async (key, list) => {
			const { entries: expectedEntries } = await readExpectation(list.readEntries);
			expect(expectedEntries.length).toBeGreaterThan(0);
			expect(sortEntries(await openList(fixture, key, buildForm(list)))).toEqual(sortEntries(expectedEntries));
		},
	);

	test.each(
		selectEntriesForProfile<ListWithKey>(profile, [
			...Object.entries(CONTRACT_LISTS),
			...Object.entries(BUILT_IN_LISTS),
		]).filter(([key]) => !isMultiSelect(key)),
	)('%s: finds entries by a part of their names', async (key, list) => {
		const { entries: expectedEntries } = await readExpectation(list.readEntries);
		const partOfNames = findPartOfNames(expectedEntries);
		const entries = await openList(fixture, key, buildForm(list), ` ${partOfNames} `);
		expect(sortEntries(entries)).toEqual(
			sortEntries(expectedEntries.filter(({ name }) => name.toUpperCase().includes(partOfNames))),
		);
		expect(entries.length).toBeGreaterThan(0);
	});

	test.each(contractLists)(
		"%s: is read for the selected customer, or for the credential's own company",
		async (key, list) => {
			const expectation = await readExpectation(list.readEntries);
			await openList(fixture, key, buildForm(list));
			expect(listRequests()).toEqual(expectation.buildRequests(fixture.customer.companyId));
			fixture.standIn.clearLog();
			const ownEntries = openList(fixture, key, { ...buildForm(list), companyScope: 'own', company: undefined });
			// If the request names no company, a live deployment uses the reseller's own company, which doesn't have the customer's records.
			if (isDeployed && list.createFields) expect((await catchNodeError(ownEntries)).message).toContain('(404)');
			else await ownEntries;
			expect(listRequests()).toEqual(expectation.buildRequests(undefined));
		},
	);

	test('a multi-select list is loaded again after a change of any field that decides which list is read', () => {
		for (const [key, list] of [...contractLists, ...Object.entries(DEPLOYED_LISTS)].filter(([name]) =>
			isMultiSelect(name),
		)) {
			const [node = '', method = ''] = key.split('.');
			const form = list.isPlatformWide ? (list.createFields?.(fixture.customer) ?? {}) : buildForm(list);
			const fieldNames = Object.keys(omit(form, ['resource', 'operation']));
			const loadedFields = listFields(fixture.getNode(node).description).filter(
				({ property }) => property.typeOptions?.loadOptionsMethod === method,
			);
			expect(loadedFields.length).toBeGreaterThan(0);
			for (const { path, property } of loadedFields) {
				const dependencies = property.typeOptions?.loadOptionsDependsOn ?? [];
				const missingNames = fieldNames.filter((name) => !dependencies.some((text) => text.split('.')[0] === name));
				expect(`${node} ${path}: ${missingNames.join()}`).toBe(`${node} ${path}: `);
			}
		}
	});

	test.each(contractLists)('%s: is read page by page to the end', async (key, list) => {
		const { entries: expectedEntries } = await readExpectation(list.readEntries);
		fixture.standIn.setOptions({ maxPageSize: 2 });
		const entries = await openList(fixture, key, buildForm(list));
		fixture.standIn.setOptions({ maxPageSize: Infinity });
		expect(sortEntries(entries)).toEqual(sortEntries(expectedEntries));
	});

	test.each(Object.entries(RESELLER_LISTS))('%s: shows every entry with its name', async (key, list) => {
		const entries = await openList(fixture, key, {});
		expect(sortEntries(entries.map(removeMarks))).toEqual(sortEntries(await list.readEntries(fixture.customer)));
		expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
		expect(listRequests()).toEqual([
			`POST /api/${key.endsWith('Groups') ? 'company-groups' : 'companies'}/search undefined`,
		]);
	});

	test.each(contractLists)('%s: explains a 403', async (key, list) => {
		const [route] = (await readExpectation(list.readEntries)).routes;
		fixture.standIn.addFault({ route, kind: 'forbidden-company', times: Infinity });
		const error = await catchNodeError(openList(fixture, key, buildForm(list)));
		const pluralNoun = IRREGULAR_PLURALS[list.noun ?? ''] ?? `${list.noun}s`;
		expect(error.message).toBe(`Could not list the ${pluralNoun}: the platform refused access (403)`);
		expect(error.description).toContain('You are not authorized to act for this company.');
	});

	test.each(contractLists)('%s: asks for the company if none is selected', async (key, list) => {
		// An expression without input data is null in the editor (n8n 4).
		const expression = 'Company is an expression: run the previous node once, or enter a name';
		for (const [company, message, advice] of [
			[toIdLocator(''), "'Company' must be filled in first", "Select 'Company' first"],
			[{ __rl: true, mode: 'id', value: null }, expression, expression],
			[null, expression, expression],
		] as const) {
			const shownMessage = await readEmptyMessage(key, openList(fixture, key, { ...buildForm(list), company }));
			expect(shownMessage).toContain(isMultiSelect(key) ? advice : message);
		}
		expect(fixture.requests).toEqual([]);
	});

	test.each(Object.entries(DEPLOYED_LISTS))(
		'%s: shows the list outside the contract; on other platforms it shows the known values or says that there are none',
		async (key, list) => {
			if (isDeployed) await list.createRecords?.(fixture.customer);
			const expectation = await readExpectation(isDeployed ? list.readEntries : (list.readFallback ?? (() => [])));
			if (isDeployed) expect(expectation.entries.length).toBeGreaterThan(0);
			const openedList = openList(
				fixture,
				key,
				list.isPlatformWide ? (list.createFields?.(fixture.customer) ?? {}) : buildForm(list),
			);
			if (expectation.entries.length === 0) expect(await readEmptyMessage(key, openedList)).toMatch(/^There is no \w+/);
			else expect(sortEntries(await openedList)).toEqual(sortEntries(expectation.entries));
			if (isDeployed)
				expect(listRequests()).toEqual(
					expectation.buildRequests(list.isPlatformWide ? undefined : fixture.customer.companyId),
				);
		},
	);
});

test('every list of every node is tested in this file', async () => {
	const fixture = new OperationFixture();
	await fixture.loadNodes();
	// Every node has the list of companies.
	const removeNodeOfCompanyList = (key: string) => key.replace(/^.*\.searchCompanies$/, 'searchCompanies');
	const testedKeys = new Set(
		[CONTRACT_LISTS, BUILT_IN_LISTS, RESELLER_LISTS, DEPLOYED_LISTS]
			.flatMap((lists) => Object.keys(lists))
			.map(removeNodeOfCompanyList),
	);
	const methodKeys = fixture.nodeFolders.flatMap((folder) => {
		const { listSearch = {}, loadOptions = {} } = fixture.getNode(folder).methods ?? {};
		return [...Object.keys(listSearch), ...Object.keys(loadOptions)].map((method) =>
			removeNodeOfCompanyList(`${folder}.${method}`),
		);
	});
	// The stand-in lacks these lists, because no platform is known to have them (deployment behaviour, "Training reports").
	const untestableKeys = new Set(['TrainingReport.searchTrainingTypes', 'TrainingReport.searchTrainingTypeNumbers']);
	expect([...new Set(methodKeys)].filter((key) => !testedKeys.has(key) && !untestableKeys.has(key))).toEqual([]);
	expect([...testedKeys].filter((key) => !methodKeys.includes(key))).toEqual([]);
});
