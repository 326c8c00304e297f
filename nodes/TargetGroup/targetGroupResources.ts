import type { NodeResource } from '../core/operation/nodeResource';
import {
	addTargetGroupMembersOperation,
	createTargetGroupOperation,
	deleteTargetGroupOperation,
	getTargetGroupMembersOperation,
	getTargetGroupsOperation,
} from '../domain/targetGroups/sharedTargetGroupOperations';
import { checkTargetGroupReadinessOperation } from './checkReadinessOperation';
import { removeTargetGroupMembersOperation } from './memberOperations';
import { getTargetGroupOperation, updateTargetGroupOperation } from './targetGroupOperations';

/** The n8n resources of the Target Group node. The node opens on the first one. */
export const targetGroupResources: NodeResource[] = [
	{
		value: 'targetGroup',
		name: 'Target Group',
		defaultOperation: 'getMany',
		operations: [
			checkTargetGroupReadinessOperation,
			createTargetGroupOperation,
			deleteTargetGroupOperation,
			getTargetGroupOperation,
			getTargetGroupsOperation,
			updateTargetGroupOperation,
		],
	},
	{
		value: 'member',
		name: 'Member',
		defaultOperation: 'getMany',
		operations: [addTargetGroupMembersOperation, getTargetGroupMembersOperation, removeTargetGroupMembersOperation],
	},
];
