import type { INodeProperties, INodeType } from 'n8n-workflow';
import { check, isSentenceCase, isTitleCase, sharedObjects } from './checks';
import { field, inside, nodeWith, operation, resource } from './thing';

const locator = (searchListMethod: string, searchable: boolean): INodeProperties =>
	field({
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod, searchable } }],
	});

test('finds nothing in a node as it should be', () => {
	expect(
		check(nodeWith([resource(), operation(), field({ placeholder: 'e.g. red', hint: 'As people say it' })])),
	).toEqual([]);
});

test.each<[string, INodeProperties]>([
	['is not in Title Case', field({ displayName: 'Main colour' })],
	['is not in Title Case', field({ type: 'options', options: [{ name: 'dark red', value: 'r' }], default: 'r' })],
	['is not a sentence', field({ description: 'which colour it has' })],
	['is not a sentence', field({ hint: 'The Colour It Has' })],
	['ends with a period', field({ description: 'What it looks like.' })],
	['only repeats the name', field({ description: 'The colour' })],
	["does not begin with 'e.g. '", field({ placeholder: 'red' })],
	["must begin with 'Whether'", field({ type: 'boolean', default: true })],
	['is no default for number', field({ type: 'number', default: '1' })],
	['is no default for options', field({ type: 'options', options: [{ name: 'Red', value: 'r' }], default: 'g' })],
	['is no default for resourceLocator', { ...locator('things', true), default: '' }],
	["depends on 'size', which there is not", field({ displayOptions: { show: { size: [1] } } })],
	['depends on \'operation\' being "go"', field({ displayOptions: { show: { operation: ['go'] } } })],
	["depends on '/size', which there is not", inside(field({ displayOptions: { show: { '/size': [1] } } }))],
	['has no loadOptions method', field({ type: 'options', typeOptions: { loadOptionsMethod: 'x' } })],
	['its list depends on', field({ type: 'options', typeOptions: { loadOptionsDependsOn: ['size'] } })],
	["has no list search 'things'", locator('things', true)],
	['cannot be searched', locator('things', false)],
	['Two fields stand in one place', field({ name: 'resource', type: 'hidden', default: 'thing' })],
	['is not in Title Case', inside(field({ displayName: 'colour' }))],
])('finds in a field: %s', (finding, property) => {
	expect(check(nodeWith([resource(), operation(), property])).join('\n')).toContain(finding);
});

test.each<[string, INodeType]>([
	["no visible parameter 'resource'", nodeWith([operation()])],
	["no visible parameter 'resource'", nodeWith([{ ...resource(), type: 'hidden' }, operation()])],
	['There is no operation', nodeWith([resource()])],
	['has no action', nodeWith([resource(), { ...operation(), options: [{ name: 'Get', value: 'get' }] }])],
	[
		'does not fit into the two lines',
		nodeWith([
			resource(),
			{
				...operation(),
				options: [{ name: 'Get', value: 'get', action: 'Get thing', description: 'word '.repeat(23) }],
			},
		]),
	],
	[
		'is not in sentence case',
		nodeWith([resource(), { ...operation(), options: [{ name: 'Get', value: 'get', action: 'Get Thing' }] }]),
	],
	['occurs twice', nodeWith([resource(), { ...operation(), options: [...optionsTwice()] }])],
	["is not 'Security Awareness ...'", nodeWith([resource(), operation()], { displayName: 'Thing' })],
	['no subtitle', nodeWith([resource(), operation()], { subtitle: undefined })],
	['usableAsTool', nodeWith([resource(), operation()], { usableAsTool: undefined })],
])('finds in a node: %s', (finding, node) => {
	expect(check(node).join('\n')).toContain(finding);
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
	const shared = field();
	const one = nodeWith([resource(), shared]).description;
	const other = nodeWith([resource(), shared]).description;
	expect(sharedObjects({ one, other })).toEqual(['description.properties.1 of other is also part of one']);
	expect(sharedObjects({ one, other: nodeWith([resource(), field()]).description })).toEqual([]);
});
