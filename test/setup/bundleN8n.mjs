/**
 * Bundles the modules of n8n that the tests load into one file. Jest loads every module again for each test file, and n8n has
 * 2,500 of them: as single files they take seconds, as one file half a second.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The modules in the bundle. The nodes may only import those that n8n provides, so they get the same ones as in a real n8n. */
const BUNDLED_MODULES = [
	'n8n-workflow',
	'n8n-core',
	'n8n-core/dist/execution-engine/ssh-clients-manager',
	'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data',
	'@n8n/di',
	'@n8n/backend-common',
	'zod',
	'luxon',
	'lodash',
];

const getEntryName = (moduleName) => moduleName.replaceAll('/', '__');

/** Returns the source of the bundle's entry. Each module is evaluated when it is first used. */
const buildEntry = () =>
	BUNDLED_MODULES.map(
		(name) => `Object.defineProperty(exports, '${name}', { get: () => require('${name}'), enumerable: true });`,
	).join('\n');

/** Bundles n8n's modules into `folder`, and writes one file for each module that returns it from the bundle. */
async function writeBundle(n8nFolder, folder) {
	const workflowPackage = join(n8nFolder, 'node_modules', 'n8n-workflow');
	await build({
		stdin: { contents: buildEntry(), resolveDir: n8nFolder },
		outfile: join(folder, 'n8n.cjs'),
		bundle: true,
		platform: 'node',
		target: 'node20',
		keepNames: true,
		minifySyntax: true,
		minifyWhitespace: true,
		// The CommonJS files of n8n-workflow load each other in a way that esbuild can't follow.
		alias: { 'n8n-workflow': join(workflowPackage, 'dist', 'esm', 'index.js') },
		// Binary files aren't needed, and these two packages consist of one.
		loader: { '.node': 'empty' },
		external: ['cpu-features', 'isolated-vm'],
		logLevel: 'error',
	});
	for (const name of BUNDLED_MODULES)
		writeFileSync(join(folder, `${getEntryName(name)}.cjs`), `module.exports = require('./n8n.cjs')['${name}'];\n`);
}

/**
 * Bundles the n8n in `n8nFolder`, unless its bundle exists already.
 * @param n8nFolder a folder with n8n in its node_modules
 * @returns the value for Jest's `moduleNameMapper`
 */
export async function bundleN8n(n8nFolder) {
	const key = createHash('sha256')
		.update(readFileSync(new URL(import.meta.url)))
		.update(readFileSync(join(n8nFolder, 'node_modules', '.package-lock.json')))
		.digest('hex')
		.slice(0, 16);
	const folder = join(n8nFolder, 'node_modules', '.cache', 'n8n-bundle', key);
	if (!existsSync(join(folder, 'lodash.cjs'))) {
		mkdirSync(folder, { recursive: true });
		await writeBundle(n8nFolder, folder);
	}
	return Object.fromEntries(BUNDLED_MODULES.map((name) => [`^${name}$`, join(folder, `${getEntryName(name)}.cjs`)]));
}
