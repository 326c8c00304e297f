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
 * Creates a collection: fields that the user can add one by one with a button. n8n's UX guidelines require that they are sorted by label.
 * A field that the user didn't add has no value.
 */
export function collectionField<F extends FieldMap>(
	settings: FieldSettings & { fields: F; buttonText?: string },
): Field<Partial<FieldValues<F>>> {
	const { fields, buttonText = 'Add Field' } = settings;
	return {
		property: {
			...toPropertySettings(settings),
			type: 'collection',
			placeholder: buttonText,
			default: {},
			// If an inner field were required, n8n would not run a workflow in which the user didn't add it.
			options: buildFieldProperties(fields)
				.map((property) => omit(property, 'required'))
				.sort((first, second) => first.displayName.localeCompare(second.displayName)),
		},
		innerFields: fields,
		parse: async (raw, item) => {
			const rawValues = isRecord(raw) ? raw : {};
			const isAdded = ([name, field]: [string, Field<unknown>]) =>
				name in rawValues && (field.shouldRejectEmptyExpression === true || !hasNoValue(field, rawValues[name]));
			const addedFields = Object.fromEntries(Object.entries(fields).filter(isAdded));
			// Only the added fields are parsed, so `values` may lack some of the keys of F.
			const values: Partial<FieldValues<F>> = await readInnerFields<F>(
				addedFields as F,
				(name) => rawValues[name] ?? null,
				item,
			);
			return values;
		},
	};
}

/** The hint of the collection 'Update Fields'. */
const UPDATE_HINT =
	"Fields that you don't add keep their values. A text field that you add and leave empty is cleared.";

/** Creates the collection 'Update Fields', in which the user adds the fields that an update must change. */
export const updateFieldsBlock = <F extends FieldMap>(fields: F) =>
	collectionField({
		displayName: 'Update Fields',
		description: 'Add each field to change',
		hint: UPDATE_HINT,
		fields,
	});

/** Creates a function that returns the raw value of an inner field: undefined if `rawValues` lacks the field, null if it has no value. */
function createInnerValueReader(rawValues: Record<string, unknown>) {
	return (name: string) => (name in rawValues ? (rawValues[name] ?? null) : undefined);
}

/**
 * Builds the n8n property of a fixed collection: fields that the user adds together, either as one group or as several rows.
 * @param group the name and the label of the group, or of each row; the name is saved in workflows
 */
function buildFixedCollection(
	settings: FieldSettings & { fields: FieldMap; buttonText: string },
	group: { displayName: string; name: string },
) {
	return {
		...toPropertySettings(settings),
		type: 'fixedCollection' as const,
		placeholder: settings.buttonText,
		default: {},
		options: [{ ...group, values: buildFieldProperties(settings.fields) }],
	};
}

/** The name of the only group in a `groupField`. It is saved in workflows. */
const GROUP_NAME = 'fields';

/** Returns a list with the raw values of a `groupField` as its only object. If the user didn't add the group, the list is empty. */
const readRawGroup = (raw: unknown) => filterRecords([isRecord(raw) ? raw[GROUP_NAME] : undefined]);

/** Creates a group of fields that the user adds together, at most once. If the user didn't add the group, its parsed value is undefined. */
export function groupField<F extends FieldMap>(
	settings: FieldSettings & { fields: F; buttonText: string },
): Field<FieldValues<F> | undefined> {
	const { displayName, fields } = settings;
	return {
		property: buildFixedCollection(settings, { displayName, name: GROUP_NAME }),
		innerFields: fields,
		innerGroups: { read: readRawGroup, build: ([group]) => ({ [GROUP_NAME]: group }) },
		parse: async (raw, item) => {
			const [rawGroup] = readRawGroup(raw);
			return rawGroup ? await readInnerFields<F>(fields, createInnerValueReader(rawGroup), item) : undefined;
		},
	};
}

/** Returns the raw values of a `rowsField`, one object for each row. */
const readRawRows = (raw: unknown) => (isRecord(raw) ? filterRecords(raw.rows) : []);

/**
 * Creates a list to which the user adds rows. Each row has the same fields. The list may be empty.
 * @param settings.rowLabel the label that n8n shows at each row
 */
export function rowsField<F extends FieldMap>(
	settings: FieldSettings & { fields: F; buttonText: string; rowLabel: string },
): Field<Array<FieldValues<F>>> {
	const { fields, rowLabel } = settings;
	return {
		property: {
			...buildFixedCollection(settings, { displayName: rowLabel, name: 'rows' }),
			typeOptions: { multipleValues: true },
		},
		innerFields: fields,
		innerGroups: { read: readRawRows, build: (rows) => ({ rows }) },
		parse: async (raw, item) =>
			Promise.all(
				readRawRows(raw).map(async (rawRow) => readInnerFields<F>(fields, createInnerValueReader(rawRow), item)),
			),
	};
}

/** Merges several field maps into one. If two of them have a collection with the same name, the collections are merged as well. */
export function mergeFields(...fieldMaps: FieldMap[]): FieldMap {
	const mergedFields: FieldMap = {};
	for (const [name, field] of fieldMaps.flatMap((fieldMap) => Object.entries(fieldMap))) {
		const existingField = mergedFields[name];
		const isCollection = existingField?.innerFields !== undefined && existingField.property.type === 'collection';
		mergedFields[name] = isCollection ? mergeCollections(existingField, field) : field;
	}
	return mergedFields;
}

/** Merges two collections into one. To parse it, both collections parse their own fields, and the results are combined. */
function mergeCollections(firstCollection: Field<unknown>, secondCollection: Field<unknown>): Field<unknown> {
	const { property } = firstCollection;
	const fields = { ...firstCollection.innerFields, ...secondCollection.innerFields };
	return {
		...collectionField({ ...toPropertySettings(property), buttonText: property.placeholder, fields }),
		displayConditions: secondCollection.displayConditions ?? firstCollection.displayConditions,
		shouldRejectEmptyExpression:
			secondCollection.shouldRejectEmptyExpression ?? firstCollection.shouldRejectEmptyExpression,
		parse: async (raw, item) =>
			Object.assign({}, await firstCollection.parse(raw, item), await secondCollection.parse(raw, item)),
	};
}

/** Names with a special meaning in every JavaScript object. n8n fails on a request body that has one of them as a key. */
const RESERVED_NAMES = ['__proto__', 'constructor', 'prototype'];

/**
 * Checks that a value is a JSON object without the keys in `RESERVED_NAMES`.
 * @returns the object, or an empty object if the value is undefined
 * @throws InvalidInputError if the value is not an object, or has one of these keys
 */
function checkJsonObject(value: unknown = {}): Record<string, unknown> {
	if (!isRecord(value)) throw new InvalidInputError('must be a JSON object', [], 'For example: { "name": "value" }.');
	const reservedName = RESERVED_NAMES.find((name) => Object.hasOwn(value, name));
	if (reservedName === undefined) return value;
	throw new InvalidInputError(
		`must not have a field called '${reservedName}'`,
		[],
		'Remove this field. The platform has no such field.',
	);
}

/**
 * Creates the form field in which the user enters further keys of the request body, which no document describes (deployment facts, "How to
 * use this file"). They may replace defaults, but no values of the form (see `jsonFields`).
 */
export const additionalFieldsJsonField = (): Field<IDataObject> =>
	jsonField({
		displayName: 'Additional Fields (JSON)',
		description: `Fields of the platform's API that this form doesn't have, as JSON such as { "name": "value" }`,
		default: '{}',
		// A value that was parsed from JSON has only the types that IDataObject allows.
		convert: (value) => checkJsonObject(value) as IDataObject,
	});

/**
 * Creates the form field in which the user enters query parameters that no document describes. They may not replace the operation's own
 * query parameters.
 */
export const queryParametersField = (): Field<MultipartFields> =>
	jsonField({
		displayName: 'Query Parameters (JSON)',
		description: `Query parameters of the platform's API that this form doesn't have, as JSON such as { "name": "value" }`,
		default: '{}',
		convert: (value) => toMultipartFields(checkJsonObject(value), []),
	});

/**
 * Converts values for a multipart body or a query string. Both can only contain texts, numbers, booleans, and lists of these.
 * @param path the field names on the path to the form field with the values, for the error
 * @throws InvalidInputError for an object or null, because no document says how the platform would read it
 */
export function toMultipartFields(values: Record<string, unknown>, path: string[]): MultipartFields {
	const entries = Object.entries(values).map(([name, value]): [string, MultipartFields[string]] => {
		if (isScalar(value)) return [name, value];
		if (Array.isArray(value) && value.every(isScalar)) return [name, value.map(String)];
		throw new InvalidInputError(
			`must have a text, a number, true, false or a list of these under '${name}'`,
			path,
			`Enter each value inside it as a separate field, for example { "${name}.Name": "value" }.`,
		);
	});
	return Object.fromEntries(entries);
}
