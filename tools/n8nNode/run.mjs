// npm run n8n-node: checks that n8n-node, n8n's command for developing nodes, works in this repository. It must build the same files
// as `npm run build`. Its lint must find nothing with the rules of this repository, and nothing in the shipped files with its own rules.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../../test/setup/ensure-installed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const toolsFolder = join(root, 'tools', 'n8nNode', '.tools', 'node_modules');
const cliFolder = join(toolsFolder, '@n8n', 'node-cli');
/** Files that only `npm run build` writes, with n8n-core. With them, n8n loads a node when it is first used, not at its own start. */
const METADATA_FILES = ['known/nodes.json', 'known/credentials.json', 'types/nodes.json', 'types/credentials.json'];

function run(title, command, args) {
	console.log(`${title} ...`);
	const { status, stdout, stderr } = spawnSync(command, args, {
		cwd: root,
		encoding: 'utf8',
		shell: process.platform === 'win32',
	});
	if (status === 0) return;
	console.error(`${stdout}${stderr}\n${title}: failed`);
	process.exit(1);
}

/** Reads all files in dist. @returns their texts by path */
function readDist() {
	const dist = join(root, 'dist');
	const paths = readdirSync(dist, { recursive: true }).filter((path) => statSync(join(dist, path)).isFile());
	return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(dist, path), 'utf8')]));
}

ensureInstalled('.');
ensureInstalled('tools/n8nNode/.tools');
const n8nNode = join(cliFolder, 'bin', 'n8n-node.mjs');
run('n8n-node build', process.execPath, [n8nNode, 'build']);
const filesOfN8nNode = readDist();
run('npm run build', 'npm', ['run', 'build', '--silent']);
const filesOfOurBuild = readDist();
const missing = [...filesOfOurBuild.keys()].filter(
	(path) => !filesOfN8nNode.has(path) && !METADATA_FILES.includes(path),
);
const additional = [...filesOfN8nNode.keys()].filter((path) => !filesOfOurBuild.has(path));
const different = [...filesOfN8nNode].filter(([path, text]) => (filesOfOurBuild.get(path) ?? text) !== text);
const faults = [
	...missing.map((path) => `misses ${path}`),
	...additional.map((path) => `makes ${path}`),
	...different.map(([path]) => `makes another ${path}`),
];
for (const fault of faults) console.error(`  n8n-node build ${fault}`);
if (faults.length > 0) process.exit(1);
console.log(`  ${filesOfN8nNode.size} files, the same in both; npm run build adds ${METADATA_FILES.join(', ')}`);

run('n8n-node lint', process.execPath, [n8nNode, 'lint']);
const eslint = join(toolsFolder, 'eslint', 'bin', 'eslint.js');
const config = join(cliFolder, 'dist', 'template', 'templates', 'shared', 'default', 'eslint.config.mjs');
const shippedPaths = ['nodes', 'credentials', 'package.json'];
run("n8n's strict rules, on what is shipped", process.execPath, [
	eslint,
	'--max-warnings=0',
	'-c',
	config,
	...shippedPaths,
]);
console.log('n8n-node works here, without an error.');
