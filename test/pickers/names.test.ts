/** What is given by name where IDs can be chosen: who is meant at each customer, and what a person is told when that is not certain. */
import fc from 'fast-check';
import { differenceBy, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessSystemUser } from '../../nodes/SystemUser/SecurityAwarenessSystemUser.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { readEntry, writeEntry } from '../../nodes/core/pickers/entryText';
import { toIdLocator } from '../cases';
import { callLoadOptions } from '../n8n-core';
import { startFakeServer, closeFakeServers, catchNodeError, isFailedItem, toItems, createNodeFixture, requireValue } from '../n8n-core/nodeFixture';

afterEach(closeFakeServers);

const GROUPS = 'POST /api/target-groups/search/current-company';
const CREATE = 'POST /api/enrollments';
const b = createNodeFixture({ companyCount: 12 });
const company = (index: number) => requireValue(b.standIn.state.companies[index]);
const groupsAt = (index: number) => b.standIn.state.getCompanyData(company(index).companyResourceId).targetGroups;
const create = (targetGroups: string | string[]): IDataObject => ({
	operation: 'create',
	companyScope: 'one',
	company: toIdLocator('={{ $json.id }}'),
	training: toIdLocator('={{ $json.training }}'),
	name: 'Spring',
	targetGroups,
});
const at = (...indices: number[]) =>
	toItems(
		...indices.map((index) => {
			const id = company(index).companyResourceId;
			return { id, training: requireValue(b.standIn.state.getCompanyData(id).trainings[0]).trainingId };
		}),
	);
const sent = () => b.standIn.getRequests(CREATE).map(({ body }) => (body as IDataObject).targetGroupResourceIds);

test('the same group at several customers, each looked up once', async () => {
	for (const index of [1, 2]) requireValue(groupsAt(index)[0]).name = 'All Staff';
	const named = create(['All Staff']);
	await b.run(SecurityAwarenessEnrollment, named, { items: at(1, 2, 1) });
	const ids = [1, 2, 1].map((index) => [requireValue(groupsAt(index)[0]).resourceId]);
	expect(sent()).toEqual(ids);
	expect(b.standIn.getRequests(GROUPS)).toHaveLength(2);
});

test('exactly first, then whatever is alike; an ID and a name of the same thing are one', async () => {
	const one = requireValue(groupsAt(1)[0]);
	const other = requireValue(groupsAt(1)[1]);
	one.name = 'Büro';
	other.name = 'buro';
	await b.run(SecurityAwarenessEnrollment, create('buro'), { items: at(1) });
	await b.run(SecurityAwarenessEnrollment, create(['Büro', one.resourceId]), { items: at(1) });
	other.name = 'Lager';
	await b.run(SecurityAwarenessEnrollment, create(' BURO '), { items: at(1) });
	expect(sent()).toEqual([[other.resourceId], [one.resourceId], [one.resourceId]]);
});

test('a GUID is used as an ID without a request; other text must be in the list as a name or an ID', async () => {
	const ids = [requireValue(groupsAt(1)[0]).resourceId];
	expect(ids[0]).toMatch(/^[\da-f]{8}-/);
	await b.run(SecurityAwarenessEnrollment, create(ids), { items: at(1) });
	expect(b.standIn.getRequests(GROUPS)).toEqual([]);
	const failure = await catchNodeError(b.run(SecurityAwarenessEnrollment, create(['Q3Onboarding']), { items: at(1) }));
	expect(failure.message).toContain("has 'Q3Onboarding', but no target group at");
	expect(sent()).toEqual([ids]);
});

/** Creates names of letters and digits without blanks. Many of them look like an ID. */
const alphabet = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const word = fc.array(fc.constantFrom(...alphabet), { minLength: 3, maxLength: 16 }).map((letters) => letters.join(''));
const differentWords = (count: number, seed: number) =>
	uniqBy(fc.sample(word, { numRuns: count * 2, seed }), (name) => name.toLowerCase()).slice(0, count);

/** Starts a server that lists things with these names. Their IDs have no known format. */
async function startServer(search: string, names: string[]) {
	const records = names.map((name, index) => {
		const id = `id-${index}`;
		return { resourceId: id, companyResourceId: id, companyName: name, name, email: name };
	});
	return await startFakeServer({
		[search]: ({ body: { pageNumber, pageSize } }) => ({
			results: records.slice((Number(pageNumber) - 1) * Number(pageSize), Number(pageNumber) * Number(pageSize)),
			totalNumberOfPages: Math.ceil(records.length / Number(pageSize)),
			totalNumberOfRecords: records.length,
		}),
		[CREATE]: () => ({ resourceId: 'e1' }),
		'POST /api/company-groups': () => ({ resourceId: 'g1' }),
		'PUT /api/target-groups/users': () => ({ resourceId: 'g1' }),
	});
}

test.each([
	[
		'group',
		GROUPS,
		CREATE,
		SecurityAwarenessEnrollment,
		{ operation: 'create', training: toIdLocator('t'), name: 'Spring' },
		'targetGroups',
	],
	[
		'company',
		'POST /api/companies/search',
		'POST /api/company-groups',
		SecurityAwarenessCompanyGroup,
		{ operation: 'create', name: 'Gold' },
		'participantList',
	],
	[
		'person',
		'POST /api/target-users/search',
		'PUT /api/target-groups/users',
		SecurityAwarenessTargetGroup,
		{ operation: 'addMembers', targetGroup: toIdLocator('g1') },
		'people',
	],
] as const)(
	'2,000 names without blanks, as %s: none is sent as an ID',
	async (_thing, search, write, node, form, field) => {
		const names = differentWords(2000, 57);
		const own = { companyScope: 'one', company: toIdLocator('c1') };
		const server = await startServer(search, names);
		const writes = () => server.requests.filter(({ route }) => route === write);
		await b.run(node, { ...own, ...form, [field]: names }, { store: server.store });
		expect(Object.values(requireValue(writes()[0]).body)).toContainEqual(names.map((_name, index) => `id-${index}`));
		const others = differenceBy(differentWords(4000, 58), names, (name) => name.toLowerCase()).slice(0, 200);
		const items = toItems(...others.map((name) => ({ name })));
		const more = { store: server.store, items, onError: 'continueRegularOutput' } as const;
		const { items: output } = await b.run(node, { ...own, ...form, [field]: '={{ $json.name }}' }, more);
		expect(output.filter(isFailedItem)).toHaveLength(200);
		expect(writes()).toHaveLength(1);
	},
);

test('an entry keeps its ID and its name with any characters', () => {
	const id = fc.string({ unit: 'binary', minLength: 1 });
	const anything = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.constantFrom(' ⟨ID x⟩', '=x', '"', 'a ⟨ID b⟩ ⟨ID c⟩', '%25', '⟨'),
	);
	fc.assert(
		fc.property(
			fc.oneof(
				id,
				anything.filter((text) => text !== ''),
			),
			anything,
			(one, name) => {
				fc.pre(one !== name);
				expect(readEntry(writeEntry({ id: one, name }))).toEqual({ id: one, name });
			},
		),
	);
	// An ID or a name alone is no entry.
	fc.assert(fc.property(word, (text) => expect(readEntry(text)).toBeUndefined()));
});

describe('several entries in one text, as a model writes them or join gives them', () => {
	const idAt = (index: number, place: number) => requireValue(groupsAt(index)[place]).resourceId;
	const entry = (index: number, place: number) =>
		writeEntry({ id: idAt(index, place), name: requireValue(groupsAt(index)[place]).name });
	beforeEach(() => {
		for (const index of [1, 2]) {
			const groups = groupsAt(index);
			const ids = [0, 1, 2].map((place) => `0000000${place}${company(index).companyResourceId.slice(8)}`);
			const named = ['Sales', 'Everybody', 'Sales, EMEA (north)'];
			const like = requireValue(groups[0]);
			groups.splice(0, groups.length, ...named.map((name, place) => ({ ...like, name, resourceId: requireValue(ids[place]) })));
		}
	});
	const SPLIT: Array<[string, () => string | string[], number[]]> = [
		['two entries', () => `${entry(1, 0)}, ${entry(1, 1)}`, [0, 1]],
		['two entries in one text of a list', () => [`${entry(1, 0)}, ${entry(1, 1)}`], [0, 1]],
		['two lines', () => `${entry(1, 0)}\n${entry(1, 1)}\n`, [0, 1]],
		['a name before an entry', () => `Sales, ${entry(1, 1)}`, [0, 1]],
		['a name after an entry', () => `${entry(1, 1)},Sales`, [1, 0]],
		['an ID before an entry', () => `${idAt(1, 0)}, ${entry(1, 1)}`, [0, 1]],
		['one entry with a comma in its name', () => entry(1, 2), [2]],
		['entries with a comma in a name', () => `Everybody, ${entry(1, 2)}, ${entry(1, 0)}`, [1, 2, 0]],
	];
	const asExpression = (text: unknown) => `={{ ${JSON.stringify(text)} }}`;
	const company1 = () => toIdLocator(company(1).companyResourceId);

	test.each(SPLIT)('%s', async (_what, textOf, places) => {
		const form = { ...create(asExpression(textOf())), company: company1() };
		await b.run(SecurityAwarenessEnrollment, form, { items: at(1) });
		expect(sent()).toEqual([places.map((place) => idAt(1, place))]);
	});

	test('at another customer each is found by its name', async () => {
		const texts = [`Sales, ${entry(1, 1)}`, `${entry(1, 0)}, ${entry(1, 1)}`, entry(1, 2)];
		for (const text of texts) await b.run(SecurityAwarenessEnrollment, create(asExpression(text)), { items: at(2) });
		expect(sent()).toEqual([[0, 1], [0, 1], [2]].map((places) => places.map((place) => idAt(2, place))));
	});

	test.each([
		[
			'the platform has another name for the ID',
			() => `Sales, All Staff ⟨ID ${idAt(1, 1)}⟩`,
			'which may be one name or several',
		],
		['nothing separates two entries', () => `${entry(1, 0)} ${entry(1, 1)}`, 'in which entries are not separated'],
		['nothing separates two entries', () => [`${entry(1, 0)}; ${entry(1, 1)}`], 'in which entries are not separated'],
	])('it is an error where %s', async (_when, textOf, message) => {
		const form = { ...create(asExpression(textOf())), company: company1() };
		const failure = await catchNodeError(b.run(SecurityAwarenessEnrollment, form, { items: at(1) }));
		expect(failure.message).toContain(message);
		expect(sent()).toEqual([]);
	});

	test('it is an error where the list cannot be read', async () => {
		b.standIn.addFault({ route: GROUPS, kind: 'forbidden-company', times: Infinity });
		const form = { ...create(`Sales, ${entry(1, 1)}`), company: company1() };
		const failure = await catchNodeError(b.run(SecurityAwarenessEnrollment, form, { items: at(1) }));
		expect(failure.message).toContain('which may be one name or several');
	});
});

test('with an incomplete list, a write refuses names and accepts IDs', async () => {
	const name = 'All Staff';
	const server = await startFakeServer({
		[GROUPS]: () => ({ results: [{ resourceId: 'g-1', name }], totalNumberOfPages: 1, totalNumberOfRecords: 2 }),
		[CREATE]: () => ({ resourceId: 'e1' }),
	});
	const form = { operation: 'create', companyScope: 'one', company: toIdLocator('c1'), training: toIdLocator('t'), name: 'Spring' };
	const more = { store: server.store };
	const failure = await catchNodeError(b.run(SecurityAwarenessEnrollment, { ...form, targetGroups: [name] }, more));
	expect(failure.message).toBe(
		"'Target Group Names or IDs' has 'All Staff', but the platform did not list every target group at 'c1', so another one may have that name",
	);
	expect(failure.description).toContain('Nothing was changed. Enter the ID instead.');
	expect(server.requests.filter(({ route }) => route === CREATE)).toEqual([]);
	await b.run(SecurityAwarenessEnrollment, { ...form, targetGroups: ['g-1'] }, more);
	expect(server.requests.filter(({ route }) => route === CREATE)).toHaveLength(1);
});

test('an ID that an incomplete list lacks: the error does not ask for the ID alone', async () => {
	const server = await startFakeServer({
		[GROUPS]: () => ({ results: [{ resourceId: 'g-1', name: 'A' }], totalNumberOfPages: 1, totalNumberOfRecords: 2 }),
	});
	const form = { ...create(['g-2']), company: toIdLocator('c1'), training: toIdLocator('t') };
	const { description } = await catchNodeError(b.run(SecurityAwarenessEnrollment, form, { store: server.store }));
	expect(description).toContain('If you entered the ID, run the node again, or use a credential whose role may see');
});

test.each([403, 404])('a list that is refused is asked for once: %s', async (status) => {
	b.standIn.addFault({ route: GROUPS, kind: 'status', status, times: Infinity });
	const ids = ['g-1', 'g-2', 'g-3'];
	await b.run(SecurityAwarenessEnrollment, create(ids), { items: at(1, 1, 1), onError: 'continueRegularOutput' });
	expect(b.standIn.getRequests(GROUPS)).toHaveLength(1);
});

test('a masked address is no name: typed, and as an entry of another customer', async () => {
	const person = (id: string) => ({ resourceId: id, email: 'a****m' });
	const server = await startFakeServer({
		'POST /api/target-users/search': ({ company: id }) => ({
			results: [person(`p-${String(id)}`)],
			totalNumberOfPages: 1,
			totalNumberOfRecords: 1,
		}),
		'PUT /api/target-groups/users': () => ({ resourceId: 'g1' }),
	});
	const form = {
		operation: 'addMembers',
		companyScope: 'one',
		company: toIdLocator('={{ $json.id }}'),
		targetGroup: toIdLocator('g1'),
	};
	for (const people of [['a****m'], ['a****m ⟨ID p-c1⟩']]) {
		const run = b.run(SecurityAwarenessTargetGroup, { ...form, people }, { ...server, items: toItems({ id: 'c2' }) });
		const { message } = await catchNodeError(run);
		expect(message).toBe(
			"'Target User Names or IDs' has 'a****m', which the platform has masked, so it can't be found by name",
		);
	}
	// At its own customer an entry is its ID.
	const own = { ...form, people: ['a****m ⟨ID p-c1⟩'] };
	await b.run(SecurityAwarenessTargetGroup, own, { ...server, items: toItems({ id: 'c1' }) });
	const writes = server.requests.filter(({ route }) => route.startsWith('PUT'));
	expect(writes.map(({ body }) => body.targetUserResourceIds)).toEqual([['p-c1']]);
});

test.each([
	['nothing has it', ['Nobody'], "has 'Nobody', but no target group at '%' has that name", 'There are: '],
	['several have it', ['Twin'], "has 'Twin', but more than one target group at '%' has that name", 'enter its ID: '],
])('a name is refused where %s: which, and where; nothing is changed', async (_when, targetGroups, message, advice) => {
	for (const index of [0, 1]) requireValue(groupsAt(3)[index]).name = 'Twin';
	const failure = await catchNodeError(b.run(SecurityAwarenessEnrollment, create(targetGroups), { items: at(3) }));
	const where = company(3).companyResourceId;
	expect(failure.message).toBe(`'Target Group Names or IDs' ${message.replace('%', where)}`);
	expect(failure.description).toContain(advice);
	expect(b.standIn.getRequests(CREATE)).toEqual([]);
});

test('roles and companies, also inside of a block', async () => {
	const of = { companyScope: 'one', company: toIdLocator(company(1).companyResourceId) };
	const person = { firstName: 'A', lastName: 'B', email: 'a@b.example', phoneNumber: '+1' };
	const additionalFields = {
		roleResourceIdList: ['company admin'],
		statusId: toIdLocator('1'),
		companyResourceId: { __rl: true, mode: 'name', value: company(1).companyName },
	};
	await b.run(SecurityAwarenessSystemUser, { operation: 'create', ...of, ...person, additionalFields });
	const [asked] = b.standIn.getRequests('POST /api/system-users');
	expect(asked?.body).toMatchObject({ statusId: 1, companyResourceId: company(1).companyResourceId });
	expect(JSON.stringify(asked?.body)).not.toContain('company admin');
	await b.run(SecurityAwarenessCompanyGroup, {
		operation: 'create',
		name: 'Gold',
		participantList: [requireValue(company(1).companyName), company(2).companyResourceId],
	});
	expect(b.standIn.getRequests('POST /api/company-groups')[0]?.body).toEqual({
		name: 'Gold',
		companyResourceIdArray: [company(1).companyResourceId, company(2).companyResourceId],
	});
});

test.each([
	['API Client', SecurityAwarenessApiClient, { apiClient: toIdLocator('Old client') }],
	['Target Group', SecurityAwarenessTargetGroup, { targetGroup: toIdLocator('ada@example.com') }],
	['Company', SecurityAwarenessTargetGroup, { company: toIdLocator('Golden Crust'), targetGroup: toIdLocator('x') }],
])('%s By ID: what looks like a name is refused before anything is sent', async (label, node, given) => {
	const form = { operation: 'get', companyScope: 'one', company: toIdLocator(company(1).companyResourceId), ...given };
	const { message, description } = await catchNodeError(b.run(node, form));
	expect(message).toMatch(new RegExp(`^'${label}' must be an ID, but '.*' looks like a name$`));
	expect(description).toMatch(label === 'Company' ? /'By Name'/ : /drag its ID.*a name is not accepted here/);
	expect(b.requests).toEqual([]);
});

test('a company whose name was entered By ID: its refusal says so', async () => {
	const form = { operation: 'getMany', companyScope: 'one', company: toIdLocator('Acme') };
	const { description } = await catchNodeError(b.run(SecurityAwarenessTargetGroup, form));
	expect(description).toContain("if 'Acme' is its name, choose 'By Name' in 'Company'");
});

test('a long list has a thousand entries and says that there are more; Search narrows it', async () => {
	const { store, requests } = await startFakeServer({
		'POST /api/companies/search': ({ body: { pageNumber } }) => ({
			results: Array.from({ length: 100 }, (_, at) => ({
				companyResourceId: `c${String(pageNumber)}-${at}`,
				companyName: `Company ${String(pageNumber)}.${at}`,
			})),
			totalNumberOfPages: 30,
			totalNumberOfRecords: 3000,
		}),
	});
	const options = { node: new SecurityAwarenessCompanyGroup(), credential: store, method: 'loadCompanies' };
	const shown = await callLoadOptions({ ...options, parameters: { operation: 'create', companySearch: ' Crust ' } });
	expect(shown).toHaveLength(1001);
	expect(shown.at(-1)?.name).toContain('There are more');
	expect(requests[1]?.body).toMatchObject({ filter: { SearchInputTextValue: 'Crust' } });
	expect(requests.length).toBeLessThan(20);
});
