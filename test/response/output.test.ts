/** Tests the options of the form field 'Output': Simplified, Raw, and Selected Fields. */
import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { selectFields } from '../../nodes/core/response/outputFields';
import type { Case } from '../cases';
import { createOperationFixture, runCase, type OperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { readFieldOptions } from '../operations/outputFields';
import { findCase } from '../operations/records';

/** Resets the platform's data, and runs a case with further parameters. @returns the json of the output items */
async function runWithParameters(
	fixture: OperationFixture,
	testCase: Case,
	parameters: IDataObject,
): Promise<IDataObject[]> {
	fixture.standIn.reset();
	const preparedCase = await testCase.prepare(fixture.customer);
	const { items } = await runCase(fixture, testCase, {
		...preparedCase,
		parameters: { ...preparedCase.parameters, ...parameters },
	});
	return items.map(({ json }) => json);
}

/** The output fields that name an item's company. */
const COMPANY_FIELDS = ['companyName', 'companyResourceId'];

/**
 * One operation for each way in which an item is made of a response: a page, a record, a list inside an object, a write, and several
 * requests. everyOperation.test.ts checks the list of fields of every operation.
 */
const TESTED_OPERATIONS: Array<[node: string, key: string]> = [
	['Training', 'getMany'],
	['Enrollment', 'get'],
	['Company', 'getOwn'],
	['Enrollment', 'create'],
	['TrainingReport', 'getManyByPeriod'],
	['PhishingCampaign', 'campaignJob.getSummary'],
	['SmishingCampaign', 'result.getClicked'],
];

const fixture = createOperationFixture('deployed');

describe.each(TESTED_OPERATIONS)('%s: %s', (node, key) => {
	const testCase = findCase(node, key);

	test('Selected Fields outputs those fields of the whole record, in the selected order', async () => {
		const wholeRecords = await runWithParameters(fixture, testCase, { output: 'raw' });
		const [firstField = '', , thirdField = ''] = Object.keys(wholeRecords[0] ?? {});
		const selectedFields = [thirdField, firstField];
		const expected = wholeRecords.map((record) => selectFields(record, { names: selectedFields }));
		// An item of a company also has the fields that name the company.
		const addedCompanyFields = COMPANY_FIELDS.filter((name) => !selectedFields.includes(name));
		const items = await runWithParameters(fixture, testCase, { output: 'selected', outputFields: selectedFields });
		expect(items.map((item) => omit(item, addedCompanyFields))).toEqual(expected);
		expect(Object.keys(expected[0] ?? {})).toEqual(selectedFields);
	});

	test("by default, Selected Fields outputs the record's ID", async () => {
		const { defaultNames } = readFieldOptions(fixture.getNode(node), node, key);
		const [item = {}] = await runWithParameters(fixture, testCase, { output: 'selected', outputFields: defaultNames });
		expect(Object.keys(item)).toContainEqual(expect.stringMatching(/[iI]d$/));
	});
});

const contractFixture = createOperationFixture('contract');

/** Runs the operation Get Many of trainings with 'Selected Fields'. @returns the json of the output items */
async function getManyTrainings(parameters: IDataObject): Promise<IDataObject[]> {
	const { items } = await runNode({
		node: contractFixture.getNode('Training'),
		parameters: {
			operation: 'getMany',
			returnAll: true,
			companyScope: 'own',
			output: 'selected',
			...parameters,
		},
		credential: contractFixture.credential,
		items: [{ json: { wanted: ['level'], coverImage: 'coverImage.name' } }],
	});
	return items.map(({ json }) => json);
}

test('each item has the company, too, with Every Company', async () => {
	const items = await getManyTrainings({
		companyScope: 'every',
		onlyCompanies: { nameContains: contractFixture.customer.company.companyName },
		outputFields: ['level'],
	});
	expect(items.length).toBeGreaterThan(0);
	for (const item of items) {
		expect(Object.keys(item)).toEqual(['companyName', 'level', 'companyResourceId']);
		expect(item.companyName).toBe(contractFixture.customer.company.companyName);
	}
});

test('an expression can return the names as a list or a text, and name a field inside another field', async () => {
	const levels = await getManyTrainings({ outputFields: '={{ $json.wanted }}' });
	expect(levels.map((item) => Object.keys(item))).toEqual(levels.map(() => ['level']));
	const [nestedItem] = await getManyTrainings({ outputFields: '=level, {{ $json.coverImage }}' });
	expect(nestedItem).toEqual({ level: expect.anything(), coverImage: { name: expect.any(String) } });
});

test.each([[''], [[]], ['={{ "" }}'], ['={{ [] }}'], [' , ']])(
	'without any name, as in %j, no request is sent, and the error says how to fix it',
	async (outputFields) => {
		contractFixture.standIn.clearLog();
		await expect(getManyTrainings({ outputFields })).rejects.toMatchObject({
			message: expect.stringContaining("'Fields' must name at least one field"),
			description: expect.stringContaining('Select fields from the list'),
		});
		expect(contractFixture.standIn.getRequests()).toEqual([]);
	},
);

test('a record is simplified to the known fields, and stays whole if it has too few of them', () => {
	const names = ['a', 'b', 'c', 'd', 'e', 'f'];
	const record = { a: 1, b: 2, c: 3, d: 4, e: 5, more: 6 };
	expect(selectFields(record, { names, minFieldCount: 5 })).toEqual({ a: 1, b: 2, c: 3, d: 4, e: 5 });
	expect(selectFields({ a: 1, more: 6 }, { names, minFieldCount: 5 })).toEqual({ a: 1, more: 6 });
	expect(selectFields({ a: { b: 1, c: 2 }, d: 3 }, { names: ['a.b', 'x'] })).toEqual({ a: { b: 1 } });
	expect(selectFields(record, undefined)).toEqual(record);
});

test('IDs are moved to the end, except among fields that the user selected', () => {
	const record = { resourceId: 1, email: 2, roleResourceIdList: [], name: 3, companyName: 4, isValid: true };
	const sortedNames = ['companyName', 'email', 'name', 'isValid', 'resourceId', 'roleResourceIdList'];
	expect(Object.keys(selectFields(record, undefined))).toEqual(sortedNames);
	expect(Object.keys(selectFields(record, { names: Object.keys(record), minFieldCount: 5 }))).toEqual(sortedNames);
	expect(Object.keys(selectFields(record, { names: ['resourceId', 'name'] }))).toEqual(['resourceId', 'name']);
});
