'use strict';

const { execFileSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { dest, parallel, series, src } = require('gulp');

/** Copies files to dist without changing them. */
const copyToDist = (patterns) => src(patterns, { base: '.', encoding: false }).pipe(dest('dist'));

const copyIcons = () => copyToDist(['icons/**/*.{svg,png}', 'nodes/**/*.{svg,png}']);
const copySchemas = () => copyToDist('nodes/**/__schema__/**/*.json');

/** Writes dist/known and dist/types. With them, n8n loads a node when it is first used instead of loading all nodes at start. */
async function writeMetadata() {
	execFileSync(process.execPath, [require.resolve('n8n-core/bin/generate-metadata')], { stdio: 'inherit' });
	// The generator also writes this folder, which only n8n's own build reads.
	rmSync('dist/methods', { recursive: true, force: true });
}

async function clean() {
	rmSync('dist', { recursive: true, force: true });
}

exports.clean = clean;
exports.default = series(parallel(copyIcons, copySchemas), writeMetadata);
