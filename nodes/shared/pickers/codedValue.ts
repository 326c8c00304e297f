import { z } from 'zod';

import { isRecord, type Label } from '../fields/basic';
import type { Field } from '../fields/field';
import { BadInput } from '../transport/problem';
import { contains, type Entry } from './listing';
import { picker } from './picker';

const coded = z.object({
	id: z.number(),
	name: z.string().nullish(),
	displayName: z.string().nullish(),
	enumResults: z.array(z.unknown()).nullish(),
});
const formDetails = z.object({ enumNameValuePairs: z.record(z.array(z.unknown())).catch({}) });

/** The coded values of a group and, nested in them, of its subgroups (contract 2.8). */
function entriesOf(group: string, values: unknown[]): Entry[] {
	return values.flatMap((value) => {
		const parsed = coded.safeParse(value);
		if (!parsed.success) return [];
		const { id, name, displayName, enumResults } = parsed.data;
		const label = `${group}: ${displayName ?? name ?? id}`;
		return [{ id: `${group}:${id}`, name: label }, ...entriesOf(label, enumResults ?? [])];
	});
}

/** Chooses one of the values that the service knows by a number, by its name (contract 2.8). */
export function codedValuePicker(label: Label): Field<number> {
	const field = picker({
		...label,
		method: 'searchCodedValues',
		thing: 'value',
		example: '1',
		search: async (filled, searchText) => {
			const { open, company } = filled();
			const chosen = company();
			const { data } = await (await open()).json({
				contract: 'GET /api/enrollments/form-details',
				repeatable: true,
				purpose: 'read the form details',
				...(chosen ? { company: chosen } : {}),
			});
			const groups = Object.entries(formDetails.parse(data ?? {}).enumNameValuePairs);
			const entries = groups.flatMap(([group, values]) => entriesOf(group, values));
			return { entries: entries.filter(contains(searchText)), isLast: true };
		},
	});
	return {
		...field,
		check: (raw) => {
			const value = isRecord(raw) ? raw.value : raw;
			const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
			const code = text.split(':').at(-1)?.trim() ?? '';
			if (!/^-?\d+$/.test(code))
				throw new BadInput('must be a value from the list, or its number', [], 'Choose it from the list.');
			return Number(code);
		},
	};
}
