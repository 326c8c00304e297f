/**
 * What n8n tells an AI that builds workflows about a node: a definition in TypeScript, which n8n's own generator makes
 * of the node's description. Read back here, so that it can be compared with the description.
 */
import { generateNodeTypeFile } from '@n8n/workflow-sdk';
import type { INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';

import { manifest } from '../n8n-core/package';

/** A field that the node's definition tells once for several operations, with what its operation says besides. */
export interface ShortField {
	/** Only of a field inside another one; n8n tells the types of the others. */
	type: string;
	preset: string;
	note: string;
}

/** One field as a definition has it. */
export interface ToldField {
	short?: ShortField;
	isOptional: boolean;
	/** The alternatives of its type: "'csv'", "'excel'", "Expression<string>". Empty for a field with fields inside it. */
	alternatives: string[];
	/** The lines of its comment. */
	comment: string[];
}

/** One operation as a definition has it; of a node without operations, the whole node. */
export interface ToldOperation {
	/** Empty for a node without operations. */
	operation: string;
	comment: string[];
	/** What comes out of it. */
	output: string[];
	/** By their paths: "filters", "filters.searchText". */
	fields: Map<string, ToldField>;
}

/** A node as the generator takes it: n8n's description, whose types are wider. */
type Described = Exclude<Parameters<typeof generateNodeTypeFile>[0], unknown[]>;

const isDescription = (value: object): value is Described => 'properties' in value && 'group' in value;

/**
 * The definition of a node, as `synthesizeNodeTypeDef` of n8n 2.41.1 has it made: with all properties that are not hidden.
 * @throws TypeError for anything but a node's description
 */
export function definitionOf(description: INodeTypeDescription): string {
	const visible: object = {
		...structuredClone(description),
		name: `${manifest.name}.${description.name}`,
		properties: structuredClone(description.properties.filter(({ type }) => type !== 'hidden')),
	};
	if (!isDescription(visible)) throw new TypeError(`${description.name} is not described as a node`);
	return generateNodeTypeFile(visible);
}

/** The parts of a definition: an operation each. */
export function readDefinition(definition: string): ToldOperation[] {
	const once = toldOnce(definition);
	const file = ts.createSourceFile('definition.ts', definition, ts.ScriptTarget.Latest, true);
	return file.statements.flatMap((statement) => {
		if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) return [];
		if (!statement.name.text.endsWith('Params')) return [];
		const members = ts.isInterfaceDeclaration(statement) ? statement.members : innerOf(statement.type);
		const fields = new Map(
			fieldsIn(members)
				.flatMap((field) => resolved(field, once))
				.reverse(),
		);
		// Of fields that were merged, the operation has several alternatives.
		const [only = '', ...others] = fields.get('operation')?.alternatives ?? [];
		const operation = others.length > 0 ? '' : only.replaceAll("'", '');
		const output = fields.get('resource')?.comment ?? [];
		for (const name of operation === '' ? [] : ['resource', 'operation']) fields.delete(name);
		return [{ operation, comment: commentOf(statement), output, fields }];
	});
}

const EMPTY: ShortField = { type: '', preset: '', note: '' };

/** "options.timeout: number = 120 // Seconds to wait" */
function readLine(line: string): [string, ShortField] {
	const [head = '', ...notes] = line.split(' // ');
	const [, path = '', type = '', preset = ''] = /^([\w.]+)(?:: (.*?))?(?: = (.*))?$/.exec(head) ?? [];
	return [path, { type, preset, note: notes.join(' // ') }];
}

/** What is told once for the node, by the paths of the fields. */
function toldOnce(definition: string): Map<string, ShortField> {
	const [, lines = ''] = /^ \* Fields that operations have in common.*\n((?: \* .*\n)*)/m.exec(definition) ?? [];
	return new Map([...lines.matchAll(/^ \* (.*)$/gm)].map(([, line = '']) => readLine(line)));
}

/** A field, and with one in short also those inside it, with what is told once. */
function resolved([path, field]: [string, ToldField], once: Map<string, ShortField>): Array<[string, ToldField]> {
	const [first = '', ...lines] = field.comment;
	const isShort = first.startsWith('As above') || [...once.keys()].some((each) => each.split('.')[0] === path);
	if (!isShort || path.includes('.')) return [[path, field]];
	const isCollection = field.alternatives[0] === 'Record<string, unknown>';
	const [, note = '', names = ''] = (isCollection && /^(.*): ([\w, .]+)$/.exec(first)) || ['', first, ''];
	const ofField = once.get(path) ?? EMPTY;
	const [preset] = lines.flatMap((line) => (line.startsWith('@default ') ? [line.slice(9).replace('[]', '')] : []));
	const root = { type: '', preset: preset ?? ofField.preset, note: note === 'As above' ? ofField.note : note };
	const own = lines.filter((line) => !line.startsWith('@')).map(readLine);
	const inner = new Map<string, ShortField>();
	const add = (name: string, told: ShortField = EMPTY) => {
		const common = once.get(`${path}.${name}`) ?? EMPTY;
		const all = {
			type: told.type || common.type,
			preset: told.preset || common.preset,
			note: told.note || common.note,
		};
		inner.set(name, all);
		// The fields of a group are in the line of the group.
		const [, members = ''] = /\{ ([\w, ]+) \}/.exec(all.type) ?? [];
		const below = [...once.keys()].filter((each) => all.type === 'object' && each.startsWith(`${path}.${name}.`));
		for (const each of members.split(', ').filter(Boolean)) add(`${name}.${each}`);
		for (const each of below) add(each.slice(path.length + 1));
	};
	for (const name of names.split(', ').filter(Boolean)) add(name);
	for (const [name, told] of own) add(name, told);
	return [
		[path, { ...field, short: root }],
		...[...inner].map(([name, short]): [string, ToldField] => [
			`${path}.${name}`,
			{ short, isOptional: true, alternatives: [], comment: [] },
		]),
	];
}

function fieldsIn(members: readonly ts.TypeElement[], above = ''): Array<[string, ToldField]> {
	return members.filter(ts.isPropertySignature).flatMap((member): Array<[string, ToldField]> => {
		const path = above + member.name.getText().replace(/^['"]|['"]$/g, '');
		const inner = innerOf(member.type);
		const field = {
			isOptional: member.questionToken !== undefined,
			alternatives: inner.length > 0 ? [] : alternativesOf(member.type),
			comment: commentOf(member),
		};
		return [[path, field], ...fieldsIn(inner, `${path}.`)];
	});
}

/** The fields inside a field: `{ ... }` or `Array<{ ... }>`. A resource locator's parts are not fields. */
function innerOf(type: ts.TypeNode | undefined): readonly ts.TypeElement[] {
	if (!type) return [];
	if (ts.isTypeReferenceNode(type)) return innerOf(type.typeArguments?.find(ts.isTypeLiteralNode));
	if (!ts.isTypeLiteralNode(type)) return [];
	return type.members.some(({ name }) => name?.getText() === '__rl') ? [] : type.members;
}

const alternativesOf = (type: ts.TypeNode | undefined): string[] =>
	type && ts.isUnionTypeNode(type) ? type.types.map((each) => each.getText()) : type ? [type.getText()] : [];

const unescaped = (line: string) => line.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('*\\/', '*/');

function commentOf(node: ts.Node): string[] {
	const text = node.getFullText().slice(0, node.getStart() - node.getFullStart());
	// The first operation's comment has the node's before it.
	const [, own = ''] = [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].at(-1) ?? [];
	return own
		.split('\n')
		.map((line) => unescaped(line.replace(/^\s*\*? ?/, '').trim()))
		.filter((line) => line !== '');
}
