import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { manifest, packageRoot } from '../../test/n8n-core/package';
import type { NodeDocumentation } from './run';

/** What a node's codex file has before anybody adds words and a category to it. */
const EMPTY_CODEX = { categories: ['Utility'], alias: [] };

const readCodex = (path: string): Record<string, unknown> =>
	existsSync(join(packageRoot, path))
		? z.record(z.unknown()).parse(JSON.parse(readFileSync(join(packageRoot, path), 'utf8')))
		: EMPTY_CODEX;

const [repository = ''] = manifest.homepage.split('#');
const toLinks = (url: string) => [{ url }];

/**
 * The file that gives n8n's panel the words by which a node is found, and the address of its page. Categories and words
 * in the file are kept; the actions of its operations follow the words. An action that no longer exists is recognised
 * by its verb, so that it is not kept as a word.
 * @param verbs the first word of every action: "Create"
 * @param page where the node's page is in the repository
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

/** The first word of every action of every node. */
export const listVerbs = (nodes: readonly NodeDocumentation[]): Set<string> =>
	new Set(nodes.flatMap(({ operations }) => operations.map(({ operation }) => operation.action.split(' ')[0] ?? '')));
