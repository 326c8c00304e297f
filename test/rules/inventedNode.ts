/** Creates an invented node, Thing, that follows all rules. Each test of a rule changes the node or a field so that it breaks the rule. */
import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

/** Creates the field 'resource' with one entry. */
export const createResourceProperty = (): INodeProperties => ({
	displayName: 'Resource',
	name: 'resource',
	noDataExpression: true,
	type: 'options',
	options: [{ name: 'Thing', value: 'thing' }],
	default: 'thing',
});

/** Creates the field 'operation' with two operations. */
export const createOperationProperty = (): INodeProperties => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['thing'] } },
	options: [
		{ name: 'Create', value: 'create', action: 'Create thing', description: 'Add one' },
		{ name: 'Get', value: 'get', action: 'Get thing', description: 'Read one' },
	],
	default: 'get',
});

/** Creates a node with the given fields. @param overrides replaces members of the default description */
export const createNodeType = (
	properties: INodeProperties[],
	overrides: Partial<INodeTypeDescription> = {},
): INodeType => ({
	description: {
		displayName: 'Security Awareness Thing',
		name: 'securityAwarenessThing',
		icon: { light: 'file:../../icons/company.svg', dark: 'file:../../icons/company.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Work with things',
		defaults: { name: 'Security Awareness Thing' },
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
		properties,
		...overrides,
	},
});

/** Creates a text field. @param overrides replaces members of the default field */
export const createField = (overrides: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: 'Colour',
	name: 'colour',
	type: 'string',
	default: '',
	...overrides,
});

/** Creates a collection with the given field as its only one. */
export function wrapInCollection(property: INodeProperties): INodeProperties {
	return createField({ name: 'more', type: 'collection', default: {}, options: [property] });
}
