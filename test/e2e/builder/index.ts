import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startInbox } from '../../real-n8n/inbox';
import { itemsOf } from '../../real-n8n/client';
import { describe } from '../../real-n8n/script';
import { temporaryFolder } from '../../real-n8n/stage';
import type { Part, Report } from '../part';
import { JOBS, runOnce, type Job, type Place } from './jobs';
import { runnable, type Values } from './run';
import { toldByN8n, together } from './told';
import { Checks } from './validate';

/** What stands in `placeholder(...)`, at the stand-in service. */
function valuesAt({ service, inbox }: Pick<Place, 'service' | 'inbox'>): Values {
	const [company] = service.state.companies;
	const companyId = company?.companyResourceId ?? '';
	return {
		'Company ID': companyId,
		'Training ID': service.state.trainings[0]?.trainingId ?? '',
		'Role ID': service.state.of(companyId).clients[0]?.roleResourceIdList[0] ?? '',
		'Mail address': 'customer@example.com',
		'Vault address': `${inbox.url}/vault`,
	};
}

const sourceOf = async (number: number) =>
	await readFile(join(__dirname, 'jobs', `${String(number).padStart(2, '0')}.js`), 'utf8');

/** Wrong in one place each: if n8n's checks let one of these pass, they say nothing of the jobs. */
const MISTAKES: Array<[number, string, string]> = [
	[1, "format: 'csv'", "format: 'pdf'"],
	[1, "operation: 'export'", "operation: 'exportAll'"],
	[4, "name: 'Entra ID',", ''],
	[5, "show: 'renewal'", "show: 'soon'"],
	[9, "outputFields: ['companyResourceId', 'companyName']", 'outputFields: [1]'],
	[10, 'returnAll: true,', 'returnAll: true, limit: 5,'],
];

/** @returns a sentence for each mistake that n8n's checks do not find */
async function mistakesNotFound(checks: Checks): Promise<string[]> {
	const failures = MISTAKES.map(async ([number, right, wrong]) => {
		const source = await sourceOf(number);
		assert.ok(source.includes(right), `Job ${number} has no ${right}`);
		const { problems } = checks.check(source.replace(right, wrong));
		return problems.length > 0 ? [] : [`n8n's checks let ${wrong} pass in job ${number}.`];
	});
	return (await Promise.all(failures)).flat();
}

async function done(
	job: Job,
	number: number,
	checks: Checks,
	place: Place,
	stage: Parameters<typeof runnable>[1],
): Promise<{ row: Report['table'][number]; failures: string[] }> {
	const row = { job: job.sentence, nodes: 0, validated: 'no', ran: 'no', items: 0 };
	try {
		const { problems, json } = checks.check(await sourceOf(number));
		row.nodes = json.nodes.length;
		assert.deepEqual(problems, []);
		row.validated = 'yes';
		const execution = await (job.run ?? runOnce)(runnable(json, stage, place.values), place);
		const items = itemsOf(execution, job.last).map((item) => item.json);
		row.items = items.length;
		job.check(place, items, execution);
		row.ran = 'yes';
		return { row, failures: [] };
	} catch (error) {
		return { row, failures: [`${job.sentence}: ${describe(error)}`] };
	}
}

export const builder: Part = {
	title: 'Ten jobs, with workflows as an AI would write them from what n8n tells it of the nodes',
	run: async ({ stage, results, cleanups }) => {
		const inbox = await startInbox();
		cleanups.push(inbox.close);
		const there = await stage('n8n');
		const { client, service } = there;
		const served: unknown = await (await client.file('/types/nodes.json')).json();
		const told = await toldByN8n(served, results);
		console.table([...told.table, together(told.table)]);
		const checks = await Checks.of(served, await temporaryFolder(cleanups));
		const report: Report = { table: [], failures: [...told.failures, ...(await mistakesNotFound(checks))] };
		const chosen = (process.env.JOBS ?? '').split(',').filter(Boolean).map(Number);
		for (const [index, job] of JOBS.entries()) {
			if (chosen.length > 0 && !chosen.includes(index + 1)) continue;
			console.log(`  ${index + 1}. ${job.sentence}`);
			service.reset();
			inbox.clear();
			const place = { client, service, inbox, values: valuesAt({ service, inbox }) };
			job.prepare?.(place);
			const { row, failures } = await done(job, index + 1, checks, place, there);
			report.table.push(row);
			report.failures.push(...failures);
		}
		await there.n8n.stop();
		return report;
	},
};
