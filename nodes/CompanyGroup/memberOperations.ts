import { difference, omit, union } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { OperationContext } from '../core/response/responseHandler';
import { pages } from '../core/response/listResponse';
import { done, record } from '../core/response/recordResponse';
import { showWhen } from '../core/fields/field';
import { choice } from '../core/fields/fieldTypes';
import { defineComposite, defineOperation, type Tools } from '../core/operation/defineOperation';
import { COMPANY_ID, companyOf } from '../core/companies/companies';
import { multiPickerOf, pickerOf } from '../domain/pickers/resourcePickers';
import { InvalidInput, isMissing, rethrow } from '../core/http/errors';
import { COMPANY_CONDITIONS, withLimit } from '../Company/companyFields';
import { listOf, toJson, type Choice } from '../core/values';
import { IncompleteList, readOptionalList } from '../core/pagination/readList';

const LIST = { name: 'Choose From List', value: 'list' } as const;
const NONE = { name: 'No Companies', value: 'none', description: 'Remove all companies from the group' } as const;
const KEEP = { name: 'Keep Companies', value: 'keep', description: 'Leave those that are in the group' } as const;

const from = { displayName: 'Participants', description: 'Which companies the group is to have' };

/** The companies that are chosen. 'No Companies' is a choice, so that an expression without a result never clears the group. */
const chosen = {
	participantList: showWhen(
		{ participantsFrom: ['list'] },
		multiPickerOf('companies', {
			displayName: 'Company Names or IDs',
			required: true,
			whenEmpty: "If the group is to have no companies, choose 'No Companies' in 'Participants'.",
		}),
	),
};

/** The companies of an existing group: others instead of those that it has. */
const participants = {
	participantsFrom: choice({ ...from, default: 'list', options: [LIST, NONE] }),
	...chosen,
};

/** The same, where those that it has can stay. */
export const participantsOrSame = {
	participantsFrom: {
		...choice({ ...from, default: 'keep', options: [LIST, KEEP, NONE] }),
		notForAgents: ['list', 'none'],
	},
	...chosen,
};

/** The companies of one group, by an operation outside the contract (deployment shapes). */
const MEMBERS = 'POST /api/company-groups/{resourceId}/companies/search';

const LIST_NAME = 'The list of the companies in the group';

/** Reads the companies of a group. @returns undefined if the platform has no such list, or the list may be incomplete */
async function membersOf(context: OperationContext, resourceId: string): Promise<Choice[] | undefined> {
	const request = { endpoint: MEMBERS, path: { resourceId } } as const;
	const listed = await readOptionalList(context, request, { identity: COMPANY_ID }, LIST_NAME);
	return listed?.map(companyOf);
}

const UNKNOWN_MEMBERS = new InvalidInput(
	'has companies that the platform does not list, or not all of them',
	['companyGroup'],
	"Nothing was changed, because these companies would have been removed from the group. Use a credential whose role may see all companies of the group, or select all companies of the group with 'Choose From List' or 'Replace Company Group Participants'.",
);

/** The companies in a group's record, by the contract's name for them (2.14); live deployments have only their number (deployment shapes). */
const groupShape = z.object({
	companyResourceIdArray: z.array(z.string()).optional().catch(undefined),
	companyCount: z.number().catch(0),
});

/**
 * Reads the IDs of all companies in a group, from its record or else from the list of its companies.
 * @throws InvalidInput if companies may be missing; ServiceError
 */
export async function allMembers(resourceId: string, tools: Pick<Tools, 'ask' | 'listComplete'>): Promise<string[]> {
	// The group may have changed between the two requests, so both are sent once more.
	const members = (await readMembers(resourceId, tools)) ?? (await readMembers(resourceId, tools));
	if (!members) throw UNKNOWN_MEMBERS;
	return members;
}

/** Reads the IDs once. @returns undefined if the group's record counts more companies than the list has */
async function readMembers(
	resourceId: string,
	{ ask, listComplete }: Pick<Tools, 'ask' | 'listComplete'>,
): Promise<string[] | undefined> {
	const path = { resourceId };
	const { companyResourceIdArray, companyCount } = groupShape.parse(toJson((await ask(get, { path })).data));
	const listMembers = () =>
		listComplete(getMembers, { path }, { identity: COMPANY_ID }, LIST_NAME).catch((error: unknown) =>
			rethrow(isMissing(error) || error instanceof IncompleteList ? UNKNOWN_MEMBERS : error),
		);
	const ids = companyResourceIdArray ?? (await listMembers()).map((company) => companyOf(company).id);
	return companyCount > ids.length ? undefined : ids;
}

/** Companies for an output item, with the same field names as in the list of companies. */
const asParticipants = (companies: Choice[]): IDataObject[] =>
	companies.map(({ id, name }) => ({ companyResourceId: id, companyName: name }));

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
		// The rows have no such columns (deployment shapes).
		conditions: omit(COMPANY_CONDITIONS, ['LicenceExpired', 'ResellerName', 'TargetUserCount']),
		known: {
			simplified: [
				'companyName',
				'companyStatusName',
				'licenseTypeName',
				'licenseEndDate',
				'numberOfUsers',
				'isNumberOfUsersLimited',
				'industryName',
				'createTime',
				'companyResourceId',
				'companyGroupResourceId',
			],
			others: ['industryResourceId', 'licenseTypeResourceId', 'companyStatusId'],
		},
	}),
	output: (json, { companyGroup }) => ({ companyGroupResourceId: companyGroup.id, ...withLimit(json) }),
});

const addParticipants = defineComposite({
	value: 'addParticipants',
	name: 'Add Company Group Participants',
	description: 'Put companies in a group and keep those that are in it',
	scope: 'credential',
	fields: {
		companyGroup: pickerOf('companyGroups'),
		participantList: multiPickerOf('companies', { displayName: 'Company Names or IDs', required: true }),
	},
	reads: false,
	uses: [get, getMembers, replaceParticipants],
	run: async ({ companyGroup: { id }, participantList }, tools) => {
		const before = await allMembers(id, tools);
		// On platforms that replace, who is left out would leave the group (deployment behaviour, "Company groups").
		const wanted = union(before, participantList);
		await tools.ask(replaceParticipants, { path: { resourceId: id }, body: { companyResourceIdArray: wanted } });
		const after = await membersOf(tools.context, id);
		const missing = after
			? difference(
					wanted,
					after.map((company) => company.id),
				)
			: [];
		if (missing.length > 0)
			tools.context.hint('Not all of these companies are in the group afterwards.', listOf(missing, ', ', 3));
		const added = difference(participantList, before).length;
		return [{ json: { resourceId: id, added, ...(after ? { participants: asParticipants(after) } : {}) } }];
	},
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

export const participantOperations = [addParticipants, get, getMembers, removeParticipants, replaceParticipants];
