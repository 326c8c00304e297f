import { z } from 'zod';
import { check, found, invalid, text } from '../envelope';
import type { CompanyGroup } from '../seed';
import { beside, changing, reading, type Call, type Route, type Row } from '../http';
import { exportOf, search, type Listing } from '../paging';

function shown({ resourceId, name, companyResourceIdArray, createTime }: CompanyGroup, { isDeployed }: Call): Row {
	const companyCount = companyResourceIdArray.length;
	return { resourceId, name, companyCount, createTime, ...(isDeployed ? {} : { companyResourceIdArray }) };
}

function whole(group: CompanyGroup, call: Call): Row {
	const { createTime, ...row } = shown(group, call);
	if (call.isDeployed) return { ...row, addedTime: createTime };
	const companies = group.companyResourceIdArray.map((id) => ({
		companyResourceId: id,
		companyName: call.world.company(id)?.companyName ?? null,
	}));
	return { ...row, createTime, companies };
}

const GROUPS: Listing = {
	rows: (call) => call.world.groups.map((group) => shown(group, call)),
	id: 'resourceId',
	name: 'name',
	required: 'all',
	access: 'reseller',
};

const MEMBERS: Listing = {
	rows: (call) =>
		groupOf(call).companyResourceIdArray.map((id) => {
			const company = found(call.world.company(id), 'company');
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
	id: 'companyResourceId',
	name: 'companyName',
	access: 'reseller',
};

const groupBody = z.object({ name: text(64), companyResourceIdArray: z.array(z.string()).nullish() }).passthrough();
const members = z.array(z.string());

/** The list of members, if every one of them is a company that the caller manages. */
export function known(ids: readonly string[], call: Call): string[] {
	const strangers = ids.filter((id) => !call.world.company(id));
	if (strangers.length > 0)
		throw invalid(...strangers.map((id) => `The CompanyResourceIdArray has an unknown company: ${id}.`));
	return [...new Set(ids)];
}

/** The group that the path names. */
export function groupOf(call: Call): CompanyGroup {
	return found(
		call.world.groups.find((group) => group.resourceId === call.params.resourceId),
		'company group',
	);
}

function create(call: Call): CompanyGroup {
	const { name, companyResourceIdArray: ids } = check(groupBody, call.json);
	const companyResourceIdArray = known(ids ?? [], call);
	const resourceId = call.world.newId('company group');
	const group = { resourceId, name, companyResourceIdArray, createTime: new Date().toISOString() };
	call.world.groups.push(group);
	return group;
}

function change(call: Call): CompanyGroup {
	const { name, companyResourceIdArray: ids } = check(groupBody, call.json);
	return Object.assign(groupOf(call), { name, companyResourceIdArray: known(ids ?? [], call) });
}

function setParticipants(call: Call): CompanyGroup {
	const group = groupOf(call);
	// The contract can be read either way: an object with the array, or the array itself. A live deployment takes the object.
	const isBare = Array.isArray(call.json) && !call.isDeployed;
	const { companyResourceIdArray } = check(
		z.object({ companyResourceIdArray: members }),
		isBare ? { companyResourceIdArray: call.json } : call.json,
	);
	const adds = call.isDeployed && call.options.participants === 'add';
	group.companyResourceIdArray = known(
		[...(adds ? group.companyResourceIdArray : []), ...companyResourceIdArray],
		call,
	);
	return group;
}

/** Contract 4.3, the company groups; a live deployment tells only how many companies are in one, and has a list of them. */
export function companyGroupRoutes(): Route[] {
	const path = '/api/company-groups';
	const write = (key: string, done: (call: Call) => CompanyGroup) =>
		changing(
			key,
			(call) => {
				const group = done(call);
				return call.isDeployed ? { resourceId: group.resourceId } : whole(group, call);
			},
			{ access: 'reseller' },
		);
	return [
		reading(`GET ${path}`, (call) => call.world.groups.map((group) => listed(group, call)), 'reseller'),
		search(`POST ${path}/search`, GROUPS),
		exportOf(`POST ${path}/search/export`, GROUPS, 'company-groups', true),
		reading(`GET ${path}/{resourceId}`, (call) => whole(groupOf(call), call), 'reseller'),
		write(`POST ${path}`, create),
		write(`PUT ${path}/{resourceId}`, change),
		write(`PUT ${path}/{resourceId}/participants`, setParticipants),
		beside(search(`POST ${path}/{resourceId}/companies/search`, MEMBERS)),
	];
}

/** In the list without pages a live deployment calls the time of creation otherwise. */
const listed = (group: CompanyGroup, call: Call): Row => (call.isDeployed ? whole(group, call) : shown(group, call));
