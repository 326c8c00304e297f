import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CustomerFixture } from '../../cases';
import { itemsOf } from '../../real-n8n/client';
import { succeeded } from '../../real-n8n/report';
import { describe } from '../../real-n8n/script';
import type { Stage } from '../../real-n8n/stage';
import { node, ours, START, workflowOf } from '../../real-n8n/workflow';
import type { Part, Report } from '../part';
import { customers } from './customers';
import type { Jobs, Scene } from './job';
import { people } from './people';
import { reports } from './reports';

const ALL: Jobs = { ...customers, ...people, ...reports };

/** How many jobs the platforms publish for resellers and Company Admins. */
const PUBLISHED = 35;

export const jobs: Part = {
	title: 'The published jobs, each as a workflow of our nodes, on a platform as live ones behave',
	run: async ({ stage }) => {
		const there = await stage('n8n', { personality: 'deployed', companies: 40 });
		const customer = await CustomerFixture.at(there.service, 'deployed');
		const report: Report = { table: [], failures: [] };
		const wanted = Object.entries(ALL).filter(([title]) => title.includes(process.env.JOB ?? ''));
		for (const [job, check] of wanted) {
			there.service.reset();
			const done: Done = { nodes: '', requests: 0 };
			const problem = await check(sceneOf(there, customer, job, done)).then(() => '', describe);
			console.log(`  ${problem ? '✗' : '✓'} ${job}`);
			if (problem) report.failures.push(`${job}: ${problem.slice(0, 600)}`);
			report.table.push({ job, ...done, outcome: problem ? 'FAILED' : 'right' });
		}
		if (!process.env.JOB && wanted.length !== PUBLISHED)
			report.failures.push(`There are ${wanted.length} jobs, ${PUBLISHED} are published.`);
		return report;
	},
};

/** The nodes that were run, and how many requests they sent, without those for tokens. */
interface Done {
	nodes: string;
	requests: number;
}

/** @param done is filled in by the run */
function sceneOf(
	{ client, credential, n8n, service }: Stage,
	customer: CustomerFixture,
	job: string,
	done: Done,
): Scene {
	return {
		customer,
		step: (folder, operation, parameters) =>
			ours(`${folder} ${operation}`, folder, { operation, ...parameters }, credential),
		run: async (nodes) => {
			done.nodes = nodes.map(({ name }) => name).join(' → ');
			service.clearLog();
			const id = await client.createWorkflow(workflowOf(job, [START, ...nodes]));
			const execution = await client.run(id, START.name);
			done.requests = service.requests().filter(({ path }) => path !== '/connect/token').length;
			succeeded(execution);
			return (name) => itemsOf(execution, name);
		},
		reads: async ({ fileName, content }) => {
			const fileSelector = join(n8n.filesFolder, fileName);
			await writeFile(fileSelector, content);
			return node('Read File', 'readWriteFile', { fileSelector });
		},
	};
}
