import { parseId } from '../transport/request';
import type { Label } from './label';
import { text } from './text';
import type { Field } from './field';

/** A required field for the ID of something that the contract has no list of. */
export const idField = (label: Label): Field<string> => ({
	...text({
		placeholder: 'e.g. 3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111',
		...label,
		required: true,
	}),
	parse: (raw) => parseId(raw),
});
