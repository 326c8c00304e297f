import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IConnections, INode, IWorkflowSettings } from 'n8n-workflow';
import { z } from 'zod';

import type { StandIn } from '../stand-in';
import type { Column, Table, Workflow } from './client';
import { Problem } from './problem';

const FOLDER = join(__dirname, '..', '..', 'examples');

/** A workflow to import: examples/<name>.json. */
export interface Example {
	number: number;
	/** 01-nightly-reports: its file's name, and its page's. */
	name: string;
	title: string;
}

/** What the Settings node of an example holds, by name. */
export type Settings = Record<string, string | number | boolean>;

/** What replaces the services that an example is used with. */
export interface Trial {
	/** Where it may write files. */
	folder: string;
	/** Receives what the example sends to a chat, a mail server and so on, at /<name of the setting>. */
	inboxUrl?: string;
	/** What a person chooses from the lists in the forms of nodes, by the node's name. */
	choices?: Record<string, INode['parameters']>;
	/** Addresses of settings that are not the inbox's, by the name of the setting. */
	urls?: Record<string, string>;
	/** The data tables that a person chooses from the list; in an n8n whose node knows no names. */
	tables?: Table[];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const node = z.object({
	id: z.string(),
	name: z.string(),
	type: z.string(),
	typeVersion: z.number(),
	position: z.tuple([z.number(), z.number()]),
	parameters: z.record(z.unknown()),
});
const workflow = z.object({
	name: z.string(),
	nodes: z.array(z.custom<INode>((value) => node.safeParse(value).success)),
	connections: z.custom<IConnections>(isObject),
	settings: z.custom<IWorkflowSettings>(isObject).optional(),
});
const settingsNode = z.object({
	assignments: z.object({
		assignments: z.array(
			z.object({
				id: z.string(),
				name: z.string(),
				value: z.union([z.string(), z.number(), z.boolean()]),
				type: z.string(),
			}),
		),
	}),
});

/** The numbered examples that are there, in order. */
export async function listExamples(): Promise<Example[]> {
	const files = (await readdir(FOLDER)).filter((file) => /^\d\d-.*\.json$/.test(file)).sort();
	const names = files.map((file) => file.replace(/\.json$/, ''));
	return await Promise.all(
		names.map(async (name) => ({ number: Number(name.slice(0, 2)), name, title: (await readExample(name)).name })),
	);
}

/** Those of them that the environment variable EXAMPLES names ("1,3"); all if it names none. */
export async function chosenExamples(): Promise<Example[]> {
	const chosen = (process.env.EXAMPLES ?? '').split(',').filter(Boolean).map(Number);
	return (await listExamples()).filter(({ number }) => chosen.length === 0 || chosen.includes(number));
}

/** A workflow of the folder examples as it is there: '01-nightly-reports', 'demo'. */
export async function readExample(name: string): Promise<Workflow> {
	return workflow.parse(JSON.parse(await readFile(join(FOLDER, `${name}.json`), 'utf8')));
}

/**
 * Prepares a workflow of the folder examples for a trial: it writes files to the trial's folder, the addresses in its
 * settings (chatUrl, ...) are those of the inbox, and it does not wait (waitHours). n8n finds its credential by its name, as for a person who imports the file.
 * @param changes further values of its Settings node
 * @throws Problem for a setting that the example does not have
 */
export async function readWorkflow(
	name: string,
	{ folder, inboxUrl, choices = {}, urls = {}, tables = [] }: Trial,
	changes: Settings = {},
): Promise<Workflow> {
	const read = await readExample(name);
	const nodes = read.nodes
		.map((each) => ({ ...each, parameters: { ...each.parameters, ...choices[each.name] } }))
		.map((each) => (each.name === 'Settings' ? withValues(each, trialValue, changes) : each))
		.map((each) => withTable(each, tables));
	return { ...read, nodes };

	function trialValue(setting: string): Settings[string] | undefined {
		if (setting === 'folder') return folder;
		if (setting === 'waitHours') return 0;
		if (urls[setting] !== undefined) return urls[setting];
		return setting.endsWith('Url') && inboxUrl !== undefined ? `${inboxUrl}/${setting}` : undefined;
	}
}

/** An Edit Fields node with some of its values changed. */
function withValues(
	settings: INode,
	trialValue: (name: string) => Settings[string] | undefined,
	changes: Settings,
): INode {
	const { assignments } = settingsNode.parse(settings.parameters);
	const there = assignments.assignments.map(({ name }) => name);
	const unknown = Object.keys(changes).filter((name) => !there.includes(name));
	if (unknown.length > 0)
		throw new Problem(`The example has no setting ${unknown.join(', ')}; it has ${there.join(', ')}.`);
	const changed = assignments.assignments.map((each) => ({
		...each,
		value: changes[each.name] ?? trialValue(each.name) ?? each.value,
	}));
	return { ...settings, parameters: { ...settings.parameters, assignments: { assignments: changed } } };
}

const tableNode = z.object({ dataTableId: z.object({ mode: z.literal('name'), value: z.string() }) });
const creation = z.object({
	resource: z.literal('table'),
	tableName: z.string(),
	columns: z.object({
		column: z.array(z.object({ name: z.string(), type: z.enum(['string', 'number', 'boolean', 'date']) })),
	}),
});

/** A Data table node with the table chosen from the list. */
function withTable(each: INode, tables: Table[]): INode {
	const { data } = tableNode.safeParse(each.parameters);
	const table = tables.find(({ name }) => name === data?.dataTableId.value);
	if (!each.type.endsWith('.dataTable') || !table) return each;
	return { ...each, parameters: { ...each.parameters, dataTableId: { __rl: true, mode: 'list', value: table.id } } };
}

/** The data tables that an example makes for itself. */
export async function tablesOf(name: string): Promise<Array<{ name: string; columns: Column[] }>> {
	return (await readExample(name)).nodes.flatMap(({ parameters }) => {
		const { data } = creation.safeParse(parameters);
		return data ? [{ name: data.tableName, columns: data.columns.column }] : [];
	});
}

/** What can be chosen at the stand-in service. */
export function choicesOf({ state }: StandIn): Trial['choices'] {
	const { industryResourceId = '', licenseTypeResourceId = '' } = state.companies[0] ?? {};
	const chosen = (value: string) => ({ __rl: true, mode: 'id', value });
	return {
		'Create Company': {
			industry: chosen(industryResourceId),
			licenseType: chosen(licenseTypeResourceId),
			licensePeriodType: chosen('a-year'),
			country: chosen('a-country'),
			timeZone: chosen('Europe/Berlin'),
		},
	};
}

/** The node that a workflow starts with. */
export function triggerOf({ name, nodes }: Workflow): INode {
	const trigger = nodes.find(({ type }) => /(trigger|\.webhook)$/i.test(type));
	if (!trigger) throw new Problem(`The workflow "${name}" has no trigger.`);
	return trigger;
}
