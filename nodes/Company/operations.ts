import { lowerFirst, mapValues, omit, pick } from 'lodash';
import { z } from 'zod';

import { file } from '../core/response/fileResponse';
import { done, record } from '../core/response/recordResponse';
import { changes, collection } from '../core/fields/collection';
import { text, toggle } from '../core/fields/fieldTypes';
import { filtersOf } from '../core/filters/filterFields';
import { optionsOf } from '../core/operation/operationFields';
import { defineComposite, defineOperation, type PerformTools } from '../core/operation/defineOperation';
import { readStoredTexts, updateWhole, type Sources } from '../core/operation/updateRecord';
import { companyOf, listCompanies, uniqueCompanies } from '../core/companies/companies';
import { InvalidInput, withFallback } from '../core/http/errors';
import {
	asListed,
	COMPANY,
	COMPANY_RECORD,
	COMPANY_SORT,
	companyForm,
	furtherFields,
	LICENSE_NOTE,
	mainFields,
	COMPANY_CONDITIONS,
	MONTH_CONDITION,
} from './companyFields';
import { filterGroup, searchFilter } from '../core/http/requestVariants';
import { getMany } from './getManyCompanies';
import { isLikeThisMonth, isPresent, LIKE_THIS_MONTH, month, monthFilter } from './licenseMonth';
import { numberOf, toJson } from '../core/values';
import { missingHint } from '../core/pagination/readList';
import { companyPicker } from '../core/companyScope/companyPicker';

const exportFields = {
	filters: filtersOf({
		isTargetUserCountExceededLimit: toggle({
			displayName: 'Only Over License Limit',
			default: true,
			description: 'Whether to export only companies with more users than their license allows',
		}),
	}),
	...optionsOf({
		isClustered: toggle({
			displayName: 'Clustered',
			default: true,
			description: 'Whether to ask for the clustered form of the export',
		}),
	}),
};

const create = defineOperation({
	value: 'create',
	name: 'Create Company',
	description: 'Add a customer company',
	endpoint: 'POST /api/companies',
	scope: 'credential',
	fields: {
		...mainFields,
		additionalFields: collection({ displayName: 'Additional Fields', fields: furtherFields }),
	},
	request: ({ additionalFields, ...company }) => ({ form: companyForm({ ...company, ...additionalFields }) }),
	answer: record(),
	output: (json) => asListed(json),
});

const exportMany = defineOperation({
	value: 'export',
	name: 'Export Companies',
	description: 'Get the list of customer companies as a CSV or Excel file',
	endpoint: 'POST /api/companies/search/export',
	scope: 'credential',
	fields: exportFields,
	request: ({ filters, options }) => ({ body: { ...filters, ...options } }),
	answer: file({
		name: 'companies',
		sortable: COMPANY_SORT,
		conditions: { ...COMPANY_CONDITIONS, ...MONTH_CONDITION },
	}),
});

const get = defineOperation({
	value: 'get',
	name: 'Get Company',
	description: 'Get the details of one customer company',
	outputNote: LICENSE_NOTE,
	endpoint: 'GET /api/companies/{resourceId}',
	scope: 'credential',
	fields: { company: companyPicker() },
	request: ({ company }) => ({ path: { resourceId: company.id } }),
	answer: record({ known: COMPANY_RECORD }),
	output: (json) => asListed(json),
});

const getOwn = defineOperation({
	value: 'getOwn',
	name: 'Get Own Company',
	description: 'Get the company that the credential belongs to; for a Reseller, on some platforms, all its customers',
	outputNote: LICENSE_NOTE,
	endpoint: 'GET /api/companies/my',
	scope: 'credential',
	answer: record({ known: COMPANY, flatten: uniqueCompanies }),
	output: (json) => asListed(json),
});

const getTotalActiveUsers = defineComposite({
	value: 'getTotalActiveUsers',
	name: 'Get Total Monthly Active Users',
	description: 'Get one sum of the monthly active users over all customers, child companies included',
	outputNote:
		"A live platform counts the users added in the month; that it knows another Month cannot be checked, and sameAsThisMonth says if all figures are those of the present one. It is not documented whether a parent's figure includes its child companies: if it does, their users are counted twice.",
	scope: 'credential',
	fields: { filters: filtersOf({ month }) },
	reads: true,
	uses: [getMany],
	run: async ({ filters: { month: chosen } }, { context }) => {
		const { service, signal, hint, timezone } = context;
		const always = monthFilter(chosen);
		const filter = searchFilter({
			filterGroups: always.length > 0 ? [filterGroup('AND', always), filterGroup('OR')] : [],
		});
		const list = await listCompanies(service, signal, filter);
		const { records } = list;
		const sameAsThisMonth = await isLikeThisMonth(records, chosen, context);
		if (sameAsThisMonth) hint(LIKE_THIS_MONTH);
		const missing = missingHint(list, 'The list of companies');
		if (missing) hint(`${missing[0]} So the total may be wrong.`, missing[1]);
		const counts = records.map(({ monthlyActiveUserCount }) => numberOf(monthlyActiveUserCount ?? NaN));
		const known = counts.filter((count) => Number.isFinite(count));
		return [
			{
				json: {
					totalMonthlyActiveUserCount: known.reduce((sum, count) => sum + count, 0),
					companyCount: records.length,
					companiesWithoutCount: records.length - known.length,
					...(chosen === undefined
						? {}
						: { month: chosen, sameAsThisMonth: sameAsThisMonth || isPresent(chosen, timezone) }),
				},
			},
		];
	},
});

const checkLicense = defineOperation({
	value: 'checkLicense',
	name: 'Check Company License',
	description: 'Get how many users the license of one customer allows, and whether there are more',
	endpoint: 'GET /api/companies/{resourceId}/license-check',
	scope: 'credential',
	fields: { company: companyPicker() },
	request: ({ company }) => ({ path: { resourceId: company.id } }),
	answer: record(),
});

/** What an update sends that the record has under the same name (deployment shapes: GET companies/{resourceId}). */
const SAME = [
	'Name',
	'Description',
	'IndustryResourceId',
	'CountryResourceId',
	'Address',
	'WebsiteUrl',
	'LogoUrl',
	'LicenseTypeResourceId',
	'LicensePeriodTypeResourceId',
	'LicenseStartDate',
	'LicenseEndDate',
	'IsNumberOfUsersLimited',
	'NumberOfUsers',
	'NotificationTemplateTypeResourceId',
	'TrainingContentTypeResourceId',
	'SmtpConfigurationTypeResourceId',
	'PreferredLanguageTypeResourceId',
	'IsVersionVisible',
	'IsReleaseNotesVisible',
	'ReleaseNotesUrl',
	'StatusId',
	'TimeZoneId',
	'DateFormat',
	'TimeFormat',
	'CallBackNumberBookingCount',
];

const groupIds = z.array(z.object({ resourceId: z.string().min(1) }).transform(({ resourceId }) => resourceId));

const SOURCES: Sources = {
	...Object.fromEntries(SAME.map((name) => [name, lowerFirst(name)])),
	LicenseModuleResourceIdArray: { list: 'licenseModules', read: readStoredTexts },
	CompanyGroupResourceIdArray: { list: 'companyGroups', read: (groups) => groupIds.safeParse(groups).data },
	Tags: { list: 'tags', read: readStoredTexts },
};

/** What the service requires of an update (deployment beyond), by the names in the form. */
const REQUIRED = mapValues(
	{
		Name: mainFields.name,
		IndustryResourceId: mainFields.industry,
		CountryResourceId: mainFields.country,
		LicenseTypeResourceId: mainFields.licenseType,
		LicensePeriodTypeResourceId: mainFields.licensePeriodType,
		NumberOfUsers: mainFields.numberOfUsers,
		TimeZoneId: mainFields.timeZone,
		DateFormat: mainFields.dateFormat,
		TimeFormat: mainFields.timeFormat,
	},
	({ property }) => property.displayName,
);

/** The endpoint that updates a company without its license; not every platform has it (deployment activity, 5). */
const LIMITED = 'PUT /api/companies/limited';
/** The fields that it takes in addition to the ID. It ignores any other field without an error (deployment onboarding, 1). */
const LIMITED_FIELDS = [
	'Name',
	'IndustryResourceId',
	'CountryResourceId',
	'Description',
	'Address',
	'WebsiteUrl',
	'PreferredLanguageTypeResourceId',
	'TimeZoneId',
	'File',
];

/**
 * Sends the limited update if it takes every changed field, and none is cleared: that it clears a field, no document says. Otherwise, or
 * if the platform refuses it, the whole record is sent.
 */
function sendLimitedFirst({ request, send }: PerformTools): PerformTools['send'] {
	const isLimited = Object.entries(request.form ?? {}).every(
		([name, value]) => LIMITED_FIELDS.includes(name) && value !== '',
	);
	if (!isLimited) return send;
	return async ({ form, ...others } = {}) => {
		const fields = { ...pick(form, LIMITED_FIELDS), ResourceId: request.path?.resourceId };
		return await withFallback(
			() => send({ ...others, endpoint: LIMITED, form: fields }),
			() => send(form ? { ...others, form } : others),
		);
	};
}

const update = defineOperation({
	value: 'update',
	name: 'Update Company',
	description: 'Change a customer company; what you do not add stays as it is',
	endpoint: 'PUT /api/companies/{resourceId}',
	substitutes: [LIMITED],
	scope: 'credential',
	fields: {
		company: companyPicker(),
		additionalFields: changes({ ...mainFields, ...furtherFields }),
	},
	isUpdate: true,
	request: ({ company, additionalFields }) => ({
		path: { resourceId: company.id },
		form: companyForm(additionalFields),
	}),
	answer: record(),
	perform: async ({ additionalFields: { logo } }, tools) =>
		// A new logo takes the place of the present one's address.
		updateWhole(
			get,
			{ sources: logo ? omit(SOURCES, 'LogoUrl') : SOURCES, required: REQUIRED },
			{ ...tools, send: sendLimitedFirst(tools) },
		),
	output: (json) => asListed(json),
});

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete Company',
	description: 'Remove a customer company, whose name you type as well; this cannot be undone',
	endpoint: 'DELETE /api/companies/{resourceId}',
	scope: 'credential',
	fields: {
		company: companyPicker(),
		nameToDelete: text({
			displayName: 'Name of the Company to Delete',
			description:
				"The name of the same company, exactly as 'Get Company' shows it; with any other, nothing is deleted",
			required: true,
		}),
	},
	request: ({ company }) => ({ path: { resourceId: company.id } }),
	answer: done({ deleted: true }),
	output: (json, { nameToDelete }) => asListed({ name: nameToDelete, ...json }),
	perform: async ({ company, nameToDelete }, { ask, send }) => {
		const { data } = await ask(get, { path: { resourceId: company.id } });
		if (companyOf(toJson(data)).name === nameToDelete) return await send();
		throw new InvalidInput(
			'is not the name of the chosen company',
			['nameToDelete'],
			'Nothing was deleted. Capital letters, spaces and signs count: take the name from the platform.',
		);
	},
});

export const operations = [
	checkLicense,
	create,
	deleteOne,
	exportMany,
	get,
	getMany,
	getOwn,
	getTotalActiveUsers,
	update,
];
