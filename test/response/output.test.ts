/** 'Output' of every operation that has it: Simplified, Raw, Selected Fields. */
import { intersection, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { selectFields } from '../../nodes/core/response/outputFields';
import { cases, type Case } from '../cases';
import { createOperationFixture, TESTED_PROFILES, runCase, takeShare, type OperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { getOptions } from '../rules/walk';

const isOffered = (g: OperationFixture, { node, operation }: Case) => 'output' in g.getOperation(node, operation).fields;

/** A case's items with further parameters, each time on a service with its initial data. */
async function run(g: OperationFixture, each: Case, more: IDataObject): Promise<IDataObject[]> {
	g.standIn.reset();
	const prepared = await each.prepare(g.customer);
	const { items } = await runCase(g, each, { ...prepared, parameters: { ...prepared.parameters, ...more } });
	return items.map(({ json }) => json);
}

/** The names that the list offers, and those that are chosen at first. */
function offered(g: OperationFixture, { node, operation }: Case): { names: string[]; first: unknown } {
	const property = g
		.getNode(node)
		.description.properties.find(
			({ name, displayOptions }) => name === 'outputFields' && displayOptions?.show?.operation?.includes(operation),
		);
	if (!property) throw new Error(`${node} ${operation} has no list of fields`);
	return { names: getOptions(property).map(({ value }) => String(value)), first: property.default };
}

/** The company that is added to an item. */
const COMPANY = ['companyName', 'companyResourceId'];

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const g = createOperationFixture(profile);

	test.each(takeShare(profile, cases))('$node: $operation', async (each) => {
		if (!isOffered(g, each)) return;
		const raw = await run(g, each, { output: 'raw' });
		const { names, first } = offered(g, each);
		const all = Object.keys(raw[0] ?? {});
		// What is offered is what records have; the contract does not show the fields of most.
		if (profile === 'deployed') expect(intersection(names, all).length).toBeGreaterThanOrEqual(5);

		const [one = '', , two = ''] = all;
		const picked = raw.map((record) => selectFields(record, { names: [two, one] }));
		// Items that are of a company have it besides.
		const withoutCompany = (records: IDataObject[]) =>
			records.map((record) =>
				omit(
					record,
					COMPANY.filter((name) => name !== one && name !== two),
				),
			);
		const chosen = async (outputFields: string[]) =>
			withoutCompany(await run(g, each, { output: 'selected', outputFields }));
		expect(await chosen([two, one])).toEqual(picked);
		expect(Object.keys(picked[0] ?? {})).toEqual([two, one]);

		// What is chosen at first is the record's ID; the form of enrollments and what people did have none.
		const [id] = await run(g, each, {
			output: 'selected',
			outputFields: first === undefined ? [] : [...[first].flat()],
		}).catch((error: Error) => [{ error: error.message }]);
		if (/^(getFormDetails|getActivity)$/.test(each.operation)) expect(JSON.stringify(id)).toContain('Fields');
		else expect(Object.keys(id ?? {})).toContainEqual(expect.stringMatching(/[iI]d$/));

		expect(g.getOperation(each.node, each.operation).fields.output?.property.default).toBe('simplified');
	});
});

const g = createOperationFixture('contract');
const getMany = async (parameters: IDataObject) =>
	(
		await runNode({
			node: g.getNode('Training'),
			parameters: { operation: 'getMany', returnAll: true, companyScope: 'own', output: 'selected', ...parameters },
			credential: g.credential,
			items: [{ json: { wanted: ['level'], coverImage: 'coverImage.name' } }],
		})
	).items.map(({ json }) => json);

test('with Every Company each item has the company besides', async () => {
	const items = await getMany({
		companyScope: 'every',
		onlyCompanies: { nameContains: g.customer.company.companyName },
		outputFields: ['level'],
	});
	expect(items.length).toBeGreaterThan(0);
	for (const item of items) {
		expect(Object.keys(item)).toEqual(['companyName', 'level', 'companyResourceId']);
		expect(item.companyName).toBe(g.customer.company.companyName);
	}
});

test('names come from an expression as a list or as text, also of a field inside another one', async () => {
	const levels = await getMany({ outputFields: '={{ $json.wanted }}' });
	expect(levels.map((item) => Object.keys(item))).toEqual(levels.map(() => ['level']));
	const [inside] = await getMany({ outputFields: '=level, {{ $json.coverImage }}' });
	expect(inside).toEqual({ level: expect.anything(), coverImage: { name: expect.any(String) } });
});

test.each([[''], [[]], ['={{ "" }}'], ['={{ [] }}'], [' , ']])(
	'without any name, as in %j, no request is sent, and the error says what to do',
	async (outputFields) => {
		g.standIn.clearLog();
		await expect(getMany({ outputFields })).rejects.toMatchObject({
			message: expect.stringContaining("'Fields' must name at least one field"),
			description: expect.stringContaining('Choose fields from the list'),
		});
		expect(g.standIn.getRequests()).toEqual([]);
	},
);

test('a record is simplified to the names that it has, and stays whole where it has other names', () => {
	const names = ['a', 'b', 'c', 'd', 'e', 'f'];
	const record = { a: 1, b: 2, c: 3, d: 4, e: 5, more: 6 };
	expect(selectFields(record, { names, minPresent: 5 })).toEqual({ a: 1, b: 2, c: 3, d: 4, e: 5 });
	expect(selectFields({ a: 1, more: 6 }, { names, minPresent: 5 })).toEqual({ a: 1, more: 6 });
	expect(selectFields({ a: { b: 1, c: 2 }, d: 3 }, { names: ['a.b', 'x'] })).toEqual({ a: { b: 1 } });
	expect(selectFields(record, undefined)).toEqual(record);
});

test('IDs come after what a person reads, except among fields that a person selected', () => {
	const record = { resourceId: 1, email: 2, roleResourceIdList: [], name: 3, companyName: 4, isValid: true };
	const inOrder = ['companyName', 'email', 'name', 'isValid', 'resourceId', 'roleResourceIdList'];
	expect(Object.keys(selectFields(record, undefined))).toEqual(inOrder);
	expect(Object.keys(selectFields(record, { names: Object.keys(record), minPresent: 5 }))).toEqual(inOrder);
	expect(Object.keys(selectFields(record, { names: ['resourceId', 'name'] }))).toEqual(['resourceId', 'name']);
});
