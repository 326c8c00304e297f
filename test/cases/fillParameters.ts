/** Replaces parameter values with expressions that read them from an AI agent. */
import type { IDataObject } from 'n8n-workflow';

interface FilledParameters<T> {
	/** The parameters with an expression in place of each value. */
	parameters: IDataObject;
	/** The replaced values, by the name that the expression contains. */
	values: Record<string, T>;
}

const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Replaces each value in the parameters with an expression.
 * @param buildExpression returns the expression that reads the value with a name
 * @param convertValue converts a value to the type that the expression reads
 */
function replaceValues<T>(
	parameters: IDataObject,
	buildExpression: (name: string) => string,
	convertValue: (value: unknown) => T,
	path: string[] = [],
): FilledParameters<T> {
	const values: Record<string, T> = {};
	const replaceNested = (nestedParameters: IDataObject, name: string) => {
		const filledParameters = replaceValues(nestedParameters, buildExpression, convertValue, [...path, name]);
		Object.assign(values, filledParameters.values);
		return filledParameters.parameters;
	};
	const replaceValue = (name: string, value: unknown): IDataObject | string | IDataObject[] | undefined => {
		if (value === undefined) return undefined;
		if (Array.isArray(value) && value.every(isRecord))
			return value.map((row, index) => replaceNested(row, `${name}_${index}`));
		if (isRecord(value)) {
			const { __rl, mode, ...fields } = value;
			return __rl === true ? { __rl, mode, ...replaceNested(fields, name) } : replaceNested(fields, name);
		}
		const valueName = [...path, name].join('_');
		values[valueName] = convertValue(value);
		return buildExpression(valueName);
	};
	return {
		parameters: Object.fromEntries(
			Object.entries(parameters).map(([name, value]) => [name, replaceValue(name, value)]),
		),
		values,
	};
}

/**
 * Replaces all parameter values with $fromAI expressions.
 * @returns the parameters, and the agent's arguments, which are always texts
 */
export function fillByAgent(parameters: IDataObject): {
	parameters: IDataObject;
	toolArguments: Record<string, string>;
} {
	const { values, ...filledParameters } = replaceValues(
		parameters,
		(name) => `={{ $fromAI('${name}', 'What to use', 'string') }}`,
		(value) => (Array.isArray(value) ? value.join(', ') : String(value)),
	);
	return { ...filledParameters, toolArguments: values };
}
