import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Installation } from '../../test/real-n8n/install';
import { END_WITH_PARENT, runNpm, startProcess, stopProcess } from '../../test/real-n8n/processes';
import { untilReady } from '../../test/real-n8n/ready';
import type { Cleanups } from '../../test/real-n8n/stage';
import { freePort } from '../../test/real-n8n/start';

/** A registry on this machine, with only the packages that are published to it. */
export interface Registry {
	publish: (tarball: string) => Promise<void>;
	/** With these settings n8n, and the npm that it starts, take it for the public registry. */
	env: Record<string, string>;
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
 * Starts a registry that keeps everything in the folder, and a proxy that forwards every request to it: n8n needs a
 * license to use another registry than the public one, but it accepts a proxy.
 * @param tools the node_modules that the registry is installed in
 * @throws Problem when one of them does not start
 */
export async function startRegistry(
	folder: string,
	{ node }: Pick<Installation, 'node'>,
	tools: string,
	cleanups: Cleanups,
): Promise<Registry> {
	await mkdir(folder, { recursive: true });
	const port = await freePort();
	const proxyPort = await freePort();
	const url = `http://127.0.0.1:${port}`;
	// YAML can be written as JSON.
	const configFile = join(folder, 'config.yaml');
	await writeFile(configFile, JSON.stringify(config(folder)));
	const start = async (what: string, args: string[], isReady: () => Promise<boolean>) => {
		const logFile = join(folder, `${what}.log`);
		const child = startProcess(node, [...END_WITH_PARENT, ...args], { cwd: folder, logFile });
		cleanups.push(() => stopProcess(child));
		await untilReady(`The ${what}`, child, logFile, () => isReady().catch(() => false));
	};
	const verdaccio = join(tools, 'verdaccio', 'bin', 'verdaccio');
	await start(
		'registry',
		[verdaccio, '--config', configFile, '--listen', `127.0.0.1:${port}`],
		async () => (await fetch(`${url}/-/ping`)).ok,
	);
	const certificate = join(folder, 'proxy.pem');
	const isThere = () => access(certificate).then(() => true);
	await start('proxy', [join(__dirname, 'registryProxy.cjs'), String(proxyPort), url, certificate], isThere);
	return {
		publish: async (tarball) => {
			// npm requires a login to publish; the registry accepts any.
			const settings = [`--registry=${url}/`, `--//127.0.0.1:${port}/:_authToken=anybody`];
			const cache = `--cache=${join(folder, 'npm-cache')}`;
			await runNpm(['publish', tarball, ...settings, cache], { cwd: folder, logFile: join(folder, 'npm.log') });
		},
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: certificate,
		},
	};
}
