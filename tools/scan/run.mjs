// npm run scan: runs n8n's checks for community packages on the sources, on the package that npm would publish, and on the node
// descriptions as n8n loads them. Fails on any error or warning.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyzePackage } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { SOURCE_FILE_PATTERNS, TARBALL_FILE_PATTERNS, scanFolder } from '../../test/rules/scan-rules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const options = { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' };
const run = (command, args) => execFileSync(command, args, options);
const tryRun = (command, args) => spawnSync(command, args, { ...options, stdio: 'inherit' }).status === 0;

/** Packs the package as npm would publish it and unpacks it into a folder. */
function unpackTarball(folder) {
	const [{ filename, size, files }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder]));
	run('tar', ['-xzf', join(folder, filename), '-C', folder, '--strip-components=1']);
	rmSync(join(folder, filename));
	return { size, paths: files.map(({ path }) => path) };
}

/** Finds files that are missing in the tarball or don't belong there. n8n's checks don't find them. */
function findTarballFaults(folder, paths) {
	const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const metadataFolders = ['known', 'types'];
	const requiredFiles = [
		'LICENSE',
		'README.md',
		...n8n.nodes,
		...n8n.credentials,
		...metadataFolders.flatMap((metadataFolder) =>
			['nodes', 'credentials'].map((name) => `dist/${metadataFolder}/${name}.json`),
		),
	];
	const isAllowed = (path) =>
		['LICENSE', 'README.md', 'package.json'].includes(path) ||
		(/^dist\/(nodes|credentials|icons|known|types)\//.test(path) && /\.(js|json|svg|png)$/.test(path));
	return [
		...requiredFiles.filter((path) => !paths.includes(path)).map((path) => `misses ${path}`),
		...paths.filter((path) => !isAllowed(path)).map((path) => `holds ${path}, which does not belong there`),
	];
}

console.log('Building and packing ...');
if (!tryRun('npm', ['run', 'build', '--silent'])) {
	console.error('The scan failed: the build did, as said above.');
	process.exit(1);
}

const packedFolder = mkdtempSync(join(tmpdir(), 'scan-'));
try {
	const { size, paths } = unpackTarball(packedFolder);

	console.log(`The tarball: ${paths.length} files, ${Math.round(size / 1024)} KB.`);
	const faults = findTarballFaults(packedFolder, paths);
	for (const fault of faults) console.error(`  The tarball ${fault}.`);

	let hasFailed = faults.length > 0;
	for (const [where, folder, patterns] of [
		['source', root, SOURCE_FILE_PATTERNS],
		['tarball', packedFolder, TARBALL_FILE_PATTERNS],
	]) {
		const officialResult = await analyzePackage(folder, patterns);
		for (const { pluginVersion, fileCount, messages } of await scanFolder(folder, patterns)) {
			for (const { file, line, severity, rule, message } of messages)
				console.error(`  ${where} ${file}:${line ?? 0} ${severity} ${message} (${rule}, plugin ${pluginVersion})`);
			console.log(`${where}, plugin ${pluginVersion}: ${fileCount} files, ${messages.length} errors and warnings`);
			hasFailed ||= messages.length > 0 || fileCount === 0;
		}
		console.log(`${where}, official verdict: ${officialResult.passed ? 'passed' : 'failed'}`);
		hasFailed ||= !officialResult.passed;
	}
	hasFailed ||= !tryRun('npx', ['tsx', 'tools/scan/descriptions.ts']);
	console.log(hasFailed ? 'The scan failed.' : 'The scan passed: 0 errors, 0 warnings.');
	process.exitCode = hasFailed ? 1 : 0;
} finally {
	rmSync(packedFolder, { recursive: true, force: true });
}
