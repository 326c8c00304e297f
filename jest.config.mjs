import { availableParallelism } from 'node:os';

/** Another model of the triggers: npm run test:triggers runs all of it, the deep tests and the mutation tests what is fast. */
function unusedTriggerTests() {
	if (process.env.TRIGGERS === '1') return [];
	const isFastUsed = process.env.DEEP === '1' || process.env.MUTATION_EXCLUDED !== undefined;
	return [`<rootDir>/test/deep/triggers/${isFastUsed ? '(histories|cost)' : ''}`];
}

/** @type {import('jest').Config} */
export default {
	roots: ['<rootDir>/test', '<rootDir>/tools'],
	testPathIgnorePatterns: [
		...['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/bench/'],
		...unusedTriggerTests(),
	],
	testEnvironment: '<rootDir>/test/setup/environment.cjs',
	runtime: '<rootDir>/test/setup/runtime.cjs',
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	setupFiles: process.env.CI === 'true' ? ['<rootDir>/test/setup/fixedSeeds.ts'] : [],
	globalSetup: '<rootDir>/test/setup/global-setup.ts',
	globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
	// Jest leaves one core idle, and some tests wait for a time-out: three processes keep two cores busy.
	maxWorkers: Math.ceil(availableParallelism() * 1.5),
	testTimeout: 30_000,
};
