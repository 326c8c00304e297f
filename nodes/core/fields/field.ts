import { isNil, mapValues } from 'lodash';
import type {
	IDataObject,
	IDisplayOptions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Upload } from '../http/request';
import type { Service } from '../http/client';
import { isRecord, type Choice } from '../values';

/** What parsing a field may need in addition to its value. */
export interface ItemContext {
	timezone: string;
	/** True if the operation changes something: then a text such as 'undefined' is refused. */
	isWrite?: boolean;
	/** Reads a file, by the name of the item's binary field or from an expression. @throws InvalidInput when there is none */
	upload(file: string | Record<string, unknown>): Promise<Upload>;
}

/** Reads all companies that the credential manages, child companies included. @throws ServiceError */
export type ReadCompanies = () => Promise<IDataObject[]>;

/** Who asks for a list of what can be chosen: the form that is open in the editor, or an operation that runs. */
export interface Asker {
	/** The form's values, as n8n has them. */
	parameters: Readonly<Record<string, unknown>>;
	service: () => Promise<Service>;
	/** Whose list it is; undefined for the credential's own company. @throws InvalidInput while none is chosen */
	company: () => Promise<Choice | undefined>;
	/** Aborted when nobody needs the list any more. */
	signal?: AbortSignal;
	/** Returns true if a field of the form is an expression, so that its value may differ from item to item. */
	isVariable?: (field: string) => boolean;
	/** True if the operation changes something. */
	isWrite?: boolean;
}

export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;
export type LoadOptions = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** The functions that fill the lists of fields, by the names their properties use. */
export interface ListMethods {
	listSearch?: Record<string, ListSearch>;
	loadOptions?: Record<string, LoadOptions>;
}

type Show = NonNullable<IDisplayOptions['show']>;

/** One input of an operation: what a person sees, and how its value is parsed. Its name is its key in a FieldMap. */
export interface Field<T> {
	property: Omit<INodeProperties, 'name'>;
	/** What n8n shows instead of it: one of several properties, each with the values of another field that it is shown for. */
	variants?: Array<Omit<INodeProperties, 'name'>>;
	/** Checks and converts what n8n gives for the field, undefined where that is nothing. @throws InvalidInput */
	parse: (raw: unknown, item: ItemContext) => T | Promise<T>;
	/**
	 * Completes what `parse` returned with what only the service knows: the company of a name. Called when all mistakes in the
	 * input are known, before the operation's own request.
	 * @throws InvalidInput, ServiceError
	 */
	resolve?: (value: unknown, companies: ReadCompanies) => Promise<unknown>;
	/**
	 * Replaces names, and entries that were chosen from another company's list, by the IDs of the company that the operation runs for.
	 * @param raw the value that n8n has for the field
	 * @returns the value for `parse`; `raw` itself if nothing changes
	 * @throws InvalidInput, ServiceError
	 */
	lookUp?: (raw: unknown, asker: Asker) => Promise<unknown>;
	inner?: FieldMap;
	/** Returns the raw values of the inner fields, for each row or for the group. Without this function the raw value itself has them. */
	rawParts?: (raw: unknown) => Array<Record<string, unknown>>;
	/** The field with a text that narrows its list, below it or among the options; its value is not sent. */
	narrowedBy?: { name: string; isOption: boolean; field: Field<string> };
	methods?: ListMethods;
	/** The values that other fields must have for this one to be shown; see `showWhen`. */
	show?: Show;
	/** Whether an expression without a result is a mistake here, because the operation would do more without the field. */
	mustHaveValue?: boolean;
	/** The values that an AI agent may not choose, because they take something away. */
	notForAgents?: readonly unknown[];
	/** Set if an update puts the list of this field in the place of the stored one, which an AI agent may not do. */
	replacesList?: ListReplacement;
}

/** How a field replaces a stored list. */
export interface ListReplacement {
	/** The name of the list in the request. */
	sentAs: string;
	/** The advice for an AI agent that may not fill it in, as a sentence. */
	instead?: string;
}

export type FieldMap = Record<string, Field<unknown>>;

export type Values<F extends FieldMap> = {
	[K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/** The texts of a field, and whether it is required. */
export interface Label {
	displayName: string;
	description?: string;
	hint?: string;
	placeholder?: string;
	required?: boolean;
}

/** The parts of an n8n property that a label sets. */
export function labelOf({ displayName, description, hint, placeholder, required }: Label): Label {
	return { displayName, required: required || undefined, placeholder, description, hint };
}

/** The same field, shown only when other fields have certain values; while it is hidden, it has no value. */
export function showWhen<T>(show: Show, field: Field<T>): Field<T | undefined> {
	return { ...field, property: { ...field.property, displayOptions: { show } }, show };
}

/** In `show`: any value but this one. n8n compares it with what the form has, which is text where the field is a picker. */
export const anythingBut = (value: string) => ({ _cnd: { not: value } });

const meets = (value: unknown, wanted: unknown): boolean =>
	isRecord(wanted) && isRecord(wanted._cnd) ? String(value) !== wanted._cnd.not : value === wanted;

/**
 * Whether a field is shown. n8n shows every field that depends on an expression, and keeps its value; here the
 * expression's value is known.
 */
export const isShown = ({ show = {} }: Field<unknown>, values: Record<string, unknown>) =>
	Object.entries(show).every(
		([name, wanted = []]) => !(name in values) || wanted.some((each) => meets(values[name], each)),
	);

/** The same field, in which an expression without a result is a mistake: without the field, more would be done. */
export const mustHaveValue = <T>(field: Field<T>): Field<T> => ({ ...field, mustHaveValue: true });

/** Marks a field whose list replaces the stored one in an update. An expression without a result is a mistake in it. */
export const markAsReplacing = <T>(field: Field<T>, sentAs: string, instead?: string): Field<T> => ({
	...mustHaveValue(field),
	replacesList: { sentAs, instead },
});

/** The same fields, in each of which an expression without a result is a mistake. */
export const mustHaveValues = <F extends FieldMap>(fields: F): F =>
	// The same fields by the same names, which TypeScript cannot infer.
	mapValues(fields, mustHaveValue) as F;

/** Fields in which an empty text is no value; in the others a person may have left it empty on purpose. */
const NOT_TEXT = ['boolean', 'number', 'options', 'resourceLocator'];

/**
 * Whether a raw value is none: null or undefined, as an expression without a result gives (n8n-facts 16), alone, in a resource
 * locator, or as all that is in a list (anything in it, where the field must have a value); and an empty text where no text is meant.
 */
export function isNothing({ property: { type }, mustHaveValue = false }: Field<unknown>, raw: unknown): boolean {
	const value = type === 'resourceLocator' && isRecord(raw) ? raw.value : raw;
	if (Array.isArray(value)) return mustHaveValue ? value.some(isNil) : value.length > 0 && value.every(isNil);
	return isNil(value) || (typeof value === 'string' && value.trim() === '' && NOT_TEXT.includes(type));
}

/** Fields as n8n properties. */
export const propertiesOfFields = (fields: FieldMap): INodeProperties[] =>
	Object.entries(fields).flatMap(([name, { property, variants = [property] }]) =>
		variants.map((variant) => ({ ...variant, name })),
	);

/** All list functions of forms and of the fields inside their fields. */
export function methodsOfFields(...forms: FieldMap[]): Required<ListMethods> {
	const all: Required<ListMethods> = { listSearch: {}, loadOptions: {} };
	for (const { methods = {}, inner = {} } of forms.flatMap((fields) => Object.values(fields))) {
		for (const { listSearch, loadOptions } of [methods, methodsOfFields(inner)]) {
			Object.assign(all.listSearch, listSearch);
			Object.assign(all.loadOptions, loadOptions);
		}
	}
	return all;
}

/** The labels that lead to a field, for its path of names: ["Additional Fields", "Address"]. */
export function labelsOf(fields: FieldMap, path: string[]): string[] {
	const [name, ...rest] = path;
	if (name === undefined) return [];
	const field = fields[name];
	return [field?.property.displayName ?? name, ...labelsOf(field?.inner ?? {}, rest)];
}
