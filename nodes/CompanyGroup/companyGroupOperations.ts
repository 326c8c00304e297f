import { fileResponse } from '../core/response/fileResponse';
import { DEFAULT_SORTABLE_FIELDS, listResponse } from '../core/response/listResponse';
import { emptyResponse, plainListResponse, recordResponse } from '../core/response/recordResponse';
import { textField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { COMPANY_GROUP_ID_FIELDS, resourceMultiPicker, resourcePicker } from '../domain/pickers/resourcePickers';
import { optionalParticipantsFields } from './companyGroupFields';
import { readAllMemberIds } from './readCompanyGroup';

const nameField = textField({
	displayName: 'Name',
	description: 'The name of the group',
	placeholder: 'e.g. Gold customers',
	required: true,
	max: 64,
});

export const createCompanyGroupOperation = defineOperation({
	value: 'create',
	name: 'Create Company Group',
	description: 'Put customer companies together in a new group; for a group of people: Create Target Group',
	endpoint: 'POST /api/company-groups',
	scope: 'credential',
	fields: {
		name: nameField,
		participantList: resourceMultiPicker('companies', { displayName: 'Company Names or IDs' }),
	},
	request: ({ name, participantList }) => ({ body: { name, companyResourceIdArray: participantList } }),
	response: recordResponse(),
});

export const deleteCompanyGroupOperation = defineOperation({
	value: 'delete',
	name: 'Delete Company Group',
	description: 'Remove a group of customer companies',
	endpoint: 'DELETE /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: resourcePicker('companyGroups') },
	request: ({ companyGroup }) => ({ path: { resourceId: companyGroup.id } }),
	response: emptyResponse({ deleted: true }),
});

export const exportCompanyGroupsOperation = defineOperation({
	value: 'export',
	name: 'Export Company Groups',
	description: 'Get the list of groups as a CSV or Excel file',
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
	value: 'getAllGroups',
	name: 'Get All Company Groups',
	description: 'List every group at once; to search, filter or sort them: Get Many Company Groups',
	endpoint: 'GET /api/company-groups',
	scope: 'credential',
	response: plainListResponse(),
});

export const getManyCompanyGroupsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many Company Groups',
	description: 'Search the groups by text and filters; simply all of them: Get All Company Groups',
	endpoint: 'POST /api/company-groups/search',
	scope: 'credential',
	response: listResponse({ identity: COMPANY_GROUP_ID_FIELDS }),
});

export const updateCompanyGroupOperation = defineOperation({
	value: 'update',
	name: 'Update Company Group',
	description: 'Change the name of a group, and its participants if you choose others',
	endpoint: 'PUT /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: resourcePicker('companyGroups'), name: nameField, ...optionalParticipantsFields },
	request: ({ companyGroup, name, participantList = [] }) => ({
		path: { resourceId: companyGroup.id },
		body: { name, companyResourceIdArray: participantList },
	}),
	response: recordResponse(),
	perform: async ({ companyGroup, participantsFrom }, helpers) => {
		if (participantsFrom !== 'keep') return await helpers.send({});
		const memberIds = await readAllMemberIds(companyGroup.id, helpers);
		return await helpers.send({ body: { companyResourceIdArray: memberIds } });
	},
});
