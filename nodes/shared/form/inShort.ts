/**
 * A node's fields in short, for an AI that builds workflows. n8n describes every operation to it in full, so the same company,
 * filters and options would fill most of the text. Here what several operations have in common is told once for the node,
 * and each operation tells only which of it it has, and what is different.
 */
import type { INodeProperties } from 'n8n-workflow';
import { groupBy, maxBy, partition, pick, startCase, uniq, uniqBy } from 'lodash';

/** A field, or one inside another, in the parts in which it is told. */
interface Part {
	/** "limit", "options.timeout", "fieldFilters.rows.field" */
	path: string;
	type: string;
	/** " = 120" */
	preset: string;
	/** What goes in, and when. */
	note: string;
}

/** A field of one operation. */
interface Told {
	property: INodeProperties;
	/** The field itself. */
	part: Part;
	/** The fields inside it. */
	inner: Part[];
}

const AS_ABOVE = 'As above';

/**
 * No node has this version, so n8n neither shows nor reads such a property, but tells an AI of it. It is not 0, which n8n
 * takes where it knows no version.
 */
const NEVER = [-1];

const isCollection = ({ type }: INodeProperties) => type === 'collection' || type === 'fixedCollection';

/** The fields that several operations have, by their names. Of several versions of a field, the newest. */
function repeatedOf(properties: readonly INodeProperties[]): Told[][] {
	const all = properties.filter(({ type }) => type !== 'notice' && type !== 'hidden');
	const newest = uniqBy(all, ({ name, displayOptions }) => `${name} ${textOf(displayOptions?.show?.operation)}`);
	const told = newest.map((property) => ({ property, part: partOf(property), inner: innerOf(property) }));
	return Object.values(groupBy(told, ({ part }) => part.path)).filter(({ length }) => length > 1);
}

/** The fields inside a field, those of the newest version of the node. */
function innerOf({ name, options = [], typeOptions }: INodeProperties): Part[] {
	const parts = options.flatMap((option): Part[] => {
		if ('values' in option) {
			const names = option.values.map((each) => each.name).join(', ');
			const type = typeOptions?.multipleValues === true ? `Array<{ ${names} }>` : `{ ${names} }`;
			const own = { path: option.name, type, preset: '', note: '' };
			return [own, ...option.values.flatMap(partsOf).map(inside(option.name))];
		}
		return 'type' in option ? partsOf(option) : [];
	});
	return uniqBy(parts, 'path').map(inside(name));
}

const partsOf = (property: INodeProperties) => [partOf(property), ...innerOf(property)];

const inside =
	(name: string) =>
	(part: Part): Part => ({ ...part, path: `${name}.${part.path}` });

/** What decides where a field is, and not when it is shown. */
const PLACE = ['resource', 'operation', '@version'];

const conditionsOf = ({ displayOptions = {} }: INodeProperties) =>
	Object.entries(displayOptions.show ?? {}).filter(([field]) => !PLACE.includes(field));

function partOf(property: INodeProperties): Part {
	const { name, displayName, description, hint, builderHint, default: value } = property;
	const method = property.modes?.map(({ typeOptions }) => typeOptions?.searchListMethod).find(Boolean);
	const notes = [
		...(description ? [description] : startCase(name) === displayName ? [] : [displayName]),
		...(hint ? [hint] : []),
		...(builderHint?.propertyHint ? [builderHint.propertyHint] : []),
		...conditionsOf(property).map(
			([field, values = []]) => `only with ${field} ${values.map(conditionOf).join(' or ')}`,
		),
		...(method === undefined ? [] : [`@searchListMethod ${method}`]),
	];
	const isEmpty = ['', '{}', '[]', '{"mode":"list","value":""}'].includes(textOf(value));
	return {
		path: name,
		type: typeOf(property),
		preset: isEmpty ? '' : ` = ${textOf(value)}`,
		note: notes.map((each) => each.replace(/<[^>]*>|\.$/g, '')).join('; '),
	};
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const conditionOf = (value: unknown) => (typeof value === 'object' ? 'filled in' : textOf(value));

function typeOf({ type, options = [], modes = [], typeOptions }: INodeProperties): string {
	const values = options.flatMap((option) =>
		'value' in option ? [typeof option.value === 'string' ? `'${option.value}'` : String(option.value)] : [],
	);
	switch (type) {
		case 'boolean':
		case 'number':
			return type;
		case 'json':
			return 'JSON';
		case 'options':
			return values.join(' | ') || 'string';
		case 'multiOptions':
			return values.length > 0 && !typeOptions?.loadOptionsMethod ? `Array<${values.join(' | ')}>` : 'string[]';
		case 'resourceLocator':
			return `{ __rl: true, mode: ${modes.map(({ name }) => `'${name}'`).join(' | ')}, value }`;
		case 'collection':
		case 'fixedCollection':
			return 'object';
		default:
			return 'string';
	}
}

/** What operations with a field have in common, by its path; a type or a preset in which they differ is ''. */
function commonOf(all: readonly Told[]): Map<string, Part> {
	const byPath = groupBy(
		all.flatMap(({ part, inner }) => [part, ...inner]),
		({ path }) => path,
	);
	return new Map(
		Object.entries(byPath).map(([path, parts]): [string, Part] => [
			path,
			{
				path,
				type: onlyOf(parts.map(({ type }) => type)),
				preset: onlyOf(parts.map(({ preset }) => preset)),
				note: mostOf(parts.map(({ note }) => note)),
			},
		]),
	);
}

/** What all say; '' if they differ. */
function onlyOf(texts: string[]): string {
	const [only = '', ...others] = uniq(texts);
	return others.length > 0 ? '' : only;
}

/** What the most say; '' if some say nothing. */
const mostOf = (texts: string[]) =>
	texts.includes('') ? '' : (maxBy(uniq(texts), (text) => texts.filter((each) => each === text).length) ?? '');

const lineOf = ({ path, type, preset, note }: Part) =>
	`${path}${type === '' ? '' : `: ${type}`}${preset}${note === '' ? '' : ` // ${note}`}`;

/** What of a field is not told once. */
const ownOf = (part: Part, common: Part | undefined): Part => ({
	path: part.path,
	type: part.type === common?.type ? '' : part.type,
	preset: part.preset === common?.preset ? '' : part.preset,
	note: part.note === common?.note ? '' : part.note,
});

/**
 * What is told once for a node, a line each.
 * @param properties the fields of all its operations
 * @returns no lines if no operations have a field in common
 */
export function toldOnce(properties: readonly INodeProperties[]): string[] {
	const lines = repeatedOf(properties).flatMap((all) => {
		const [first] = all;
		return (
			[...commonOf(all).values()]
				// n8n tells the type of a field itself, for each operation.
				.map((part) => lineOf(part.path === first?.part.path ? { ...part, type: '' } : part))
				.filter((line) => /[: ]/.test(line))
		);
	});
	return lines.length === 0
		? []
		: [
				'Fields that operations have in common. "As above" and a name stand for its line here; each value may be an Expression:',
				...lines,
			];
}

/**
 * The fields of all operations with, before each that several operations have, the same in short: n8n tells an AI the first
 * property of a name.
 */
export function withShortForms(properties: readonly INodeProperties[]): INodeProperties[] {
	const short = new Map(
		repeatedOf(properties).flatMap((all) => {
			const common = commonOf(all);
			return all.map((told): [INodeProperties, INodeProperties] => [told.property, shortForm(told, common)]);
		}),
	);
	return properties.flatMap((property) => {
		const form = short.get(property);
		return form ? [form, property] : [property];
	});
}

/** Whether a node without it is refused; of a picker, its note says so. */
const isNeeded = (property: INodeProperties) =>
	property.required === true && property.type !== 'resourceLocator' && partOf(property).preset === '';

function shortForm({ property, part, inner }: Told, common: Map<string, Part>): INodeProperties {
	const { displayName, name, type, displayOptions, default: value } = property;
	const { preset, note } = ownOf(part, common.get(part.path));
	const own = inner.map((each) => ({ ...ownOf(each, common.get(each.path)), path: each.path.slice(name.length + 1) }));
	const [plain, different] = partition(own, (each) => lineOf(each) === each.path);
	// The fields of a group are in the line of the group.
	const names = plain.filter(({ path }) => !path.includes('.')).map(({ path }) => path);
	return {
		displayName,
		name,
		type,
		...(isNeeded(property) ? { required: true } : {}),
		...(isCollection(property) ? {} : pick(property, ['options', 'typeOptions', 'noDataExpression'])),
		...(property.modes ? { modes: property.modes.map(({ typeOptions: _typeOptions, ...mode }) => mode) } : {}),
		description: `${note === '' ? AS_ABOVE : note}${names.length > 0 ? `: ${names.join(', ')}` : ''}`,
		...(different.length > 0
			? { builderHint: { extraTypeDefContent: [{ content: different.map(lineOf).join('\n') }] } }
			: {}),
		displayOptions: {
			show: { ...pick(displayOptions?.show, ['resource', 'operation']), '@version': NEVER },
		},
		// Of several choices n8n takes only an empty list as none.
		default: preset !== '' ? value : type === 'multiOptions' && isNeeded(property) ? [] : '',
	};
}
