// Starts scripts in TypeScript, even on a fresh clone. It only imports Node's own modules, because nothing else may be installed yet.
import { createRequire } from 'node:module';
import { ensureInstalled } from './ensure-installed.mjs';

/**
 * Installs the dependencies of these folders of the checkout. Ends the process if Node.js is too old.
 * @returns a function that requires a TypeScript file: `(path, from)` with the path relative to the file URL `from`
 */
export async function begin(folders = ['.']) {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major < 20 || (major === 20 && minor < 19)) {
		console.error(
			`This needs Node.js 20.19 or newer; this is ${process.versions.node}. Get a newer one from https://nodejs.org.`,
		);
		process.exit(1);
	}
	for (const folder of folders) ensureInstalled(folder);
	// Like the tsx command, this registers two loaders: one for `require`, one for `import`.
	(await import('tsx/cjs/api')).register();
	(await import('tsx/esm/api')).register();
	return (path, from) => createRequire(from)(path);
}
