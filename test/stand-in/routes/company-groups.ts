import { z } from 'zod';
import { parseWithSchema, requireFound, createBadRequestError, createTextSchema } from '../envelope';
import type { CompanyGroup } from '../seed';
import {
	markOutsideContract,
	defineWriteRoute,
	defineReadRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import { defineExportRoute, defineSearchRoute, type ListDefinition } from '../paging';

function buildGroupRow(
	{ resourceId, name, companyResourceIdArray, createTime }: CompanyGroup,
	{ isDeployed }: RouteCall,
): JsonObject {
	const companyCount = companyResourceIdArray.length;
	const row: JsonObject = { resourceId, name, companyCount, createTime };
	if (!isDeployed) row.companyResourceIdArray = companyResourceIdArray;
	return row;
}

function buildGroupRecord(group: CompanyGroup, call: RouteCall): JsonObject {
	const { createTime, ...row } = buildGroupRow(group, call);
	if (call.isDeployed) return { ...row, addedTime: createTime };
	const companies = group.companyResourceIdArray.map((id) => ({
		companyResourceId: id,
		companyName: call.world.findCompany(id)?.companyName ?? null,
	}));
	return { ...row, createTime, companies };
}

const COMPANY_GROUP_LIST: ListDefinition = {
	getRows: (call) => call.world.companyGroups.map((group) => buildGroupRow(group, call)),
	idField: 'resourceId',
	nameField: 'name',
	requiredPaging: 'all',
	access: 'reseller',
};

const GROUP_MEMBER_LIST: ListDefinition = {
	getRows: (call) =>
		findGroup(call).companyResourceIdArray.map((id) => {
			const company = requireFound(call.world.findCompany(id), 'company');
			const { companyName, companyResourceId, industryName, industryResourceId, licenseTypeName } = company;
			const { licenseTypeResourceId, isNumberOfUsersLimited, numberOfUsers, licenseEndDate, createTime } = company;
			return {
				companyName,
				companyResourceId,
				industryName,
				industryResourceId,
				licenseTypeName,
				licenseTypeResourceId,
				isNumberOfUsersLimited,
				numberOfUsers,
				licenseEndDate,
				createTime,
				companyStatusId: 1,
				companyStatusName: 'Active',
			};
		}),
	idField: 'companyResourceId',
	nameField: 'companyName',
	access: 'reseller',
};

const groupSchema = z
	.object({ name: createTextSchema(64), companyResourceIdArray: z.array(z.string()).nullish() })
	.passthrough();
const memberIdsSchema = z.array(z.string());

/**
 * Returns the IDs without duplicates.
 * @throws HttpError 400 if one of them is not the ID of a managed company
 */
export function requireKnownCompanies(ids: readonly string[], call: RouteCall): string[] {
	const unknownIds = ids.filter((id) => !call.world.findCompany(id));
	if (unknownIds.length > 0)
		throw createBadRequestError(...unknownIds.map((id) => `The CompanyResourceIdArray has an unknown company: ${id}.`));
	return [...new Set(ids)];
}

/**
 * Finds the company group whose ID is in the path.
 * @throws HttpError 404
 */
export function findGroup(call: RouteCall): CompanyGroup {
	return requireFound(
		call.world.companyGroups.find((group) => group.resourceId === call.params.resourceId),
		'company group',
	);
}

function createGroup(call: RouteCall): CompanyGroup {
	const { name, companyResourceIdArray: ids } = parseWithSchema(groupSchema, call.json);
	const companyResourceIdArray = requireKnownCompanies(ids ?? [], call);
	const resourceId = call.world.createId('company group');
	const group = { resourceId, name, companyResourceIdArray, createTime: new Date().toISOString() };
	call.world.companyGroups.push(group);
	return group;
}

function updateGroup(call: RouteCall): CompanyGroup {
	const { name, companyResourceIdArray: ids } = parseWithSchema(groupSchema, call.json);
	return Object.assign(findGroup(call), { name, companyResourceIdArray: requireKnownCompanies(ids ?? [], call) });
}

function setParticipants(call: RouteCall): CompanyGroup {
	const group = findGroup(call);
	// According to the contract, the body can be an object with the array or the array itself. Live deployments accept only
	// the object.
	const isBareArray = Array.isArray(call.json) && !call.isDeployed;
	const { companyResourceIdArray } = parseWithSchema(
		z.object({ companyResourceIdArray: memberIdsSchema }),
		isBareArray ? { companyResourceIdArray: call.json } : call.json,
	);
	const shouldKeepOldMembers = call.isDeployed && call.options.participantsMode === 'add';
	const oldMembers = shouldKeepOldMembers ? group.companyResourceIdArray : [];
	group.companyResourceIdArray = requireKnownCompanies([...oldMembers, ...companyResourceIdArray], call);
	return group;
}

/**
 * Creates the company group routes of contract 4.3. On live deployments, the record of a group contains only the number
 * of its companies. The companies are in a separate list.
 */
export function companyGroupRoutes(): Route[] {
	const path = '/api/company-groups';
	const defineGroupWriteRoute = (key: string, changeGroup: (call: RouteCall) => CompanyGroup) =>
		defineWriteRoute(
			key,
			(call) => {
				const group = changeGroup(call);
				return call.isDeployed ? { resourceId: group.resourceId } : buildGroupRecord(group, call);
			},
			{ access: 'reseller' },
		);
	return [
		defineReadRoute(
			`GET ${path}`,
			(call) => call.world.companyGroups.map((group) => buildPlainListRow(group, call)),
			'reseller',
		),
		defineSearchRoute(`POST ${path}/search`, COMPANY_GROUP_LIST),
		defineExportRoute(`POST ${path}/search/export`, COMPANY_GROUP_LIST, 'company-groups', true),
		defineReadRoute(`GET ${path}/{resourceId}`, (call) => buildGroupRecord(findGroup(call), call), 'reseller'),
		defineGroupWriteRoute(`POST ${path}`, createGroup),
		defineGroupWriteRoute(`PUT ${path}/{resourceId}`, updateGroup),
		defineGroupWriteRoute(`PUT ${path}/{resourceId}/participants`, setParticipants),
		markOutsideContract(defineSearchRoute(`POST ${path}/{resourceId}/companies/search`, GROUP_MEMBER_LIST)),
	];
}

/**
 * Builds the row of a group in the list without pages. In this list, live deployments call the creation time addedTime.
 */
function buildPlainListRow(group: CompanyGroup, call: RouteCall): JsonObject {
	return call.isDeployed ? buildGroupRecord(group, call) : buildGroupRow(group, call);
}
