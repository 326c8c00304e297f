/** The fields of a form, as somebody finds them who fills in whatever takes something. */
import type { IDataObject, INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** A field of an operation. */
export interface Field {
	/** Where its value is in the parameters. */
	path: string[];
	type: INodeProperties['type'];
	/** What can be chosen, if it is a choice. */
	choices: unknown[];
}

const isProperty = (
	entry: INodePropertyOptions | INodeProperties | INodePropertyCollection,
): entry is INodeProperties => 'type' in entry && 'displayName' in entry;
const isCollection = (
	entry: INodePropertyOptions | INodeProperties | INodePropertyCollection,
): entry is INodePropertyCollection => 'values' in entry;

/** Whether a field may be shown for an operation. */
const isOf = ({ displayOptions }: INodeProperties, operation: string): boolean => {
	const operations = displayOptions?.show?.operation;
	return operations === undefined || operations.some((each) => each === operation);
};

/** All fields that take something, those inside collections included. */
export function fieldsIn(properties: readonly INodeProperties[], operation: string, path: string[] = []): Field[] {
	return properties
		.filter((property) => isOf(property, operation) && !['operation', 'resource'].includes(property.name))
		.flatMap((property): Field[] => {
			const { name, type, options = [] } = property;
			const here = [...path, name];
			if (type === 'collection') return fieldsIn(options.filter(isProperty), operation, here);
			if (type === 'fixedCollection')
				return options
					.filter(isCollection)
					.flatMap((group) => fieldsIn(group.values, operation, [...here, group.name, '0']));
			const choices = options.flatMap((entry): unknown[] => ('value' in entry ? [entry.value] : []));
			return type === 'notice' ? [] : [{ path: here, type, choices }];
		});
}

const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** All places in parameters where there is a value: a picker's and a list's is one. */
export function placesIn(parameters: IDataObject, path: string[] = []): string[][] {
	return Object.entries(parameters).flatMap(([name, value]) =>
		isRecord(value) && value.__rl !== true && Object.keys(value).length > 0
			? placesIn(value, [...path, name])
			: [[...path, name]],
	);
}
