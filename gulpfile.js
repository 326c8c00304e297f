'use strict';

const { execFileSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { dest, parallel, series, src } = require('gulp');

const copy = (patterns) => src(patterns, { base: '.', encoding: false }).pipe(dest('dist'));

const icons = () => copy(['icons/**/*.{svg,png}', 'nodes/**/*.{svg,png}']);
const schemas = () => copy('nodes/**/__schema__/**/*.json');

/** dist/known and dist/types: with them n8n loads a node when it is first used, not all of them at start. */
async function metadata() {
	execFileSync(process.execPath, [require.resolve('n8n-core/bin/generate-metadata')], { stdio: 'inherit' });
	// Only n8n's own build reads these.
	rmSync('dist/methods', { recursive: true, force: true });
}

async function clean() {
	rmSync('dist', { recursive: true, force: true });
}

exports.clean = clean;
exports.default = series(parallel(icons, schemas), metadata);
