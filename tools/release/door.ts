import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { END_WITH_PARENT, startProcess, stopProcess } from '../../test/real-n8n/processes';
import { untilReady } from '../../test/real-n8n/ready';
import { freePort } from '../../test/real-n8n/start';

/** A way into n8n for what is not published: whatever it, and npm under it, ask of the world is asked of one server. */
export interface Door {
	/** Settings by which n8n comes through it. */
	env: Record<string, string>;
	stop: () => Promise<void>;
}

/**
 * Opens a door to a server. n8n takes another registry than the public one only with a licence for that, but a proxy it takes.
 * @param folder where its log and its certificate are kept
 * @param node the Node.js program that runs it; it needs 20 or newer
 * @param target the address of the server
 * @throws Problem when it cannot be opened
 */
export async function openDoor(folder: string, node: string, target: string): Promise<Door> {
	const port = await freePort();
	const certificate = join(folder, 'door.pem');
	const logFile = join(folder, 'door.log');
	const child = startProcess(
		node,
		[...END_WITH_PARENT, join(__dirname, 'door.cjs'), String(port), target, certificate],
		{ cwd: folder, logFile },
	);
	const isOpen = async () =>
		await access(certificate).then(
			() => true,
			() => false,
		);
	await untilReady('The proxy in front of the registry', child, logFile, isOpen);
	return {
		env: { HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '127.0.0.1,localhost', NODE_EXTRA_CA_CERTS: certificate },
		stop: async () => await stopProcess(child),
	};
}
