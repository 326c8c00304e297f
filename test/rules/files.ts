/** The files that belong to a node. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import { manifest, packageRoot } from '../n8n-core/package';
import { getOptions } from './walk';

/** Most words of a node for n8n's search, besides its actions: each is tried for each key that a person types. */
const MAX_ALIAS_COUNT = 15;

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const linksSchema = z.array(z.object({ url: z.string().url() })).min(1);
const codexSchema = z.object({
	node: z.string(),
	nodeVersion: z.string(),
	codexVersion: z.string(),
	categories: z
		.array(
			z.enum([
				'Analytics',
				'Communication',
				'Data & Storage',
				'Development',
				'Finance & Accounting',
				'Marketing & Content',
				'Miscellaneous',
				'Productivity',
				'Sales',
				'Utility',
			]),
		)
		.min(1),
	alias: z.array(z.string().min(1)).min(1),
	// Without it n8n drops the whole file.
	resources: z.object({ primaryDocumentation: linksSchema, credentialDocumentation: linksSchema }),
});

/** The file that tells n8n's search under what words to find the node. */
export function findCodexFaults(file: string, { description }: INodeType): string[] {
	const codexFile = file.replace(/\.ts$/, '.json');
	if (!existsSync(codexFile)) return ['It has no codex file beside it'];
	const codex = codexSchema.safeParse(readJson(codexFile));
	if (!codex.success) return codex.error.issues.map(({ path, message }) => `Codex, ${path.join('.')}: ${message}`);
	const name = `${manifest.name}.${description.name}`;
	const { alias, node, resources } = codex.data;
	// n8n's panel searches names and these words, but not the actions.
	const operations = description.properties.filter((property) => property.name === 'operation').flatMap(getOptions);
	const actions = operations.flatMap(({ action }) => action ?? []);
	const words = alias.filter((word) => !actions.includes(word));
	return [
		...(words.length <= MAX_ALIAS_COUNT
			? []
			: [`Codex: it has ${words.length} words besides its actions, not ${MAX_ALIAS_COUNT}`]),
		...(node === name ? [] : [`Codex: the node is '${node}', not '${name}'`]),
		...actions
			.filter((action) => !alias.includes(action))
			.map((action) => `Codex: the action '${action}' is no alias, so n8n's panel does not find it`),
		...resources.primaryDocumentation.flatMap(({ url }) => findPageFaults(url, description)),
		...resources.credentialDocumentation.flatMap(({ url }) => findPageFaults(url, CREDENTIAL_PAGE)),
	];
}

/** Where the repository's pages are seen: at the package's homepage, as it is on the main branch. */
const PAGE_URL_PREFIX = manifest.homepage.replace(/#.*$/, '/blob/main/');

/** What is wrong with a link that should lead to a node's own page, or to that of the credential. */
export function findPageFaults(url: string, { displayName }: Pick<INodeTypeDescription, 'displayName'>): string[] {
	const file = join(packageRoot, url.replace(PAGE_URL_PREFIX, ''));
	if (!url.startsWith(PAGE_URL_PREFIX) || !existsSync(file)) return [`${url} is no page of this repository`];
	// The three simulators share a page, whose introduction names them.
	const isItsPage = readFileSync(file, 'utf8').slice(0, 1000).includes(displayName);
	return isItsPage ? [] : [`${url} is not the page of '${displayName}'`];
}

/** The title of the credential's page. */
export const CREDENTIAL_PAGE = { displayName: 'The credential' };

const isSquare = (svg: string): boolean => {
	const box = /viewBox="[-\d.]+[ ,][-\d.]+[ ,]([\d.]+)[ ,]([\d.]+)"/.exec(svg);
	return box !== null && box[1] === box[2];
};

export function findIconFaults(file: string, icon: unknown): string[] {
	const themed = z
		.object({ light: z.string().startsWith('file:'), dark: z.string().startsWith('file:') })
		.safeParse(icon);
	if (!themed.success) return ['It has no light and dark icon'];
	const files = [themed.data.light, themed.data.dark].map((name) => resolve(dirname(file), name.replace('file:', '')));
	const missing = files.filter((name) => !existsSync(name));
	if (missing.length > 0) return missing.map((name) => `There is no icon ${name}`);
	const contents = files.map((name) => readFileSync(name, 'utf8'));
	return [
		...(contents[0] === contents[1] ? ['Its light and dark icons are the same'] : []),
		...files.filter((_name, at) => !isSquare(contents[at] ?? '')).map((name) => `${name} is no square SVG`),
	];
}

const outputSchema = z.object({ type: z.literal('object'), properties: z.record(z.unknown()) });

/** n8n finds an output schema by its place: __schema__/v<version>.0/<resource>/<operation>.json, with v1.0.0 for version 1. */
export function findOutputSchemaFaults(file: string, { description }: INodeType): string[] {
	const root = join(dirname(file), '__schema__');
	if (!existsSync(root)) return [];
	const find = (name: string) => description.properties.find((property) => property.name === name);
	const operation = find('operation');
	const values = operation ? getOptions(operation).map(({ value }) => String(value)) : [];
	const resource = z.string().catch('').parse(find('resource')?.default);
	const folders = [description.version].flat().map((version) => `v${version.toFixed(1)}.0`);
	const allowed = new Set(folders.flatMap((folder) => values.map((value) => `${folder}/${resource}/${value}.json`)));
	const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
	return found.flatMap((name) => [
		...(allowed.has(name.replaceAll('\\', '/')) ? [] : [`No operation has the output schema ${name}`]),
		...(outputSchema.safeParse(readJson(join(root, name))).success
			? []
			: [`${name} does not describe an object's fields`]),
	]);
}
