/** Parameters whose values come from elsewhere: from an AI agent, or from the input item. */
import { cloneDeep } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { parseNodeParameters } from '../n8n-core/shapes';

interface FilledParameters<T> {
	/** The same form, with an expression in each place. */
	parameters: IDataObject;
	/** What the expressions find, by name. */
	values: Record<string, T>;
}

const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param expression what to write in a place, by the name of its value
 * @param valueOf what stands for a value
 */
function replaceValues<T>(
	parameters: IDataObject,
	expression: (name: string) => string,
	valueOf: (value: unknown) => T,
	path: string[] = [],
): FilledParameters<T> {
	const values: Record<string, T> = {};
	const inside = (inner: IDataObject, name: string) => {
		const filled = replaceValues(inner, expression, valueOf, [...path, name]);
		Object.assign(values, filled.values);
		return filled.parameters;
	};
	const fill = (name: string, value: unknown): IDataObject | string | IDataObject[] | undefined => {
		if (value === undefined) return undefined;
		if (Array.isArray(value) && value.every(isRecord))
			return value.map((row, index) => inside(row, `${name}_${index}`));
		if (isRecord(value)) {
			const { __rl, mode, ...rest } = value;
			return { ...(__rl === true ? { __rl, mode } : {}), ...inside(rest, name) };
		}
		const key = [...path, name].join('_');
		values[key] = valueOf(value);
		return expression(key);
	};
	return {
		parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, fill(name, value)])),
		values,
	};
}

/** Parameters that are each to be filled in by an agent, and what it fills in: a text, whatever it stands for. */
export function fillByAgent(parameters: IDataObject): { parameters: IDataObject; toolArguments: Record<string, string> } {
	const { values, ...filled } = replaceValues(
		parameters,
		(name) => `={{ $fromAI('${name}', 'What to use', 'string') }}`,
		(value) => (Array.isArray(value) ? value.join(', ') : String(value)),
	);
	return { ...filled, toolArguments: values };
}

/** Parameters that are each taken from the input item, and that item. */
export function fillFromItem(parameters: IDataObject): { parameters: IDataObject; json: IDataObject } {
	const { values, ...filled } = replaceValues(
		parameters,
		(name) => `={{ $json[${JSON.stringify(name)}] }}`,
		cloneDeep<unknown>,
	);
	return { ...filled, json: parseNodeParameters(values) };
}
