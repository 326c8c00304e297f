import { fileURLToPath } from 'node:url';
import base from '../../jest.config.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { testEnvironment = 'node' } = base;

// For environment.cjs, in this process and in those that it starts.
process.env.MUTATION_ENVIRONMENT =
	testEnvironment === 'node' ? 'jest-environment-node' : testEnvironment.replace('<rootDir>', root);

/** @type {import('jest').Config} How the tests run with mutants; sandbox.ts runs it in its copy of the checkout. */
export default {
	...base,
	rootDir: root,
	testEnvironment: '<rootDir>/tools/mutation/environment.cjs',
	testSequencer: '<rootDir>/tools/mutation/sequencer.cjs',
	testPathIgnorePatterns: [
		...base.testPathIgnorePatterns,
		...JSON.parse(process.env.MUTATION_EXCLUDED ?? '[]').map((path) => `<rootDir>/${path}`),
	],
};
