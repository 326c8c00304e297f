import type { INodeProperties } from 'n8n-workflow';

import { collectListMethods, buildFieldProperties, type ListMethods } from '../fields/field';
import type { Operation } from './defineOperation';

/** The notice in the form of every operation whose output contains a secret. */
export const SECRET_OUTPUT_NOTICE =
	"The output has a secret, and n8n keeps the output of executions, also of manual ones. To switch that off, set 'Save failed production executions', 'Save successful production executions' and 'Save manual executions' to 'Do not save' in the workflow's settings.";

const createNotice = (name: string, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
});

/** Creates the notices about an operation's output. The form shows them above the fields. */
function createOutputNotices({ hasSecretOutput, outputNote }: Operation): INodeProperties[] {
	const notices: INodeProperties[] = [];
	if (hasSecretOutput) notices.push(createNotice('outputNotice', SECRET_OUTPUT_NOTICE));
	if (outputNote !== undefined) notices.push(createNotice('outputNote', outputNote));
	return notices;
}

/** Builds the n8n properties of an operation's form. The editor shows them only while this operation is selected. */
function buildFormProperties(operation: Operation, resource: string): INodeProperties[] {
	const properties = [...createOutputNotices(operation), ...buildFieldProperties(operation.fields)];
	return properties.map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: {
				resource: [resource],
				operation: [operation.value],
				...property.displayOptions?.show,
			},
		},
	}));
}

/**
 * Builds the properties of a node: 'Resource', 'Operation', and the form of each operation. 'Resource' is visible although it has only
 * one option, because n8n needs it to list the node's actions, and n8n's AI builder needs it to distinguish the operations.
 * Each call returns new objects, because n8n changes the objects when it loads the node.
 * @param resource the resource's name in the editor, and its value in saved workflows
 * @param operations the node's operations. 'Get Many' is selected by default, or the first operation if there is no 'Get Many'.
 */
export function buildNodeProperties(
	resource: { name: string; value: string },
	operations: readonly Operation[],
): INodeProperties[] {
	const sortedOperations = [...operations].sort((left, right) => left.name.localeCompare(right.name));
	const defaultOperation = operations.find(({ value }) => value === 'getMany') ?? operations[0];
	const defaultValue = defaultOperation?.value ?? '';
	const resourceValue = resource.value;
	return structuredClone<INodeProperties[]>([
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: [resource],
			default: resourceValue,
		},
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resourceValue] } },
			options: sortedOperations.map(({ value, name, action, description }) => ({
				name,
				value,
				action,
				description,
			})),
			default: defaultValue,
		},
		...operations.flatMap((operation) => buildFormProperties(operation, resourceValue)),
	]);
}

/** Builds the expression for the text below a node on the canvas, which is the name of the selected operation. */
export function buildSubtitle(operations: readonly Operation[]): string {
	const namesByValue = Object.fromEntries(operations.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(namesByValue)})[$parameter["operation"]] }}`;
}

/** Collects the methods with which n8n loads the dropdown lists of a node's fields. */
export const buildListMethods = (operations: readonly Operation[]): Required<ListMethods> =>
	collectListMethods(...operations.map(({ fields }) => fields));
