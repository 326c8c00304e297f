import type {
	IDataObject,
	IDisplayOptions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Upload } from '../transport/request';
import { inVersions, isInRange, NODE_VERSION, type Version, type VersionRange } from './version';

/** What parsing a field may need in addition to its value. */
export interface ItemContext {
	/** The workflow's time zone, an IANA name. */
	timezone: string;
	/**
	 * Reads a file.
	 * @param file the name of the item's binary field, or the file from an expression
	 * @throws InvalidInput when there is none
	 */
	upload(file: string | Record<string, unknown>): Promise<Upload>;
	/** The node's version in the workflow; the newest unless given. */
	version?: number;
}

/** Lists of the service that complete a value before the operation runs. */
export interface Lookups {
	/** All companies that the credential manages, child companies included. @throws ServiceError */
	companies: () => Promise<IDataObject[]>;
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

export type FieldProperty = Omit<INodeProperties, 'name'>;

/** One input of an operation: what a person sees, and how its value is parsed. Its name is its key in a FieldMap. */
export interface Field<T> {
	property: FieldProperty;
	/**
	 * Checks a value and converts it.
	 * @param raw the value from n8n; undefined where the field is hidden
	 * @throws InvalidInput with a complaint that follows the field's name
	 */
	parse: (raw: unknown, item: ItemContext) => T | Promise<T>;
	/**
	 * Completes a value that only the service can complete, such as the ID of a company that was entered by name. Called
	 * after all mistakes in the input are known, before the operation's own request.
	 * @param value what `parse` has returned
	 * @returns the same, or what takes its place
	 * @throws InvalidInput with a complaint as for `parse`; ServiceError
	 */
	complete?: (value: unknown, lookups: Lookups) => Promise<unknown>;
	/** The fields inside a collection. */
	inner?: FieldMap;
	methods?: ListMethods;
	/** The versions of the node that have it; see `since`. All, unless given. */
	versions?: VersionRange;
	/** What nodes of earlier versions have under the same name; see `changedIn`. */
	former?: Field<unknown>;
	/** The values that other fields must have for this one to be shown; see `showWhen`. */
	show?: Show;
	/**
	 * Checks the value that is saved in the field although other fields hide it.
	 * @param raw as for `parse`
	 * @param others the values of the fields before it
	 * @throws InvalidInput
	 */
	whenHidden?: (raw: unknown, others: Readonly<Record<string, unknown>>) => void;
}

type Show = NonNullable<IDisplayOptions['show']>;

export type FieldMap = Record<string, Field<unknown>>;

export type Values<F extends FieldMap> = {
	[K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/**
 * Whether a field is shown. n8n shows every field that depends on an expression, and keeps its value; here the
 * expression's value is known.
 */
export const isShown = ({ show = {} }: Field<unknown>, values: Record<string, unknown>) =>
	Object.entries(show).every(
		([name, wanted = []]) => !(name in values) || wanted.some((value) => isMet(value, values[name])),
	);

/** Whether a value meets one of n8n's conditions: to be the same, or to be there at all. */
const isMet = (wanted: unknown, value: unknown) =>
	typeof wanted === 'object' && wanted !== null ? value !== undefined : wanted === value;

/** What all versions of a node have under a field's name, the newest first. */
const everyVersionOf = (field: Field<unknown>): Array<Field<unknown>> =>
	field.former ? [field, ...everyVersionOf(field.former)] : [field];

/**
 * What a node of a version has under a field's name.
 * @returns undefined if it has nothing there
 */
export const fieldIn = (field: Field<unknown>, version = NODE_VERSION): Field<unknown> | undefined =>
	everyVersionOf(field).find(({ versions = {} }) => isInRange(versions, version));

/** Fields as n8n properties, those of all versions of the node. */
export function propertiesOfFields(fields: FieldMap): INodeProperties[] {
	return Object.entries(fields).flatMap(([name, field]) =>
		everyVersionOf(field).map(({ property, versions = {} }) => inVersions({ ...property, name }, versions)),
	);
}

/** All list functions of fields and of the fields inside them. */
export function methodsOfFields(fields: FieldMap): Required<ListMethods> {
	const all: Required<ListMethods> = { listSearch: {}, loadOptions: {} };
	for (const { methods, inner } of Object.values(fields).flatMap(everyVersionOf)) {
		for (const more of [methods ?? {}, inner ? methodsOfFields(inner) : {}]) {
			Object.assign(all.listSearch, more.listSearch);
			Object.assign(all.loadOptions, more.loadOptions);
		}
	}
	return all;
}

/**
 * The labels that lead to a field: ["Additional Fields", "Address"].
 * @param path the names of the fields, outermost first
 */
export function labelsOf(fields: FieldMap, path: string[]): string[] {
	const [name, ...rest] = path;
	if (name === undefined) return [];
	const field = fields[name];
	return [field?.property.displayName ?? name, ...labelsOf(field?.inner ?? {}, rest)];
}

/** The same field, shown only when other fields have certain values; while it is hidden, it has no value. */
export function showWhen<T>(show: Show, field: Field<T>): Field<T | undefined> {
	return {
		...field,
		property: { ...field.property, displayOptions: { show } },
		show,
	};
}

/** The same field for workflows that were saved with it; it is not offered any more. */
export const savedOnly = <T>(field: Field<T>): Field<T> => ({
	...field,
	property: { displayName: field.property.displayName, type: 'hidden', default: field.property.default },
	...(field.former ? { former: savedOnly(field.former) } : {}),
});

/** A field that nodes have from a version on; older nodes neither show nor read it, and it has no value there. */
export const since = <T>(version: Version, field: Field<T>): Field<T | undefined> => ({
	...field,
	versions: { ...field.versions, since: version },
});

/** A field that only nodes of the versions before one have; in newer nodes it has no value. */
export const until = <T>(version: Version, field: Field<T>): Field<T | undefined> => ({
	...field,
	versions: { ...field.versions, before: version },
});

/**
 * A field that is another one from a version of the node on, under the same name: with other choices, another default, or of
 * another type.
 * @param was what older nodes go on having
 */
export const changedIn = <A, B>(version: Version, was: Field<A>, is: Field<B>): Field<A | B> => ({
	...is,
	versions: { since: version },
	former: { ...was, versions: { ...was.versions, before: version } },
});
