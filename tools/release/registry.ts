import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Installation } from '../../test/real-n8n/installN8n';
import { Problem } from '../../test/real-n8n/problem';
import { END_WITH_PARENT_ARGS, runNpm, startProcess, stopProcess } from '../../test/real-n8n/processes';
import { waitUntilReady } from '../../test/real-n8n/waitUntilReady';
import type { Cleanups } from '../../test/real-n8n/testEnvironment';
import { findFreePort } from '../../test/real-n8n/startN8n';
import type { PublishOptions } from './publishCommand';

/** An npm registry on this machine. It only contains the packages that were published to it. */
export interface Registry {
	/** Publishes the package: first as a dry run with all options, then really. @throws Problem with npm's warnings, if any */
	publish: (tarball: string, options: PublishOptions) => Promise<void>;
	/** Environment variables that make n8n, and the npm that n8n starts, use this registry instead of the public one. */
	env: Record<string, string>;
}

/** Builds the registry's configuration. Without uplinks, the registry doesn't look up packages in other registries. */
const buildConfig = (folder: string) => ({
	storage: join(folder, 'storage'),
	auth: { htpasswd: { file: join(folder, 'htpasswd') } },
	uplinks: {},
	packages: { '**': { access: '$all', publish: '$anonymous' } },
	log: { type: 'stdout', format: 'pretty', level: 'http' },
});

/**
 * Starts a registry that keeps its files in the folder, and a proxy that forwards every request to the registry. The proxy is needed
 * because n8n without a license always uses npm's public registry.
 * @param modulesFolder the path of the node_modules folder that contains the registry's program
 * @throws Problem if the registry or the proxy doesn't start
 */
export async function startRegistry(
	folder: string,
	{ nodePath }: Pick<Installation, 'nodePath'>,
	modulesFolder: string,
	cleanups: Cleanups,
): Promise<Registry> {
	await mkdir(folder, { recursive: true });
	const port = await findFreePort();
	const proxyPort = await findFreePort();
	const url = `http://127.0.0.1:${port}`;
	// The registry reads YAML. JSON is valid YAML.
	const configFile = join(folder, 'config.yaml');
	await writeFile(configFile, JSON.stringify(buildConfig(folder)));
	const startServer = async (name: string, args: string[], isReady: () => Promise<boolean>) => {
		const logFile = join(folder, `${name}.log`);
		const child = startProcess(nodePath, [...END_WITH_PARENT_ARGS, ...args], { cwd: folder, logFile });
		cleanups.push(() => stopProcess(child));
		await waitUntilReady(`The ${name}`, child, logFile, () => isReady().catch(() => false));
	};
	const verdaccio = join(modulesFolder, 'verdaccio', 'bin', 'verdaccio');
	await startServer(
		'registry',
		[verdaccio, '--config', configFile, '--listen', `127.0.0.1:${port}`],
		async () => (await fetch(`${url}/-/ping`)).ok,
	);
	const certificateFile = join(folder, 'proxy.pem');
	const isProxyReady = () => access(certificateFile).then(() => true);
	await startServer(
		'proxy',
		[join(__dirname, 'registryProxy.cjs'), String(proxyPort), url, certificateFile],
		isProxyReady,
	);
	return {
		publish: async (tarball, { all, withoutProvenance }) => {
			// npm requires a token to publish. The registry accepts any token.
			const settings = [`--registry=${url}/`, `--//127.0.0.1:${port}/:_authToken=anybody`];
			const cache = `--cache=${join(folder, 'npm-cache')}`;
			const logFile = join(folder, 'npm.log');
			const runPublish = (options: string[]) =>
				runNpm(['publish', tarball, ...options, ...settings, cache], { cwd: folder, logFile });
			await runPublish([...all, '--dry-run']);
			await runPublish(withoutProvenance);
			const warnings = (await readFile(logFile, 'utf8')).match(/^npm warn publish .*$/gm);
			if (warnings) throw new Problem(warnings.join('\n'));
		},
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: certificateFile,
		},
	};
}
