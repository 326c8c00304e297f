import { list } from '../../shared/answer/record';
import { text } from '../../shared/form/text';
import { defineOperation } from '../../shared/operation/define';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Executive Reports',
	action: 'Get many executive reports',
	description: 'List the executive reports and their widgets, all of them or by name',
	contract: 'POST /api/executive-report/search',
	scope: 'company',
	fields: {
		name: text({
			displayName: 'Name',
			description: 'Only reports with this name; leave it empty for all',
			placeholder: 'e.g. Risk',
		}),
	},
	request: ({ name }) => ({ body: { name: name === '' ? null : name } }),
	answer: list({ reads: true }),
});
