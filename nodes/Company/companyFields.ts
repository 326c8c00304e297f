import { isUndefined, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { markAsReplacing, mustHaveValue, type Values } from '../core/fields/field';
import { binaryInput, dateTime, text, texts, toggle, wholeNumber } from '../core/fields/fieldTypes';
import type { Conditions } from '../core/filters/conditions';
import { checkOrder } from '../core/fields/period';
import type { Sortable } from '../core/filters/filterFields';
import { COMPANY_ID, companyOf } from '../core/companies/companies';
import { platformMultiPicker, platformPicker, statusPicker } from '../domain/pickers/platformLists';
import { multiPickerOf } from '../domain/pickers/resourcePickers';
import { InvalidInput } from '../core/http/errors';
import type { FormFields } from '../core/http/request';

/** What 'Simplified' keeps of a company (contract 2.4 has 20 fields); the table shows the first three or four at once. */
const simplified = [
	'companyName',
	'licenseTypeName',
	'licenseEndDate',
	'licenceExpired',
	'numberOfUsers',
	// Without it, a limit of 0 looks as if the company were over it.
	'isNumberOfUsersLimited',
	'targetUserCount',
	'monthlyActiveUserCount',
	'createTime',
	'companyResourceId',
	'parentCompanyResourceId',
];

export const COMPANY = { id: COMPANY_ID, simplified };

/** The same of a company's own record, which has other fields (deployment shapes). */
export const COMPANY_RECORD = {
	id: COMPANY_ID,
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
	others: [
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

/** What people take for the number of users there are, because of its name (deployment behaviour, "Companies"). */
export const LICENSE_NOTE =
	"In the output, numberOfUsers is the license's limit: how many users it allows; if isNumberOfUsersLimited is false, there is no limit. targetUserCount is how many there are.";

/** What companies can be sorted by (contract 2.2). */
export const COMPANY_SORT: Sortable = {
	'Create Time': 'CreateTime',
	Name: 'Name',
	'Renewal Date': 'RenewalDate',
};

/** What companies are known to be filtered by (deployment activity, 10). */
export const COMPANY_CONDITIONS: Conditions = {
	CompanyName: { name: 'Company Name', kind: 'text', of: 'companyName' },
	CreateTime: { name: 'Create Time', kind: 'date', of: 'createTime' },
	IndustryResourceId: { name: 'Industry ID', kind: 'choice', of: 'industryResourceId' },
	LicenceExpired: { name: 'License Expired', kind: 'yesNo', of: 'licenceExpired' },
	LicenseEndDate: { name: 'License End', kind: 'date', of: 'licenseEndDate' },
	LicenseTypeResourceId: { name: 'License Type ID', kind: 'choice', of: 'licenseTypeResourceId' },
	ResellerName: { name: 'Reseller Name', kind: 'text', of: 'resellerName' },
	TargetUserCount: { name: 'Target Users', kind: 'number', of: 'targetUserCount' },
};

/** The month that the monthly active users are of, which no row says. */
export const MONTH_CONDITION: Conditions = { MonthlyActiveUser: { name: 'Month of Activity', kind: 'month' } };

/** A company's record with its limit of users as a number; the list sends it as text (contract 2.4). */
export function withLimit(json: IDataObject): IDataObject {
	const { numberOfUsers: limit } = json;
	return typeof limit === 'string' && /^\d+$/.test(limit) ? { ...json, numberOfUsers: Number(limit) } : json;
}

/** A company's record with its ID and name under the names that the list of companies has; those it lacks become its first fields. */
export function asListed(json: IDataObject): IDataObject {
	const { id, name: companyName } = companyOf(json);
	return {
		...('companyName' in json || companyName === '' ? {} : { companyName }),
		...('companyResourceId' in json || id === '' ? {} : { companyResourceId: id }),
		...withLimit(json),
	};
}

const MAX_USERS = 2_147_483_647;
const MAX_LOGO_MB = 2;

/**
 * What a company must have. The contract does not define these fields; they are as live deployments accept them (deployment
 * facts, "POST /api/companies").
 */
export const mainFields = {
	name: text({
		displayName: 'Name',
		description: 'The name of the company',
		placeholder: 'e.g. Miller Bakery Ltd',
		required: true,
		max: 64,
	}),
	industry: platformPicker('industries', {
		displayName: 'Industry',
		description: 'The industry, from the list of the platform or, without it, of your existing companies',
		required: true,
	}),
	licenseType: platformPicker('licenseTypes', {
		displayName: 'License Type',
		description: 'The license, from the list of the platform or, without it, of your existing companies',
		required: true,
	}),
	licensePeriodType: platformPicker('licensePeriodTypes', {
		displayName: 'License Period Type',
		description: 'How long a license period is',
		required: true,
	}),
	country: platformPicker('countries', {
		displayName: 'Country',
		description: 'Where the company is',
		required: true,
	}),
	numberOfUsers: wholeNumber({
		displayName: 'Number of Users',
		description:
			"The limit of the license, not how many users there are; 'Limit Number of Users' tells the platform whether it holds",
		default: 10,
		min: 0,
		max: MAX_USERS,
		required: true,
	}),
	timeZone: platformPicker('timeZones', { displayName: 'Time Zone', example: 'Europe/Berlin', required: true }),
	dateFormat: platformPicker('dateFormats', {
		displayName: 'Date Format',
		description: 'How dates are written for this company',
		default: 'dd/MM/yyyy',
		example: 'dd/MM/yyyy',
		required: true,
	}),
	timeFormat: platformPicker('timeFormats', {
		displayName: 'Time Format',
		description: 'How times are written for this company',
		default: 'HH:mm',
		example: 'HH:mm',
		required: true,
	}),
};

const anyLogo = binaryInput({
	displayName: 'Logo Input Data Field Name',
	description: 'The field of the input item that holds the logo as a file, up to 2 MB',
	placeholder: 'e.g. data',
});

/** The logo, of at most 2 MB (deployment behaviour, "Companies"). */
const logo: typeof anyLogo = {
	...anyLogo,
	parse: async (raw, item) => {
		const file = await anyLogo.parse(raw, item);
		if (!file?.content || file.content.length <= MAX_LOGO_MB * 1024 * 1024) return file;
		throw new InvalidInput(`must be at most ${MAX_LOGO_MB} MB large`, [], 'Make the picture smaller.');
	},
};

/** What it can have besides. */
export const furtherFields = {
	address: text({
		displayName: 'Address',
		description: "The company's postal address, up to 200 characters",
		max: 200,
	}),
	companyGroups: markAsReplacing(
		multiPickerOf('companyGroups', {
			displayName: 'Company Group Names or IDs',
			description: 'The groups that the company belongs to; they replace all its groups',
		}),
		'CompanyGroupResourceIdArray',
	),
	description: text({
		displayName: 'Description',
		description: 'A note on the company, up to 300 characters',
		max: 300,
		rows: 3,
	}),
	isNumberOfUsersLimited: mustHaveValue(
		toggle({
			displayName: 'Limit Number of Users',
			description: 'Whether the license is limited to the number of users',
			default: true,
		}),
	),
	licenseEndDate: dateTime({ displayName: 'License End Date', description: 'When the license ends' }),
	licenseModules: markAsReplacing(
		platformMultiPicker('licenseModules', {
			displayName: 'License Module Names or IDs',
			description: 'What the license covers',
		}),
		'LicenseModuleResourceIdArray',
	),
	licenseStartDate: dateTime({
		displayName: 'License Start Date',
		description: 'When the license begins',
	}),
	logo,
	notificationTemplateType: platformPicker('notificationTemplateTypes', {
		displayName: 'Notification Template Type',
		description: 'How mails look',
	}),
	preferredLanguage: platformPicker('languages', {
		displayName: 'Preferred Language Type',
		description: 'How the company is addressed',
	}),
	smtpConfiguration: platformPicker('smtpConfigurationTypes', {
		displayName: 'SMTP Configuration Type',
		description: 'How mails are sent',
	}),
	status: statusPicker('companyStatuses', 'The status of the company'),
	tags: markAsReplacing(
		texts({
			displayName: 'Tags',
			description: 'Words to find the company by, separated by commas',
			placeholder: 'e.g. gold, pilot',
		}),
		'Tags',
	),
	trainingContentType: platformPicker('trainingContentTypes', {
		displayName: 'Training Content Type',
		description: 'How trainings are chosen',
	}),
	websiteUrl: text({
		displayName: 'Website URL',
		description: "The address of the company's website",
		placeholder: 'e.g. https://example.com',
		max: 2000,
	}),
};

/**
 * The given fields as a multipart body has them; the others are left out.
 * @throws InvalidInput for an end before the start
 */
export function companyForm(given: Partial<Values<typeof mainFields & typeof furtherFields>>): FormFields {
	const { licenseStartDate: start, licenseEndDate: end } = given;
	checkOrder(start, end, ['additionalFields', 'licenseEndDate']);
	const form: FormFields = {
		Name: given.name,
		IndustryResourceId: given.industry,
		CountryResourceId: given.country,
		LicenseTypeResourceId: given.licenseType,
		LicensePeriodTypeResourceId: given.licensePeriodType,
		NumberOfUsers: given.numberOfUsers,
		TimeZoneId: given.timeZone,
		DateFormat: given.dateFormat,
		TimeFormat: given.timeFormat,
		File: given.logo,
		Description: given.description,
		Address: given.address,
		WebsiteUrl: given.websiteUrl,
		LicenseModuleResourceIdArray: given.licenseModules,
		LicenseStartDate: start,
		LicenseEndDate: end,
		IsNumberOfUsersLimited: given.isNumberOfUsersLimited,
		NotificationTemplateTypeResourceId: given.notificationTemplateType,
		TrainingContentTypeResourceId: given.trainingContentType,
		SmtpConfigurationTypeResourceId: given.smtpConfiguration,
		PreferredLanguageTypeResourceId: given.preferredLanguage,
		CompanyGroupResourceIdArray: given.companyGroups,
		StatusId: given.status,
		Tags: given.tags,
	};
	return omitBy(form, isUndefined);
}
