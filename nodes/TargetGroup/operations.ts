import { pages } from '../shared/answer/pages';
import { defineOperation } from '../shared/operation/operation';
import { TARGET_GROUP_ID } from '../shared/pickers/resources';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Target Groups',
	description: 'List the groups of users that trainings and simulations are sent to, of one customer or of every one',
	contract: 'POST /api/target-groups/search/current-company',
	scope: 'companies',
	answer: pages({
		identity: TARGET_GROUP_ID,
	}),
});

export const operations = [getMany];
