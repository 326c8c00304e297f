// Installs the dependencies when they are missing or differ from the lock file, so that `npm test` works on a fresh
// clone. Only Node's own modules here: nothing else is there yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a lock file names, optional (platform) packages left out: npm installs those only where they fit. */
function versions(file) {
	const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8'));
	const wanted = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.optional && !entry.devOptional);
	return new Map(wanted.map(([path, entry]) => [path, entry.version]));
}

function reason() {
	// npm writes down here what it has really installed.
	const installedFile = 'node_modules/.package-lock.json';
	if (!existsSync(join(root, installedFile))) return 'the dependencies are not installed yet';
	const installed = versions(installedFile);
	const differs = [...versions('package-lock.json')].some(([path, version]) => installed.get(path) !== version);
	return differs ? 'the installed dependencies differ from package-lock.json' : undefined;
}

const why = reason();
if (why) {
	console.log(`Installing dependencies, since ${why} (usually 15 s to 2 min) ...`);
	const started = Date.now();
	const { status } = spawnSync('npm', ['ci', '--legacy-peer-deps', '--ignore-scripts'], {
		cwd: root,
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	if (status !== 0) {
		console.error('npm could not install the dependencies; its message is above. Is the package registry reachable?');
		process.exit(1);
	}
	console.log(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}
