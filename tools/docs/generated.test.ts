/** The pages in docs/nodes, the output schemas and n8n's search words match the nodes and the stand-in service. */
import { z } from 'zod';
import { codexOf, verbsOf } from './codex';
import { differences, generatedFiles } from './files';
import { runAll, type Documentation, type Documented } from './run';

// Every operation runs once: that can take longer than a test may.
let documentation: Documentation;
beforeAll(async () => {
	documentation = await runAll();
}, 120_000);

test('nothing is left to be written by npm run generate', () => {
	expect(differences(documentation).map(({ path }) => path)).toEqual([]);
});

test('an action that is there no more goes, and words stay', () => {
	const { nodes } = documentation;
	const [node] = nodes;
	if (!node) throw new Error('There are no nodes');
	const verbs = verbsOf(nodes);
	const [action = ''] = node.operations.map(({ operation }) => operation.action);
	const words = (of: Documented) =>
		z.object({ alias: z.array(z.string()) }).parse(JSON.parse(codexOf(of, verbs, ''))).alias;
	expect(words({ ...node, operations: node.operations.slice(1) })).toEqual(
		words(node).filter((word) => word !== action),
	);
	expect(words({ ...node, operations: [] }).length).toBeGreaterThan(0);
});

test('no secret is written down', () => {
	const secrets = documentation.nodes.flatMap(({ operations }) => operations.flatMap((each) => each.secrets));
	const written = [...generatedFiles(documentation).values()];
	expect(secrets.length).toBeGreaterThan(10);
	expect(written.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
});
