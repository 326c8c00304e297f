import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput } from '../transport/errors';
import type { Field } from './field';
import type { Label } from './label';

/** Several of a few values; at least one. */
export function choices<const V extends string>(
	rules: Label & { options: Array<INodePropertyOptions & { value: V }>; default: V[] },
): Field<V[]> {
	const { displayName, description = '', options } = rules;
	return {
		property: { displayName, description, type: 'multiOptions', options, default: rules.default },
		parse: (raw) => {
			const chosen = options.map(({ value }) => value).filter((value) => Array.isArray(raw) && raw.includes(value));
			if (chosen.length === 0)
				throw new InvalidInput('must have at least one choice', [], 'Choose one or several entries of the list.');
			return chosen;
		},
	};
}
