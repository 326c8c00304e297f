'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Whether a store's new value is Jest's: which test or hook the code belongs to that it calls. */
const isOfJest = (value) => value?.test?.type === 'test' || value?.hook?.type !== undefined;
const values = new WeakMap();
const inUse = new Set();

// While any store is in use, each promise takes longer, and Jest keeps one of its own in use all the time. Tests do not run
// at the same time here, so a variable tells the same. The stores of others are put out of use after each test file.
const { enterWith, getStore, run } = AsyncLocalStorage.prototype;
Object.assign(AsyncLocalStorage.prototype, {
	run(value, callback, ...args) {
		if (isOfJest(value)) {
			const before = values.get(this);
			values.set(this, value);
			return callback(...args).finally(() => values.set(this, before));
		}
		inUse.add(this);
		return run.call(this, value, callback, ...args);
	},
	enterWith(value) {
		inUse.add(this);
		enterWith.call(this, value);
	},
	getStore() {
		return values.get(this) ?? getStore.call(this);
	},
});

// What Jest keeps in globalThis of a test file: its tests, who is told of them, how long they may take.
const OF_A_FILE =
	/^(\$\$jest|JEST_|EVENT_HANDLERS$|RETRY_|WAIT_BEFORE_RETRY$|TEST_TIMEOUT_SYMBOL$|LOG_ERRORS_BEFORE_RETRY$)/;

/**
 * Jest's environment for the tests of this package: the process as it is. Jest's own gives each test file a set of
 * JavaScript's built-in classes of its own, so that an Error of n8n-core, which runtime.cjs loads once for all files,
 * would not be an Error to the tests. What a test puts into `globalThis` it has to take back itself: restoreAllMocks.
 */
module.exports = class {
	constructor({ projectConfig: config }) {
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimers = null;
		this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
		// Jest puts its own in their place, for the time of a test file.
		this.before = { console, exit: process.exit };
		// Many errors are made on purpose, and each takes the longer the more of its stack is kept.
		Error.stackTraceLimit = 12;
	}

	async setup() {}

	async teardown() {
		this.fakeTimersModern.dispose();
		this.moduleMocker.restoreAllMocks();
		globalThis.console = this.before.console;
		process.exit = this.before.exit;
		for (const store of inUse) store.disable();
		inUse.clear();
		for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
			if (OF_A_FILE.test(symbol.description ?? '')) Reflect.deleteProperty(globalThis, symbol);
		}
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	/** Asked for by Jest for ES modules only, of which the tests load none. */
	getVmContext() {
		return null;
	}
};
