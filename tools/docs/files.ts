import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../test/n8n-core/package';
import { codexOf, verbsOf } from './codex';
import { indexPage, pageOf, pageOfTrigger, sharedRows } from './pages';
import type { Documentation } from './run';
import { schemaOf } from './schema';

const pageFile = ({ resource }: { resource: string }) => `docs/nodes/${resource}.md`;

function pages({ nodes, triggers }: Documentation): Map<string, string> {
	const shared = sharedRows(nodes);
	const ofNodes = nodes.map((node) => [pageFile(node), pageOf(node, shared, triggers)] as const);
	const ofTriggers = triggers.map((trigger) => [pageFile(trigger), pageOfTrigger(trigger, shared)] as const);
	return new Map([['docs/nodes/README.md', indexPage({ nodes, triggers }, shared)], ...ofNodes, ...ofTriggers]);
}

/** n8n looks for a schema under the node's version in the workflow: v1.0.0 for version 1. */
const schemas = ({ nodes }: Documentation): Map<string, string> =>
	new Map(
		nodes.flatMap(({ folder, resource, operations }) =>
			operations.map(({ operation, items }) => [
				`nodes/${folder}/__schema__/v1.0.0/${resource}/${operation.value}.json`,
				`${JSON.stringify(schemaOf(items), null, '\t')}\n`,
			]),
		),
	);

function codexes({ nodes, triggers }: Documentation): Map<string, string> {
	const verbs = verbsOf(nodes);
	return new Map([
		...nodes.map((node) => [node.codexFile, codexOf(node, verbs, pageFile(node))] as const),
		...triggers.map((each) => [each.codexFile, codexOf({ ...each, operations: [] }, verbs, pageFile(each))] as const),
	]);
}

/**
 * The files that are generated from the nodes, and the places that have no other files, so that files of removed
 * operations are deleted.
 */
export const KINDS = {
	pages: { make: pages, only: { root: 'docs', place: /^docs\/nodes\// } },
	schemas: { make: schemas, only: { root: 'nodes', place: /\/__schema__\/.*\.json$/ } },
	codexes: { make: codexes, only: undefined },
};

export type Kind = keyof typeof KINDS;

const contentOf = (path: string): string | undefined =>
	existsSync(join(packageRoot, path)) ? readFileSync(join(packageRoot, path), 'utf8') : undefined;

/**
 * The generated files that are not up to date, with the content they should have; undefined if they should not exist.
 */
export function differences(kind: Kind, documentation: Documentation) {
	const { make, only } = KINDS[kind];
	const wanted = make(documentation);
	const names = only ? readdirSync(join(packageRoot, only.root), { recursive: true, encoding: 'utf8' }) : [];
	const there = names.map((name) => `${only?.root}/${name.replaceAll('\\', '/')}`);
	const generated = there.filter((path) => only?.place.test(path));
	return [...new Set([...wanted.keys(), ...generated])].sort().flatMap((path) => {
		const content = wanted.get(path);
		const current = contentOf(path);
		if (current === content) return [];
		const what = content === undefined ? 'belongs to no operation' : current ? 'is out of date' : 'is missing';
		return [{ path, content, problem: `${path} ${what}: run \`npm run generate\`` }];
	});
}
