import { UnexpectedError, type INodeType, type INodeTypes } from 'n8n-workflow';

/** The node types a workflow may use, by full name. */
export function createNodeTypes(types: Record<string, INodeType>): INodeTypes {
	const find = (name: string): INodeType => {
		const type = types[name];
		if (!type) throw new UnexpectedError(`Unknown node type: ${name}`);
		return type;
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}
