import { NodeConnectionTypes, type INode } from 'n8n-workflow';

/** A workflow with a trigger, whose items go to a node that does nothing. @param name the name of the trigger's node */
export function triggerWorkflow(trigger: INode, name: string) {
	const end: INode = {
		id: 'end',
		name: 'End',
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [200, 0],
		parameters: {},
	};
	return {
		nodes: [{ ...trigger, name }, end],
		connections: { [name]: { main: [[{ node: 'End', type: NodeConnectionTypes.Main, index: 0 }]] } },
	};
}
