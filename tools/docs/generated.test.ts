/** The pages in docs/nodes, the output schemas and n8n's search words match the nodes and the stand-in service. */
import { z } from 'zod';
import { buildCodex, listVerbs } from './codex';
import { findDifferences, generateFiles } from './files';
import { buildOutputSchema } from './output';
import { documentAll, type Documentation, type NodeDocumentation } from './run';

// Every operation runs once: that can take longer than a test may.
let documentation: Documentation;
beforeAll(async () => {
	documentation = await documentAll();
}, 120_000);

test('nothing is left to be written by npm run generate', () => {
	expect(findDifferences(documentation).map(({ path }) => path)).toEqual([]);
});

const listRuns = () =>
	documentation.nodes.flatMap(({ folder, operations }) =>
		operations.map((each) => ({ ...each, title: `${folder}: ${each.operation.value}` })),
	);

test("no ID stands before what a person reads, and the customer's name comes first", () => {
	const isId = (name: string) => /(^id|I[dD])(s|List|Array)?$/.test(name);
	const isWrong = (names: string[]) =>
		names.slice(names.findIndex(isId)).some((name) => names.some(isId) && !isId(name)) ||
		names.indexOf('companyName') > 0;
	const wrong = listRuns().filter(({ items }) =>
		[...items, buildOutputSchema(items).properties].some((fields) => isWrong(Object.keys(fields))),
	);
	expect(wrong.map(({ title }) => title)).toEqual([]);
});

test('what has more than ten fields offers which of them to return', () => {
	const wide = listRuns().filter(({ items }) => items.some((item) => Object.keys(item).length > 10));
	const wrong = wide
		.filter(({ operation: { fields: form, isReadOnly: reads } }) => reads && !('output' in form))
		// A survey's answers are in fields that nobody lists, and are passed through (deployment behaviour, "Training reports").
		.filter(({ title }) => title !== 'TrainingReport: getInteractions');
	expect(wide.length).toBeGreaterThan(20);
	expect(wrong.map(({ title }) => title)).toEqual([]);
});

test('an action that is there no more goes, and words stay', () => {
	const { nodes } = documentation;
	const [node] = nodes;
	if (!node) throw new Error('There are no nodes');
	const verbs = listVerbs(nodes);
	const [action = ''] = node.operations.map(({ operation }) => operation.action);
	const readAliases = (of: NodeDocumentation) =>
		z.object({ alias: z.array(z.string()) }).parse(JSON.parse(buildCodex(of, verbs, ''))).alias;
	expect(readAliases({ ...node, operations: node.operations.slice(1) })).toEqual(
		readAliases(node).filter((word) => word !== action),
	);
	expect(readAliases({ ...node, operations: [] }).length).toBeGreaterThan(0);
});

test('no secret is written down', () => {
	const secrets = documentation.nodes.flatMap(({ operations }) => operations.flatMap((each) => each.secrets));
	const written = [...generateFiles(documentation).values()];
	expect(secrets.length).toBeGreaterThan(10);
	expect(written.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
});
