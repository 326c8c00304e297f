/** Checks that each test file runs: in exactly one suite, or alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../n8n-core/package';

const TEST_FOLDER = join(PACKAGE_ROOT, 'test');
/** The test files that run alone (jest.config.mjs), or with a runner of their own. */
const FILES_WITHOUT_SUITE = /^(rules\/(savedValues|suites)\.|(e2e|bench|soak)\/)/;

test('every test file is in exactly one suite', () => {
	const namedFiles = ['test/suites', 'tools/docs']
		.map((folder) => join(PACKAGE_ROOT, folder))
		.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
		.filter((path) => path.endsWith('.suite.ts'))
		.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/'([\w-]+(?:\/[\w-]+)+)'/g)])
		.map(([, testFile]) => testFile);
	const testFiles = readdirSync(TEST_FOLDER, { recursive: true, encoding: 'utf8' })
		.map((path) => path.replaceAll('\\', '/'))
		.filter((path) => path.endsWith('.test.ts') && !FILES_WITHOUT_SUITE.test(path))
		.map((path) => path.replace(/\.test\.ts$/, ''));
	expect(namedFiles.sort()).toEqual(testFiles.sort());
});
