import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CustomerFixture } from '../../cases';
import { getNodeItems } from '../../real-n8n/client';
import { assertSucceeded } from '../../real-n8n/report';
import { describeError } from '../../real-n8n/script';
import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import { buildNode, buildPackageNode, START_NODE, buildWorkflow } from '../../real-n8n/workflow';
import type { Part, PartReport } from '../part';
import { administration } from './administration';
import { customers } from './customers';
import type { Jobs, JobContext } from './job';
import { people } from './people';
import { reports } from './reports';

const ALL_JOBS: Jobs = { ...customers, ...administration, ...people, ...reports };

/** The number of jobs that the platforms publish for resellers and Company Admins. */
const PUBLISHED_JOB_COUNT = 35;

export const jobs: Part = {
	title: 'The published jobs, each as a workflow of our nodes, on a platform that behaves like live ones',
	run: async ({ startEnvironment }) => {
		const environment = await startEnvironment('n8n', { profile: 'deployed', companies: 40 });
		const customer = await CustomerFixture.connect(environment.service, 'deployed');
		const report: PartReport = { table: [], failures: [] };
		const selectedJobs = Object.entries(ALL_JOBS).filter(([title]) => title.includes(process.env.JOB ?? ''));
		for (const [job, check] of selectedJobs) {
			environment.service.reset();
			const statistics: JobStatistics = { nodes: '', requests: 0 };
			const problem = await check(buildJobContext(environment, customer, job, statistics)).then(
				() => '',
				describeError,
			);
			console.log(`  ${problem ? '✗' : '✓'} ${job}`);
			if (problem) report.failures.push(`${job}: ${problem.slice(0, 600)}`);
			report.table.push({ job, ...statistics, outcome: problem ? 'FAILED' : 'right' });
		}
		if (!process.env.JOB && selectedJobs.length !== PUBLISHED_JOB_COUNT)
			report.failures.push(`There are ${selectedJobs.length} jobs, ${PUBLISHED_JOB_COUNT} are published.`);
		return report;
	},
};

/** The names of the nodes that a job ran, and the number of their requests without those for tokens. */
interface JobStatistics {
	nodes: string;
	requests: number;
}

/** Builds the context of a job. @param statistics receives the job's statistics when it runs */
function buildJobContext(
	{ client, credential, n8n, service }: TestEnvironment,
	customer: CustomerFixture,
	job: string,
	statistics: JobStatistics,
): JobContext {
	return {
		customer,
		buildStep: (folder, operation, parameters) =>
			buildPackageNode(`${folder} ${operation}`, folder, { operation, ...parameters }, credential),
		runNodes: async (nodes) => {
			statistics.nodes = nodes.map(({ name }) => name).join(' → ');
			service.clearLog();
			const id = await client.createWorkflow(buildWorkflow(job, [START_NODE, ...nodes]));
			const execution = await client.run(id, START_NODE.name);
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
