/**
 * This file defines the expected entries of the lists that the contract doesn't describe. On a platform that lacks such a list, most
 * pickers show no entries.
 */
import { uniqBy, upperFirst } from 'lodash';
import { z } from 'zod';
import { toIdLocator } from '../cases';
import { NODE_FOLDERS } from '../cases/campaigns';
import { buildSamlForm } from '../cases/settings';
import { SIMULATORS, type Simulator } from '../stand-in/profile';
import {
	getEnrollmentId,
	createResponseListReader,
	createListReader,
	createJobRowList,
	textSchema,
	addCustomersOwn,
	listTimeZones,
	type ReadEntries,
	type Entry,
	type ExpectedList,
	type ExpectedLists,
} from './expectedLists';

/**
 * Creates the expectation for a list that is the same for every company.
 * @param readFallback reads the expected entries if the platform lacks the list
 */
function createPlatformList(readEntries: ReadEntries, readFallback?: ReadEntries): ExpectedList {
	const list: ExpectedList = { isPlatformWide: true, readEntries };
	if (readFallback) list.readFallback = readFallback;
	return list;
}

/**
 * Creates the expectation for the list of the values of one code type. The code type is found by its name, and its values are requested
 * with its ID.
 */
const createCodeTypeList = (codeTypeName: RegExp, readFallback?: ReadEntries): ExpectedList =>
	createPlatformList(async (customer) => {
		const codeTypes = await createListReader('GET /api/codetypes', 'id')(customer);
		const codeType = codeTypes.find(({ name }) => codeTypeName.test(name));
		return await createListReader(`GET /api/lookups/${codeType?.value ?? 0}`)(customer);
	}, readFallback);

/**
 * Creates the function that collects the values of a field from complete company records. In the contract, the list of companies lacks this
 * field.
 */
function createCompanyDetailReader(field: string): ReadEntries {
	return async (customer) => {
		const ids = customer.world.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
		const companies = await Promise.all(ids.map(async (id) => customer.fetchData(`GET /api/companies/${id}`)));
		const values = new Set(companies.map((company) => z.string().parse(z.record(z.unknown()).parse(company)[field])));
		return [...values].map((value) => ({ value, name: value }));
	};
}

/** Creates the function that collects the values of a field from the list of companies. */
function createCompanyValueReader(
	idField: 'industryResourceId' | 'licenseTypeResourceId',
	nameField: 'industryName' | 'licenseTypeName',
): ReadEntries {
	return ({ world }) =>
		uniqBy(
			world.companies.map((company) => ({ value: company[idField], name: company[nameField] })),
			'value',
		);
}

const LICENSE_DETAILS = 'GET /api/lookups/licenses';
const TIME_ZONE_DETAILS = 'GET /api/timezone/timezones';
const readTimeZones = createResponseListReader(TIME_ZONE_DETAILS, 'timeZoneList', 'id', 'displayName');
const TIME_ZONE_LIST = createPlatformList(readTimeZones, listTimeZones);
const PERSON_TIME_ZONE_LIST = createPlatformList(
	async (customer) => addCustomersOwn(await readTimeZones(customer)),
	() => addCustomersOwn(listTimeZones()),
);

const CUSTOM_FIELD_LIST: ExpectedList = { readEntries: createListReader('GET /api/custom-fields/company') };
const PEOPLE_LIST: ExpectedList = {
	readEntries: createListReader('POST /api/target-users/search', 'resourceId', 'email'),
};
const readReports = createListReader('POST /api/executive-report/search');
const NAMED_RECORD_SCHEMA = z.object({ resourceId: z.string(), name: z.string() });
const METRICS_SCHEMA = z.object({
	metrics: z.array(z.object({ name: z.string(), widgets: z.array(NAMED_RECORD_SCHEMA) })),
});
const createLeaderboardList = (listKey: string): ExpectedList => ({
	readEntries: createResponseListReader('GET /api/leaderboard/form-details', listKey),
});
/**
 * Creates the expectations for the lists in a simulator's form. Only some simulators have units for random users or for sending over time.
 */
function createSimulationLists(simulator: Simulator): ExpectedLists {
	const formDetailsRoute = `GET /api/${simulator}-simulator/${simulator}-campaign/form-details`;
	const methodPrefix = `${NODE_FOLDERS[simulator]}.search` as const;
	const createFormList = (listKey: string): ExpectedList => ({
		readEntries: createResponseListReader(formDetailsRoute, listKey),
	});
	const lists: ExpectedLists = {
		[`${methodPrefix}ScheduleTypes`]: createFormList('scheduleTypes'),
		[`${methodPrefix}DelayUnits`]: createFormList('distributionSmtpDelayTimeTypes'),
		[`${methodPrefix}DistributionTypes`]: createFormList('distributionTypes'),
	};
	if (simulator !== 'phishing')
		lists[`${methodPrefix}RandomUserUnits`] = createFormList('sendRandomlyUsersCalculateTypes');
	if (simulator === 'quishing')
		lists[`${methodPrefix}OverTimeUnits`] = createFormList('distributionEmailOverTimeTypes');
	return lists;
}

const createSettingList = (path: string, createBody: () => object): ExpectedList => ({
	createRecords: async (customer) => customer.fetchData(`POST ${path}`, createBody()),
	readEntries: createListReader(`POST ${path}/search`),
});
const EMAIL_SETTING_LIST = createSettingList('/api/companies/direct-email-settings', () => ({
	name: 'Mail',
	tenantId: 'tenant-1',
	allowedDomains: ['harbour.example'],
	type: 2,
}));
const ACTIVE_STATUS_ENTRY: Entry = { value: '1', name: 'Active' };
const collectStatuses = (
	rows: Array<Record<string, unknown>>,
	idField = 'statusId',
	nameField = 'statusName',
): Entry[] =>
	uniqBy(
		[
			...rows.map((row) => ({ value: textSchema.parse(row[idField]), name: textSchema.parse(row[nameField]) })),
			ACTIVE_STATUS_ENTRY,
		],
		'value',
	);
const ADA_USER = { firstName: 'Ada', lastName: 'Byron', email: 'ada@harbour.example', phoneNumber: '+15551234567' };

/** The lists that a live deployment has, although the contract doesn't describe them. On other platforms, the user enters the values. */
export const DEPLOYED_LISTS: ExpectedLists = {
	'Company.searchIndustries': createCodeTypeList(
		/^industry/i,
		createCompanyValueReader('industryResourceId', 'industryName'),
	),
	'Company.searchLicenseTypes': createPlatformList(
		createResponseListReader(LICENSE_DETAILS, 'licenses', 'resourceId', 'name'),
		createCompanyValueReader('licenseTypeResourceId', 'licenseTypeName'),
	),
	'Company.loadLicenseModules': createPlatformList(
		createResponseListReader(LICENSE_DETAILS, 'allLicenseModules', 'resourceId', 'name'),
	),
	'Company.searchLicensePeriodTypes': createCodeTypeList(/^license period/i),
	'Company.searchCountries': createCodeTypeList(/^country/i, createCompanyDetailReader('countryResourceId')),
	'Company.searchNotificationTemplateTypes': createCodeTypeList(/^notification template/i),
	'Company.searchLanguages': createCodeTypeList(/language/i),
	'Company.searchSmtpConfigurationTypes': createCodeTypeList(/^smtp/i),
	'Company.searchTrainingContentTypes': createCodeTypeList(/^training content/i),
	'Company.searchTimeZones': TIME_ZONE_LIST,
	'TargetUser.searchPersonTimeZones': PERSON_TIME_ZONE_LIST,
	'Company.searchDateFormats': createPlatformList(
		createResponseListReader(TIME_ZONE_DETAILS, 'dateFormatList'),
		createCompanyDetailReader('dateFormat'),
	),
	'Company.searchTimeFormats': createPlatformList(
		createResponseListReader(TIME_ZONE_DETAILS, 'timeFormatList'),
		createCompanyDetailReader('timeFormat'),
	),
	'ScimIntegration.searchCustomFields': CUSTOM_FIELD_LIST,
	'TargetUser.searchCustomFields': CUSTOM_FIELD_LIST,
	'TargetUser.searchTargetUsers': PEOPLE_LIST,
	'TargetGroup.loadTargetUsers': PEOPLE_LIST,
	'Enrollment.loadTargetUsers': PEOPLE_LIST,
	'ExecutiveReport.loadWidgets': {
		readEntries: async (customer) =>
			METRICS_SCHEMA.parse(await customer.fetchData('GET /api/executive-report/metrics')).metrics.flatMap(
				({ name, widgets }) => widgets.map((widget) => ({ value: widget.resourceId, name: `${name}: ${widget.name}` })),
			),
	},
	'ExecutiveReport.searchExecutiveReports': { readEntries: readReports, readFallback: readReports },
	'Leaderboard.searchRankedUsers': {
		readEntries: async (customer) =>
			(
				await customer.fetchList('POST /api/leaderboard/get-all', { pagination: { pageNumber: 1, pageSize: 1000 } })
			).map((row) => ({ value: textSchema.parse(row.targetUserResourceId), name: textSchema.parse(row.email) })),
	},
	'Leaderboard.loadActionTypes': createLeaderboardList('gamificationActionTypes'),
	'Leaderboard.loadProducts': createLeaderboardList('gamificationProductTypes'),
	'Leaderboard.loadDifficultyTypes': createLeaderboardList('gamificationScenarioDifficultyTypes'),
	'ApiClient.searchClientStatuses': {
		createRecords: async (customer) => {
			const body = {
				name: 'Off',
				clientId: 'off',
				clientSecret: 'secret',
				statusId: 2,
				hasIpAddressRestriction: false,
			};
			const [role] = await customer.fetchList('GET /api/roles');
			await customer.fetchData('POST /api/companies/clients', { ...body, roleResourceIdList: [role?.resourceId] });
		},
		readEntries: async (customer) => collectStatuses(await customer.fetchList('POST /api/companies/clients/search')),
		readFallback: () => [ACTIVE_STATUS_ENTRY],
	},
	'Company.searchCompanyStatuses': createPlatformList(
		async (customer) => {
			const [firstCompany] = await customer.fetchList('POST /api/companies/search');
			const company = await customer.fetchData(
				`GET /api/companies/${textSchema.parse(firstCompany?.companyResourceId)}`,
			);
			return collectStatuses([z.record(z.unknown()).parse(company)]);
		},
		() => [ACTIVE_STATUS_ENTRY],
	),
	'SystemUser.searchSystemUserStatuses': {
		createRecords: async (customer) => customer.fetchData('POST /api/system-users', ADA_USER),
		readEntries: async (customer) => collectStatuses(await customer.fetchList('POST /api/system-users/search')),
		readFallback: () => [ACTIVE_STATUS_ENTRY],
	},
	'SystemUser.searchSystemUsers': {
		createRecords: async (customer) => customer.fetchData('POST /api/system-users', ADA_USER),
		readEntries: createListReader('POST /api/system-users/search', 'resourceId', 'email'),
	},
	'TrainingReport.searchExamStatuses': {
		createFields: (customer) => ({ enrollment: toIdLocator(getEnrollmentId(customer)) }),
		readEntries: createResponseListReader(
			'GET /api/training-reports/form-details',
			'ExamStatus',
			'name',
			'displayName',
		),
		// The picker offers these documented values on every platform (deployment activity 10).
		readFallback: () => [
			{ value: 'FirstAttempt', name: 'First Attempt' },
			{ value: 'PassedAnyAttempt', name: 'Passed Any Attempt' },
			{ value: 'FailedAnyAttempt', name: 'Failed Any Attempt' },
		],
	},
	...Object.fromEntries(
		SIMULATORS.map((simulator) => [
			`${NODE_FOLDERS[simulator]}.load${upperFirst(simulator)}People`,
			createJobRowList(simulator),
		]),
	),
	'Enrollment.searchDeletedEnrollments': {
		noun: 'deleted enrollment',
		createFields: () => ({ resource: 'deletedEnrollment', operation: 'restore' }),
		readEntries: createListReader('POST /api/enrollments/archive/search', 'enrollmentId'),
	},
	'Enrollment.loadCertified': {
		noun: 'person',
		createFields: (customer) => ({
			resource: 'followUp',
			operation: 'resendCertificate',
			enrollment: toIdLocator(getEnrollmentId(customer)),
		}),
		readEntries: createListReader(
			(customer) => `POST /api/enrollments/${getEnrollmentId(customer)}/certificates/search`,
			'targetUserResourceId',
			'userEmail',
		),
	},
	'ExecutiveReport.searchScheduledReports': {
		noun: 'scheduled report',
		createFields: () => ({ resource: 'scheduledReport', operation: 'get' }),
		readEntries: createListReader('POST /api/report-scheduling/search'),
	},
	'ReportedEmail.searchReportedEmails': {
		readEntries: createListReader('POST /api/notified-emails/search', 'resourceId', 'subject'),
	},
	'SamlSetting.searchSamlSettings': createSettingList('/api/companies/saml-settings', buildSamlForm),
	'AllowedDomain.searchAllowedDomains': {
		readEntries: createListReader('POST /api/allow-list/search', 'allowListResourceId', 'domain'),
	},
	'DirectEmailSetting.searchDirectEmailSettings': EMAIL_SETTING_LIST,
	'QuishingCampaign.searchDirectEmailSettings': EMAIL_SETTING_LIST,
	'QuishingCampaign.searchSmtpSettings': { readEntries: createListReader('POST /api/companies/smtp-settings/search') },
	...Object.fromEntries(
		SIMULATORS.map((simulator) => [
			`${NODE_FOLDERS[simulator]}.load${upperFirst(simulator)}Scenarios`,
			{ readEntries: createListReader(`POST /api/${simulator}-simulator/${simulator}-scenario/search`) },
		]),
	),
	...Object.assign({}, ...SIMULATORS.map(createSimulationLists)),
};
