/** A node that there is not, for the tests of the rules: as it should be, unless it is given something else. */
import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

export const createResourceProperty = (): INodeProperties => ({
	displayName: 'Resource',
	name: 'resource',
	noDataExpression: true,
	type: 'options',
	options: [{ name: 'Thing', value: 'thing' }],
	default: 'thing',
});

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

export const createNodeType = (properties: INodeProperties[], more: Partial<INodeTypeDescription> = {}): INodeType => ({
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
		...more,
	},
});

export const createField = (more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: 'Colour',
	name: 'colour',
	type: 'string',
	default: '',
	...more,
});

export function wrapInCollection(property: INodeProperties): INodeProperties {
	return createField({ name: 'more', type: 'collection', default: {}, options: [property] });
}
