import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../http/errors';
import type { FormFields } from '../http/request';
import { isNothing, labelOf, propertiesOfFields, type Field, type FieldMap, type Label, type Values } from './field';
import { json } from './fieldTypes';
import { valuesOf } from './formValues';
import { isRecord, isScalar, recordsIn } from '../values';

/**
 * Optional fields behind an "Add" button, in the order of the alphabet (n8n's UX guidelines). Fields that a person did not add have
 * no value.
 */
export function collection<F extends FieldMap>(
	label: Label & { fields: F; button?: string },
): Field<Partial<Values<F>>> {
	const { fields, button = 'Add Field' } = label;
	return {
		property: {
			...labelOf(label),
			type: 'collection',
			placeholder: button,
			default: {},
			// n8n would require such a field even where it was not added, and then refuse to run the workflow.
			options: propertiesOfFields(fields)
				.map((property) => omit(property, 'required'))
				.sort((one, other) => one.displayName.localeCompare(other.displayName)),
		},
		inner: fields,
		parse: async (raw, item) => {
			const given = isRecord(raw) ? raw : {};
			const isAdded = ([name, field]: [string, Field<unknown>]) =>
				name in given && (field.mustHaveValue === true || !isNothing(field, given[name]));
			const added = Object.fromEntries(Object.entries(fields).filter(isAdded));
			// Only what was added is read; the result is partial accordingly.
			const values: Partial<Values<F>> = await valuesOf<F>(added as F, (name) => given[name] ?? null, item);
			return values;
		},
	};
}

/** What an update leaves and clears; said in its block, and in docs/running.md. */
export const KEPT =
	'A field that you do not add, or whose expression gives nothing, keeps its value; an empty text clears it';

/** The block of an update, with the fields that can be changed. */
export const changes = <F extends FieldMap>(fields: F) =>
	collection({ displayName: 'Update Fields', description: KEPT, fields });

/** Reads the parts of a row or a group: undefined for one that is not there, null for one without a value. */
const partsOf = (given: Record<string, unknown>) => (name: string) =>
	name in given ? (given[name] ?? null) : undefined;

/** The property of fields that are added together. @param group what n8n calls them; its name is saved in workflows */
const togetherOf = (
	label: Label & { fields: FieldMap; button: string },
	group: { displayName: string; name: string },
) => ({
	...labelOf(label),
	type: 'fixedCollection' as const,
	placeholder: label.button,
	default: {},
	options: [{ ...group, values: propertiesOfFields(label.fields) }],
});

/** The name of the one group in a `group`; saved in workflows. */
const GROUP = 'fields';

/** Returns the raw values of a `group` as a list of one, or an empty list if it was not added. */
const readGroups = (raw: unknown) => recordsIn([isRecord(raw) ? raw[GROUP] : undefined]);

/** Fields that are added together, once. Without them there is no value. */
export function group<F extends FieldMap>(label: Label & { fields: F; button: string }): Field<Values<F> | undefined> {
	const { displayName, fields } = label;
	return {
		property: togetherOf(label, { displayName, name: GROUP }),
		inner: fields,
		rawParts: readGroups,
		parse: async (raw, item) => {
			const [values] = readGroups(raw);
			return values ? await valuesOf<F>(fields, partsOf(values), item) : undefined;
		},
	};
}

/** Returns the raw values of each row of `rows`. */
const readRows = (raw: unknown) => (isRecord(raw) ? recordsIn(raw.rows) : []);

/** A list of rows with the same fields in each; it may be empty. @param label.row what n8n calls one row */
export function rows<F extends FieldMap>(
	label: Label & { fields: F; button: string; row: string },
): Field<Array<Values<F>>> {
	const { fields, row } = label;
	return {
		property: {
			...togetherOf(label, { displayName: row, name: 'rows' }),
			typeOptions: { multipleValues: true },
		},
		inner: fields,
		rawParts: readRows,
		parse: async (raw, item) => Promise.all(readRows(raw).map(async (row) => valuesOf<F>(fields, partsOf(row), item))),
	};
}

/** Fields of several origins as one form: collections of the same name become one, with the fields of both. */
export function mergedFields(...maps: FieldMap[]): FieldMap {
	const all: FieldMap = {};
	for (const [name, field] of maps.flatMap((map) => Object.entries(map))) {
		const before = all[name];
		all[name] = before?.inner && before.property.type === 'collection' ? bothOf(before, field) : field;
	}
	return all;
}

/** Two collections as one: each parses its own fields. */
function bothOf(one: Field<unknown>, other: Field<unknown>): Field<unknown> {
	const { property } = one;
	const fields = { ...one.inner, ...other.inner };
	return {
		...collection({ ...labelOf(property), button: property.placeholder, fields }),
		show: other.show ?? one.show,
		mustHaveValue: other.mustHaveValue ?? one.mustHaveValue,
		parse: async (raw, item) => Object.assign({}, await one.parse(raw, item), await other.parse(raw, item)),
	};
}

/** Names that every JavaScript object has: n8n fails on a body with such a field. */
const RESERVED_NAMES = ['__proto__', 'constructor', 'prototype'];

function objectOf(value: unknown = {}): Record<string, unknown> {
	if (!isRecord(value)) throw new InvalidInput('must be a JSON object', [], 'For example: { "name": "value" }.');
	const reserved = RESERVED_NAMES.find((name) => Object.hasOwn(value, name));
	if (reserved === undefined) return value;
	throw new InvalidInput(
		`must not have a field called '${reserved}'`,
		[],
		'Leave it out: the service has no such field.',
	);
}

/** The field for body fields that no document names (deployment facts, introduction); they are merged into the body last. */
export const additionalFieldsJson = (): Field<IDataObject> =>
	json({
		displayName: 'Additional Fields (JSON)',
		description: "Further fields, by the service's names",
		default: '{}',
		// Parsed from JSON, so it has only what n8n's type allows.
		shape: (value) => objectOf(value) as IDataObject,
	});

/** The field for query parameters that no document names; they replace the operation's own. */
export const queryParameters = (): Field<FormFields> =>
	json({
		displayName: 'Query Parameters (JSON)',
		description: "Further parameters, by the service's names",
		default: '{}',
		shape: (value) => asFormFields(objectOf(value), []),
	});

/**
 * Values for a multipart body or an address, which can have only texts, numbers, true or false, and lists of these.
 * @param path the names that lead to the field in the form, for the error
 * @throws InvalidInput for an object or null, because no document says how a service reads it there
 */
export function asFormFields(more: Record<string, unknown>, path: string[]): FormFields {
	const entries = Object.entries(more).map(([name, each]): [string, FormFields[string]] => {
		if (isScalar(each)) return [name, each];
		if (Array.isArray(each) && each.every(isScalar)) return [name, each.map(String)];
		throw new InvalidInput(
			`must have a text, a number, true, false or a list of these under '${name}'`,
			path,
			`Give each value inside it a field of its own, for example { "${name}.Name": "value" }.`,
		);
	});
	return Object.fromEntries(entries);
}
