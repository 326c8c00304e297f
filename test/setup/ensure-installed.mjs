// This module installs the dependencies if they are missing or differ from the lock file, so that `npm test` works on a fresh
// clone. It only imports Node's own modules, because nothing else may be installed yet.
// `node ensure-installed.mjs <folder> ...` installs the dependencies of other folders of the checkout instead.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Reads the versions in a lock file, by package path. Leaves out optional packages, because npm only installs those that fit the
 * platform.
 */
function readVersions(file) {
	const { packages } = JSON.parse(readFileSync(file, 'utf8'));
	const requiredPackages = Object.entries(packages).filter(
		([path, entry]) => path !== '' && !entry.optional && !entry.devOptional,
	);
	return new Map(requiredPackages.map(([path, entry]) => [path, entry.version]));
}

/** Returns why the dependencies of a folder must be installed, or undefined if they are up to date. */
function findReasonToInstall(folder) {
	// npm records in this file which packages it has really installed.
	const installedFile = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(installedFile)) return 'they are not installed yet';
	const installedVersions = readVersions(installedFile);
	const isDifferent = [...readVersions(join(folder, 'package-lock.json'))].some(
		([path, version]) => installedVersions.get(path) !== version,
	);
	return isDifferent ? 'the installed ones differ from package-lock.json' : undefined;
}

/** Installs the dependencies of a folder of the checkout, unless they are up to date. Ends the process if npm fails. */
export function ensureInstalled(name) {
	const folder = join(root, name);
	const reason = findReasonToInstall(folder);
	if (!reason) return;
	console.log(
		`Installing dependencies${name === '.' ? '' : ` of ${name}`}, since ${reason} (usually 15 s to 2 min) ...`,
	);
	const startedAt = Date.now();
	const { status } = spawnSync('npm', ['ci', '--legacy-peer-deps', '--ignore-scripts'], {
		cwd: folder,
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	if (status !== 0) {
		console.error('npm could not install the dependencies; its message is above. Is the package registry reachable?');
		process.exit(1);
	}
	console.log(`Dependencies installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

const [, script, ...folders] = process.argv;
if (script === fileURLToPath(import.meta.url))
	for (const folder of folders.length > 0 ? folders : ['.']) ensureInstalled(folder);
