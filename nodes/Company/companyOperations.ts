import { lowerFirst, mapValues, omit, pick, sum } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { fileResponse } from '../core/response/fileResponse';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { updateFieldsBlock, collectionField } from '../core/fields/collection';
import { textField, toggleField } from '../core/fields/fieldTypes';
import { filtersBlock } from '../core/filters/filterFields';
import { createOptionsBlock } from '../core/operation/operationFields';
import { defineComposite, defineOperation, type PerformHelpers } from '../core/operation/defineOperation';
import { readStoredTexts, updateRecord, type CurrentValueSources } from '../core/operation/updateRecord';
import { toCompany, listCompanies, flattenCompanies } from '../core/companies/companies';
import { FILTERABLE_COMPANY_FIELDS } from '../domain/companyRecords';
import { InvalidInputError, withFallback } from '../core/http/errors';
import {
	toListedCompany,
	COMPANY_LIST_FIELDS,
	COMPANY_RECORD_FIELDS,
	SORTABLE_COMPANY_FIELDS,
	buildCompanyForm,
	optionalCompanyFields,
	NUMBER_OF_USERS_NOTE,
	requiredCompanyFields,
	FILTERABLE_MONTH_FIELD,
} from './companyFields';
import { buildFilterGroup, buildSearchFilter } from '../core/api/searchFilter';
import { getAccessWindowOperation } from './getAccessWindow';
import { getManyCompaniesOperation } from './getManyCompanies';
import {
	hasCurrentMonthFigures,
	isCurrentMonth,
	SAME_FIGURES_HINT,
	monthField,
	buildMonthConditions,
} from './licenseMonth';
import { parseNumber, toItemJson } from '../core/values';
import { buildMissingRecordsHint } from '../core/pagination/listResult';
import { companyPicker } from '../core/companyScope/companyPicker';

const companyExportFields = {
	filters: filtersBlock({
		isTargetUserCountExceededLimit: toggleField({
			displayName: 'Only Over License Limit',
			default: true,
			description: 'Whether to export only companies with more users than their license allows',
		}),
	}),
	...createOptionsBlock({
		isClustered: toggleField({
			displayName: 'Clustered',
			default: true,
			description: "Whether to turn on the platform's setting 'isClustered'. Use this only if you know the setting.",
		}),
	}),
};

const createOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create company',
	description: 'Create a customer company',
	endpoint: 'POST /api/companies',
	scope: 'credential',
	fields: {
		...requiredCompanyFields,
		additionalFields: collectionField({ displayName: 'Additional Fields', fields: optionalCompanyFields }),
	},
	request: ({ additionalFields, ...company }) => ({ multipart: buildCompanyForm({ ...company, ...additionalFields }) }),
	response: recordResponse(),
	transformOutput: toListedCompany,
});

const exportOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export companies',
	description: 'Export the list of customer companies to a CSV or Excel file',
	endpoint: 'POST /api/companies/search/export',
	scope: 'credential',
	fields: companyExportFields,
	request: ({ filters, options }) => ({ body: { ...filters, ...options } }),
	response: fileResponse({
		fallbackName: 'companies',
		sortableFields: SORTABLE_COMPANY_FIELDS,
		filterableFields: { ...FILTERABLE_COMPANY_FIELDS, ...FILTERABLE_MONTH_FIELD },
	}),
});

const getOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get company',
	description: 'Get a customer company with its license and settings',
	outputNote: NUMBER_OF_USERS_NOTE,
	endpoint: 'GET /api/companies/{resourceId}',
	scope: 'credential',
	fields: { company: companyPicker() },
	request: ({ company }) => ({ path: { resourceId: company.id } }),
	response: recordResponse({ outputFields: COMPANY_RECORD_FIELDS }),
	transformOutput: toListedCompany,
});

const getOwnOperation = defineOperation({
	value: 'getOwn',
	name: 'Get Own',
	action: 'Get own company',
	description: 'Get the company that the credential belongs to',
	outputNote:
		"If the credential belongs to a reseller, some platforms return all customers instead of the reseller's own company.",
	endpoint: 'GET /api/companies/my',
	scope: 'credential',
	response: recordResponse({ outputFields: COMPANY_LIST_FIELDS, flatten: flattenCompanies }),
	transformOutput: toListedCompany,
});

const getTotalActiveUsersOperation = defineComposite({
	value: 'getTotalActiveUsers',
	name: 'Get Total Active Users',
	action: 'Get total monthly active users',
	description: 'Get the total number of monthly active users of all customers, including child companies',
	outputNote:
		'Some platforms count the new users of the month, even if they were never active. If you choose a past month and sameAsThisMonth in the output is true, the number may be for the current month instead.',
	scope: 'credential',
	fields: { filters: filtersBlock({ month: monthField }) },
	isReadOnly: true,
	dependencies: [getManyCompaniesOperation],
	run: async ({ filters: { month } }, { context }) => {
		const { client, signal, addHint, timezone } = context;
		const list = await listCompanies(client, signal, buildMonthSearchFilter(month));
		const { records } = list;
		const isSameAsThisMonth = await hasCurrentMonthFigures(records, month, context);
		if (isSameAsThisMonth) addHint(SAME_FIGURES_HINT);
		const missingRecordsHint = buildMissingRecordsHint(list, 'The list of companies');
		if (missingRecordsHint) {
			const [message, missingCount] = missingRecordsHint;
			addHint(`${message} The total may therefore be wrong.`, missingCount);
		}
		const activeUserCounts = records
			.map(({ monthlyActiveUserCount }) => parseNumber(monthlyActiveUserCount ?? NaN))
			.filter((count) => Number.isFinite(count));
		const json: IDataObject = {
			totalMonthlyActiveUserCount: sum(activeUserCounts),
			companyCount: records.length,
			companiesWithoutCount: records.length - activeUserCounts.length,
		};
		if (month !== undefined) {
			json.month = month;
			json.sameAsThisMonth = isSameAsThisMonth || isCurrentMonth(month, timezone);
		}
		return [{ json }];
	},
});

/** Builds the search filter that returns all companies with the active users of a month, or of the current month if none is given. */
function buildMonthSearchFilter(month: string | undefined): IDataObject {
	if (month === undefined) return buildSearchFilter();
	return buildSearchFilter({
		filterGroups: [buildFilterGroup('AND', buildMonthConditions(month)), buildFilterGroup('OR')],
	});
}

const checkLicenseOperation = defineOperation({
	value: 'checkLicense',
	name: 'Check License',
	action: 'Check company license',
	description: 'Check whether a customer has more users than the license allows',
	endpoint: 'GET /api/companies/{resourceId}/license-check',
	scope: 'credential',
	fields: { company: companyPicker() },
	request: ({ company }) => ({ path: { resourceId: company.id } }),
	response: recordResponse(),
});

/** The request fields of an update whose names differ from those in the record only in the first letter's case (deployment shapes, "Companies"). */
const SAME_NAME_FIELDS = [
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

/** Turns the list of groups in a company's record into a list of their IDs. */
const groupIdsShape = z.array(z.object({ resourceId: z.string().min(1) }).transform(({ resourceId }) => resourceId));

/** Maps each request field of an update to the place in the company's record that has its current value. */
const COMPANY_CURRENT_VALUE_SOURCES: CurrentValueSources = {
	...Object.fromEntries(SAME_NAME_FIELDS.map((name) => [name, lowerFirst(name)])),
	LicenseModuleResourceIdArray: { fieldName: 'licenseModules', read: readStoredTexts },
	CompanyGroupResourceIdArray: { fieldName: 'companyGroups', read: (groups) => groupIdsShape.safeParse(groups).data },
	Tags: { fieldName: 'tags', read: readStoredTexts },
};

/** The request fields that the platform requires in an update (deployment beyond, "Companies"), with their labels in the form. */
const REQUIRED_FIELD_LABELS = mapValues(
	{
		Name: requiredCompanyFields.name,
		IndustryResourceId: requiredCompanyFields.industry,
		CountryResourceId: requiredCompanyFields.country,
		LicenseTypeResourceId: requiredCompanyFields.licenseType,
		LicensePeriodTypeResourceId: requiredCompanyFields.licensePeriodType,
		NumberOfUsers: requiredCompanyFields.numberOfUsers,
		TimeZoneId: requiredCompanyFields.timeZone,
		DateFormat: requiredCompanyFields.dateFormat,
		TimeFormat: requiredCompanyFields.timeFormat,
	},
	({ property }) => property.displayName,
);

/** The endpoint that updates a company's details but not its license. Some platforms don't have it (deployment activity 5). */
const LIMITED_UPDATE_ENDPOINT = 'PUT /api/companies/limited';
/** The fields that the limited update accepts, apart from the company's ID. The endpoint ignores all other fields without an error (deployment onboarding 1). */
const LIMITED_UPDATE_FIELDS = [
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
 * Creates a `send` function that uses the limited update if possible. The complete update is sent if the limited one doesn't accept every
 * changed field, or if the platform rejects the limited one. It is also sent if the user cleared a field, because no document says that the
 * limited update can clear fields.
 */
function createLimitedUpdateSend({ request, send }: PerformHelpers): PerformHelpers['send'] {
	const canUseLimitedUpdate = Object.entries(request.multipart ?? {}).every(
		([name, value]) => LIMITED_UPDATE_FIELDS.includes(name) && value !== '',
	);
	if (!canUseLimitedUpdate) return send;
	return (overrides = {}) => {
		const limitedFields = {
			...pick(overrides.multipart, LIMITED_UPDATE_FIELDS),
			ResourceId: request.path?.resourceId,
		};
		return withFallback(
			() => send({ ...overrides, endpoint: LIMITED_UPDATE_ENDPOINT, multipart: limitedFields }),
			() => send(overrides),
		);
	};
}

const updateOperation = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update company',
	description: 'Change the details, license or settings of a customer company',
	outputNote: 'Tags, company groups and license modules that you enter replace all current ones.',
	endpoint: 'PUT /api/companies/{resourceId}',
	substituteEndpoints: [LIMITED_UPDATE_ENDPOINT],
	scope: 'credential',
	fields: {
		company: companyPicker(),
		additionalFields: updateFieldsBlock({ ...requiredCompanyFields, ...optionalCompanyFields }),
	},
	isUpdate: true,
	request: ({ company, additionalFields }) => ({
		path: { resourceId: company.id },
		multipart: buildCompanyForm(additionalFields),
	}),
	response: recordResponse(),
	perform: ({ additionalFields: { logo } }, helpers) =>
		// A new logo replaces the current one, so the URL of the current logo isn't sent back.
		updateRecord(
			getOperation,
			{
				currentValueSources: logo ? omit(COMPANY_CURRENT_VALUE_SOURCES, 'LogoUrl') : COMPANY_CURRENT_VALUE_SOURCES,
				requiredFields: REQUIRED_FIELD_LABELS,
			},
			{ ...helpers, send: createLimitedUpdateSend(helpers) },
		),
	transformOutput: toListedCompany,
});

const deleteOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete company',
	description: 'Delete a customer company permanently',
	endpoint: 'DELETE /api/companies/{resourceId}',
	scope: 'credential',
	fields: {
		company: companyPicker(),
		nameToDelete: textField({
			displayName: 'Confirm Company Name',
			description: "To confirm the deletion, enter the company's name exactly as 'Get company' shows it",
			placeholder: 'e.g. Miller Bakery Ltd',
			required: true,
		}),
	},
	request: ({ company }) => ({ path: { resourceId: company.id } }),
	response: emptyResponse({ deleted: true }),
	transformOutput: (json, { nameToDelete }) => toListedCompany({ name: nameToDelete, ...json }),
	perform: async ({ company, nameToDelete }, { callOperation, send }) => {
		const { data } = await callOperation(getOperation, { path: { resourceId: company.id } });
		if (toCompany(toItemJson(data)).name === nameToDelete) return await send();
		throw new InvalidInputError(
			'is not the name of the selected company',
			['nameToDelete'],
			"Nothing was deleted. Enter the name exactly as 'Get company' shows it, including capital letters, spaces and punctuation.",
		);
	},
});

/** The operations of the Company node. The node's properties list their forms in this order. */
export const companyOperations = [
	checkLicenseOperation,
	createOperation,
	deleteOperation,
	exportOperation,
	getOperation,
	getAccessWindowOperation,
	getManyCompaniesOperation,
	getOwnOperation,
	getTotalActiveUsersOperation,
	updateOperation,
];
