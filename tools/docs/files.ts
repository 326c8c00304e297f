import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../test/n8n-core/package';
import { indexPage, pageOf, sharedRows } from './pages';
import type { Documented } from './run';
import { schemaOf } from './schema';

function docs(nodes: readonly Documented[]): Map<string, string> {
	const shared = sharedRows(nodes);
	const pages = nodes.map((node) => [`docs/nodes/${node.resource}.md`, pageOf(node, shared)] as const);
	return new Map([['docs/nodes/README.md', indexPage(nodes, shared)], ...pages]);
}

const schemas = (nodes: readonly Documented[]): Map<string, string> =>
	new Map(
		nodes.flatMap(({ folder, resource, operations }) =>
			operations.map(({ operation, items }) => [
				`nodes/${folder}/__schema__/v1.0.0/${resource}/${operation.value}.json`,
				`${JSON.stringify(schemaOf(items), null, '\t')}\n`,
			]),
		),
	);

/** What is made, by the command that makes it, and where only such files are. */
export const KINDS = {
	docs: { make: docs, root: 'docs', place: /^docs\/nodes\// },
	schemas: { make: schemas, root: 'nodes', place: /\/__schema__\/.*\.json$/ },
};

/** The files of a kind that are not as they ought to be, with what they ought to have; undefined: they ought not to be there. */
export function differences(kind: keyof typeof KINDS, nodes: readonly Documented[]) {
	const { make, root, place } = KINDS[kind];
	const wanted = make(nodes);
	const names = readdirSync(join(packageRoot, root), { recursive: true, encoding: 'utf8' }).map(
		(name) => `${root}/${name.replaceAll('\\', '/')}`,
	);
	const there = new Set(names.filter((path) => place.test(path)));
	return [...new Set([...wanted.keys(), ...there])].sort().flatMap((path) => {
		const content = wanted.get(path);
		if (there.has(path) && readFileSync(join(packageRoot, path), 'utf8') === content) return [];
		const what = content === undefined ? 'belongs to no operation' : there.has(path) ? 'is out of date' : 'is missing';
		return [{ path, content, problem: `${path} ${what}: run \`npm run ${kind}\`` }];
	});
}
