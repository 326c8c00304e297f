import type { INodeProperties, INodeType } from 'n8n-workflow';
import { findNodeFaults, isSentenceCase, isTitleCase, findSharedObjects } from './checks';
import { createField, wrapInCollection, createNodeType, createOperationProperty, createResourceProperty } from './thing';

const locator = (searchListMethod: string, searchable: boolean): INodeProperties =>
	createField({
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod, searchable } }],
	});

test('finds nothing in a node as it should be', () => {
	expect(
		findNodeFaults(createNodeType([createResourceProperty(), createOperationProperty(), createField({ placeholder: 'e.g. red', hint: 'As people say it' })])),
	).toEqual([]);
});

test.each<[string, INodeProperties]>([
	['is not in Title Case', createField({ displayName: 'Main colour' })],
	['is not in Title Case', createField({ type: 'options', options: [{ name: 'dark red', value: 'r' }], default: 'r' })],
	['is not a sentence', createField({ description: 'which colour it has' })],
	['is not a sentence', createField({ hint: 'The Colour It Has' })],
	['ends with a period', createField({ description: 'What it looks like.' })],
	['only repeats the name', createField({ description: 'The colour' })],
	["does not begin with 'e.g. '", createField({ placeholder: 'red' })],
	["must begin with 'Whether'", createField({ type: 'boolean', default: true })],
	['is no default for number', createField({ type: 'number', default: '1' })],
	['is no default for options', createField({ type: 'options', options: [{ name: 'Red', value: 'r' }], default: 'g' })],
	['is no default for resourceLocator', { ...locator('things', true), default: '' }],
	["depends on 'size', which there is not", createField({ displayOptions: { show: { size: [1] } } })],
	['depends on \'operation\' being "go"', createField({ displayOptions: { show: { operation: ['go'] } } })],
	["depends on '/size', which there is not", wrapInCollection(createField({ displayOptions: { show: { '/size': [1] } } }))],
	['has no loadOptions method', createField({ type: 'options', typeOptions: { loadOptionsMethod: 'x' } })],
	['its list depends on', createField({ type: 'options', typeOptions: { loadOptionsDependsOn: ['size'] } })],
	["has no list search 'things'", locator('things', true)],
	['cannot be searched', locator('things', false)],
	['Two fields stand in one place', createField({ name: 'resource', type: 'hidden', default: 'thing' })],
	['is not in Title Case', wrapInCollection(createField({ displayName: 'colour' }))],
])('finds in a field: %s', (finding, property) => {
	expect(findNodeFaults(createNodeType([createResourceProperty(), createOperationProperty(), property])).join('\n')).toContain(finding);
});

test.each<[string, INodeType]>([
	["no visible parameter 'resource'", createNodeType([createOperationProperty()])],
	["no visible parameter 'resource'", createNodeType([{ ...createResourceProperty(), type: 'hidden' }, createOperationProperty()])],
	['There is no operation', createNodeType([createResourceProperty()])],
	['has no action', createNodeType([createResourceProperty(), { ...createOperationProperty(), options: [{ name: 'Get', value: 'get' }] }])],
	[
		'does not fit into the two lines',
		createNodeType([
			createResourceProperty(),
			{
				...createOperationProperty(),
				options: [{ name: 'Get', value: 'get', action: 'Get thing', description: 'word '.repeat(23) }],
			},
		]),
	],
	[
		'is not in sentence case',
		createNodeType([createResourceProperty(), { ...createOperationProperty(), options: [{ name: 'Get', value: 'get', action: 'Get Thing' }] }]),
	],
	['occurs twice', createNodeType([createResourceProperty(), { ...createOperationProperty(), options: [...optionsTwice()] }])],
	["is not 'Security Awareness ...'", createNodeType([createResourceProperty(), createOperationProperty()], { displayName: 'Thing' })],
	['no subtitle', createNodeType([createResourceProperty(), createOperationProperty()], { subtitle: undefined })],
	['usableAsTool', createNodeType([createResourceProperty(), createOperationProperty()], { usableAsTool: undefined })],
])('finds in a node: %s', (finding, node) => {
	expect(findNodeFaults(node).join('\n')).toContain(finding);
});

function optionsTwice() {
	return ['a', 'b'].map((value) => ({ name: 'Get Thing', value, action: 'Get thing', description: 'Read one' }));
}

test.each(['Get Many Companies', 'By ID', 'Put Output File in Field', 'Filter Groups (JSON)', '30 Days'])(
	"takes '%s' for Title Case",
	(text) => expect(isTitleCase(text)).toBe(true),
);

test.each(['Create SAML setting', 'Get Google consent URL', 'Export companies'])(
	"takes '%s' for sentence case",
	(text) => expect(isSentenceCase(text)).toBe(true),
);

test('finds objects that two descriptions share, and only those', () => {
	const shared = createField();
	const one = createNodeType([createResourceProperty(), shared]).description;
	const other = createNodeType([createResourceProperty(), shared]).description;
	expect(findSharedObjects({ one, other })).toEqual(['description.properties.1 of other is also part of one']);
	expect(findSharedObjects({ one, other: createNodeType([createResourceProperty(), createField()]).description })).toEqual([]);
});
