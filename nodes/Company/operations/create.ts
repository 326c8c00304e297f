import { record } from '../../shared/answer/record';
import { collection } from '../../shared/form/collection';
import { dateTime } from '../../shared/form/date';
import { binaryInput } from '../../shared/form/file';
import { wholeNumber } from '../../shared/form/number';
import { text, texts } from '../../shared/form/text';
import { toggle } from '../../shared/form/toggle';
import { checkOrder } from '../../shared/form/period';
import { defineOperation } from '../../shared/operation/define';
import { companyValuePicker } from '../../shared/pickers/company';
import { companyGroupsPicker } from '../../shared/pickers/companyGroup';
import {
	formatPicker,
	licenseModulesPicker,
	licenseTypes,
	lookupPicker,
	valuesOf,
	type Kind,
} from '../../shared/pickers/lookup';
import { mergeIds } from '../../shared/pickers/picker';
import { timeZonePicker } from '../../shared/pickers/timeZone';
import { asListed } from '../fields';

const LICENSE_MODULE_IDS = 'License Module IDs';
const MAX_USERS = 2_147_483_647;

/** A field for one of the kinds of values that the platform identifies by ID. */
const typeId = (name: string, decides: string, method: string, kind: Kind) =>
	lookupPicker({ displayName: `${name} Type`, description: `How ${decides}`, method }, kind);

/**
 * The contract does not define these fields; they are as live deployments accept them (deployment facts, "POST
 * /api/companies").
 */
const fields = {
	name: text({
		displayName: 'Name',
		description: 'The name of the new company',
		placeholder: 'e.g. Miller Bakery Ltd',
		required: true,
		max: 64,
	}),
	industry: companyValuePicker(
		{
			displayName: 'Industry',
			description: "The list shows the platform's own values or, if it has no list, those of your existing companies",
			method: 'searchIndustries',
			thing: 'industry',
		},
		{ id: 'industryResourceId', name: 'industryName' },
		valuesOf('industry'),
	),
	licenseType: companyValuePicker(
		{
			displayName: 'License Type',
			description: "The list shows the platform's own values or, if it has no list, those of your existing companies",
			method: 'searchLicenseTypes',
			thing: 'license type',
		},
		{ id: 'licenseTypeResourceId', name: 'licenseTypeName' },
		licenseTypes,
	),
	licensePeriodType: lookupPicker(
		{
			displayName: 'License Period Type',
			description: 'How long a license period is',
			method: 'searchLicensePeriodTypes',
			required: true,
		},
		'license period type',
	),
	country: lookupPicker(
		{ displayName: 'Country', description: 'Where the company is', method: 'searchCountries', required: true },
		'country',
	),
	numberOfUsers: wholeNumber({
		displayName: 'Number of Users',
		description: 'How many users the license allows',
		default: 10,
		min: 0,
		max: MAX_USERS,
		required: true,
	}),
	timeZone: timeZonePicker({ isPlatforms: true }),
	dateFormat: formatPicker(
		{
			displayName: 'Date Format',
			description: 'How dates are written for this company',
			method: 'searchDateFormats',
			default: 'dd/MM/yyyy',
			required: true,
		},
		'date',
	),
	timeFormat: formatPicker(
		{
			displayName: 'Time Format',
			description: 'How times are written for this company',
			method: 'searchTimeFormats',
			default: 'HH:mm',
			required: true,
		},
		'time',
	),
	additionalFields: collection({
		displayName: 'Additional Fields',
		fields: {
			address: text({
				displayName: 'Address',
				description: "The company's postal address, up to 200 characters",
				max: 200,
			}),
			companyGroupIds: texts({
				displayName: 'Company Group IDs',
				description: 'The groups to put the company in, separated by commas; those chosen in the list are added',
			}),
			companyGroups: companyGroupsPicker({ displayName: 'Company Group Names or IDs' }),
			description: text({
				displayName: 'Description',
				description: 'A note on the company, up to 300 characters',
				max: 300,
				rows: 3,
			}),
			isNumberOfUsersLimited: toggle({
				displayName: 'Limit Number of Users',
				description: 'Whether the license is limited to the number of users',
				default: true,
			}),
			licenseEndDate: dateTime({ displayName: 'License End Date', description: 'When the license ends' }),
			licenseModuleIds: texts({
				displayName: LICENSE_MODULE_IDS,
				description: 'The modules that the license covers, separated by commas; those chosen in the list are added',
			}),
			licenseModules: licenseModulesPicker({ displayName: 'License Module Names or IDs' }, LICENSE_MODULE_IDS),
			licenseStartDate: dateTime({
				displayName: 'License Start Date',
				description: 'When the license begins',
			}),
			logo: binaryInput({
				displayName: 'Logo Input Data Field Name',
				description: 'The field of the input item that holds the logo as a file',
				placeholder: 'e.g. data',
			}),
			notificationTemplateType: typeId(
				'Notification Template',
				'mails look',
				'searchNotificationTemplateTypes',
				'notification template type',
			),
			preferredLanguage: typeId('Preferred Language', 'the company is addressed', 'searchLanguages', 'language'),
			smtpConfiguration: typeId(
				'SMTP Configuration',
				'mails are sent',
				'searchSmtpConfigurationTypes',
				'SMTP configuration type',
			),
			status: wholeNumber({
				displayName: 'Status ID',
				description: 'The status of the company, as a number; 1 is active',
				default: 1,
				min: 0,
				max: MAX_USERS,
			}),
			tags: texts({
				displayName: 'Tags',
				description: 'Words to find the company by, separated by commas',
				placeholder: 'e.g. gold, pilot',
			}),
			trainingContentType: typeId(
				'Training Content',
				'trainings are chosen',
				'searchTrainingContentTypes',
				'training content type',
			),
			websiteUrl: text({
				displayName: 'Website URL',
				description: "The address of the company's website",
				placeholder: 'e.g. https://example.com',
				max: 2000,
			}),
		},
	}),
};

export const create = defineOperation({
	value: 'create',
	name: 'Create Company',
	action: 'Create company',
	description: 'Add a customer company',
	contract: 'POST /api/companies',
	scope: 'credential',
	fields,
	request: ({ additionalFields: more, ...company }) => {
		const { licenseStartDate: start, licenseEndDate: end } = more;
		checkOrder(start, end, ['additionalFields', 'licenseEndDate'], 'start date');
		return {
			form: {
				Name: company.name,
				IndustryResourceId: company.industry.id,
				CountryResourceId: company.country,
				LicenseTypeResourceId: company.licenseType.id,
				LicensePeriodTypeResourceId: company.licensePeriodType,
				NumberOfUsers: company.numberOfUsers,
				TimeZoneId: company.timeZone,
				DateFormat: company.dateFormat,
				TimeFormat: company.timeFormat,
				File: more.logo,
				Description: more.description,
				Address: more.address,
				WebsiteUrl: more.websiteUrl,
				LicenseModuleResourceIdArray: mergeIds(more.licenseModuleIds, more.licenseModules),
				LicenseStartDate: start,
				LicenseEndDate: end,
				IsNumberOfUsersLimited: more.isNumberOfUsersLimited,
				NotificationTemplateTypeResourceId: more.notificationTemplateType,
				TrainingContentTypeResourceId: more.trainingContentType,
				SmtpConfigurationTypeResourceId: more.smtpConfiguration,
				PreferredLanguageTypeResourceId: more.preferredLanguage,
				CompanyGroupResourceIdArray: mergeIds(more.companyGroupIds, more.companyGroups),
				StatusId: more.status,
				Tags: more.tags,
			},
		};
	},
	answer: record(),
	output: (json, _values, { Name }) => asListed(json, Name),
});
