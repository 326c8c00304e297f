import { isNil, mapValues } from 'lodash';
import type {
	IDataObject,
	IDisplayOptions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { FileUpload } from '../http/request';
import type { HttpClient } from '../http/client';
import { isRecord, type Choice } from '../values';

/** The context of an input item. A field may need it to parse its value. */
export interface ItemContext {
	/** The IANA name of the time zone for dates without an offset. */
	timezone: string;
	/** True if the operation changes data. Texts such as 'undefined' are then rejected. */
	isWrite?: boolean;
	/**
	 * Reads a file.
	 * @param file the name of the item's binary field, or the file object from an expression
	 * @throws InvalidInputError if there is no such file
	 */
	readUpload(file: string | Record<string, unknown>): Promise<FileUpload>;
}

/** Reads all companies that the credential manages, including child companies. @throws RequestError */
export type ReadCompanies = () => Promise<IDataObject[]>;

/** The context in which a list of choices is read: a form that is open in the editor, or a running operation. */
export interface PickerContext {
	/** The values of the form as n8n provides them. */
	parameters: Readonly<Record<string, unknown>>;
	/** Returns the client that sends the requests for the list. */
	getClient: () => Promise<HttpClient>;
	/**
	 * Returns the company that the list belongs to, or undefined for the credential's own company.
	 * @throws InvalidInputError if no company is selected yet
	 */
	getCompany: () => Promise<Choice | undefined>;
	/** Aborted when the list is no longer needed. */
	signal?: AbortSignal;
	/** Returns true if a field of the form is an expression, so that its value may differ from item to item. */
	isExpression?: (fieldName: string) => boolean;
	/** True if the operation changes data. */
	isWrite?: boolean;
}

/** A function that n8n calls to read one page of a resource locator's list. */
export type ListSearchMethod = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** A function that n8n calls to read a multi-select list. */
export type LoadOptionsMethod = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** The functions that n8n calls to fill lists. The keys are the method names in the fields' properties. */
export interface ListMethods {
	listSearch?: Record<string, ListSearchMethod>;
	loadOptions?: Record<string, LoadOptionsMethod>;
}

/** The values that other fields must have for a field to be shown. */
type DisplayConditions = NonNullable<IDisplayOptions['show']>;

/** One input of an operation: how n8n shows it, and how its value is parsed. The key of a field in a FieldMap is its name. */
export interface Field<T> {
	property: Omit<INodeProperties, 'name'>;
	/** Properties that replace `property`. n8n shows the one whose display conditions are met. */
	variants?: Array<Omit<INodeProperties, 'name'>>;
	/**
	 * Checks and converts the raw value from n8n.
	 * @param raw undefined if the field has no value
	 * @throws InvalidInputError
	 */
	parse: (raw: unknown, item: ItemContext) => T | Promise<T>;
	/**
	 * Completes the parsed value from the list of companies, for example by finding the company with a name. It is called after
	 * the whole form is validated, and before the operation's own request.
	 * @throws InvalidInputError, RequestError
	 */
	resolveCompanies?: (value: unknown, readCompanies: ReadCompanies) => Promise<unknown>;
	/**
	 * Replaces names, and entries that were selected from another company's list, with IDs of the company that the operation runs for.
	 * @param raw the raw value from n8n
	 * @returns the value for `parse`, or `raw` itself if nothing changes
	 * @throws InvalidInputError, RequestError
	 */
	resolveNames?: (raw: unknown, context: PickerContext) => Promise<unknown>;
	/** The fields inside a collection, a group or a row. */
	innerFields?: FieldMap;
	/** Returns the raw values of the inner fields, one object for each row or group. If it is not set, `raw` itself is that object. */
	getRawParts?: (raw: unknown) => Array<Record<string, unknown>>;
	/**
	 * The field with the search text that shortens this field's list. It is placed below this field, or among the options if
	 * `isOption` is true. Its value is not sent.
	 */
	listSearchField?: { name: string; isOption: boolean; field: Field<string> };
	listMethods?: ListMethods;
	/** The values that other fields must have for this field to be shown. Set it with `showWhen`. */
	show?: DisplayConditions;
	/** True if an expression that returns nothing is an error, because the operation would affect more records without the field. */
	rejectsEmptyExpression?: boolean;
	/** The values that an AI agent may not select, because selecting them removes stored data. */
	valuesForbiddenToAgents?: readonly unknown[];
	/** Set if an update replaces a stored list with the value of this field. An AI agent may not do that. */
	listReplacement?: ListReplacement;
}

/** How a field replaces a stored list. */
export interface ListReplacement {
	/** The name of the list in the request. */
	requestKey: string;
	/** A sentence that tells an AI agent what to do instead of filling in the field. */
	agentAdvice?: string;
}

/** Fields by their names, which are saved in workflows. */
export type FieldMap = Record<string, Field<unknown>>;

/** The parsed values of the fields in a FieldMap. */
export type FieldValues<F extends FieldMap> = {
	[K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/** The texts of a field in the form, and whether the field is required. */
export interface FieldSettings {
	displayName: string;
	description?: string;
	hint?: string;
	placeholder?: string;
	required?: boolean;
}

/** Picks the settings that an n8n property has, in the order of n8n's properties. */
export function toPropertySettings(settings: FieldSettings): FieldSettings {
	const { displayName, description, hint, placeholder, required } = settings;
	return { displayName, required: required || undefined, placeholder, description, hint };
}

/** Returns a copy of a field that is shown only if other fields have certain values. While the field is hidden, it has no value. */
export function showWhen<T>(show: DisplayConditions, field: Field<T>): Field<T | undefined> {
	return { ...field, property: { ...field.property, displayOptions: { show } }, show };
}

/**
 * Builds a display condition that is met by any value except `value`. n8n compares `value` with the value in the form, which is text if
 * the field is a picker.
 */
export const matchAnyExcept = (value: string) => ({ _cnd: { not: value } });

/** Returns true if a value equals the expected one, or meets a condition that `matchAnyExcept` built. */
function isConditionMet(value: unknown, expected: unknown): boolean {
	if (isRecord(expected) && isRecord(expected._cnd)) return String(value) !== expected._cnd.not;
	return value === expected;
}

/**
 * Returns true if the values of the other fields let a field be shown. If another field is an expression, n8n always shows the field and
 * keeps its value. This function decides by the value of that expression, which is known when the operation runs.
 * @param values the parsed values of the other fields
 */
export const isFieldShown = ({ show = {} }: Field<unknown>, values: Record<string, unknown>) =>
	Object.entries(show).every(
		([name, expectedValues = []]) =>
			!(name in values) || expectedValues.some((expected) => isConditionMet(values[name], expected)),
	);

/**
 * Returns a copy of a field in which an expression that returns nothing is an error. Use it for a field without which the operation
 * would affect more records.
 */
export const rejectEmptyExpression = <T>(field: Field<T>): Field<T> => ({ ...field, rejectsEmptyExpression: true });

/**
 * Marks a field whose list replaces the stored list in an update. An expression that returns nothing is an error in such a field.
 * @param requestKey the name of the list in the request
 * @param agentAdvice a sentence that tells an AI agent what to do instead
 */
export const markAsListReplacement = <T>(field: Field<T>, requestKey: string, agentAdvice?: string): Field<T> => ({
	...rejectEmptyExpression(field),
	listReplacement: { requestKey, agentAdvice },
});

/** Applies `rejectEmptyExpression` to every field. */
export const rejectEmptyExpressions = <F extends FieldMap>(fields: F): F =>
	// The result has the same keys and types, which TypeScript cannot infer.
	mapValues(fields, rejectEmptyExpression) as F;

/** The types of properties in which an empty text counts as no value. In other properties a text may be empty on purpose. */
const NON_TEXT_TYPES = ['boolean', 'number', 'options', 'resourceLocator'];

/**
 * Returns true if a raw value counts as no value. An expression that returns nothing gives null or undefined (n8n 16). Both count as
 * no value, also inside a resource locator. A list counts as no value if all its entries are null or undefined. If the field rejects
 * empty expressions, one such entry is enough. An empty text counts as no value if the field isn't for text.
 */
export function hasNoValue(field: Field<unknown>, raw: unknown): boolean {
	const { type } = field.property;
	const value = type === 'resourceLocator' && isRecord(raw) ? raw.value : raw;
	if (Array.isArray(value)) {
		return field.rejectsEmptyExpression ? value.some(isNil) : value.length > 0 && value.every(isNil);
	}
	return isNil(value) || (typeof value === 'string' && value.trim() === '' && NON_TEXT_TYPES.includes(type));
}

/** Builds the n8n properties of fields. */
export const buildFieldProperties = (fields: FieldMap): INodeProperties[] =>
	Object.entries(fields).flatMap(([name, { property, variants = [property] }]) =>
		variants.map((variant) => ({ ...variant, name })),
	);

/** Collects the list methods of forms, including those of inner fields. */
export function collectListMethods(...forms: FieldMap[]): Required<ListMethods> {
	const collected: Required<ListMethods> = { listSearch: {}, loadOptions: {} };
	for (const { listMethods = {}, innerFields = {} } of forms.flatMap((fields) => Object.values(fields))) {
		for (const { listSearch, loadOptions } of [listMethods, collectListMethods(innerFields)]) {
			Object.assign(collected.listSearch, listSearch);
			Object.assign(collected.loadOptions, loadOptions);
		}
	}
	return collected;
}

/**
 * Returns the labels that lead to a field, from the outermost one: ["Additional Fields", "Address"].
 * @param path the names that lead to the field
 */
export function getFieldLabels(fields: FieldMap, path: string[]): string[] {
	const [name, ...innerPath] = path;
	if (name === undefined) return [];
	const field = fields[name];
	return [field?.property.displayName ?? name, ...getFieldLabels(field?.innerFields ?? {}, innerPath)];
}
