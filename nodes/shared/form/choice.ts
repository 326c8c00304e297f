import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput } from '../transport/errors';
import type { Field } from './field';
import { labelOf, type Label } from './label';
import { shown } from './value';

interface ChoiceRules<V extends string> extends Label {
	options: Array<INodePropertyOptions & { value: V }>;
	default: V;
	noDataExpression?: boolean;
}

/** A field for one of several values. */
export function choice<const V extends string>(rules: ChoiceRules<V>): Field<V> {
	const { options } = rules;
	return {
		property: {
			...labelOf(rules),
			type: 'options',
			options,
			default: rules.default,
			...(rules.noDataExpression ? { noDataExpression: true } : {}),
		},
		parse: (raw) => {
			// An expression or a spreadsheet may give a number where the value is a digit.
			const word = typeof raw === 'number' ? String(raw) : raw;
			const found = options.find(({ value }) => value === word);
			if (!found)
				throw new InvalidInput(
					`must be one of ${options.map(({ value }) => `'${value}'`).join(', ')}, but is ${shown(raw)}`,
				);
			return found.value;
		},
	};
}
