import { z } from 'zod';
import { check } from '../envelope';
import { beside, ok, writing, type Call, type Route, type Row } from '../http';
import { groupBody, groupOf, known } from '../routes/company-groups';
import type { Company } from '../seed';
import type { CompanyGroup } from '../holdings';
import { strictExport, strictSearch, type StrictListing } from './lists';
import { managed } from './companies';

function listed({ resourceId, name, companyResourceIdArray, createTime }: CompanyGroup): Row {
	return { resourceId, name, companyCount: companyResourceIdArray.length, createTime };
}

function record({ resourceId, name, companyResourceIdArray, createTime }: CompanyGroup): Row {
	return { resourceId, name, addedTime: createTime, companyCount: companyResourceIdArray.length };
}

function member(company: Company): Row {
	const { companyName, companyResourceId, industryName, industryResourceId, licenseTypeName, licenseTypeResourceId } =
		company;
	const { isNumberOfUsersLimited, numberOfUsers, licenseEndDate, createTime } = company;
	return {
		...{ companyName, companyResourceId, industryName, industryResourceId, licenseTypeName, licenseTypeResourceId },
		...{
			isNumberOfUsersLimited,
			numberOfUsers,
			licenseEndDate,
			createTime,
			companyStatusId: 1,
			companyStatusName: 'Active',
		},
	};
}

const GROUPS: StrictListing = {
	rows: (call) => call.world.groups.map(listed),
	id: 'resourceId',
	name: 'name',
	required: 'all',
	filter: 'optional',
	access: 'reseller',
	sorts: ['Name', 'CompanyCount', 'CreateTime'],
};

const MEMBERS: StrictListing = {
	rows: (call) => managed(groupOf(call).companyResourceIdArray, call).map(member),
	id: 'companyResourceId',
	name: 'companyName',
	required: 'none',
	filter: 'optional',
	access: 'reseller',
	sorts: [
		'CompanyName',
		'IndustryName',
		'LicenseTypeName',
		'NumberOfUsers',
		'LicenseEndDate',
		'CreateTime',
		'CompanyStatusName',
	],
};

const participants = z.object({ companyResourceIdArray: z.array(z.string()) });

function create(call: Call): string {
	const { name, companyResourceIdArray: ids } = check(groupBody, call.json);
	const resourceId = call.world.newId('company group');
	call.world.groups.push({
		resourceId,
		name,
		companyResourceIdArray: known(ids ?? [], call),
		createTime: new Date().toISOString(),
	});
	return resourceId;
}

function change(call: Call): string {
	const group = groupOf(call);
	const { name, companyResourceIdArray: ids } = check(groupBody, call.json);
	group.companyResourceIdArray = known(ids ?? [], call);
	group.name = name;
	return group.resourceId;
}

function setParticipants(call: Call): string {
	const group = groupOf(call);
	const asked = known(check(participants, call.json).companyResourceIdArray, call);
	group.companyResourceIdArray =
		call.options.participants === 'replace' ? asked : [...new Set([...group.companyResourceIdArray, ...asked])];
	return group.resourceId;
}

/**
 * Company groups. The operation for participants adds members, unless the service's settings say that it replaces them.
 */
export function companyGroupRoutes(): Route[] {
	const path = '/api/company-groups';
	const reading = (key: string, data: (call: Call) => unknown): Route => ({
		key,
		access: 'reseller',
		takes: 'nothing',
		handle: (call) => ok(data(call)),
	});
	return [
		reading(`GET ${path}`, (call) => call.world.groups.map(record)),
		strictSearch(`POST ${path}/search`, GROUPS),
		strictExport(`POST ${path}/search/export`, GROUPS, 'company-groups', true),
		reading(`GET ${path}/{resourceId}`, (call) => record(groupOf(call))),
		writing(`POST ${path}`, create, 'reseller'),
		writing(`PUT ${path}/{resourceId}`, change, 'reseller'),
		writing(`PUT ${path}/{resourceId}/participants`, setParticipants, 'reseller'),
		beside(strictSearch(`POST ${path}/{resourceId}/companies/search`, MEMBERS)),
	];
}
