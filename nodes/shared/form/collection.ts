import { propertiesOfFields, type Field, type FieldMap, type Values } from './field';
import { valuesOf } from './formValues';
import { labelOf, type Label } from './label';
import { isRecord } from './value';

/** From this number of fields on, n8n's lint requires alphabetical order. */
const SORTED_FROM = 5;

/**
 * Optional fields behind an "Add" button: up to four in the order given (start before end), more in alphabetical order.
 * Fields that a person did not add have no value.
 */
export function collection<F extends FieldMap>(
	label: Label & { fields: F; button?: string },
): Field<Partial<Values<F>>> {
	const { fields, button = 'Add Field' } = label;
	const isSorted = Object.keys(fields).length >= SORTED_FROM;
	return {
		property: {
			...labelOf(label),
			type: 'collection',
			placeholder: button,
			default: {},
			// n8n would require such a field even where it was not added, and then refuse to run the workflow.
			options: propertiesOfFields(fields)
				.map(({ required: _required, ...property }) => property)
				.sort((one, other) => (isSorted ? one.displayName.localeCompare(other.displayName) : 0)),
		},
		inner: fields,
		parse: async (raw, item) => {
			const given = isRecord(raw) ? raw : {};
			const addedFields = Object.fromEntries(Object.entries(fields).filter(([name]) => name in given));
			const values: Partial<Values<F>> = await valuesOf<F>(
				// Only what was added is read; the result is partial accordingly.
				addedFields as F,
				(name) => given[name],
				item,
			);
			return values;
		},
	};
}

/** Fields that are added together, once. Without them there is no value. */
export function group<F extends FieldMap>(label: Label & { fields: F; button: string }): Field<Values<F> | undefined> {
	const { displayName, button, fields } = label;
	return {
		property: {
			...labelOf(label),
			type: 'fixedCollection',
			placeholder: button,
			default: {},
			options: [{ displayName, name: GROUP, values: propertiesOfFields(fields) }],
		},
		inner: fields,
		parse: async (raw, item) => {
			const given = isRecord(raw) ? raw[GROUP] : undefined;
			return isRecord(given) ? await valuesOf<F>(fields, (name) => given[name], item) : undefined;
		},
	};
}

/** The name of the one group in a collection; saved in workflows. */
const GROUP = 'fields';

/** A list of rows with the same fields in each; it may be empty. @param label.row what n8n calls one row */
export function rows<F extends FieldMap>(
	label: Label & { fields: F; button: string; row: string },
): Field<Array<Values<F>>> {
	const { fields, button, row } = label;
	return {
		property: {
			...labelOf(label),
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: button,
			default: {},
			options: [{ displayName: row, name: 'rows', values: propertiesOfFields(fields) }],
		},
		inner: fields,
		parse: async (raw, item) => {
			const given = isRecord(raw) && Array.isArray(raw.rows) ? raw.rows.filter(isRecord) : [];
			return await Promise.all(given.map(async (each) => await valuesOf<F>(fields, (name) => each[name], item)));
		},
	};
}
