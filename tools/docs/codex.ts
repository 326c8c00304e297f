import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { manifest, PACKAGE_ROOT } from '../../test/n8n-core/package';
import type { NodeDocumentation } from './run';

/** The initial content of a codex file. People then add categories and search words to the file. */
const EMPTY_CODEX = { categories: ['Utility'], alias: [] };

const readCodex = (path: string): Record<string, unknown> =>
	existsSync(join(PACKAGE_ROOT, path))
		? z.record(z.unknown()).parse(JSON.parse(readFileSync(join(PACKAGE_ROOT, path), 'utf8')))
		: EMPTY_CODEX;

const [repository = ''] = manifest.homepage.split('#');
const toLinks = (url: string) => [{ url }];

/**
 * Builds a node's codex file, which contains the node's search words in n8n's panel and the links to its docs. Keeps the categories
 * and search words of the existing file, and adds the actions of the node's operations. An entry of the existing file that starts
 * with a verb was the action of an operation in an earlier version, so it isn't kept.
 * @param verbs the first words of all actions, such as "Create"
 * @param page the path of the node's page in the repository
 */
export function buildCodex(
	{ codexFile, description, operations }: Pick<NodeDocumentation, 'codexFile' | 'description' | 'operations'>,
	verbs: ReadonlySet<string>,
	page: string,
): string {
	const current = readCodex(codexFile);
	const words = z.array(z.string()).parse(current.alias);
	const codex = {
		node: `${manifest.name}.${description.name}`,
		nodeVersion: '1.0',
		codexVersion: '1.0',
		...current,
		alias: [
			...words.filter((word) => !verbs.has(word.split(' ')[0] ?? '')),
			...operations.map(({ operation }) => operation.action),
		],
		resources: {
			credentialDocumentation: toLinks(`${repository}/blob/main/docs/credential.md`),
			primaryDocumentation: toLinks(`${repository}/blob/main/${page}`),
		},
	};
	return `${JSON.stringify(codex, null, '\t')}\n`;
}

/** Lists the first words of all actions of all nodes. */
export const listVerbs = (nodes: readonly NodeDocumentation[]): Set<string> =>
	new Set(nodes.flatMap(({ operations }) => operations.map(({ operation }) => operation.action.split(' ')[0] ?? '')));
