/**
 * Simplify, for every operation that has it and with every personality: a record keeps its ID, name, status and times,
 * whatever they are called. PRINT=1 npx jest test/answer/simplifiedEverywhere prints what is kept.
 */
import type { IDataObject } from 'n8n-workflow';
import { cases, type Case } from '../cases';
import { sentIn } from '../cases/case';
import { operationFixture, PERSONALITIES, runCase, shareOf, type OperationFixture } from '../cases/operationFixture';

/** Of these the contract shows no field, so nobody can say which matter. */
const UNKNOWN = /^(searchJobUsers|opened|clicked|submitted|fullReport(OfPeriod)?)$/;
/** What n8n allows an item of a node to have at first. */
const MOST = 10;

async function run(g: OperationFixture, each: Case, more: IDataObject = {}) {
	const prepared = await each.prepare(g.customer);
	const { items } = await runCase(g, each, { ...prepared, parameters: { ...prepared.parameters, ...more } });
	return items.map(({ json }) => json);
}

const hasSimplify = (g: OperationFixture, { node, operation }: Case) => 'simplify' in g.operation(node, operation).form;
const isTime = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value);
const named = (pattern: RegExp) => (json: IDataObject) =>
	Object.keys(json).filter((name) => pattern.test(name) && json[name] !== null);
/** The first of these names that a record has, and all others under which it says the same. */
const alike = (names: string[]) => (json: IDataObject) => {
	const [first = ''] = names.filter((name) => name in json);
	return names.filter((name) => name in json && json[name] === json[first]);
};

/** Names of a record's fields that must not all be lost: those of one kind, in the words of any platform. */
const KINDS: Record<string, (json: IDataObject) => string[]> = {
	identity: alike(['resourceId', 'companyResourceId', 'enrollmentId', 'id', 'trainingId']),
	name: alike(['name', 'companyName', 'trainingName', 'clientName']),
	state: named(/^(status(Id|Name)?|licenceExpired)$/),
};
const timesOf = (json: IDataObject) => Object.keys(json).filter((name) => isTime(json[name]));

/** What a simplified record lacks of the whole one. */
function lacks(simple: IDataObject, whole: IDataObject): string[] {
	const lost = Object.entries(KINDS).flatMap(([kind, namesIn]) => {
		const names = namesIn(whole);
		return names.length === 0 || names.some((name) => name in simple) ? [] : [`its ${kind} (${names.join(', ')})`];
	});
	return [...lost, ...timesOf(whole).filter((name) => !(name in simple))];
}

test('what is lost is found', () => {
	const whole = {
		resourceId: 'a',
		companyName: 'b',
		statusId: 1,
		statusName: 'Active',
		createTime: '2026-01-01T00:00:00Z',
		more: 1,
	};
	expect(lacks({ more: 1 }, whole)).toEqual([
		'its identity (resourceId)',
		'its name (companyName)',
		'its state (statusId, statusName)',
		'createTime',
	]);
	expect(
		lacks({ resourceId: 'a', companyName: 'b', statusName: 'Active', createTime: '2026-01-01T00:00:00Z' }, whole),
	).toEqual([]);
});

const printed: string[] = [];
afterAll(() => {
	if (process.env.PRINT)
		process.stdout.write(
			`${['| Operation | Platform | Kept | Of | Fields |', '|---|---|---|---|---|', ...printed].join('\n')}\n`,
		);
});

describe.each(PERSONALITIES)('$named', ({ personality, named: platform }) => {
	const g = operationFixture(personality);
	// Widgets become rows: test/nodes/widgets.test.ts.
	const simplified = cases.filter(({ operation }) => !UNKNOWN.test(operation) && operation !== 'getWidgetData');

	test('these can be simplified', () => {
		expect(
			simplified.filter((each) => hasSimplify(g, each)).map(({ node, operation }) => `${node} ${operation}`),
		).toEqual([
			// Of fewer fields, but one of them can be the client's secret.
			...[
				'ApiClient get',
				'Company getMany',
				'Company get',
				'Company getOwn',
				'Enrollment create',
				'Enrollment createAndSend',
				'Enrollment get',
			],
			...['Enrollment getFormDetails', 'Enrollment getMany', 'SamlSetting get', 'Training getMany'],
		]);
	});

	test.each(shareOf(personality, simplified))('$node: $operation', async (each) => {
		const simple = await run(g, each);
		if (!hasSimplify(g, each)) {
			// A live deployment has more fields in its lists than anybody could know from the contract.
			if (personality !== 'deployed')
				expect(Math.max(...simple.map((json) => Object.keys(sentIn({ json })).length))).toBeLessThanOrEqual(MOST);
			return;
		}
		g.service.reset();
		const whole = await run(g, each, { simplify: false, output: 'raw' });
		expect(whole).toHaveLength(simple.length);
		for (const [index, json] of simple.entries()) {
			const all = whole[index] ?? {};
			// "sent" is ours, and so is the name that was entered.
			// So is whether a company's users are limited, without which its limit of 0 means the opposite.
			const isOurs = (name: string) =>
				['sent', 'isNumberOfUsersLimited'].includes(name) || (each.operation.startsWith('create') && name === 'name');
			const names = Object.keys(json).filter((name) => !isOurs(name));
			const had = Object.keys(all).filter((name) => !isOurs(name));
			expect(names.filter((name) => name in sentIn({ json })).length).toBeLessThanOrEqual(MOST);
			expect(had).toEqual(expect.arrayContaining(names));
			expect(had.length >= 10 ? names.length : 5).toBeGreaterThanOrEqual(5);
			if (each.operation !== 'getFormDetails') {
				expect(
					names.filter((name) => /^(id|(company|enrollment)?(R|r)esourceId|(training|enrollment)Id)$/.test(name)),
				).not.toEqual([]);
				expect(lacks(json, all)).toEqual([]);
			}
			if (index === 0)
				printed.push(
					`| ${each.node}: ${each.operation} | ${platform} | ${names.length} | ${had.length} | ${names.join(', ')} |`,
				);
		}
	});
});

describe('a live deployment', () => {
	const g = operationFixture('deployed');
	const find = (node: string, operation: string): Case => {
		const found = cases.find((each) => each.node === node && each.operation === operation);
		if (!found) throw new Error(`There is no case of ${node} ${operation}`);
		return found;
	};

	test('the times of an enrollment stand in an object of their own, and stay', async () => {
		const [json] = await run(g, find('Enrollment', 'get'));
		const { startDate, dueDate } = g.customer.holdings.enrollments[1] ?? {};
		expect(JSON.stringify(json)).toContain(startDate);
		expect(JSON.stringify(json)).toContain(dueDate);
	});

	test("a client's secret is in its record, and comes out only where Simplify is off", async () => {
		const [simple] = await run(g, find('ApiClient', 'get'));
		expect(JSON.stringify(simple)).not.toContain('clientSecret');
		g.service.reset();
		const [whole] = await run(g, find('ApiClient', 'get'), { simplify: false });
		const secrets = g.customer.holdings.clients.map(({ clientSecret }) => clientSecret);
		expect(secrets).toContain(whole?.clientSecret);
		for (const secret of secrets) expect(JSON.stringify(simple)).not.toContain(secret);
	});
});
