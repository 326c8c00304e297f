/** What n8n, from 2.x on, tells only an AI that builds workflows about a field. Older versions ignore it. */
export interface FieldHint {
	/** Plain text. "Required" comes first for a field that is required: n8n counts the default of a picker as a value. */
	propertyHint: string;
}

/** The same for a node. */
export interface NodeHint {
	/** What the node is good for; shown where an AI searches for nodes. */
	searchHint?: string;
	/** Text for the node's definition, or for that of the operations that `displayOptions` names. */
	extraTypeDefContent?: Array<{ content: string; displayOptions?: { show: Record<string, string[]> } }>;
}

// The types of n8n-workflow 2.7, which this package is built with, do not have these properties yet. Once they do, the
// compiler says here that they are declared twice: then this file can go.
declare module 'n8n-workflow' {
	interface INodeProperties {
		builderHint?: FieldHint;
	}
	interface INodeTypeDescription {
		builderHint?: NodeHint;
	}
}
