import type { Upload } from '../transport/request';
import type { Field } from './field';
import type { Label } from './label';
import { parseText, text } from './text';
import { isRecord } from './value';

/** A field for a file: the name of the item's binary field, or the file itself from an expression; empty means none. */
export function binaryInput(label: Label & { default?: string }): Field<Upload | undefined> {
	return {
		...text(label),
		parse: async (raw, item) => {
			const file = isRecord(raw) ? raw : parseText(raw, {});
			return file === '' ? undefined : await item.upload(file);
		},
	};
}
