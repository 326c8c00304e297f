import { defineOperation } from '../core/operation/defineOperation';
import { emptyResponse } from '../core/response/recordResponse';
import {
	groupMembersPicker,
	targetGroupOperationBase,
	targetGroupPicker,
} from '../domain/targetGroups/sharedTargetGroupOperations';

export const removeTargetGroupMembersOperation = defineOperation({
	value: 'remove',
	name: 'Remove',
	action: 'Remove target group members',
	description: 'Remove people from a target group',
	endpoint: 'DELETE /api/target-groups/{resourceId}/users',
	...targetGroupOperationBase,
	fields: { targetGroup: targetGroupPicker, people: groupMembersPicker('The people to remove from the target group') },
	request: ({ targetGroup, people }) => ({
		path: { resourceId: targetGroup.id },
		body: { targetUserResourceIds: people },
	}),
	response: emptyResponse(),
});
