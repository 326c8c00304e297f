import { z } from 'zod';

import { parseText } from '../form/text';
import { enteredIn, isRecord } from '../form/value';
import type { Field } from '../form/field';
import { InvalidInput } from '../transport/errors';
import { contains, type Filled } from './listing';
import { picker } from './picker';

const codedShape = z.object({
	id: z.number(),
	name: z.string().nullish(),
	displayName: z.string().nullish(),
	enumResults: z.array(z.unknown()).nullish(),
});
const formDetails = z.object({ enumNameValuePairs: z.record(z.array(z.unknown())).catch({}) });

/** A value that the service identifies by a number, and usually by a word too. */
export interface CodedValue {
	/** The group it belongs to: "Delivery". */
	group: string;
	number: number;
	word: string | undefined;
	/** The text for a list, with the group in front: "Delivery: E-mail". */
	label: string;
}

/**
 * The coded values of a group and of the subgroups nested in them (contract 2.8).
 * @param group its name; '' for labels without it
 */
export function codedValues(group: string, values: unknown[]): CodedValue[] {
	return values.flatMap((value) => {
		const parsed = codedShape.safeParse(value);
		if (!parsed.success) return [];
		const { id, name, displayName, enumResults } = parsed.data;
		const label = `${group === '' ? '' : `${group}: `}${displayName ?? name ?? id}`;
		return [{ group, number: id, word: name ?? undefined, label }, ...codedValues(label, enumResults ?? [])];
	});
}

/** The lists of coded values for enrollments, by their names. @throws ServiceError */
async function valuesByName({ open, company }: Filled): Promise<Array<[group: string, values: unknown[]]>> {
	const chosen = await company();
	const service = await open();
	const { data } = await service.json({
		contract: 'GET /api/enrollments/form-details',
		repeatable: true,
		purpose: 'read the form details',
		...(chosen ? { company: chosen } : {}),
	});
	return Object.entries(formDetails.parse(data ?? {}).enumNameValuePairs);
}

const letters = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A field with a coded value: its name in the request, and the service's name of its values if it was chosen from them. */
interface CodedField {
	name: string;
	group?: string;
}

/** A coded value, and the service's name of the values that it was chosen from, if that is known. */
interface Coded {
	number: number;
	group?: string;
}

/** The fields of one row: which field, and its value, from the list of the values of that field (contract 2.8). */
export const codedField = {
	fieldName: codedNamePicker(),
	value: codedValuePicker(),
};

function codedNamePicker(): Field<CodedField> {
	const field = picker({
		displayName: 'Field Name',
		description:
			'The field as the service lists it. If the service takes it under another name, enter that name By Name.',
		method: 'searchCodedFields',
		thing: 'field',
		typed: 'By Name',
		example: 'deliveryTypeId',
		search: async (filled, searchText) => ({
			entries: (await valuesByName(filled()))
				.map(([group]) => ({ id: group, name: group }))
				.filter(contains(searchText)),
			isLast: true,
		}),
	});
	return {
		...field,
		parse: (raw) => {
			const name = parseText(enteredIn(raw), { min: 1 });
			// The fields of requests begin with a small letter (contract 4.7).
			return isRecord(raw) && raw.mode === 'list'
				? { name: name.charAt(0).toLowerCase() + name.slice(1), group: name }
				: { name };
		},
	};
}

function codedValuePicker(): Field<Coded> {
	const field = picker({
		displayName: 'Value',
		description: 'The values of the field as the service lists them; all values, if it lists none for this name',
		method: 'searchCodedValues',
		thing: 'value',
		example: '1',
		dependsOn: ['&fieldName.value'],
		search: async (filled, searchText) => {
			const form = filled();
			const name = letters(form.beside('fieldName'));
			const all = await valuesByName(form);
			const ofField = name === '' ? [] : all.filter(([group]) => name.startsWith(letters(group)));
			const entries = (ofField.length > 0 ? ofField : all).flatMap(([group, values]) =>
				codedValues(group, values).map(({ group: within, number, label }) => ({
					id: `${within}:${number}`,
					name: ofField.length === 1 ? label.slice(group.length + 2) : label,
				})),
			);
			return { entries: entries.filter(contains(searchText)), isLast: true };
		},
	});
	return {
		...field,
		parse: (raw) => {
			const value = enteredIn(raw);
			const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
			const parts = text.split(':');
			const code = parts.at(-1)?.trim() ?? '';
			if (!/^-?\d+$/.test(code))
				throw new InvalidInput('must be a value from the list, or its number', [], 'Choose it from the list.');
			const [group = ''] = parts;
			return { number: Number(code), ...(parts.length > 1 ? { group } : {}) };
		},
	};
}

/**
 * The coded fields of a request.
 * @param path the names that lead to the rows, for the error
 * @throws InvalidInput for a value that was chosen for another field
 */
export function codedBody(
	rows: Array<{ fieldName: CodedField; value: Coded }>,
	path: string[],
): Record<string, number> {
	for (const { fieldName, value } of rows)
		if (fieldName.group !== undefined && value.group !== undefined && value.group !== fieldName.group)
			throw new InvalidInput(
				`has a value of '${value.group}' for the field '${fieldName.group}'`,
				path,
				`Open the list of 'Value' beside '${fieldName.group}' again, and choose one of its values.`,
			);
	return Object.fromEntries(rows.map(({ fieldName, value }) => [fieldName.name, value.number]));
}
