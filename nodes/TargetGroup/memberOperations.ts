import { defineOperation } from '../core/operation/defineOperation';
import { emptyResponse } from '../core/response/recordResponse';
import {
	groupMembersPicker,
	targetGroupOperationBase,
	targetGroupPicker,
} from '../domain/targetGroups/sharedTargetGroupOperations';

export const removeTargetGroupMembersOperation = defineOperation({
	value: 'removeMembers',
	name: 'Remove Target Group Members',
	description: 'Take users out of a group',
	endpoint: 'DELETE /api/target-groups/{resourceId}/users',
	...targetGroupOperationBase,
	fields: { targetGroup: targetGroupPicker, people: groupMembersPicker },
	request: ({ targetGroup, people }) => ({
		path: { resourceId: targetGroup.id },
		body: { targetUserResourceIds: people },
	}),
	response: emptyResponse(),
});
