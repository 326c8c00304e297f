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

const getPagePath = (page: { resource: string }) => `docs/nodes/${getPageName(page)}`;

/** Generates the docs pages, the output schemas and the codex files with n8n's search words. @returns the contents by path */
export function generateFiles({ nodes, triggers }: Documentation): Map<string, string> {
	const shared = findSharedRows(nodes);
	const verbs = listVerbs(nodes);
	const files = new Map([['docs/nodes/README.md', buildIndexPage({ nodes, triggers }, shared)]]);
	for (const node of nodes) {
		if (!isDescribedWithPhishing(node)) files.set(getPagePath(node), buildNodePage(node, shared, { nodes, triggers }));
		files.set(node.codexFile, buildCodex(node, verbs, getPagePath(node)));
		// n8n looks for a schema under the node's version in the workflow: v1.0.0 for version 1.
		for (const { operation, items } of node.operations)
			files.set(
				`nodes/${node.folder}/__schema__/v1.0.0/${node.resource}/${operation.value}.json`,
				`${JSON.stringify(buildOutputSchema(items), null, '\t')}\n`,
			);
	}
	for (const trigger of triggers) {
		files.set(getPagePath(trigger), buildTriggerPage(trigger, shared));
		files.set(trigger.codexFile, buildCodex({ ...trigger, operations: [] }, verbs, getPagePath(trigger)));
	}
	return files;
}

/** The paths at which all files are generated. Other files there belong to removed operations and are deleted. */
const GENERATED_PATHS = /^docs\/nodes\/|\/__schema__\/.*\.json$/;

const readContent = (path: string): string | undefined =>
	existsSync(join(PACKAGE_ROOT, path)) ? readFileSync(join(PACKAGE_ROOT, path), 'utf8') : undefined;

/** Finds the files that aren't up to date. @returns their paths and new contents; undefined for a file to delete */
export function findDifferences(documentation: Documentation) {
	const expectedFiles = generateFiles(documentation);
	const existingPaths = ['docs', 'nodes']
		.flatMap((root) =>
			readdirSync(join(PACKAGE_ROOT, root), { recursive: true, encoding: 'utf8' }).map((name) => `${root}/${name}`),
		)
		.map((path) => path.replaceAll('\\', '/'))
		.filter((path) => GENERATED_PATHS.test(path));
	return [...new Set([...expectedFiles.keys(), ...existingPaths])].sort().flatMap((path) => {
		const content = expectedFiles.get(path);
		return readContent(path) === content ? [] : [{ path, content }];
	});
}
