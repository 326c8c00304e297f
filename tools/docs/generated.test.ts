/** The pages in docs/nodes and the output schemas are what the nodes and the stand-in service say now. */
import { differences, KINDS } from './files';
import { runAll, type Documented } from './run';

let nodes: Documented[];
beforeAll(async () => {
	nodes = await runAll();
});

test('every operation has its output schema, made from what it gives now', () => {
	expect(differences('schemas', nodes).map(({ problem }) => problem)).toEqual([]);
});

test('every node has its page, made from its description and from what it gives now', () => {
	expect(differences('docs', nodes).map(({ problem }) => problem)).toEqual([]);
});

test('no secret is written down', () => {
	const secrets = nodes.flatMap(({ operations }) => operations.flatMap((each) => each.secrets));
	const written = Object.values(KINDS).flatMap(({ make }) => [...make(nodes).values()]);
	expect(secrets.length).toBeGreaterThan(10);
	expect(written.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
});
