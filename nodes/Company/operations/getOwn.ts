import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { uniqueCompanies } from '../../shared/pickers/companies';
import { asListed, COMPANY, LICENSE_NOTE } from '../fields';

export const getOwn = defineOperation({
	value: 'getOwn',
	name: 'Get Own Company',
	action: 'Get own company',
	description: 'Get the company that the credential belongs to; for a Reseller, on some platforms, all its customers',
	outputNote: LICENSE_NOTE,
	contract: 'GET /api/companies/my',
	scope: 'credential',
	fields: {},
	request: () => ({}),
	answer: record({ known: COMPANY, expand: uniqueCompanies }),
	output: (json) => asListed(json),
});
