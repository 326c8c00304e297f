import { z } from 'zod';
import { check, found, Refusal, text } from '../envelope';
import { fieldsOf, formBoolean, formDate, formInteger } from '../forms';
import { isRow, ok, type Answer, type Call, type Route, type Row } from '../http';
import { exportOf, search, type Listing } from '../paging';
import type { Personality } from '../personality';
import { guid } from '../random';
import { flatten, type Company } from '../seed';

function overLimit(row: Row): boolean {
	return row.isNumberOfUsersLimited === true && Number(row.targetUserCount) > Number(row.numberOfUsers);
}

/** All records of a tree, parents and children. */
function everyone(rows: Row[]): Row[] {
	return rows.flatMap((row) => [row, ...everyone(Array.isArray(row.children) ? row.children.filter(isRow) : [])]);
}

/** Company search without its strictness. */
export const companyListing: Listing = {
	rows: (call) => (call.scope ? [call.scope] : call.world.tree),
	id: 'companyResourceId',
	name: 'companyName',
	required: 'all',
	filter: 'required',
	access: 'reseller',
	fields: { isTargetUserCountExceededLimit: z.boolean().nullish() },
	keep: (body) => (body.isTargetUserCountExceededLimit === true ? overLimit : undefined),
	extra: (matching) => ({ limitExceededCompanyCount: everyone(matching).filter(overLimit).length }),
};

/** The record of GET /api/companies/{resourceId}: the values of its creation, or generated ones. */
function details(company: Company, call: Call): Row {
	const { children, ...own } = company;
	return {
		description: `Customer since ${company.createTime.slice(0, 4)}`,
		address: '1 Main Street',
		websiteUrl: 'https://www.customer.example',
		countryResourceId: guid('country'),
		timeZoneId: 'Europe/Berlin',
		dateFormat: 'dd.MM.yyyy',
		timeFormat: 'HH:mm',
		statusId: 1,
		childCompanyCount: flatten(children).length,
		...call.world.details.get(company.companyResourceId),
		...own,
	};
}

const creation = z
	.object({
		name: text(64),
		industryResourceId: text(100),
		countryResourceId: text(100),
		licenseTypeResourceId: text(100),
		licensePeriodTypeResourceId: text(100),
		numberOfUsers: formInteger,
		timeZoneId: text(100),
		dateFormat: text(50),
		timeFormat: text(50),
		description: z.string().max(300).optional(),
		address: z.string().max(200).optional(),
		websiteUrl: z.string().max(2000).optional(),
		licenseModuleResourceIdArray: z.array(z.string()).optional(),
		licenseStartDate: formDate.optional(),
		licenseEndDate: formDate.optional(),
		isNumberOfUsersLimited: formBoolean.optional(),
		companyGroupResourceIdArray: z.array(z.string()).optional(),
		statusId: formInteger.optional(),
		tags: z.array(z.string()).optional(),
	})
	.passthrough();

const LISTS = ['licenseModuleResourceIdArray', 'companyGroupResourceIdArray', 'tags'];

/** Makes a company of the form that was sent. */
export function createCompany(call: Call): Answer {
	const asked = check(creation, fieldsOf(call.form, LISTS));
	const groups = (asked.companyGroupResourceIdArray ?? []).map((id) => {
		const group = call.world.groups.find((entry) => entry.resourceId === id);
		if (!group) throw new Refusal(400, [`The CompanyGroupResourceIdArray has an unknown company group: ${id}.`]);
		return group;
	});
	const id = call.world.newId('company');
	const known = call.world.companies.find((company) => company.industryResourceId === asked.industryResourceId);
	const license = call.world.companies.find((company) => company.licenseTypeResourceId === asked.licenseTypeResourceId);
	const end = asked.licenseEndDate ?? '2031-12-31T00:00:00.000Z';
	const company: Company = {
		companyName: asked.name,
		companyResourceId: id,
		resellerName: call.world.reseller.companyName ?? '',
		industryName: known?.industryName ?? 'Other',
		industryResourceId: asked.industryResourceId,
		licenseTypeName: license?.licenseTypeName ?? 'Other',
		licenseTypeResourceId: asked.licenseTypeResourceId,
		isNumberOfUsersLimited: asked.isNumberOfUsersLimited ?? false,
		numberOfUsers: String(asked.numberOfUsers),
		privacyDurationId: 1,
		licenceExpired: Date.parse(end) < Date.now(),
		licenseEndDate: end,
		createTime: new Date().toISOString(),
		targetUserCount: 0,
		children: [],
		tags: asked.tags ?? [],
		deletedTargetUserCount: 0,
		inactiveTargetUserCount: 0,
		monthlyActiveUserCount: 0,
	};
	call.world.add(company, call.scope && call.scope !== call.world.reseller ? call.scope : undefined);
	for (const group of groups) group.companyResourceIdArray = [...group.companyResourceIdArray, id];
	const { name: _name, tags: _tags, ...kept } = asked;
	call.world.details.set(id, kept);
	const logo = call.files.find((file) => file.field === 'File');
	if (logo) {
		const { field: _field, ...upload } = logo;
		call.world.logos.set(id, upload);
	}
	return ok({ resourceId: id });
}

/** Contract 4.3, the companies. */
export function companyRoutes(personality: Personality): Route[] {
	return [
		search('POST /api/companies/search', companyListing),
		// A name outside ASCII: the file name comes in RFC 5987's form.
		exportOf('POST /api/companies/search/export', companyListing, 'Companies – Überblick', true),
		{
			key: 'GET /api/companies/my',
			access: 'any',
			takes: 'nothing',
			handle(call) {
				const { company, reseller } = call.caller;
				const own = details(company, call);
				// As a list it is the whole tree; one record cannot contain a reseller's customers.
				return ok(
					personality.ownCompanyAsList ? [{ ...own, children: reseller ? call.world.tree : company.children }] : own,
				);
			},
		},
		{
			key: 'GET /api/companies/{resourceId}',
			access: 'any',
			takes: 'nothing',
			handle(call) {
				const id = call.params.resourceId ?? '';
				if (id === call.world.foreign.companyResourceId)
					throw new Refusal(403, ['You are not authorized to act for this company.']);
				const { caller, world } = call;
				const company = found(id === caller.company.companyResourceId ? caller.company : world.company(id), 'company');
				if (!caller.reseller && company !== caller.company)
					throw new Refusal(403, ['You are not authorized to act for this company.']);
				return ok(details(company, call));
			},
		},
		{ key: 'POST /api/companies', access: 'reseller', takes: 'multipart', write: true, handle: createCompany },
	];
}
