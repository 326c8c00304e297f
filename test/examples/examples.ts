/** Checks of the example workflows that people import. */

import { get, isEqual } from 'lodash';
import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { formatOperationKey, getFirstResource } from '../contract/operationKeys';
import { findTrigger } from '../real-n8n/examples';
import type { Workflow } from '../real-n8n/client';
import { listOperationOptions } from '../rules/nodeFields';

const PACKAGE_PREFIX = 'n8n-nodes-security-awareness.';
const N8N_PACKAGE_PREFIXES = ['n8n-nodes-base.', '@n8n/n8n-nodes-langchain.'];
const CREDENTIAL = { securityAwarenessOAuth2Api: { id: null, name: 'Security Awareness account' } };
/** The parameters that n8n itself adds to polling triggers and to tools. */
const N8N_PARAMETERS = ['pollTimes', 'descriptionType', 'toolDescription'];
const FIXED_ID_PATTERN = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Returns true if an earlier element of the list is equal. Can be passed to `Array.filter`. */
const isDuplicate = <T>(value: T, index: number, values: T[]): boolean => values.indexOf(value) !== index;

/** Returns the number of values that an Edit Fields node sets. */
export function countSettings(parameters: INode['parameters']): number {
	const assignments: unknown = get(parameters, ['assignments', 'assignments']);
	return Array.isArray(assignments) ? assignments.length : 0;
}

/**
 * Finds the faults of a workflow.
 * @param descriptions the descriptions of all nodes of the package
 * @returns one sentence for each fault
 */
export function findWorkflowFaults(workflow: Workflow, descriptions: INodeTypeDescription[]): string[] {
	const { nodes, connections } = workflow;
	const text = JSON.stringify(workflow);
	const nodeNames = nodes.map(({ name }) => name);
	const findMissingNode = (source: string, name: string) =>
		nodeNames.includes(name) ? [] : [`${source} names the node '${name}', which is not there`];
	const connectedNames = Object.entries(connections).flatMap(([name, outputs]) => [
		name,
		...Object.values(outputs).flatMap((branches) =>
			branches.flatMap((targets) => (targets ?? []).map(({ node }) => node)),
		),
	]);
	const namesInExpressions = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name = '']) => name);
	const { name: triggerName, type: triggerType } = findTrigger(workflow);
	const isMcpServer = triggerType.endsWith('.mcpTrigger');
	const faults = [
		...nodeNames.filter(isDuplicate).map((name) => `Two nodes are called '${name}'`),
		...nodes
			.map(({ id }) => id)
			.filter(isDuplicate)
			.map((id) => `Two nodes have the ID '${id}'`),
		...connectedNames.flatMap((name) => findMissingNode('A connection', name)),
		...namesInExpressions.flatMap((name) => findMissingNode('An expression', name)),
	];
	if (FIXED_ID_PATTERN.test(text)) faults.push('It has a fixed ID in it');
	// An MCP server has no output, so no node follows it. Its tools are connected to it instead.
	if (connections[triggerName]?.main?.[0]?.[0]?.node !== 'Settings' && !isMcpServer)
		faults.push("Its trigger is not followed by 'Settings'");
	if (!nodes.some(({ type }) => type.endsWith('.stickyNote'))) faults.push('It has no note');
	for (const node of nodes)
		faults.push(...findWorkflowNodeFaults(node, descriptions).map((fault) => `${node.name}: ${fault}`));
	return faults;
}

/** Finds the faults of a node. Each fault is the rest of a sentence that starts with the node's name. */
function findWorkflowNodeFaults(node: INode, descriptions: INodeTypeDescription[]): string[] {
	const faults: string[] = [];
	if (!node.type.startsWith(PACKAGE_PREFIX)) {
		if (!N8N_PACKAGE_PREFIXES.some((prefix) => node.type.startsWith(prefix)))
			faults.push(`is neither n8n's nor ours: ${node.type}`);
		if (Object.values(node.credentials ?? {}).some(({ id }) => id !== null))
			faults.push('names a credential by its ID');
		return faults;
	}
	const nodeName = node.type.slice(PACKAGE_PREFIX.length);
	const description = descriptions.find(({ name }) => nodeName === name || nodeName === `${name}Tool`);
	if (!description) return [`is of the type ${node.type}, which there is not`];
	const { version, defaultVersion } = description;
	const latestVersion = defaultVersion ?? Math.max(...[version].flat());
	faults.push(...findMissingDefaults(node, description));
	if (node.typeVersion !== latestVersion) faults.push(`has version ${node.typeVersion}, not ${latestVersion}`);
	if (!isEqual(node.credentials, CREDENTIAL)) faults.push('does not name the credential as n8n does');
	faults.push(...findParameterFaults(node, description));
	return faults;
}

/** Reads which operation a node of a workflow runs. Parameters that the workflow doesn't save have their default values. */
function readOperation({ parameters }: INode, { properties }: INodeTypeDescription) {
	const resourceProperty = properties.find(({ name }) => name === 'resource');
	const resource = String(parameters.resource ?? resourceProperty?.default ?? '');
	const operationProperty = properties.find(
		({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.includes(resource),
	);
	return { resource, operation: String(parameters.operation ?? operationProperty?.default ?? '') };
}

/** Finds optional fields that an AI model fills in by $fromAI without a default value. n8n would require the model to fill them in. */
function findMissingDefaults(node: INode, description: INodeTypeDescription): string[] {
	const { resource, operation } = readOperation(node, description);
	const isRequired = (name: string) =>
		description.properties.some(
			({ name: propertyName, required, displayOptions }) =>
				propertyName === name &&
				required === true &&
				(displayOptions?.show?.resource ?? [resource]).includes(resource) &&
				(displayOptions?.show?.operation ?? [operation]).includes(operation),
		);
	return Object.entries(node.parameters)
		.filter(([name]) => !isRequired(name))
		.flatMap(([name, value]) =>
			[...JSON.stringify(value).matchAll(/\$fromAI\(([^)]*)\)/g)]
				.filter(([, text = '']) => !text.endsWith(", ''"))
				.map(() => `the optional '${name}' has a $fromAI without '' as its default`),
		);
}

/** Matches the types of nodes that run other nodes. With Retry On Fail, such a node would repeat the changes that the other nodes made. */
const NODE_RUNNER_TYPE_PATTERN = /\.(executeWorkflow|agent|agentTool|toolWorkflow)$/;

/**
 * Finds the nodes whose Retry On Fail would repeat changes: nodes of this package that write, and nodes that run other nodes. The
 * nodes of this package cannot detect that another node runs them again.
 * @param isReadOnly returns true if the operation with this key, of the node in a folder, only reads
 */
export function findRetryFaults({ nodes }: Workflow, isReadOnly: (folder: string, key: string) => boolean): string[] {
	return nodes.flatMap(({ name, type, parameters, retryOnFail }) => {
		if (retryOnFail !== true) return [];
		const folder = type
			.slice(PACKAGE_PREFIX.length)
			.replace(/^securityAwareness/, '')
			.replace(/Tool$/, '');
		const { resource = getFirstResource(folder), operation = 'getMany' } = parameters;
		const key = formatOperationKey(folder, String(resource), String(operation));
		const isWriting = type.startsWith(PACKAGE_PREFIX) && !isReadOnly(folder, key);
		return isWriting || NODE_RUNNER_TYPE_PATTERN.test(type)
			? [`${name} has Retry On Fail, and may change something twice`]
			: [];
	});
}

/** Matches the types of n8n's nodes whose items can contain an error object, which expressions can't always read (n8n 18). */
const ERROR_OBJECT_TYPE_PATTERN = /\.(dataTable|httpRequest)$/;

/**
 * Finds expressions that read another node's items, although this node continues on errors. In n8n 2, such an expression may have no
 * result. It may read the items in `try { return …; } catch`, and the regular output of a node that has an error output.
 */
export function findErrorReads({ nodes }: Workflow): string[] {
	const failingNodes = nodes.filter(
		({ type, onError }) => ERROR_OBJECT_TYPE_PATTERN.test(type) && onError?.startsWith('continue') === true,
	);
	return nodes.flatMap((reader) => {
		const text = JSON.stringify(reader.parameters).replaceAll(/try \{ return [^{}]*; \} catch/g, '');
		const isReadUnguarded = ({ name, onError }: INode) =>
			text
				.split(`$('${name}').`)
				.slice(1)
				.filter((rest) => onError !== 'continueErrorOutput' || !/^(all|first|last)\(0\b/.test(rest))
				.some((rest) => /^(all|first|last|item|itemMatching|pairedItem)\b/.test(rest));
		return failingNodes.filter(isReadUnguarded).map(({ name }) => `${reader.name} reads ${name}`);
	});
}

/** Finds parameters that n8n does not know, hides or would not save, and operations that do not exist. */
function findParameterFaults(node: INode, description: INodeTypeDescription): string[] {
	const { resource, operation } = readOperation(node, description);
	const options = listOperationOptions(description);
	if (options.length > 0 && !options.some((option) => option.resource === resource && option.value === operation))
		return [`has no operation '${operation}' for the resource '${resource}'`];
	try {
		// n8n 2 also requires the last argument. The result has only the parameters that n8n knows, shows and would save.
		const savedParameters =
			NodeHelpers.getNodeParameters(description.properties, node.parameters, false, false, node, description) ?? {};
		return Object.keys(node.parameters)
			.filter(
				(name) =>
					!N8N_PARAMETERS.includes(name) &&
					!['resource', 'operation'].includes(name) &&
					!isEqual(node.parameters[name], savedParameters[name]),
			)
			.map((name) => `the parameter '${name}' is unknown, hidden, or the default`);
	} catch (error) {
		return [String(error)];
	}
}
