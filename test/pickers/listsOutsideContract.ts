/** This file defines the expected entries of the lists that are not part of the contract. Most of them are empty on a platform that lacks them. */
import { uniqBy, upperFirst } from 'lodash';
import { z } from 'zod';
import { toIdLocator } from '../cases';
import { NODE_FOLDERS } from '../cases/campaigns';
import { buildSamlForm } from '../cases/settings';
import { SIMULATORS, type Simulator } from '../stand-in/profile';
import {
	getEnrollmentId,
	createDetailsReader,
	createListReader,
	createJobRowList,
	textSchema,
	listTimeZones,
	type ReadEntries,
	type Entry,
	type ExpectedList,
	type ExpectedLists,
} from './expectedLists';

/** Creates a list that is the same for every company. @param readFallback reads the entries if the platform lacks the list */
function createPlatformList(readEntries: ReadEntries, readFallback?: ReadEntries): ExpectedList {
	const list: ExpectedList = { isPlatformWide: true, readEntries };
	if (readFallback) list.readFallback = readFallback;
	return list;
}

/** Creates the list of the codes of one code type. The code type is found by its name, and its codes are requested with its ID. */
const createCodeList = (codeTypeName: RegExp, readFallback?: ReadEntries): ExpectedList =>
	createPlatformList(async (customer) => {
		const codeTypes = await createListReader('GET /api/codetypes', 'id')(customer);
		const codeType = codeTypes.find(({ name }) => codeTypeName.test(name));
		return await createListReader(`GET /api/lookups/${codeType?.value ?? 0}`)(customer);
	}, readFallback);

/** Creates the function that collects the values of a field that, in the contract, only a company's own record has, not the list of companies. */
function createCompanyDetailReader(field: string): ReadEntries {
	return async (customer) => {
		const ids = customer.world.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
		const companies = await Promise.all(ids.map(async (id) => customer.fetchData(`GET /api/companies/${id}`)));
		const values = new Set(companies.map((company) => z.string().parse(z.record(z.unknown()).parse(company)[field])));
		return [...values].map((value) => ({ value, name: value }));
	};
}

/** Creates the function that collects the values of a field in the list of companies. */
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
const TIME_ZONES = createPlatformList(
	createDetailsReader(TIME_ZONE_DETAILS, 'timeZoneList', 'id', 'displayName'),
	listTimeZones,
);

const CUSTOM_FIELDS: ExpectedList = { readEntries: createListReader('GET /api/custom-fields/company') };
const PEOPLE: ExpectedList = { readEntries: createListReader('POST /api/target-users/search', 'resourceId', 'email') };
const readReports = createListReader('POST /api/executive-report/search');
const NAMED_RECORD_SCHEMA = z.object({ resourceId: z.string(), name: z.string() });
const METRICS_SCHEMA = z.object({
	metrics: z.array(z.object({ name: z.string(), widgets: z.array(NAMED_RECORD_SCHEMA) })),
});
const createLeaderboardList = (list: string): ExpectedList => ({
	readEntries: createDetailsReader('GET /api/leaderboard/form-details', list),
});
/** Creates the lists in a simulator's form. Only some simulators have units for random users or for sending over time. */
function createSimulationLists(simulator: Simulator): ExpectedLists {
	const form = `GET /api/${simulator}-simulator/${simulator}-campaign/form-details`;
	const search = `${NODE_FOLDERS[simulator]}.search` as const;
	const createFormList = (list: string): ExpectedList => ({ readEntries: createDetailsReader(form, list) });
	const lists: ExpectedLists = {
		[`${search}ScheduleTypes`]: createFormList('scheduleTypes'),
		[`${search}DelayUnits`]: createFormList('distributionSmtpDelayTimeTypes'),
		[`${search}DistributionTypes`]: createFormList('distributionTypes'),
	};
	if (simulator !== 'phishing') lists[`${search}RandomUserUnits`] = createFormList('sendRandomlyUsersCalculateTypes');
	if (simulator === 'quishing') lists[`${search}OverTimeUnits`] = createFormList('distributionEmailOverTimeTypes');
	return lists;
}

const createSettingList = (path: string, body: () => object): ExpectedList => ({
	createRecords: async (customer) => customer.fetchData(`POST ${path}`, body()),
	readEntries: createListReader(`POST ${path}/search`),
});
const EMAIL_SETTINGS = createSettingList('/api/companies/direct-email-settings', () => ({
	name: 'Mail',
	tenantId: 'tenant-1',
	allowedDomains: ['harbour.example'],
	type: 2,
}));
const ACTIVE: Entry = { value: '1', name: 'Active' };
const collectStatuses = (rows: Array<Record<string, unknown>>, id = 'statusId', name = 'statusName'): Entry[] =>
	uniqBy(
		[...rows.map((row) => ({ value: textSchema.parse(row[id]), name: textSchema.parse(row[name]) })), ACTIVE],
		'value',
	);
const ADA = { firstName: 'Ada', lastName: 'Byron', email: 'ada@harbour.example', phoneNumber: '+15551234567' };

/** The lists that a live deployment has, although they are not in the contract. On other platforms, users type the values. */
export const DEPLOYED_LISTS: ExpectedLists = {
	'Company.searchIndustries': createCodeList(
		/^industry/i,
		createCompanyValueReader('industryResourceId', 'industryName'),
	),
	'Company.searchLicenseTypes': createPlatformList(
		createDetailsReader(LICENSE_DETAILS, 'licenses', 'resourceId', 'name'),
		createCompanyValueReader('licenseTypeResourceId', 'licenseTypeName'),
	),
	'Company.loadLicenseModules': createPlatformList(
		createDetailsReader(LICENSE_DETAILS, 'allLicenseModules', 'resourceId', 'name'),
	),
	'Company.searchLicensePeriodTypes': createCodeList(/^license period/i),
	'Company.searchCountries': createCodeList(/^country/i, createCompanyDetailReader('countryResourceId')),
	'Company.searchNotificationTemplateTypes': createCodeList(/^notification template/i),
	'Company.searchLanguages': createCodeList(/language/i),
	'Company.searchSmtpConfigurationTypes': createCodeList(/^smtp/i),
	'Company.searchTrainingContentTypes': createCodeList(/^training content/i),
	'Company.searchTimeZones': TIME_ZONES,
	'TargetUser.searchTimeZones': TIME_ZONES,
	'Company.searchDateFormats': createPlatformList(
		createDetailsReader(TIME_ZONE_DETAILS, 'dateFormatList'),
		createCompanyDetailReader('dateFormat'),
	),
	'Company.searchTimeFormats': createPlatformList(
		createDetailsReader(TIME_ZONE_DETAILS, 'timeFormatList'),
		createCompanyDetailReader('timeFormat'),
	),
	'ScimIntegration.searchCustomFields': CUSTOM_FIELDS,
	'TargetUser.searchCustomFields': CUSTOM_FIELDS,
	'TargetUser.searchTargetUsers': PEOPLE,
	'TargetGroup.loadTargetUsers': PEOPLE,
	'Enrollment.loadTargetUsers': PEOPLE,
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
		readFallback: () => [ACTIVE],
	},
	'Company.searchCompanyStatuses': createPlatformList(
		async (customer) => {
			const [first] = await customer.fetchList('POST /api/companies/search');
			const company = await customer.fetchData(`GET /api/companies/${textSchema.parse(first?.companyResourceId)}`);
			return collectStatuses([z.record(z.unknown()).parse(company)]);
		},
		() => [ACTIVE],
	),
	'SystemUser.searchSystemUserStatuses': {
		createRecords: async (customer) => customer.fetchData('POST /api/system-users', ADA),
		readEntries: async (customer) => collectStatuses(await customer.fetchList('POST /api/system-users/search')),
		readFallback: () => [ACTIVE],
	},
	'SystemUser.searchSystemUsers': {
		createRecords: async (customer) => customer.fetchData('POST /api/system-users', ADA),
		readEntries: createListReader('POST /api/system-users/search', 'resourceId', 'email'),
	},
	'TrainingReport.searchExamStatuses': {
		createFields: (customer) => ({ enrollment: toIdLocator(getEnrollmentId(customer)) }),
		readEntries: createDetailsReader('GET /api/training-reports/form-details', 'ExamStatus', 'name', 'displayName'),
		// Every platform is known to have these values (deployment activity 10).
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
		noun: 'enrollment',
		createFields: () => ({ operation: 'restore' }),
		readEntries: createListReader('POST /api/enrollments/archive/search', 'enrollmentId'),
	},
	'Enrollment.loadCertified': {
		noun: 'person',
		createFields: (customer) => ({
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
		createFields: () => ({ operation: 'getScheduledReport' }),
		readEntries: createListReader('POST /api/report-scheduling/search'),
	},
	'ReportedEmail.searchReportedEmails': {
		readEntries: createListReader('POST /api/notified-emails/search', 'resourceId', 'subject'),
	},
	'SamlSetting.searchSamlSettings': createSettingList('/api/companies/saml-settings', buildSamlForm),
	'DirectEmailSetting.searchDirectEmailSettings': EMAIL_SETTINGS,
	'QuishingCampaign.searchDirectEmailSettings': EMAIL_SETTINGS,
	...Object.fromEntries(
		SIMULATORS.map((simulator) => [
			`${NODE_FOLDERS[simulator]}.load${upperFirst(simulator)}Scenarios`,
			{ readEntries: createListReader(`POST /api/${simulator}-simulator/${simulator}-scenario/search`) },
		]),
	),
	...Object.assign({}, ...SIMULATORS.map(createSimulationLists)),
};
