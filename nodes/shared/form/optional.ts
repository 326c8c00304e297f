import { enteredIn } from './value';
import type { Field } from './field';

/** The same field, not required: an empty resource locator or expression means undefined. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
	...field,
	parse: async (raw, item) => {
		const value = enteredIn(raw);
		return value === undefined || value === null || value === '' ? undefined : await field.parse(raw, item);
	},
});
