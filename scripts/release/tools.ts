import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { cacheFolder } from '../n8n/install';
import { runNpm } from '../n8n/processes';
import type { Step } from '../n8n/steps';

const RECIPE = join(__dirname, 'tools');

/**
 * Installs what only a release needs, a local registry and a checker of links, into the cache folder, so that nobody
 * else has to download it. Returns its node_modules.
 * @throws CommandFailed when npm cannot install it
 */
export async function installTools(step: Step): Promise<string> {
	const lock = await readFile(join(RECIPE, 'package-lock.json'));
	const name = `release-tools-${createHash('sha256').update(lock).digest('hex').slice(0, 8)}`;
	const folder = join(cacheFolder(), name);
	const modules = join(folder, 'node_modules');
	if (existsSync(modules)) return modules;

	await step('Install the local registry and the checker of links', '20 to 60 s, about 90 MB', async () => {
		// Under another name until it is whole.
		const unfinished = `${folder}.${process.pid}`;
		await mkdir(unfinished, { recursive: true });
		try {
			for (const file of ['package.json', 'package-lock.json']) await copyFile(join(RECIPE, file), join(unfinished, file));
			const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
			await runNpm(['ci', ...quiet], { cwd: unfinished, logFile: join(unfinished, 'install.log') });
			await rename(unfinished, folder);
		} finally {
			await rm(unfinished, { recursive: true, force: true });
		}
	});
	return modules;
}
