import type { INodeProperties } from 'n8n-workflow';

import { collectListMethods, buildFieldProperties, type ListMethods } from '../fields/field';
import type { Operation } from './defineOperation';

/** The notice in the form of an operation whose output has a secret. */
export const SECRET_OUTPUT_NOTICE =
	"The output has a secret, and n8n keeps the output of executions, also of manual ones. To switch that off, set 'Save failed production executions', 'Save successful production executions' and 'Save manual executions' to 'Do not save' in the workflow's settings.";

const createNotice = (name: string, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
});

/** Creates the notices about the output, which the form shows above its fields. */
function createOutputNotices({ outputsSecret, outputNote }: Operation): INodeProperties[] {
	const notices: INodeProperties[] = [];
	if (outputsSecret) notices.push(createNotice('outputNotice', SECRET_OUTPUT_NOTICE));
	if (outputNote !== undefined) notices.push(createNotice('outputNote', outputNote));
	return notices;
}

/** Builds the n8n properties of an operation's form. The editor shows them while the operation is selected. */
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
 * Builds the properties of a node: resource, operation, and each operation's form. The resource is visible although it has only one
 * option, because n8n uses it to list the node's actions, and to distinguish the operations for n8n's AI builder.
 * Each call returns new objects, because n8n's loader changes them.
 * @param resource the resource's name in the editor, and its value in saved workflows
 * @param operations the node's operations. 'Get Many' is selected by default; a node without it starts with the first operation.
 */
export function buildNodeProperties(
	resource: { name: string; value: string },
	operations: readonly Operation[],
): INodeProperties[] {
	const sortedOperations = [...operations].sort((left, right) => left.name.localeCompare(right.name));
	const selectedOperation = operations.find(({ value }) => value === 'getMany') ?? operations[0];
	const defaultOperation = selectedOperation?.value ?? '';
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
			default: defaultOperation,
		},
		...operations.flatMap((operation) => buildFormProperties(operation, resourceValue)),
	]);
}

/** Builds the expression for the text below a node on the canvas. It shows the operation's name instead of its saved value. */
export function buildSubtitle(operations: readonly Operation[]): string {
	const names = Object.fromEntries(operations.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(names)})[$parameter["operation"]] }}`;
}

/** Collects the methods with which n8n loads the dropdown lists of a node's fields. */
export const buildListMethods = (operations: readonly Operation[]): Required<ListMethods> =>
	collectListMethods(...operations.map(({ fields }) => fields));
