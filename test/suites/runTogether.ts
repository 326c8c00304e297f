import { join } from 'node:path';

const TEST_FOLDER = join(__dirname, '..');

/**
 * Runs several test files as one. Jest loads all modules again for each file that it runs, and loading n8n takes about a second, so
 * that a suite for each topic is much faster than a hundred single files.
 * @param testFiles paths in the folder `test`, without the extension '.test.ts'
 */
export function runTogether(...testFiles: string[]): void {
	for (const testFile of testFiles)
		describe(testFile, () => {
			jest.requireActual(join(TEST_FOLDER, `${testFile}.test`));
		});
}
