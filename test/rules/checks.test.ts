import type { INodeProperties, INodeType } from 'n8n-workflow';
import { findNodeFaults, isSentenceCase, isTitleCase, findSharedObjects } from './checks';
import {
	createField,
	wrapInCollection,
	createNodeType,
	createOperationProperty,
	createResourceProperty,
} from './inventedNode';

/** Creates a resourceLocator with one mode, which is a list. */
const createLocator = (searchListMethod: string, searchable: boolean): INodeProperties =>
	createField({
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod, searchable } }],
	});

test('finds nothing in a correct node', () => {
	expect(
		findNodeFaults(
			createNodeType([
				createResourceProperty(),
				createOperationProperty(),
				createField({ placeholder: 'e.g. red', hint: 'As people say it' }),
			]),
		),
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
	['is no default for resourceLocator', { ...createLocator('things', true), default: '' }],
	["depends on 'size', which does not exist", createField({ displayOptions: { show: { size: [1] } } })],
	['depends on \'operation\' being "go"', createField({ displayOptions: { show: { operation: ['go'] } } })],
	[
		"depends on '/size', which does not exist",
		wrapInCollection(createField({ displayOptions: { show: { '/size': [1] } } })),
	],
	['has no loadOptions method', createField({ type: 'options', typeOptions: { loadOptionsMethod: 'x' } })],
	['its list depends on', createField({ type: 'options', typeOptions: { loadOptionsDependsOn: ['size'] } })],
	["has no list search 'things'", createLocator('things', true)],
	['cannot be searched', createLocator('things', false)],
	['Two fields have the same place', createField({ name: 'resource', type: 'hidden', default: 'thing' })],
	['is not in Title Case', wrapInCollection(createField({ displayName: 'colour' }))],
])('finds in a field: %s', (finding, property) => {
	expect(
		findNodeFaults(createNodeType([createResourceProperty(), createOperationProperty(), property])).join('\n'),
	).toContain(finding);
});

test.each<[string, INodeType]>([
	["no visible parameter 'resource'", createNodeType([createOperationProperty()])],
	[
		"no visible parameter 'resource'",
		createNodeType([{ ...createResourceProperty(), type: 'hidden' }, createOperationProperty()]),
	],
	['There is no operation', createNodeType([createResourceProperty()])],
	[
		'has no action',
		createNodeType([
			createResourceProperty(),
			{ ...createOperationProperty(), options: [{ name: 'Get', value: 'get' }] },
		]),
	],
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
		createNodeType([
			createResourceProperty(),
			{ ...createOperationProperty(), options: [{ name: 'Get', value: 'get', action: 'Get Thing' }] },
		]),
	],
	[
		'occurs twice',
		createNodeType([createResourceProperty(), { ...createOperationProperty(), options: createDuplicateOptions() }]),
	],
	...createOperationExamples([
		['has more than 4 words', { name: 'Get This and That Again' }],
		['has more than 6 words', { action: 'Get this and that thing once again' }],
		["repeats its resource 'Thing'", { name: 'Get Things' }],
		["The resource 'Thing' opens on no operation", { value: 'read' }],
	]),
	[
		'more than 11',
		createNodeType([
			createResourceProperty(),
			{ ...createOperationProperty(), options: Array.from({ length: 12 }, (_, index) => createOption(`Get ${index}`)) },
		]),
	],
	[
		'not in alphabetical order',
		createNodeType([
			createResourceProperty(),
			{ ...createOperationProperty(), options: [createOption('Get'), createOption('Create')] },
		]),
	],
	[
		'has not exactly one operation field',
		createNodeType([createResourceProperty(), createOperationProperty(), createOperationProperty()]),
	],
	[
		"is not 'Security Awareness ...'",
		createNodeType([createResourceProperty(), createOperationProperty()], { displayName: 'Thing' }),
	],
	['no subtitle', createNodeType([createResourceProperty(), createOperationProperty()], { subtitle: undefined })],
	['usableAsTool', createNodeType([createResourceProperty(), createOperationProperty()], { usableAsTool: undefined })],
])('finds in a node: %s', (finding, node) => {
	expect(findNodeFaults(node).join('\n')).toContain(finding);
});

/** Creates an operation that follows all rules, except for the given members. */
function createOption(name: string, overrides: object = {}) {
	const value = name.toLowerCase();
	return { name, value, action: `${name} thing`, description: 'Read one', ...overrides };
}

/** Creates a node for each example. Its only operation has the given members. */
function createOperationExamples(examples: Array<[finding: string, overrides: object]>) {
	return examples.map(([finding, overrides]): [string, INodeType] => [
		finding,
		createNodeType([
			createResourceProperty(),
			{ ...createOperationProperty(), options: [createOption('Get', overrides)] },
		]),
	]);
}

function createDuplicateOptions() {
	return ['a', 'b'].map((value) => ({ name: 'Get Thing', value, action: 'Get thing', description: 'Read one' }));
}

test.each(['Get Many Companies', 'By ID', 'Put Output File in Field', 'Filter Groups (JSON)', '30 Days'])(
	"accepts '%s' as Title Case",
	(text) => expect(isTitleCase(text)).toBe(true),
);

test.each(['Create SAML setting', 'Get consent URL', 'Export companies'])("accepts '%s' as sentence case", (text) =>
	expect(isSentenceCase(text)).toBe(true),
);

test('finds objects that two descriptions share, and only those', () => {
	const sharedField = createField();
	const firstDescription = createNodeType([createResourceProperty(), sharedField]).description;
	const secondDescription = createNodeType([createResourceProperty(), sharedField]).description;
	const unrelatedDescription = createNodeType([createResourceProperty(), createField()]).description;
	expect(findSharedObjects({ first: firstDescription, second: secondDescription })).toEqual([
		'description.properties.1 of second is also part of first',
	]);
	expect(findSharedObjects({ first: firstDescription, unrelated: unrelatedDescription })).toEqual([]);
});
