import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import once from 'lodash/once';

export type N8nCore = typeof import('n8n-core');
export interface LoadedCore {
	core: N8nCore;
	Container: (typeof import('@n8n/di'))['Container'];
}

/**
 * The only place that loads n8n-core. n8n-core writes a settings file as soon as it is used, so its folder and key are
 * set before: a separate folder for each process, because test files run in several processes.
 */
export const loadCore = once(async (): Promise<LoadedCore> => {
	if (!process.env.N8N_USER_FOLDER?.includes('n8n-harness-')) {
		const folder = process.env.HARNESS_FOLDER ?? mkdtempSync(join(tmpdir(), 'n8n-harness-'));
		process.env.N8N_USER_FOLDER = join(folder, 'n8n-harness-' + (process.env.JEST_WORKER_ID ?? '0'));
		process.env.N8N_ENCRYPTION_KEY = 'the-key-of-the-test-harness';
		process.env.N8N_LOG_LEVEL ??= 'silent';
	}
	const [core, { Container }, { SSHClientsManager }] = await Promise.all([
		import('n8n-core'),
		import('@n8n/di'),
		import('n8n-core/dist/execution-engine/ssh-clients-manager'),
	]);
	// Every context makes one, and its timer would keep the test process alive.
	Container.get(SSHClientsManager).onShutdown();
	return { core, Container };
});
