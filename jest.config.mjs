import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { bundleN8n } from './test/setup/bundleN8n.mjs';

/** The folder of the n8n in which the tests run the nodes. N8N_CORE_DIR can name a folder with another n8n in its node_modules. */
const n8nFolder = process.env.N8N_CORE_DIR ?? fileURLToPath(new URL('.', import.meta.url));

/** Configures `npm test`. Most test files are run by a suite, which runs several of them together (test/README.md). */
export default async function createConfig() {
	/** @type {import('jest').Config} */
	const config = {
		roots: ['<rootDir>/test', '<rootDir>/tools'],
		testMatch: ['**/*.suite.ts', '**/test/rules/{savedValues,suites}.test.ts', '**/tools/**/*.test.ts'],
		moduleNameMapper: await bundleN8n(n8nFolder),
		transform: {
			'\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
		},
		setupFiles: ['<rootDir>/test/setup/fixedSeeds.ts'],
		setupFilesAfterEnv: ['<rootDir>/test/setup/replaceClock.ts'],
		globalSetup: '<rootDir>/test/setup/global-setup.ts',
		globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
		// By default, Jest leaves one core idle. Some tests wait for timeouts, so three processes are needed to keep two cores busy.
		maxWorkers: Math.ceil(availableParallelism() * 1.5),
		testTimeout: 30_000,
	};
	return config;
}
