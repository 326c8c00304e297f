import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CustomerFixture } from '../../cases';
import { getNodeItems } from '../../real-n8n/client';
import { assertSucceeded } from '../../real-n8n/report';
import { describeError } from '../../real-n8n/script';
import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import { buildNode, buildPackageNode, START_NODE, buildWorkflow } from '../../real-n8n/workflow';
import type { TestPart, TestPartReport } from '../part';
import { administration } from './administration';
import { customers } from './customers';
import type { Jobs, JobContext } from './job';
import { people } from './people';
import { reports } from './reports';
import { parseOperationKey } from '../../contract/operationKeys';

const ALL_JOBS: Jobs = { ...customers, ...administration, ...people, ...reports };

/** The number of jobs that the platforms publish for resellers and Company Admins. */
const PUBLISHED_JOB_COUNT = 35;

export const jobs: TestPart = {
	title: 'The published jobs, each as a workflow of our nodes, on a platform that behaves like live ones',
	run: async ({ startEnvironment }) => {
		const environment = await startEnvironment('n8n', { profile: 'deployed', companyCount: 40 });
		const customer = await CustomerFixture.connect(environment.service, 'deployed');
		const report: TestPartReport = { table: [], failures: [] };
		const selectedJobs = Object.entries(ALL_JOBS).filter(([title]) => title.includes(process.env.JOB ?? ''));
		for (const [title, runJob] of selectedJobs) {
			environment.service.reset();
			const statistics: JobStatistics = { nodes: '', requests: 0 };
			const problem = await runJob(buildJobContext(environment, customer, title, statistics)).then(
				() => '',
				describeError,
			);
			console.log(`  ${problem ? '✗' : '✓'} ${title}`);
			if (problem) report.failures.push(`${title}: ${problem.slice(0, 600)}`);
			report.table.push({ job: title, ...statistics, outcome: problem ? 'FAILED' : 'right' });
		}
		if (!process.env.JOB && selectedJobs.length !== PUBLISHED_JOB_COUNT)
			report.failures.push(`There are ${selectedJobs.length} jobs, ${PUBLISHED_JOB_COUNT} are published.`);
		return report;
	},
};

/** The names of the nodes that a job ran, and the number of requests that they sent. Token requests don't count. */
interface JobStatistics {
	nodes: string;
	requests: number;
}

/** Builds the context of a job. @param statistics is filled in when the job runs */
function buildJobContext(
	{ client, credential, n8n, service }: TestEnvironment,
	customer: CustomerFixture,
	title: string,
	statistics: JobStatistics,
): JobContext {
	return {
		customer,
		buildStep: (folder, operation, parameters) =>
			buildPackageNode(
				`${folder} ${operation}`,
				folder,
				{ ...parseOperationKey(folder, operation), ...parameters },
				credential,
			),
		runNodes: async (nodes) => {
			statistics.nodes = nodes.map(({ name }) => name).join(' → ');
			service.clearLog();
			const id = await client.createWorkflow(buildWorkflow(title, [START_NODE, ...nodes]));
			const execution = await client.runWorkflow(id, START_NODE.name);
			statistics.requests = service.getRequests().filter(({ path }) => path !== '/connect/token').length;
			assertSucceeded(execution);
			return (name) => getNodeItems(execution, name);
		},
		buildReadFileNode: async ({ fileName, content }) => {
			const fileSelector = join(n8n.filesFolder, fileName);
			await writeFile(fileSelector, content);
			return buildNode('Read File', 'readWriteFile', { fileSelector });
		},
	};
}
