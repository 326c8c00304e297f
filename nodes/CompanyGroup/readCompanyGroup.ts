import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { OperationContext } from '../core/response/responseHandler';
import { listResponse } from '../core/response/listResponse';
import { recordResponse } from '../core/response/recordResponse';
import { defineOperation, type OperationHelpers } from '../core/operation/defineOperation';
import { COMPANY_ID_FIELDS, toCompany } from '../core/companies/companies';
import { resourcePicker } from '../domain/pickers/resourcePickers';
import { toError, InvalidInputError, isNotFound } from '../core/http/errors';
import { FILTERABLE_COMPANY_FIELDS, parseUserLimit } from '../domain/companyRecords';
import { toItemJson, type Choice } from '../core/values';
import { IncompleteListError, readOptionalList } from '../core/pagination/readCompleteList';

/** The endpoint that lists the companies of a group. The contract doesn't describe it (deployment shapes, "Beside the 85"). */
const MEMBERS_ENDPOINT = 'POST /api/company-groups/{resourceId}/companies/search';

const MEMBER_LIST_NAME = 'The list of the companies in the group';

/**
 * Reads the companies of a group with the endpoint that lists them.
 * @returns undefined if the platform has no such list, or the list may be incomplete
 * @throws RequestError if the run was stopped
 */
export async function readListedMembers(context: OperationContext, groupId: string): Promise<Choice[] | undefined> {
	const request = { endpoint: MEMBERS_ENDPOINT, path: { resourceId: groupId } } as const;
	const companies = await readOptionalList(context, request, { identity: COMPANY_ID_FIELDS }, MEMBER_LIST_NAME);
	return companies?.map(toCompany);
}

/** Turns companies into records for the output, with the field names that the list of companies has. */
export const toMemberRecords = (companies: Choice[]): IDataObject[] =>
	companies.map(({ id, name }) => ({ companyName: name, companyResourceId: id }));

export const getCompanyGroupOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get company group',
	description: 'Get a company group with its members',
	outputNote: "If your platform doesn't list the members of a group, the output has only the group's own fields.",
	endpoint: 'GET /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: resourcePicker('companyGroups') },
	request: ({ companyGroup }) => ({ path: { resourceId: companyGroup.id } }),
	response: recordResponse(),
	perform: async ({ companyGroup }, { send, context }) => {
		const [group = { json: {} }] = await send();
		// Some platforms return only the number of members (deployment shapes, "Company groups").
		const hasCompanyList = Object.values(group.json).some(Array.isArray);
		if (hasCompanyList) return [group];
		const members = await readListedMembers(context, companyGroup.id);
		if (!members) return [group];
		return [{ json: { ...group.json, members: toMemberRecords(members) } }];
	},
});

export const getCompanyGroupMembersOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many company group members',
	description: 'List the companies in a company group',
	endpoint: MEMBERS_ENDPOINT,
	scope: 'credential',
	fields: { companyGroup: resourcePicker('companyGroups') },
	request: ({ companyGroup }) => ({ path: { resourceId: companyGroup.id } }),
	response: listResponse({
		identity: COMPANY_ID_FIELDS,
		// The records of this list don't have these fields, so they can't be filtered by them (deployment shapes, "Company groups").
		filterableFields: omit(FILTERABLE_COMPANY_FIELDS, ['LicenceExpired', 'ResellerName', 'TargetUserCount']),
		outputFields: {
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
			additional: ['industryResourceId', 'licenseTypeResourceId', 'companyStatusId'],
		},
	}),
	transformOutput: (json, { companyGroup }) => ({ companyGroupResourceId: companyGroup.id, ...parseUserLimit(json) }),
});

const UNKNOWN_MEMBERS_ERROR = new InvalidInputError(
	"has members that the platform doesn't list completely",
	['companyGroup'],
	"Nothing was changed, because the change would have removed the companies that aren't listed. Use a credential whose role may see all companies of the group, or select all companies yourself with 'Replace company group members'.",
);

/**
 * The fields of a group's record that concern its companies. In the contract, the record has their IDs (2.14), but live deployments only
 * return their number
 * (deployment shapes, "Company groups").
 */
const groupShape = z.object({
	companyResourceIdArray: z.array(z.string()).optional().catch(undefined),
	companyCount: z.number().catch(0),
});

type MemberHelpers = Pick<OperationHelpers, 'callOperation' | 'listRecordsCompletely'>;

/**
 * Reads the IDs of all companies in a group, from the group's record or else from the list of its companies.
 * @throws InvalidInputError if companies may be missing; RequestError
 */
export async function readAllMemberIds(groupId: string, helpers: MemberHelpers): Promise<string[]> {
	// The group may change between the two requests, for its record and for the list of its companies, so both are repeated once.
	const ids = (await tryReadMemberIds(groupId, helpers)) ?? (await tryReadMemberIds(groupId, helpers));
	if (!ids) throw UNKNOWN_MEMBERS_ERROR;
	return ids;
}

/** Tries to read the IDs of all companies in a group. @returns undefined if the group's record counts more companies than were read */
async function tryReadMemberIds(groupId: string, helpers: MemberHelpers): Promise<string[] | undefined> {
	const { data } = await helpers.callOperation(getCompanyGroupOperation, { path: { resourceId: groupId } });
	const { companyResourceIdArray, companyCount } = groupShape.parse(toItemJson(data));
	const ids = companyResourceIdArray ?? (await listMemberIds(groupId, helpers));
	return companyCount > ids.length ? undefined : ids;
}

/** Reads the IDs from the list of the group's companies. @throws InvalidInputError if the list is missing or incomplete; RequestError */
async function listMemberIds(groupId: string, helpers: MemberHelpers): Promise<string[]> {
	try {
		const companies = await helpers.listRecordsCompletely(
			getCompanyGroupMembersOperation,
			{ path: { resourceId: groupId } },
			{ identity: COMPANY_ID_FIELDS },
			MEMBER_LIST_NAME,
		);
		return companies.map((company) => toCompany(company).id);
	} catch (error) {
		throw toError(isNotFound(error) || error instanceof IncompleteListError ? UNKNOWN_MEMBERS_ERROR : error);
	}
}
