/** Reads the form field 'Fields', with which users select the output fields of an operation. */
import type { INodeType } from 'n8n-workflow';
import { parseOperationKey } from '../contract/operationKeys';
import { getOptions } from '../rules/nodeFields';

/** The names that the form field 'Fields' of an operation offers, and those that it selects by default. */
export interface FieldOptions {
	names: string[];
	defaultNames: string[];
}

/** Reads the options of an operation's form field 'Fields'. @param key the operation's key @throws Error if it has no such field */
export function readFieldOptions({ description }: INodeType, node: string, key: string): FieldOptions {
	const selection = parseOperationKey(node, key);
	const property = description.properties.find(
		({ name, displayOptions: { show } = {} }) =>
			name === 'outputFields' &&
			show?.resource?.includes(selection.resource) &&
			show.operation?.includes(selection.operation),
	);
	if (!property) throw new Error(`${node} ${key} has no list of fields`);
	return {
		names: getOptions(property).map(({ value }) => String(value)),
		defaultNames: [property.default]
			.flat()
			.filter((name) => name !== undefined && name !== null)
			.map(String),
	};
}
