import { file } from '../core/response/fileResponse';
import { DEFAULT_SORT, pages } from '../core/response/listResponse';
import { done, plainList, record } from '../core/response/recordResponse';
import { text } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { GROUP_ID, multiPickerOf, pickerOf } from '../domain/pickers/resourcePickers';
import { allMembers, participantOperations, participantsOrSame } from './memberOperations';

const name = text({
	displayName: 'Name',
	description: 'The name of the group',
	placeholder: 'e.g. Gold customers',
	required: true,
	max: 64,
});

const create = defineOperation({
	value: 'create',
	name: 'Create Company Group',
	description: 'Put customer companies together in a new group; for a group of people: Create Target Group',
	endpoint: 'POST /api/company-groups',
	scope: 'credential',
	fields: { name, participantList: multiPickerOf('companies', { displayName: 'Company Names or IDs' }) },
	request: ({ name, participantList }) => ({ body: { name, companyResourceIdArray: participantList } }),
	answer: record(),
});

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete Company Group',
	description: 'Remove a group of customer companies',
	endpoint: 'DELETE /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: pickerOf('companyGroups') },
	request: ({ companyGroup }) => ({ path: { resourceId: companyGroup.id } }),
	answer: done({ deleted: true }),
});

const exportMany = defineOperation({
	value: 'export',
	name: 'Export Company Groups',
	description: 'Get the list of groups as a CSV or Excel file',
	endpoint: 'POST /api/company-groups/search/export',
	scope: 'credential',
	answer: file({
		name: 'company-groups',
		// Contract 2.16 spells it so for this export.
		spelling: { csv: 'Csv', excel: 'Excel' },
		sortable: DEFAULT_SORT,
	}),
});

const getAll = defineOperation({
	value: 'getAllGroups',
	name: 'Get All Company Groups',
	description: 'List every group at once; to search, filter or sort them: Get Many Company Groups',
	endpoint: 'GET /api/company-groups',
	scope: 'credential',
	answer: plainList(),
});

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Company Groups',
	description: 'Search the groups by text and filters; simply all of them: Get All Company Groups',
	endpoint: 'POST /api/company-groups/search',
	scope: 'credential',
	answer: pages({ identity: GROUP_ID }),
});

const update = defineOperation({
	value: 'update',
	name: 'Update Company Group',
	description: 'Change the name of a group, and its participants if you choose others',
	endpoint: 'PUT /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: pickerOf('companyGroups'), name, ...participantsOrSame },
	request: ({ companyGroup, name, participantList = [] }) => ({
		path: { resourceId: companyGroup.id },
		body: { name, companyResourceIdArray: participantList },
	}),
	answer: record(),
	perform: async ({ companyGroup, participantsFrom }, tools) =>
		tools.send(
			participantsFrom === 'keep' ? { body: { companyResourceIdArray: await allMembers(companyGroup.id, tools) } } : {},
		),
});

export const operations = [create, deleteOne, exportMany, getAll, getMany, update, ...participantOperations];
