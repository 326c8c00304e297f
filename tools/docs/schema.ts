import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../nodes/shared/form/fields';

/** The part of JSON schema that n8n's editor reads. */
interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** Fields in the order in which they appear. A number is never narrowed to an integer, since the next one may be none. */
function describe(values: readonly unknown[]): Schema {
	// The editor opens an object or a list only where that is the one type.
	const objects = values.filter(isRecord);
	if (objects.length > 0) {
		const names = [...new Set(objects.flatMap((each) => Object.keys(each)))];
		const seen = (name: string) => objects.map((each) => each[name]).filter((value) => value !== undefined);
		return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, describe(seen(name))])) };
	}
	const lists = values.filter((value): value is unknown[] => Array.isArray(value));
	const entries = lists.flat();
	if (lists.length > 0) return { type: 'array', ...(entries.length > 0 ? { items: describe(entries) } : {}) };
	const types = ['string', 'number', 'boolean'].filter((type) => values.some((value) => typeof value === type));
	const [first = 'null', ...more] = values.includes(null) ? [...types, 'null'] : types;
	return { type: more.length > 0 ? [first, ...more] : first };
}

/** The output schema of an operation, from items that it gave. */
export const schemaOf = (items: readonly IDataObject[]) => ({ ...describe(items), version: 1 });
