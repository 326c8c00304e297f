import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../shared/answer/answer';
import { file } from '../shared/answer/file';
import { DEFAULT_SORT, pages } from '../shared/answer/pages';
import { done, list, record } from '../shared/answer/record';
import { showWhen } from '../shared/form/field';
import { choice, text } from '../shared/form/fields';
import { defineOperation } from '../shared/operation/operation';
import { COMPANY_ID, companyOf } from '../shared/pickers/companies';
import { GROUP_ID, multiPickerOf, pickerOf } from '../shared/pickers/resources';
import type { Company } from '../shared/transport/request';
import { COMPANY_CONDITIONS, withLimit } from '../Company/fields';
import { listOf } from '../shared/values';
import { readOptionalList } from '../shared/answer/list';

const name = text({
	displayName: 'Name',
	description: 'The name of the group',
	placeholder: 'e.g. Gold customers',
	required: true,
	max: 64,
});

/** The companies of an existing group. 'No Companies' is a choice, so that an expression without a result never clears it. */
const participants = {
	participantsFrom: {
		...choice({
			displayName: 'Participants',
			description: 'Which companies the group is to have',
			default: 'list',
			options: [
				{ name: 'Choose From List', value: 'list' },
				{ name: 'No Companies', value: 'none', description: 'Remove all companies from the group' },
			],
		}),
		notForAgents: ['none'],
	},
	participantList: showWhen(
		{ participantsFrom: ['list'] },
		multiPickerOf('companies', {
			displayName: 'Company Names or IDs',
			required: true,
			whenEmpty: "If the group is to have no companies, choose 'No Companies' in 'Participants'.",
		}),
	),
};

/** The companies of one group, by an operation outside the contract (deployment shapes). */
const MEMBERS = 'POST /api/company-groups/{resourceId}/companies/search';

/** Reads the companies of a group. @returns undefined if the deployment has no such list */
async function membersOf(context: OperationContext, resourceId: string): Promise<Company[] | undefined> {
	const listed = await readOptionalList(context, { endpoint: MEMBERS, path: { resourceId } }, { identity: COMPANY_ID });
	return listed?.map(companyOf).filter(({ id }) => id !== '');
}

/** Companies for an output item, with the same field names as in the list of companies. */
const asParticipants = (companies: Company[]): IDataObject[] =>
	companies.map(({ id, name }) => ({ companyResourceId: id, companyName: name }));

const create = defineOperation({
	value: 'create',
	name: 'Create Company Group',
	description: 'Put customer companies together in a new group',
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

const get = defineOperation({
	value: 'get',
	name: 'Get Company Group',
	description: 'Get one group, with its participants if the platform gives them',
	endpoint: 'GET /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: pickerOf('companyGroups') },
	request: ({ companyGroup }) => ({ path: { resourceId: companyGroup.id } }),
	answer: record(),
	perform: async ({ companyGroup }, { send, context }) => {
		const [group = { json: {} }] = await send();
		// Some deployments return only the number of participants (deployment shapes).
		if (Object.values(group.json).some(Array.isArray)) return [group];
		const members = await membersOf(context, companyGroup.id);
		return members ? [{ json: { ...group.json, participants: asParticipants(members) } }] : [group];
	},
});

const getAll = defineOperation({
	value: 'getAllGroups',
	name: 'Get All Company Groups',
	description: 'List every group at once, without filters',
	endpoint: 'GET /api/company-groups',
	scope: 'credential',
	answer: list(),
});

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Company Groups',
	description: 'Search the groups by text and filters, in the order you choose',
	endpoint: 'POST /api/company-groups/search',
	scope: 'credential',
	answer: pages({ identity: GROUP_ID }),
});

const replaceParticipants = defineOperation({
	value: 'replaceParticipants',
	name: 'Replace Company Group Participants',
	description: 'Make the given companies the only ones in a group',
	endpoint: 'PUT /api/company-groups/{resourceId}/participants',
	scope: 'credential',
	fields: { companyGroup: pickerOf('companyGroups'), ...participants },
	request: ({ companyGroup, participantList = [] }) => ({
		path: { resourceId: companyGroup.id },
		body: { companyResourceIdArray: participantList },
	}),
	answer: record(),
	perform: async ({ companyGroup, participantList = [] }, { send, context }) => {
		const [group = { json: {} }] = await send();
		// Some deployments only add the given companies (deployment behaviour, "Company groups"), so the result is read back.
		const members = await membersOf(context, companyGroup.id);
		const wanted = new Set(participantList);
		// A list that is empty although companies were given does not show the result.
		if (!members || (members.length === 0 && wanted.size > 0)) {
			context.hint(
				'The platform does not list who is in the group, so it was not checked whether only the given companies are.',
			);
			return [group];
		}
		const stayed = members.filter(({ id }) => !wanted.has(id));
		const there = new Set(members.map(({ id }) => id));
		const missing = [...wanted].filter((id) => !there.has(id));
		if (stayed.length > 0)
			context.hint(
				"The platform added the given companies, but left others in the group. Remove them with 'Remove Company Group Participants'.",
				listOf(
					stayed.map(({ id, name }) => name || id),
					', ',
					3,
				),
			);
		if (missing.length > 0)
			context.hint('Not all of the given companies are in the group afterwards.', listOf(missing, ', ', 3));
		return [{ json: { ...group.json, participants: asParticipants(members), notRemoved: asParticipants(stayed) } }];
	},
});

const getMembers = defineOperation({
	value: 'getMembers',
	name: 'Get Company Group Members',
	description: 'List the companies in a group',
	endpoint: MEMBERS,
	scope: 'credential',
	fields: { companyGroup: pickerOf('companyGroups') },
	request: ({ companyGroup }) => ({ path: { resourceId: companyGroup.id } }),
	answer: pages({
		identity: COMPANY_ID,
		conditions: COMPANY_CONDITIONS,
		known: {
			simplified: [
				...['companyName', 'companyStatusName', 'licenseTypeName', 'licenseEndDate', 'numberOfUsers'],
				...['isNumberOfUsersLimited', 'industryName', 'createTime', 'companyResourceId', 'companyGroupResourceId'],
			],
			others: ['industryResourceId', 'licenseTypeResourceId', 'companyStatusId'],
		},
	}),
	output: (json, { companyGroup }) => ({ companyGroupResourceId: companyGroup.id, ...withLimit(json) }),
});

const removeParticipants = defineOperation({
	value: 'removeParticipants',
	name: 'Remove Company Group Participants',
	description: 'Take companies out of a group',
	endpoint: 'DELETE /api/company-groups/{resourceId}/participants',
	scope: 'credential',
	fields: {
		companyGroup: pickerOf('companyGroups'),
		participantList: multiPickerOf('companies', { displayName: 'Company Names or IDs', required: true }),
	},
	request: ({ companyGroup, participantList }) => ({
		path: { resourceId: companyGroup.id },
		body: { companyResourceIdArray: participantList },
	}),
	answer: done(),
});

const update = defineOperation({
	value: 'update',
	name: 'Update Company Group',
	description: 'Change the name and the participants of a group',
	endpoint: 'PUT /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: pickerOf('companyGroups'), name, ...participants },
	request: ({ companyGroup, name, participantList = [] }) => ({
		path: { resourceId: companyGroup.id },
		body: { name, companyResourceIdArray: participantList },
	}),
	answer: record(),
});

export const operations = [
	create,
	deleteOne,
	exportMany,
	get,
	getAll,
	getMany,
	getMembers,
	removeParticipants,
	replaceParticipants,
	update,
];
