import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { companyPicker } from '../../shared/pickers/company';
import { asListed, COMPANY, LICENSE_NOTE } from '../fields';

export const get = defineOperation({
	value: 'get',
	name: 'Get Company',
	action: 'Get company',
	description: 'Get the details of one customer company',
	outputNote: LICENSE_NOTE,
	contract: 'GET /api/companies/{resourceId}',
	scope: 'credential',
	fields: { company: companyPicker() },
	request: ({ company }) => ({ path: { resourceId: company.id } }),
	answer: record({ known: COMPANY }),
	output: (json) => asListed(json),
});
