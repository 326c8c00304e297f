'use strict';

// Loads every node and credential of an installed package as n8n does, with n8n's own loaders, and writes down their
// names. In a process of its own: Node.js as n8n runs on, and n8n's modules in NODE_PATH, as n8n sets it.
// node load.cjs <n8n's node_modules> <the package's folder> <file for the result>
const { writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [, , modules, folder, resultFile] = process.argv;
const { LazyPackageDirectoryLoader, PackageDirectoryLoader } = createRequire(join(modules, 'n8n', 'package.json'))(
	'n8n-core',
);

async function main() {
	// Right after an install n8n loads every class; from its next start on, only what dist/known names, when it is used.
	const eager = new PackageDirectoryLoader(folder);
	await eager.loadAll();
	const lazy = new LazyPackageDirectoryLoader(folder);
	await lazy.loadAll();
	if (!lazy.isLazyLoaded)
		throw new Error('dist/known or dist/types is missing: n8n would load every file at its start.');
	const result = {
		nodes: Object.keys(eager.nodeTypes),
		credentials: Object.keys(eager.credentialTypes),
		lazyNodes: Object.keys(lazy.known.nodes).filter((name) => lazy.getNode(name).type.description.name === name),
		lazyCredentials: Object.keys(lazy.known.credentials).filter((name) => lazy.getCredential(name).type.name === name),
	};
	writeFileSync(resultFile, JSON.stringify(result));
}

main().then(
	() => process.exit(0),
	(error) => {
		console.error(error);
		process.exit(1);
	},
);
