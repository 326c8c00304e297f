/** Checks the files that belong to a node: its codex, icons and output schemas. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import { manifest, PACKAGE_ROOT } from '../n8n-core/package';
import { listOperationOptions } from './nodeFields';

/** The maximum number of a node's search words, not counting its actions. n8n tries every word at every keystroke. */
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
	// n8n ignores a codex file without resources.
	resources: z.object({ primaryDocumentation: linksSchema, credentialDocumentation: linksSchema }),
});

/** Checks a node's codex file, which has the words by which n8n's search finds the node. @param file the source of the node */
export function findCodexFaults(file: string, { description }: INodeType): string[] {
	const codexFile = file.replace(/\.ts$/, '.json');
	if (!existsSync(codexFile)) return ['It has no codex file beside it'];
	const codex = codexSchema.safeParse(readJson(codexFile));
	if (!codex.success) return codex.error.issues.map(({ path, message }) => `Codex, ${path.join('.')}: ${message}`);
	const nodeName = `${manifest.name}.${description.name}`;
	const { alias, node, resources } = codex.data;
	// n8n's node panel searches the names and aliases of nodes, but not their actions. Therefore the aliases must include the actions.
	const operations = listOperationOptions(description);
	const actions = operations.flatMap(({ action }) => action ?? []);
	const otherWords = alias.filter((word) => !actions.includes(word));
	const faults: string[] = [];
	if (otherWords.length > MAX_ALIAS_COUNT)
		faults.push(`Codex: it has ${otherWords.length} words besides its actions, not ${MAX_ALIAS_COUNT}`);
	if (node !== nodeName) faults.push(`Codex: the node is '${node}', not '${nodeName}'`);
	const missingActions = actions.filter((action) => !alias.includes(action));
	return [
		...faults,
		...missingActions.map((action) => `Codex: the action '${action}' is no alias, so n8n's panel does not find it`),
		...resources.primaryDocumentation.flatMap(({ url }) => findPageFaults(url, description)),
		...resources.credentialDocumentation.flatMap(({ url }) => findPageFaults(url, CREDENTIAL_PAGE_TITLE)),
	];
}

/** The beginning of the URL of every page: the main branch in the repository of the package's homepage. */
const PAGE_URL_PREFIX = manifest.homepage.replace(/#.*$/, '/blob/main/');

/** Checks that a URL leads to the page of a node or of the credential. @param displayName the name that the page must have */
export function findPageFaults(url: string, { displayName }: Pick<INodeTypeDescription, 'displayName'>): string[] {
	const file = join(PACKAGE_ROOT, url.replace(PAGE_URL_PREFIX, ''));
	if (!url.startsWith(PAGE_URL_PREFIX) || !existsSync(file)) return [`${url} is no page of this repository`];
	// The node's name may be in the introduction instead of the title, because the three simulators share a page.
	const isOwnPage = readFileSync(file, 'utf8').slice(0, 1000).includes(displayName);
	return isOwnPage ? [] : [`${url} is not the page of '${displayName}'`];
}

/** The title that the credential's page must have. */
export const CREDENTIAL_PAGE_TITLE = { displayName: 'The credential' };

const isSquare = (svg: string): boolean => {
	const viewBox = /viewBox="[-\d.]+[ ,][-\d.]+[ ,]([\d.]+)[ ,]([\d.]+)"/.exec(svg);
	if (viewBox === null) return false;
	const [, width, height] = viewBox;
	return width === height;
};

const themedIconSchema = z.object({ light: z.string().startsWith('file:'), dark: z.string().startsWith('file:') });

/** Checks that a node or a credential has a light and a dark icon, which are different and square. */
export function findIconFaults(file: string, icon: unknown): string[] {
	const themedIcon = themedIconSchema.safeParse(icon);
	if (!themedIcon.success) return ['It has no light and dark icon'];
	const { light, dark } = themedIcon.data;
	const iconFiles = [light, dark].map((name) => resolve(dirname(file), name.replace('file:', '')));
	const missingFiles = iconFiles.filter((iconFile) => !existsSync(iconFile));
	if (missingFiles.length > 0) return missingFiles.map((iconFile) => `There is no icon ${iconFile}`);
	const contents = iconFiles.map((iconFile) => readFileSync(iconFile, 'utf8'));
	const nonSquareFiles = iconFiles.filter((_iconFile, index) => !isSquare(contents[index] ?? ''));
	const faults = nonSquareFiles.map((iconFile) => `${iconFile} is no square SVG`);
	if (contents[0] === contents[1]) faults.unshift('Its light and dark icons are the same');
	return faults;
}

const outputSchema = z.object({ type: z.literal('object'), properties: z.record(z.unknown()) });

/** Checks a node's output schemas. n8n finds a schema by its path: __schema__/v1.0.0/<resource>/<operation>.json for version 1. */
export function findOutputSchemaFaults(file: string, { description }: INodeType): string[] {
	const schemaFolder = join(dirname(file), '__schema__');
	if (!existsSync(schemaFolder)) return [];
	const versions = [description.version].flat().map((version) => `v${version.toFixed(1)}.0`);
	const allowedPaths = new Set(
		versions.flatMap((version) =>
			listOperationOptions(description).map(({ resource, value }) => `${version}/${resource}/${String(value)}.json`),
		),
	);
	const schemaFiles = readdirSync(schemaFolder, { recursive: true, encoding: 'utf8' });
	return schemaFiles
		.filter((name) => name.endsWith('.json'))
		.flatMap((name) => {
			const faults: string[] = [];
			if (!allowedPaths.has(name.replaceAll('\\', '/'))) faults.push(`No operation has the output schema ${name}`);
			if (!outputSchema.safeParse(readJson(join(schemaFolder, name))).success)
				faults.push(`${name} does not describe an object's fields`);
			return faults;
		});
}
