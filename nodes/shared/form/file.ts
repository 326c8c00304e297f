import type { Upload } from '../transport/request';
import type { Field } from './field';
import type { Label } from './label';
import { parseText, text } from './text';
import { isRecord } from './value';

/** The name of a field of the item that holds a file, or by expression the file itself; empty means none. */
export function binaryInput(label: Label & { default?: string }): Field<Upload | undefined> {
	return {
		...text(label),
		parse: async (raw, item) => {
			const file = isRecord(raw) ? raw : parseText(raw, {});
			return file === '' ? undefined : await item.upload(file);
		},
	};
}
