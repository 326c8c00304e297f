/** The values that an AI agent enters in a form, which are always texts. */
import { mapValues, pickBy } from 'lodash';
import type { Field } from '../../nodes/core/fields/field';
import { FormValues } from '../../nodes/core/fields/formValues';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { readAgentParameter } from '../../nodes/core/run/aiTool';
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

/** The texts that a model may enter instead of leaving a field empty. */
export const BLANK_WORDS = ['', 'null', 'N/A', '  ', 'NULL', 'n/a', 'undefined', '[""]', '{}'];

/** Returns true if the field restricts a write. Without it, the write would affect more records, so a blank value is rejected. */
const isRestriction = ({ shouldRejectEmptyExpression, property: { type } }: Field<unknown>) =>
	shouldRejectEmptyExpression === true && !['string', 'multiOptions'].includes(type);

/** Creates the value of a field in which the model enters a blank text. */
function createBlankValue({ property: { type }, innerFields = {} }: Field<unknown>, blankText: string): unknown {
	if (type === 'resourceLocator') return { __rl: true, mode: 'id', value: blankText };
	if (type !== 'fixedCollection') return blankText;
	return { rows: [mapValues(innerFields, (part) => createBlankValue(part, blankText))] };
}

/** Enters a blank text in every optional field that has no value. Fields that restrict an operation are skipped, except in an update (PUT), which can run without them. */
export function addBlankValues(
	{ fields, endpoint }: Operation,
	parameters: Readonly<Record<string, unknown>>,
	blankText: string,
): Record<string, unknown> {
	const canLeaveOutRestrictions = endpoint?.startsWith('PUT ') ?? false;
	const filledParameters: Record<string, unknown> = { ...parameters };
	for (const [name, field] of Object.entries(fields)) {
		const { property, innerFields = {}, displayConditions } = field;
		if (property.type === 'collection') {
			const enteredValues = isRecord(parameters[name]) ? parameters[name] : {};
			const missingFields = pickBy(
				innerFields,
				(part, partName) => !(partName in enteredValues) && (canLeaveOutRestrictions || !isRestriction(part)),
			);
			const blankValues = mapValues(missingFields, (part) => createBlankValue(part, blankText));
			filledParameters[name] = { ...enteredValues, ...blankValues };
		} else if (!(name in parameters) && !property.required && !displayConditions && property.type === 'string')
			filledParameters[name] = blankText;
	}
	return filledParameters;
}

/**
 * Parses the form of an operation.
 * @param isForAgent true to treat the values as those of an AI agent
 * @returns the values by field name
 * @throws InvalidInputError for the first value that can't be parsed
 */
export async function parseForm(
	operation: Operation,
	parameters: Readonly<Record<string, unknown>>,
	isForAgent = false,
): Promise<Record<string, unknown>> {
	const readRawValue = (name: string) =>
		isForAgent ? readAgentParameter(operation, name, parameters[name], parameters[name]) : parameters[name];
	const values = await FormValues.read(operation.fields, readRawValue, {
		timezone: 'UTC',
		isWrite: !operation.isReadOnly,
		readUpload: async () => Promise.reject(new Error('Agents have no files')),
	});
	return values.get(operation.fields);
}
