/** Conditions on lists of live deployments that understand, ignore or refuse them, and on those with the older operators. */
import type { IDataObject } from 'n8n-workflow';
import { createConditionMatcher } from '../../nodes/core/filters/conditionMatcher';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { parseText, requireValue } from '../n8n-core/nodeFixture';
import { failureOf } from '../nodes/deployed';
import type { ProfileName } from '../stand-in';

interface On {
	operator: string;
	field: string;
	value: string;
	holds: (row: IDataObject) => boolean;
	/** What the hint calls the field, where rows can be compared again. */
	name?: string;
	/** Whether the field is entered by its name. */
	isOther?: boolean;
}

const NUMBER_TESTS: Array<[operator: string, (own: number, wanted: number) => boolean]> = [
	['gt', (own, wanted) => own > wanted],
	['gte', (own, wanted) => own >= wanted],
	['lt', (own, wanted) => own < wanted],
	['lte', (own, wanted) => own <= wanted],
];

/** The comparisons of dates and numbers. */
const compared = (field: string, key: string, value: unknown, name?: string): On[] =>
	NUMBER_TESTS.map(([operator, test]) => {
		const measure = (each: unknown) => (typeof each === 'number' ? each : Date.parse(parseText(each)));
		const holds = (row: IDataObject) => test(measure(row[key]), measure(value));
		return { operator, field, value: String(value), holds, ...(name ? { name } : { isOther: true }) };
	});

const LEVELS = ['Beginner', 'Intermediate', 'Expert'];
const word = (value: unknown) => parseText(value).toLowerCase();

/** For each list a condition by each of the eight operators. @param some a row of it, whose values are asked for */
const LISTS: Array<[list: string, node: string, operation: string, conditions: (some: IDataObject) => On[]]> = [
	[
		'companies',
		'Company',
		'getMany',
		(some) => [
			{
				operator: 'contains',
				field: 'CompanyName',
				value: 'BAKERY',
				name: 'Company Name',
				holds: ({ companyName }) => word(companyName).includes('bakery'),
			},
			{
				operator: 'eq',
				field: 'CompanyName',
				value: parseText(some.companyName),
				name: 'Company Name',
				holds: ({ companyName }) => companyName === some.companyName,
			},
			{
				operator: 'neq',
				field: 'LicenceExpired',
				value: 'false',
				name: 'License Expired',
				holds: ({ licenceExpired }) => licenceExpired === true,
			},
			{
				operator: 'in',
				field: 'LicenseTypeResourceId',
				name: 'License Type ID',
				value: `none, ${parseText(some.licenseTypeResourceId)}`,
				holds: ({ licenseTypeResourceId }) => licenseTypeResourceId === some.licenseTypeResourceId,
			},
			...compared('TargetUserCount', 'targetUserCount', some.targetUserCount, 'Target Users'),
		],
	],
	[
		'companies of a group',
		'CompanyGroup',
		'getMembers',
		(some) => [
			{
				operator: 'contains',
				field: 'CompanyName',
				value: parseText(some.companyName).slice(0, 6),
				name: 'Company Name',
				holds: ({ companyName }) => parseText(companyName).includes(parseText(some.companyName).slice(0, 6)),
			},
			{
				operator: 'eq',
				field: 'IndustryResourceId',
				value: parseText(some.industryResourceId),
				name: 'Industry ID',
				holds: ({ industryResourceId }) => industryResourceId === some.industryResourceId,
			},
			{
				operator: 'neq',
				field: 'CompanyName',
				value: parseText(some.companyName),
				name: 'Company Name',
				holds: ({ companyName }) => companyName !== some.companyName,
			},
			{
				operator: 'in',
				field: 'CompanyName',
				value: `x,${parseText(some.companyName)}`,
				name: 'Company Name',
				holds: ({ companyName }) => companyName === some.companyName,
			},
			...compared('CreateTime', 'createTime', some.createTime, 'Create Time'),
		],
	],
	[
		'trainings',
		'Training',
		'getMany',
		(some) => [
			{
				operator: 'contains',
				field: 'Name',
				value: parseText(some.trainingName).slice(0, 7),
				name: 'Name',
				holds: ({ trainingName }) => parseText(trainingName).includes(parseText(some.trainingName).slice(0, 7)),
			},
			{
				operator: 'eq',
				field: 'category',
				value: parseText(some.category),
				name: 'Category',
				holds: ({ category }) => category === some.category,
			},
			{
				operator: 'neq',
				field: 'category',
				value: parseText(some.category),
				name: 'Category',
				holds: ({ category }) => category !== some.category,
			},
			{
				operator: 'in',
				field: 'category',
				value: `xx,${parseText(some.category)}`,
				name: 'Category',
				holds: ({ category }) => category === some.category,
			},
			// A row has the level's name, which the node cannot compare with its number.
			...NUMBER_TESTS.map(([operator, test]) => ({
				operator,
				field: 'level',
				value: '2',
				holds: ({ level }: IDataObject) => test(LEVELS.indexOf(parseText(level)) + 1, 2),
			})),
		],
	],
	[
		'people',
		'TargetUser',
		'getMany',
		(some) => [
			{
				operator: 'contains',
				field: 'Email',
				value: parseText(some.email).slice(0, 3),
				name: 'Email',
				holds: ({ email }) => parseText(email).includes(parseText(some.email).slice(0, 3)),
			},
			{
				operator: 'eq',
				field: 'FirstName',
				value: parseText(some.firstName).toUpperCase(),
				name: 'First Name',
				holds: ({ firstName }) => firstName === some.firstName,
			},
			{
				operator: 'neq',
				field: 'LastName',
				value: parseText(some.lastName),
				name: 'Last Name',
				holds: ({ lastName }) => lastName !== some.lastName,
			},
			{
				operator: 'in',
				field: 'Email',
				value: `x@y.z,${parseText(some.email)}`,
				name: 'Email',
				holds: ({ email }) => email === some.email,
			},
			...compared('createTime', 'createTime', some.createTime),
		],
	],
];

type List = (typeof LISTS)[number];

function conditionRuns(personality: ProfileName) {
	const g = createOperationFixture(personality);
	afterEach(() => g.standIn.setOptions({ conditionSupport: 'understood' }));

	/** The rows of a list, and the hints; child companies come in another order where their parents do not match. */
	const read = async ([, node, operation]: List, conditions: On[], more: IDataObject = {}) => {
		const companyGroup = { __rl: true, mode: 'id', value: g.customer.state.companyGroups[1]?.resourceId };
		const scope = ['Training', 'TargetUser'].includes(node) ? g.customer.companyParameters : {};
		const rows = conditions.map(({ operator, field, value, isOther }) =>
			isOther ? { field: 'other', fieldName: field, operator, value } : { field, operator, value },
		);
		const filters = { ...(rows.length > 0 ? { fieldFilters: { rows } } : {}), ...more };
		const parameters = { ...scope, companyGroup, output: 'raw', returnAll: true, filters };
		const { items, hints } = await runCase(g, { node, operation }, { parameters });
		return { rows: items.map(({ json }) => json), hints: JSON.stringify(hints) };
	};
	/** All rows of a list, and its conditions. */
	const listed = async (list: List) => {
		const { rows } = await read(list, []);
		const conditions = list[3](rows[Math.floor(rows.length / 2)] ?? {});
		expect([rows.length > 2, new Set(conditions.map(({ operator }) => operator)).size]).toEqual([true, 8]);
		g.standIn.clearLog();
		return { all: rows, conditions };
	};
	const refused = () => g.requests.filter(({ status }) => status === 400);
	return { g, read, listed, refused };
}

/** The ID of each row, in order. */
const idsOf = (rows: IDataObject[]) =>
	rows
		.map(({ companyResourceId, trainingId, resourceId }) => parseText(companyResourceId ?? trainingId ?? resourceId))
		.sort();

describe('a live deployment', () => {
	const { g, read, listed, refused } = conditionRuns('deployed');

	test.each(LISTS)('%s: by each of eight operators the right rows', async (...list) => {
		const { all, conditions } = await listed(list);
		for (const one of conditions) {
			const { rows, hints } = await read(list, [one]);
			expect([one.operator, idsOf(rows)]).toEqual([one.operator, idsOf(all.filter(one.holds))]);
			expect(hints).not.toMatch(/The platform ignored/);
		}
		expect(refused()).toEqual([]);
	});

	test.each(LISTS)('%s: ignored, the right rows nevertheless, and a hint', async (...list) => {
		const { all, conditions } = await listed(list);
		g.standIn.setOptions({ conditionSupport: 'ignored' });
		for (const one of conditions) {
			const { rows, hints } = await read(list, [one]);
			const wanted = one.name === undefined ? all : all.filter(one.holds);
			expect([one.operator, idsOf(rows)]).toEqual([one.operator, idsOf(wanted)]);
			const isSaid = hints.includes(`The platform ignored '${one.name}' in 'Conditions'`);
			expect([one.operator, isSaid]).toEqual([one.operator, wanted.length < all.length]);
		}
	});

	test.each(LISTS)('%s: refused, a clear error after the older operators', async (...list) => {
		const { conditions } = await listed(list);
		g.standIn.setOptions({ conditionSupport: 'refused' });
		for (const one of conditions) {
			g.standIn.clearLog();
			const said = await failureOf(read(list, [one]));
			expect(said).toContain('did not accept the input (400)');
			expect(said).toContain("It may be what you chose in 'Filters'");
			expect(refused()).toHaveLength(2);
		}
	});

	const companies = requireValue(LISTS[0]);
	const small: On = {
		operator: 'lt',
		field: 'TargetUserCount',
		value: '10',
		name: 'Target Users',
		holds: (row) => Number(row.targetUserCount) < 10,
	};
	const named: On = {
		operator: 'contains',
		field: 'CompanyName',
		value: 'b',
		name: 'Company Name',
		holds: (row) => word(row.companyName).includes('b'),
	};
	const other: On = { operator: 'eq', field: 'Nonsense', value: 'x', holds: () => true, isOther: true };
	const GROUPS = { condition: 'OR', filterGroups: '[{ "Condition": "AND", "FilterItems": [] }]' };

	test.each<[what: string, conditions: On[], filters: IDataObject, isKept: (row: IDataObject) => boolean]>([
		['all of them', [small, named], {}, (row) => small.holds(row) && named.holds(row)],
		['any of them', [small, named], { condition: 'OR' }, (row) => small.holds(row) || named.holds(row)],
		['those that can be compared', [small, other], {}, (row) => small.holds(row)],
		['any of them, of which one cannot be compared', [small, other], { condition: 'OR' }, () => true],
		["any of them or a person's groups", [small], GROUPS, () => true],
	])('ignored, a row must match %s', async (_what, conditions, filters, isKept) => {
		const { all } = await listed(companies);
		g.standIn.setOptions({ conditionSupport: 'ignored' });
		expect(idsOf((await read(companies, conditions, filters)).rows)).toEqual(idsOf(all.filter(isKept)));
	});

	test("'Limit' counts the rows that are kept", async () => {
		const { all } = await listed(companies);
		g.standIn.setOptions({ conditionSupport: 'ignored' });
		const filters = { fieldFilters: { rows: [{ field: small.field, operator: 'lt', value: '10' }] } };
		const parameters = { output: 'raw', limit: 3, filters, options: { pageSize: 4 } };
		const { items } = await runCase(g, { node: 'Company', operation: 'getMany' }, { parameters });
		expect(items.map(({ json }) => json)).toEqual(all.filter(small.holds).slice(0, 3));
	});
});

describe('names that are alike', () => {
	const { g, read } = conditionRuns('deployed');
	const companies = requireValue(LISTS[0]);
	afterEach(() => g.standIn.reset());

	test.each(['understood', 'ignored'] as const)(
		"'Not Equals' leaves out only what is written exactly so, where the condition is %s",
		async (conditions) => {
			const alone = g.customer.state.companies.filter(({ children = [] }) => children.length === 0);
			for (const [at, name] of ['Cafe Noir', 'Café Noir', 'CafeNoir'].entries()) requireValue(alone[at]).companyName = name;
			g.standIn.setOptions({ conditionSupport: conditions });
			const { rows, hints } = await read(companies, [
				{ operator: 'neq', field: 'CompanyName', value: 'Cafe Noir', holds: () => true },
			]);
			const names = rows.map(({ companyName }) => companyName);
			expect(names).toEqual(expect.arrayContaining(['Café Noir', 'CafeNoir']));
			expect(names).not.toContain('Cafe Noir');
			expect(hints.includes('The platform ignored')).toBe(conditions === 'ignored');
		},
	);

	test("a value of 'Is One Of' with a comma in it is refused, because the platform would read two values", async () => {
		g.standIn.clearLog();
		const value = '["Smith, Jones & Co", "Bakery"]';
		const said = await failureOf(read(companies, [{ operator: 'in', field: 'CompanyName', value, holds: () => true }]));
		expect(said).toContain(
			"'Value' in 'Conditions' in 'Filters' must have no comma inside a value, but has 'Smith, Jones & Co'",
		);
		expect(said).toContain("'Equals' condition for each value");
		expect(g.requests).toEqual([]);
	});
});

describe('a field that a person named', () => {
	const { read } = conditionRuns('deployed');
	const companies = requireValue(LISTS[0]);

	test('is sent, and it is said that nothing tells whether the platform knows it', async () => {
		const { hints } = await read(companies, [
			{ operator: 'eq', field: 'LicenceEnds', value: '2026', isOther: true, holds: () => true },
		]);
		expect(hints).toContain("It cannot be told whether the platform knows 'LicenceEnds' in 'Conditions'.");
	});

	test('is compared again where it is one of the list', async () => {
		const wrong = { operator: 'eq', field: 'CompanyName', value: 'Nobody', isOther: true, holds: () => false };
		expect((await read(companies, [wrong])).rows).toEqual([]);
	});
});

describe('as the contract reads', () => {
	const { read, listed, refused } = conditionRuns('contract');
	const companies = requireValue(LISTS[0]);

	test('the older operators are sent after a refusal, and made into the same where there is none', async () => {
		const { all, conditions } = await listed(companies);
		for (const one of conditions) {
			const { rows, hints } = await read(companies, [one]);
			expect([one.operator, idsOf(rows)]).toEqual([one.operator, idsOf(all.filter(one.holds))]);
			expect(hints).not.toMatch(/The platform ignored/);
		}
		// "Contains" differs from "contains" in a letter that the stand-in does not mind.
		expect(refused()).toHaveLength(conditions.length - 1);
	});
});

test.each([
	['neq', true],
	['eq', false],
	['contains', false],
] as const)('an empty field is equal to nothing: %s', (operator, isMet) => {
	const item = { FieldName: 'Name', Operator: '', Value: 'x' };
	const known = { name: 'Name', type: 'text', recordField: 'name' } as const;
	const { isMatch: matches, buildHint: note } = createConditionMatcher([{ filterItem: item, operator, filterableField: known }], false, 'UTC');
	expect([null, ''].map((name) => matches({ name }))).toEqual([isMet, isMet]);
	expect(note()).toBeUndefined();
});
