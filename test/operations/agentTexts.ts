/** The values that an AI agent enters in a form, which are always texts. */
import { mapValues } from 'lodash';
import type { FieldMap } from '../../nodes/core/fields/field';
import { FormValues } from '../../nodes/core/fields/formValues';
import { isRecord } from '../../nodes/core/values';

/** Converts the values in parameters to the texts that an agent enters for them (see `fillByAgent`). */
export function convertToTexts(value: unknown): unknown {
	if (value === undefined) return undefined;
	if (Array.isArray(value)) return value.every(isRecord) ? value.map(convertToTexts) : value.join(', ');
	if (!isRecord(value)) return String(value);
	return mapValues(value, (innerValue, name) =>
		['__rl', 'mode'].includes(name) ? innerValue : convertToTexts(innerValue),
	);
}

/** Parses a form. @returns the values by field name @throws InvalidInputError for the first value that can't be parsed */
export async function parseForm(fields: FieldMap, parameters: Record<string, unknown>, isWrite: boolean) {
	const itemContext = { timezone: 'UTC', isWrite, readUpload: async () => Promise.reject(new Error('no file')) };
	const values = await FormValues.read(fields, (name) => parameters[name], itemContext);
	return values.get(fields);
}
