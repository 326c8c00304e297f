'use strict';

// Writes what n8n tells an AI that builds workflows about nodes: their types, made by n8n's own generator. It runs in
// its own process, because the generator is a part of n8n and needs n8n's Node.js. node told.cjs <n8n's
// node_modules> <file with the nodes' descriptions> <file for the result: the types by node>
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [, , modules, descriptionsFile, resultFile] = process.argv;
const fromN8n = createRequire(join(modules, 'n8n', 'package.json'));
const { synthesizeNodeTypeDef } = fromN8n('n8n/dist/modules/mcp-registry/synthesize-type-def.js');

const descriptions = JSON.parse(readFileSync(descriptionsFile, 'utf8'));
writeFileSync(
	resultFile,
	JSON.stringify(Object.fromEntries(descriptions.map((each) => [each.name, synthesizeNodeTypeDef(each)]))),
);
