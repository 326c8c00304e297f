/** Filters as rows, and the order in one place, in nodes of version 1.1; and both as nodes of version 1 have saved them. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { runTool } from '../n8n-core';
import { bodyOf, failureOf, jsonOf, nodeFixture, type RunMore } from '../n8n-core/nodeFixture';

const SEARCH = 'POST /api/companies/search';
const b = nodeFixture({ companies: 60 });
const form = (more: IDataObject): IDataObject => ({ operation: 'getMany', returnAll: true, simplify: false, ...more });
const run = async (more: IDataObject, options?: RunMore) => await b.run(SecurityAwarenessCompany, form(more), options);
const where = (...rows: IDataObject[]) => ({ fieldFilters: { rows } });
const sent = () => bodyOf(b.service.requests(SEARCH).at(-1));
const names = async (more: IDataObject) => jsonOf((await run(more)).items).map(({ companyName }) => companyName);
const expected = (is: (company: (typeof b.service.state.companies)[number]) => boolean) =>
	b.service.state.companies.filter(is).map(({ companyName }) => companyName);

test('one row: the records whose field has the value', async () => {
	const found = await names(where({ field: 'CompanyName', operator: 'contains', value: 'Bakery' }));
	expect(found.length).toBeGreaterThan(1);
	expect([...found].sort()).toEqual(expected(({ companyName }) => /bakery/i.test(companyName ?? '')).sort());
	expect(sent().filter).toEqual({
		Condition: 'AND',
		SearchInputTextValue: '',
		FilterGroups: [
			{
				Condition: 'AND',
				FilterItems: [{ FieldName: 'CompanyName', Operator: 'contains', Value: 'Bakery' }],
				FilterGroups: [],
			},
		],
	});
});

test('several rows: all must match, or any', async () => {
	const rows = where(
		{ field: 'CompanyName', operator: 'contains', value: 'Bakery' },
		{ field: 'TargetUserCount', operator: 'gt', value: '10' },
	);
	const isBakery = ({ companyName }: { companyName: string | null }) => /bakery/i.test(companyName ?? '');
	const isLarge = ({ targetUserCount }: { targetUserCount: number }) => targetUserCount > 10;
	expect(await names(rows)).toHaveLength(expected((each) => isBakery(each) && isLarge(each)).length);
	const any = await names({ ...rows, fieldFilterCondition: 'OR' });
	expect(any).toHaveLength(expected((each) => isBakery(each) || isLarge(each)).length);
	expect(sent()).toMatchObject({ filter: { Condition: 'AND', FilterGroups: [{ Condition: 'OR' }] } });
});

test('a field that is not in the list, and values that are no text', async () => {
	await run(
		where(
			{ field: 'other', fieldName: 'PrivacyDurationId', operator: 'neq', value: '={{ 3 }}' },
			{ field: '={{ "LicenseTypeName" }}', operator: '={{ "Equals" }}', value: '={{ "Gold" }}' },
			{
				field: '={{ "License End Date" }}',
				operator: '={{ ">" }}',
				value: '={{ DateTime.fromISO("2026-01-31T00:00:00Z").toJSDate() }}',
			},
			{ field: '={{ "licenceExpired" }}', operator: 'eq', value: '={{ false }}' },
		),
	);
	expect(sent()).toMatchObject({
		filter: {
			FilterGroups: [
				{
					FilterItems: [
						{ FieldName: 'PrivacyDurationId', Operator: 'neq', Value: '3' },
						{ FieldName: 'LicenseTypeName', Operator: 'eq', Value: 'Gold' },
						{ FieldName: 'LicenseEndDate', Operator: 'gt', Value: '2026-01-31T00:00:00.000Z' },
						{ FieldName: 'LicenceExpired', Operator: 'eq', Value: 'false' },
					],
				},
			],
		},
	});
});

test('rows, JSON and the search text together', async () => {
	const group = { Condition: 'OR', FilterItems: [], FilterGroups: [] };
	await run({
		...where({ field: 'CompanyName', operator: 'contains', value: 'a' }),
		filters: { searchText: 'b', filterGroups: JSON.stringify([group]), condition: 'OR' },
	});
	expect(sent().filter).toMatchObject({
		Condition: 'OR',
		SearchInputTextValue: 'b',
		FilterGroups: [{ FilterItems: [{ Value: 'a' }] }, group],
	});
});

test('an export takes the rows of its search; one that is not filtered has none', async () => {
	const rows = where({ field: 'Email', operator: 'contains', value: '1@' });
	await b.run(SecurityAwarenessLeaderboard, { operation: 'export', companyScope: 'own', ...rows });
	expect(bodyOf(b.service.requests('POST /api/leaderboard/get-all/export').at(-1))).toMatchObject({
		filter: { FilterGroups: [{ FilterItems: [{ FieldName: 'Email', Operator: 'contains', Value: '1@' }] }] },
	});
	const of = (operation: string) =>
		new SecurityAwarenessLeaderboard().description.properties.filter(
			({ name, displayOptions }) => name === 'fieldFilters' && displayOptions?.show?.operation?.includes(operation),
		).length;
	expect([of('export'), of('exportUserTimeline')]).toEqual([1, 0]);
});

test('a filter that the platform refuses is named as a possible reason', async () => {
	const error = await failureOf(run(where({ field: 'other', fieldName: 'Shoe size', operator: 'gt', value: '40' })));
	expect(error.description).toContain("The filter field 'Shoe size' is not known.");
	expect(error.description).toContain(
		'It may be a filter: platforms differ in the fields and operators that they know.',
	);
	expect(error.description).not.toContain('sort');
});

test('an AI agent gives every part', async () => {
	const fromAi = (key: string) => `={{ $fromAI('${key}', 'What to use', 'string') }}`;
	await runTool({
		node: new SecurityAwarenessCompany(),
		credential: b.credential(),
		parameters: {
			...form(where({ field: fromAi('field'), operator: fromAi('operator'), value: fromAi('value') })),
			sort: { fields: { by: fromAi('by'), direction: fromAi('direction') } },
		},
		toolArguments: {
			...{ field: 'Company Name', operator: 'contains', value: 'bakery' },
			...{ by: 'renewal date', direction: 'descending' },
		},
	});
	expect(sent()).toMatchObject({
		...{ orderBy: 'RenewalDate', ascending: false },
		filter: { FilterGroups: [{ FilterItems: [{ FieldName: 'CompanyName', Operator: 'contains', Value: 'bakery' }] }] },
	});
});

test.each<[IDataObject, string]>([
	[
		{ operator: 'resembles' },
		"'Operator' in 'Field Filters' must be one of 'contains', 'eq', 'gt', 'lt', 'neq', but is 'resembles'",
	],
	[{ value: '={{ undefined }}' }, "'Value' in 'Field Filters' must not be empty"],
	[{ value: '  ' }, "'Value' in 'Field Filters' must not be empty"],
	[{ value: '={{ [1] }}' }, "'Value' in 'Field Filters' must be text"],
	[{ field: 'other' }, "'Field Name' in 'Field Filters' must not be empty"],
])('%j is refused before anything is asked', async (part, message) => {
	const row = { field: 'CompanyName', operator: 'contains', value: 'a' };
	expect((await failureOf(run(where({ ...row, ...part })))).message).toBe(message);
	expect(b.asked).toEqual([]);
});

describe('sort', () => {
	test.each<[IDataObject, orderBy: string, ascending: boolean]>([
		[{}, 'CreateTime', false],
		[{ fields: { by: 'Name' } }, 'Name', true],
		[{ fields: { by: 'Name', direction: 'descending' } }, 'Name', false],
		[{ fields: { by: 'other', fieldName: 'LicenseEndDate', direction: 'descending' } }, 'LicenseEndDate', false],
		// What is left in a field that is not shown does not count.
		[{ fields: { by: 'Name', fieldName: 'LicenseEndDate' } }, 'Name', true],
	])('%j', async (sort, orderBy, ascending) => {
		await run({ sort, returnAll: false, limit: 1 });
		expect(sent()).toMatchObject({ orderBy, ascending });
	});

	test('added without a change: the first field of the list, ascending', async () => {
		await run({ sort: { fields: {} }, returnAll: false, limit: 1 });
		expect(sent()).toMatchObject({ orderBy: 'CreateTime', ascending: true });
	});
});

test('what version 1 has saved is sent as before', async () => {
	const FilterGroups = [{ Condition: 'AND', FilterItems: [{ FieldName: 'Name', Operator: 'contains', Value: 'b' }] }];
	const saved: Array<[IDataObject, IDataObject]> = [
		[{ sort: { by: 'Name' } }, { orderBy: 'Name', ascending: true }],
		[{ sort: { by: 'Name', direction: 'descending' } }, { orderBy: 'Name', ascending: false }],
		[{ sort: { by: 'Name', fieldName: 'LicenseEndDate' } }, { orderBy: 'LicenseEndDate', ascending: true }],
		[{ sort: { direction: 'ascending' } }, { orderBy: 'CreateTime', ascending: true }],
		[{ filters: { condition: 'OR' } }, { filter: { Condition: 'OR', SearchInputTextValue: '', FilterGroups: [] } }],
		[
			{ filters: { condition: 'OR', searchText: 'b', filterGroups: JSON.stringify(FilterGroups) } },
			{ filter: { Condition: 'OR', SearchInputTextValue: 'b', FilterGroups } },
		],
	];
	for (const [more, body] of saved) {
		await run({ ...more, returnAll: false, limit: 1 }, { typeVersion: 1 });
		expect(sent()).toMatchObject(body);
	}
});

describe('what a person sees', () => {
	const { properties } = new SecurityAwarenessCompany().description;
	const shown = (parameters: IDataObject, typeVersion = 1.1): string[] => {
		const values = { resource: 'company', operation: 'getMany', ...parameters };
		const isShown = (property: INodeProperties) =>
			NodeHelpers.displayParameter(values, property, { typeVersion }, null);
		return properties.filter(isShown).map(({ name }) => name);
	};
	const row = { field: 'CompanyName', operator: 'contains', value: 'a' };

	test('Condition from the second row on', () => {
		const none = { fieldFilters: {} };
		expect(shown(none)).toContain('fieldFilters');
		expect(shown(none)).not.toContain('fieldFilterCondition');
		expect(shown(where(row))).not.toContain('fieldFilterCondition');
		expect(shown(where(row, {}))).toContain('fieldFilterCondition');
	});

	test('one Sort in each version: in 1.1 its parts are added together', () => {
		const sortIn = (typeVersion: number) =>
			properties.filter(
				(property) =>
					property.name === 'sort' &&
					NodeHelpers.displayParameter({ resource: 'company', operation: 'getMany' }, property, { typeVersion }, null),
			);
		expect(sortIn(1).map(({ type }) => type)).toEqual(['collection']);
		expect(sortIn(1.1).map(({ type }) => type)).toEqual(['fixedCollection']);
	});

	test('n8n keeps what was filled in', () => {
		const node = new SecurityAwarenessEnrollment().description;
		const kept = { fieldFilters: { rows: [row, { ...row, operator: 'eq' }] }, fieldFilterCondition: 'OR' };
		const saved = NodeHelpers.getNodeParameters(
			node.properties,
			{ resource: 'enrollment', operation: 'getMany', companyScope: 'own', ...kept, sort: { fields: { by: 'Name' } } },
			false,
			false,
			{ typeVersion: 1.1 },
			node,
		);
		expect(saved).toMatchObject({
			fieldFilters: { rows: [{ field: 'CompanyName', value: 'a' }, { operator: 'eq' }] },
			...{ fieldFilterCondition: 'OR', sort: { fields: {} } },
		});
	});
});
