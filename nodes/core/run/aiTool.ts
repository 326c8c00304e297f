import { lowerFirst, mapValues } from 'lodash';
import type { IExecuteFunctions, INode, INodeTypeDescription } from 'n8n-workflow';

import { readAgentValue } from '../fields/agentValues';
import type { Field, FieldMap } from '../fields/field';
import type { FormValues } from '../fields/formValues';
import { InvalidInput } from '../http/errors';
import { findAgentRight, isWithinLevel } from './agentRights';
import { isUpdate } from '../operation/operationFields';
import type { Operation } from '../operation/defineOperation';
import { propertiesOf } from '../operation/nodeProperties';
import type { AgentLevel } from '../http/credential';
import { endpointOf } from '../api/endpoint';
import { isRecord } from '../values';

/** A field as an AI agent's tool has it: without what it may not choose. */
const forAgents = (field: Field<unknown>): Field<unknown> => {
	const { property, notForAgents = [] } = field;
	const options = property.options?.filter((option) => !('value' in option && notForAgents.includes(option.value)));
	return { ...field, property: { ...property, options } };
};

/** What a model is told of an operation: n8n gives it "<action> in <node>", without the description (n8n-facts 16). */
const toldTo = ({ action, description }: Operation) => `${action} (${lowerFirst(description)})`;

/**
 * Describes a node as a tool of an AI agent: n8n's editor offers these operations, which are all that an agent can be allowed.
 * `checkAgentRight` refuses the others, because a tool that was imported may have any operation (n8n-facts 16).
 * @param description what the tool is for
 */
export function toolOf(
	resource: { name: string; value: string },
	operations: readonly Operation[],
	description: string,
): NonNullable<INodeTypeDescription['usableAsTool']> {
	const offered = operations
		.filter((operation) => findAgentRight(resource.value, operation.value) !== 'never')
		.map((operation) => ({ ...operation, action: toldTo(operation), form: mapValues(operation.form, forAgents) }));
	// n8n takes everything of a description here, although its type names only a part.
	const replacements: Partial<INodeTypeDescription> = { description, properties: propertiesOf(resource, offered) };
	return { replacements };
}

/** Whether the node runs as a tool of an AI agent: n8n tells that by its type, by its context, or by both (n8n-facts 7, 16). */
export const isTool = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool') || ('isToolExecution' in context && context.isToolExecution());

const NEVER_FOR_AGENTS = new InvalidInput(
	'is not one that an AI agent may run',
	['Operation'],
	"Nothing was sent. Agents can't delete, revoke or replace anything, get secrets, give access to the platform, use files, or do what can't be undone. Do it in a workflow, with the node itself.",
);

/** The names of the levels in the credential. */
const LEVEL_NAMES: Record<AgentLevel, string> = {
	read: 'Read',
	change: 'Also Make Reversible Changes',
	email: 'Also Email and Start',
};

const createLevelError = (level: AgentLevel) =>
	new InvalidInput(
		'is not one that an AI agent may run with this credential',
		['Operation'],
		`Nothing was sent. If agents should be allowed to do it, open the credential and set 'AI Agents May' to '${LEVEL_NAMES[level]}', or use another credential for this tool.`,
	);

/** Finds the resource of a node by its type, because n8n runs the code of that type even if the saved parameters name another resource. */
function findResource({ type }: INode): string {
	const name = type.split('.').at(-1) ?? '';
	return lowerFirst(name.replace(/^securityAwareness/, '').replace(/Tool$/, ''));
}

/**
 * Refuses an operation that AI agents may never run, or not with this credential.
 * @param readLevel reads the level that the credential allows
 * @throws InvalidInput
 */
export async function checkAgentRight(
	node: INode,
	{ value }: Operation,
	readLevel: () => Promise<AgentLevel>,
): Promise<void> {
	const right = findAgentRight(findResource(node), value);
	if (right === 'never') throw NEVER_FOR_AGENTS;
	if (!isWithinLevel(right, await readLevel())) throw createLevelError(right);
}

const replaces = ({ endpoint, uses = [] }: Operation): boolean =>
	endpoint === null ? uses.some(replaces) : isUpdate(endpoint);

/**
 * Reads a parameter that an AI agent filled in. A value that the agent left empty counts as not given.
 * @param saved the parameter before its expressions are evaluated
 */
export function readForAgent(operation: Operation, name: string, raw: unknown, saved: unknown): unknown {
	// A list without an entry or an expression was left empty by the person who made the tool, not by the model.
	if (Array.isArray(saved) && saved.length === 0) return raw;
	const { endpoint, form, reads } = operation;
	const field = form[name];
	const canLeaveOutRestrictions = reads || (endpoint !== null && endpointOf(endpoint).method === 'PUT');
	return field ? readAgentValue(field, raw, { canLeaveOutRestrictions }) : raw;
}

/** Whether a value is a list, or has one in it at any depth. */
const hasList = (value: unknown): boolean =>
	Array.isArray(value) || (isRecord(value) && Object.values(value).some(hasList));

/** The first part of a name in a request, for comparison: "Tags[0]" fills the list "tags". */
const rootName = (name: string) => name.replace(/[.[].*$/, '').toLowerCase();

/** The names that the lists of an update have in its request. */
const listNames = (fields: FieldMap): string[] =>
	Object.values(fields).flatMap(({ replacesList, inner = {} }) => [
		...(replacesList ? [rootName(replacesList.sentAs)] : []),
		...listNames(inner),
	]);

/**
 * Refuses what would replace a stored list: a field or a choice that does so, and every list in JSON.
 * @throws InvalidInput
 */
export function checkForAgents(operation: Operation, form: FormValues): void {
	if (replaces(operation)) checkFields(operation.form, form.of(operation.form), listNames(operation.form), []);
}

/** @param lists the names of the operation's lists, one of which may be text in JSON */
function checkFields(fields: FieldMap, values: Record<string, unknown>, lists: string[], path: string[]): void {
	for (const [name, { property, notForAgents, replacesList, inner }] of Object.entries(fields)) {
		const value = values[name];
		// What the service calls a list is not always known of fields in JSON.
		const isListInJson =
			property.type === 'json' &&
			isRecord(value) &&
			(hasList(value) || Object.keys(value).some((key) => lists.includes(rootName(key))));
		if (isListInJson || (replacesList && value !== undefined) || notForAgents?.includes(value))
			throw new InvalidInput(
				'would replace or empty a whole list, which an AI agent may not do',
				[...path, name],
				`Leave the field out, or do it in a workflow, with the node itself. ${replacesList?.instead ?? ''}`.trim(),
			);
		if (inner && isRecord(value)) checkFields(inner, value, lists, [...path, name]);
	}
}
