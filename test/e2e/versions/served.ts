import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import type { TestEnvironment } from '../../real-n8n/stage';
import { CREDENTIAL_TYPE } from '../../real-n8n/workflow';
import { manifest } from '../../n8n-core/package';
import type { CheckResult } from './check';

const PREFIX = `${manifest.name}.`;
/** Of a node's file, dist/nodes/Company/SecurityAwarenessCompany.node.js: its name in n8n and its folder. */
const NODES = manifest.n8n.nodes.map((path) => {
	const [, folder = '', className = ''] = /nodes\/(\w+)\/(\w+)\.node\.js$/.exec(path) ?? [];
	return {
		folder,
		name: PREFIX + className.charAt(0).toLowerCase() + className.slice(1),
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
	const listed = z
		.array(z.object({ name: z.string() }).passthrough())
		.parse(await (await client.fetchFile(`/types/${list}.json`)).json());
	const ours = listed.filter(({ name }) => name.startsWith(PREFIX) || name === CREDENTIAL_TYPE);
	return new Map(ours.map((each) => [each.name, typeSchema.parse(each)]));
}

/** Whether n8n knows every node, and has taken them from the lists that are made for loading them when they are needed. */
export async function checkNodesAreListed(stage: TestEnvironment): Promise<CheckResult> {
	const types = await fetchTypes(stage, 'nodes');
	const log = await readFile(stage.n8n.logFile, 'utf8');
	const missing = NODES.filter(({ name }) => !types.has(name)).map(({ name }) => `n8n does not know the node ${name}.`);
	const lazy = new RegExp(
		`"Lazy-loading nodes and credentials from ${manifest.name}".*"nodes":${NODES.length}\\b`,
	).test(log);
	const eager = lazy ? [] : ['n8n did not load the package lazily.'];
	return { checked: NODES.length + 1, failures: [...missing, ...eager] };
}

/** Whether an AI agent is offered every action node as a tool, and no trigger. */
export async function checkToolsAreListed(stage: TestEnvironment): Promise<CheckResult> {
	const types = await fetchTypes(stage, 'nodes');
	const failures = NODES.flatMap(({ name, isTrigger }) => {
		const tool = types.get(`${name}Tool`);
		if (isTrigger) return tool ? [`${name} is offered as a tool.`] : [];
		return JSON.stringify(tool?.outputs ?? '').includes('ai_tool') ? [] : [`${name} is not offered as a tool.`];
	});
	return { checked: NODES.length, failures };
}

/** Whether n8n serves each node's and the credential's icons, light and dark. */
export async function checkIconsAreServed(stage: TestEnvironment): Promise<CheckResult> {
	const nodes = await fetchTypes(stage, 'nodes');
	const credential = (await fetchTypes(stage, 'credentials')).get(CREDENTIAL_TYPE);
	const shown = [
		...NODES.map(({ name }) => ({ name, icons: nodes.get(name)?.iconUrl })),
		{ name: CREDENTIAL_TYPE, icons: credential?.iconUrl },
	];
	const failures: string[] = [];
	for (const { name, icons } of shown) {
		if (!icons || icons.light === icons.dark) failures.push(`${name} has no icon of its own for light and for dark.`);
		for (const url of Object.values(icons ?? {})) {
			const answer = await stage.client.fetchFile(`/${url}`);
			const isPicture =
				(answer.headers.get('content-type') ?? '').includes('image/svg+xml') && (await answer.text()).includes('<svg');
			if (!isPicture) failures.push(`${url} is not a picture.`);
		}
	}
	return { checked: 2 * shown.length, failures };
}

/** Whether n8n serves the schema of every operation's output as it is in the installed package. */
export async function checkSchemasAreServed({ client, n8n }: TestEnvironment): Promise<CheckResult> {
	const dist = join(n8n.userFolder, '.n8n', 'nodes', 'node_modules', manifest.name, 'dist', 'nodes');
	const failures: string[] = [];
	let checked = 0;
	for (const { folder, name } of NODES) {
		const schemas = join(dist, folder, '__schema__', 'v1.0.0');
		const files = await readdir(schemas, { recursive: true }).catch(() => []);
		for (const file of files.filter((each) => each.endsWith('.json'))) {
			checked++;
			const wanted: unknown = JSON.parse(await readFile(join(schemas, file), 'utf8'));
			const served: unknown = await client.fetchFile(`/schemas/${name}/1.0.0/${file}`).then(
				(answer) => answer.json(),
				(error: unknown) => String(error),
			);
			if (!isDeepStrictEqual(served, wanted)) failures.push(`The schema ${file} of ${name} is not served.`);
		}
	}
	return { checked, failures };
}
