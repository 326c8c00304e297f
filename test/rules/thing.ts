/** Creates an invented node without faults, for the tests of the rules. */
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
		{ name: 'Create Thing', value: 'create', action: 'Create thing', description: 'Add one' },
		{ name: 'Get Thing', value: 'get', action: 'Get thing', description: 'Read one' },
	],
	default: 'get',
});

/** Creates a node with these fields. @param overrides the members of the description that differ from the default */
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

/** Creates a text field. @param overrides the members of the field that differ from the default */
export const createField = (overrides: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: 'Colour',
	name: 'colour',
	type: 'string',
	default: '',
	...overrides,
});

/** Creates a collection that has only this field. */
export function wrapInCollection(property: INodeProperties): INodeProperties {
	return createField({ name: 'more', type: 'collection', default: {}, options: [property] });
}
