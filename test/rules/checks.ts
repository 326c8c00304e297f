/**
 * Rules of n8n for the texts and fields of a node that n8n's lint does not check, or checks only in literals. Each
 * check returns its findings as sentences. The rules that the lint does check (sorted lists, "Whether", final periods,
 * Limit and Return All, ...) are applied to the descriptions as they are at run time: see scan.ts.
 */
import type { IDisplayOptions, INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import { listFields, getFieldGroups, getOptions, type PlacedField } from './walk';

const LOWERCASE_WORDS = /^(a|an|and|as|at|but|by|for|from|in|into|nor|of|on|or|per|than|the|to|via|with)$/;
const PROPER_NAMES = new Set(['Excel', 'Google', 'Microsoft', 'Reseller', 'Teams', 'Workspace']);

const splitWords = (text: string): string[] => text.match(/[\p{L}\d][\p{L}\d'’-]*/gu) ?? [];
const isCapitalised = (word: string): boolean => !/^\p{Ll}/u.test(word);

export const isTitleCase = (text: string): boolean => {
	const words = splitWords(text);
	return words.every((word, index) =>
		LOWERCASE_WORDS.test(word) ? index > 0 && index < words.length - 1 : isCapitalised(word),
	);
};

/** Only the first word is capitalised, but for acronyms (API), mixed ones (OAuth) and proper names. */
export const isSentenceCase = (text: string): boolean => {
	const [first = '', ...rest] = splitWords(text);
	return isCapitalised(first) && rest.every((word) => !/^\p{Lu}\p{Ll}+$/u.test(word) || PROPER_NAMES.has(word));
};

/** Descriptions may be of several sentences and name parameters, so only a title in place of a sentence counts. */
const isTitled = (text: string): boolean => {
	const words = splitWords(text).filter((word) => !LOWERCASE_WORDS.test(word));
	return words.length > 2 && words.every(isCapitalised);
};

const isOneSentence = (text: string): boolean => !/[.!?]\s/.test(text);
const simplifyText = (text: string): string =>
	text
		.toLowerCase()
		.replace(/^(the|a|an) /, '')
		.replace(/[^\p{L}\d]+/gu, ' ')
		.trim();

const findOperationProperty = ({ properties }: INodeTypeDescription): INodeProperties | undefined =>
	properties.find(({ name }) => name === 'operation');

const findDuplicates = (values: string[]): string[] => [...new Set(values.filter((value, at) => values.indexOf(value) < at))];

export const isTrigger = ({ description }: INodeType): boolean => description.group.includes('trigger');

function checkLabels({ property, path }: PlacedField): string[] {
	// A notice's name is the text that it shows.
	if (property.type === 'hidden' || property.type === 'notice') return [];
	const names = [
		property.displayName,
		...getOptions(property).map(({ name }) => name),
		...getFieldGroups(property).map(({ displayName }) => displayName),
		...(property.modes ?? []).map(({ displayName }) => displayName),
	];
	return names.filter((name) => !isTitleCase(name)).map((name) => `${path}: '${name}' is not in Title Case`);
}

function checkSentences({ property, path }: PlacedField): string[] {
	const told = [
		{ name: property.displayName, text: property.description },
		{ name: property.displayName, text: property.hint },
		...getOptions(property).map(({ name, description }) => ({ name, text: description })),
		...(property.modes ?? []).map(({ displayName, hint }) => ({ name: displayName, text: hint })),
	];
	return told.flatMap(({ name, text }) => {
		if (text === undefined) return [];
		return [
			...(/^\p{Ll}/u.test(text) || isTitled(text) ? [`${path}: '${text}' is not a sentence`] : []),
			...(isOneSentence(text) && text.endsWith('.') ? [`${path}: '${text}' ends with a period`] : []),
			...(simplifyText(text) === simplifyText(name) ? [`${path}: '${text}' only repeats the name`] : []),
		];
	});
}

function checkPlaceholders({ property, path }: PlacedField): string[] {
	const isExample = !['collection', 'fixedCollection', 'resourceLocator'].includes(property.type);
	const examples = [
		...(isExample ? [property.placeholder] : []),
		...(property.modes ?? []).filter(({ type }) => type === 'string').map(({ placeholder }) => placeholder),
	];
	return examples
		.filter((text) => text !== undefined && text !== '' && !text.startsWith('e.g. '))
		.map((text) => `${path}: the placeholder '${text}' does not begin with 'e.g. '`);
}

function checkBoolean({ property, path }: PlacedField): string[] {
	if (property.type !== 'boolean' || property.description?.startsWith('Whether ')) return [];
	return [`${path}: a boolean's description must begin with 'Whether'`];
}

const locatorSchema = z.object({ mode: z.string(), value: z.string() });

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function checkDefault({ property, path }: PlacedField): string[] {
	const { type, default: value } = property;
	const choices = getOptions(property).map((option) => option.value);
	const isRight: Record<string, () => boolean> = {
		boolean: () => typeof value === 'boolean',
		collection: () => isRecord(value),
		dateTime: () => typeof value === 'string',
		fixedCollection: () => isRecord(value),
		json: () => typeof value === 'string',
		multiOptions: () => Array.isArray(value),
		number: () => typeof value === 'number',
		options: () => choices.length === 0 || choices.some((choice) => choice === value),
		resourceLocator: () => locatorSchema.safeParse(value).success && property.modes?.[0]?.name === locatorSchema.parse(value).mode,
		string: () => typeof value === 'string',
	};
	if (value === undefined) return [`${path}: has no default`];
	return (isRight[type] ?? (() => true))() ? [] : [`${path}: ${JSON.stringify(value)} is no default for ${type}`];
}

/** What a field can be, if that is known. */
function listPossibleValues(property: INodeProperties): unknown[] | undefined {
	if (property.type === 'boolean') return [true, false];
	if (property.type === 'hidden') return [property.default];
	const choices = getOptions(property).map(({ value }) => value);
	return ['options', 'multiOptions'].includes(property.type) && choices.length > 0 ? choices : undefined;
}

function checkDisplayOptions({ property, path, siblingProperties: siblings }: PlacedField, root: INodeProperties[]): string[] {
	const { show = {}, hide = {} }: IDisplayOptions = property.displayOptions ?? {};
	return [...Object.entries(show), ...Object.entries(hide)].flatMap(([key, wanted = []]) => {
		if (key.startsWith('@')) return [];
		const among = key.startsWith('/') ? root : siblings;
		// Of a path into a collection, n8n needs the first name.
		const named = among.filter(({ name }) => name === key.replace('/', '').split('.')[0]);
		if (named.length === 0) return [`${path}: depends on '${key}', which there is not`];
		const possible = named.map(listPossibleValues);
		if (possible.includes(undefined)) return [];
		return wanted
			.filter((value) => typeof value !== 'object' && !possible.flat().includes(value))
			.map((value) => `${path}: depends on '${key}' being ${JSON.stringify(value)}, which it cannot be`);
	});
}

function checkListMethods({ property, path }: PlacedField, node: INodeType): string[] {
	const { loadOptionsMethod, loadOptionsDependsOn = [] } = property.typeOptions ?? {};
	const names = new Set(listFields(node.description).map((field) => field.property.name));
	const lists = (property.modes ?? []).filter(({ type }) => type === 'list');
	return [
		...(loadOptionsMethod && !node.methods?.loadOptions?.[loadOptionsMethod]
			? [`${path}: the node has no loadOptions method '${loadOptionsMethod}'`]
			: []),
		...loadOptionsDependsOn
			.filter((name) => !names.has(name.replace('&', '').split('.')[0] ?? ''))
			.map((name) => `${path}: its list depends on '${name}', which there is not`),
		...lists.flatMap(({ typeOptions: { searchListMethod = '', searchable } = {} }) => [
			...(node.methods?.listSearch?.[searchListMethod]
				? []
				: [`${path}: the node has no list search '${searchListMethod}'`]),
			...(searchable ? [] : [`${path}: its list cannot be searched`]),
		]),
		...(property.type === 'resourceLocator' && lists.length === 0 ? [`${path}: has no list to choose from`] : []),
	];
}

/** Two fields of one name that show at the same time would overwrite each other. */
function checkDuplicates({ properties }: INodeTypeDescription): string[] {
	const places = properties.map(({ name, displayOptions }) => `${name} ${JSON.stringify(displayOptions?.show ?? {})}`);
	return findDuplicates(places).map((place) => `Two fields stand in one place: ${place}`);
}

/** So many letters of an operation's description fit into the editor's list. */
const MAX_DESCRIPTION_LENGTH = 110;

function checkOperations(node: INodeType): string[] {
	const { description } = node;
	const operation = findOperationProperty(description);
	if (isTrigger(node)) return [];
	if (!operation) return ['There is no operation'];
	const options = getOptions(operation);
	return [
		...options.flatMap(({ name, action, description: text }) => [
			...(action ? [] : [`The operation '${name}' has no action`]),
			...(text ? [] : [`The operation '${name}' has no description`]),
			...(text && text.length > MAX_DESCRIPTION_LENGTH
				? [`The description of '${name}' does not fit into the two lines that the editor shows of it`]
				: []),
			...(action && !isSentenceCase(action) ? [`The action '${action}' is not in sentence case`] : []),
			...(action && /\b(the|a|an)\b/i.test(action) ? [`The action '${action}' has an article`] : []),
		]),
		...findDuplicates(options.map(({ action = '' }) => action)).map((action) => `The action '${action}' occurs twice`),
		...findDuplicates(options.map(({ value }) => String(value))).map((value) => `The operation '${value}' occurs twice`),
	];
}

function checkResource(node: INodeType): string[] {
	if (isTrigger(node)) return [];
	const field = node.description.properties.find(({ name }) => name === 'resource');
	const [only, ...others] = field?.options ?? [];
	const isOne =
		field?.type === 'options' &&
		only !== undefined &&
		'value' in only &&
		only.value === field.default &&
		others.length === 0;
	if (!isOne || typeof field.default !== 'string' || field.default === '')
		return [
			"There is no visible parameter 'resource' with one entry: n8n's list of actions, tools and output schemas need it",
		];
	const shown = findOperationProperty(node.description)?.displayOptions?.show?.resource;
	return shown?.includes(field.default) ? [] : [`The operation is not shown for the resource '${field.default}'`];
}

function checkNodeTexts(node: INodeType): string[] {
	const { displayName, defaults: fallback, subtitle, usableAsTool, polling, description } = node.description;
	return [
		...(displayName.startsWith('Security Awareness ') && isTitleCase(displayName)
			? []
			: [`'${displayName}' is not 'Security Awareness ...' in Title Case`]),
		...(fallback.name === displayName ? [] : ['Its default name is not its display name']),
		...(isTitled(description) || description.endsWith('.')
			? [`'${description}' is not a sentence without a period`]
			: []),
		...(subtitle ? [] : ['It has no subtitle']),
		...(isTrigger(node) && !polling ? ['It is a trigger that does not poll'] : []),
		...(isTrigger(node) === Boolean(usableAsTool) ? ['usableAsTool belongs on actions, and only there'] : []),
	];
}

export function findNodeFaults(node: INodeType): string[] {
	const { description } = node;
	return [
		...checkNodeTexts(node),
		...checkResource(node),
		...checkOperations(node),
		...checkDuplicates(description),
		...listFields(description).flatMap((field) => [
			...checkLabels(field),
			...checkSentences(field),
			...checkPlaceholders(field),
			...checkBoolean(field),
			...checkDefault(field),
			...checkDisplayOptions(field, description.properties),
			...checkListMethods(field, node),
		]),
	];
}

/** n8n's loader writes into descriptions: nothing in one may be part of another. */
export function findSharedObjects(roots: Record<string, object>): string[] {
	const owners = new Map<object, string>();
	const walk = (value: unknown, owner: string, path: string): string[] => {
		if (typeof value !== 'object' || value === null) return [];
		const other = owners.get(value);
		if (other) return other === owner ? [] : [`${path} of ${owner} is also part of ${other}`];
		owners.set(value, owner);
		return Object.entries(value).flatMap(([key, member]) => walk(member, owner, `${path}.${key}`));
	};
	return Object.entries(roots).flatMap(([owner, root]) => walk(root, owner, 'description'));
}
