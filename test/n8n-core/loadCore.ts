import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import once from 'lodash/once';

export type N8nCore = typeof import('n8n-core');
/** The loaded module n8n-core, and n8n's dependency injection container. */
export interface LoadedCore {
	core: N8nCore;
	Container: (typeof import('@n8n/di'))['Container'];
}

/**
 * Loads n8n-core. Don't import it directly: n8n-core writes a settings file as soon as it is used, so this function first
 * sets its folder and its encryption key. Each process gets a separate folder, because Jest runs test files in several
 * processes.
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
	// Execution contexts use this manager. Its timer would keep the test process alive.
	Container.get(SSHClientsManager).onShutdown();
	return { core, Container };
});
