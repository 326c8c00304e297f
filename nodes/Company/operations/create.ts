import { record } from '../../shared/answer/record';
import {
	binaryInput,
	collection,
	dateTime,
	text,
	texts,
	toggle,
	wholeNumber,
} from '../../shared/fields/basic';
import { checkOrder } from '../../shared/fields/period';
import { defineOperation } from '../../shared/operation/define';
import { companyValuePicker } from '../../shared/pickers/company';
import { timeZonePicker } from '../../shared/pickers/timeZone';

const MAX_USERS = 2_147_483_647;

/** One of the kinds that only the platform knows the IDs of. */
const typeId = (kind: string, decides: string) =>
	text({
		displayName: `${kind} Type ID`,
		description: `How ${decides}, by the ID the platform uses`,
	});

/** Deployment facts, "POST /api/companies": what the contract leaves open, as live deployments take it. */
const fields = {
	name: text({
		displayName: 'Name',
		description: 'What the new company is called',
		placeholder: 'e.g. Miller Bakery Ltd',
		required: true,
		max: 64,
	}),
	industry: companyValuePicker(
		{
			displayName: 'Industry',
			description: 'Listed are the industries of your existing companies',
			method: 'searchIndustries',
			thing: 'industry',
		},
		{ id: 'industryResourceId', name: 'industryName' },
	),
	licenseType: companyValuePicker(
		{
			displayName: 'License Type',
			description: 'Listed are the license types of your existing companies',
			method: 'searchLicenseTypes',
			thing: 'license type',
		},
		{ id: 'licenseTypeResourceId', name: 'licenseTypeName' },
	),
	licensePeriodType: text({
		displayName: 'License Period Type ID',
		description: 'How long a license period is, by the ID the platform uses',
		required: true,
	}),
	country: text({
		displayName: 'Country ID',
		description: 'Where the company is, by the ID the platform uses',
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
	timeZone: timeZonePicker(),
	dateFormat: text({
		displayName: 'Date Format',
		description: 'How dates are written for this company',
		default: 'dd/MM/yyyy',
		required: true,
	}),
	timeFormat: text({
		displayName: 'Time Format',
		description: 'How times are written for this company',
		default: 'HH:mm',
		required: true,
	}),
	additionalFields: collection({
		displayName: 'Additional Fields',
		fields: {
			address: text({ displayName: 'Address', description: 'Where the company is, up to 200 characters', max: 200 }),
			companyGroupIds: texts({
				displayName: 'Company Group IDs',
				description: 'The groups to put the company in, separated by commas',
			}),
			description: text({
				displayName: 'Description',
				description: 'A note on the company, up to 300 characters',
				max: 300,
				rows: 3,
			}),
			isNumberOfUsersLimited: toggle({
				displayName: 'Limit Number of Users',
				description: 'Whether the license ends at the number of users',
				default: true,
			}),
			licenseEndDate: dateTime({ displayName: 'License End Date', description: 'When the license runs out' }),
			licenseModuleIds: texts({
				displayName: 'License Module IDs',
				description: 'The modules that the license covers, separated by commas',
			}),
			licenseStartDate: dateTime({
				displayName: 'License Start Date',
				description: 'When the license begins',
			}),
			logo: binaryInput({
				displayName: 'Logo Input Data Field Name',
				description: 'The field of the input item that holds the logo as a file',
				placeholder: 'e.g. data',
			}),
			notificationTemplateType: typeId('Notification Template', 'mails look'),
			preferredLanguage: typeId('Preferred Language', 'the company is addressed'),
			smtpConfiguration: typeId('SMTP Configuration', 'mails are sent'),
			status: wholeNumber({
				displayName: 'Status ID',
				description: 'The state of the company by its number; 1 is active',
				default: 1,
				min: 0,
				max: MAX_USERS,
			}),
			tags: texts({
				displayName: 'Tags',
				description: 'Words to find the company by, separated by commas',
				placeholder: 'e.g. gold, pilot',
			}),
			trainingContentType: typeId('Training Content', 'trainings are chosen'),
			websiteUrl: text({
				displayName: 'Website URL',
				description: 'Where the company is on the web',
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
				LicenseModuleResourceIdArray: more.licenseModuleIds,
				LicenseStartDate: start,
				LicenseEndDate: end,
				IsNumberOfUsersLimited: more.isNumberOfUsersLimited,
				NotificationTemplateTypeResourceId: more.notificationTemplateType,
				TrainingContentTypeResourceId: more.trainingContentType,
				SmtpConfigurationTypeResourceId: more.smtpConfiguration,
				PreferredLanguageTypeResourceId: more.preferredLanguage,
				CompanyGroupResourceIdArray: more.companyGroupIds,
				StatusId: more.status,
				Tags: more.tags,
			},
		};
	},
	answer: record(),
});
