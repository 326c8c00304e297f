import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { DENIED_SYNTAX, plainEnglish } from './test/rules/plain-english.mjs';
import { buildScanConfigs } from './test/rules/scan-rules.mjs';

/** The files that are part of the published package. */
const shipped = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const nodeGlobals = Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly']));
const scripts = ['**/*.mjs', '**/*.cjs', 'gulpfile.js'];

// The rules with which `npm run scan` checks the sources, limited to shipped files. Tests and scripts aren't shipped.
const [, newestScan] = [...(await buildScanConfigs()).values()];
const n8nRules = newestScan
	.filter(({ languageOptions }) => !languageOptions)
	.map(({ files = [...shipped, 'package.json'], ...config }) => ({
		...config,
		// The pattern '**/nodes/' would also match test/nodes.
		files: files.map((pattern) => pattern.replace(/^\*\*\//, '')),
	}));

export default defineConfig(
	{ ignores: ['dist/', 'coverage/', '.cache/', '**/.temp/', '**/*.timestamp-*', '**/node_modules/'] },
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
		plugins: { 'plain-english': plainEnglish },
		rules: {
			'plain-english/verb-first': 'error',
			'plain-english/noun-bindings': 'error',
			'plain-english/comment-start': 'error',
			'no-restricted-syntax': ['error', ...DENIED_SYNTAX],
			'no-nested-ternary': 'error',
			'no-void': 'error',
			'@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
			'@typescript-eslint/no-non-null-assertion': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/only-throw-error': ['error', { allowRethrowing: true, allowThrowingUnknown: true }],
			'@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
			'@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
			'@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
			// n8n's interfaces require functions that return a promise, even if a function has nothing to wait for.
			'@typescript-eslint/require-await': 'off',
			// n8n's helpers are plain functions, although their interfaces declare them as methods.
			'@typescript-eslint/unbound-method': 'off',
			// The code searches for control characters on purpose, because they must not reach a header or a path.
			'no-control-regex': 'off',
			// A longer file probably covers more than one topic.
			'max-lines': ['error', 350],
			eqeqeq: 'error',
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			// Jest's matchers, such as expect.any, have the type any.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			// Tests compare fields of items as text, whatever their types are.
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/restrict-template-expressions': 'off',
		},
	},
	{
		files: scripts,
		extends: [js.configs.recommended],
		languageOptions: { globals: nodeGlobals },
		rules: { eqeqeq: 'error' },
	},
	{ files: ['**/*.cjs', 'gulpfile.js'], languageOptions: { sourceType: 'commonjs' } },
	{ files: ['package.json'], languageOptions: { parser: tseslint.parser } },
	// The scan ignores comments that disable rules, so they would only mislead here.
	{ files: shipped, linterOptions: { noInlineConfig: true } },
	n8nRules,
);
