import { z } from 'zod';

import type { Label } from '../form/label';
import { isRecord } from '../form/value';
import type { Field } from '../form/field';
import { InvalidInput } from '../transport/errors';
import { contains } from './listing';
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

/** The field that chooses, by name, a value that the service identifies by a number (contract 2.8). */
export function codedValuePicker(label: Label): Field<number> {
	const field = picker({
		...label,
		method: 'searchCodedValues',
		thing: 'value',
		example: '1',
		search: async (filled, searchText) => {
			const { open, company } = filled();
			const chosen = await company();
			const { data } = await (
				await open()
			).json({
				contract: 'GET /api/enrollments/form-details',
				repeatable: true,
				purpose: 'read the form details',
				...(chosen ? { company: chosen } : {}),
			});
			const groups = Object.entries(formDetails.parse(data ?? {}).enumNameValuePairs);
			const entries = groups
				.flatMap(([group, values]) => codedValues(group, values))
				.map(({ group, number, label: name }) => ({ id: `${group}:${number}`, name }));
			return { entries: entries.filter(contains(searchText)), isLast: true };
		},
	});
	return {
		...field,
		parse: (raw) => {
			const value = isRecord(raw) ? raw.value : raw;
			const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
			const code = text.split(':').at(-1)?.trim() ?? '';
			if (!/^-?\d+$/.test(code))
				throw new InvalidInput('must be a value from the list, or its number', [], 'Choose it from the list.');
			return Number(code);
		},
	};
}
