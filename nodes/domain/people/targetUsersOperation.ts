import { defineOperation } from '../../core/operation/defineOperation';
import { listResponse, USER_FILTERABLE_FIELDS, USER_SORTABLE_FIELDS } from '../../core/response/listResponse';
import { TARGET_USER_ID_FIELDS } from '../pickers/resourcePickers';
import { PERSON_LIST_FIELDS } from './personFields';

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
