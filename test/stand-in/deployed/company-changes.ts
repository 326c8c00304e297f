/** Routes that change and delete companies and company groups (deployment beyond, "Companies", "Company groups"). */
import { isNil, omitBy } from 'lodash';
import { z } from 'zod';
import { parseWithSchema } from '../envelope';
import {
	defineActionRoute,
	markOutsideContract,
	defineReadRoute,
	defineSaveRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import {
	buildAccessWindow,
	companyFormSchema,
	findGroups,
	saveLogo,
	FORM_LIST_FIELDS,
	buildLogoUrl,
	findVisibleCompany,
} from '../routes/companies';
import { findGroup, requireKnownCompanies } from '../routes/company-groups';
import { readFormFields } from '../routes/settings';

const DETAIL_FIELDS = [
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

function toBoolean(value: unknown): boolean {
	return String(value).toLowerCase() === 'true';
}

/** Replaces the record with the form in the request. Fields that the form omits become empty. */
function updateCompany(call: RouteCall): string {
	const company = findVisibleCompany(call);
	const { companyResourceId: id } = company;
	const form = parseWithSchema(companyFormSchema, readFormFields(call, FORM_LIST_FIELDS));
	const formFields: JsonObject = form;
	const groups = findGroups(form.companyGroupResourceIdArray ?? [], call);
	Object.assign(company, {
		companyName: form.name,
		numberOfUsers: String(form.numberOfUsers),
		tags: form.tags ?? [],
		industryResourceId: form.industryResourceId,
		licenseTypeResourceId: form.licenseTypeResourceId,
		isNumberOfUsersLimited: form.isNumberOfUsersLimited ?? false,
		licenseEndDate: form.licenseEndDate ?? null,
	});
	for (const group of call.world.companyGroups) {
		const otherMembers = group.companyResourceIdArray.filter((memberId) => memberId !== id);
		group.companyResourceIdArray = groups.includes(group) ? [...otherMembers, id] : otherMembers;
	}
	saveLogo(id, call);
	const details: JsonObject = Object.fromEntries(DETAIL_FIELDS.map((field) => [field, formFields[field] ?? null]));
	if (call.files.length > 0) details.logoUrl = buildLogoUrl(`${id}-new`);
	call.world.companyDetails[id] = {
		...details,
		licenseModuleResourceIdArray: form.licenseModuleResourceIdArray ?? [],
		isVersionVisible: toBoolean(formFields.isVersionVisible),
		isReleaseNotesVisible: toBoolean(formFields.isReleaseNotesVisible),
		callBackNumberBookingCount: Number(formFields.callBackNumberBookingCount ?? 0),
	};
	return id;
}

const limitedFormSchema = companyFormSchema
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

/** Changes only the fields of the limited form. All other fields keep their values (deployment onboarding 1). */
function updateLimitedFields(call: RouteCall): string {
	const { resourceId, name, industryResourceId, ...otherFields } = parseWithSchema(
		limitedFormSchema,
		readFormFields(call, FORM_LIST_FIELDS),
	);
	const company = findVisibleCompany({ ...call, params: { resourceId } });
	Object.assign(company, { companyName: name, industryResourceId });
	saveLogo(resourceId, call);
	const details: JsonObject = {
		...call.world.companyDetails[resourceId],
		...omitBy(otherFields, isNil),
	};
	if (call.files.length > 0) details.logoUrl = buildLogoUrl(`${resourceId}-new`);
	call.world.companyDetails[resourceId] = details;
	return resourceId;
}

function removeCompany(call: RouteCall): string {
	const company = findVisibleCompany(call);
	call.world.removeCompany(company);
	return company.companyResourceId;
}

function removeGroup(call: RouteCall): string {
	const group = findGroup(call);
	call.world.companyGroups.splice(call.world.companyGroups.indexOf(group), 1);
	return group.resourceId;
}

const removalSchema = z.object({ companyResourceIdArray: z.array(z.string()) });

function removeParticipants(call: RouteCall): string {
	const group = findGroup(call);
	const ids = requireKnownCompanies(parseWithSchema(removalSchema, call.json).companyResourceIdArray, call);
	group.companyResourceIdArray = group.companyResourceIdArray.filter((id) => !ids.includes(id));
	return group.resourceId;
}

/** Creates the routes that change companies and company groups, and the one for the access window of a company. */
export function companyChangeRoutes(): Route[] {
	const resellerOnly = { access: 'reseller' as const };
	return [
		{
			...defineSaveRoute('PUT /api/companies/{resourceId}', updateCompany, 'reseller'),
			bodyType: 'multipart' as const,
		},
		{
			...defineSaveRoute('PUT /api/companies/limited', updateLimitedFields, 'reseller'),
			bodyType: 'multipart' as const,
		},
		defineReadRoute('GET /api/companies/privacy', ({ companyData }) => buildAccessWindow(companyData.company)),
		{ ...defineActionRoute('DELETE /api/companies/{resourceId}', removeCompany), ...resellerOnly },
		{ ...defineActionRoute('DELETE /api/company-groups/{resourceId}', removeGroup), ...resellerOnly },
		defineSaveRoute('DELETE /api/company-groups/{resourceId}/participants', removeParticipants, 'reseller'),
	].map(markOutsideContract);
}
