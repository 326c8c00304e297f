import { uniq, uniqBy, upperFirst } from 'lodash';
import { findAgentRight } from '../../nodes/core/run/agentRights';
import { SECRET_OUTPUT_NOTICE } from '../../nodes/core/operation/nodeProperties';
import { scopeFields } from '../../nodes/core/companyScope/companyScope';
import { getEndpoint, type EndpointKey } from '../../nodes/core/api/endpoint';
import { formatExample } from './output';
import { buildRow, buildFieldRows, toSentence, type FieldRow } from './fields';
import { PICTURES_BY_NODE } from './pictures';
import type { Documentation, NodeDocumentation, TriggerDocumentation, OperationRun } from './run';

const GENERATED_NOTICE = '<!-- Made by `npm run generate` from the nodes themselves: change those, not this file. -->';
/** The heading on the page of all nodes that explains the fields of many operations. */
const ALL_NODES_FIELDS_HEADING = 'Fields of many operations';
/** The heading on a node's page that explains the fields of several of its operations. */
const NODE_FIELDS_HEADING = 'Fields of several operations';
const FIELD_TABLE_HEAD = ['| Field | Required | Default | What to enter |', '|---|---|---|---|'];
/** Fields that at least this many nodes have are explained on the page of all nodes. */
const MIN_NODES_FOR_SHARED = 4;
/** Fields that at least this many operations of a node have are explained in a separate section of the node's page. */
const MIN_OPERATIONS_FOR_REPEATED = 3;

/** Returns true for the nodes of smishing and quishing campaigns, which the page of the phishing campaign describes too. */
export const isDescribedWithPhishing = ({ name }: { name: string }) => /^(smishing|quishing)Campaign$/.test(name);
const SIMULATOR_PAGE_NAME = 'phishingCampaign';

/** Returns the file name of a node's or trigger's page in docs/nodes. */
export const getPageName = (page: { name: string }) =>
	`${isDescribedWithPhishing(page) ? SIMULATOR_PAGE_NAME : page.name}.md`;
const buildLink = (heading: string, file = '') =>
	`[${heading}](${file}#${heading
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replace(/\s+/g, '-')})`;
const formatCodeList = (texts: string[]) => texts.map((text) => `\`${text}\``).join(', ') || 'none';
const listScopes = ({ operation: { scope } }: OperationRun) =>
	scopeFields(scope).companyScope?.property.options?.map(({ name }) => name) ?? [];
/** Formats the reference to another section, which explains the fields with these labels. */
const formatReference = (labels: string[], link = buildLink(ALL_NODES_FIELDS_HEADING, 'README.md')) =>
	`See ${link} for ${labels.map((label) => `*${label}*`).join(', ')}.`;
const buildFormRows = ({ operation }: OperationRun) => buildFieldRows(operation.fields);
/** Lists the labels of the rows without duplicates. For a field in a collection, lists the label of the collection, such as 'Options'. */
const listTopLabels = (rows: FieldRow[]) => [...new Set(rows.map(({ label }) => label.split(' → ')[0] ?? label))];

/**
 * Finds the rows that are in at least `minCount` of the groups, sorted by label. If there are different rows with the same label, only
 * the most frequent one is returned.
 */
function findFrequentRows(groups: readonly FieldRow[][], minCount: number): FieldRow[] {
	const rowsByLine = new Map<string, FieldRow & { count: number }>();
	for (const rows of groups)
		for (const { label, line } of uniqBy(rows, 'line'))
			rowsByLine.set(line, { label, line, count: (rowsByLine.get(line)?.count ?? 0) + 1 });
	const frequentRows = [...rowsByLine.values()]
		.filter(({ count }) => count >= minCount)
		.sort((first, second) => first.count - second.count);
	return [...new Map(frequentRows.map((row) => [row.label, row])).values()].sort((first, second) =>
		first.label.localeCompare(second.label),
	);
}

/** Finds the rows of form fields that many nodes have. */
export const findSharedRows = (nodes: readonly NodeDocumentation[]): FieldRow[] =>
	findFrequentRows(
		nodes.map(({ operations }) => operations.flatMap(buildFormRows)),
		MIN_NODES_FOR_SHARED,
	);

const collectLines = (rows: readonly FieldRow[]) => new Set(rows.map(({ line }) => line));

/** Builds a table of form fields, followed by an empty line. @returns no lines if there are no rows */
const buildFieldTable = (rows: readonly FieldRow[]) =>
	rows.length === 0 ? [] : [...FIELD_TABLE_HEAD, ...rows.map(({ line }) => line), ''];

/**
 * Builds the section of an operation on a node's page.
 * @param sharedLines the rows on the page of all nodes
 * @param repeatedLines the rows in the section of the node's page for fields of several operations
 */
function buildOperationSection(
	run: OperationRun,
	sharedLines: ReadonlySet<string>,
	repeatedLines: ReadonlySet<string>,
): string[] {
	const { operation, items, secrets } = run;
	const rows = buildFormRows(run);
	const ownRows = rows.filter(({ line }) => !sharedLines.has(line) && !repeatedLines.has(line));
	const sharedLabels = listTopLabels(rows.filter(({ line }) => sharedLines.has(line)));
	const repeatedLabels = listTopLabels(rows.filter(({ line }) => repeatedLines.has(line)));
	const notes: string[] = [];
	if (operation.hasSecretOutput) notes.push(SECRET_OUTPUT_NOTICE, '');
	if (operation.outputNote !== undefined) notes.push(operation.outputNote, '');
	const references: string[] = [];
	if (repeatedLabels.length > 0) references.push(formatReference(repeatedLabels, buildLink(NODE_FIELDS_HEADING)), '');
	if (sharedLabels.length > 0) references.push(formatReference(sharedLabels), '');
	return [
		`### ${operation.action}`,
		'',
		toSentence(operation.description),
		'',
		...notes,
		...buildFieldTable(ownRows),
		...references,
		operation.scope === 'companies' ? 'Example output for every company:' : 'Example output:',
		'',
		'```json',
		formatExample(items[0] ?? {}, secrets),
		'```',
		'',
	];
}

/** Builds the notice about smishing and quishing campaigns on the page of the phishing campaign. @returns no lines for other nodes */
function buildSimulatorsNotice(node: NodeDocumentation, nodes: readonly NodeDocumentation[]): string[] {
	if (node.name !== SIMULATOR_PAGE_NAME) return [];
	const listPhishingActions = (simulator: NodeDocumentation) =>
		simulator.operations.map(({ operation: { action } }) => action.replace(/smishing|quishing/, 'phishing'));
	const missingActions = listPhishingActions(node).filter((name) =>
		nodes.filter(isDescribedWithPhishing).every((otherNode) => !listPhishingActions(otherNode).includes(name)),
	);
	return [
		`**Security Awareness Smishing Campaign** (text messages) and **Security Awareness Quishing Campaign** (QR codes) have the same operations, except ${missingActions.map((action) => `*${action}*`).join(', ')}. Their names, requests and permissions contain \`smishing\` or \`quishing\` instead of \`phishing\`.`,
		'',
	];
}

/** The names of the AI agents' rights in the tables of operations. */
const AGENT_RIGHT_NAMES = { read: 'read', change: 'change', email: 'email and start', never: 'never' };

/** Lists how an endpoint differs from others, as texts for the table of permissions. */
function listEndpointRemarks(key: EndpointKey): string[] {
	const endpoint = getEndpoint(key);
	const remarks: string[] = [];
	if (endpoint.isOptional) remarks.push("isn't supported by every platform");
	if (!endpoint.isReadOnly) remarks.push('not repeated');
	if (endpoint.isReadOnly && endpoint.method === 'POST') {
		const { orderBy, ascending } = endpoint.defaultOrder;
		remarks.push(`sorted by ${orderBy}${ascending ? '' : ', descending'}`);
	}
	if (endpoint.alternativeEndpoint) remarks.push(`on some platforms \`${endpoint.alternativeEndpoint}\``);
	if (endpoint.isPlatformWide) remarks.push('the same for every company');
	if (endpoint.needsBothCompanyHeaders) remarks.push('sent with a second company header');
	if (endpoint.surveyTrainingType !== undefined) remarks.push('for a survey, sent with its training type');
	return remarks;
}

/** Groups the operations of a node by n8n resource. The resources are in the order of the node's form. */
function groupByResource({
	operations,
	description,
}: NodeDocumentation): Array<{ title: string; runs: OperationRun[] }> {
	const resourceProperty = description.properties.find(({ name }) => name === 'resource');
	const options = resourceProperty?.options ?? [];
	return options.flatMap((option) =>
		'value' in option
			? [{ title: option.name, runs: operations.filter(({ resource }) => resource === option.value) }]
			: [],
	);
}

/** Builds the table of the operations of one n8n resource. */
function buildOperationTable({ name: nodeName }: NodeDocumentation, runs: OperationRun[]): string[] {
	const rows = runs.map((run) => {
		const { name, action, description, isReadOnly, isOutsideContract, value } = run.operation;
		const [firstSentence = ''] = description.split('. ');
		return buildRow(
			`${buildLink(action).replace(action, name)}${isOutsideContract ? ' *' : ''}`,
			toSentence(firstSentence),
			listScopes(run).join(', ') || 'the credential',
			isReadOnly ? 'yes' : 'no',
			AGENT_RIGHT_NAMES[findAgentRight(nodeName, run.resource, value)],
		);
	});
	return [
		'| Operation | What it does | Company Scope | Only reads | AI agents |',
		'|---|---|---|---|---|',
		...rows,
		'',
	];
}

/** Builds the overview of a node's operations: a table for each n8n resource. */
function buildOperationTables(node: NodeDocumentation): string[] {
	const groups = groupByResource(node);
	const lines = groups.flatMap(({ title, runs }) => {
		const heading = groups.length > 1 ? [`**Resource: ${title}**`, ''] : [];
		return [...heading, ...buildOperationTable(node, runs)];
	});
	if (node.operations.some(({ operation }) => operation.isOutsideContract))
		lines.push("\\* This operation isn't supported by every platform.", '');
	return lines;
}

/** Builds the sections of all operations of a node, grouped by n8n resource. */
const buildResourceSections = (
	node: NodeDocumentation,
	sharedLines: ReadonlySet<string>,
	repeatedLines: ReadonlySet<string>,
): string[] =>
	groupByResource(node).flatMap(({ title, runs }) => [
		`## ${title}`,
		'',
		...runs.flatMap((run) => buildOperationSection(run, sharedLines, repeatedLines)),
	]);

/** Builds the table of the requests that a node's operations send, with the permissions that they need. */
const buildPermissionTable = ({ operations }: NodeDocumentation): string[] => [
	'| Operation | API request | Permission | Remarks |',
	'|---|---|---|---|',
	...operations.map(({ operation, requests }) =>
		buildRow(
			buildLink(operation.action),
			formatCodeList(requests),
			formatCodeList(requests.map((key) => getEndpoint(key).permission)),
			uniq(requests.flatMap(listEndpointRemarks)).join('; '),
		),
	),
	'',
];

/** Builds the page of a node. @param sharedRows the rows that are on the page of all nodes instead */
export function buildNodePage(
	node: NodeDocumentation,
	sharedRows: readonly FieldRow[],
	{ nodes, triggers }: Documentation,
): string {
	const simulatorsNotice = buildSimulatorsNotice(node, nodes);
	const { displayName, description } = node.description;
	const sharedLines = collectLines(sharedRows);
	const ownRows = node.operations.map((run) => buildFormRows(run).filter(({ line }) => !sharedLines.has(line)));
	const repeatedRows = findFrequentRows(ownRows, MIN_OPERATIONS_FOR_REPEATED);
	const repeatedLines = collectLines(repeatedRows);
	const repeatedFields = buildFieldTable(repeatedRows);
	if (repeatedRows.length > 0) repeatedFields.unshift(`## ${NODE_FIELDS_HEADING}`, '');
	const triggerLinks = triggers
		.filter(({ watchedNodes }) => watchedNodes.includes(node.name))
		.map(
			(trigger) =>
				`To start a workflow with each new one: [${trigger.description.displayName}](${getPageName(trigger)}).`,
		);
	return [
		`# ${displayName}${simulatorsNotice.length > 0 ? ', Smishing Campaign and Quishing Campaign' : ''}`,
		'',
		GENERATED_NOTICE,
		'',
		`${toSentence(description)} See also [how to read this page, and all nodes](README.md).`,
		'',
		...simulatorsNotice,
		...triggerLinks.flatMap((link) => [link, '']),
		...buildOperationTables(node),
		...buildResourceSections(node, sharedLines, repeatedLines),
		...repeatedFields,
		...(PICTURES_BY_NODE[node.name] ?? []).flatMap(([file, caption]) => [`![${caption}](../.images/${file}.png)`, '']),
		'## Permissions',
		'',
		'The request that each operation sends, and the permission that the role of your API client must have:',
		'',
		...buildPermissionTable(node),
	].join('\n');
}

/**
 * Returns the purpose of a trigger, which is the end of its description. The description starts with the purpose of the node of the
 * same name, because n8n's panel shows one description for both.
 */
const getTriggerPurpose = ({ description }: TriggerDocumentation['description']) =>
	toSentence(upperFirst(description.replace(/^.*, or (?=start the workflow)/, '')));

/** Builds the page of a trigger. */
export function buildTriggerPage(
	{ description, form, events }: TriggerDocumentation,
	sharedRows: readonly FieldRow[],
): string {
	const sharedLines = collectLines(sharedRows);
	const rows = buildFieldRows(form);
	const sharedLabels = listTopLabels(rows.filter(({ line }) => sharedLines.has(line)));
	const panelLines =
		events.length > 0 ? [`In n8n's panel: ${events.map((event) => `*${event}*`).join(', ')}.`, ''] : [];
	return [
		`# ${description.displayName}`,
		'',
		GENERATED_NOTICE,
		'',
		getTriggerPurpose(description),
		'',
		`What you can rely on, and what the trigger can miss or repeat: [The triggers](../triggers.md). See also [how to read this page, and all nodes](README.md).`,
		'',
		...Object.values(form).flatMap(({ property }) => (property.type === 'notice' ? [property.displayName, ''] : [])),
		...panelLines,
		...FIELD_TABLE_HEAD,
		...rows.filter(({ line }) => !sharedLines.has(line)).map(({ line }) => line),
		'',
		formatReference(sharedLabels),
		'',
	].join('\n');
}

/** Builds the page of all nodes, which links to the other pages. */
export function buildIndexPage({ nodes, triggers }: Documentation, sharedRows: readonly FieldRow[]): string {
	return [
		'# Nodes',
		'',
		GENERATED_NOTICE,
		'',
		'Each node is about one thing, such as companies or trainings. Add a node to a workflow, select a resource and an operation, and fill in the fields.',
		'',
		'| Node | What it is for | Operations |',
		'|---|---|---|',
		...nodes.map((node) => {
			const links = node.operations.map(({ operation }) => buildLink(operation.action, getPageName(node)));
			return buildRow(
				`[${node.description.displayName}](${getPageName(node)})`,
				toSentence(node.description.description),
				isDescribedWithPhishing(node) ? 'The same as Phishing Campaign' : links.join(', '),
			);
		}),
		'',
		'| Trigger | What it is for |',
		'|---|---|',
		...triggers.map((trigger) =>
			buildRow(`[${trigger.description.displayName}](${getPageName(trigger)})`, getTriggerPurpose(trigger.description)),
		),
		'',
		'## How to read the pages',
		'',
		"- **Company Scope**: what you can select in the field *Company Scope*. 'The credential' means that there is nothing to select: the operation runs without a company, with the rights of your credential.",
		"- **Only reads**: 'yes' means that the operation changes nothing, so it is safe to try.",
		"- **AI agents**: what the credential's field *AI Agents May* must allow before an agent can run the operation: [The credential](../credential.md#ai-agents-may). 'Never' means that no credential allows it.",
		'- **Every Company**: the operation runs for each customer. It also needs the permission to list companies.',
		"- **companyResourceId** and **companyName**: the company of the item. If you enter only the ID of a company, the output has its name if the input item has it. With a Reseller's credential and *Credential's Own*, the output has neither, because some platforms then list the records of all customers.",
		'- **IDs**: an item has the IDs that other operations need, such as companyResourceId, enrollmentId and jobId (a job of a campaign). Drag an ID onto the field.',
		'- **numberOfUsers** of a company is a number, even if the platform sends text. Other values are as the platform sends them.',
		'- **Permissions**, at the end of each page: the permissions that the role of your API client must have. *Check account access* shows what your credential may do.',
		"- **Not repeated**, in the table of permissions: if the request may have reached the platform, the node doesn't send it again. **Sorted by**: the order in which the node asks for a list.",
		'- **Default**: the value of a new field. A field with an arrow in its name, such as Options → Timeout, has an effect only after you have added it.',
		'- **Example output**: one output item of the node. The names and figures are examples, and all dates are the same. Long texts and lists are shorter than in reality. The text (shown once) stands for a secret.',
		'',
		`## ${ALL_NODES_FIELDS_HEADING}`,
		'',
		...FIELD_TABLE_HEAD,
		...sharedRows.map(({ line }) => line),
		'',
	].join('\n');
}
