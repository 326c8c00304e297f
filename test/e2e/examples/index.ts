import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import {
	chosenExamples,
	readWorkflow,
	triggerOf,
	tablesOf,
	choicesOf,
	type Example,
	type Settings,
} from '../../real-n8n/examples';
import { startInbox, type Inbox } from '../../real-n8n/inbox';
import { succeeded } from '../../real-n8n/report';
import { describe } from '../../real-n8n/script';
import type { Cleanups, Stage } from '../../real-n8n/stage';
import type { Table, Workflow } from '../../real-n8n/client';
import { NEWEST, OLDEST, type Version } from '../../real-n8n/versions';
import { pollTimes } from '../../real-n8n/workflow';
import type { Part, Report } from '../part';
import { LOG_SETTINGS } from '../versions/log';
import { checkOf, Notes, textsOf, until, type Scene } from './check';

export const examples: Part = {
	title: 'The examples, each run as a person would use it and checked by what came of it',
	run: async (tools) => {
		const report: Report = { table: [], failures: [] };
		for (const version of [OLDEST, NEWEST]) {
			const there = await tools.stage(`n8n-${version}`, { version, env: LOG_SETTINGS, personality: 'deployed' });
			const place = { ...there, version };
			const { table, failures } = await checkExamples(place, await chosenExamples(), tools.cleanups);
			report.table.push(...table.map((row) => ({ n8n: version, ...row })));
			report.failures.push(...failures.map((failure) => `n8n ${version}, ${failure}`));
			await there.n8n.stop();
		}
		return report;
	},
};

/** Where an example is run. */
type Place = Stage & { version: Version };

/** Runs the checks of some examples in one n8n, whose service behaves as deployed. */
export async function checkExamples(place: Place, chosen: Example[], cleanups: Cleanups): Promise<Report> {
	for (const file of (await readdir(__dirname)).filter((name) => /^\d\d\.ts$/.test(name)).sort())
		module.require(join(__dirname, file));
	const inbox = await startInbox();
	cleanups.push(inbox.close);
	const report: Report = { table: [], failures: [] };
	for (const example of chosen) {
		const { row, failures } = await checkOne(example, place, inbox);
		report.table.push(row);
		report.failures.push(...failures.map((failure) => `${example.name}: ${failure}`));
	}
	return report;
}

/** Runs an example's check against an empty service. */
async function checkOne(
	example: Example,
	stage: Place,
	inbox: Inbox,
): Promise<{ row: Report['table'][number]; failures: string[] }> {
	const { number, name, title } = example;
	console.log(`  ${title}`);
	const { service, n8n } = stage;
	service.reset();
	inbox.clear();
	const folder = join(n8n.filesFolder, name);
	await mkdir(folder);
	const began = Date.now();
	const notes = new Notes();
	const scene = sceneOf(example, stage, inbox, folder, notes);
	const check = checkOf(number);
	if (!check) notes.failures.push('It has no check.');
	await check?.(scene).catch((error: unknown) => notes.failures.push(describe(error)));

	const { nodes } = await scene.workflow();
	const row = {
		example: name,
		nodes: nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length,
		requests: service.requests().length,
		received: inbox.received.length,
		looked: notes.looked.length,
		failed: notes.failures.length,
		seconds: Math.round((Date.now() - began) / 1000),
	};
	return { row, failures: notes.failures };
}

function sceneOf({ name }: Example, stage: Place, inbox: Inbox, folder: string, { same }: Notes): Scene {
	const { client, service } = stage;
	const workflow = async (settings?: Settings) => {
		const tables = await chosenTables(name, stage);
		return await readWorkflow(name, { folder, inboxUrl: inbox.url, choices: choicesOf(service), tables }, settings);
	};
	const tableCalled = async (table: string) => (await client.tables()).filter(({ name: its }) => its === table);

	const run: Scene['run'] = async (settings, change = (read) => read) => {
		const read = change(await workflow(settings));
		const id = await client.createWorkflow(read);
		return succeeded(await client.run(id, triggerOf(read).name));
	};

	const runActive: Scene['runActive'] = async (happen, { settings, count = 1 } = {}) => {
		const id = await client.createWorkflow(startingSoon(await workflow(settings)));
		await client.activate(id);
		try {
			await happen(id);
			const ended = async () =>
				(await client.executions(id)).filter(({ status }) => !['new', 'running', 'waiting'].includes(status));
			await until(`${count} executions that ended`, async () => (await ended()).length >= count);
			return (await ended()).map(succeeded).reverse();
		} finally {
			await client.deactivate(id);
		}
	};
	return {
		stage,
		client,
		service,
		inbox,
		folder,
		workflow,
		run,
		runActive,
		same,
		rowsOf: async (table) => (await Promise.all((await tableCalled(table)).map((each) => client.rowsOf(each)))).flat(),
		dropTable: async (table) => {
			for (const each of await tableCalled(table)) await client.deleteTable(each);
		},
		none: (what, found) => same(what, found, []),
		refuse: (company, route) => {
			if (!company) throw new Error('There are too few companies.');
			const rule = { kind: 'forbidden-company' as const, company: company.companyResourceId, times: Infinity };
			service.fault({ ...rule, route });
		},
		texts: () => textsOf(inbox.of('chatUrl')),
		linesOf: (beginning) =>
			textsOf(inbox.of('chatUrl'))
				.filter((text) => text.startsWith(beginning))
				.flatMap((text) => text.split('\n').slice(1)),
	};
}

/**
 * The tables that a person makes by hand and chooses, as the example's page says: the Data table node of the oldest n8n neither
 * makes one nor knows names.
 */
async function chosenTables(name: string, { client, version }: Place): Promise<Table[]> {
	if (version !== OLDEST) return [];
	const there = await client.tables();
	const wanted = (await tablesOf(name)).filter((table) => !there.some((each) => each.name === table.name));
	for (const table of wanted) there.push(await client.createTable(table.name, table.columns));
	return there;
}

/** Its polling trigger looks every three seconds, at each customer if it asks each; its schedule comes in a few seconds and then not for an hour. */
const startingSoon = (workflow: Workflow): Workflow => ({
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
