import { defineOperation } from '../core/operation/defineOperation';
import { listResponse, USER_FILTERABLE_FIELDS, USER_SORTABLE_FIELDS } from '../core/response/listResponse';
import { recordResponse } from '../core/response/recordResponse';
import { PERSON_LIST_FIELDS, PERSON_RECORD_FIELDS } from '../domain/people/personFields';
import { TARGET_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';
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

export const getTargetUsersOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many target users',
	description: 'List the people of one customer or all customers',
	endpoint: 'POST /api/target-users/search',
	scope: 'companies',
	response: listResponse({
		outputFields: PERSON_LIST_FIELDS,
		identity: TARGET_USER_ID_FIELDS,
		sortableFields: USER_SORTABLE_FIELDS,
		filterableFields: USER_FILTERABLE_FIELDS,
	}),
});
