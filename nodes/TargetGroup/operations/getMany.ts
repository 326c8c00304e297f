import { pages } from '../../shared/answer/pages';
import { defineOperation } from '../../shared/operation/define';
import { TARGET_GROUP_ID } from '../../shared/pickers/targetGroup';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Target Groups',
	action: 'Get many target groups',
	description: 'List the groups of users that trainings and simulations are sent to, of one customer or of every one',
	contract: 'POST /api/target-groups/search/current-company',
	scope: 'companies',
	owned: TARGET_GROUP_ID,
	fields: {},
	request: () => ({}),
	answer: pages({
		identity: TARGET_GROUP_ID,
		filterable: ['Name', 'CompanyName', 'CreateTime', 'Priority', 'UpdateTime', 'UserCount'],
	}),
});
