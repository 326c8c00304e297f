import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { END_WITH_PARENT, runNpm, startProcess, stopProcess } from '../../test/real-n8n/processes';
import { untilReady } from '../../test/real-n8n/ready';
import { freePort } from '../../test/real-n8n/start';

/** A local package registry with only the packages that are published to it. */
export interface Registry {
	url: string;
	/** Runs npm with it, in a folder; what npm prints goes to the log file. @throws CommandFailed */
	npm: (cwd: string, ...args: string[]) => Promise<void>;
	stop: () => Promise<void>;
}

/** Without uplinks nothing is looked up elsewhere: what is not published here does not exist. */
const config = (folder: string) => ({
	storage: join(folder, 'storage'),
	auth: { htpasswd: { file: join(folder, 'htpasswd') } },
	uplinks: {},
	packages: { '**': { access: '$all', publish: '$anonymous' } },
	log: { type: 'stdout', format: 'pretty', level: 'http' },
});

/**
 * Starts a registry on a free port that keeps everything in the folder.
 * @param node the Node.js program that runs it; it needs 22 or newer
 * @param tools the node_modules that it is installed in
 * @throws Problem when it does not start
 */
export async function startRegistry(folder: string, node: string, tools: string): Promise<Registry> {
	await mkdir(folder, { recursive: true });
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	// YAML can be written as JSON.
	const configFile = join(folder, 'config.yaml');
	await writeFile(configFile, JSON.stringify(config(folder)));
	const logFile = join(folder, 'registry.log');
	const program = join(tools, 'verdaccio', 'bin', 'verdaccio');
	const args = [...END_WITH_PARENT, program, '--config', configFile, '--listen', `127.0.0.1:${port}`];
	const child = startProcess(node, args, { cwd: folder, logFile });

	const npmLog = join(folder, 'npm.log');
	const settings = [
		`--registry=${url}/`,
		// npm requires a login to publish; the registry accepts any.
		`--//127.0.0.1:${port}/:_authToken=anybody`,
		// A cache of its own: npm would keep this version's files and hand them out next time.
		`--cache=${join(folder, 'npm-cache')}`,
	];
	const registry: Registry = {
		url,
		npm: async (cwd, ...rest) => await runNpm([...rest, ...settings], { cwd, logFile: npmLog }),
		stop: async () => await stopProcess(child),
	};
	const isReady = async () =>
		await fetch(`${url}/-/ping`).then(
			(response) => response.ok,
			() => false,
		);
	await untilReady('The local registry', child, logFile, isReady);
	return registry;
}
