import { fileResponse } from '../core/response/fileResponse';
import { DEFAULT_SORTABLE_FIELDS, listResponse } from '../core/response/listResponse';
import { emptyResponse, plainListResponse, recordResponse } from '../core/response/recordResponse';
import { textField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { COMPANY_GROUP_ID_FIELDS, resourceMultiPicker, resourcePicker } from '../domain/pickers/resourcePickers';
import { optionalMembersFields } from './companyGroupFields';
import { readAllMemberIds } from './readCompanyGroup';

const nameField = textField({
	displayName: 'Name',
	description: 'The name that the company group should have, such as Gold Customers',
	placeholder: 'e.g. Gold customers',
	required: true,
	max: 64,
});

export const createCompanyGroupOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create company group',
	description: 'Create a group of customer companies',
	endpoint: 'POST /api/company-groups',
	scope: 'credential',
	fields: {
		name: nameField,
		companies: resourceMultiPicker('companies', {
			displayName: 'Company Names or IDs',
			description: 'The companies to add to the new group',
		}),
	},
	request: ({ name, companies }) => ({ body: { name, companyResourceIdArray: companies } }),
	response: recordResponse(),
});

export const deleteCompanyGroupOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete company group',
	description: 'Delete a group of customer companies',
	endpoint: 'DELETE /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: resourcePicker('companyGroups') },
	request: ({ companyGroup }) => ({ path: { resourceId: companyGroup.id } }),
	response: emptyResponse({ deleted: true }),
});

export const exportCompanyGroupsOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export company groups',
	description: 'Export the list of company groups as a CSV or Excel file',
	endpoint: 'POST /api/company-groups/search/export',
	scope: 'credential',
	response: fileResponse({
		fallbackName: 'company-groups',
		// This export spells the file formats differently from other exports (contract 2.16).
		formatNames: { csv: 'Csv', excel: 'Excel' },
		sortableFields: DEFAULT_SORTABLE_FIELDS,
	}),
});

export const getAllCompanyGroupsOperation = defineOperation({
	value: 'listAll',
	name: 'List All',
	action: 'List all company groups',
	description: 'List all company groups at once, without filters or a limit',
	endpoint: 'GET /api/company-groups',
	scope: 'credential',
	response: plainListResponse(),
});

export const getManyCompanyGroupsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many company groups',
	description: 'List company groups, up to a limit and with optional filters',
	endpoint: 'POST /api/company-groups/search',
	scope: 'credential',
	response: listResponse({ identity: COMPANY_GROUP_ID_FIELDS }),
});

export const updateCompanyGroupOperation = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update company group',
	description: 'Rename a company group and optionally replace its members',
	endpoint: 'PUT /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: resourcePicker('companyGroups'), name: nameField, ...optionalMembersFields },
	request: ({ companyGroup, name, companies = [] }) => ({
		path: { resourceId: companyGroup.id },
		body: { name, companyResourceIdArray: companies },
	}),
	response: recordResponse(),
	perform: async ({ companyGroup, membersFrom }, helpers) => {
		if (membersFrom !== 'keep') return await helpers.send({});
		const memberIds = await readAllMemberIds(companyGroup.id, helpers);
		return await helpers.send({ body: { companyResourceIdArray: memberIds } });
	},
});
