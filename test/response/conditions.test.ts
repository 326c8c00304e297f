/**
 * Tests filter conditions on live deployments that apply, ignore or reject them, and on platforms that know only the older
 * operators.
 */
import type { IDataObject } from 'n8n-workflow';
import { createConditionMatcher } from '../../nodes/core/filters/conditionMatcher';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { parseText, requireValue } from '../n8n-core/nodeFixture';
import { getFailureMessage } from '../nodes/deployedFixture';
import type { ProfileName } from '../stand-in';
import { CONDITION_LISTS, toLowerCase, type ConditionCase, type ConditionList } from './conditionLists';

function createConditionFixture(profile: ProfileName) {
	const fixture = createOperationFixture(profile);
	afterEach(() => fixture.standIn.setOptions({ conditionSupport: 'understood' }));

	/** Reads the records of a list, and the hints. If a parent company doesn't match, the order of its child companies changes. */
	const readList = async (
		[, node, operation]: ConditionList,
		conditions: ConditionCase[],
		furtherFilters: IDataObject = {},
	) => {
		const companyGroup = { __rl: true, mode: 'id', value: fixture.customer.world.companyGroups[1]?.resourceId };
		const scopeParameters = ['Training', 'TargetUser'].includes(node) ? fixture.customer.companyParameters : {};
		const conditionRows = conditions.map(({ operator, field, value, isNameEntered }) =>
			isNameEntered ? { field: 'other', fieldName: field, operator, value } : { field, operator, value },
		);
		const filters: IDataObject = {};
		if (conditionRows.length > 0) filters.fieldFilters = { rows: conditionRows };
		Object.assign(filters, furtherFilters);
		const parameters = { ...scopeParameters, companyGroup, output: 'raw', returnAll: true, filters };
		const { items, hints } = await runCase(fixture, { node, operation }, { parameters });
		return { records: items.map(({ json }) => json), hints: JSON.stringify(hints) };
	};
	/** Reads all records of a list, and creates its conditions from one of them. */
	const readWholeList = async (list: ConditionList) => {
		const { records } = await readList(list, []);
		const createConditions = list[3];
		const conditions = createConditions(records[Math.floor(records.length / 2)] ?? {});
		expect(records.length).toBeGreaterThan(2);
		expect(new Set(conditions.map(({ operator }) => operator)).size).toBe(8);
		fixture.standIn.clearLog();
		return { allRecords: records, conditions };
	};
	const getRejectedRequests = () => fixture.requests.filter(({ status }) => status === 400);
	return { fixture, readList, readWholeList, getRejectedRequests };
}

/** Returns the IDs of the records, sorted. */
const getSortedIds = (records: IDataObject[]) =>
	records
		.map(({ companyResourceId, trainingId, resourceId }) => parseText(companyResourceId ?? trainingId ?? resourceId))
		.sort();

describe('a live deployment', () => {
	const { fixture, readList, readWholeList, getRejectedRequests } = createConditionFixture('deployed');

	test.each(CONDITION_LISTS)('%s: each of the eight operators returns the right records', async (...list) => {
		const { allRecords, conditions } = await readWholeList(list);
		for (const condition of conditions) {
			const { records, hints } = await readList(list, [condition]);
			expect([condition.operator, getSortedIds(records)]).toEqual([
				condition.operator,
				getSortedIds(allRecords.filter(condition.isMatch)),
			]);
			expect(hints).not.toMatch(/The platform ignored/);
		}
		expect(getRejectedRequests()).toEqual([]);
	});

	test.each(CONDITION_LISTS)(
		'%s: if the platform ignores a condition, the right records are returned with a hint',
		async (...list) => {
			const { allRecords, conditions } = await readWholeList(list);
			fixture.standIn.setOptions({ conditionSupport: 'ignored' });
			for (const condition of conditions) {
				const { records, hints } = await readList(list, [condition]);
				const expected = condition.name === undefined ? allRecords : allRecords.filter(condition.isMatch);
				expect([condition.operator, getSortedIds(records)]).toEqual([condition.operator, getSortedIds(expected)]);
				const hasHint = hints.includes(`The platform ignored the conditions on '${condition.name}'`);
				expect([condition.operator, hasHint]).toEqual([condition.operator, expected.length < allRecords.length]);
			}
		},
	);

	test.each(CONDITION_LISTS)('%s: if the platform rejects all operators, the error is clear', async (...list) => {
		const { conditions } = await readWholeList(list);
		fixture.standIn.setOptions({ conditionSupport: 'refused' });
		for (const condition of conditions) {
			fixture.standIn.clearLog();
			const error = await getFailureMessage(readList(list, [condition]));
			expect(error).toContain('did not accept the input (400)');
			expect(error).toContain("It may be what you chose in 'Filters'");
			expect(getRejectedRequests()).toHaveLength(2);
		}
	});

	const companyList = requireValue(CONDITION_LISTS[0]);
	const fewUsersCondition: ConditionCase = {
		operator: 'lt',
		field: 'TargetUserCount',
		value: '10',
		name: 'Target Users',
		isMatch: (row) => Number(row.targetUserCount) < 10,
	};
	const nameWithBCondition: ConditionCase = {
		operator: 'contains',
		field: 'CompanyName',
		value: 'b',
		name: 'Company Name',
		isMatch: (row) => toLowerCase(row.companyName).includes('b'),
	};
	const unknownFieldCondition: ConditionCase = {
		operator: 'eq',
		field: 'Nonsense',
		value: 'x',
		isMatch: () => true,
		isNameEntered: true,
	};
	const FILTER_GROUPS = { condition: 'OR', filterGroups: '[{ "Condition": "AND", "FilterItems": [] }]' };

	test.each<
		[name: string, conditions: ConditionCase[], filters: IDataObject, isExpected: (row: IDataObject) => boolean]
	>([
		[
			'all conditions',
			[fewUsersCondition, nameWithBCondition],
			{},
			(row) => fewUsersCondition.isMatch(row) && nameWithBCondition.isMatch(row),
		],
		[
			'any condition',
			[fewUsersCondition, nameWithBCondition],
			{ condition: 'OR' },
			(row) => fewUsersCondition.isMatch(row) || nameWithBCondition.isMatch(row),
		],
		[
			'the conditions that the node can compare',
			[fewUsersCondition, unknownFieldCondition],
			{},
			(row) => fewUsersCondition.isMatch(row),
		],
		[
			'any condition, if the node cannot compare one of them',
			[fewUsersCondition, unknownFieldCondition],
			{ condition: 'OR' },
			() => true,
		],
		["any condition or the user's filter groups", [fewUsersCondition], FILTER_GROUPS, () => true],
	])('if the platform ignores conditions, a record must match %s', async (_name, conditions, filters, isExpected) => {
		const { allRecords } = await readWholeList(companyList);
		fixture.standIn.setOptions({ conditionSupport: 'ignored' });
		const { records } = await readList(companyList, conditions, filters);
		expect(getSortedIds(records)).toEqual(getSortedIds(allRecords.filter(isExpected)));
	});

	test("'Limit' counts the records that match", async () => {
		const { allRecords } = await readWholeList(companyList);
		fixture.standIn.setOptions({ conditionSupport: 'ignored' });
		const filters = { fieldFilters: { rows: [{ field: fewUsersCondition.field, operator: 'lt', value: '10' }] } };
		const parameters = { output: 'raw', limit: 3, filters, options: { pageSize: 4 } };
		const { items } = await runCase(fixture, { node: 'Company', operation: 'getMany' }, { parameters });
		expect(items.map(({ json }) => json)).toEqual(allRecords.filter(fewUsersCondition.isMatch).slice(0, 3));
	});
});

describe('similar names', () => {
	const { fixture, readList } = createConditionFixture('deployed');
	const companyList = requireValue(CONDITION_LISTS[0]);
	afterEach(() => fixture.standIn.reset());

	test.each(['understood', 'ignored'] as const)(
		"'Not Equals' only excludes the exact name if the platform's support is: %s",
		async (conditionSupport) => {
			const childlessCompanies = fixture.customer.world.companies.filter(({ children = [] }) => children.length === 0);
			for (const [index, name] of ['Cafe Noir', 'Café Noir', 'CafeNoir'].entries())
				requireValue(childlessCompanies[index]).companyName = name;
			fixture.standIn.setOptions({ conditionSupport });
			const { records, hints } = await readList(companyList, [
				{ operator: 'neq', field: 'CompanyName', value: 'Cafe Noir', isMatch: () => true },
			]);
			const names = records.map(({ companyName }) => companyName);
			expect(names).toEqual(expect.arrayContaining(['Café Noir', 'CafeNoir']));
			expect(names).not.toContain('Cafe Noir');
			expect(hints.includes('The platform ignored')).toBe(conditionSupport === 'ignored');
		},
	);

	test("'Is One Of' rejects a value with a comma, because the platform would read two values", async () => {
		fixture.standIn.clearLog();
		const value = '["Smith, Jones & Co", "Bakery"]';
		const condition = { operator: 'in', field: 'CompanyName', value, isMatch: () => true };
		const error = await getFailureMessage(readList(companyList, [condition]));
		expect(error).toContain(
			"'Value' in 'Conditions' in 'Filters' must not have a comma inside a value, but has 'Smith, Jones & Co'",
		);
		expect(error).toContain("'Equals' condition for each value");
		expect(fixture.requests).toEqual([]);
	});
});

describe('a field whose name the user enters', () => {
	const { fixture, readList } = createConditionFixture('deployed');
	const companyList = requireValue(CONDITION_LISTS[0]);

	test('may be compared with a number, which is sent as it was entered', async () => {
		fixture.standIn.clearLog();
		await readList(companyList, [
			{ operator: 'lt', field: 'LicenceUnits', value: '10', isNameEntered: true, isMatch: () => true },
		]);
		expect(JSON.stringify(fixture.requests[0]?.body)).toContain('"Value":"10"');
	});

	test('leaves out no record if its values cannot be compared with the entered text', async () => {
		fixture.standIn.setOptions({ conditionSupport: 'ignored' });
		const condition = { field: 'TargetUserCount', value: 'many', isNameEntered: true, isMatch: () => true };
		const { records } = await readList(companyList, [{ ...condition, operator: 'eq' }]);
		expect(records.length).toBeGreaterThan(2);
	});

	test('is sent, and a hint says that the platform may not know the field', async () => {
		const { hints } = await readList(companyList, [
			{ operator: 'eq', field: 'LicenceEnds', value: '2026', isNameEntered: true, isMatch: () => true },
		]);
		expect(hints).toContain("It isn't certain that the platform can filter by 'LicenceEnds'.");
	});

	test('is compared again if the list is known to have it', async () => {
		const condition = {
			operator: 'eq',
			field: 'CompanyName',
			value: 'Nobody',
			isNameEntered: true,
			isMatch: () => false,
		};
		const { records } = await readList(companyList, [condition]);
		expect(records).toEqual([]);
	});
});

describe('a platform as the contract describes it', () => {
	const { readList, readWholeList, getRejectedRequests } = createConditionFixture('contract');
	const companyList = requireValue(CONDITION_LISTS[0]);

	test('gets the older operators after a rejection, and conditions without an older operator are rewritten', async () => {
		const { allRecords, conditions } = await readWholeList(companyList);
		for (const condition of conditions) {
			const { records, hints } = await readList(companyList, [condition]);
			expect([condition.operator, getSortedIds(records)]).toEqual([
				condition.operator,
				getSortedIds(allRecords.filter(condition.isMatch)),
			]);
			expect(hints).not.toMatch(/The platform ignored/);
		}
		// "Contains" is never rejected: the older "contains" only differs in case, and the stand-in ignores case.
		expect(getRejectedRequests()).toHaveLength(conditions.length - 1);
	});

	test("gets the older operators in the user's nested filter groups, too", async () => {
		const { allRecords } = await readWholeList(companyList);
		const { companyName } = requireValue(allRecords[1]);
		const equalsName = { FieldName: 'CompanyName', Operator: '=', Value: companyName };
		const innerGroup = { Condition: 'AND', FilterItems: [equalsName], FilterGroups: [] };
		const filterGroups = JSON.stringify([{ Condition: 'OR', FilterItems: [], FilterGroups: [innerGroup] }]);
		const { records } = await readList(companyList, [], { filterGroups });
		expect(records.map((record) => record.companyName)).toEqual([companyName]);
		expect(getRejectedRequests()).toHaveLength(1);
	});
});

test.each([
	['neq', true],
	['eq', false],
	['contains', false],
] as const)('an empty field equals no value: %s', (operator, isExpected) => {
	const filterItem = { FieldName: 'Name', Operator: '', Value: 'x' };
	const filterableField = { name: 'Name', type: 'text', recordField: 'name' } as const;
	const { isMatch, buildHint } = createConditionMatcher([{ filterItem, operator, filterableField }], false, 'UTC');
	expect([null, ''].map((name) => isMatch({ name }))).toEqual([isExpected, isExpected]);
	expect(buildHint()).toBeUndefined();
});

test.each<[string, 'choice' | 'text' | 'yesNo', 'eq' | 'neq' | 'in', string, IDataObject[string], boolean]>([
	['a choice', 'choice', 'neq', 'IT Team', 'it team', true],
	['a choice', 'choice', 'neq', 'IT Team', 'IT Team', false],
	['a choice', 'choice', 'eq', 'IT Team', 'it team', true],
	['one of several choices', 'choice', 'in', 'Sales,IT Team', 'it team', true],
	['a text', 'text', 'neq', 'Café', 'Cafe', true],
	['a boolean', 'yesNo', 'eq', 'true', true, true],
	['a boolean', 'yesNo', 'neq', 'true', true, false],
	['a boolean', 'yesNo', 'eq', 'true', 'True', true],
	['a boolean', 'yesNo', 'neq', 'true', 'True', false],
	['none of several values', 'choice', 'neq', 'b', ['a', 'b'], false],
	['none of several values', 'choice', 'neq', 'c', ['a', 'b'], true],
])('%s: %s %s %s matches %j: %s', (_kind, type, operator, Value, fieldValue, isExpected) => {
	const filterItem = { FieldName: 'Name', Operator: '', Value };
	const filterableField = { name: 'Name', type, recordField: 'name' };
	const { isMatch } = createConditionMatcher([{ filterItem, operator, filterableField }], false, 'UTC');
	expect(isMatch({ name: fieldValue })).toBe(isExpected);
});

describe('a condition on a boolean', () => {
	const { fixture, readList } = createConditionFixture('deployed');
	const companyList = requireValue(CONDITION_LISTS[0]);
	const createCondition = (value: string) => ({
		operator: 'eq',
		field: 'LicenceExpired',
		value,
		isMatch: () => true,
	});

	test.each(['TRUE', ' True ', 'false', 'False'])('is sent in lower case: %j', async (value) => {
		fixture.standIn.clearLog();
		await readList(companyList, [createCondition(value)]);
		expect(JSON.stringify(fixture.requests[0]?.body)).toContain(`"Value":"${value.trim().toLowerCase()}"`);
	});

	test('rejects any other value', async () => {
		expect(await getFailureMessage(readList(companyList, [createCondition('yes')]))).toContain(
			"'Value' in 'Conditions' in 'Filters' must be true or false, but is 'yes'",
		);
	});
});
