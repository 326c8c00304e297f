/** The lists beside the contract that a person chooses from, by node and method; on a platform that lacks them, most are empty. */
import { uniqBy, upperFirst } from 'lodash';
import { z } from 'zod';
import { toIdLocator } from '../cases';
import { NODE_FOLDERS } from '../cases/campaigns';
import { buildSamlForm } from '../cases/settings';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import {
	enrollmentOf,
	inForm,
	listed,
	rowsOfJob,
	text,
	zones,
	type Entries,
	type Entry,
	type List,
	type Lists,
} from './table';

const ofPlatform = (entries: Entries, otherwise?: Entries): List => ({
	isOfPlatform: true,
	entries,
	...(otherwise ? { otherwise } : {}),
});

/** The codes of a kind: kinds are told by their names, and each has its codes under its own number. */
const coded = (kind: RegExp, otherwise?: Entries): List =>
	ofPlatform(async (customer) => {
		const kinds = await listed('GET /api/codetypes', 'id')(customer);
		const [id = 0] = kinds.flatMap(({ name, value }) => (kind.test(name) ? [value] : []));
		return await listed(`GET /api/lookups/${id}`)(customer);
	}, otherwise);

/** What the contract's service tells of a company, beside its list. */
const inDetails =
	(field: string): Entries =>
	async (customer) => {
		const ids = customer.state.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
		const found = await Promise.all(ids.map(async (id) => customer.fetchData(`GET /api/companies/${id}`)));
		const values = new Set(found.map((company) => z.string().parse(z.record(z.unknown()).parse(company)[field])));
		return [...values].map((value) => ({ value, name: value }));
	};
const ofCompanies =
	(id: 'industryResourceId' | 'licenseTypeResourceId', name: 'industryName' | 'licenseTypeName'): Entries =>
	({ state }) =>
		uniqBy(
			state.companies.map((company) => ({ value: company[id], name: company[name] })),
			'value',
		);

const LICENSES = 'GET /api/lookups/licenses';
const TIMES = 'GET /api/timezone/timezones';
const TIME_ZONES = ofPlatform(inForm(TIMES, 'timeZoneList', 'id', 'displayName'), zones);

const CUSTOM_FIELDS: List = { entries: listed('GET /api/custom-fields/company') };
const PEOPLE: List = { entries: listed('POST /api/target-users/search', 'resourceId', 'email') };
const REPORTS = listed('POST /api/executive-report/search');
const named = z.object({ resourceId: z.string(), name: z.string() });
const METRICS = z.object({ metrics: z.array(z.object({ name: z.string(), widgets: z.array(named) })) });
const ofLeaderboard = (list: string): List => ({ entries: inForm('GET /api/leaderboard/form-details', list) });
/** What a simulator's form lists. */
const ofSimulator = (simulator: Simulator): Lists => {
	const form = `GET /api/${simulator}-simulator/${simulator}-campaign/form-details`;
	const search = `${NODE_FOLDERS[simulator]}.search` as const;
	const of = (list: string): List => ({ entries: inForm(form, list) });
	return {
		[`${search}ScheduleTypes`]: of('scheduleTypes'),
		[`${search}DelayUnits`]: of('distributionSmtpDelayTimeTypes'),
		[`${search}DistributionTypes`]: of('distributionTypes'),
		...(simulator === 'phishing' ? {} : { [`${search}RandomUserUnits`]: of('sendRandomlyUsersCalculateTypes') }),
		...(simulator === 'quishing' ? { [`${search}OverTimeUnits`]: of('distributionEmailOverTimeTypes') } : {}),
	};
};
const settings = (path: string, body: () => object): List => ({
	make: async (customer) => customer.fetchData(`POST ${path}`, body()),
	entries: listed(`POST ${path}/search`),
});
const EMAIL_SETTINGS = settings('/api/companies/direct-email-settings', () => ({
	name: 'Mail',
	tenantId: 'tenant-1',
	allowedDomains: ['harbour.example'],
	type: 2,
}));
const ACTIVE: Entry = { value: '1', name: 'Active' };
const statusesOf = (rows: Array<Record<string, unknown>>, id = 'statusId', name = 'statusName'): Entry[] =>
	uniqBy([...rows.map((row) => ({ value: text.parse(row[id]), name: text.parse(row[name]) })), ACTIVE], 'value');
const ADA = { firstName: 'Ada', lastName: 'Byron', email: 'ada@harbour.example', phoneNumber: '+15551234567' };

/** Lists that a live deployment has although the contract does not: their values are typed on other platforms. */
export const BESIDE: Lists = {
	'Company.searchIndustries': coded(/^industry/i, ofCompanies('industryResourceId', 'industryName')),
	'Company.searchLicenseTypes': ofPlatform(
		inForm(LICENSES, 'licenses', 'resourceId', 'name'),
		ofCompanies('licenseTypeResourceId', 'licenseTypeName'),
	),
	'Company.loadLicenseModules': ofPlatform(inForm(LICENSES, 'allLicenseModules', 'resourceId', 'name')),
	'Company.searchLicensePeriodTypes': coded(/^license period/i),
	'Company.searchCountries': coded(/^country/i, inDetails('countryResourceId')),
	'Company.searchNotificationTemplateTypes': coded(/^notification template/i),
	'Company.searchLanguages': coded(/language/i),
	'Company.searchSmtpConfigurationTypes': coded(/^smtp/i),
	'Company.searchTrainingContentTypes': coded(/^training content/i),
	'Company.searchTimeZones': TIME_ZONES,
	'TargetUser.searchTimeZones': TIME_ZONES,
	'Company.searchDateFormats': ofPlatform(inForm(TIMES, 'dateFormatList'), inDetails('dateFormat')),
	'Company.searchTimeFormats': ofPlatform(inForm(TIMES, 'timeFormatList'), inDetails('timeFormat')),
	'ScimIntegration.searchCustomFields': CUSTOM_FIELDS,
	'TargetUser.searchCustomFields': CUSTOM_FIELDS,
	'TargetUser.searchTargetUsers': PEOPLE,
	'TargetGroup.loadTargetUsers': PEOPLE,
	'Enrollment.loadTargetUsers': PEOPLE,
	'ExecutiveReport.loadWidgets': {
		entries: async (customer) =>
			METRICS.parse(await customer.fetchData('GET /api/executive-report/metrics')).metrics.flatMap(({ name, widgets }) =>
				widgets.map((widget) => ({ value: widget.resourceId, name: `${name}: ${widget.name}` })),
			),
	},
	'ExecutiveReport.searchExecutiveReports': { entries: REPORTS, otherwise: REPORTS },
	'Leaderboard.searchRankedUsers': {
		entries: async (customer) =>
			(await customer.fetchList('POST /api/leaderboard/get-all', { pagination: { pageNumber: 1, pageSize: 1000 } })).map(
				(row) => ({ value: text.parse(row.targetUserResourceId), name: text.parse(row.email) }),
			),
	},
	'Leaderboard.loadActionTypes': ofLeaderboard('gamificationActionTypes'),
	'Leaderboard.loadProducts': ofLeaderboard('gamificationProductTypes'),
	'Leaderboard.loadDifficultyTypes': ofLeaderboard('gamificationScenarioDifficultyTypes'),
	'ApiClient.searchClientStatuses': {
		make: async (customer) => {
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
		entries: async (customer) => statusesOf(await customer.fetchList('POST /api/companies/clients/search')),
		otherwise: () => [ACTIVE],
	},
	'Company.searchCompanyStatuses': ofPlatform(
		async (customer) => {
			const [first] = await customer.fetchList('POST /api/companies/search');
			const company = await customer.fetchData(`GET /api/companies/${text.parse(first?.companyResourceId)}`);
			return statusesOf([z.record(z.unknown()).parse(company)]);
		},
		() => [ACTIVE],
	),
	'SystemUser.searchSystemUserStatuses': {
		make: async (customer) => customer.fetchData('POST /api/system-users', ADA),
		entries: async (customer) => statusesOf(await customer.fetchList('POST /api/system-users/search')),
		otherwise: () => [ACTIVE],
	},
	'SystemUser.searchSystemUsers': {
		make: async (customer) => customer.fetchData('POST /api/system-users', ADA),
		entries: listed('POST /api/system-users/search', 'resourceId', 'email'),
	},
	'TrainingReport.searchExamStatuses': {
		fields: (customer) => ({ enrollment: toIdLocator(enrollmentOf(customer)) }),
		entries: inForm('GET /api/training-reports/form-details', 'ExamStatus', 'name', 'displayName'),
		// What is known of every platform (deployment activity 10).
		otherwise: () => [
			{ value: 'FirstAttempt', name: 'First Attempt' },
			{ value: 'PassedAnyAttempt', name: 'Passed Any Attempt' },
			{ value: 'FailedAnyAttempt', name: 'Failed Any Attempt' },
		],
	},
	...Object.fromEntries(SIMULATORS.map((each) => [`${NODE_FOLDERS[each]}.load${upperFirst(each)}People`, rowsOfJob(each)])),
	'Enrollment.searchDeletedEnrollments': {
		thing: 'enrollment',
		fields: () => ({ operation: 'restore' }),
		entries: listed('POST /api/enrollments/archive/search', 'enrollmentId'),
	},
	'Enrollment.loadCertified': {
		thing: 'person',
		fields: (customer) => ({ operation: 'resendCertificate', enrollment: toIdLocator(enrollmentOf(customer)) }),
		entries: listed(
			(customer) => `POST /api/enrollments/${enrollmentOf(customer)}/certificates/search`,
			'targetUserResourceId',
			'userEmail',
		),
	},
	'ExecutiveReport.searchScheduledReports': {
		thing: 'scheduled report',
		fields: () => ({ operation: 'getScheduledReport' }),
		entries: listed('POST /api/report-scheduling/search'),
	},
	'ReportedEmail.searchReportedEmails': {
		entries: listed('POST /api/notified-emails/search', 'resourceId', 'subject'),
	},
	'SamlSetting.searchSamlSettings': settings('/api/companies/saml-settings', buildSamlForm),
	'DirectEmailSetting.searchDirectEmailSettings': EMAIL_SETTINGS,
	'QuishingCampaign.searchDirectEmailSettings': EMAIL_SETTINGS,
	...Object.fromEntries(
		SIMULATORS.map((each) => [
			`${NODE_FOLDERS[each]}.load${upperFirst(each)}Scenarios`,
			{ entries: listed(`POST /api/${each}-simulator/${each}-scenario/search`) },
		]),
	),
	...Object.assign({}, ...SIMULATORS.map(ofSimulator)),
};
