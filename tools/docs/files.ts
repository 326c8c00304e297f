import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../test/n8n-core/package';
import { codexOf, verbsOf } from './codex';
import { fileOf, indexPage, isTwin, pageOf, pageOfTrigger, sharedRows } from './pages';
import type { Documentation } from './run';
import { schemaOf } from './output';

const pageFile = (one: { resource: string }) => `docs/nodes/${fileOf(one)}`;

/** The files that are generated, by their paths: pages, output schemas and codex files (n8n's search words). */
export function generatedFiles({ nodes, triggers }: Documentation): Map<string, string> {
	const shared = sharedRows(nodes);
	const verbs = verbsOf(nodes);
	const files = new Map([['docs/nodes/README.md', indexPage({ nodes, triggers }, shared)]]);
	for (const node of nodes) {
		if (!isTwin(node)) files.set(pageFile(node), pageOf(node, shared, { nodes, triggers }));
		files.set(node.codexFile, codexOf(node, verbs, pageFile(node)));
		// n8n looks for a schema under the node's version in the workflow: v1.0.0 for version 1.
		for (const { operation, items } of node.operations)
			files.set(
				`nodes/${node.folder}/__schema__/v1.0.0/${node.resource}/${operation.value}.json`,
				`${JSON.stringify(schemaOf(items), null, '\t')}\n`,
			);
	}
	for (const trigger of triggers) {
		files.set(pageFile(trigger), pageOfTrigger(trigger, shared));
		files.set(trigger.codexFile, codexOf({ ...trigger, operations: [] }, verbs, pageFile(trigger)));
	}
	return files;
}

/** Places where nothing else is, so that the files of removed operations are deleted. */
const ONLY_GENERATED = /^docs\/nodes\/|\/__schema__\/.*\.json$/;

const contentOf = (path: string): string | undefined =>
	existsSync(join(packageRoot, path)) ? readFileSync(join(packageRoot, path), 'utf8') : undefined;

/** The files that are not up to date, with the content they should have; undefined if they should not exist. */
export function differences(documentation: Documentation) {
	const wanted = generatedFiles(documentation);
	const there = ['docs', 'nodes']
		.flatMap((root) =>
			readdirSync(join(packageRoot, root), { recursive: true, encoding: 'utf8' }).map((name) => `${root}/${name}`),
		)
		.map((path) => path.replaceAll('\\', '/'))
		.filter((path) => ONLY_GENERATED.test(path));
	return [...new Set([...wanted.keys(), ...there])].sort().flatMap((path) => {
		const content = wanted.get(path);
		return contentOf(path) === content ? [] : [{ path, content }];
	});
}
