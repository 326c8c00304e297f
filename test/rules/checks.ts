/**
 * Checks the texts and fields of a node by the rules of n8n that n8n's lint doesn't check, or checks only in literals. Each check returns
 * its findings as sentences. findScanFaults.ts runs n8n's lint itself on the descriptions that exist at run time.
 */
import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { z } from 'zod';
import { getFieldGroups, getOptions, listFields, listOperationOptions, type PlacedField } from './nodeFields';

/** Matches the words that are in lower case inside a title. */
const LOWERCASE_WORD_PATTERN = /^(a|an|and|as|at|but|by|for|from|in|into|nor|of|on|or|per|than|the|to|via|with)$/;

/** The words that are capitalized inside a sentence. */
const PROPER_NAMES = new Set(['Excel', 'Google', 'Microsoft', 'Reseller', 'Teams', 'Workspace']);

/** The number of characters that fit into the two lines of an operation's description in the editor. */
const MAX_DESCRIPTION_LENGTH = 110;
/** The maximum numbers of words in an operation's name and action, so that the form and the canvas show them completely. */
const MAX_NAME_WORDS = 4;
const MAX_ACTION_WORDS = 6;
/** The maximum number of operations of one resource. */
const MAX_OPERATIONS = 11;

const splitWords = (text: string): string[] => text.match(/[\p{L}\d][\p{L}\d'’-]*/gu) ?? [];
const isCapitalized = (word: string): boolean => !/^\p{Ll}/u.test(word);

/** Returns true for Title Case: every word is capitalized, except short words inside the title. */
export const isTitleCase = (text: string): boolean => {
	const words = splitWords(text);
	return words.every((word, index) => {
		const isInside = index > 0 && index < words.length - 1;
		return LOWERCASE_WORD_PATTERN.test(word) ? isInside : isCapitalized(word);
	});
};

/** Returns true for sentence case: only the first word, acronyms (API), mixed words (OAuth) and proper names have capital letters. */
export const isSentenceCase = (text: string): boolean => {
	const [firstWord = '', ...otherWords] = splitWords(text);
	return (
		isCapitalized(firstWord) && otherWords.every((word) => !/^\p{Lu}\p{Ll}+$/u.test(word) || PROPER_NAMES.has(word))
	);
};

/**
 * Returns true if all words of a description are capitalized, so that it is a title instead of a sentence. Single capitalized words are
 * allowed, because a description may have several sentences and mention fields.
 */
const isFullyCapitalized = (text: string): boolean => {
	const words = splitWords(text).filter((word) => !LOWERCASE_WORD_PATTERN.test(word));
	return words.length > 2 && words.every(isCapitalized);
};

const isOneSentence = (text: string): boolean => !/[.!?]\s/.test(text);

/** Reduces a text to its words in lower case, without a leading article. */
const simplifyText = (text: string): string =>
	text
		.toLowerCase()
		.replace(/^(the|a|an) /, '')
		.replace(/[^\p{L}\d]+/gu, ' ')
		.trim();

const findDuplicates = (values: string[]): string[] => [
	...new Set(values.filter((value, index) => values.indexOf(value) < index)),
];

export const isTrigger = ({ description }: INodeType): boolean => description.group.includes('trigger');

function checkLabels({ property, path }: PlacedField): string[] {
	// The displayName of a notice is the text that it shows, not a label.
	if (property.type === 'hidden' || property.type === 'notice') return [];
	const labels = [
		property.displayName,
		...getOptions(property).map(({ name }) => name),
		...getFieldGroups(property).map(({ displayName }) => displayName),
		...(property.modes ?? []).map(({ displayName }) => displayName),
	];
	return labels.filter((label) => !isTitleCase(label)).map((label) => `${path}: '${label}' is not in Title Case`);
}

/** Checks a description or hint. @param label the name of the field or option that the text belongs to */
function checkSentence(text: string, label: string, path: string): string[] {
	const findings: string[] = [];
	if (/^\p{Ll}/u.test(text) || isFullyCapitalized(text)) findings.push(`${path}: '${text}' is not a sentence`);
	if (isOneSentence(text) && text.endsWith('.')) findings.push(`${path}: '${text}' ends with a period`);
	if (simplifyText(text) === simplifyText(label)) findings.push(`${path}: '${text}' only repeats the name`);
	return findings;
}

function checkSentences({ property, path }: PlacedField): string[] {
	const sentences = [
		{ label: property.displayName, text: property.description },
		{ label: property.displayName, text: property.hint },
		...getOptions(property).map(({ name, description }) => ({ label: name, text: description })),
		...(property.modes ?? []).map(({ displayName, hint }) => ({ label: displayName, text: hint })),
	];
	return sentences.flatMap(({ label, text }) => (text === undefined ? [] : checkSentence(text, label, path)));
}

function checkPlaceholders({ property, path }: PlacedField): string[] {
	const textModes = (property.modes ?? []).filter(({ type }) => type === 'string');
	const placeholders = textModes.map(({ placeholder }) => placeholder);
	// The placeholder of these types is the text of a button.
	const hasButton = ['collection', 'fixedCollection', 'resourceLocator'].includes(property.type);
	if (!hasButton) placeholders.unshift(property.placeholder);
	return placeholders
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
	const optionValues = getOptions(property).map((option) => option.value);
	const validators: Record<string, () => boolean> = {
		boolean: () => typeof value === 'boolean',
		collection: () => isRecord(value),
		dateTime: () => typeof value === 'string',
		fixedCollection: () => isRecord(value),
		json: () => typeof value === 'string',
		multiOptions: () => Array.isArray(value),
		number: () => typeof value === 'number',
		options: () => optionValues.length === 0 || optionValues.some((optionValue) => optionValue === value),
		resourceLocator: () =>
			locatorSchema.safeParse(value).success && property.modes?.[0]?.name === locatorSchema.parse(value).mode,
		string: () => typeof value === 'string',
	};
	if (value === undefined) return [`${path}: has no default`];
	const isValid = validators[type] ?? (() => true);
	return isValid() ? [] : [`${path}: ${JSON.stringify(value)} is no default for ${type}`];
}

/** Lists the values that a field can have. @returns undefined if it can have any value */
function listPossibleValues(property: INodeProperties): unknown[] | undefined {
	if (property.type === 'boolean') return [true, false];
	if (property.type === 'hidden') return [property.default];
	const optionValues = getOptions(property).map(({ value }) => value);
	return ['options', 'multiOptions'].includes(property.type) && optionValues.length > 0 ? optionValues : undefined;
}

/** Checks that the displayOptions of a field refer to existing fields and possible values. */
function checkDisplayOptions(field: PlacedField, rootProperties: INodeProperties[]): string[] {
	const { property, path, siblingProperties } = field;
	const { show = {}, hide = {} }: IDisplayOptions = property.displayOptions ?? {};
	return [...Object.entries(show), ...Object.entries(hide)].flatMap(([key, conditions = []]) => {
		if (key.startsWith('@')) return [];
		const candidates = key.startsWith('/') ? rootProperties : siblingProperties;
		// For a path into a collection, such as 'options.colour', only the name of the collection is checked, as n8n does.
		const fieldName = key.replace('/', '').split('.')[0];
		const namedFields = candidates.filter(({ name }) => name === fieldName);
		if (namedFields.length === 0) return [`${path}: depends on '${key}', which does not exist`];
		const possibleValues = namedFields.map(listPossibleValues);
		if (possibleValues.includes(undefined)) return [];
		return conditions
			.filter((value) => typeof value !== 'object' && !possibleValues.flat().includes(value))
			.map((value) => `${path}: depends on '${key}' being ${JSON.stringify(value)}, which it cannot be`);
	});
}

/** Checks that the node has the methods that load the lists of a field, and that the lists can be searched. */
function checkListMethods({ property, path }: PlacedField, node: INodeType): string[] {
	const { loadOptionsMethod, loadOptionsDependsOn = [] } = property.typeOptions ?? {};
	const fieldNames = new Set(listFields(node.description).map((field) => field.property.name));
	const listModes = (property.modes ?? []).filter(({ type }) => type === 'list');
	const findings: string[] = [];
	if (loadOptionsMethod && !node.methods?.loadOptions?.[loadOptionsMethod])
		findings.push(`${path}: the node has no loadOptions method '${loadOptionsMethod}'`);
	for (const name of loadOptionsDependsOn)
		if (!fieldNames.has(name.replace('&', '').split('.')[0] ?? ''))
			findings.push(`${path}: its list depends on '${name}', which does not exist`);
	for (const { typeOptions: { searchListMethod = '', searchable } = {} } of listModes) {
		if (!node.methods?.listSearch?.[searchListMethod])
			findings.push(`${path}: the node has no list search '${searchListMethod}'`);
		if (!searchable) findings.push(`${path}: its list cannot be searched`);
	}
	if (property.type === 'resourceLocator' && listModes.length === 0)
		findings.push(`${path}: has no list to choose from`);
	return findings;
}

/** Checks that no two fields with the same name are shown at the same time, because one would overwrite the other. */
function checkDuplicateFields({ properties }: INodeTypeDescription): string[] {
	const places = properties.map(({ name, displayOptions }) => `${name} ${JSON.stringify(displayOptions?.show ?? {})}`);
	return findDuplicates(places).map((place) => `Two fields have the same place: ${place}`);
}

const countWords = (text: string) => text.split(' ').length;

/** Checks the names, actions and descriptions of the operations. */
function checkOperations(node: INodeType): string[] {
	if (isTrigger(node)) return [];
	const options = listOperationOptions(node.description);
	if (options.length === 0) return ['There is no operation'];
	const findings = options.flatMap(({ name, action, description }) => {
		const optionFindings: string[] = [];
		if (!action) optionFindings.push(`The operation '${name}' has no action`);
		if (!description) optionFindings.push(`The operation '${name}' has no description`);
		if (description && description.length > MAX_DESCRIPTION_LENGTH)
			optionFindings.push(`The description of '${name}' does not fit into the two lines that the editor shows of it`);
		if (action && !isSentenceCase(action)) optionFindings.push(`The action '${action}' is not in sentence case`);
		if (countWords(name) > MAX_NAME_WORDS)
			optionFindings.push(`The name '${name}' has more than ${MAX_NAME_WORDS} words`);
		if (action && countWords(action) > MAX_ACTION_WORDS)
			optionFindings.push(`The action '${action}' has more than ${MAX_ACTION_WORDS} words`);
		if (action && /\b(the|a|an)\b/i.test(action)) optionFindings.push(`The action '${action}' has an article`);
		return optionFindings;
	});
	const duplicateActions = findDuplicates(options.map(({ action = '' }) => action));
	const duplicateValues = findDuplicates(options.map(({ resource, value }) => `${resource}.${String(value)}`));
	return [
		...findings,
		...duplicateActions.map((action) => `The action '${action}' occurs twice`),
		...duplicateValues.map((value) => `The operation '${value}' occurs twice`),
	];
}

/** Finds the selected option of a choice field with a default value. */
const findDefaultOption = (property: INodeProperties | undefined): INodePropertyOptions | undefined =>
	property && getOptions(property).find(({ value }) => value === property.default);

/**
 * Checks the field 'resource': it is visible and opens on one of its entries, and each entry has exactly one field 'operation', which
 * opens on one of its operations (n8n 13).
 */
function checkResources(node: INodeType): string[] {
	if (isTrigger(node)) return [];
	const { properties } = node.description;
	const resourceProperty = properties.find(({ name }) => name === 'resource');
	if (resourceProperty?.type !== 'options' || !findDefaultOption(resourceProperty))
		return [
			"There is no visible parameter 'resource' with a default entry: n8n's list of actions, tools and output schemas need it",
		];
	return getOptions(resourceProperty).flatMap((resource) => {
		const operationProperties = properties.filter(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.some((value) => value === resource.value),
		);
		const [operationProperty] = operationProperties;
		if (operationProperties.length !== 1)
			return [`The resource '${resource.name}' has not exactly one operation field`];
		const names = operationProperty ? getOptions(operationProperty).map(({ name }) => name) : [];
		const findings: string[] = [];
		if (!findDefaultOption(operationProperty)) findings.push(`The resource '${resource.name}' opens on no operation`);
		if (names.length > MAX_OPERATIONS)
			findings.push(`The resource '${resource.name}' has ${names.length} operations, more than ${MAX_OPERATIONS}`);
		if (names.join() !== [...names].sort(new Intl.Collator('en').compare).join())
			findings.push(`The operations of '${resource.name}' are not in alphabetical order`);
		const repeatingNames = names.filter((name) => name.toLowerCase().includes(resource.name.toLowerCase()));
		return [
			...findings,
			...repeatingNames.map((name) => `The operation '${name}' repeats its resource '${resource.name}'`),
		];
	});
}

/** Checks the texts and settings of the node itself. */
function checkNodeTexts(node: INodeType): string[] {
	const { displayName, defaults, subtitle, usableAsTool, polling, description } = node.description;
	const findings: string[] = [];
	if (!displayName.startsWith('Security Awareness ') || !isTitleCase(displayName))
		findings.push(`'${displayName}' is not 'Security Awareness ...' in Title Case`);
	if (defaults.name !== displayName) findings.push('Its default name is not its display name');
	if (isFullyCapitalized(description) || description.endsWith('.'))
		findings.push(`'${description}' is not a sentence without a period`);
	if (!subtitle) findings.push('It has no subtitle');
	if (isTrigger(node) && !polling) findings.push('It is a trigger that does not poll');
	if (isTrigger(node) === Boolean(usableAsTool)) findings.push('usableAsTool belongs on actions, and only there');
	return findings;
}

/** Checks a node and all of its fields. @returns the findings as sentences */
export function findNodeFaults(node: INodeType): string[] {
	const { description } = node;
	const fieldFindings = listFields(description).flatMap((field) => [
		...checkLabels(field),
		...checkSentences(field),
		...checkPlaceholders(field),
		...checkBoolean(field),
		...checkDefault(field),
		...checkDisplayOptions(field, description.properties),
		...checkListMethods(field, node),
	]);
	return [
		...checkNodeTexts(node),
		...checkResources(node),
		...checkOperations(node),
		...checkDuplicateFields(description),
		...fieldFindings,
	];
}

/**
 * Finds objects that are part of several descriptions. Descriptions must not share objects, because n8n's loader changes them.
 * @param roots the descriptions, by the names that the findings use for them
 */
export function findSharedObjects(roots: Record<string, object>): string[] {
	const ownerByObject = new Map<object, string>();
	const findSharedMembers = (value: unknown, owner: string, path: string): string[] => {
		if (typeof value !== 'object' || value === null) return [];
		const previousOwner = ownerByObject.get(value);
		if (previousOwner === owner) return [];
		if (previousOwner) return [`${path} of ${owner} is also part of ${previousOwner}`];
		ownerByObject.set(value, owner);
		return Object.entries(value).flatMap(([key, member]) => findSharedMembers(member, owner, `${path}.${key}`));
	};
	return Object.entries(roots).flatMap(([owner, root]) => findSharedMembers(root, owner, 'description'));
}
