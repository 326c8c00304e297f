/** Tests in the newest n8n 2 whether the package is ready for the known changes of n8n 3 (n8n 14). */
import { z } from 'zod';

import { listExamples, prepareExample } from '../../real-n8n/examples';
import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import { checkExamples } from '../examples';
import type { TestPart, TestPartReport, TestPartContext } from '../part';
import type { CheckResult } from '../versions/checkResult';
import { CheckList } from '../versions/checkInN8n';
import { LOG_SETTINGS } from '../versions/checkLog';
import { smoke } from '../versions/smoke';
import { NEWEST_VERSION } from '../../real-n8n/versions';

/** The defaults of n8n 3 that can be set in n8n 2. In n8n 2, the first setting doesn't prevent an installed package from being loaded. */
const N8N_3_DEFAULTS = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_MIGRATE_FS_STORAGE_PATH: 'true',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: String(256 * 2 ** 20),
	N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '1000',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
};

/** Rules of the migration report that this test can't satisfy: n8n 3 only runs in containers, and can't import from URLs. */
const RULES_WITHOUT_SETTING = ['docker-only-deployment-v3', 'workflow-import-url-removed-v3'];

/** The examples to run. Example 1 uses files, zip files, Code nodes and every customer. Example 6 is the longest of the other examples. */
const EXAMPLE_NUMBERS = [1, 6];

export const n8n3: TestPart = {
	title: 'n8n 3: its migration report over our workflows; smoke and two examples with its defaults',
	run: async (context) => {
		const contextWithDefaults = addN8n3Defaults(context);
		const smokeReport = await smoke.run(contextWithDefaults);
		const environment = await contextWithDefaults.startEnvironment('n8n-3', {
			env: LOG_SETTINGS,
			profile: 'deployed',
		});
		const checkList = new CheckList(NEWEST_VERSION);
		await checkList.runCheck("workflows in n8n 3's migration report", () => checkMigrationReport(environment));
		const examples = (await listExamples()).filter(({ number }) => EXAMPLE_NUMBERS.includes(number));
		await checkList.runCheck('examples', () =>
			toCheckResult(checkExamples({ ...environment, version: NEWEST_VERSION }, examples, context.cleanups)),
		);
		return {
			table: [...smokeReport.table, ...checkList.table],
			failures: [...smokeReport.failures, ...checkList.failures],
		};
	},
};

/** Returns a context whose `startEnvironment` starts n8n with the defaults of n8n 3. */
const addN8n3Defaults = ({ startEnvironment, ...context }: TestPartContext): TestPartContext => ({
	...context,
	startEnvironment: async (log, options = {}) =>
		startEnvironment(log, { ...options, env: { ...options.env, ...N8N_3_DEFAULTS } }),
});

async function toCheckResult(report: Promise<TestPartReport>): Promise<CheckResult> {
	const { table, failures } = await report;
	return { checkedCount: table.length, failures };
}

const rulesSchema = z.array(z.object({ ruleId: z.string(), ruleTitle: z.string() }));
const reportSchema = z.object({ report: z.object({ instanceResults: rulesSchema, workflowResults: rulesSchema }) });
const ruleDetailsSchema = z.object({
	affectedWorkflows: z.array(z.object({ name: z.string(), issues: z.array(z.object({ title: z.string() })) })),
});

/** Checks that n8n's migration report finds no problem in the demo's workflow, the examples and n8n's settings. */
async function checkMigrationReport({ client, n8n }: TestEnvironment): Promise<CheckResult> {
	const exampleNames = ['demo', ...(await listExamples()).map(({ name }) => name)];
	for (const name of exampleNames) await client.createWorkflow(await prepareExample(name, { folder: n8n.filesFolder }));
	const { report } = reportSchema.parse(await client.request('GET', '/rest/breaking-changes/report?version=v3'));
	const failures = report.instanceResults
		.filter(({ ruleId }) => !RULES_WITHOUT_SETTING.includes(ruleId))
		.map(({ ruleTitle }) => `a default of n8n 3 is not set: ${ruleTitle}`);
	for (const { ruleId, ruleTitle } of report.workflowResults) {
		const ruleDetails = ruleDetailsSchema.parse(await client.request('GET', `/rest/breaking-changes/report/${ruleId}`));
		for (const { name, issues } of ruleDetails.affectedWorkflows)
			failures.push(...issues.map(({ title }) => `${name}: ${title} (${ruleTitle})`));
	}
	return { checkedCount: exampleNames.length, failures };
}
