import { sortBy } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { collectListMethods, buildFieldProperties, type ListMethods } from '../fields/field';
import type { Operation } from './defineOperation';
import { listOperations, type NodeResource } from './nodeResource';

/** The notice in the form of every operation whose output contains a secret. */
export const SECRET_OUTPUT_NOTICE =
	"The output contains a secret, which n8n saves with the execution. To prevent this, set 'Save failed production executions', 'Save successful production executions' and 'Save manual executions' to 'Do not save' in the workflow's settings.";

/** The notice in the form of every operation that the contract doesn't describe. */
export const OPTIONAL_OPERATION_NOTICE =
	"This operation isn't supported by every platform. If your platform doesn't support it, the node shows an error and changes nothing.";

const createNotice = (name: string, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
});

/** Creates the notices about an operation. The form shows them above the fields. */
function createNotices({ isOutsideContract, hasSecretOutput, outputNote }: Operation): INodeProperties[] {
	const notices: INodeProperties[] = [];
	if (isOutsideContract) notices.push(createNotice('platformNotice', OPTIONAL_OPERATION_NOTICE));
	if (hasSecretOutput) notices.push(createNotice('outputNotice', SECRET_OUTPUT_NOTICE));
	if (outputNote !== undefined) notices.push(createNotice('outputNote', outputNote));
	return notices;
}

/** Builds the n8n properties of an operation's form. The editor shows them only while this operation is selected. */
function buildFormProperties(operation: Operation, resource: NodeResource): INodeProperties[] {
	const properties = [...createNotices(operation), ...buildFieldProperties(operation.fields)];
	return properties.map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: {
				resource: [resource.value],
				operation: [operation.value],
				...property.displayOptions?.show,
			},
		},
	}));
}

/** Builds the list of a resource's operations. The editor shows it only while this resource is selected. */
function buildOperationProperty({ value, defaultOperation, operations }: NodeResource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: sortBy(operations, 'name').map((operation) => ({
			name: operation.name,
			value: operation.value,
			action: operation.action,
			description: operation.description,
		})),
		default: defaultOperation,
	};
}

/**
 * Builds the properties of a node: 'Resource', an 'Operation' for each resource, and the form of each operation. 'Resource' is visible even
 * if it has only one option, because n8n needs it to list the node's actions, and n8n's AI builder needs it to distinguish the operations.
 * Each call returns new objects, because n8n changes the objects when it loads the node.
 * @param resources the node's resources. The first one is selected by default.
 */
export function buildNodeProperties(resources: readonly NodeResource[]): INodeProperties[] {
	const options = resources.map(({ name, value }) => ({ name, value }));
	const firstResource = resources[0]?.value ?? '';
	return structuredClone<INodeProperties[]>([
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: sortBy(options, 'name'),
			default: firstResource,
		},
		...resources.map(buildOperationProperty),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => buildFormProperties(operation, resource)),
		),
	]);
}

/** Builds the expression for the text below a node on the canvas: "Get Summary: Campaign Job". */
export function buildSubtitle(resources: readonly NodeResource[]): string {
	const subtitles = Object.fromEntries(
		resources.flatMap((resource) =>
			resource.operations.map(({ value, name }) => [`${resource.value}.${value}`, `${name}: ${resource.name}`]),
		),
	);
	return `={{ (${JSON.stringify(subtitles)})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

/** Collects the methods with which n8n loads the dropdown lists of a node's fields. */
export const buildListMethods = (resources: readonly NodeResource[]): Required<ListMethods> =>
	collectListMethods(...listOperations(resources).map(({ fields }) => fields));
