import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
	roots: ['<rootDir>/test', '<rootDir>/tools'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/bench/'],
	testEnvironment: '<rootDir>/test/setup/environment.cjs',
	runtime: '<rootDir>/test/setup/runtime.cjs',
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	setupFiles: ['<rootDir>/test/setup/fixedSeeds.ts'],
	globalSetup: '<rootDir>/test/setup/global-setup.ts',
	globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
	// By default, Jest leaves one core idle. Some tests wait for timeouts, so three processes are needed to keep two cores busy.
	maxWorkers: Math.ceil(availableParallelism() * 1.5),
	testTimeout: 30_000,
};
