import { pages } from '../../shared/answer/pages';
import { defineOperation } from '../../shared/operation/define';
import { GROUP_FILTERABLE } from '../fields';
import { GROUP_ID } from '../../shared/pickers/companyGroup';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Company Groups',
	action: 'Get many company groups',
	description: 'Search the groups by text and filters, in the order you choose',
	contract: 'POST /api/company-groups/search',
	scope: 'credential',
	fields: {},
	request: () => ({}),
	answer: pages({ identity: GROUP_ID, filterable: GROUP_FILTERABLE }),
});
