import { NodeConnectionTypes, type IDataObject, type INode } from 'n8n-workflow';

import { pollTimes } from './client';
import { CREDENTIAL_TYPE, type OpenN8n } from './stage';

/**
 * A trigger for Every Company that polls as often as a test needs.
 * @param type Campaign or Enrollment
 */
export const triggerOfAll = (
	type: string,
	parameters: IDataObject,
	credential: OpenN8n['credential'],
): Omit<INode, 'name'> => ({
	...{ id: 'trigger', typeVersion: 1, position: [0, 0] },
	type: `n8n-nodes-security-awareness.securityAwareness${type}Trigger`,
	parameters: { companyScope: 'every', ...parameters, pollTimes },
	credentials: { [CREDENTIAL_TYPE]: credential },
});

/** A workflow with a trigger, whose items go to a node that does nothing. @param name the name of the trigger's node */
export function triggerWorkflow(trigger: Omit<INode, 'name'>, name: string) {
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
