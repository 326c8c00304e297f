import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import type { N8nClient } from '../../test/real-n8n/client';
import { Problem } from '../../test/real-n8n/problem';
import { END_WITH_PARENT, runCommand } from '../../test/real-n8n/processes';
import type { Manifest } from './contents';

const loadedSchema = z.object({
	nodes: z.array(z.string()),
	credentials: z.array(z.string()),
	lazyNodes: z.array(z.string()),
	lazyCredentials: z.array(z.string()),
});

/**
 * Loads an installed package in a process of its own, with n8n's loaders, and returns the names of its nodes.
 * @param node the Node.js program
 * @param modules n8n's node_modules
 * @throws Problem when not everything listed could be loaded; CommandFailed when loading fails
 */
export async function load(
	temporary: string,
	node: string,
	modules: string,
	folder: string,
	listed: Manifest['n8n'],
): Promise<string[]> {
	const resultFile = join(temporary, 'loaded.json');
	await runCommand(node, [...END_WITH_PARENT, join(__dirname, 'load.cjs'), modules, folder, resultFile], {
		logFile: join(temporary, 'load.log'),
		cwd: temporary,
		// n8n-core writes a settings file, and prints messages.
		env: {
			PATH: process.env.PATH,
			NODE_PATH: modules,
			N8N_USER_FOLDER: temporary,
			N8N_ENCRYPTION_KEY: 'of the check',
			N8N_LOG_LEVEL: 'error',
		},
	});
	const { nodes, credentials, lazyNodes, lazyCredentials } = loadedSchema.parse(
		JSON.parse(await readFile(resultFile, 'utf8')),
	);
	for (const [what, count, names] of [
		['nodes', listed.nodes.length, nodes],
		['nodes by dist/known', listed.nodes.length, lazyNodes],
		['credentials', listed.credentials.length, credentials],
		['credentials by dist/known', listed.credentials.length, lazyCredentials],
	] as const) {
		if (names.length !== count)
			throw new Problem(`${names.length} of ${count} ${what} could be loaded: ${names.join(', ')}`);
	}
	return nodes;
}

const descriptions = z.array(z.object({ name: z.string(), properties: z.array(z.unknown()) }));

/** Which of the nodes of a package n8n describes when its editor asks for them. */
async function served(client: N8nClient, name: string, nodes: string[]): Promise<string[]> {
	const nodeInfos = nodes.map((node) => ({ name: `${name}.${node}`, version: 1 }));
	const answer = descriptions.parse(await client.request('POST', '/rest/node-types', { nodeInfos }));
	return answer.filter(({ properties }) => properties.length > 0).map((description) => description.name);
}

/** @throws Problem when n8n does not describe all of them */
export async function serves(client: N8nClient, { name }: Pick<Manifest, 'name'>, nodes: string[]): Promise<string> {
	const found = await served(client, name, nodes);
	const missing = nodes.filter((node) => !found.includes(node));
	if (missing.length > 0) throw new Problem(`n8n does not know ${missing.join(', ')}`);
	return `${found.length} node types with their parameters`;
}

const ADDRESS = '/rest/community-packages';
const installedSchema = z.object({ installedVersion: z.string(), installedNodes: z.array(z.unknown()) });

/** Installs the package as Settings, Community Nodes does. @throws Problem when n8n installs something else */
export async function install(
	client: N8nClient,
	{ name, version }: Pick<Manifest, 'name' | 'version'>,
	nodes: string[],
): Promise<string> {
	const { installedVersion, installedNodes } = installedSchema.parse(await client.request('POST', ADDRESS, { name }));
	const said = `${name}@${installedVersion}, ${installedNodes.length} nodes`;
	if (installedVersion !== version || installedNodes.length !== nodes.length)
		throw new Problem(`n8n installed ${said}`);
	return said;
}

/** Removes it as Settings, Community Nodes does. @throws Problem when something of it is left */
export async function remove(client: N8nClient, { name }: Pick<Manifest, 'name'>, nodes: string[]): Promise<string> {
	await client.request('DELETE', `${ADDRESS}?${new URLSearchParams({ name })}`);
	const left = await served(client, name, nodes).catch((error: Error) => {
		if (error.message.includes('Unrecognized node type')) return [];
		throw error;
	});
	if (left.length > 0) throw new Problem(`Removed, and still served: ${left.join(', ')}`);
	return 'nothing of it is left';
}
