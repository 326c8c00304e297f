import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IConnections, INode, IWorkflowSettings } from 'n8n-workflow';
import { z } from 'zod';

import type { StandIn } from '../stand-in';
import type { TableColumn, DataTable, Workflow } from './client';
import { Problem } from './problem';

const EXAMPLES_FOLDER = join(__dirname, '..', '..', 'examples');

/** An example workflow. Users import it from examples/<name>.json. */
export interface Example {
	number: number;
	/** The name of the file and of the docs page, such as 01-nightly-reports. */
	name: string;
	title: string;
}

/** Values in the Settings node of an example, by the name of the setting. */
export type ExampleSettings = Record<string, string | number | boolean>;

/** Replacements for the external systems, folders and tables that an example works with, to try it out on this machine. */
export interface TrialOptions {
	/** The folder to which the example may write files. */
	folder: string;
	/** The URL of the inbox. A setting such as chatUrl becomes `<inboxUrl>/chatUrl`. */
	inboxUrl?: string;
	/** The value of the setting chatFormat. By default, the example keeps its own. */
	chatFormat?: string;
	/** Parameters that a user would select in pickers, by the name of the node. */
	pickerParameters?: Record<string, INode['parameters']>;
	/** The URLs of settings that must not point to the inbox, by the name of the setting. */
	urlsBySetting?: Record<string, string>;
	/** The data tables to select in the Data table nodes, for an n8n in which these nodes can't find tables by name. */
	tables?: DataTable[];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const nodeSchema = z.object({
	id: z.string(),
	name: z.string(),
	type: z.string(),
	typeVersion: z.number(),
	position: z.tuple([z.number(), z.number()]),
	parameters: z.record(z.unknown()),
});
const workflowSchema = z.object({
	name: z.string(),
	nodes: z.array(z.custom<INode>((value) => nodeSchema.safeParse(value).success)),
	connections: z.custom<IConnections>(isObject),
	settings: z.custom<IWorkflowSettings>(isObject).optional(),
});
const settingsSchema = z.object({
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

/** Lists all numbered examples in order. */
export async function listExamples(): Promise<Example[]> {
	const files = (await readdir(EXAMPLES_FOLDER)).filter((file) => /^\d\d-.*\.json$/.test(file)).sort();
	const names = files.map((file) => file.replace(/\.json$/, ''));
	return await Promise.all(
		names.map(async (name) => ({ number: Number(name.slice(0, 2)), name, title: (await readExample(name)).name })),
	);
}

/** Lists the examples whose numbers are in the environment variable EXAMPLES ("1,3"), or all examples without it. */
export async function listSelectedExamples(): Promise<Example[]> {
	const numbers = (process.env.EXAMPLES ?? '').split(',').filter(Boolean).map(Number);
	return (await listExamples()).filter(({ number }) => numbers.length === 0 || numbers.includes(number));
}

/** Reads a workflow from the folder examples without changing it. @param name such as '01-nightly-reports' or 'demo' */
export async function readExample(name: string): Promise<Workflow> {
	return await readWorkflow(join(EXAMPLES_FOLDER, `${name}.json`));
}

/** Reads a workflow from a file without changing it. */
export async function readWorkflow(path: string): Promise<Workflow> {
	return workflowSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

/**
 * Reads a workflow from the folder examples and prepares it for a trial. The workflow then writes files to `folder`, sends messages
 * to the inbox (chatUrl and similar settings), and doesn't wait (waitHours). n8n finds the credential by its name, as it does after
 * a user has imported the file.
 * @param changedSettings more values for the Settings node; they override the values for the trial
 * @throws Problem for a setting that the example does not have
 */
export async function prepareExample(
	name: string,
	{ folder, inboxUrl, chatFormat, pickerParameters = {}, urlsBySetting = {}, tables = [] }: TrialOptions,
	changedSettings: ExampleSettings = {},
): Promise<Workflow> {
	const workflow = await readExample(name);
	const nodes = workflow.nodes
		.map((node) => ({ ...node, parameters: { ...node.parameters, ...pickerParameters[node.name] } }))
		.map((node) => (node.name === 'Settings' ? changeSettings(node, getTrialValue, changedSettings) : node))
		.map((node) => selectTable(node, tables));
	return { ...workflow, nodes };

	function getTrialValue(setting: string): ExampleSettings[string] | undefined {
		if (setting === 'folder') return folder;
		if (setting === 'waitHours') return 0;
		if (setting === 'chatFormat') return chatFormat;
		if (urlsBySetting[setting] !== undefined) return urlsBySetting[setting];
		return setting.endsWith('Url') && inboxUrl !== undefined ? `${inboxUrl}/${setting}` : undefined;
	}
}

/** Changes values in the Settings node. @throws Problem if `changedSettings` has a setting that the node doesn't have */
function changeSettings(
	settingsNode: INode,
	getTrialValue: (name: string) => ExampleSettings[string] | undefined,
	changedSettings: ExampleSettings,
): INode {
	const { assignments } = settingsSchema.parse(settingsNode.parameters);
	const settingNames = assignments.assignments.map(({ name }) => name);
	const unknownNames = Object.keys(changedSettings).filter((name) => !settingNames.includes(name));
	if (unknownNames.length > 0)
		throw new Problem(`The example has no setting ${unknownNames.join(', ')}; it has ${settingNames.join(', ')}.`);
	const changedAssignments = assignments.assignments.map((assignment) => ({
		...assignment,
		value: changedSettings[assignment.name] ?? getTrialValue(assignment.name) ?? assignment.value,
	}));
	return {
		...settingsNode,
		parameters: { ...settingsNode.parameters, assignments: { assignments: changedAssignments } },
	};
}

const tableNodeSchema = z.object({ dataTableId: z.object({ mode: z.literal('name'), value: z.string() }) });
const tableCreationSchema = z.object({
	resource: z.literal('table'),
	tableName: z.string(),
	columns: z.object({
		column: z.array(z.object({ name: z.string(), type: z.enum(['string', 'number', 'boolean', 'date']) })),
	}),
});

/** In a Data table node that refers to one of these tables by name, refers to the table by ID instead. Returns other nodes unchanged. */
export function selectTable(node: INode, tables: DataTable[]): INode {
	const { data } = tableNodeSchema.safeParse(node.parameters);
	const table = tables.find(({ name }) => name === data?.dataTableId.value);
	if (!node.type.endsWith('.dataTable') || !table) return node;
	return {
		...node,
		parameters: {
			...node.parameters,
			dataTableId: { __rl: true, mode: 'list', value: table.id, cachedResultName: table.name },
		},
	};
}

/** Lists the data tables that an example creates. */
export async function listExampleTables(name: string): Promise<Array<{ name: string; columns: TableColumn[] }>> {
	return (await readExample(name)).nodes.flatMap(({ parameters }) => {
		const { data } = tableCreationSchema.safeParse(parameters);
		return data ? [{ name: data.tableName, columns: data.columns.column }] : [];
	});
}

/** Builds the parameters that a user would select in pickers, with values that exist in the stand-in service. */
export function buildPickerParameters({ world }: StandIn): TrialOptions['pickerParameters'] {
	const { industryResourceId = '', licenseTypeResourceId = '' } = world.companies[0] ?? {};
	const buildLocator = (value: string) => ({ __rl: true, mode: 'id', value });
	return {
		'Create Company': {
			industry: buildLocator(industryResourceId),
			licenseType: buildLocator(licenseTypeResourceId),
			licensePeriodType: buildLocator('a-year'),
			country: buildLocator('a-country'),
			timeZone: buildLocator('Europe/Berlin'),
		},
	};
}

/** Finds the node that starts a workflow. @throws Problem if there is none */
export function findTrigger({ name, nodes }: Workflow): INode {
	const trigger = nodes.find(({ type }) => /(trigger|\.webhook)$/i.test(type));
	if (!trigger) throw new Problem(`The workflow "${name}" has no trigger.`);
	return trigger;
}
