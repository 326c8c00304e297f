/** Tests of names in pickers: how they are looked up at each customer, and the errors if no record or more than one record has the name. */
import fc from 'fast-check';
import { differenceBy, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { parseEntry, formatEntry } from '../../nodes/core/pickers/entryText';
import { toIdLocator } from '../cases';
import {
	startFakeServer,
	closeFakeServers,
	catchNodeError,
	isFailedItem,
	toItems,
	createNodeFixture,
	requireValue,
} from '../n8n-core/nodeFixture';

afterEach(closeFakeServers);

const GROUPS_ROUTE = 'POST /api/target-groups/search/current-company';
const CREATE_ROUTE = 'POST /api/enrollments';
const fixture = createNodeFixture({ companyCount: 12 });
const getCompany = (index: number) => requireValue(fixture.standIn.world.companies[index]);
const getGroups = (index: number) =>
	fixture.standIn.world.getCompanyData(getCompany(index).companyResourceId).targetGroups;
const createEnrollmentForm = (targetGroups: string | string[]): IDataObject => ({
	operation: 'create',
	companyScope: 'one',
	company: toIdLocator('={{ $json.id }}'),
	training: toIdLocator('={{ $json.training }}'),
	name: 'Spring',
	targetGroups,
});
const createCompanyItems = (...indices: number[]) =>
	toItems(
		...indices.map((index) => {
			const id = getCompany(index).companyResourceId;
			return { id, training: requireValue(fixture.standIn.world.getCompanyData(id).trainings[0]).trainingId };
		}),
	);
const getSentGroups = () =>
	fixture.standIn.getRequests(CREATE_ROUTE).map(({ body }) => (body as IDataObject).targetGroupResourceIds);

test('a group name is looked up once at each customer', async () => {
	for (const index of [1, 2]) requireValue(getGroups(index)[0]).name = 'All Staff';
	const form = createEnrollmentForm(['All Staff']);
	await fixture.run(SecurityAwarenessEnrollment, form, { items: createCompanyItems(1, 2, 1) });
	const ids = [1, 2, 1].map((index) => [requireValue(getGroups(index)[0]).resourceId]);
	expect(getSentGroups()).toEqual(ids);
	expect(fixture.standIn.getRequests(GROUPS_ROUTE)).toHaveLength(2);
});

test('an exact match is preferred to a similar one; an ID and a name of the same group count once', async () => {
	const firstGroup = requireValue(getGroups(1)[0]);
	const secondGroup = requireValue(getGroups(1)[1]);
	firstGroup.name = 'Büro';
	secondGroup.name = 'buro';
	await fixture.run(SecurityAwarenessEnrollment, createEnrollmentForm('buro'), { items: createCompanyItems(1) });
	await fixture.run(SecurityAwarenessEnrollment, createEnrollmentForm(['Büro', firstGroup.resourceId]), {
		items: createCompanyItems(1),
	});
	secondGroup.name = 'Lager';
	await fixture.run(SecurityAwarenessEnrollment, createEnrollmentForm(' BURO '), { items: createCompanyItems(1) });
	expect(getSentGroups()).toEqual([[secondGroup.resourceId], [firstGroup.resourceId], [firstGroup.resourceId]]);
});

test('a GUID is used as an ID without a request; any other text must be a name or an ID in the list', async () => {
	const ids = [requireValue(getGroups(1)[0]).resourceId];
	expect(ids[0]).toMatch(/^[\da-f]{8}-/);
	await fixture.run(SecurityAwarenessEnrollment, createEnrollmentForm(ids), { items: createCompanyItems(1) });
	expect(fixture.standIn.getRequests(GROUPS_ROUTE)).toEqual([]);
	const failure = await catchNodeError(
		fixture.run(SecurityAwarenessEnrollment, createEnrollmentForm(['Q3Onboarding']), { items: createCompanyItems(1) }),
	);
	expect(failure.message).toContain("has 'Q3Onboarding', but no target group at");
	expect(getSentGroups()).toEqual([ids]);
});

// The random names consist only of letters and digits, so many of them look like an ID.
const alphabet = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const wordArbitrary = fc
	.array(fc.constantFrom(...alphabet), { minLength: 3, maxLength: 16 })
	.map((letters) => letters.join(''));
const createDifferentWords = (count: number, seed: number) =>
	uniqBy(fc.sample(wordArbitrary, { numRuns: count * 2, seed }), (name) => name.toLowerCase()).slice(0, count);

/** Starts a server that lists records with these names. Their IDs don't look like the platform's IDs, which are GUIDs. */
async function startListServer(searchRoute: string, names: string[]) {
	const records = names.map((name, index) => {
		const id = `id-${index}`;
		return { resourceId: id, companyResourceId: id, companyName: name, name, email: name };
	});
	return await startFakeServer({
		[searchRoute]: ({ body: { pageNumber, pageSize } }) => ({
			results: records.slice((Number(pageNumber) - 1) * Number(pageSize), Number(pageNumber) * Number(pageSize)),
			totalNumberOfPages: Math.ceil(records.length / Number(pageSize)),
			totalNumberOfRecords: records.length,
		}),
		[CREATE_ROUTE]: () => ({ resourceId: 'e1' }),
		'POST /api/company-groups': () => ({ resourceId: 'g1' }),
		'PUT /api/target-groups/users': () => ({ resourceId: 'g1' }),
	});
}

test.each([
	[
		'group',
		GROUPS_ROUTE,
		CREATE_ROUTE,
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
		'companies',
	],
	[
		'person',
		'POST /api/target-users/search',
		'PUT /api/target-groups/users',
		SecurityAwarenessTargetGroup,
		{ resource: 'member', operation: 'add', targetGroup: toIdLocator('g1') },
		'people',
	],
] as const)(
	'500 names without spaces, as %s: none is sent as an ID',
	async (_noun, searchRoute, writeRoute, node, form, fieldName) => {
		const names = createDifferentWords(500, 57);
		const scope = { companyScope: 'one', company: toIdLocator('c1') };
		const server = await startListServer(searchRoute, names);
		const getWrites = () => server.requests.filter(({ route }) => route === writeRoute);
		await fixture.run(node, { ...scope, ...form, [fieldName]: names }, { credentialStore: server.credentialStore });
		expect(Object.values(requireValue(getWrites()[0]).body)).toContainEqual(names.map((_name, index) => `id-${index}`));
		const otherNames = createDifferentWords(200, 58);
		const unlistedNames = differenceBy(otherNames, names, (name) => name.toLowerCase()).slice(0, 100);
		const items = toItems(...unlistedNames.map((name) => ({ name })));
		const runOptions = { credentialStore: server.credentialStore, items, onError: 'continueRegularOutput' } as const;
		const { items: output } = await fixture.run(
			node,
			{ ...scope, ...form, [fieldName]: '={{ $json.name }}' },
			runOptions,
		);
		expect(output.filter(isFailedItem)).toHaveLength(100);
		expect(getWrites()).toHaveLength(1);
	},
);

test('an entry keeps ID and name, whatever characters they have', () => {
	const anyId = fc.string({ unit: 'binary', minLength: 1 });
	const anyText = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.constantFrom(' ⟨ID x⟩', '=x', '"', 'a ⟨ID b⟩ ⟨ID c⟩', '%25', '⟨'),
	);
	fc.assert(
		fc.property(
			fc.oneof(
				anyId,
				anyText.filter((text) => text !== ''),
			),
			anyText,
			(id, name) => {
				fc.pre(id !== name);
				expect(parseEntry(formatEntry({ id, name }))).toEqual({ id, name });
			},
		),
	);
	// A plain ID or a plain name is not an entry.
	fc.assert(fc.property(wordArbitrary, (text) => expect(parseEntry(text)).toBeUndefined()));
});

describe('several entries in one text, as an AI model or join() writes them', () => {
	const getGroupId = (index: number, groupIndex: number) => requireValue(getGroups(index)[groupIndex]).resourceId;
	const writeGroupEntry = (index: number, groupIndex: number) =>
		formatEntry({ id: getGroupId(index, groupIndex), name: requireValue(getGroups(index)[groupIndex]).name });
	beforeEach(() => {
		for (const index of [1, 2]) {
			const groups = getGroups(index);
			const ids = [0, 1, 2].map((groupIndex) => `0000000${groupIndex}${getCompany(index).companyResourceId.slice(8)}`);
			const names = ['Sales', 'Everybody', 'Sales, EMEA (north)'];
			const groupTemplate = requireValue(groups[0]);
			groups.splice(
				0,
				groups.length,
				...names.map((name, groupIndex) => ({ ...groupTemplate, name, resourceId: requireValue(ids[groupIndex]) })),
			);
		}
	});
	/** The texts to split. Each has a description of its content, and the indexes of the target groups that it must be split into. */
	const SPLITTABLE_TEXTS: Array<[string, () => string | string[], number[]]> = [
		['two entries', () => `${writeGroupEntry(1, 0)}, ${writeGroupEntry(1, 1)}`, [0, 1]],
		['two entries in one text of a list', () => [`${writeGroupEntry(1, 0)}, ${writeGroupEntry(1, 1)}`], [0, 1]],
		['two lines', () => `${writeGroupEntry(1, 0)}\n${writeGroupEntry(1, 1)}\n`, [0, 1]],
		['a name before an entry', () => `Sales, ${writeGroupEntry(1, 1)}`, [0, 1]],
		['a name after an entry', () => `${writeGroupEntry(1, 1)},Sales`, [1, 0]],
		['an ID before an entry', () => `${getGroupId(1, 0)}, ${writeGroupEntry(1, 1)}`, [0, 1]],
		['one entry with a comma in its name', () => writeGroupEntry(1, 2), [2]],
		[
			'entries with a comma in a name',
			() => `Everybody, ${writeGroupEntry(1, 2)}, ${writeGroupEntry(1, 0)}`,
			[1, 2, 0],
		],
	];
	const toExpression = (text: unknown) => `={{ ${JSON.stringify(text)} }}`;
	const createCompanyLocator = () => toIdLocator(getCompany(1).companyResourceId);

	test.each(SPLITTABLE_TEXTS)('splits %s', async (_contents, createText, groupIndexes) => {
		const form = { ...createEnrollmentForm(toExpression(createText())), company: createCompanyLocator() };
		await fixture.run(SecurityAwarenessEnrollment, form, { items: createCompanyItems(1) });
		expect(getSentGroups()).toEqual([groupIndexes.map((groupIndex) => getGroupId(1, groupIndex))]);
	});

	test('at another customer, each entry is found by its name', async () => {
		const texts = [
			`Sales, ${writeGroupEntry(1, 1)}`,
			`${writeGroupEntry(1, 0)}, ${writeGroupEntry(1, 1)}`,
			writeGroupEntry(1, 2),
		];
		for (const text of texts)
			await fixture.run(SecurityAwarenessEnrollment, createEnrollmentForm(toExpression(text)), {
				items: createCompanyItems(2),
			});
		expect(getSentGroups()).toEqual(
			[[0, 1], [0, 1], [2]].map((groupIndexes) => groupIndexes.map((groupIndex) => getGroupId(2, groupIndex))),
		);
	});

	test.each([
		[
			'the platform has another name for the ID',
			() => `Sales, All Staff ⟨ID ${getGroupId(1, 1)}⟩`,
			'which may be one name or several',
		],
		[
			'nothing separates two entries',
			() => `${writeGroupEntry(1, 0)} ${writeGroupEntry(1, 1)}`,
			'in which entries are not separated',
		],
		[
			'nothing separates two entries',
			() => [`${writeGroupEntry(1, 0)}; ${writeGroupEntry(1, 1)}`],
			'in which entries are not separated',
		],
	])('rejects the text if %s', async (_reason, createText, message) => {
		const form = { ...createEnrollmentForm(toExpression(createText())), company: createCompanyLocator() };
		const failure = await catchNodeError(
			fixture.run(SecurityAwarenessEnrollment, form, { items: createCompanyItems(1) }),
		);
		expect(failure.message).toContain(message);
		expect(getSentGroups()).toEqual([]);
	});

	test('rejects the text if the list cannot be read', async () => {
		fixture.standIn.addFault({ route: GROUPS_ROUTE, kind: 'forbidden-company', times: Infinity });
		const form = { ...createEnrollmentForm(`Sales, ${writeGroupEntry(1, 1)}`), company: createCompanyLocator() };
		const failure = await catchNodeError(
			fixture.run(SecurityAwarenessEnrollment, form, { items: createCompanyItems(1) }),
		);
		expect(failure.message).toContain('which may be one name or several');
	});
});

test('if the list is incomplete, a write rejects names and accepts IDs', async () => {
	const name = 'All Staff';
	const server = await startFakeServer({
		[GROUPS_ROUTE]: () => ({ results: [{ resourceId: 'g-1', name }], totalNumberOfPages: 1, totalNumberOfRecords: 2 }),
		[CREATE_ROUTE]: () => ({ resourceId: 'e1' }),
	});
	const form = {
		operation: 'create',
		companyScope: 'one',
		company: toIdLocator('c1'),
		training: toIdLocator('t'),
		name: 'Spring',
	};
	const runOptions = { credentialStore: server.credentialStore };
	const failure = await catchNodeError(
		fixture.run(SecurityAwarenessEnrollment, { ...form, targetGroups: [name] }, runOptions),
	);
	expect(failure.message).toBe(
		"'Target Group Names or IDs' has 'All Staff', but the platform did not list all target groups at 'c1', so another one may have that name",
	);
	expect(failure.description).toContain('Nothing was changed. Enter the ID instead.');
	expect(server.requests.filter(({ route }) => route === CREATE_ROUTE)).toEqual([]);
	await fixture.run(SecurityAwarenessEnrollment, { ...form, targetGroups: ['g-1'] }, runOptions);
	expect(server.requests.filter(({ route }) => route === CREATE_ROUTE)).toHaveLength(1);
});

test('if an incomplete list lacks an ID, the error suggests more than entering the ID', async () => {
	const server = await startFakeServer({
		[GROUPS_ROUTE]: () => ({
			results: [{ resourceId: 'g-1', name: 'A' }],
			totalNumberOfPages: 1,
			totalNumberOfRecords: 2,
		}),
	});
	const form = { ...createEnrollmentForm(['g-2']), company: toIdLocator('c1'), training: toIdLocator('t') };
	const { description } = await catchNodeError(
		fixture.run(SecurityAwarenessEnrollment, form, { credentialStore: server.credentialStore }),
	);
	expect(description).toContain('If you entered the ID, run the node again, or use a credential whose role may see');
});

test.each([403, 404])('a list that fails with %s is requested once', async (status) => {
	fixture.standIn.addFault({ route: GROUPS_ROUTE, kind: 'status', status, times: Infinity });
	const ids = ['g-1', 'g-2', 'g-3'];
	await fixture.run(SecurityAwarenessEnrollment, createEnrollmentForm(ids), {
		items: createCompanyItems(1, 1, 1),
		onError: 'continueRegularOutput',
	});
	expect(fixture.standIn.getRequests(GROUPS_ROUTE)).toHaveLength(1);
});

test.each([
	['no group has it', ['Nobody'], "has 'Nobody', but no target group at '%' has that name", 'The list contains: '],
	['several groups have it', ['Twin'], "has 'Twin', but 2 target groups at '%' have that name", 'enter its ID: '],
])(
	'a name is rejected if %s, with the name and the customer in the error; nothing is changed',
	async (_reason, targetGroups, message, advice) => {
		for (const index of [0, 1]) requireValue(getGroups(3)[index]).name = 'Twin';
		const failure = await catchNodeError(
			fixture.run(SecurityAwarenessEnrollment, createEnrollmentForm(targetGroups), { items: createCompanyItems(3) }),
		);
		const companyId = getCompany(3).companyResourceId;
		expect(failure.message).toBe(`'Target Group Names or IDs' ${message.replace('%', companyId)}`);
		expect(failure.description).toContain(advice);
		expect(fixture.standIn.getRequests(CREATE_ROUTE)).toEqual([]);
	},
);
