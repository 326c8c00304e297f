/**
 * The lists that a live deployment has although the contract does not: values are chosen from them, or typed on other
 * platforms.
 */
import { upperFirst } from 'lodash';
import { z } from 'zod';
import { byId, type CustomerFixture } from '../cases';
import { FOLDERS } from '../cases/campaigns';
import { samlForm } from '../cases/settings';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import type { Entry, Picker } from './table';

export interface Lookup extends Omit<Picker, 'route' | 'also' | 'names'> {
	/** What is asked for it, all of it beside the contract. */
	helpers: string[];
	/** What is listed where the platform has none of it; nothing without that. */
	otherwise?: (customer: CustomerFixture) => Promise<Entry[]> | Entry[];
	/** Whether it is about the chosen company. */
	isScoped: boolean;
	/** Makes what is listed, where there is nothing at first. */
	make?: (customer: CustomerFixture) => Promise<unknown>;
}

const named = z.array(z.object({ resourceId: z.string(), name: z.string() }));
const entriesOf = (records: z.output<typeof named>): Entry[] =>
	records.map(({ resourceId, name }) => ({ value: resourceId, name }));
const asTheyAre = (values: readonly string[]): Entry[] => values.map((value) => ({ value, name: value }));

/** The codes of a kind: kinds are told by their names, and each has its codes under its own number. */
const ofKind = (kind: RegExp) => async (customer: CustomerFixture) => {
	const kinds = z.array(z.object({ id: z.number(), name: z.string() })).parse(await customer.ask('GET /api/codetypes'));
	const { id } = kinds.find(({ name }) => kind.test(name)) ?? { id: 0 };
	return entriesOf(named.parse(await customer.ask(`GET /api/lookups/${id}`)));
};
const CODES = ['GET /api/codetypes', 'GET /api/lookups/{typeId}'];
const LICENSES = 'GET /api/lookups/licenses';
const TIMES = 'GET /api/timezone/timezones';
const licenses = z.object({ licenses: named, allLicenseModules: named });
const times = z.object({
	timeZoneList: z.array(z.object({ displayName: z.string(), id: z.string() })),
	dateFormatList: z.array(z.string()),
	timeFormatList: z.array(z.string()),
});
const ofTimes = (entries: (found: z.output<typeof times>) => Entry[]) => async (customer: CustomerFixture) =>
	entries(times.parse(await customer.ask(TIMES)));

/** What the contract's service tells of a company, beside its list. */
const inDetails = (id: string) => async (customer: CustomerFixture) => {
	const ids = customer.state.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
	const found = await Promise.all(ids.map(async (each) => await customer.ask(`GET /api/companies/${each}`)));
	const values = found.map((company) => z.string().parse(z.record(z.unknown()).parse(company)[id]));
	return asTheyAre([...new Set(values)]);
};

const unique = (entries: Entry[]) => [...new Map(entries.map((entry) => [entry.value, entry])).values()];
const ofCompanies =
	(id: 'industryResourceId' | 'licenseTypeResourceId', name: 'industryName' | 'licenseTypeName') =>
	(customer: CustomerFixture) =>
		unique(customer.state.companies.map((company) => ({ value: company[id], name: company[name] })));

const company = { node: 'Company', fields: () => ({ operation: 'create' }), isScoped: false };
const coded = (thing: string, method: string, kind: RegExp): Lookup => ({
	...company,
	thing,
	method,
	helpers: CODES,
	entries: ofKind(kind),
});

const LEADERBOARD = 'GET /api/leaderboard/form-details';
const choices = z.array(z.object({ text: z.string(), value: z.string() }));
const ofLeaderboard = (thing: string, method: string, group: string): Lookup => ({
	...{ thing, node: 'Leaderboard', method, several: true, helpers: [LEADERBOARD], isScoped: true },
	fields: () => ({ operation: 'exportUserTimeline' }),
	entries: async (customer) =>
		choices
			.parse(z.record(z.unknown()).parse(await customer.ask(LEADERBOARD))[group])
			.map(({ text, value }) => ({ name: text, value })),
});

const enumValue = z.object({ id: z.number(), name: z.string(), displayName: z.string() });
const REPORT_FORM = 'GET /api/training-reports/form-details';

const EMAIL_SETTING = { name: 'Mail', tenantId: 'tenant-1', allowedDomains: ['harbour.example'], type: 2 };
const settings = (thing: string, node: string, method: string, path: string, body: () => object): Lookup => ({
	...{ thing, node, method, helpers: [`POST ${path}/search`], isScoped: true },
	make: async (customer) => await customer.ask(`POST ${path}`, body()),
	entries: async (customer) => entriesOf(named.parse(await customer.list(`POST ${path}/search`))),
});

const SIMULATION = 'GET /api/phishing-simulator/phishing-campaign/form-details';
const ofSimulation = (thing: string, method: string, list: string): Lookup => ({
	...{ thing, node: FOLDERS.phishing, method, helpers: [SIMULATION], isScoped: true },
	fields: () => ({ operation: 'create' }),
	entries: async (customer) =>
		choices
			.parse(z.record(z.unknown()).parse(await customer.ask(SIMULATION))[list])
			.map(({ text, value }) => ({ name: text, value })),
});
const scenarios = (simulator: Simulator): Lookup => {
	const search = `POST /api/${simulator}-simulator/${simulator}-scenario/search`;
	return {
		...{ thing: 'scenario', node: FOLDERS[simulator], method: `load${upperFirst(simulator)}Scenarios` },
		...{ several: true, helpers: [search], isScoped: true },
		entries: async (customer) => entriesOf(named.parse(await customer.list(search))),
	};
};

const METRICS = 'GET /api/executive-report/metrics';
const FIELDS = 'GET /api/custom-fields/company';
const PEOPLE = 'POST /api/target-users/search';
const people = z.array(
	z
		.object({ resourceId: z.string(), email: z.string() })
		.transform(({ email: name, resourceId }) => ({ name, resourceId })),
);

const SYSTEM_USERS = 'POST /api/system-users/search';
const BOARD = 'POST /api/leaderboard/get-all';
const REPORTS = 'POST /api/executive-report/search';
const reports = async (customer: CustomerFixture) => entriesOf(named.parse(await customer.list(REPORTS, { name: '' })));

/** Every such list. */
export const LOOKUPS: Lookup[] = [
	{
		...coded('industry', 'searchIndustries', /^industry/i),
		otherwise: ofCompanies('industryResourceId', 'industryName'),
	},
	{
		...{ ...company, thing: 'license type', method: 'searchLicenseTypes', helpers: [LICENSES] },
		entries: async (customer) => entriesOf(licenses.parse(await customer.ask(LICENSES)).licenses),
		otherwise: ofCompanies('licenseTypeResourceId', 'licenseTypeName'),
	},
	{
		...{ ...company, thing: 'license module', method: 'loadLicenseModules', several: true, helpers: [LICENSES] },
		entries: async (customer) => entriesOf(licenses.parse(await customer.ask(LICENSES)).allLicenseModules),
	},
	coded('license period type', 'searchLicensePeriodTypes', /^license period/i),
	{ ...coded('country', 'searchCountries', /^country/i), otherwise: inDetails('countryResourceId') },
	coded('notification template type', 'searchNotificationTemplateTypes', /^notification template/i),
	coded('language', 'searchLanguages', /language/i),
	coded('SMTP configuration type', 'searchSmtpConfigurationTypes', /^smtp/i),
	coded('training content type', 'searchTrainingContentTypes', /^training content/i),
	...['Company', 'TargetUser'].map((node): Lookup => ({
		...{ ...company, node, thing: 'time zone', method: 'searchTimeZones', helpers: [TIMES] },
		entries: ofTimes(({ timeZoneList }) =>
			timeZoneList.map(({ id, displayName }) => ({ value: id, name: displayName })),
		),
		otherwise: () =>
			['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, name: value.replaceAll('_', ' ') })),
	})),
	{
		...company,
		thing: 'date format',
		method: 'searchDateFormats',
		helpers: [TIMES],
		entries: ofTimes(({ dateFormatList }) => asTheyAre(dateFormatList)),
		otherwise: inDetails('dateFormat'),
	},
	{
		...company,
		thing: 'time format',
		method: 'searchTimeFormats',
		helpers: [TIMES],
		entries: ofTimes(({ timeFormatList }) => asTheyAre(timeFormatList)),
		otherwise: inDetails('timeFormat'),
	},
	...['ScimIntegration', 'TargetUser'].map((node): Lookup => ({
		...{ thing: 'custom field', node, method: 'searchCustomFields', helpers: [FIELDS], isScoped: true },
		fields: () => ({ operation: 'create' }),
		entries: async (customer) => entriesOf(named.parse(await customer.ask(FIELDS))),
	})),
	...[
		{ node: 'TargetUser', method: 'searchPeople', fields: () => ({ operation: 'get' }) },
		{ node: 'TargetGroup', method: 'loadPeople', several: true, fields: () => ({ operation: 'addMembers' }) },
	].map((each): Lookup => ({
		...{ ...each, thing: 'target user', helpers: [PEOPLE], isScoped: true },
		entries: async (customer) => entriesOf(people.parse(await customer.list(PEOPLE))),
	})),
	{
		...{ thing: 'widget', node: 'ExecutiveReport', method: 'loadWidgets', several: true, isScoped: true },
		helpers: [METRICS],
		entries: async (customer) =>
			z
				.object({ metrics: z.array(z.object({ name: z.string(), widgets: named })) })
				.parse(await customer.ask(METRICS))
				.metrics.flatMap(({ name, widgets }) =>
					entriesOf(widgets).map((widget) => ({ ...widget, name: `${name}: ${widget.name}` })),
				),
	},
	{
		...{ thing: 'executive report', node: 'ExecutiveReport', method: 'searchExecutiveReports', isScoped: true },
		helpers: [REPORTS],
		entries: reports,
		otherwise: reports,
	},
	{
		...{ thing: 'target user', node: 'Leaderboard', method: 'searchLeaderboardUsers', isScoped: true },
		helpers: [BOARD],
		entries: async (customer) =>
			(await customer.list(BOARD, { pagination: { pageNumber: 1, pageSize: 1000 } })).map((row) => ({
				value: String(row.targetUserResourceId),
				name: String(row.email),
			})),
	},
	{
		...{ thing: 'system user', node: 'SystemUser', method: 'searchSystemUsers', isScoped: true },
		helpers: [SYSTEM_USERS],
		make: async (customer) =>
			await customer.ask('POST /api/system-users', {
				...{ firstName: 'Ada', lastName: 'Byron', email: 'ada@harbour.example', phoneNumber: '+15551234567' },
			}),
		entries: async (customer) => entriesOf(people.parse(await customer.list(SYSTEM_USERS))),
	},
	ofLeaderboard('action type', 'loadActionTypes', 'gamificationActionTypes'),
	ofLeaderboard('product', 'loadProducts', 'gamificationProductTypes'),
	ofLeaderboard('difficulty type', 'loadDifficultyTypes', 'gamificationScenarioDifficultyTypes'),
	{
		...{
			thing: 'exam status',
			node: 'TrainingReport',
			method: 'searchExamStatuses',
			helpers: [REPORT_FORM],
			isScoped: true,
		},
		fields: (customer) => ({
			operation: 'getReminderMails',
			enrollment: byId(customer.holdings.enrollments[0]?.resourceId ?? ''),
		}),
		entries: async (customer) =>
			z
				.object({ ExamStatus: z.array(enumValue) })
				.parse(await customer.ask(REPORT_FORM))
				.ExamStatus.map(({ name, displayName }) => ({ value: name, name: displayName })),
		// What is known of every platform (deployment activity, 10).
		otherwise: () => [
			{ value: 'FirstAttempt', name: 'First Attempt' },
			{ value: 'PassedAnyAttempt', name: 'Passed Any Attempt' },
			{ value: 'FailedAnyAttempt', name: 'Failed Any Attempt' },
		],
	},
	settings('SAML setting', 'SamlSetting', 'searchSamlSettings', '/api/companies/saml-settings', samlForm),
	settings(
		'direct email setting',
		'DirectEmailSetting',
		'searchDirectEmailSettings',
		'/api/companies/direct-email-settings',
		() => EMAIL_SETTING,
	),
	settings(
		'direct email setting',
		FOLDERS.quishing,
		'searchDirectEmailSettings',
		'/api/companies/direct-email-settings',
		() => EMAIL_SETTING,
	),
	...SIMULATORS.map(scenarios),
	ofSimulation('schedule', 'searchScheduleTypes', 'scheduleTypes'),
	ofSimulation('delay unit', 'searchDelayUnits', 'distributionSmtpDelayTimeTypes'),
	ofSimulation('distribution type', 'searchDistributionTypes', 'distributionTypes'),
];
