import { pages } from '../../shared/answer/pages';
import { defineOperation } from '../../shared/operation/define';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Target Groups',
	action: 'Get many target groups',
	description: 'List the groups of users that trainings and simulations are sent to, of one customer or of every one',
	contract: 'POST /api/target-groups/search/current-company',
	scope: 'companies',
	owned: ['resourceId', 'targetGroupResourceId', 'id'],
	fields: {},
	request: () => ({}),
	answer: pages({
		identity: ['resourceId', 'targetGroupResourceId', 'id'],
		filterable: ['Name', 'CompanyName', 'CreateTime', 'Priority', 'UpdateTime', 'UserCount'],
	}),
});
