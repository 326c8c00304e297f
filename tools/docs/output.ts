import type { IDataObject } from 'n8n-workflow';
import { sortFieldsForReading } from '../../nodes/core/response/outputFields';
import { isRecord } from '../../nodes/core/values';

/** The subset of JSON Schema that n8n's editor reads. */
interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/**
 * Infers a schema from values. Fields are in the order in which they appear. A number is never described as an integer, because
 * other values may have decimals.
 */
function inferSchema(values: readonly unknown[]): Schema {
	// The editor only expands an object or a list if that is the only type in the schema. So other types, such as null, are left out.
	const objects = values.filter(isRecord);
	if (objects.length > 0) {
		const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
		const listValues = (name: string) => objects.map((object) => object[name]).filter((value) => value !== undefined);
		return {
			type: 'object',
			properties: Object.fromEntries(names.map((name) => [name, inferSchema(listValues(name))])),
		};
	}
	const lists = values.filter((value): value is unknown[] => Array.isArray(value));
	const entries = lists.flat();
	if (lists.length > 0) return entries.length > 0 ? { type: 'array', items: inferSchema(entries) } : { type: 'array' };
	const types = ['string', 'number', 'boolean'].filter((type) => values.some((value) => typeof value === type));
	const [firstType = 'null', ...otherTypes] = values.includes(null) ? [...types, 'null'] : types;
	return { type: otherTypes.length > 0 ? [firstType, ...otherTypes] : firstType };
}

/** Builds the output schema of an operation from its output items. The fields are sorted for reading. */
export function buildOutputSchema(items: readonly IDataObject[]) {
	const { properties = {}, ...schema } = inferSchema(items);
	return { ...schema, properties: sortFieldsForReading(properties), version: 1 };
}

const MAX_TEXT_LENGTH = 80;
const MAX_LIST_LENGTH = 2;

/** Replaces the parts of a text that differ between runs: dates, and the port of the stand-in service. */
const normalizeText = (text: string): string =>
	text
		.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://service.example')
		.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '2026-01-31T09:00:00.000Z');

/** Formats an item as an example for the docs: shortened, the same in every run, and without secrets. */
export function formatExample(item: IDataObject, secrets: readonly string[]): string {
	const shorten = (_name: string, value: unknown): unknown => {
		if (typeof value === 'string') {
			const text = normalizeText(
				secrets.reduce((cleanText, secret) => cleanText.replaceAll(secret, '(shown once)'), value),
			);
			return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
		}
		const list: unknown[] = Array.isArray(value) ? value : [];
		if (list.length <= MAX_LIST_LENGTH) return value;
		return [...list.slice(0, MAX_LIST_LENGTH), `… and ${list.length - MAX_LIST_LENGTH} more`];
	};
	return JSON.stringify(item, shorten, 2);
}
