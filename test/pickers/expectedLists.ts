/** This file defines which entries each list in a form must have. The expected entries are read directly from the stand-in. */
import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from '../cases';
import { NODE_FOLDERS, getCampaignKeys } from '../cases/campaigns';
import { isJsonObject } from '../stand-in/http';
import { SIMULATORS, type Simulator } from '../stand-in/profile';

export interface Entry {
	name: string;
	value: string;
}

export type ReadEntries = (customer: CustomerFixture) => Promise<Entry[]> | Entry[];

export interface ExpectedList {
	/** The word for one entry in messages. */
	noun?: string;
	/** Creates the form's fields that decide which list is read, in addition to the company. */
	createFields?: (customer: CustomerFixture) => IDataObject;
	/** Reads all entries that the list must have. */
	readEntries: ReadEntries;
	/** Reads the expected entries if the platform lacks a list outside the contract. Without this function, the list is then empty. */
	readFallback?: ReadEntries;
	/** True if the list is the same for every company. */
	isPlatformWide?: boolean;
	/** Creates the records of a list that is empty at first. */
	createRecords?: (customer: CustomerFixture) => Promise<unknown>;
}

export type ExpectedLists = Record<`${string}.${string}`, ExpectedList>;
/** A text, or a function that returns it for a customer. */
type TextOrGetter = string | ((customer: CustomerFixture) => string);

export const textSchema = z.coerce.string();

/** Reads the ID from the value of an entry. The value is "Everybody ⟨ID 3f2a9c10⟩" in a multi-select list, otherwise the ID alone. */
export const readEntryId = (value: unknown) => textSchema.parse(value).replace(/^.* ⟨ID (.+)⟩$/s, '$1');

/** Creates the function that lists records of the stand-in as entries. `idField` and `nameField` are the fields with a record's ID and name. */
export function createListReader(
	search: TextOrGetter,
	idField: TextOrGetter = 'resourceId',
	nameField: TextOrGetter = 'name',
): ReadEntries {
	return async (customer) => {
		const getText = (text: TextOrGetter) => (typeof text === 'string' ? text : text(customer));
		const records = await customer.fetchList(getText(search));
		return records.map((record) => ({
			value: textSchema.parse(record[getText(idField)]),
			name: textSchema.parse(record[getText(nameField)]),
		}));
	};
}

/** Creates the function that reads one of the lists in a response. The list has records or texts. */
export function createDetailsReader(key: string, listName: string, idField = 'value', nameField = 'text'): ReadEntries {
	return async (customer) => {
		const data = z.record(z.unknown()).parse(await customer.fetchData(key));
		const list = z.array(z.unknown()).parse(data[listName]);
		return list.map((entry) => ({
			value: textSchema.parse(isJsonObject(entry) ? entry[idField] : entry),
			name: textSchema.parse(isJsonObject(entry) ? entry[nameField] : entry),
		}));
	};
}

export const getEnrollmentId = ({ companyData }: CustomerFixture): string =>
	companyData.enrollments[0]?.resourceId ?? '';
export const listTimeZones = () =>
	['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, name: value.replaceAll('_', ' ') }));

const ROLES: ExpectedList = { noun: 'role', readEntries: createListReader('GET /api/roles') };
const TARGET_GROUPS: ExpectedList = {
	noun: 'target group',
	readEntries: createListReader('POST /api/target-groups/search/current-company'),
};
const ENROLLMENTS: ExpectedList = {
	noun: 'enrollment',
	readEntries: createListReader('POST /api/enrollments/search', ({ profile }) => profile.enrollmentIdField),
};
const REPORT_USERS: ExpectedList = {
	noun: 'target user',
	createFields: (customer) => ({ enrollment: toIdLocator(getEnrollmentId(customer)) }),
	readEntries: createListReader(
		(customer) => `POST /api/training-reports/${getEnrollmentId(customer)}/users/search`,
		({ profile }) => profile.reportUserIdField,
		'email',
	),
};

/** Creates the list of the people to whom an enrollment can be resent. The values are the IDs of the rows of a report tab. */
const createResendList = (tab: string): ExpectedList => ({
	noun: 'person',
	createFields: (customer) => ({ operation: 'resendToPeople', enrollment: toIdLocator(getEnrollmentId(customer)) }),
	readEntries: createListReader(
		(customer) => `POST /api/training-reports/${getEnrollmentId(customer)}/${tab}/search`,
		'resourceId',
		'email',
	),
});

/** Returns the ID of the second job of the first campaign: the campaign's ID and the job's number. */
const getSecondJobId = (simulator: Simulator, { companyData }: CustomerFixture) =>
	`${companyData.getCampaigns(simulator)[0]?.resourceId ?? ''}/2`;

/** Creates the function that lists the jobs of a simulator's campaigns as entries. */
function createJobReader(simulator: Simulator): ReadEntries {
	return async (customer) => {
		const jobs = await customer.fetchList(getCampaignKeys(simulator).jobs);
		return jobs.map(({ createdDate, name, instanceGroup, ...job }) => {
			const group = textSchema.parse(instanceGroup);
			const day = createdDate === undefined ? '' : `, ${textSchema.parse(createdDate).slice(0, 10)}`;
			const value = `${textSchema.parse(job[customer.profile.getJobIdField(simulator)])}/${group}`;
			return { value, name: `${textSchema.parse(name)} (job ${group}${day})` };
		});
	};
}

/** Creates the list of the people that a job was sent to. A live deployment's rows have an ID that is only valid in this job. */
const createPeopleList = (simulator: Simulator): ExpectedList => ({
	noun: 'person',
	createFields: (customer) => ({ operation: 'opened', job: toIdLocator(getSecondJobId(simulator, customer)) }),
	readEntries: createListReader(
		(customer) =>
			getCampaignKeys(simulator)
				.people.replace('{searchType}', 'All')
				.replace('{resourceId}/{instanceGroup}', getSecondJobId(simulator, customer)),
		({ isDeployed }) => (isDeployed ? 'resourceId' : 'targetUserResourceId'),
		'email',
	),
});

/** Creates the list of a job's people by the IDs of their rows. The contract's rows have no IDs. */
export const createJobRowList = (simulator: Simulator): ExpectedList => {
	const getFirstJobId = ({ companyData }: CustomerFixture) =>
		`${companyData.getCampaigns(simulator)[1]?.resourceId ?? ''}/1`;
	return {
		noun: 'person',
		createFields: (customer) => ({ operation: 'resendJobToPeople', job: toIdLocator(getFirstJobId(customer)) }),
		readEntries: createListReader(
			(customer) =>
				getCampaignKeys(simulator)
					.people.replace('{searchType}', 'All')
					.replace('{resourceId}/{instanceGroup}', getFirstJobId(customer)),
			'resourceId',
			'email',
		),
	};
};

const createSimulatorLists = (simulator: Simulator): ExpectedLists => ({
	[`${NODE_FOLDERS[simulator]}.search${upperFirst(simulator)}Jobs`]: {
		noun: 'campaign job',
		readEntries: createJobReader(simulator),
	},
	[`${NODE_FOLDERS[simulator]}.search${upperFirst(simulator)}People`]: createPeopleList(simulator),
	[`${NODE_FOLDERS[simulator]}.search${upperFirst(simulator)}Campaigns`]: {
		noun: 'campaign',
		readEntries: createListReader(getCampaignKeys(simulator).campaigns),
	},
	[`${NODE_FOLDERS[simulator]}.loadTargetGroups`]: TARGET_GROUPS,
});

/** The lists of the contract that belong to the selected company. */
export const CONTRACT_LISTS: ExpectedLists = {
	'Enrollment.searchTrainings': {
		noun: 'training',
		readEntries: createListReader('POST /api/trainings/search', 'trainingId', 'trainingName'),
	},
	'Enrollment.loadTargetGroups': TARGET_GROUPS,
	'TargetUser.loadTargetGroups': TARGET_GROUPS,
	'ExecutiveReport.loadTargetGroups': TARGET_GROUPS,
	'Enrollment.loadEnrolledUsers': createResendList('users'),
	'Enrollment.loadSentMails': createResendList('sending-report'),
	'ScimIntegration.searchTargetGroups': TARGET_GROUPS,
	'TargetGroup.searchTargetGroups': TARGET_GROUPS,
	'ApiClient.loadRoles': ROLES,
	'SystemUser.loadRoles': ROLES,
	'SamlSetting.searchRoles': ROLES,
	'ApiClient.searchApiClients': {
		noun: 'API client',
		readEntries: createListReader(
			'POST /api/companies/clients/search',
			'resourceId',
			({ profile }) => profile.clientNameField,
		),
	},
	'ScimIntegration.searchScimIntegrations': {
		noun: 'SCIM integration',
		readEntries: createListReader('POST /api/scim/search'),
	},
	'ScimIntegration.searchScimFields': { noun: 'SCIM field', readEntries: createListReader('GET /api/scim/fields') },
	'Enrollment.searchEnrollments': ENROLLMENTS,
	'TrainingReport.searchEnrollments': ENROLLMENTS,
	'TrainingReport.searchEnrolledUsers': REPORT_USERS,
	...Object.assign({}, ...SIMULATORS.map(createSimulatorLists)),
};

/** The search types that a live deployment knows. */
const SEARCH_TYPES = [
	{ name: 'All People', value: 'All' },
	...['Attachment Opened', 'Clicked', 'MFA', 'No Response', 'Opened', 'Replied', 'Reported', 'Submitted Data'].map(
		(name) => ({
			name,
			value: name.replace(' ', ''),
		}),
	),
];

/** Creates a list of words from the platform's front end (deployment activity 2). */
export const createWordList = (...words: string[]): ExpectedList => ({
	readEntries: () => words.map((value) => ({ name: value, value })),
});

/** The lists that are built into the nodes. */
export const BUILT_IN_LISTS: ExpectedLists = {
	'Training.searchTrainingKinds': createWordList(
		'SCORM',
		'Learning Path',
		'Poster',
		'Infographic',
		'Screensaver',
		'Survey',
	),
	'Training.searchTrainingSearchTypes': {
		readEntries: () =>
			['All', 'Popular', 'Favourites', 'Mine'].map((name, index) => ({ name, value: String(index + 1) })),
	},
	...Object.fromEntries(
		SIMULATORS.flatMap((simulator): Array<[string, ExpectedList]> => [
			[`${NODE_FOLDERS[simulator]}.searchSearchTypes`, { readEntries: () => SEARCH_TYPES }],
			[`${NODE_FOLDERS[simulator]}.searchIanaZones`, { readEntries: listTimeZones }],
		]),
	),
	'ReportedEmail.searchReportedEmailStatus': createWordList(
		'BeingAnalyzed',
		'Closed',
		'FalsePositive',
		'InProgress',
		'Open',
	),
	'ReportedEmail.searchReportedEmailResult': createWordList(
		'Malicious',
		'NonMalicious',
		'Phishing',
		'Simulation',
		'Undetected',
	),
	'Enrollment.searchIanaZones': { readEntries: listTimeZones },
	'ExecutiveReport.searchIanaZones': { readEntries: listTimeZones },
};

const listCompanies: ReadEntries = ({ world }) =>
	world.companies.map(({ companyResourceId, companyName }) => ({ value: companyResourceId, name: companyName ?? '' }));
const listGroups: ReadEntries = ({ world }) =>
	world.companyGroups.map(({ resourceId, name }) => ({ value: resourceId, name }));

/** The lists that belong to the reseller and are the same for every company. Every node has the list of companies. */
export const RESELLER_LISTS: ExpectedLists = {
	'Company.searchCompanies': { readEntries: listCompanies },
	'TargetGroup.searchCompanies': { readEntries: listCompanies },
	'Enrollment.searchCompanies': { readEntries: listCompanies },
	'CompanyGroup.loadCompanies': { readEntries: listCompanies },
	'CompanyGroup.searchCompanyGroups': { readEntries: listGroups },
	'Company.loadCompanyGroups': { readEntries: listGroups },
};
