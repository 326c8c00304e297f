import { propertiesOfFields, type Field, type FieldMap, type Values } from './field';
import { valuesOf } from './formValues';
import { labelOf, type Label } from './label';
import { isRecord } from './value';

/** From this many on, n8n's lint wants the order of the alphabet. */
const MANY = 5;

/**
 * Optional fields behind an "Add" button: a few in the order given (start before end), many in that of the alphabet.
 * Those that a person did not add have no value.
 */
export function collection<F extends FieldMap>(
	label: Label & { fields: F; button?: string },
): Field<Partial<Values<F>>> {
	const { fields, button = 'Add Field' } = label;
	const inAlphabet = Object.keys(fields).length >= MANY;
	return {
		property: {
			...labelOf(label),
			type: 'collection',
			placeholder: button,
			default: {},
			// n8n would demand a required field even where it was not added, and then refuse to run the workflow.
			options: propertiesOfFields(fields)
				.map(({ required: _required, ...property }) => property)
				.sort((one, other) => (inAlphabet ? one.displayName.localeCompare(other.displayName) : 0)),
		},
		inner: fields,
		parse: async (raw, item) => {
			const given = isRecord(raw) ? raw : {};
			const added = Object.fromEntries(Object.entries(fields).filter(([name]) => name in given));
			const values: Partial<Values<F>> = await valuesOf<F>(
				// Only what was added is read; the result is partial accordingly.
				added as F,
				(name) => given[name],
				item,
			);
			return values;
		},
	};
}

/** Any number of rows, each with the same fields; no row means none. */
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
