import type {
	IDisplayOptions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Upload } from '../transport/request';

/** What a field may need besides its own value. */
export interface ItemContext {
	/** The workflow's time zone, an IANA name. */
	timezone: string;
	/** Reads a file. @param file its name in the item, or the file as an expression gives it. @throws InvalidInput when there is none */
	upload(file: string | Record<string, unknown>): Promise<Upload>;
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

/** One input of an operation: what a person sees, and what its value must be. The name is the key it stands under. */
export interface Field<T> {
	property: FieldProperty;
	/**
	 * Checks and shapes a value. @param raw what n8n gives; undefined where the field is hidden
	 * @throws InvalidInput
	 */
	parse: (raw: unknown, item: ItemContext) => T | Promise<T>;
	/** The fields inside a collection. */
	inner?: FieldMap;
	methods?: ListMethods;
	/** What other fields must be for it to be there at all; see `showWhen`. */
	show?: Show;
	/**
	 * Looks at what is saved in the field although other fields hide it.
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

/** n8n shows, and so keeps, whatever depends on an expression; by now its value is known. */
export const isShown = ({ show = {} }: Field<unknown>, values: Record<string, unknown>) =>
	Object.entries(show).every(
		([name, wanted = []]) => !(name in values) || wanted.some((value) => value === values[name]),
	);

/** Fields as n8n properties. */
export function propertiesOfFields(fields: FieldMap): INodeProperties[] {
	return Object.entries(fields).map(([name, { property }]) => ({ ...property, name }));
}

/** All list functions of fields and of the fields inside them. */
export function methodsOfFields(fields: FieldMap): Required<ListMethods> {
	const all: Required<ListMethods> = { listSearch: {}, loadOptions: {} };
	for (const { methods, inner } of Object.values(fields)) {
		for (const more of [methods ?? {}, inner ? methodsOfFields(inner) : {}]) {
			Object.assign(all.listSearch, more.listSearch);
			Object.assign(all.loadOptions, more.loadOptions);
		}
	}
	return all;
}

/** The names a person sees on the way to a field: ["Additional Fields", "Address"]. */
export function labelsOf(fields: FieldMap, path: string[]): string[] {
	const [name, ...rest] = path;
	if (name === undefined) return [];
	const field = fields[name];
	return [field?.property.displayName ?? name, ...labelsOf(field?.inner ?? {}, rest)];
}

/** The same field, shown only when other fields have certain values; hidden, it has no value. */
export function showWhen<T>(show: Show, field: Field<T>): Field<T | undefined> {
	return {
		...field,
		property: { ...field.property, displayOptions: { show } },
		show,
	};
}

/** The same field, no longer offered: only what was saved in it counts. */
export const savedOnly = <T>(field: Field<T>): Field<T> => ({
	...field,
	property: { displayName: field.property.displayName, type: 'hidden', default: field.property.default },
});
