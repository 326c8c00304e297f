import { z } from 'zod';
import { check, found, invalid, text } from '../envelope';
import { ok, type Call, type Route, type Row } from '../http';
import { exportOf, search, type Listing } from '../paging';
import type { CompanyGroup } from '../holdings';

function shown(group: CompanyGroup): Row {
	const { resourceId, name, companyResourceIdArray, createTime } = group;
	return { resourceId, name, companyCount: companyResourceIdArray.length, companyResourceIdArray, createTime };
}

function whole(group: CompanyGroup, call: Call): Row {
	const companies = group.companyResourceIdArray.map((id) => ({
		companyResourceId: id,
		companyName: call.world.company(id)?.companyName ?? null,
	}));
	return { ...shown(group), companies };
}

const listing: Listing = {
	rows: (call) => call.world.groups.map(shown),
	id: 'resourceId',
	name: 'name',
	required: 'all',
	filter: 'optional',
	access: 'reseller',
};

/** The body of a group that is made or changed. */
export const groupBody = z
	.object({ name: text(64), companyResourceIdArray: z.array(z.string()).nullish() })
	.passthrough();
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

/** Contract 4.3, the company groups. */
export function companyGroupRoutes(): Route[] {
	const reseller = { access: 'reseller', takes: 'nothing' } as const;
	const change = { access: 'reseller', takes: 'json', write: true } as const;
	return [
		{ key: 'GET /api/company-groups', ...reseller, handle: (call) => ok(call.world.groups.map(shown)) },
		search('POST /api/company-groups/search', listing),
		exportOf('POST /api/company-groups/search/export', listing, 'company-groups', true),
		{ key: 'GET /api/company-groups/{resourceId}', ...reseller, handle: (call) => ok(whole(groupOf(call), call)) },
		{
			key: 'POST /api/company-groups',
			...change,
			handle(call) {
				const asked = check(groupBody, call.json);
				const companyResourceIdArray = known(asked.companyResourceIdArray ?? [], call);
				const group = {
					resourceId: call.world.newId('company group'),
					name: asked.name,
					companyResourceIdArray,
					createTime: new Date().toISOString(),
				};
				call.world.groups.push(group);
				return ok(whole(group, call));
			},
		},
		{
			key: 'PUT /api/company-groups/{resourceId}',
			...change,
			handle(call) {
				const group = groupOf(call);
				const asked = check(groupBody, call.json);
				group.companyResourceIdArray = known(asked.companyResourceIdArray ?? [], call);
				group.name = asked.name;
				return ok(whole(group, call));
			},
		},
		{
			key: 'PUT /api/company-groups/{resourceId}/participants',
			...change,
			handle(call) {
				const group = groupOf(call);
				// The contract can be read either way: an object with the array, or the array itself.
				const ids = Array.isArray(call.json)
					? check(members, call.json)
					: check(z.object({ companyResourceIdArray: members }), call.json).companyResourceIdArray;
				group.companyResourceIdArray = known(ids, call);
				return ok(whole(group, call));
			},
		},
	];
}
