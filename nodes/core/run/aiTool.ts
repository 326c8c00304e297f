import { lowerFirst, mapValues } from 'lodash';
import type { IExecuteFunctions, INode, INodeTypeDescription } from 'n8n-workflow';

import { readAgentValue } from '../fields/agentValues';
import type { Field, FieldMap } from '../fields/field';
import type { FormValues } from '../fields/formValues';
import { getRootName } from '../fields/jsonFields';
import { InvalidInputError } from '../http/errors';
import { findAgentRight, isWithinLevel } from './agentRights';
import { isUpdateEndpoint } from '../operation/operationFields';
import type { Operation } from '../operation/defineOperation';
import type { NodeResource } from '../operation/nodeResource';
import { buildNodeProperties } from '../operation/nodeProperties';
import type { AgentLevel } from '../http/credential';
import { getEndpoint } from '../api/endpoint';
import { isRecord } from '../values';

/** Returns the field without the options that an AI agent may not choose. */
function removeForbiddenOptions(field: Field<unknown>): Field<unknown> {
	const { property, valuesForbiddenToAgents = [] } = field;
	const options = property.options?.filter(
		(option) => !('value' in option && valuesForbiddenToAgents.includes(option.value)),
	);
	return { ...field, property: { ...property, options } };
}

/** Adds the operation's description to its action, because the model reads only "<action> in <node>" (n8n 7). */
const buildAgentAction = ({ action, description }: Operation) => `${action} (${lowerFirst(description)})`;

/**
 * Selects the operations of a resource that an agent can be allowed to run. If its default operation isn't one of them, the first one
 * becomes the default.
 */
function selectAgentOperations(node: string, resource: NodeResource): NodeResource {
	const operations = resource.operations
		.filter((operation) => findAgentRight(node, resource.value, operation.value) !== 'never')
		.map((operation): Operation => ({
			...operation,
			action: buildAgentAction(operation),
			fields: mapValues(operation.fields, removeForbiddenOptions),
		}));
	const hasDefault = operations.some(({ value }) => value === resource.defaultOperation);
	const defaultOperation = hasDefault ? resource.defaultOperation : (operations[0]?.value ?? '');
	return { ...resource, operations, defaultOperation };
}

/**
 * Builds the description of a node as a tool of an AI agent. The tool offers only the operations that an agent can be allowed to run.
 * An imported tool may still name any operation (n8n 7), so `checkAgentRight` checks the operation again in each run.
 * @param node the node's key in AGENT_RIGHTS: "phishingCampaign"
 * @param description the purpose of the tool
 */
export function buildAiTool(
	node: string,
	resources: readonly NodeResource[],
	description: string,
): NonNullable<INodeTypeDescription['usableAsTool']> {
	const agentResources = resources
		.map((resource) => selectAgentOperations(node, resource))
		.filter(({ operations }) => operations.length > 0);
	// n8n accepts every property of a node description here, although the type of `usableAsTool` has only some of them.
	const replacements: Partial<INodeTypeDescription> = {
		description,
		properties: buildNodeProperties(agentResources),
	};
	return { replacements };
}

/**
 * Returns true if the node runs as a tool of an AI agent. Depending on the kind of agent, the node's type or its context shows it (n8n 7).
 */
export const isAiTool = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool') || ('isToolExecution' in context && context.isToolExecution());

const FORBIDDEN_TO_AGENTS_ERROR = new InvalidInputError(
	"isn't allowed for AI agents",
	['Operation'],
	"Nothing was sent. Agents can't delete, revoke or replace anything, get secrets, give access to the platform, use files, or do what can't be undone. For this, use the node itself in a workflow.",
);

/** The names of the levels in the credential's form. */
const LEVEL_NAMES: Record<AgentLevel, string> = {
	read: 'Read',
	change: 'Also Make Reversible Changes',
	email: 'Also Email and Start',
};

const createLevelError = (requiredLevel: AgentLevel) =>
	new InvalidInputError(
		"isn't allowed for AI agents with this credential",
		['Operation'],
		`Nothing was sent. To allow it, open the credential and set 'AI Agents May' to '${LEVEL_NAMES[requiredLevel]}', or use another credential for this tool.`,
	);

/** Derives the node's key in AGENT_RIGHTS from its type: "n8n-nodes-x.securityAwarenessCompanyTool" becomes "company". */
function findRightsKey({ type }: INode): string {
	const nodeName = type.split('.').at(-1) ?? '';
	return lowerFirst(nodeName.replace(/^securityAwareness/, '').replace(/Tool$/, ''));
}

/**
 * Rejects an operation that no AI agent may run, or that the credential doesn't allow AI agents to run.
 * @param readLevel reads the level that the credential allows
 * @throws InvalidInputError
 */
export async function checkAgentRight(
	node: INode,
	resource: string,
	{ value }: Operation,
	readLevel: () => Promise<AgentLevel>,
): Promise<void> {
	const right = findAgentRight(findRightsKey(node), resource, value);
	if (right === 'never') throw FORBIDDEN_TO_AGENTS_ERROR;
	if (!isWithinLevel(right, await readLevel())) throw createLevelError(right);
}

/**
 * Reads a parameter that an AI agent filled in. A blank value from the agent counts as not entered.
 * @param rawValue the parameter's value after its expressions have been evaluated
 * @param savedValue the parameter's value as saved in the workflow, with expressions that are not evaluated
 */
export function readAgentParameter(
	operation: Operation,
	name: string,
	rawValue: unknown,
	savedValue: unknown,
): unknown {
	// If the saved list is empty, the author of the tool left it empty on purpose, so it counts as entered.
	if (Array.isArray(savedValue) && savedValue.length === 0) return rawValue;
	const { endpoint, fields, isReadOnly } = operation;
	const field = fields[name];
	if (!field) return rawValue;
	const isPutRequest = endpoint !== null && getEndpoint(endpoint).method === 'PUT';
	return readAgentValue(field, rawValue, { canLeaveOutRestrictions: isReadOnly || isPutRequest });
}

/** Returns true if a value is a list or contains one at any depth. */
const hasList = (value: unknown): boolean =>
	Array.isArray(value) || (isRecord(value) && Object.values(value).some(hasList));

/** Collects the names of the request fields in which an update sends lists that replace stored lists. */
function collectListNames(fields: FieldMap): string[] {
	return Object.values(fields).flatMap(({ listReplacement, innerFields = {} }) => {
		const innerNames = collectListNames(innerFields);
		return listReplacement ? [getRootName(listReplacement.requestKey), ...innerNames] : innerNames;
	});
}

/** Returns true if the operation, or one of its dependencies, replaces a stored record. */
const canReplaceRecord = ({ endpoint, dependencies = [] }: Operation): boolean =>
	endpoint === null ? dependencies.some(canReplaceRecord) : isUpdateEndpoint(endpoint);

/**
 * Rejects values with which an AI agent would replace a stored list in an update: values of certain form fields, certain options, and
 * every list in JSON.
 * @throws InvalidInputError
 */
export function checkAgentValues(operation: Operation, form: FormValues): void {
	if (!canReplaceRecord(operation)) return;
	const { fields } = operation;
	rejectListReplacements(fields, form.get(fields), collectListNames(fields), []);
}

/**
 * Rejects the values with which an AI agent would replace a stored list.
 * @param listNames the names of the request fields that replace a stored list. A JSON field must not contain any of these names, even if
 * its value is a text instead of a list.
 * @param path the names of the blocks that contain these fields, the outermost first
 * @throws InvalidInputError
 */
function rejectListReplacements(
	fields: FieldMap,
	values: Record<string, unknown>,
	listNames: string[],
	path: string[],
): void {
	for (const [name, field] of Object.entries(fields)) {
		const { property, valuesForbiddenToAgents, listReplacement, innerFields } = field;
		const value = values[name];
		const isListInJson =
			property.type === 'json' &&
			isRecord(value) &&
			(hasList(value) || Object.keys(value).some((key) => listNames.includes(getRootName(key))));
		const isReplacement = listReplacement !== undefined && value !== undefined;
		if (isListInJson || isReplacement || valuesForbiddenToAgents?.includes(value))
			throw new InvalidInputError(
				"would replace or empty a whole list, which isn't allowed for AI agents",
				[...path, name],
				`Leave this field out, or use the node itself in a workflow. ${listReplacement?.agentAdvice ?? ''}`.trim(),
			);
		if (innerFields && isRecord(value)) rejectListReplacements(innerFields, value, listNames, [...path, name]);
	}
}
