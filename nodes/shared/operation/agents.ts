import { lowerFirst, mapValues } from 'lodash';
import type { IExecuteFunctions, INodeTypeDescription } from 'n8n-workflow';

import type { Field, FieldMap } from '../form/field';
import type { FormValues } from '../form/formValues';
import { InvalidInput } from '../transport/errors';
import type { Operation } from './operation';
import { propertiesOf } from './properties';
import { endpointOf } from '../transport/endpoint';
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
 * The variant of a node that is a tool of an AI agent, with the operations that agents may run: n8n's editor takes from here what
 * it offers. `runOperations` refuses the others, because a tool that was imported may have any operation (n8n-facts 16).
 * @param description what the tool is for
 */
export function toolOf(
	resource: { name: string; value: string },
	operations: readonly Operation[],
	description: string,
): NonNullable<INodeTypeDescription['usableAsTool']> {
	const offered = operations
		.filter(({ isForAgents }) => isForAgents)
		.map((operation) => ({ ...operation, action: toldTo(operation), form: mapValues(operation.form, forAgents) }));
	// n8n takes everything of a description here, although its type names only a part.
	const replacements: Partial<INodeTypeDescription> = { description, properties: propertiesOf(resource, offered) };
	return { replacements };
}

/** Whether the node runs as a tool of an AI agent: n8n tells that by its type, by its context, or by both (n8n-facts 7, 16). */
export const isTool = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('Tool') || ('isToolExecution' in context && context.isToolExecution());

/** The error for an operation that agents may not run. */
export const NOT_FOR_AGENTS = new InvalidInput(
	'is not one that an AI agent may run',
	['Operation'],
	'Agents may neither delete nor revoke anything, nor mail people or schedule mails, nor use files. Do it in a workflow, with the node itself.',
);

const replaces = ({ endpoint, uses = [] }: Operation): boolean =>
	endpoint === null ? uses.some(replaces) : endpointOf(endpoint).method === 'PUT';

/**
 * Refuses what would take everything away: a choice that does so, and an empty list that takes the place of another.
 * @throws InvalidInput
 */
export function checkForAgents(operation: Operation, form: FormValues): void {
	if (replaces(operation)) checkFields(operation.form, form.of(operation.form), []);
}

function checkFields(fields: FieldMap, values: Record<string, unknown>, path: string[]): void {
	for (const [name, { property, notForAgents, mustHaveValue, inner }] of Object.entries(fields)) {
		const value = values[name];
		// What the service calls these lists is not known of fields in JSON.
		const given = property.type === 'json' && isRecord(value) ? Object.values(value) : mustHaveValue ? [value] : [];
		const isEmptied = given.some((each) => each === null || (Array.isArray(each) && each.length === 0));
		if (isEmptied || notForAgents?.includes(value))
			throw new InvalidInput(
				'would take everything away, which an AI agent may not do',
				[...path, name],
				'Leave the field out, or do it in a workflow, with the node itself.',
			);
		if (inner && isRecord(value)) checkFields(inner, value, [...path, name]);
	}
}
