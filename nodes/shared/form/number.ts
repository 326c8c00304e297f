import { InvalidInput } from '../transport/errors';
import type { Field } from './field';
import { labelOf, type Label } from './label';
import { shown } from './value';

interface NumberRules extends Label {
	default: number;
	min: number;
	max?: number;
}

/**
 * A field for a whole number from `min` to `max`. A number as text is accepted, because AI agents and spreadsheets send
 * it so.
 */
export function wholeNumber(rules: NumberRules): Field<number> {
	const { min, max } = rules;
	const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
	return {
		property: {
			...labelOf(rules),
			type: 'number',
			typeOptions: { minValue: min, ...(max === undefined ? {} : { maxValue: max }) },
			default: rules.default,
		},
		parse: (raw) => {
			const isText = typeof raw === 'string' && raw.trim() !== '';
			const value = typeof raw === 'number' || isText ? Number(raw) : NaN;
			if (!Number.isInteger(value) || value < min || value > (max ?? Infinity))
				throw new InvalidInput(`must be a whole number ${range}, but is ${shown(raw)}`);
			return value;
		},
	};
}
