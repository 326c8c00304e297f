import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import { z } from 'zod';

import type { Installation } from '../../real-n8n/installN8n';
import { CommandFailed, END_WITH_PARENT_ARGS, runCommand } from '../../real-n8n/processes';
import { PACKAGE_ROOT } from '../../n8n-core/package';
import type { CheckResult } from './checkResult';

/** The Jest suites, which run nodes in n8n-core. They can use the n8n-core of any n8n version. */
const SUITE_PATTERN = String.raw`\.suite\.ts$`;

const jestOutputSchema = z.object({
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
export async function runTestSuite(
	{ folder, nodePath, version }: Installation,
	resultsFolder: string,
): Promise<CheckResult> {
	const outputFile = join(resultsFolder, `tests-${version}.json`);
	const env = {
		...process.env,
		PATH: [dirname(nodePath), process.env.PATH].join(delimiter),
		N8N_CORE_DIR: folder,
	};
	const jest = join(PACKAGE_ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	const args = [...END_WITH_PARENT_ARGS, jest, '--json', `--outputFile=${outputFile}`, SUITE_PATTERN];
	try {
		await runCommand(nodePath, args, { cwd: PACKAGE_ROOT, env, logFile: join(resultsFolder, `tests-${version}.log`) });
	} catch (error) {
		// Jest has written the failed tests to the output file.
		if (!(error instanceof CommandFailed)) throw error;
	}
	const { numTotalTests, numPendingTests, testResults } = jestOutputSchema.parse(
		JSON.parse(await readFile(outputFile, 'utf8')),
	);
	const failures = testResults.flatMap(({ message, assertionResults }) => {
		const failedTests = assertionResults
			.filter(({ status }) => status === 'failed')
			.map(({ fullName }) => `The test failed: ${fullName}`);
		return assertionResults.length > 0 ? failedTests : [`A file of tests did not run: ${message.slice(0, 300)}`];
	});
	const checkedCount = numTotalTests - numPendingTests;
	return { checkedCount, failures: checkedCount > 0 ? failures : [...failures, 'There were no tests.'] };
}
