/** Reads the examples in the form in which n8n's editor shows templates. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { partition, uniqBy } from 'lodash';
import { z } from 'zod';

import { name } from '../../../package.json';
import type { N8nClient, Workflow } from '../client';
import { findTrigger, listExamples, prepareExample, type Example, type TrialOptions } from '../examples';

const ROOT = join(__dirname, '..', '..', '..');
/** The author, which the editor shows on the list and on the page of a template. */
const AUTHOR = { username: name, name };
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
const OUR_NODE_PREFIX = 'Security Awareness ';

interface NamedEntry {
	id: number;
	name: string;
}

/** An example as n8n's editor shows it on its page and in the list of templates. */
interface Template {
	id: number;
	name: string;
	createdAt: string;
	totalViews: number;
	user: typeof AUTHOR;
	/** Markdown, which the page of the template shows. */
	description: string;
	/** The nodes whose icons the editor shows. */
	nodes: TemplateNode[];
	/** The nodes of this package that the example uses. */
	categories: NamedEntry[];
	image: [];
	workflow: Workflow;
}

/** Templates that start in the same way. */
interface TemplateCollection extends NamedEntry {
	description: string;
	createdAt: string;
	totalViews: number;
	user: typeof AUTHOR;
	categories: [];
	image: [];
	nodes: TemplateNode[];
	workflows: Template[];
}

/** All templates, with the categories and collections that the editor shows beside them. */
export interface TemplateLibrary {
	templates: Template[];
	categories: NamedEntry[];
	collections: TemplateCollection[];
}

const iconUrlSchema = z.union([z.string(), z.object({ light: z.string(), dark: z.string() })]);
const nodeTypeSchema = z.object({
	name: z.string(),
	displayName: z.string(),
	icon: z.unknown(),
	iconUrl: iconUrlSchema.optional(),
	iconColor: z.string().optional(),
	group: z.array(z.string()),
	defaults: z.record(z.unknown()),
	codex: z.object({ categories: z.array(z.string()).optional() }).optional(),
});
type NodeType = z.infer<typeof nodeTypeSchema>;
type TemplateNode = Omit<NodeType, 'codex'> & { categories: NamedEntry[] };

const toEntries = (names: string[]): NamedEntry[] => names.map((name, index) => ({ id: index + 1, name }));

/** Reads all examples, prepared for a trial. The icons come from n8n itself. */
export async function readLibrary(client: N8nClient, trialOptions: TrialOptions): Promise<TemplateLibrary> {
	const response: unknown = await (await client.fetchFile('/types/nodes.json')).json();
	const nodeTypes = new Map(
		z
			.array(nodeTypeSchema)
			.parse(response)
			.map((nodeType) => [nodeType.name, nodeType]),
	);
	const examples = await listExamples();
	const templates = await Promise.all(examples.map((example) => readTemplate(example, nodeTypes, trialOptions)));
	const categoryNames = [...new Set(templates.flatMap(({ categories }) => categories.map(({ name }) => name)))].sort();
	const categories = toEntries(categoryNames);
	for (const template of templates)
		template.categories = categories.filter(({ name }) => template.categories.some((entry) => entry.name === name));
	return { templates, categories, collections: buildCollections(templates) };
}

async function readTemplate(
	{ name: exampleName, number, title }: Example,
	nodeTypes: Map<string, NodeType>,
	trialOptions: TrialOptions,
): Promise<Template> {
	const workflow = await prepareExample(exampleName, trialOptions);
	const nodes = uniqBy(workflow.nodes, 'type').flatMap(({ type }) => {
		const nodeType = nodeTypes.get(type);
		return nodeType === undefined || type === STICKY_NOTE ? [] : [buildTemplateNode(nodeType)];
	});
	const [ourNodes, otherNodes] = partition(nodes, ({ displayName }) => displayName.startsWith(OUR_NODE_PREFIX));
	const page = await readFile(join(ROOT, 'docs', 'examples', `${exampleName}.md`), 'utf8');
	const { mtime } = await stat(join(ROOT, 'examples', `${exampleName}.json`));
	return {
		id: number,
		name: title,
		createdAt: mtime.toISOString(),
		totalViews: 0,
		user: AUTHOR,
		description: buildDescription(page),
		// The page of a template shows the icons of the first two nodes.
		nodes: [...ourNodes, ...otherNodes],
		categories: toEntries(ourNodes.map(({ displayName }) => buildCategoryName(displayName))),
		image: [],
		workflow,
	};
}

/** Shortens a node's name, such as "Security Awareness Company Tool", to the name of a category, such as "Company". */
const buildCategoryName = (displayName: string): string =>
	displayName.slice(OUR_NODE_PREFIX.length).replace(/ Tool$/, '');

function buildTemplateNode({ codex, ...nodeType }: NodeType): TemplateNode {
	return { ...nodeType, categories: toEntries(codex?.categories ?? []) };
}

/**
 * Turns an example's page of the docs into the text that the editor shows. Leaves out the title, the picture and the line with the
 * links to import it, and turns links to other pages into text, because the editor can't open them.
 */
function buildDescription(page: string): string {
	return page
		.replace(/^# .*\n/, '')
		.replace(/^!\[.*\n/gm, '')
		.replace(/^\[Get the workflow\].*\n/m, '')
		.replace(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
		.trim();
}

/** Groups the templates by what starts them. */
function buildCollections(templates: Template[]): TemplateCollection[] {
	const isScheduled = ({ workflow }: Template) => findTrigger(workflow).type === 'n8n-nodes-base.scheduleTrigger';
	const groups = [
		{ name: 'Run on a schedule', workflows: templates.filter(isScheduled) },
		{
			name: 'Start with a form, a chat or an event',
			workflows: templates.filter((template) => !isScheduled(template)),
		},
	];
	return groups.map(({ name, workflows }, index) => ({
		id: index + 1,
		name,
		description: '',
		createdAt: workflows[0]?.createdAt ?? '',
		totalViews: 0,
		user: AUTHOR,
		categories: [],
		image: [],
		nodes: uniqBy(
			workflows.flatMap(({ nodes }) => nodes),
			'name',
		),
		workflows,
	}));
}
