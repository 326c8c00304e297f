import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import { CREDENTIAL_TYPE } from '../../real-n8n/workflow';
import { manifest } from '../../n8n-core/package';
import type { CheckResult } from './checkResult';

const PACKAGE_PREFIX = `${manifest.name}.`;
/**
 * Each node in package.json, with its folder in nodes/ and its name in n8n. package.json lists paths such as
 * dist/nodes/Company/SecurityAwarenessCompany.node.js.
 */
const NODES = manifest.n8n.nodes.map((path) => {
	const [, folder = '', className = ''] = /nodes\/(\w+)\/(\w+)\.node\.js$/.exec(path) ?? [];
	return {
		folder,
		name: PACKAGE_PREFIX + className.charAt(0).toLowerCase() + className.slice(1),
		isTrigger: className.endsWith('Trigger'),
	};
});

const typeSchema = z.object({
	name: z.string(),
	outputs: z.unknown(),
	iconUrl: z.object({ light: z.string(), dark: z.string() }).optional(),
});
type NodeType = z.infer<typeof typeSchema>;

async function fetchTypes({ client }: TestEnvironment, list: 'nodes' | 'credentials'): Promise<Map<string, NodeType>> {
	const allTypes = z
		.array(z.object({ name: z.string() }).passthrough())
		.parse(await (await client.fetchFile(`/types/${list}.json`)).json());
	const ownTypes = allTypes.filter(({ name }) => name.startsWith(PACKAGE_PREFIX) || name === CREDENTIAL_TYPE);
	return new Map(ownTypes.map((type) => [type.name, typeSchema.parse(type)]));
}

/** Checks that n8n lists every node and has loaded the package lazily, which means that it loads a node when it is first used. */
export async function checkNodesAreListed(environment: TestEnvironment): Promise<CheckResult> {
	const typesByName = await fetchTypes(environment, 'nodes');
	const log = await readFile(environment.n8n.logFile, 'utf8');
	const missingNodes = NODES.filter(({ name }) => !typesByName.has(name)).map(
		({ name }) => `n8n does not know the node ${name}.`,
	);
	const isLazy = new RegExp(
		`"Lazy-loading nodes and credentials from ${manifest.name}".*"nodes":${NODES.length}\\b`,
	).test(log);
	const loadFailures = isLazy ? [] : ['n8n did not load the package lazily.'];
	return { checkedCount: NODES.length + 1, failures: [...missingNodes, ...loadFailures] };
}

/** Checks that n8n offers every node except triggers as a tool for AI agents. */
export async function checkToolsAreListed(environment: TestEnvironment): Promise<CheckResult> {
	const typesByName = await fetchTypes(environment, 'nodes');
	const failures = NODES.flatMap(({ name, isTrigger }) => {
		const tool = typesByName.get(`${name}Tool`);
		if (isTrigger) return tool ? [`${name} is offered as a tool.`] : [];
		return JSON.stringify(tool?.outputs ?? '').includes('ai_tool') ? [] : [`${name} is not offered as a tool.`];
	});
	return { checkedCount: NODES.length, failures };
}

/** Checks that n8n serves the light and dark icons of all nodes and of the credential. */
export async function checkIconsAreServed(environment: TestEnvironment): Promise<CheckResult> {
	const nodes = await fetchTypes(environment, 'nodes');
	const credential = (await fetchTypes(environment, 'credentials')).get(CREDENTIAL_TYPE);
	const typesWithIcons = [
		...NODES.map(({ name }) => ({ name, icons: nodes.get(name)?.iconUrl })),
		{ name: CREDENTIAL_TYPE, icons: credential?.iconUrl },
	];
	const failures: string[] = [];
	for (const { name, icons } of typesWithIcons) {
		if (!icons || icons.light === icons.dark) failures.push(`${name} has no icon of its own for light and for dark.`);
		for (const url of Object.values(icons ?? {})) {
			const response = await environment.client.fetchFile(`/${url}`);
			const isPicture =
				(response.headers.get('content-type') ?? '').includes('image/svg+xml') &&
				(await response.text()).includes('<svg');
			if (!isPicture) failures.push(`${url} is not a picture.`);
		}
	}
	return { checkedCount: 2 * typesWithIcons.length, failures };
}

/** Checks that n8n serves the same output schema for every operation as the installed package contains. */
export async function checkSchemasAreServed({ client, n8n }: TestEnvironment): Promise<CheckResult> {
	const distNodesFolder = join(n8n.userFolder, '.n8n', 'nodes', 'node_modules', manifest.name, 'dist', 'nodes');
	const failures: string[] = [];
	let checkedCount = 0;
	for (const { folder, name } of NODES) {
		const schemas = join(distNodesFolder, folder, '__schema__', 'v1.0.0');
		const files = await readdir(schemas, { recursive: true }).catch(() => []);
		for (const file of files.filter((path) => path.endsWith('.json'))) {
			checkedCount++;
			const expectedSchema: unknown = JSON.parse(await readFile(join(schemas, file), 'utf8'));
			const servedSchema: unknown = await client.fetchFile(`/schemas/${name}/1.0.0/${file}`).then(
				(response) => response.json(),
				(error: unknown) => String(error),
			);
			if (!isDeepStrictEqual(servedSchema, expectedSchema))
				failures.push(`The schema ${file} of ${name} is not served.`);
		}
	}
	return { checkedCount, failures };
}
