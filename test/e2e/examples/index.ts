import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import {
	listSelectedExamples,
	prepareExample,
	findTrigger,
	listExampleTables,
	buildChoices,
	type Example,
	type ExampleSettings,
} from '../../real-n8n/examples';
import { startInbox, type Inbox } from '../../real-n8n/inbox';
import { assertSucceeded } from '../../real-n8n/report';
import { describeError } from '../../real-n8n/script';
import type { Cleanups, TestEnvironment } from '../../real-n8n/stage';
import type { DataTable, Workflow } from '../../real-n8n/client';
import { NEWEST, OLDEST, type Version } from '../../real-n8n/versions';
import { pollTimes } from '../../real-n8n/workflow';
import type { Part, PartReport } from '../part';
import { LOG_SETTINGS } from '../versions/log';
import { findCheck, Comparisons, parseChatTexts, waitInN8n, type ExampleContext } from './check';

export const examples: Part = {
	title: 'The examples, each run as a person would use it and checked by what came of it',
	run: async (tools) => {
		const report: PartReport = { table: [], failures: [] };
		for (const version of [OLDEST, NEWEST]) {
			const there = await tools.startEnvironment(`n8n-${version}`, { version, env: LOG_SETTINGS, personality: 'deployed' });
			const environment = { ...there, version };
			const { table, failures } = await checkExamples(environment, await listSelectedExamples(), tools.cleanups);
			report.table.push(...table.map((row) => ({ n8n: version, ...row })));
			report.failures.push(...failures.map((failure) => `n8n ${version}, ${failure}`));
			await there.n8n.stop();
		}
		return report;
	},
};

/** Where an example is run. */
type ExampleEnvironment = TestEnvironment & { version: Version };

/** Runs the checks of some examples in one n8n, whose service behaves as deployed. */
export async function checkExamples(environment: ExampleEnvironment, selectedExamples: Example[], cleanups: Cleanups): Promise<PartReport> {
	for (const file of (await readdir(__dirname)).filter((name) => /^\d\d\.ts$/.test(name)).sort())
		module.require(join(__dirname, file));
	const inbox = await startInbox();
	cleanups.push(inbox.close);
	const report: PartReport = { table: [], failures: [] };
	for (const example of selectedExamples) {
		const { row, failures } = await runCheck(example, environment, inbox);
		report.table.push(row);
		report.failures.push(...failures.map((failure) => `${example.name}: ${failure}`));
	}
	return report;
}

/** Runs an example's check against an empty service. */
async function runCheck(
	example: Example,
	stage: ExampleEnvironment,
	inbox: Inbox,
): Promise<{ row: PartReport['table'][number]; failures: string[] }> {
	const { number, name, title } = example;
	console.log(`  ${title}`);
	const { service, n8n } = stage;
	service.reset();
	inbox.clear();
	const folder = join(n8n.filesFolder, name);
	await mkdir(folder);
	const startedAt = Date.now();
	const comparisons = new Comparisons();
	const context = buildExampleContext(example, stage, inbox, folder, comparisons);
	const check = findCheck(number);
	if (!check) comparisons.failures.push('It has no check.');
	await check?.(context).catch((error: unknown) => comparisons.failures.push(describeError(error)));

	const { nodes } = await context.prepareWorkflow();
	const row = {
		example: name,
		nodes: nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length,
		requests: service.getRequests().length,
		received: inbox.requests.length,
		looked: comparisons.descriptions.length,
		failed: comparisons.failures.length,
		seconds: Math.round((Date.now() - startedAt) / 1000),
	};
	return { row, failures: comparisons.failures };
}

function buildExampleContext({ name }: Example, stage: ExampleEnvironment, inbox: Inbox, folder: string, { expectEqual: same }: Comparisons): ExampleContext {
	const { client, service } = stage;
	const workflow = async (settings?: ExampleSettings) => {
		const tables = await createTablesByHand(name, stage);
		return await prepareExample(name, { folder, inboxUrl: inbox.url, choices: buildChoices(service), tables }, settings);
	};
	const findTables = async (table: string) => (await client.listTables()).filter(({ name: its }) => its === table);

	const run: ExampleContext['runExample'] = async (settings, change = (read) => read) => {
		const read = change(await workflow(settings));
		const id = await client.createWorkflow(read);
		return assertSucceeded(await client.run(id, findTrigger(read).name));
	};

	const runActive: ExampleContext['runActivated'] = async (happen, { settings, count = 1 } = {}) => {
		const id = await client.createWorkflow(startSoon(await workflow(settings)));
		await client.activate(id);
		try {
			await happen(id);
			const listEndedExecutions = async () =>
				(await client.readExecutions(id)).filter(({ status }) => !['new', 'running', 'waiting'].includes(status));
			await waitInN8n(`${count} executions that ended`, async () => (await listEndedExecutions()).length >= count);
			return (await listEndedExecutions()).map(assertSucceeded).reverse();
		} finally {
			await client.deactivate(id);
		}
	};
	return {
		environment: stage,
		client,
		service,
		inbox,
		folder,
		prepareWorkflow: workflow,
		runExample: run,
		runActivated: runActive,
		expectEqual: same,
		readTableRows: async (table) => (await Promise.all((await findTables(table)).map((each) => client.readRows(each)))).flat(),
		dropTable: async (table) => {
			for (const each of await findTables(table)) await client.deleteTable(each);
		},
		expectNone: (what, found) => same(what, found, []),
		refuseCompany: (company, route) => {
			if (!company) throw new Error('There are too few companies.');
			const rule = { kind: 'forbidden-company' as const, company: company.companyResourceId, times: Infinity };
			service.addFault({ ...rule, route });
		},
		getChatTexts: () => parseChatTexts(inbox.getRequests('chatUrl')),
		getChatLines: (beginning) =>
			parseChatTexts(inbox.getRequests('chatUrl'))
				.filter((text) => text.startsWith(beginning))
				.flatMap((text) => text.split('\n').slice(1)),
	};
}

/**
 * The tables that a person makes by hand and chooses, as the example's page says: the Data table node of the oldest n8n neither
 * makes one nor knows names.
 */
async function createTablesByHand(name: string, { client, version }: ExampleEnvironment): Promise<DataTable[]> {
	if (version !== OLDEST) return [];
	const there = await client.listTables();
	const wanted = (await listExampleTables(name)).filter((table) => !there.some((each) => each.name === table.name));
	for (const table of wanted) there.push(await client.createTable(table.name, table.columns));
	return there;
}

/** Its polling trigger looks every three seconds, at each customer if it asks each; its schedule comes in a few seconds and then not for an hour. */
const startSoon = (workflow: Workflow): Workflow => ({
	...workflow,
	nodes: workflow.nodes.map((node) => {
		if (/security-awareness.*Trigger$/.test(node.type))
			return { ...node, parameters: { ...node.parameters, pollTimes, options: { askEachEvery: 0 } } };
		if (!node.type.endsWith('.scheduleTrigger')) return node;
		const soon = new Date(Date.now() + 5000);
		const cron = { field: 'cronExpression', expression: `${soon.getSeconds()} ${soon.getMinutes()} * * * *` };
		return { ...node, parameters: { rule: { interval: [cron] } } };
	}),
});
