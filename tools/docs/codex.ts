import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { manifest, PACKAGE_ROOT } from '../../test/n8n-core/package';
import type { NodeDocumentation } from './run';

/** The content of a new codex file. Later, maintainers add categories and search words to the file by hand. */
const EMPTY_CODEX = { categories: ['Utility'], alias: [] };

const readCodex = (path: string): Record<string, unknown> =>
	existsSync(join(PACKAGE_ROOT, path))
		? z.record(z.unknown()).parse(JSON.parse(readFileSync(join(PACKAGE_ROOT, path), 'utf8')))
		: EMPTY_CODEX;

const [repository = ''] = manifest.homepage.split('#');
const toLinks = (url: string) => [{ url }];

/**
 * Builds a node's codex file. It contains the search words with which n8n's node panel finds the node, and links to the node's docs.
 * Keeps the categories and search words of the existing file, and adds the actions of the node's operations. Existing search words
 * that start with a verb are not kept, because they are actions of an earlier version.
 * @param verbs the first words of all actions, such as "Create"
 * @param pagePath the path of the node's docs page in the repository
 */
export function buildCodex(
	{ codexFile, description, operations }: Pick<NodeDocumentation, 'codexFile' | 'description' | 'operations'>,
	verbs: ReadonlySet<string>,
	pagePath: string,
): string {
	const existingCodex = readCodex(codexFile);
	const searchWords = z.array(z.string()).parse(existingCodex.alias);
	const codex = {
		node: `${manifest.name}.${description.name}`,
		nodeVersion: '1.0',
		codexVersion: '1.0',
		...existingCodex,
		alias: [
			...searchWords.filter((word) => !verbs.has(word.split(' ')[0] ?? '')),
			...operations.map(({ operation }) => operation.action),
		],
		resources: {
			credentialDocumentation: toLinks(`${repository}/blob/main/docs/credential.md`),
			primaryDocumentation: toLinks(`${repository}/blob/main/${pagePath}`),
		},
	};
	return `${JSON.stringify(codex, null, '\t')}\n`;
}

/** Lists the first words of all actions of all nodes. */
export const listVerbs = (nodes: readonly NodeDocumentation[]): Set<string> =>
	new Set(nodes.flatMap(({ operations }) => operations.map(({ operation }) => operation.action.split(' ')[0] ?? '')));
