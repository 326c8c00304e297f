import {
	addTargetGroupMembersOperation,
	createTargetGroupOperation,
	deleteTargetGroupOperation,
	getTargetGroupMembersOperation,
	getTargetGroupsOperation,
} from '../domain/targetGroups/sharedTargetGroupOperations';
import { removeTargetGroupMembersOperation } from './memberOperations';
import { getTargetGroupOperation, updateTargetGroupOperation } from './targetGroupOperations';

/** The operations of the Target Group node. Their forms follow each other in this order in the node's properties. */
export const allTargetGroupOperations = [
	addTargetGroupMembersOperation,
	createTargetGroupOperation,
	deleteTargetGroupOperation,
	getTargetGroupOperation,
	getTargetGroupsOperation,
	getTargetGroupMembersOperation,
	removeTargetGroupMembersOperation,
	updateTargetGroupOperation,
];
