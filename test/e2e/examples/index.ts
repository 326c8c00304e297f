import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import {
	listSelectedExamples,
	prepareExample,
	findTrigger,
	listExampleTables,
	buildPickerParameters,
	type Example,
	type ExampleSettings,
} from '../../real-n8n/examples';
import type { ChatProduct } from '../../real-n8n/chatProducts';
import { startInbox, type Inbox } from '../../real-n8n/inbox';
import { assertSucceeded } from '../../real-n8n/report';
import { describeError } from '../../real-n8n/script';
import type { Cleanups, TestEnvironment } from '../../real-n8n/testEnvironment';
import type { DataTable, Workflow } from '../../real-n8n/client';
import { NEWEST_VERSION, OLDEST_VERSION, type Version } from '../../real-n8n/versions';
import { POLL_TIMES } from '../../real-n8n/workflow';
import type { TestPart, TestPartReport } from '../part';
import { LOG_SETTINGS } from '../versions/checkLog';
import { findCheck, Comparisons, parseChatTexts, waitInN8n, type ExampleContext } from './registerCheck';

export const examples: TestPart = {
	title: 'The examples, run as a user would run them, with checks of their results',
	run: async (context) => {
		const report: TestPartReport = { table: [], failures: [] };
		for (const version of [OLDEST_VERSION, NEWEST_VERSION]) {
			const testEnvironment = await context.startEnvironment(`n8n-${version}`, {
				version,
				env: LOG_SETTINGS,
				profile: 'deployed',
			});
			const environment = { ...testEnvironment, version };
			const { table, failures } = await checkExamples(environment, await listSelectedExamples(), context.cleanups);
			report.table.push(...table.map((row) => ({ n8n: version, ...row })));
			report.failures.push(...failures.map((failure) => `n8n ${version}, ${failure}`));
			await environment.n8n.stop();
		}
		return report;
	},
};

/** The environment in which an example runs. */
type ExampleEnvironment = TestEnvironment & { version: Version };

/**
 * Returns the chat to which the examples send their messages, and the value of chatFormat for it. The two versions of n8n have
 * different chats, so that every message is sent in both formats.
 */
const getChat = (version: Version): { product: ChatProduct; format: string } =>
	version === OLDEST_VERSION ? { product: 'slack', format: 'text' } : { product: 'teams', format: 'adaptive card' };

/** Runs the checks of the selected examples in one n8n. Its stand-in service must behave like live deployments. */
export async function checkExamples(
	environment: ExampleEnvironment,
	selectedExamples: Example[],
	cleanups: Cleanups,
): Promise<TestPartReport> {
	for (const file of (await readdir(__dirname)).filter((name) => /^\d\d\.ts$/.test(name)).sort())
		module.require(join(__dirname, file));
	const inbox = await startInbox({ chat: getChat(environment.version).product });
	cleanups.push(inbox.close);
	const report: TestPartReport = { table: [], failures: [] };
	for (const example of selectedExamples) {
		const { row, failures } = await runCheck(example, environment, inbox);
		report.table.push(row);
		report.failures.push(...failures.map((failure) => `${example.name}: ${failure}`));
	}
	return report;
}

/** Resets the service and the inbox and runs an example's check. @returns a row for the table, and a sentence for each failure */
async function runCheck(
	example: Example,
	environment: ExampleEnvironment,
	inbox: Inbox,
): Promise<{ row: TestPartReport['table'][number]; failures: string[] }> {
	const { number, name, title } = example;
	console.log(`  ${title}`);
	const { service, n8n } = environment;
	service.reset();
	inbox.clear();
	const folder = join(n8n.filesFolder, name);
	await mkdir(folder);
	const startedAt = Date.now();
	const comparisons = new Comparisons();
	const context = buildExampleContext(example, environment, inbox, folder, comparisons);
	const check = findCheck(number);
	if (!check) comparisons.failures.push('It has no check.');
	await check?.(context).catch((error: unknown) => comparisons.failures.push(describeError(error)));
	context.expectNone('the chat posts every message', inbox.chatFaults.splice(0));

	const { nodes } = await context.prepareWorkflow();
	const row = {
		example: name,
		nodes: nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length,
		requests: service.getRequests().length,
		received: inbox.requests.length,
		compared: comparisons.descriptions.length,
		failed: comparisons.failures.length,
		seconds: Math.round((Date.now() - startedAt) / 1000),
	};
	return { row, failures: comparisons.failures };
}

/** Builds the context of an example's check. */
function buildExampleContext(
	{ name }: Example,
	environment: ExampleEnvironment,
	inbox: Inbox,
	folder: string,
	{ expectEqual }: Comparisons,
): ExampleContext {
	const { client, service, version } = environment;
	const trialOptions = {
		folder,
		inboxUrl: inbox.url,
		chatFormat: getChat(version).format,
		pickerParameters: buildPickerParameters(service),
	};
	const prepareWorkflow = async (settings?: ExampleSettings) => {
		const tables = await createTablesByHand(name, environment);
		return await prepareExample(name, { ...trialOptions, tables }, settings);
	};
	const findTables = async (tableName: string) =>
		(await client.listTables()).filter((table) => table.name === tableName);

	const runExample: ExampleContext['runExample'] = async (settings, changeWorkflow) => {
		const preparedWorkflow = await prepareWorkflow(settings);
		const workflow = changeWorkflow ? changeWorkflow(preparedWorkflow) : preparedWorkflow;
		const id = await client.createWorkflow(workflow);
		return assertSucceeded(await client.runWorkflow(id, findTrigger(workflow).name));
	};

	const runActivated: ExampleContext['runActivated'] = async (causeEvent, { settings, count = 1 } = {}) => {
		const id = await client.createWorkflow(scheduleSoon(await prepareWorkflow(settings)));
		await client.activate(id);
		try {
			await causeEvent(id);
			const listEndedExecutions = async () =>
				(await client.readExecutions(id)).filter(({ status }) => !['new', 'running', 'waiting'].includes(status));
			await waitInN8n(`${count} executions that ended`, async () => (await listEndedExecutions()).length >= count);
			return (await listEndedExecutions()).map(assertSucceeded).reverse();
		} finally {
			await client.deactivate(id);
		}
	};
	return {
		environment,
		client,
		service,
		inbox,
		folder,
		prepareWorkflow,
		runExample,
		runActivated,
		expectEqual,
		readTableRows: async (tableName) => {
			const tables = await findTables(tableName);
			return (await Promise.all(tables.map((table) => client.readRows(table)))).flat();
		},
		dropTable: async (tableName) => {
			for (const table of await findTables(tableName)) await client.deleteTable(table);
		},
		expectNone: (description, unexpected) => expectEqual(description, unexpected, []),
		refuseCompany: (company, route) => {
			if (!company) throw new Error('There are too few companies.');
			service.addFault({ kind: 'forbidden-company', companyId: company.companyResourceId, times: Infinity, route });
		},
		getChatTexts: () => parseChatTexts(inbox.getRequests('chatUrl')),
		getChatLines: (beginning) =>
			parseChatTexts(inbox.getRequests('chatUrl'))
				.filter((text) => text.startsWith(beginning))
				.flatMap((text) => text.split('\n').slice(1)),
	};
}

/**
 * Creates the tables that a user must create by hand, as the example's page says. This is only necessary in the oldest n8n, because
 * its Data table node can't create tables or find them by name.
 */
async function createTablesByHand(name: string, { client, version }: ExampleEnvironment): Promise<DataTable[]> {
	if (version !== OLDEST_VERSION) return [];
	const tables = await client.listTables();
	const missingTables = (await listExampleTables(name)).filter(
		(definition) => !tables.some((table) => table.name === definition.name),
	);
	for (const definition of missingTables) tables.push(await client.createTable(definition.name, definition.columns));
	return tables;
}

/**
 * Makes a workflow start soon after its activation. Triggers of this package poll every three seconds, and each poll sends requests
 * for every customer. A schedule starts in five seconds and then once per hour.
 */
const scheduleSoon = (workflow: Workflow): Workflow => ({
	...workflow,
	nodes: workflow.nodes.map((node) => {
		if (/security-awareness.*Trigger$/.test(node.type))
			return {
				...node,
				parameters: { ...node.parameters, pollTimes: POLL_TIMES, options: { readEachCompanyEvery: 0 } },
			};
		if (!node.type.endsWith('.scheduleTrigger')) return node;
		const startTime = new Date(Date.now() + 5000);
		const cron = { field: 'cronExpression', expression: `${startTime.getSeconds()} ${startTime.getMinutes()} * * * *` };
		return { ...node, parameters: { rule: { interval: [cron] } } };
	}),
});
