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

/** The facts about an input item that a field may need to parse its value. */
export interface ItemContext {
	/** The IANA name of the time zone in which dates without an offset are read. */
	timezone: string;
	/** True if the operation changes data. Fields then reject texts such as 'undefined'. */
	isWrite?: boolean;
	/**
	 * Reads a file.
	 * @param file the name of the item's binary field, or a file object that an expression returned
	 * @throws InvalidInputError if there is no such file
	 */
	readUpload(file: string | Record<string, unknown>): Promise<FileUpload>;
}

/** Reads all companies that the credential manages, including child companies. @throws RequestError */
export type ReadCompanies = () => Promise<IDataObject[]>;

/** The functions and values that are needed to read a picker's list, for a form that is open in the editor or for a running operation. */
export interface PickerContext {
	/** The raw values of the form's fields, by field name. */
	parameters: Readonly<Record<string, unknown>>;
	/** Returns the client that sends the requests for the list. */
	getClient: () => Promise<HttpClient>;
	/**
	 * Returns the company that the list belongs to, or undefined for the credential's own company.
	 * @throws InvalidInputError if no company is selected yet
	 */
	getCompany: () => Promise<Choice | undefined>;
	/** Aborts the requests for the list when it is no longer needed. */
	signal?: AbortSignal;
	/** Returns true if a field of the form has an expression. Its value may then differ from item to item. */
	hasExpression?: (fieldName: string) => boolean;
	/** True if the operation changes data. */
	isWrite?: boolean;
}

/** A function that n8n calls to read one page of a resource locator's list. */
export type ListSearchMethod = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** A function that n8n calls to read all entries of a multi-select list. */
export type LoadOptionsMethod = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** The functions that n8n calls to fill lists. The keys are the method names to which the fields' n8n properties refer. */
export interface ListMethods {
	listSearch?: Record<string, ListSearchMethod>;
	loadOptions?: Record<string, LoadOptionsMethod>;
}

/** The values that other fields must have for a field to be shown. */
type DisplayConditions = NonNullable<IDisplayOptions['show']>;

/** One form field of an operation: how n8n shows it, and how its value is parsed. The field's name is its key in a FieldMap. */
export interface Field<T> {
	property: Omit<INodeProperties, 'name'>;
	/** The n8n properties to use instead of `property`. They have different display conditions, so n8n shows only one of them at a time. */
	variants?: Array<Omit<INodeProperties, 'name'>>;
	/**
	 * Checks and converts the raw value from n8n.
	 * @param raw undefined if the field has no value
	 * @throws InvalidInputError
	 */
	parse: (raw: unknown, item: ItemContext) => T | Promise<T>;
	/**
	 * Completes the parsed value with data from the list of companies. For example, it finds the ID of a company by its name. It is called
	 * after the whole form has been validated, and before the operation's own request.
	 * @throws InvalidInputError, RequestError
	 */
	resolveCompanies?: (value: unknown, readCompanies: ReadCompanies) => Promise<unknown>;
	/**
	 * Replaces record names with record IDs of the company that the operation runs for. Entries that were selected from another company's
	 * list are replaced as well.
	 * @param raw the raw value from n8n
	 * @returns the value for `parse`, or `raw` itself if nothing changes
	 * @throws InvalidInputError, RequestError
	 */
	resolveNames?: (raw: unknown, context: PickerContext) => Promise<unknown>;
	/** The fields inside this field, if it is a collection, a group of fields or a list of rows. */
	innerFields?: FieldMap;
	/** How the raw value contains the inner fields' raw values. Not set for a collection, whose raw value is already one such object. */
	innerGroups?: InnerGroups;
	/**
	 * The field in which the user enters a search text to shorten this field's list. It is placed directly above this field, or in the collection
	 * 'Options' if `isInOptions` is true. The search text is not sent with the operation's own request.
	 */
	listSearchField?: { name: string; isInOptions: boolean; field: Field<string> };
	listMethods?: ListMethods;
	/** The values that other fields must have for this field to be shown. Set it with `showWhen`. */
	displayConditions?: DisplayConditions;
	/**
	 * Creates the error for a value that isn't used, because the display conditions aren't met. The form shows the field all the same if the
	 * other field has an expression or a name (n8n 4). By default, such a value is ignored.
	 */
	createErrorIfUnused?: () => Error;
	/** True if an expression that returns nothing must cause an error, because the operation would affect more records without the value. */
	shouldRejectEmptyExpression?: boolean;
	/** The values that an AI agent may not select, because they make the operation remove stored data. */
	valuesForbiddenToAgents?: readonly unknown[];
	/** Set if an update replaces a stored list with the value of this field. An AI agent may not fill in such a field. */
	listReplacement?: ListReplacement;
}

/** Converts between the raw value of a field with rows or a group, and the raw values of its inner fields. */
interface InnerGroups {
	/** Returns the raw values of the inner fields, one object for each row or group. */
	read: (raw: unknown) => Array<Record<string, unknown>>;
	/** Builds the raw value of the whole field from what `read` returns. */
	build: (groups: unknown[]) => unknown;
}

/** The stored list that a field replaces. */
export interface ListReplacement {
	/** The key of the list in the request body. */
	requestKey: string;
	/** A sentence that tells an AI agent what to do instead of filling in the field. */
	agentAdvice?: string;
}

/** Form fields by name. The names are saved in workflows. */
export type FieldMap = Record<string, Field<unknown>>;

/** The parsed values of the fields in a FieldMap, by field name. */
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

/** Converts the settings to the corresponding keys of an n8n property, in n8n's usual order. */
export function toPropertySettings(settings: FieldSettings): FieldSettings {
	const { displayName, description, hint, placeholder, required } = settings;
	return { displayName, required: required || undefined, placeholder, description, hint };
}

/** Returns a copy of a field that is shown only if other fields have certain values. While the field is hidden, it has no value. */
export function showWhen<T>(displayConditions: DisplayConditions, field: Field<T>): Field<T | undefined> {
	return { ...field, property: { ...field.property, displayOptions: { show: displayConditions } }, displayConditions };
}

/**
 * Creates a display condition that is met by every value except `value`. n8n compares `value` with the value in the form. The form has the
 * value of a picker as text, even if the value is a number.
 */
export const createNotEqualCondition = (value: string) => ({ _cnd: { not: value } });

/** Returns true if a value equals the expected value, or meets a condition from `createNotEqualCondition`. */
function isConditionMet(value: unknown, expectedValue: unknown): boolean {
	if (isRecord(expectedValue) && isRecord(expectedValue._cnd)) return String(value) !== expectedValue._cnd.not;
	return value === expectedValue;
}

/**
 * Returns true if the values of the other fields meet the field's display conditions. If one of these other fields has an expression, n8n
 * can't evaluate the condition: it shows the field and keeps its value. When the operation runs, the expression's result is known, and
 * this function uses it.
 * @param values the parsed values of the other fields
 */
export const isFieldShown = ({ displayConditions = {} }: Field<unknown>, values: Record<string, unknown>) =>
	Object.entries(displayConditions).every(
		([name, expectedValues = []]) =>
			!(name in values) || expectedValues.some((expectedValue) => isConditionMet(values[name], expectedValue)),
	);

/**
 * Returns a copy of a field that rejects an expression that returns nothing. Use it for a field that restricts the operation to fewer
 * records.
 */
export const rejectEmptyExpression = <T>(field: Field<T>): Field<T> => ({
	...field,
	shouldRejectEmptyExpression: true,
});

/**
 * Returns a copy of a field that is marked as replacing a stored list in an update. The copy rejects an expression that returns nothing.
 * @param requestKey the key of the list in the request body
 * @param agentAdvice a sentence that tells an AI agent what to do instead of filling in the field
 */
export const markAsListReplacement = <T>(field: Field<T>, requestKey: string, agentAdvice?: string): Field<T> => ({
	...rejectEmptyExpression(field),
	listReplacement: { requestKey, agentAdvice },
});

/** Returns a copy of the fields in which `rejectEmptyExpression` was applied to every field. */
export const rejectEmptyExpressions = <F extends FieldMap>(fields: F): F =>
	// The result has the same keys and types, which TypeScript cannot infer.
	mapValues(fields, rejectEmptyExpression) as F;

/**
 * The n8n property types for which an empty text counts as no value. In fields of other types, the user may leave a text empty on purpose.
 */
const NON_TEXT_TYPES = ['boolean', 'multiOptions', 'number', 'options', 'resourceLocator'];

/**
 * Returns true if a raw value counts as no value:
 * - null or undefined, also inside a resource locator: an expression that returns nothing gives one of them (n8n 16);
 * - a list with entries that are all null or undefined; if the field rejects empty expressions, one such entry is enough;
 * - an empty text in a field that isn't for text.
 */
export function hasNoValue(field: Field<unknown>, raw: unknown): boolean {
	const { type } = field.property;
	const value = type === 'resourceLocator' && isRecord(raw) ? raw.value : raw;
	if (Array.isArray(value)) {
		return field.shouldRejectEmptyExpression ? value.some(isNil) : value.length > 0 && value.every(isNil);
	}
	return isNil(value) || (typeof value === 'string' && value.trim() === '' && NON_TEXT_TYPES.includes(type));
}

/**
 * Returns the property that n8n shows for a field. It isn't required if the display conditions depend on a field that can have an expression:
 * n8n then shows it whatever the expression returns (n8n 4), and would not run a workflow in which it is empty. The field's `parse` checks
 * whether a value is required.
 */
function toShownProperty(
	{ property, displayConditions = {} }: Field<unknown>,
	fields: FieldMap,
): Field<unknown>['property'] {
	const canDependOnExpression = Object.keys(displayConditions).some(
		(name) => fields[name]?.property.noDataExpression !== true,
	);
	return canDependOnExpression ? { ...property, required: undefined } : property;
}

/** Builds the n8n properties of fields. */
export const buildFieldProperties = (fields: FieldMap): INodeProperties[] =>
	Object.entries(fields).flatMap(([name, field]) => {
		const { variants = [toShownProperty(field, fields)] } = field;
		return variants.map((variant) => ({ ...variant, name }));
	});

/** Collects the list methods of all fields of the forms, including inner fields. */
export function collectListMethods(...forms: FieldMap[]): Required<ListMethods> {
	const collectedMethods: Required<ListMethods> = { listSearch: {}, loadOptions: {} };
	for (const { listMethods = {}, innerFields = {} } of forms.flatMap((fields) => Object.values(fields))) {
		for (const { listSearch, loadOptions } of [listMethods, collectListMethods(innerFields)]) {
			Object.assign(collectedMethods.listSearch, listSearch);
			Object.assign(collectedMethods.loadOptions, loadOptions);
		}
	}
	return collectedMethods;
}

/**
 * Returns the labels on the path to a field, outermost first: ["Additional Fields", "Address"].
 * @param path the field names on the path, outermost first
 */
export function getFieldLabels(fields: FieldMap, path: string[]): string[] {
	const [name, ...innerPath] = path;
	if (name === undefined) return [];
	const field = fields[name];
	return [field?.property.displayName ?? name, ...getFieldLabels(field?.innerFields ?? {}, innerPath)];
}
