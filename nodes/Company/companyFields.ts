import type { IDataObject } from 'n8n-workflow';

import { markAsListReplacement, rejectEmptyExpression, type FieldValues } from '../core/fields/field';
import {
	fileField,
	dateTimeField,
	textField,
	textListField,
	toggleField,
	wholeNumberField,
} from '../core/fields/fieldTypes';
import type { FilterableFields } from '../core/filters/conditions';
import { rejectEndBeforeStart } from '../core/fields/period';
import type { SortableFields } from '../core/filters/filterFields';
import { COMPANY_ID_FIELDS, toCompany } from '../core/companies/companies';
import { platformMultiPicker, platformPicker, statusPicker } from '../domain/pickers/platformLists';
import { resourceMultiPicker } from '../domain/pickers/resourcePickers';
import { parseUserLimit } from '../domain/companyRecords';
import { InvalidInputError } from '../core/http/errors';
import type { MultipartFields } from '../core/http/request';
import { omitUndefined } from '../core/values';

/**
 * The output fields of lists of companies (contract 2.4). The most important ones come first, because n8n's table shows only the first
 * three or four without scrolling.
 */
export const COMPANY_LIST_FIELDS = {
	id: COMPANY_ID_FIELDS,
	simplified: [
		'companyName',
		'licenseTypeName',
		'licenseEndDate',
		'licenceExpired',
		'numberOfUsers',
		// Without this flag, a company with the limit 0 would look as if it were over its limit.
		'isNumberOfUsersLimited',
		'targetUserCount',
		'monthlyActiveUserCount',
		'createTime',
		'companyResourceId',
		'parentCompanyResourceId',
	],
};

/** The output fields of a single company's record, which has other fields than a list of companies (deployment shapes, "Companies"). */
export const COMPANY_RECORD_FIELDS = {
	id: COMPANY_ID_FIELDS,
	simplified: [
		'companyName',
		'licenseTypeName',
		'licenseEndDate',
		'numberOfUsers',
		'isNumberOfUsersLimited',
		'targetUserCount',
		'industryName',
		'tags',
		'timeZoneId',
		'companyResourceId',
	],
	additional: [
		'address',
		'companyGroups',
		'countryName',
		'dateFormat',
		'description',
		'licenseModules',
		'licensePeriodTypeName',
		'licenseStartDate',
		'logoUrl',
		'notificationTemplateTypeName',
		'preferredLanguageTypeName',
		'smtpConfigurationTypeName',
		'statusName',
		'timeFormat',
		'trainingContentTypeName',
		'websiteUrl',
	],
};

/**
 * The note that explains the output field `numberOfUsers`. It holds the license's limit, although its name suggests the number of existing
 * users (deployment behaviour, "Companies").
 */
export const NUMBER_OF_USERS_NOTE =
	"'numberOfUsers' is the number of users that the license allows, and 'targetUserCount' is the number of active users. If 'isNumberOfUsersLimited' is false, the license has no limit.";

/** The fields that lists of companies can be sorted by (contract 2.2). */
export const SORTABLE_COMPANY_FIELDS: SortableFields = {
	'Create Time': 'CreateTime',
	Name: 'Name',
	'Renewal Date': 'RenewalDate',
};

/** The filter field for the month of the monthly active users. Exports of companies can be filtered by it, but company records don't have it. */
export const FILTERABLE_MONTH_FIELD: FilterableFields = {
	MonthlyActiveUser: { name: 'Month of Activity', type: 'month' },
};

/**
 * Changes a single company's record to the form that the list of companies has. The ID and the name are added as `companyResourceId` and
 * `companyName`, in front of the other fields.
 */
export function toListedCompany(company: IDataObject): IDataObject {
	const { id, name } = toCompany(company);
	const missingColumns: IDataObject = {};
	if (!('companyName' in company) && name !== '') missingColumns.companyName = name;
	if (!('companyResourceId' in company) && id !== '') missingColumns.companyResourceId = id;
	return { ...missingColumns, ...parseUserLimit(company) };
}

const MAX_USERS = 2_147_483_647;
const MAX_LOGO_MB = 2;

/**
 * The form fields that are required for a company. The contract doesn't say which fields these are, so this list follows live deployments
 * (deployment facts, "Requests").
 */
export const requiredCompanyFields = {
	name: textField({
		displayName: 'Name',
		description: 'The name that the company should have, such as Miller Bakery Ltd',
		placeholder: 'e.g. Miller Bakery Ltd',
		required: true,
		max: 64,
	}),
	industry: platformPicker('industries', {
		displayName: 'Industry',
		description: 'The industry that the company belongs to, such as Healthcare',
		required: true,
	}),
	licenseType: platformPicker('licenseTypes', {
		displayName: 'License Type',
		description: 'The type of license that the company gets, such as Premium',
		required: true,
	}),
	licensePeriodType: platformPicker('licensePeriodTypes', {
		displayName: 'License Period Type',
		description: 'How long one period of the license lasts, such as Yearly',
		required: true,
	}),
	country: platformPicker('countries', {
		displayName: 'Country',
		description: 'The country that the company is in, such as Germany',
		required: true,
	}),
	numberOfUsers: wholeNumberField({
		displayName: 'Number of Users',
		description:
			"The number of users that the license allows, such as 250. For a license without a limit, turn off 'Limit Number of Users'.",
		default: 10,
		min: 0,
		max: MAX_USERS,
		required: true,
	}),
	timeZone: platformPicker('timeZones', {
		displayName: 'Time Zone',
		description: 'The time zone that the company is in, such as Europe/Berlin',
		idExample: 'Europe/Berlin',
		required: true,
	}),
	dateFormat: platformPicker('dateFormats', {
		displayName: 'Date Format',
		description: 'How the platform writes dates for this company, such as dd/MM/yyyy',
		default: 'dd/MM/yyyy',
		idExample: 'dd/MM/yyyy',
		required: true,
	}),
	timeFormat: platformPicker('timeFormats', {
		displayName: 'Time Format',
		description: 'How the platform writes times for this company, such as HH:mm',
		default: 'HH:mm',
		idExample: 'HH:mm',
		required: true,
	}),
};

const logoFileField = fileField({
	displayName: 'Logo Input Data Field Name',
	description: 'The name of the input field that contains the logo file, at most 2 MB',
	placeholder: 'e.g. data',
});

/** The form field for the logo file, which must not be larger than 2 MB (deployment behaviour, "Companies"). */
const logoField: typeof logoFileField = {
	...logoFileField,
	parse: async (raw, item) => {
		const file = await logoFileField.parse(raw, item);
		if (!file?.content || file.content.length <= MAX_LOGO_MB * 1024 * 1024) return file;
		throw new InvalidInputError(`must be a file of at most ${MAX_LOGO_MB} MB`, [], 'Use a smaller picture.');
	},
};

export const optionalCompanyFields = {
	address: textField({
		displayName: 'Address',
		description: "The company's postal address, up to 200 characters",
		placeholder: 'e.g. 12 Main Street, 10115 Berlin',
		max: 200,
	}),
	companyGroups: markAsListReplacement(
		resourceMultiPicker('companyGroups', {
			displayName: 'Company Group Names or IDs',
			description: 'All company groups that the company should be in',
		}),
		'CompanyGroupResourceIdArray',
	),
	description: textField({
		displayName: 'Description',
		description: 'A note about the company, up to 300 characters',
		placeholder: 'e.g. Customer since 2024',
		max: 300,
		rows: 3,
	}),
	isNumberOfUsersLimited: rejectEmptyExpression(
		toggleField({
			displayName: 'Limit Number of Users',
			description: "Whether to limit the license to the value of 'Number of Users'",
			default: true,
		}),
	),
	licenseEndDate: dateTimeField({
		displayName: 'License End Date',
		description: 'The date and time when the license ends, such as 2026-12-31',
	}),
	licenseModules: markAsListReplacement(
		platformMultiPicker('licenseModules', {
			displayName: 'License Module Names or IDs',
			description: 'All modules that the license should include',
		}),
		'LicenseModuleResourceIdArray',
	),
	licenseStartDate: dateTimeField({
		displayName: 'License Start Date',
		description: 'The date and time when the license begins, such as 2026-01-01',
	}),
	logo: logoField,
	notificationTemplateType: platformPicker('notificationTemplateTypes', {
		displayName: 'Notification Template Type',
		description: "The set of templates for the company's notification emails, such as Default",
	}),
	preferredLanguage: platformPicker('languages', {
		displayName: 'Preferred Language',
		description: 'The language that the company prefers, such as English',
	}),
	smtpConfiguration: platformPicker('smtpConfigurationTypes', {
		displayName: 'SMTP Configuration Type',
		description: "The kind of mail server (SMTP) that sends the company's emails, such as Default",
	}),
	status: statusPicker('companyStatuses', 'The status of the company, such as Active'),
	tags: markAsListReplacement(
		textListField({
			displayName: 'Tags',
			description: 'All tags that the company should have, separated by commas',
			placeholder: 'e.g. gold, pilot',
		}),
		'Tags',
	),
	trainingContentType: platformPicker('trainingContentTypes', {
		displayName: 'Training Content Type',
		description: 'The kind of training content that the company gets, such as Default',
	}),
	websiteUrl: textField({
		displayName: 'Website URL',
		description: "The address of the company's website",
		placeholder: 'e.g. https://www.example.com',
		max: 2000,
	}),
};

/**
 * Builds the multipart form that creates or updates a company. Fields without a value are omitted.
 * @throws InvalidInputError if the license ends before it starts
 */
export function buildCompanyForm(
	values: Partial<FieldValues<typeof requiredCompanyFields & typeof optionalCompanyFields>>,
): MultipartFields {
	rejectEndBeforeStart(values.licenseStartDate, values.licenseEndDate, ['additionalFields', 'licenseEndDate']);
	return omitUndefined<MultipartFields>({
		Name: values.name,
		IndustryResourceId: values.industry,
		CountryResourceId: values.country,
		LicenseTypeResourceId: values.licenseType,
		LicensePeriodTypeResourceId: values.licensePeriodType,
		NumberOfUsers: values.numberOfUsers,
		TimeZoneId: values.timeZone,
		DateFormat: values.dateFormat,
		TimeFormat: values.timeFormat,
		File: values.logo,
		Description: values.description,
		Address: values.address,
		WebsiteUrl: values.websiteUrl,
		LicenseModuleResourceIdArray: values.licenseModules,
		LicenseStartDate: values.licenseStartDate,
		LicenseEndDate: values.licenseEndDate,
		IsNumberOfUsersLimited: values.isNumberOfUsersLimited,
		NotificationTemplateTypeResourceId: values.notificationTemplateType,
		TrainingContentTypeResourceId: values.trainingContentType,
		SmtpConfigurationTypeResourceId: values.smtpConfiguration,
		PreferredLanguageTypeResourceId: values.preferredLanguage,
		CompanyGroupResourceIdArray: values.companyGroups,
		StatusId: values.status,
		Tags: values.tags,
	});
}
