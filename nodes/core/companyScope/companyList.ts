import { COMPANY_ID_FIELDS, COMPANY_NAME_FIELDS, flattenChildren, toCompany } from '../companies/companies';
import { CHILD_MARK } from '../pickers/labels';
import type { ChoiceListDefinition } from '../pickers/listSource';

/** The list of the companies that a credential manages (contract 4.3). Child companies follow their parents. */
export const COMPANY_LIST: ChoiceListDefinition = {
	endpoint: 'POST /api/companies/search',
	idFields: COMPANY_ID_FIELDS,
	nameFields: COMPANY_NAME_FIELDS,
	expandRecord: flattenChildren,
	toChoice: (record) => {
		const { id, name } = toCompany(record);
		const mark = 'parentCompanyResourceId' in record ? CHILD_MARK : '';
		return id === '' ? undefined : { id, name: mark + (name || `No name (${id})`) };
	},
};
