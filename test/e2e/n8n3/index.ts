/** What is known today of n8n 3 (n8n-facts 14), tried in the newest n8n 2. */
import { z } from 'zod';

import { listExamples, readWorkflow } from '../../real-n8n/examples';
import type { Stage } from '../../real-n8n/stage';
import { checkExamples } from '../examples';
import type { Part, Report, Tools } from '../part';
import type { Checked } from '../versions/check';
import { Sheet } from '../versions/inN8n';
import { LOG_SETTINGS } from '../versions/log';
import { smoke } from '../versions/smoke';
import { NEWEST } from '../../real-n8n/versions';

/** The defaults of n8n 3 that n8n 2 has a setting for. n8n 2 loads a package that is there without a check of its origin. */
const DEFAULTS = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_MIGRATE_FS_STORAGE_PATH: 'true',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: String(256 * 2 ** 20),
	N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '1000',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
};

/** What n8n 3 changes for everybody, whatever is set: it runs in a container, and its editor imports from no address. */
const WITHOUT_SETTING = ['docker-only-deployment-v3', 'workflow-import-url-removed-v3'];

/** Files, zip files, Code and every customer; the longest of the others. */
const EXAMPLES = [1, 6];

export const n8n3: Part = {
	title: 'n8n 3: its migration report over our workflows; smoke and two examples with its defaults',
	run: async (tools) => {
		const later = withDefaults(tools);
		const smoked = await smoke.run(later);
		const there = await later.stage('n8n-3', { env: LOG_SETTINGS, personality: 'deployed' });
		const sheet = new Sheet(NEWEST);
		await sheet.note("workflows in n8n 3's migration report", () => migrationReport(there));
		const examples = (await listExamples()).filter(({ number }) => EXAMPLES.includes(number));
		await sheet.note('examples', () => checked(checkExamples({ ...there, version: NEWEST }, examples, tools.cleanups)));
		return { table: [...smoked.table, ...sheet.table], failures: [...smoked.failures, ...sheet.failures] };
	},
};

const withDefaults = ({ stage, ...tools }: Tools): Tools => ({
	...tools,
	stage: async (log, options = {}) => stage(log, { ...options, env: { ...options.env, ...DEFAULTS } }),
});

async function checked(report: Promise<Report>): Promise<Checked> {
	const { table, failures } = await report;
	return { checked: table.length, failures };
}

const rules = z.array(z.object({ ruleId: z.string(), ruleTitle: z.string() }));
const reportSchema = z.object({ report: z.object({ instanceResults: rules, workflowResults: rules }) });
const ruleSchema = z.object({
	affectedWorkflows: z.array(z.object({ name: z.string(), issues: z.array(z.object({ title: z.string() })) })),
});

/** What n8n finds in the demo's workflow and all examples, and in its own settings. */
async function migrationReport({ client, n8n }: Stage): Promise<Checked> {
	const names = ['demo', ...(await listExamples()).map(({ name }) => name)];
	for (const name of names) await client.createWorkflow(await readWorkflow(name, { folder: n8n.filesFolder }));
	const { report } = reportSchema.parse(await client.request('GET', '/rest/breaking-changes/report?version=v3'));
	const failures = report.instanceResults
		.filter(({ ruleId }) => !WITHOUT_SETTING.includes(ruleId))
		.map(({ ruleTitle }) => `a default of n8n 3 is not set: ${ruleTitle}`);
	for (const { ruleId, ruleTitle } of report.workflowResults) {
		const rule = ruleSchema.parse(await client.request('GET', `/rest/breaking-changes/report/${ruleId}`));
		for (const { name, issues } of rule.affectedWorkflows)
			failures.push(...issues.map(({ title }) => `${name}: ${title} (${ruleTitle})`));
	}
	return { checked: names.length, failures };
}
