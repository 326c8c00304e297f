import { InvalidInput } from '../transport/errors';
import type { Field } from './field';
import { labelOf, type Label } from './label';
import { isEmpty, shown } from './value';

/** A field for true or false; the same words as text are accepted, and empty means false. */
export function toggle(label: Label & { default: boolean }): Field<boolean> {
	return {
		property: {
			...labelOf(label),
			type: 'boolean',
			default: label.default,
		},
		parse: (raw) => {
			const word = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
			if (word === true || word === 'true') return true;
			if (word === false || word === 'false' || isEmpty(word)) return false;
			throw new InvalidInput(`must be true or false, but is ${shown(raw)}`);
		},
	};
}
