'use strict';

// Hands our sources and tests the modules of the n8n in N8N_CORE_DIR: all that a node may import, as in a real n8n.
const { createRequire } = require('node:module');
const { join, resolve, sep } = require('node:path');

const coreDir = resolve(process.env.N8N_CORE_DIR);
const requireThere = createRequire(join(coreDir, 'package.json'));
const theirs = /^(n8n-core|n8n-workflow|@n8n\/di|@n8n\/backend-common|zod|luxon|lodash)(\/|$)/;

module.exports = (request, options) =>
	theirs.test(request) && !options.basedir.startsWith(coreDir + sep)
		? requireThere.resolve(request)
		: options.defaultResolver(request, options);
