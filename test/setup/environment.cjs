'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Returns true if Jest has put this value into a store, to record which test or hook the running code belongs to. */
const isJestValue = (value) => value?.test?.type === 'test' || value?.hook?.type !== undefined;
const jestValues = new WeakMap();
const storesInUse = new Set();

// Every promise is slower while an AsyncLocalStorage is in use, and Jest would use one all the time. The tests of a file run one
// after the other, so Jest's value is kept in `jestValues` instead. The stores of other modules are disabled after each test file.
const { enterWith, getStore, run } = AsyncLocalStorage.prototype;
Object.assign(AsyncLocalStorage.prototype, {
	run(value, callback, ...args) {
		if (isJestValue(value)) {
			const previousValue = jestValues.get(this);
			jestValues.set(this, value);
			return callback(...args).finally(() => jestValues.set(this, previousValue));
		}
		storesInUse.add(this);
		return run.call(this, value, callback, ...args);
	},
	enterWith(value) {
		storesInUse.add(this);
		enterWith.call(this, value);
	},
	getStore() {
		return jestValues.get(this) ?? getStore.call(this);
	},
});

/** Matches the symbols under which Jest keeps the tests, event handlers and timeouts of a test file in globalThis. */
const TEST_FILE_SYMBOL_PATTERN =
	/^(\$\$jest|JEST_|EVENT_HANDLERS$|RETRY_|WAIT_BEFORE_RETRY$|TEST_TIMEOUT_SYMBOL$|LOG_ERRORS_BEFORE_RETRY$)/;

/**
 * Jest environment that runs test files directly in the process. Jest's default environment gives each test file its own
 * built-in classes. An Error from n8n-core, which runtime.cjs loads once for all files, would then not be an instance of the
 * test file's Error. Tests must undo their changes to `globalThis`, for example with `restoreAllMocks`.
 */
module.exports = class {
	constructor({ projectConfig: config }) {
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimers = null;
		this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
		// Jest replaces these while a test file runs.
		this.originals = { console, exit: process.exit };
		// The tests create many errors, and a longer stack trace makes each of them slower.
		Error.stackTraceLimit = 12;
	}

	async setup() {}

	async teardown() {
		this.fakeTimersModern.dispose();
		this.moduleMocker.restoreAllMocks();
		globalThis.console = this.originals.console;
		process.exit = this.originals.exit;
		for (const store of storesInUse) store.disable();
		storesInUse.clear();
		for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
			if (TEST_FILE_SYMBOL_PATTERN.test(symbol.description ?? '')) Reflect.deleteProperty(globalThis, symbol);
		}
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	/** Jest only needs this for ES modules, which the tests don't load. */
	getVmContext() {
		return null;
	}
};
