import { list } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';

export const getAll = defineOperation({
	value: 'getAllGroups',
	name: 'Get All Company Groups',
	action: 'Get all company groups',
	description: 'List every group at once, without filters',
	contract: 'GET /api/company-groups',
	scope: 'credential',
	fields: {},
	request: () => ({}),
	answer: list(),
});
