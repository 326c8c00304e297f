import { COMPANY_ID_FIELDS, COMPANY_NAME_FIELDS, flattenChildren, toCompany } from '../companies/companies';
import { CHILD_MARK } from '../pickers/labels';
import type { ChoiceListDefinition } from '../pickers/listSource';

/** Defines how to read the companies that the credential manages (contract 4.3). Each company is followed by its child companies. */
export const COMPANY_LIST: ChoiceListDefinition = {
	endpoint: 'POST /api/companies/search',
	idFields: COMPANY_ID_FIELDS,
	nameFields: COMPANY_NAME_FIELDS,
	expandRecord: flattenChildren,
	toChoice: (record) => {
		const { id, name } = toCompany(record);
		const childMark = 'parentCompanyResourceId' in record ? CHILD_MARK : '';
		return id === '' ? undefined : { id, name: childMark + (name || `No name (${id})`) };
	},
};
