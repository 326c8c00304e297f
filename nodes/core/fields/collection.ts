import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { InvalidInputError } from '../http/errors';
import type { MultipartFields } from '../http/request';
import {
	hasNoValue,
	toPropertySettings,
	buildFieldProperties,
	type Field,
	type FieldMap,
	type FieldSettings,
	type FieldValues,
} from './field';
import { jsonField } from './fieldTypes';
import { readInnerFields } from './formValues';
import { isRecord, isScalar, filterRecords } from '../values';

/**
 * Creates a collection: optional fields behind an "Add" button, sorted by name as n8n's UX guidelines require. Fields that the user
 * didn't add have no value.
 */
export function collectionField<F extends FieldMap>(
	settings: FieldSettings & { fields: F; button?: string },
): Field<Partial<FieldValues<F>>> {
	const { fields, button = 'Add Field' } = settings;
	return {
		property: {
			...toPropertySettings(settings),
			type: 'collection',
			placeholder: button,
			default: {},
			// If a field in a collection were required, n8n would refuse to run the workflow of a user who didn't add it.
			options: buildFieldProperties(fields)
				.map((property) => omit(property, 'required'))
				.sort((first, second) => first.displayName.localeCompare(second.displayName)),
		},
		innerFields: fields,
		parse: async (raw, item) => {
			const rawParts = isRecord(raw) ? raw : {};
			const isAdded = ([name, field]: [string, Field<unknown>]) =>
				name in rawParts && (field.rejectsEmptyExpression === true || !hasNoValue(field, rawParts[name]));
			const addedFields = Object.fromEntries(Object.entries(fields).filter(isAdded));
			// Only the added fields are read, so the result is partial.
			const values: Partial<FieldValues<F>> = await readInnerFields<F>(
				addedFields as F,
				(name) => rawParts[name] ?? null,
				item,
			);
			return values;
		},
	};
}

/** The description of the fields of an update, which docs/running.md quotes. */
export const UPDATE_DESCRIPTION =
	'A field that you do not add, or whose expression gives nothing, keeps its value; an empty text clears it';

/** Creates the collection with the fields that an update can change. */
export const updateFieldsBlock = <F extends FieldMap>(fields: F) =>
	collectionField({ displayName: 'Update Fields', description: UPDATE_DESCRIPTION, fields });

/** Creates a function that returns the raw value of an inner field: undefined if the field is not there, null if it has no value. */
function createInnerValueReader(rawParts: Record<string, unknown>) {
	return (name: string) => (name in rawParts ? (rawParts[name] ?? null) : undefined);
}

/**
 * Builds the n8n property of a fixed collection: fields that the user adds together, either once or as several rows.
 * @param group the name and the label of one group or row; the name is saved in workflows
 */
function buildFixedCollection(
	settings: FieldSettings & { fields: FieldMap; button: string },
	group: { displayName: string; name: string },
) {
	return {
		...toPropertySettings(settings),
		type: 'fixedCollection' as const,
		placeholder: settings.button,
		default: {},
		options: [{ ...group, values: buildFieldProperties(settings.fields) }],
	};
}

/** The name of the only group in a `groupField`. It is saved in workflows. */
const GROUP_NAME = 'fields';

/** Returns the raw values of a `groupField` as a list of one object, or an empty list if the group was not added. */
const readRawGroup = (raw: unknown) => filterRecords([isRecord(raw) ? raw[GROUP_NAME] : undefined]);

/** Creates a group of fields that the user adds together, at most once. If the group was not added, the value is undefined. */
export function groupField<F extends FieldMap>(
	settings: FieldSettings & { fields: F; button: string },
): Field<FieldValues<F> | undefined> {
	const { displayName, fields } = settings;
	return {
		property: buildFixedCollection(settings, { displayName, name: GROUP_NAME }),
		innerFields: fields,
		getRawParts: readRawGroup,
		parse: async (raw, item) => {
			const [rawGroup] = readRawGroup(raw);
			return rawGroup ? await readInnerFields<F>(fields, createInnerValueReader(rawGroup), item) : undefined;
		},
	};
}

/** Returns the raw values of each row of a `rowsField`. */
const readRawRows = (raw: unknown) => (isRecord(raw) ? filterRecords(raw.rows) : []);

/**
 * Creates a list of rows with the same fields in each row. The list may be empty.
 * @param settings.row the label of one row
 */
export function rowsField<F extends FieldMap>(
	settings: FieldSettings & { fields: F; button: string; row: string },
): Field<Array<FieldValues<F>>> {
	const { fields, row } = settings;
	return {
		property: {
			...buildFixedCollection(settings, { displayName: row, name: 'rows' }),
			typeOptions: { multipleValues: true },
		},
		innerFields: fields,
		getRawParts: readRawRows,
		parse: async (raw, item) =>
			Promise.all(
				readRawRows(raw).map(async (rawRow) => readInnerFields<F>(fields, createInnerValueReader(rawRow), item)),
			),
	};
}

/** Merges several field maps into one form. Collections with the same name become one collection with the fields of both. */
export function mergeFields(...maps: FieldMap[]): FieldMap {
	const merged: FieldMap = {};
	for (const [name, field] of maps.flatMap((map) => Object.entries(map))) {
		const existing = merged[name];
		const isCollection = existing?.innerFields !== undefined && existing.property.type === 'collection';
		merged[name] = isCollection ? mergeCollections(existing, field) : field;
	}
	return merged;
}

/** Merges two collections into one. Each of the two still parses its own fields. */
function mergeCollections(first: Field<unknown>, second: Field<unknown>): Field<unknown> {
	const { property } = first;
	const fields = { ...first.innerFields, ...second.innerFields };
	return {
		...collectionField({ ...toPropertySettings(property), button: property.placeholder, fields }),
		show: second.show ?? first.show,
		rejectsEmptyExpression: second.rejectsEmptyExpression ?? first.rejectsEmptyExpression,
		parse: async (raw, item) => Object.assign({}, await first.parse(raw, item), await second.parse(raw, item)),
	};
}

/** Names that have a meaning in every JavaScript object. n8n fails on a request body that has a field with such a name. */
const RESERVED_NAMES = ['__proto__', 'constructor', 'prototype'];

/**
 * Checks that a value is a JSON object without reserved names.
 * @returns the object, or an empty object if the value is undefined
 * @throws InvalidInputError if the value is not an object, or has a reserved name
 */
function checkJsonObject(value: unknown = {}): Record<string, unknown> {
	if (!isRecord(value)) throw new InvalidInputError('must be a JSON object', [], 'For example: { "name": "value" }.');
	const reservedName = RESERVED_NAMES.find((name) => Object.hasOwn(value, name));
	if (reservedName === undefined) return value;
	throw new InvalidInputError(
		`must not have a field called '${reservedName}'`,
		[],
		'Leave it out: the service has no such field.',
	);
}

/**
 * Creates the field for body fields that no document describes (deployment facts, "How to use this file"). They are merged into the
 * body last.
 */
export const additionalFieldsJsonField = (): Field<IDataObject> =>
	jsonField({
		displayName: 'Additional Fields (JSON)',
		description: "Further fields, by the service's names",
		default: '{}',
		// A value that was parsed from JSON has only the types that IDataObject allows.
		convert: (value) => checkJsonObject(value) as IDataObject,
	});

/** Creates the field for query parameters that no document describes. They replace the operation's own parameters with the same names. */
export const queryParametersField = (): Field<MultipartFields> =>
	jsonField({
		displayName: 'Query Parameters (JSON)',
		description: "Further parameters, by the service's names",
		default: '{}',
		convert: (value) => toMultipartFields(checkJsonObject(value), []),
	});

/**
 * Converts values for a multipart body or a query, which can only have texts, numbers, booleans, and lists of these.
 * @param path the names that lead to the field in the form, for the error
 * @throws InvalidInputError for an object or null, because no document says how the platform would read it
 */
export function toMultipartFields(values: Record<string, unknown>, path: string[]): MultipartFields {
	const entries = Object.entries(values).map(([name, value]): [string, MultipartFields[string]] => {
		if (isScalar(value)) return [name, value];
		if (Array.isArray(value) && value.every(isScalar)) return [name, value.map(String)];
		throw new InvalidInputError(
			`must have a text, a number, true, false or a list of these under '${name}'`,
			path,
			`Give each value inside it a field of its own, for example { "${name}.Name": "value" }.`,
		);
	});
	return Object.fromEntries(entries);
}
