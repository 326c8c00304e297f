/**
 * The pages in docs/nodes, the output schemas and the codex files (n8n's search words) match the nodes and the stand-in
 * service.
 */
import { z } from 'zod';
import { codexOf, verbsOf } from './codex';
import { differences, KINDS } from './files';
import { runAll, type Documentation, type Documented } from './run';

// Every operation, with each version of its node: that can take longer than a test may.
let documentation: Documentation;
beforeAll(async () => {
	documentation = await runAll();
	// Every operation runs once in each version of the nodes.
}, 120_000);

test.each([
	['every operation has its output schema, made from what it gives now', 'schemas'],
	['every node has its page, made from its description and from what it gives now', 'pages'],
	['every node is found by the actions of its operations, and leads to its page', 'codexes'],
] as const)('%s', (_title, kind) => {
	expect(differences(kind, documentation).map(({ problem }) => problem)).toEqual([]);
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
	const written = Object.values(KINDS).flatMap(({ make }) => [...make(documentation).values()]);
	expect(secrets.length).toBeGreaterThan(10);
	expect(written.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
});
