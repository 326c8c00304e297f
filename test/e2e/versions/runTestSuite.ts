import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import { z } from 'zod';

import type { Installation } from '../../real-n8n/installN8n';
import { CommandFailed, END_WITH_PARENT_ARGS, runCommand } from '../../real-n8n/processes';
import { PACKAGE_ROOT } from '../../n8n-core/package';
import type { CheckResult } from './checkResult';

/** The folders of tests that use n8n's execution contexts. They can run with the n8n-core of any version. */
const TEST_FOLDERS = [
	'test/nodes',
	'test/run',
	'test/fields',
	'test/response',
	'test/pickers',
	'test/http',
	'test/trigger',
	'test/credentials',
];

const outcomeSchema = z.object({
	numTotalTests: z.number(),
	numPendingTests: z.number(),
	numFailedTests: z.number(),
	testResults: z.array(
		z.object({
			message: z.string(),
			assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
		}),
	),
});

/** Runs the package's Jest tests with the n8n-core of an installed n8n and the Node.js of that n8n. */
export async function runTestSuite({ folder, node, version }: Installation, results: string): Promise<CheckResult> {
	const outputFile = join(results, `tests-${version}.json`);
	const env = {
		...process.env,
		PATH: [dirname(node), process.env.PATH].join(delimiter),
		N8N_CORE_DIR: folder,
	};
	const jest = join(PACKAGE_ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	const args = [...END_WITH_PARENT_ARGS, jest, '--json', `--outputFile=${outputFile}`, ...TEST_FOLDERS];
	try {
		await runCommand(node, args, { cwd: PACKAGE_ROOT, env, logFile: join(results, `tests-${version}.log`) });
	} catch (error) {
		// Jest has written the failed tests to the output file.
		if (!(error instanceof CommandFailed)) throw error;
	}
	const { numTotalTests, numPendingTests, testResults } = outcomeSchema.parse(
		JSON.parse(await readFile(outputFile, 'utf8')),
	);
	const failures = testResults.flatMap(({ message, assertionResults }) => {
		const failedTests = assertionResults
			.filter(({ status }) => status === 'failed')
			.map(({ fullName }) => `The test failed: ${fullName}`);
		return assertionResults.length > 0 ? failedTests : [`A file of tests did not run: ${message.slice(0, 300)}`];
	});
	const checked = numTotalTests - numPendingTests;
	return { checked, failures: checked > 0 ? failures : [...failures, 'There were no tests.'] };
}
