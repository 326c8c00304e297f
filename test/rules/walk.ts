import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

/** A field of a node, wherever it stands. */
export interface Field {
	property: INodeProperties;
	/** Its place, for messages: additionalFields.logo */
	path: string;
	/** The fields beside it, which its displayOptions may name. */
	siblings: INodeProperties[];
}

type Entry = INodePropertyOptions | INodeProperties | INodePropertyCollection;

const isCollection = (entry: Entry): entry is INodePropertyCollection => 'values' in entry;
const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry && 'default' in entry;
const isOption = (entry: Entry): entry is INodePropertyOptions => 'value' in entry;

export const optionsOf = ({ options = [] }: INodeProperties): INodePropertyOptions[] => options.filter(isOption);
export const groupsOf = ({ options = [] }: INodeProperties): INodePropertyCollection[] => options.filter(isCollection);

/** All fields of a node, those inside collections included. */
export function fieldsOf({ properties }: Pick<INodeTypeDescription, 'properties'>): Field[] {
	const walk = (siblings: INodeProperties[], place: string): Field[] =>
		siblings.flatMap((property) => {
			const path = place + property.name;
			return [
				{ property, path, siblings },
				...walk((property.options ?? []).filter(isProperty), `${path}.`),
				...groupsOf(property).flatMap(({ name, values }) => walk(values, `${path}.${name}.`)),
			];
		});
	return walk(properties, '');
}
