import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { END_WITH_PARENT, startProcess, stopProcess } from '../../test/real-n8n/processes';
import { untilReady } from '../../test/real-n8n/ready';
import { freePort } from '../../test/real-n8n/start';

/** A proxy in front of a registry on this machine. */
export interface RegistryProxy {
	/** The environment variables with which n8n, and the npm that it starts, send all their requests to the proxy. */
	env: Record<string, string>;
	stop: () => Promise<void>;
}

/**
 * Starts a proxy that forwards all requests to one server. n8n needs a license to use another registry than the public one,
 * but it accepts a proxy.
 * @param folder where the proxy's log and certificate are written
 * @param node the Node.js program that runs it, 20 or newer
 * @param target the address of the server
 * @throws Problem when it cannot be started
 */
export async function startRegistryProxy(folder: string, node: string, target: string): Promise<RegistryProxy> {
	const port = await freePort();
	const certificate = join(folder, 'registryProxy.pem');
	const logFile = join(folder, 'registryProxy.log');
	const child = startProcess(
		node,
		[...END_WITH_PARENT, join(__dirname, 'registryProxy.cjs'), String(port), target, certificate],
		{ cwd: folder, logFile },
	);
	const isReady = async () =>
		await access(certificate).then(
			() => true,
			() => false,
		);
	await untilReady('The proxy in front of the registry', child, logFile, isReady);
	return {
		env: { HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '127.0.0.1,localhost', NODE_EXTRA_CA_CERTS: certificate },
		stop: async () => await stopProcess(child),
	};
}
