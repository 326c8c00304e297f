import type { INodeProperties } from 'n8n-workflow';

import { methodsOfFields, propertiesOfFields, type ListMethods } from '../fields/field';
import type { Operation } from './defineOperation';

/** The notice in the form of an operation whose output has a secret. */
export const SECRET_OUTPUT_NOTICE =
	"The output has a secret, and n8n keeps the output of executions, also of manual ones. To switch that off, set 'Save failed production executions', 'Save successful production executions' and 'Save manual executions' to 'Do not save' in the workflow's settings.";

const notice = (name: string, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
});

/** What a form says before its fields about the output. */
const noticesOf = ({ outputsSecret, outputNote }: Operation): INodeProperties[] => [
	...(outputsSecret ? [notice('outputNotice', SECRET_OUTPUT_NOTICE)] : []),
	...(outputNote === undefined ? [] : [notice('outputNote', outputNote)]),
];

/**
 * A node's properties: resource, operation, and each operation's form. The resource has one entry. It is visible because n8n
 * needs a visible one to list a node's actions and to distinguish its operations for its AI builder.
 * The objects are new for each call, because n8n's loader changes them.
 * @param resource the node's resource: its name in the editor, and its value in saved workflows
 * @param operations a node opens on 'Get Many', or else on the first of them
 */
export function propertiesOf(
	resource: { name: string; value: string },
	operations: readonly Operation[],
): INodeProperties[] {
	const only = resource.value;
	const show = { resource: [only] };
	const list = [...operations].sort((one, other) => one.name.localeCompare(other.name));
	const defaultOperation = (list.find(({ value }) => value === 'getMany') ?? operations[0])?.value ?? '';
	const fields = operations.flatMap((operation) =>
		[...noticesOf(operation), ...propertiesOfFields(operation.form)].map((property) => ({
			...property,
			displayOptions: {
				...property.displayOptions,
				show: { ...show, operation: [operation.value], ...property.displayOptions?.show },
			},
		})),
	);
	return structuredClone<INodeProperties[]>([
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: [resource],
			default: only,
		},
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show },
			options: list.map(({ value, name, action, description }) => ({
				name,
				value,
				action,
				description,
			})),
			default: defaultOperation,
		},
		...fields,
	]);
}

/** The text below a node on the canvas: the operation's name in the form, not its saved value. */
export function subtitleOf(operations: readonly Operation[]): string {
	const names = Object.fromEntries(operations.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(names)})[$parameter["operation"]] }}`;
}

/** The functions that fill the lists of a node's fields. */
export const methodsOf = (operations: readonly Operation[]): Required<ListMethods> =>
	methodsOfFields(...operations.map(({ form }) => form));
