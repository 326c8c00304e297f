'use strict';

// Loaded into a process (children.ts) before anything else (node --require): all imports of n8n's packages come from
// the installed n8n in N8N_CORE_DIR, so that the nodes run with the same n8n-core that people have.
const { createRequire, registerHooks } = require('node:module');
const { join, sep } = require('node:path');
const { pathToFileURL } = require('node:url');

const folder = process.env.N8N_CORE_DIR;
const requireThere = createRequire(join(folder, 'package.json'));
const there = pathToFileURL(folder + sep).href;
const theirs = /^(n8n-core|n8n-workflow|n8n-nodes-base|@n8n\/di|@n8n\/backend-common|axios|zod|luxon|lodash)(\/|$)/;

registerHooks({
	resolve: (specifier, context, next) =>
		theirs.test(specifier) && !context.parentURL?.startsWith(there)
			? { url: pathToFileURL(requireThere.resolve(specifier)).href, shortCircuit: true }
			: next(specifier, context),
});
