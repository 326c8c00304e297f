import { flattenDeep, mapValues } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';

import { FormValues, createParameterReader } from '../fields/formValues';
import type { Field, FieldMap, ItemContext } from '../fields/field';
import { DEFAULT_CLIENT_SETTINGS, type ClientSettings } from '../http/client';
import { createOptionsBlock, runSettingFields } from '../operation/operationFields';
import type { Operation } from '../operation/defineOperation';
import { isAiTool, readAgentParameter } from './aiTool';
import { readUpload } from './binaryFiles';
import { isEmpty, isRecord, tryParseJson } from '../values';

interface ReadFormOptions {
	/** The fields to read. By default, all fields of the operation are read. */
	fields?: FieldMap;
	/** Reads a file of the item. The default only checks that the file exists. */
	readUpload?: ItemContext['readUpload'];
}

/**
 * Returns true if the expression of a field for several records returned an empty list or text. That counts as an expression that returned
 * nothing, because it may have looked for records and found none. Without an expression, the user left the field empty on purpose.
 */
function isEmptySelection(field: Field<unknown> | undefined, value: unknown, savedValue: unknown): boolean {
	const hasExpression = typeof savedValue === 'string' && savedValue.startsWith('=');
	return hasExpression && field?.property.type === 'multiOptions' && listEntries(value).every(isEmpty);
}

/** Lists the entries of a selection: a list, also one inside a list, or a text with entries or with a list as JSON. */
function listEntries(value: unknown): unknown[] {
	if (typeof value !== 'string') return flattenDeep([value]);
	const json = tryParseJson(value);
	return 'value' in json && Array.isArray(json.value) ? flattenDeep(json.value) : value.split(/[,\n]/);
}

/** Replaces each selection for which `isEmptySelection` is true by null, also inside a collection. */
function removeEmptySelections(field: Field<unknown> | undefined, value: unknown, savedValue: unknown): unknown {
	if (isEmptySelection(field, value, savedValue)) return null;
	if (!field?.innerFields || !isRecord(value) || !isRecord(savedValue)) return value;
	const { innerFields } = field;
	return mapValues(value, (innerValue, name) => removeEmptySelections(innerFields[name], innerValue, savedValue[name]));
}

/** Reads and parses the form of an item. A mistake in a field is not thrown here, but when the field's value is used. */
export async function readForm(
	context: IExecuteFunctions,
	operation: Operation,
	itemIndex: number,
	options: ReadFormOptions = {},
): Promise<FormValues> {
	const node = context.getNode();
	const readParameter = createParameterReader(node, (name) => context.getNodeParameter(name, itemIndex));
	const isForAgent = isAiTool(context);
	const readRawValue = (name: string) => {
		const savedValue = node.parameters[name];
		const value = readParameter(name);
		if (isForAgent) return readAgentParameter(operation, name, value, savedValue);
		return operation.isReadOnly ? value : removeEmptySelections(operation.fields[name], value, savedValue);
	};
	return await FormValues.read(options.fields ?? operation.fields, readRawValue, {
		timezone: context.getTimezone(),
		isWrite: !operation.isReadOnly,
		readUpload:
			options.readUpload ?? (async (file) => readUpload(context, itemIndex, file, { shouldReadContent: false })),
	});
}

/**
 * Reads the settings of the run from the form of the first item. If a setting is invalid, the defaults are used here, and the item fails
 * when its form is checked.
 */
export async function readSettings(context: IExecuteFunctions, operation: Operation): Promise<ClientSettings> {
	const { options } = operation.fields;
	const form = await readForm(context, operation, 0, { fields: options ? { options } : {} });
	try {
		const { concurrency, timeout } = form.get(createOptionsBlock(runSettingFields)).options;
		return {
			concurrency: concurrency ?? DEFAULT_CLIENT_SETTINGS.concurrency,
			timeoutMs: timeout === undefined ? DEFAULT_CLIENT_SETTINGS.timeoutMs : timeout * 1000,
		};
	} catch {
		return DEFAULT_CLIENT_SETTINGS;
	}
}
