/** Walks through the fields of a node's description. */
import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

/** A field of a node or of a collection in it, at any depth. */
export interface PlacedField {
	property: INodeProperties;
	/** The names that lead to the field, for messages: additionalFields.logo */
	path: string;
	/** All fields in the same collection or form, including this one. The field's displayOptions may refer to them. */
	siblingProperties: INodeProperties[];
}

type OptionEntry = INodePropertyOptions | INodeProperties | INodePropertyCollection;

const isCollection = (entry: OptionEntry): entry is INodePropertyCollection => 'values' in entry;
const isProperty = (entry: OptionEntry): entry is INodeProperties => 'type' in entry && 'default' in entry;
const isOption = (entry: OptionEntry): entry is INodePropertyOptions => 'value' in entry;

/** Returns the options of a choice field. */
export const getOptions = ({ options = [] }: INodeProperties): INodePropertyOptions[] => options.filter(isOption);

/** An operation as a node's form offers it, with the resource for which the form shows it. */
export interface OperationOption extends INodePropertyOptions {
	resource: string;
}

/** Lists the operations that a node's form offers, for all its resources. */
export const listOperationOptions = ({ properties }: Pick<INodeTypeDescription, 'properties'>): OperationOption[] =>
	properties
		.filter(({ name }) => name === 'operation')
		.flatMap((property) =>
			(property.displayOptions?.show?.resource ?? []).flatMap((resource) =>
				getOptions(property).map((option) => ({ ...option, resource: String(resource) })),
			),
		);

/** Returns the groups of fields in a fixedCollection. */
export const getFieldGroups = ({ options = [] }: INodeProperties): INodePropertyCollection[] =>
	options.filter(isCollection);

/** Lists all fields of a node, including those inside collections. */
export function listFields({ properties }: Pick<INodeTypeDescription, 'properties'>): PlacedField[] {
	const listFieldsAt = (siblingProperties: INodeProperties[], pathPrefix: string): PlacedField[] =>
		siblingProperties.flatMap((property) => {
			const path = pathPrefix + property.name;
			const innerProperties = (property.options ?? []).filter(isProperty);
			const groupFields = getFieldGroups(property).flatMap(({ name, values }) =>
				listFieldsAt(values, `${path}.${name}.`),
			);
			return [{ property, path, siblingProperties }, ...listFieldsAt(innerProperties, `${path}.`), ...groupFields];
		});
	return listFieldsAt(properties, '');
}
