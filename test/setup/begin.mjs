// The beginning of a script in TypeScript that works on a fresh clone too: only Node's own modules here, because nothing
// else may be there yet.
import { createRequire } from 'node:module';
import { ensureInstalled } from './ensure-installed.mjs';

/** Installs what the folders of the checkout need, and returns a `require` that reads TypeScript. */
export async function begin(folders = ['.']) {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major < 20 || (major === 20 && minor < 19)) {
		console.error(
			`This needs Node.js 20.19 or newer; this is ${process.versions.node}. Get a newer one from https://nodejs.org.`,
		);
		process.exit(1);
	}
	for (const folder of folders) ensureInstalled(folder);
	// Both, as the command tsx does it: what is required, and what is imported while it runs.
	(await import('tsx/cjs/api')).register();
	(await import('tsx/esm/api')).register();
	return (path, from) => createRequire(from)(path);
}
