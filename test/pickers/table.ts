/** The lists that a person chooses from, by node and method: what must be in each, asked of the service directly. */
import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from '../cases';
import { NODE_FOLDERS, getCampaignKeys } from '../cases/campaigns';
import { isJsonObject } from '../stand-in/http';
import { SIMULATORS, type Simulator } from '../stand-in/personality';

export interface Entry {
	name: string;
	value: string;
}

export type Entries = (customer: CustomerFixture) => Promise<Entry[]> | Entry[];

export interface List {
	/** What it chooses, as messages call it. */
	thing?: string;
	/** Fields that it depends on besides the company. */
	fields?: (customer: CustomerFixture) => IDataObject;
	/** All that can be chosen. */
	entries: Entries;
	/** Of a list beside the contract: what can be chosen where the platform lacks it; nothing without that. */
	otherwise?: Entries;
	/** Whether it is the platform's, for whatever company. */
	isOfPlatform?: boolean;
	/** Makes what is listed, where there is nothing at first. */
	make?: (customer: CustomerFixture) => Promise<unknown>;
}

export type Lists = Record<`${string}.${string}`, List>;
type Named = string | ((customer: CustomerFixture) => string);

export const text = z.coerce.string();

/** Reads the ID from the value of an entry. The value is "Everybody ⟨ID 3f2a9c10⟩" in a list of several, otherwise the ID alone. */
export const readEntryId = (value: unknown) => text.parse(value).replace(/^.* ⟨ID (.+)⟩$/s, '$1');

/** What somebody sees who asks for the list. */
export const listed =
	(search: Named, id: Named = 'resourceId', name: Named = 'name'): Entries =>
	async (customer) => {
		const [key, value, label] = [search, id, name].map((each) => (typeof each === 'string' ? each : each(customer)));
		return (await customer.fetchList(String(key))).map((record) => ({
			value: text.parse(record[String(value)]),
			name: text.parse(record[String(label)]),
		}));
	};

/** A list among others in one answer, of records or of texts. */
export const inForm =
	(key: string, list: string, id = 'value', name = 'text'): Entries =>
	async (customer) =>
		z
			.array(z.unknown())
			.parse(z.record(z.unknown()).parse(await customer.fetchData(key))[list])
			.map((each) => (isJsonObject(each) ? [each[id], each[name]] : [each, each]).map((told) => text.parse(told)))
			.map(([value = '', label = '']) => ({ value, name: label }));

export const enrollmentOf = ({ companyData: holdings }: CustomerFixture): string => holdings.enrollments[0]?.resourceId ?? '';
export const zones = () =>
	['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, name: value.replaceAll('_', ' ') }));

const ROLES: List = { thing: 'role', entries: listed('GET /api/roles') };
const TARGET_GROUPS: List = {
	thing: 'target group',
	entries: listed('POST /api/target-groups/search/current-company'),
};
const ENROLLMENTS: List = {
	thing: 'enrollment',
	entries: listed('POST /api/enrollments/search', ({ profile: names }) => names.enrollmentIdField),
};
const REPORT_USERS: List = {
	thing: 'target user',
	fields: (customer) => ({ enrollment: toIdLocator(enrollmentOf(customer)) }),
	entries: listed(
		(customer) => `POST /api/training-reports/${enrollmentOf(customer)}/users/search`,
		({ profile: names }) => names.reportUserIdField,
		'email',
	),
};

/** The people of a list about an enrollment, by the IDs of its rows. */
const toResend = (tab: string): List => ({
	thing: 'person',
	fields: (customer) => ({ operation: 'resendToPeople', enrollment: toIdLocator(enrollmentOf(customer)) }),
	entries: listed(
		(customer) => `POST /api/training-reports/${enrollmentOf(customer)}/${tab}/search`,
		'resourceId',
		'email',
	),
});

/** A campaign's second run. */
const jobOf = (simulator: Simulator, { companyData: holdings }: CustomerFixture) =>
	`${holdings.getCampaigns(simulator)[0]?.resourceId ?? ''}/2`;

const jobs =
	(simulator: Simulator): Entries =>
	async (customer) =>
		(await customer.fetchList(getCampaignKeys(simulator).jobs)).map(({ createdDate, name, instanceGroup, ...job }) => {
			const group = text.parse(instanceGroup);
			const day = createdDate === undefined ? '' : `, ${text.parse(createdDate).slice(0, 10)}`;
			const value = `${text.parse(job[customer.profile.getJobIdField(simulator)])}/${group}`;
			return { value, name: `${text.parse(name)} (job ${group}${day})` };
		});

/** The people that a run was sent to; a live deployment's rows have an ID of the person in this run. */
const people = (simulator: Simulator): List => ({
	thing: 'person',
	fields: (customer) => ({ operation: 'opened', job: toIdLocator(jobOf(simulator, customer)) }),
	entries: listed(
		(customer) =>
			getCampaignKeys(simulator)
				.people.replace('{searchType}', 'All')
				.replace('{resourceId}/{instanceGroup}', jobOf(simulator, customer)),
		({ isDeployed }) => (isDeployed ? 'resourceId' : 'targetUserResourceId'),
		'email',
	),
});

/** The people of a job by the IDs of their rows, which the contract's rows do not have. */
export const rowsOfJob = (simulator: Simulator): List => {
	const firstJob = ({ companyData: holdings }: CustomerFixture) => `${holdings.getCampaigns(simulator)[1]?.resourceId ?? ''}/1`;
	return {
		thing: 'person',
		fields: (customer) => ({ operation: 'resendJobToPeople', job: toIdLocator(firstJob(customer)) }),
		entries: listed(
			(customer) =>
				getCampaignKeys(simulator)
					.people.replace('{searchType}', 'All')
					.replace('{resourceId}/{instanceGroup}', firstJob(customer)),
			'resourceId',
			'email',
		),
	};
};

const ofSimulator = (simulator: Simulator): Lists => ({
	[`${NODE_FOLDERS[simulator]}.search${upperFirst(simulator)}Jobs`]: { thing: 'campaign job', entries: jobs(simulator) },
	[`${NODE_FOLDERS[simulator]}.search${upperFirst(simulator)}People`]: people(simulator),
	[`${NODE_FOLDERS[simulator]}.search${upperFirst(simulator)}Campaigns`]: {
		thing: 'campaign',
		entries: listed(getCampaignKeys(simulator).campaigns),
	},
	[`${NODE_FOLDERS[simulator]}.loadTargetGroups`]: TARGET_GROUPS,
});

/** Lists of the contract for the chosen company. */
export const LISTED: Lists = {
	'Enrollment.searchTrainings': {
		thing: 'training',
		entries: listed('POST /api/trainings/search', 'trainingId', 'trainingName'),
	},
	'Enrollment.loadTargetGroups': TARGET_GROUPS,
	'TargetUser.loadTargetGroups': TARGET_GROUPS,
	'ExecutiveReport.loadTargetGroups': TARGET_GROUPS,
	'Enrollment.loadEnrolledUsers': toResend('users'),
	'Enrollment.loadSentMails': toResend('sending-report'),
	'ScimIntegration.searchTargetGroups': TARGET_GROUPS,
	'TargetGroup.searchTargetGroups': TARGET_GROUPS,
	'ApiClient.loadRoles': ROLES,
	'SystemUser.loadRoles': ROLES,
	'SamlSetting.searchRoles': ROLES,
	'ApiClient.searchApiClients': {
		thing: 'API client',
		entries: listed('POST /api/companies/clients/search', 'resourceId', ({ profile: names }) => names.clientNameField),
	},
	'ScimIntegration.searchScimIntegrations': { thing: 'SCIM integration', entries: listed('POST /api/scim/search') },
	'ScimIntegration.searchScimFields': { thing: 'SCIM field', entries: listed('GET /api/scim/fields') },
	'Enrollment.searchEnrollments': ENROLLMENTS,
	'TrainingReport.searchEnrollments': ENROLLMENTS,
	'TrainingReport.searchEnrolledUsers': REPORT_USERS,
	...Object.assign({}, ...SIMULATORS.map(ofSimulator)),
};

/** The words that a live deployment knows. */
const SEARCH_TYPES = [
	{ name: 'All People', value: 'All' },
	...['Attachment Opened', 'Clicked', 'MFA', 'No Response', 'Opened', 'Replied', 'Reported', 'Submitted Data'].map(
		(name) => ({
			name,
			value: name.replace(' ', ''),
		}),
	),
];

/** Words of the platform's front end (deployment activity 2). */
export const wordsOf = (...words: string[]): List => ({
	entries: () => words.map((value) => ({ name: value, value })),
});

/** Lists that the nodes know themselves. */
export const KNOWN: Lists = {
	'Training.searchTrainingKinds': wordsOf('SCORM', 'Learning Path', 'Poster', 'Infographic', 'Screensaver', 'Survey'),
	'Training.searchTrainingSearchTypes': {
		entries: () => ['All', 'Popular', 'Favourites', 'Mine'].map((name, at) => ({ name, value: String(at + 1) })),
	},
	...Object.fromEntries(
		SIMULATORS.flatMap((each): Array<[string, List]> => [
			[`${NODE_FOLDERS[each]}.searchSearchTypes`, { entries: () => SEARCH_TYPES }],
			[`${NODE_FOLDERS[each]}.searchIanaZones`, { entries: zones }],
		]),
	),
	'ReportedEmail.searchReportedEmailStatus': wordsOf('BeingAnalyzed', 'Closed', 'FalsePositive', 'InProgress', 'Open'),
	'ReportedEmail.searchReportedEmailResult': wordsOf(
		'Malicious',
		'NonMalicious',
		'Phishing',
		'Simulation',
		'Undetected',
	),
	'Enrollment.searchIanaZones': { entries: zones },
	'ExecutiveReport.searchIanaZones': { entries: zones },
};

// A child stands below its parent, with a mark.
const companies: Entries = ({ state }) =>
	state.companies.map(({ companyResourceId, companyName }) => ({ value: companyResourceId, name: companyName ?? '' }));
const groups: Entries = ({ state }) => state.companyGroups.map(({ resourceId, name }) => ({ value: resourceId, name }));

/** Lists of what belongs to the reseller, for whatever company; every node has the first. */
export const OF_RESELLER: Lists = {
	'Company.searchCompanies': { entries: companies },
	'TargetGroup.searchCompanies': { entries: companies },
	'Enrollment.searchCompanies': { entries: companies },
	'CompanyGroup.loadCompanies': { entries: companies },
	'CompanyGroup.searchCompanyGroups': { entries: groups },
	'Company.loadCompanyGroups': { entries: groups },
};
