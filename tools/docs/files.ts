import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../test/n8n-core/package';
import { buildCodex, listVerbs } from './codex';
import {
	getPageName,
	buildIndexPage,
	isDescribedWithPhishing,
	buildNodePage,
	buildTriggerPage,
	findSharedRows,
} from './pages';
import type { Documentation } from './run';
import { buildOutputSchema } from './output';

const getPagePath = (page: { name: string }) => `docs/nodes/${getPageName(page)}`;

/** Generates the docs pages, the output schemas and the codex files. @returns the contents of the files by path */
export function generateFiles({ nodes, triggers }: Documentation): Map<string, string> {
	const sharedRows = findSharedRows(nodes);
	const verbs = listVerbs(nodes);
	const contentsByPath = new Map([['docs/nodes/README.md', buildIndexPage({ nodes, triggers }, sharedRows)]]);
	for (const node of nodes) {
		if (!isDescribedWithPhishing(node))
			contentsByPath.set(getPagePath(node), buildNodePage(node, sharedRows, { nodes, triggers }));
		contentsByPath.set(node.codexFile, buildCodex(node, verbs, getPagePath(node)));
		// n8n looks for a schema in a folder named after the node's version: v1.0.0 for version 1.
		for (const { resource, operation, items } of node.operations)
			contentsByPath.set(
				`nodes/${node.folder}/__schema__/v1.0.0/${resource}/${operation.value}.json`,
				`${JSON.stringify(buildOutputSchema(items), null, '\t')}\n`,
			);
	}
	for (const trigger of triggers) {
		contentsByPath.set(getPagePath(trigger), buildTriggerPage(trigger, sharedRows));
		contentsByPath.set(trigger.codexFile, buildCodex({ ...trigger, operations: [] }, verbs, getPagePath(trigger)));
	}
	return contentsByPath;
}

/**
 * Matches paths at which all files are generated. An existing file that isn't generated any more belongs to a removed operation, and
 * is deleted.
 */
const GENERATED_PATHS = /^docs\/nodes\/|\/__schema__\/.*\.json$/;

const readContent = (path: string): string | undefined =>
	existsSync(join(PACKAGE_ROOT, path)) ? readFileSync(join(PACKAGE_ROOT, path), 'utf8') : undefined;

/** Finds the files that aren't up to date. @returns their paths and new contents. The content of a file to delete is undefined. */
export function findDifferences(documentation: Documentation) {
	const expectedContentsByPath = generateFiles(documentation);
	const existingPaths = ['docs', 'nodes']
		.flatMap((root) =>
			readdirSync(join(PACKAGE_ROOT, root), { recursive: true, encoding: 'utf8' }).map((name) => `${root}/${name}`),
		)
		.map((path) => path.replaceAll('\\', '/'))
		.filter((path) => GENERATED_PATHS.test(path));
	return [...new Set([...expectedContentsByPath.keys(), ...existingPaths])].sort().flatMap((path) => {
		const content = expectedContentsByPath.get(path);
		return readContent(path) === content ? [] : [{ path, content }];
	});
}
