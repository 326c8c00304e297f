import { record } from '../shared/answer/record';
import { collection } from '../shared/form/collection';
import { binaryInput, dateTime, text, texts, toggle, wholeNumber } from '../shared/form/fields';
import { checkOrder } from '../shared/form/period';
import { defineOperation } from '../shared/operation/operation';
import { platformMultiPicker, platformPicker } from '../shared/pickers/platformLists';
import { multiPickerOf } from '../shared/pickers/resources';
import { asListed } from './fields';

const MAX_USERS = 2_147_483_647;

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
		description: 'How many users the license allows',
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
	additionalFields: collection({
		displayName: 'Additional Fields',
		fields: {
			address: text({
				displayName: 'Address',
				description: "The company's postal address, up to 200 characters",
				max: 200,
			}),
			companyGroups: multiPickerOf('companyGroups', { displayName: 'Company Group Names or IDs' }),
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
			licenseModules: platformMultiPicker('licenseModules', { displayName: 'License Module Names or IDs' }),
			licenseStartDate: dateTime({
				displayName: 'License Start Date',
				description: 'When the license begins',
			}),
			logo: binaryInput({
				displayName: 'Logo Input Data Field Name',
				description: 'The field of the input item that holds the logo as a file',
				placeholder: 'e.g. data',
			}),
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
		},
	}),
};

export const create = defineOperation({
	value: 'create',
	name: 'Create Company',
	description: 'Add a customer company',
	contract: 'POST /api/companies',
	scope: 'credential',
	fields,
	request: ({ additionalFields: more, ...company }) => {
		const { licenseStartDate: start, licenseEndDate: end } = more;
		checkOrder(start, end, ['additionalFields', 'licenseEndDate']);
		return {
			form: {
				Name: company.name,
				IndustryResourceId: company.industry,
				CountryResourceId: company.country,
				LicenseTypeResourceId: company.licenseType,
				LicensePeriodTypeResourceId: company.licensePeriodType,
				NumberOfUsers: company.numberOfUsers,
				TimeZoneId: company.timeZone,
				DateFormat: company.dateFormat,
				TimeFormat: company.timeFormat,
				File: more.logo,
				Description: more.description,
				Address: more.address,
				WebsiteUrl: more.websiteUrl,
				LicenseModuleResourceIdArray: more.licenseModules,
				LicenseStartDate: start,
				LicenseEndDate: end,
				IsNumberOfUsersLimited: more.isNumberOfUsersLimited,
				NotificationTemplateTypeResourceId: more.notificationTemplateType,
				TrainingContentTypeResourceId: more.trainingContentType,
				SmtpConfigurationTypeResourceId: more.smtpConfiguration,
				PreferredLanguageTypeResourceId: more.preferredLanguage,
				CompanyGroupResourceIdArray: more.companyGroups,
				StatusId: more.status,
				Tags: more.tags,
			},
		};
	},
	answer: record(),
	output: (json, _values, { Name }) => asListed(json, Name),
});
