/**
 * 'Output' of every operation that has it: Simplified, Raw, Selected Fields; and 'Simplify', which nodes of version 1 have
 * instead.
 */
import { difference, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { pickFields } from '../../nodes/shared/answer/output';
import { cases, type Case } from '../cases';
import { operationFixture, PERSONALITIES, runCase, shareOf, type OperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { optionsOf } from '../rules/walk';

const isOffered = (g: OperationFixture, { node, operation }: Case) => 'output' in g.operation(node, operation).form;

/** A case's items with further parameters, each time on a service with its initial data. */
async function run(g: OperationFixture, each: Case, more: IDataObject, typeVersion?: number): Promise<IDataObject[]> {
	g.service.reset();
	const prepared = await each.prepare(g.customer);
	const { items } = await runCase(
		g,
		each,
		{ ...prepared, parameters: { ...prepared.parameters, ...more } },
		typeVersion === undefined ? {} : { typeVersion },
	);
	return items.map(({ json }) => json);
}

/** The names that the list offers, and those that are chosen at first. */
function offered(g: OperationFixture, { node, operation }: Case): { names: string[]; first: unknown } {
	const property = g
		.node(node)
		.description.properties.find(
			({ name, displayOptions }) => name === 'outputFields' && displayOptions?.show?.operation?.includes(operation),
		);
	if (!property) throw new Error(`${node} ${operation} has no list of fields`);
	return { names: optionsOf(property).map(({ value }) => String(value)), first: property.default };
}

/** The company that newer nodes add to an item. */
const COMPANY = ['companyName', 'companyResourceId'];

/** Numbers that a service sends as text are numbers in newer nodes. */
const asText = (record: IDataObject) =>
	JSON.stringify(record, (_name, value: unknown) => (typeof value === 'number' ? String(value) : value));

describe.each(PERSONALITIES)('$named', ({ personality }) => {
	const g = operationFixture(personality);

	test.each(shareOf(personality, cases))('$node: $operation', async (each) => {
		if (!isOffered(g, each)) return;
		const raw = await run(g, each, { output: 'raw' });
		const { names, first } = offered(g, each);
		const all = Object.keys(raw[0] ?? {});
		// Names that the contract has are there to be chosen.
		if (personality === 'contract') expect(names).toEqual(expect.arrayContaining(difference(all, COMPANY)));

		const [one = '', , two = ''] = all;
		const picked = raw.map((record) => pickFields(record, [two, one]));
		// Items that are of a company have it besides.
		const withoutCompany = (records: IDataObject[]) =>
			records.map((record) =>
				omit(
					record,
					COMPANY.filter((name) => name !== one && name !== two),
				),
			);
		const chosen = async (outputFields: string | string[]) =>
			withoutCompany(await run(g, each, { output: 'selected', outputFields }));
		expect(await chosen([two, one])).toEqual(picked);
		expect(await chosen(`=${two}, ${one},noSuchField`)).toEqual(picked);
		expect(Object.keys(picked[0] ?? {})).toEqual([two, one]);

		// What is chosen at first is the record's ID; the form of enrollments has none.
		const [id] = await run(g, each, {
			output: 'selected',
			outputFields: first === undefined ? [] : [...[first].flat()],
		}).catch((error: Error) => [{ error: error.message }]);
		if (each.operation === 'getFormDetails') expect(JSON.stringify(id)).toContain('Fields');
		else expect(Object.keys(id ?? {})).toContainEqual(expect.stringMatching(/[iI]d$/));

		// The same as before in a workflow that was saved with version 1.
		const simplified = await run(g, each, { output: 'simplified' });
		expect(await run(g, each, {})).toEqual(simplified);
		for (const [simplify, now] of [
			[true, simplified],
			[false, raw],
		] as const) {
			const before = await run(g, each, { simplify, output: 'raw' }, 1);
			expect(now.map((record, index) => pickFields(record, Object.keys(before[index] ?? {}))).map(asText)).toEqual(
				before.map(asText),
			);
		}
	});
});

const g = operationFixture('contract');
const getMany = async (parameters: IDataObject) =>
	(
		await runNode({
			node: g.node('Training'),
			parameters: { operation: 'getMany', returnAll: true, companyScope: 'own', output: 'selected', ...parameters },
			credential: g.credential,
			items: [{ json: { wanted: ['level'], coverImage: 'coverImage.name' } }],
		})
	).items.map(({ json }) => json);

test('with Every Company each item has the company besides', async () => {
	const items = await getMany({
		companyScope: 'every',
		companyFilter: { nameContains: g.customer.company.companyName },
		outputFields: ['level'],
	});
	expect(items.length).toBeGreaterThan(0);
	for (const item of items) {
		expect(Object.keys(item)).toEqual(['companyName', 'companyResourceId', 'level']);
		expect(item.companyName).toBe(g.customer.company.companyName);
	}
});

test('names come from an expression as a list or as text, also of a field inside another one', async () => {
	const levels = await getMany({ outputFields: '={{ $json.wanted }}' });
	expect(levels.map((item) => Object.keys(item))).toEqual(levels.map(() => ['level']));
	const [inside] = await getMany({ outputFields: '=level, {{ $json.coverImage }}' });
	expect(inside).toEqual({ level: expect.anything(), coverImage: { name: expect.any(String) } });
});

test.each([[''], [[]], ['={{ "" }}'], ['={{ [] }}'], ['={{ null }}'], [' , ']])(
	'without any name, as in %j, no request is sent, and the error says what to do',
	async (outputFields) => {
		g.service.clearLog();
		await expect(getMany({ outputFields })).rejects.toMatchObject({
			message: expect.stringContaining("'Fields' must name at least one field"),
			description: expect.stringContaining('Choose fields from the list'),
		});
		expect(g.service.requests()).toEqual([]);
	},
);

const RECORD = {
	name: 'n',
	'dotted.name': 1,
	empty: null,
	image: { url: 'u', size: { width: 1, height: 2 } },
	list: [{ a: 1, b: 2 }, { a: 3 }, 'text'],
};

test.each<[string[], IDataObject]>([
	[['name'], { name: 'n' }],
	[['empty', 'name'], { empty: null, name: 'n' }],
	[['dotted.name'], { 'dotted.name': 1 }],
	[['image.url'], { image: { url: 'u' } }],
	[['image.size.width', 'image.url'], { image: { size: { width: 1 }, url: 'u' } }],
	[['image', 'image.url'], { image: RECORD.image }],
	[['image.url', 'image'], { image: RECORD.image }],
	[['list.a'], { list: [{ a: 1 }, { a: 3 }] }],
	[['nothing', 'image.nothing', 'name.first', 'list.nothing.deep', '', '.', 'image.'], { list: [{}, {}] }],
	[['__proto__', 'constructor', 'toString', 'image.__proto__.x'], {}],
])('of a record, %j are %j', (names, expected) => {
	const picked = pickFields(RECORD, names);
	expect(picked).toEqual(expected);
	expect(Object.keys(picked)).toEqual(Object.keys(expected));
});
