import { availableParallelism } from 'node:os';

// The tests run against the installed n8n-core. N8N_CORE_DIR, a folder with another n8n in its node_modules, runs the
// same tests against that one: see test/n8n-core/resolver.cjs.
const otherCore = process.env.N8N_CORE_DIR;

/** @type {import('jest').Config} */
export default {
	roots: ['<rootDir>/test', '<rootDir>/tools'],
	testEnvironment: 'node',
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/bench/'],
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	globalSetup: '<rootDir>/test/setup/global-setup.ts',
	globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
	// Jest leaves one core idle, and some tests wait for a time-out: three processes keep two cores busy.
	maxWorkers: Math.ceil(availableParallelism() * 1.5),
	testTimeout: 30_000,
	...(otherCore ? { resolver: '<rootDir>/test/n8n-core/resolver.cjs' } : {}),
};
