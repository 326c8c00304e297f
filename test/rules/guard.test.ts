/** Every operation has a decision in the guard's table, and every other request that the package sends. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations, keysOf } from '../contract/catalogue';
import { RULES, ruleAt, ruleFor, UNKNOWN } from '../../nodes/shared/transport/guard/rules';
import { z } from 'zod';
import { loadNode } from '../n8n-core';
import { packageRoot } from '../n8n-core/package';

const listed = allOperations();

test('each operation, at each of its paths, is in the table', async () => {
	const missing = (await listed).flatMap(({ node, operation }) =>
		[...keysOf(operation), ...operation.fallbackContracts, ...operation.substituteContracts]
			.filter((key) => !RULES.has(key))
			.map((key) => `${node} ${operation.value}: add '${key}' to nodes/shared/transport/guard/rules.ts`),
	);
	expect(missing).toEqual([]);
});

test('what the engine repeats as a read is a read in the table, and nothing else is', async () => {
	const others = (await listed).filter(({ operation }) => {
		const effects = keysOf(operation).map((key) => ruleFor(key).effect);
		return operation.reads !== effects.every((effect) => effect === 'read');
	});
	expect(others.map(({ node, operation }) => `${node} ${operation.value}`)).toEqual([]);
});

test('a method other than GET and POST is never a read, and DELETE is always a deletion', () => {
	for (const [key, { effect }] of RULES) {
		if (!/^(GET|POST) /.test(key)) expect({ key, effect }).not.toEqual({ key, effect: 'read' });
		if (key.startsWith('DELETE ')) expect({ key, effect }).toEqual({ key, effect: 'delete' });
	}
});

test('an operation that has a field for the company is bound by it, one that has none is not', async () => {
	const wrong = (await listed).filter(({ operation: { contract, scope } }) => {
		if (contract === null) return false;
		return (scope !== 'credential') !== (ruleFor(contract).binding === 'header');
	});
	expect(wrong.map(({ node, operation }) => `${node} ${operation.value}`)).toEqual([]);
});

test('each path that the sources name is in the table', () => {
	const folder = join(packageRoot, 'nodes');
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
	const others = files.filter((file) => !file.endsWith(join('guard', 'rules.ts')));
	const named = others.flatMap((file) =>
		[...readFileSync(join(folder, file), 'utf8').matchAll(/'((?:GET|POST|PUT|DELETE) \/api\/[^'$]+)'/g)].flatMap(
			([, key]) => key ?? [],
		),
	);
	expect(named.length).toBeGreaterThan(60);
	expect(named.filter((key) => !RULES.has(key))).toEqual([]);
});

const at = (key: string) => {
	const [method = '', path = ''] = key.split(' ');
	return ruleAt(method, path.split('/').slice(1))?.rule;
};

test('each path leads to its own rule, filled in and in any case', () => {
	for (const [key, rule] of RULES) {
		expect({ key, rule: at(key) }).toEqual({ key, rule });
		const [method = '', path = ''] = key.split(' ');
		const filled = path.replace(/\{\w+\}/g, '3f2a9c10-6b1e').toUpperCase();
		expect({ key, rule: at(`${method} ${filled}`) }).toEqual({ key, rule });
	}
});

test('an ID that makes another operation of a path gets the rule of that one', () => {
	expect(at('GET /api/companies/my')).toEqual({ effect: 'read', binding: 'own' });
	expect(at('GET /api/companies/MY')).toEqual({ effect: 'read', binding: 'own' });
	expect(at('POST /api/scim/x/revoke')?.effect).toBe('delete');
});

test('what is not in the table is a write that names no company', () => {
	expect(at('POST /api/companies/search/all')).toBeUndefined();
	expect(ruleFor('GET /api/new')).toEqual(UNKNOWN);
	expect(UNKNOWN).toEqual({ effect: 'write', binding: 'none' });
});

const asTool = z.object({ replacements: z.object({ properties: z.array(z.unknown()) }) });
const withOptions = z.object({ name: z.literal('operation'), options: z.array(z.object({ value: z.string() })) });

test('no node offers an agent to delete, and the node itself still has all its operations', async () => {
	const operations = await listed;
	const deletions = operations.filter(({ operation }) =>
		keysOf(operation).some((key) => ruleFor(key).effect === 'delete'),
	);
	expect(deletions.map(({ node, operation }) => `${node} ${operation.value}`)).toEqual([
		'ApiClient delete',
		'GoogleOAuth revoke',
		'ScimIntegration revokeToken',
	]);
	for (const { node, listed: file, operation } of operations) {
		const { description } = await loadNode(file);
		const offeredIn = (properties: unknown[]) =>
			properties.flatMap((each) => withOptions.safeParse(each).data?.options.map(({ value }) => value) ?? []);
		const tool = asTool.safeParse(description.usableAsTool).data?.replacements ?? description;
		const isOffered = offeredIn(tool.properties).includes(operation.value);
		const isDeletion = deletions.some((each) => each.node === node && each.operation === operation);
		expect({ node, operation: operation.value, isOffered }).toEqual({
			...{ node, operation: operation.value },
			isOffered: !isDeletion,
		});
		expect(offeredIn(description.properties)).toContain(operation.value);
	}
});
