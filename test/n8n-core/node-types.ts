import { UnexpectedError, type INodeType, type INodeTypes } from 'n8n-workflow';

/** Creates the node types that a workflow can use, by their full names. */
export function createNodeTypes(types: Record<string, INodeType>): INodeTypes {
	const getNodeType = (name: string): INodeType => {
		const type = types[name];
		if (!type) throw new UnexpectedError(`Unknown node type: ${name}`);
		return type;
	};
	return { getByName: getNodeType, getByNameAndVersion: getNodeType, getKnownTypes: () => ({}) };
}
