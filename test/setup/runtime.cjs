'use strict';

const { createRequire, isBuiltin } = require('node:module');
const { join } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const isPackage = (name) => !/^[./]/.test(name) && !isBuiltin(name);

// N8N_CORE_DIR, a folder with another n8n in its node_modules, runs the same tests against that one: sources and tests
// get its modules, all that a node may import, as in a real n8n.
const otherCore = process.env.N8N_CORE_DIR;
const requireThere = otherCore && createRequire(join(otherCore, 'package.json'));
const theirs = /^(n8n-core|n8n-workflow|@n8n\/di|@n8n\/backend-common|zod|luxon|lodash)(\/|$)/;

const known = new Map();
const requires = new Map();

/** @returns what requires packages as the given file does; making one takes as long as many uses of it */
function requireOf(file) {
	const made = requires.get(file) ?? createRequire(file);
	requires.set(file, made);
	return made;
}

/** Compiles a module, or takes what was compiled of it for an earlier test file. */
function compiled(source, filename, parameters) {
	const before = known.get(filename);
	if (before?.source === source) return before.compiled;
	const made = compileFunction(source, parameters, { filename });
	known.set(filename, { source, compiled: made });
	return made;
}

const translations = new Map();

/** Translates sources as Jest does, and keeps what came of it for later test files. */
function translateOnce(scriptTransformer) {
	const translate = scriptTransformer.transform.bind(scriptTransformer);
	scriptTransformer.transform = (filename, options, source) => {
		const before = translations.get(filename);
		if (before?.source === source) return before.translated;
		const translated = translate(filename, options, source);
		translations.set(filename, { source, translated });
		return translated;
	};
}

/**
 * How Jest loads modules here. Sources and tests are loaded anew for each test file, as ever; packages once in a test
 * process, by Node itself: n8n-core alone has 1,700 modules, which took Jest more than a second for each file.
 */
module.exports = class extends Runtime {
	constructor(...args) {
		super(...args);
		// Jest compiles for a context of its own, which environment.cjs does without.
		const { executor } = this;
		translateOnce(executor.transformCache.scriptTransformer);
		executor.compile = (source, filename) => compiled(source, filename, executor.injectedModuleParameters);
	}

	requireModule(from, name, options, isRequireActual) {
		if (options?.isInternalModule || !name || !isPackage(name)) {
			return super.requireModule(from, name, options, isRequireActual);
		}
		return (requireThere && theirs.test(name) ? requireThere : requireOf(from))(name);
	}
};
