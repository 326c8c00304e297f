import { defineOperation } from '../core/operation/defineOperation';
import { recordResponse } from '../core/response/recordResponse';
import { PERSON_RECORD_FIELDS } from '../domain/people/personFields';
import { targetUserPickerFields } from './targetUserFields';

export const getTargetUserOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get target user',
	description: 'Get the name, email address and other details of a person',
	endpoint: 'GET /api/target-users/{resourceId}',
	scope: 'company',
	fields: targetUserPickerFields,
	request: ({ targetUser }) => ({ path: { resourceId: targetUser.id } }),
	response: recordResponse({ outputFields: PERSON_RECORD_FIELDS }),
});
