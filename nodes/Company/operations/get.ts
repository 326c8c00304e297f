import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { companyPicker } from '../../shared/pickers/company';
import { COMPANY } from '../fields';

export const get = defineOperation({
	value: 'get',
	name: 'Get Company',
	action: 'Get company',
	description: 'Get the details of one customer company',
	contract: 'GET /api/companies/{resourceId}',
	scope: 'credential',
	fields: { company: companyPicker() },
	request: ({ company }) => ({ path: { resourceId: company.id } }),
	answer: record({ known: COMPANY }),
});
