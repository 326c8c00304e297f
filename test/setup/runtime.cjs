'use strict';

const { createRequire, isBuiltin } = require('node:module');
const { join } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const isPackage = (name) => !/^[./]/.test(name) && !isBuiltin(name);

// If N8N_CORE_DIR is a folder with another n8n in its node_modules, the tests run against that n8n: sources and tests then load
// the modules that a node may import from that folder, as in a real n8n.
const otherCoreFolder = process.env.N8N_CORE_DIR;
const requireFromOtherCore = otherCoreFolder && createRequire(join(otherCoreFolder, 'package.json'));
const MODULES_OF_N8N = /^(n8n-core|n8n-workflow|@n8n\/di|@n8n\/backend-common|zod|luxon|lodash)(\/|$)/;

const requireByFile = new Map();

/** Returns the `require` function of a file. It is cached, because creating one takes much longer than using it. */
function getRequire(file) {
	const requireFunction = requireByFile.get(file) ?? createRequire(file);
	requireByFile.set(file, requireFunction);
	return requireFunction;
}

const compiledModules = new Map();

/** Compiles a module. If an earlier test file has compiled the same source, returns that result. */
function compileOnce(source, filename, parameters) {
	const cachedModule = compiledModules.get(filename);
	if (cachedModule?.source === source) return cachedModule.compiledFunction;
	const compiledFunction = compileFunction(source, parameters, { filename });
	compiledModules.set(filename, { source, compiledFunction });
	return compiledFunction;
}

const transformedSources = new Map();

/** Makes Jest's transformer keep its results for later test files. */
function cacheTransformations(scriptTransformer) {
	const transform = scriptTransformer.transform.bind(scriptTransformer);
	scriptTransformer.transform = (filename, options, source) => {
		const cachedResult = transformedSources.get(filename);
		if (cachedResult?.source === source) return cachedResult.transformedSource;
		const transformedSource = transform(filename, options, source);
		transformedSources.set(filename, { source, transformedSource });
		return transformedSource;
	};
}

/**
 * Jest runtime that loads packages only once per test process, with Node's own loader. n8n-core alone has 1,700 modules, which took
 * Jest more than a second per test file. Sources and tests are still loaded again for each test file.
 */
module.exports = class extends Runtime {
	constructor(...args) {
		super(...args);
		// Jest compiles modules for a separate context, but environment.cjs doesn't use one.
		const { executor } = this;
		cacheTransformations(executor.transformCache.scriptTransformer);
		executor.compile = (source, filename) => compileOnce(source, filename, executor.injectedModuleParameters);
	}

	requireModule(from, name, options, isRequireActual) {
		if (options?.isInternalModule || !name || !isPackage(name)) {
			return super.requireModule(from, name, options, isRequireActual);
		}
		const useOtherCore = requireFromOtherCore && MODULES_OF_N8N.test(name);
		return useOtherCore ? requireFromOtherCore(name) : getRequire(from)(name);
	}
};
