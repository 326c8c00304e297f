/** What must be true of a workflow that people import, and of its page. */

import { get, isEqual } from 'lodash';
import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { findTrigger } from '../real-n8n/examples';
import type { Workflow } from '../real-n8n/client';

const OURS = 'n8n-nodes-security-awareness.';
const STANDARD = ['n8n-nodes-base.', '@n8n/n8n-nodes-langchain.'];
const CREDENTIAL = { securityAwarenessOAuth2Api: { id: null, name: 'Security Awareness account' } };
/** What n8n itself adds to triggers that poll and to tools. */
const ADDED = ['pollTimes', 'descriptionType', 'toolDescription'];
const FIXED_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

const isTwice = <T>(value: T, index: number, all: T[]): boolean => all.indexOf(value) !== index;

/** How many values an Edit Fields node sets. */
export function settingsIn(parameters: INode['parameters']): number {
	const list: unknown = get(parameters, ['assignments', 'assignments']);
	return Array.isArray(list) ? list.length : 0;
}

/** @param descriptions of all nodes of the package @returns a sentence for each that is wrong */
export function workflowFaults(workflow: Workflow, descriptions: INodeTypeDescription[]): string[] {
	const { nodes, connections } = workflow;
	const text = JSON.stringify(workflow);
	const names = nodes.map(({ name }) => name);
	const missing = (where: string, name: string) =>
		names.includes(name) ? [] : [`${where} names the node '${name}', which is not there`];
	const targets = Object.entries(connections).flatMap(([name, outputs]) => [
		name,
		...Object.values(outputs).flatMap((each) => each.flatMap((to) => (to ?? []).map(({ node }) => node))),
	]);
	const mentioned = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name = '']) => name);
	const { name: trigger, type } = findTrigger(workflow);
	const isMcpServer = type.endsWith('.mcpTrigger');
	return [
		...names.filter(isTwice).map((name) => `Two nodes are called '${name}'`),
		...nodes
			.map(({ id }) => id)
			.filter(isTwice)
			.map((id) => `Two nodes have the ID '${id}'`),
		...targets.flatMap((name) => missing('A connection', name)),
		...mentioned.flatMap((name) => missing('An expression', name)),
		...(FIXED_ID.test(text) ? ['It has a fixed ID in it'] : []),
		// An MCP server has no output: its tools are connected to it.
		...(connections[trigger]?.main?.[0]?.[0]?.node === 'Settings' || isMcpServer
			? []
			: ["Its trigger is not followed by 'Settings'"]),
		...(nodes.some(({ type }) => type.endsWith('.stickyNote')) ? [] : ['It has no note']),
		...nodes.flatMap((node) => nodeFaults(node, descriptions).map((fault) => `${node.name}: ${fault}`)),
	];
}

function nodeFaults(node: INode, descriptions: INodeTypeDescription[]): string[] {
	if (!node.type.startsWith(OURS)) {
		const others = Object.values(node.credentials ?? {}).some(({ id }) => id !== null);
		return [
			...(STANDARD.some((prefix) => node.type.startsWith(prefix)) ? [] : [`is neither n8n's nor ours: ${node.type}`]),
			...(others ? ['names a credential by its ID'] : []),
		];
	}
	const description = descriptions.find(({ name }) => [name, `${name}Tool`].includes(node.type.slice(OURS.length)));
	if (!description) return [`is of the type ${node.type}, which there is not`];
	const { version, defaultVersion } = description;
	const latest = defaultVersion ?? Math.max(...[version].flat());
	return [
		...findMissingDefaults(node, description),
		...(node.typeVersion === latest ? [] : [`has version ${node.typeVersion}, not ${latest}`]),
		...(isEqual(node.credentials, CREDENTIAL) ? [] : ['does not name the credential as n8n does']),
		...parameterFaults(node, description),
	];
}

/** Finds optional fields that a model fills in without a default: n8n would require a value for them. */
function findMissingDefaults(node: INode, { properties }: INodeTypeDescription): string[] {
	const operation = String(node.parameters.operation);
	const isRequired = (name: string) =>
		properties.some(
			({ name: its, required, displayOptions }) =>
				its === name && required === true && (displayOptions?.show?.operation ?? [operation]).includes(operation),
		);
	return Object.entries(node.parameters)
		.filter(([name]) => !isRequired(name))
		.flatMap(([name, value]) =>
			[...JSON.stringify(value).matchAll(/\$fromAI\(([^)]*)\)/g)]
				.filter(([, text = '']) => !text.endsWith(", ''"))
				.map(() => `the optional '${name}' has a $fromAI without '' as its default`),
		);
}

/** n8n itself says which parameters there are, which of them are shown, and which differ from the defaults. */
/** The types of nodes that run other nodes. With Retry On Fail they would repeat what these have already done. */
const RUNS_OTHERS = /\.(executeWorkflow|agent|agentTool|toolWorkflow)$/;

/**
 * Finds the nodes whose Retry On Fail would repeat changes: our nodes that write, and nodes that run others, which ours can't notice.
 * @param reads returns true if an operation only reads, by the folder of its node
 */
export function findRetryFaults({ nodes }: Workflow, reads: (folder: string, operation: string) => boolean): string[] {
	return nodes.flatMap(({ name, type, parameters, retryOnFail }) => {
		if (retryOnFail !== true) return [];
		const folder = type
			.slice(OURS.length)
			.replace(/^securityAwareness/, '')
			.replace(/Tool$/, '');
		const isWriting = type.startsWith(OURS) && !reads(folder, String(parameters.operation ?? 'getMany'));
		return isWriting || RUNS_OTHERS.test(type) ? [`${name} has Retry On Fail, and may change something twice`] : [];
	});
}

function parameterFaults(node: INode, description: INodeTypeDescription): string[] {
	const operation = description.properties.find(({ name }) => name === 'operation');
	const offered = (operation?.options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
	if (operation && !offered.includes(String(node.parameters.operation ?? operation.default)))
		return [`has no operation '${String(node.parameters.operation)}'`];
	try {
		// n8n 2 asks for the description as well.
		const kept =
			NodeHelpers.getNodeParameters(description.properties, node.parameters, false, false, node, description) ?? {};
		return Object.keys(node.parameters)
			.filter((name) => !ADDED.includes(name) && name !== 'operation' && !isEqual(node.parameters[name], kept[name]))
			.map((name) => `the parameter '${name}' is unknown, hidden, or the default`);
	} catch (error) {
		return [String(error)];
	}
}
