// Installs the dependencies when they are missing or differ from the lock file, so that `npm test` works on a fresh
// clone. Only Node's own modules here: nothing else is there yet. `node ensure-installed.mjs e2e` does it for a folder.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a lock file names, optional (platform) packages left out: npm installs those only where they fit. */
function versions(file) {
	const { packages } = JSON.parse(readFileSync(file, 'utf8'));
	const wanted = Object.entries(packages).filter(
		([path, entry]) => path !== '' && !entry.optional && !entry.devOptional,
	);
	return new Map(wanted.map(([path, entry]) => [path, entry.version]));
}

function reason(folder) {
	// npm writes down here what it has really installed.
	const installedFile = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(installedFile)) return 'they are not installed yet';
	const installed = versions(installedFile);
	const differs = [...versions(join(folder, 'package-lock.json'))].some(
		([path, version]) => installed.get(path) !== version,
	);
	return differs ? 'the installed ones differ from package-lock.json' : undefined;
}

/** Installs what a folder of the checkout has a lock file for; ends the process when npm cannot. */
export function ensureInstalled(name) {
	const folder = join(root, name);
	const why = reason(folder);
	if (!why) return;
	console.log(`Installing dependencies${name === '.' ? '' : ` of ${name}`}, since ${why} (usually 15 s to 2 min) ...`);
	const started = Date.now();
	const { status } = spawnSync('npm', ['ci', '--legacy-peer-deps', '--ignore-scripts'], {
		cwd: folder,
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	if (status !== 0) {
		console.error('npm could not install the dependencies; its message is above. Is the package registry reachable?');
		process.exit(1);
	}
	console.log(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

const [, script, ...folders] = process.argv;
if (script === fileURLToPath(import.meta.url))
	for (const folder of folders.length > 0 ? folders : ['.']) ensureInstalled(folder);
