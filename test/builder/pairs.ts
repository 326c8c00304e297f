/** Compares what an AI is told of a node with the node's description, an operation and a field at a time. */
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { isEqual, omit } from 'lodash';

import { groupsOf, fieldsOf, optionsOf } from '../rules/walk';
import type { ToldField, ToldOperation } from './definitions';

export interface Compared {
	/** How many pairs of an operation and a field the description has; fields inside others count too. */
	pairs: number;
	/** How many of them the definition has as they are. */
	told: number;
	/** Sentences that say what is wrong. */
	findings: string[];
}

/** Fields that n8n only shows, or uses to tell operations apart. */
const isField = ({ name, type }: INodeProperties) =>
	!['resource', 'operation'].includes(name) && !['notice', 'hidden'].includes(type);

/** The conditions of a field apart from its operation. */
function conditionsOf({ displayOptions = {} }: INodeProperties): string[] {
	return (['show', 'hide'] as const).flatMap((kind) => {
		const others = omit(displayOptions[kind], ['resource', 'operation']);
		const conditions = Object.entries(others).map(
			([name, values = []]) => `${name}: [${values.map((value) => JSON.stringify(value)).join(', ')}]`,
		);
		return conditions.length > 0 ? [`@displayOptions.${kind} { ${conditions.join(', ')} }`] : [];
	});
}

const shownDefault = (value: unknown): string[] =>
	value === '' ? [] : [`@default ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`];

/** The types that a field's value may have. Empty for one with fields inside it. */
function typesOf(property: INodeProperties): string[] {
	const values = optionsOf(property).map(({ value }) => (typeof value === 'string' ? `'${value}'` : String(value)));
	const withExpression = (kind: string, ...types: string[]) =>
		property.noDataExpression ? types : [...types, `Expression<${kind}>`];
	switch (property.type) {
		case 'boolean':
		case 'number':
			return withExpression(property.type, property.type);
		case 'json':
			return withExpression('string', 'IDataObject', 'string');
		case 'multiOptions':
			return [values.length > 0 ? `Array<${values.join(' | ')}>` : 'string[]'];
		case 'resourceLocator': {
			const modes = (property.modes ?? []).map(({ name }) => `'${name}'`).join(' | ');
			return [`{ __rl: true; mode: ${modes}; value: string; cachedResultName?: string }`];
		}
		case 'collection':
		case 'fixedCollection':
			return [];
		case 'options':
			if (values.length > 0) return withExpression('string', ...values);
			return withExpression('string', 'string');
		default:
			return withExpression('string', 'string');
	}
}

/** Whether a workflow without the field would be refused. */
const mustBeFilled = ({ required, default: value }: INodeProperties): boolean =>
	required === true &&
	(isEqual(value, '') || isEqual(value, []) || isEqual(value, { mode: 'list', value: '' }) || value === undefined);

/** What is wrong with a field as it is told. */
function wrongWith(property: INodeProperties, { isOptional, alternatives, comment }: ToldField): string[] {
	const { description, displayName, hint } = property;
	const types = typesOf(property);
	const methods = [
		...(property.modes ?? []).flatMap(({ typeOptions = {} }) =>
			typeOptions.searchListMethod === undefined ? [] : [`@searchListMethod ${typeOptions.searchListMethod}`],
		),
		...(property.typeOptions?.loadOptionsMethod
			? [`@loadOptionsMethod ${property.typeOptions.loadOptionsMethod}`]
			: []),
	];
	const expected = [
		description ?? displayName,
		...(hint ? [`@hint ${hint}`] : []),
		...methods,
		...conditionsOf(property),
		...shownDefault(property.default),
	];
	// A field without anything to tell has no comment.
	const isBare = comment.length === 0 && expected[0] === displayName && !hint && !conditionsOf(property).length;
	return [
		...(isEqual(alternatives, types) ? [] : [`is ${alternatives.join(' | ')} instead of ${types.join(' | ')}`]),
		...(isBare || isEqual(comment, expected)
			? []
			: [`is told as ${comment.join(' / ')} instead of ${expected.join(' / ')}`]),
		// The generator drops the mark where a field is inside another one or is a picker.
		...(isOptional || mustBeFilled(property) ? [] : ['is told as required']),
	];
}

/** The fields of an operation by their paths. A group of rows has a path too, but is no field. */
function fieldsByPath(properties: INodeProperties[]): Map<string, INodeProperties | undefined> {
	const all = fieldsOf({ properties }).filter(({ property }) => isField(property));
	return new Map(
		all.flatMap(({ path, property }): Array<[string, INodeProperties | undefined]> => [
			[path, property],
			...groupsOf(property).map(({ name }): [string, undefined] => [`${path}.${name}`, undefined]),
		]),
	);
}

/** A running n8n adds an operation without fields, '__CUSTOM_API_CALL__'. */
const isOurs = (operation: string) => !operation.startsWith('__');

/** Compares a node's definition with its description. */
export function compare(
	{ properties }: Pick<INodeTypeDescription, 'properties'>,
	told: readonly ToldOperation[],
): Compared {
	const compared: Compared = { pairs: 0, told: 0, findings: [] };
	const { findings } = compared;
	const choice = properties.find(({ name }) => name === 'operation');
	const operations = choice
		? optionsOf(choice)
				.map(({ value, description }) => ({ value: String(value), description }))
				.filter(({ value }) => isOurs(value))
		: [];
	for (const { operation } of told.filter((each) => isOurs(each.operation)))
		if (choice && !operations.some(({ value }) => value === operation))
			findings.push(`There is no operation '${operation}'`);
	for (const { value, description } of choice ? operations : [{ value: '', description: undefined }]) {
		const [one, ...more] = told.filter(({ operation }) => operation === value);
		if (more.length > 0) findings.push(`${value} is told ${more.length + 1} times`);
		if (one && description !== undefined && !isEqual(one.comment, [description]))
			findings.push(`${value} is told as ${one.comment.join(' / ')}`);
		const own = properties.filter(
			({ displayOptions }) => value === '' || displayOptions?.show?.operation?.includes(value) === true,
		);
		const fields = fieldsByPath(own);
		for (const path of one?.fields.keys() ?? []) if (!fields.has(path)) findings.push(`${value} has no field ${path}`);
		for (const [path, property] of fields) {
			if (!property) continue;
			compared.pairs++;
			const field = one?.fields.get(path);
			const wrong = field ? wrongWith(property, field) : ['is not told'];
			if (wrong.length === 0) compared.told++;
			findings.push(...wrong.map((each) => `${value} ${path} ${each}`));
		}
	}
	return compared;
}
