/**
 * What n8n tells an AI that builds workflows about a node: a definition in TypeScript, which n8n's own generator makes
 * of the node's description. Read back here, so that it can be compared with the description.
 */
import { generateNodeTypeFile } from '@n8n/workflow-sdk';
import type { INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';

import { manifest } from '../n8n-core/package';

/** One field as a definition has it. */
export interface ToldField {
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
	const file = ts.createSourceFile('definition.ts', definition, ts.ScriptTarget.Latest, true);
	return file.statements.flatMap((statement) => {
		if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) return [];
		if (!statement.name.text.endsWith('Params')) return [];
		const members = ts.isInterfaceDeclaration(statement) ? statement.members : innerOf(statement.type);
		const fields = new Map(fieldsIn(members));
		// Of fields that were merged, the operation has several alternatives.
		const [only = '', ...others] = fields.get('operation')?.alternatives ?? [];
		const operation = others.length > 0 ? '' : only.replaceAll("'", '');
		for (const name of operation === '' ? [] : ['resource', 'operation']) fields.delete(name);
		return [{ operation, comment: commentOf(statement), fields }];
	});
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
