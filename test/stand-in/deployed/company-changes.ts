/** What can be done to a company, and to a group of companies, that is there (deployment beyond). */
import { isNil, omitBy } from 'lodash';
import { z } from 'zod';
import { check } from '../envelope';
import { acting, beside, writing, type Call, type Route, type Row } from '../http';
import { creation, groupsOf, keepLogo, LISTS, logoUrl, oneCompany } from '../routes/companies';
import { groupOf, known } from '../routes/company-groups';
import { fieldsOf } from '../routes/settings';

const WORDS = [
	'description',
	'address',
	'websiteUrl',
	'logoUrl',
	'licensePeriodTypeResourceId',
	'licenseStartDate',
	'notificationTemplateTypeResourceId',
	'trainingContentTypeResourceId',
	'smtpConfigurationTypeResourceId',
	'preferredLanguageTypeResourceId',
	'releaseNotesUrl',
	'countryResourceId',
	'timeZoneId',
	'dateFormat',
	'timeFormat',
	'statusId',
];

const flag = (value: unknown): boolean => String(value).toLowerCase() === 'true';

/** The record becomes what was sent: what is left out is empty afterwards. */
function change(call: Call): string {
	const company = oneCompany(call);
	const { companyResourceId: id } = company;
	const parsed = check(creation, fieldsOf(call, LISTS));
	const asked: Row = parsed;
	const { name, numberOfUsers, licenseEndDate } = parsed;
	const groups = groupsOf(parsed.companyGroupResourceIdArray ?? [], call);
	Object.assign(company, {
		companyName: name,
		numberOfUsers: String(numberOfUsers),
		tags: parsed.tags ?? [],
		industryResourceId: parsed.industryResourceId,
		licenseTypeResourceId: parsed.licenseTypeResourceId,
		isNumberOfUsersLimited: parsed.isNumberOfUsersLimited ?? false,
		licenseEndDate: licenseEndDate ?? null,
	});
	for (const group of call.world.groups)
		group.companyResourceIdArray = [
			...group.companyResourceIdArray.filter((member) => member !== id),
			...(groups.includes(group) ? [id] : []),
		];
	keepLogo(id, call);
	call.world.companyDetails[id] = {
		...Object.fromEntries(WORDS.map((field) => [field, asked[field] ?? null])),
		...(call.files.length > 0 ? { logoUrl: logoUrl(`${id}-new`) } : {}),
		licenseModuleResourceIdArray: parsed.licenseModuleResourceIdArray ?? [],
		isVersionVisible: flag(asked.isVersionVisible),
		isReleaseNotesVisible: flag(asked.isReleaseNotesVisible),
		callBackNumberBookingCount: Number(asked.callBackNumberBookingCount ?? 0),
	};
	return id;
}

const limited = creation
	.pick({
		name: true,
		industryResourceId: true,
		countryResourceId: true,
		description: true,
		address: true,
		websiteUrl: true,
	})
	.extend({
		resourceId: z.string().min(1),
		preferredLanguageTypeResourceId: z.string().optional(),
		timeZoneId: z.string().optional(),
	});

/** Changes only these fields; everything else stays (deployment onboarding, 1). */
function changeLimited(call: Call): string {
	const { resourceId, name, industryResourceId, ...others } = check(limited, fieldsOf(call, LISTS));
	const company = oneCompany({ ...call, params: { resourceId } });
	Object.assign(company, { companyName: name, industryResourceId });
	keepLogo(resourceId, call);
	call.world.companyDetails[resourceId] = {
		...call.world.companyDetails[resourceId],
		...omitBy(others, isNil),
		...(call.files.length > 0 ? { logoUrl: logoUrl(`${resourceId}-new`) } : {}),
	};
	return resourceId;
}

function remove(call: Call): string {
	const company = oneCompany(call);
	call.world.remove(company);
	return company.companyResourceId;
}

function removeGroup(call: Call): string {
	const group = groupOf(call);
	call.world.groups.splice(call.world.groups.indexOf(group), 1);
	return group.resourceId;
}

const leaving = z.object({ companyResourceIdArray: z.array(z.string()) });

function takeOut(call: Call): string {
	const group = groupOf(call);
	const ids = known(check(leaving, call.json).companyResourceIdArray, call);
	group.companyResourceIdArray = group.companyResourceIdArray.filter((id) => !ids.includes(id));
	return group.resourceId;
}

export function companyChangeRoutes(): Route[] {
	const forReseller = { access: 'reseller' as const };
	return [
		{ ...writing('PUT /api/companies/{resourceId}', change, 'reseller'), takes: 'multipart' as const },
		{ ...writing('PUT /api/companies/limited', changeLimited, 'reseller'), takes: 'multipart' as const },
		{ ...acting('DELETE /api/companies/{resourceId}', remove), ...forReseller },
		{ ...acting('DELETE /api/company-groups/{resourceId}', removeGroup), ...forReseller },
		writing('DELETE /api/company-groups/{resourceId}/participants', takeOut, 'reseller'),
	].map(beside);
}
