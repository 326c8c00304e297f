/** This file defines which entries each picker's list must have. The expected entries are read directly from the stand-in. */
import { uniqBy, upperFirst } from 'lodash';
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
	/** The word for one entry in error messages. */
	noun?: string;
	/** Creates the values of the form fields that decide which list is read, in addition to the company fields. */
	createFields?: (customer: CustomerFixture) => IDataObject;
	/** Reads all entries that the list must have. */
	readEntries: ReadEntries;
	/** Reads the entries that the picker must show if the platform lacks the list. If it is not set, the picker must show no entries. */
	readFallback?: ReadEntries;
	/** True if the list is the same for every company. */
	isPlatformWide?: boolean;
	/** Creates records on the stand-in. Set it if the stand-in has none for this list at first. */
	createRecords?: (customer: CustomerFixture) => Promise<unknown>;
}

export type ExpectedLists = Record<`${string}.${string}`, ExpectedList>;
/** A text, or a function that returns it for a customer. */
type TextOrGetter = string | ((customer: CustomerFixture) => string);

export const textSchema = z.coerce.string();

/** Reads the ID from the value of an entry. In a multi-select list, the value is "Everybody ⟨ID 3f2a9c10⟩". In other lists, it is the ID. */
export const readEntryId = (value: unknown) => textSchema.parse(value).replace(/^.* ⟨ID (.+)⟩$/s, '$1');

/**
 * Creates the function that reads records from the stand-in and converts them to entries. `idField` and `nameField` are the keys of a
 * record's ID and name.
 */
export function createListReader(
	route: TextOrGetter,
	idField: TextOrGetter = 'resourceId',
	nameField: TextOrGetter = 'name',
): ReadEntries {
	return async (customer) => {
		const getText = (text: TextOrGetter) => (typeof text === 'string' ? text : text(customer));
		const records = await customer.fetchList(getText(route));
		return records.map((record) => ({
			value: textSchema.parse(record[getText(idField)]),
			name: textSchema.parse(record[getText(nameField)]),
		}));
	};
}

/** Creates the function that reads one of several lists in a response of the stand-in. The list contains records or texts. */
export function createResponseListReader(
	route: string,
	listKey: string,
	idField = 'value',
	nameField = 'text',
): ReadEntries {
	return async (customer) => {
		const data = z.record(z.unknown()).parse(await customer.fetchData(route));
		const list = z.array(z.unknown()).parse(data[listKey]);
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
/** Adds the choice that stands for the time zone in the customer's record. */
export const addCustomersOwn = (entries: Entry[]): Entry[] => [
	{ value: 'customersOwn', name: "Customer's Own" },
	...entries,
];
/** The time zones that a user can select for a date. */
const DATE_TIME_ZONE_LIST: ExpectedList = { readEntries: () => addCustomersOwn(listTimeZones()) };

const ROLE_LIST: ExpectedList = { noun: 'role', readEntries: createListReader('GET /api/roles') };
const TARGET_GROUP_LIST: ExpectedList = {
	noun: 'target group',
	readEntries: createListReader('POST /api/target-groups/search/current-company'),
};
const ENROLLMENT_LIST: ExpectedList = {
	noun: 'enrollment',
	readEntries: createListReader('POST /api/enrollments/search', ({ profile }) => profile.enrollmentIdField),
};
const REPORT_USER_LIST: ExpectedList = {
	noun: 'target user',
	createFields: (customer) => ({
		resource: 'enrolledUser',
		operation: 'getInteractions',
		enrollment: toIdLocator(getEnrollmentId(customer)),
	}),
	readEntries: createListReader(
		(customer) => `POST /api/training-reports/${getEnrollmentId(customer)}/users/search`,
		({ profile }) => profile.reportUserIdField,
		'email',
	),
};

/**
 * Creates the expectation for the list of people to whom an enrollment can be resent. The values are the row IDs of one tab of the training
 * report.
 */
const createResendList = (tab: string): ExpectedList => ({
	noun: 'person',
	createFields: (customer) => ({
		resource: 'followUp',
		operation: 'resendToPeople',
		enrollment: toIdLocator(getEnrollmentId(customer)),
	}),
	readEntries: createListReader(
		(customer) => `POST /api/training-reports/${getEnrollmentId(customer)}/${tab}/search`,
		'resourceId',
		'email',
	),
});

/** Returns the ID of the second job of the first campaign. It consists of the campaign's ID and the job's number. */
const getSecondJobId = (simulator: Simulator, { companyData }: CustomerFixture) =>
	`${companyData.getCampaigns(simulator)[0]?.resourceId ?? ''}/2`;

/** Creates the function that reads the jobs of a simulator's campaigns and converts them to entries. */
function createJobReader(simulator: Simulator): ReadEntries {
	return async (customer) => {
		const jobs = await customer.fetchList(getCampaignKeys(simulator).jobs);
		return jobs.map(({ startDate, sentTime = startDate, name, instanceGroup, ...job }) => {
			const group = textSchema.parse(instanceGroup);
			const day = textSchema.parse(sentTime).slice(0, 10);
			const value = `${textSchema.parse(job[customer.profile.getJobIdField(simulator)])}/${group}`;
			return { value, name: `${textSchema.parse(name)} (job ${group}, ${day})` };
		});
	};
}

/**
 * Creates the expectation for the list of people to whom a job was sent. On a live deployment, a person's row has an ID that is only valid
 * in this job.
 */
const createJobPeopleList = (simulator: Simulator): ExpectedList => ({
	noun: 'person',
	createFields: (customer) => ({
		resource: 'result',
		operation: 'getOpened',
		job: toIdLocator(getSecondJobId(simulator, customer)),
	}),
	readEntries: createListReader(
		(customer) =>
			getCampaignKeys(simulator)
				.people.replace('{searchType}', 'All')
				.replace('{resourceId}/{instanceGroup}', getSecondJobId(simulator, customer)),
		({ isDeployed }) => (isDeployed ? 'resourceId' : 'targetUserResourceId'),
		'email',
	),
});

/**
 * Creates the expectation for the list of people to whom a job can be resent. The values are the IDs of their rows, which the rows of the
 * contract lack.
 */
export const createJobRowList = (simulator: Simulator): ExpectedList => {
	const getFirstJobId = ({ companyData }: CustomerFixture) =>
		`${companyData.getCampaigns(simulator)[1]?.resourceId ?? ''}/1`;
	return {
		noun: 'person',
		createFields: (customer) => ({
			resource: 'campaignJob',
			operation: 'resendToPeople',
			job: toIdLocator(getFirstJobId(customer)),
		}),
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
	[`${NODE_FOLDERS[simulator]}.search${upperFirst(simulator)}People`]: createJobPeopleList(simulator),
	[`${NODE_FOLDERS[simulator]}.search${upperFirst(simulator)}Campaigns`]: {
		noun: 'campaign',
		readEntries: createListReader(getCampaignKeys(simulator).campaigns),
	},
	[`${NODE_FOLDERS[simulator]}.loadTargetGroups`]: TARGET_GROUP_LIST,
});

/** The priorities that the customer's target groups have. */
const PRIORITY_LIST: ExpectedList = {
	noun: 'priority',
	readEntries: async (customer) =>
		uniqBy(
			await createListReader('POST /api/target-groups/search/current-company', 'priority', 'priority')(customer),
			'value',
		),
};

/** The lists that the contract describes and that belong to the selected company. */
export const CONTRACT_LISTS: ExpectedLists = {
	'Enrollment.searchTrainings': {
		noun: 'training',
		readEntries: createListReader('POST /api/trainings/search', 'trainingId', 'trainingName'),
	},
	'Enrollment.loadTargetGroups': TARGET_GROUP_LIST,
	'TargetUser.loadTargetGroups': TARGET_GROUP_LIST,
	'ExecutiveReport.loadTargetGroups': TARGET_GROUP_LIST,
	'Enrollment.loadEnrolledUsers': createResendList('users'),
	'Enrollment.loadSentMails': createResendList('sending-report'),
	'ScimIntegration.searchTargetGroups': TARGET_GROUP_LIST,
	'TargetGroup.loadTargetGroups': TARGET_GROUP_LIST,
	'TargetGroup.searchTargetGroups': TARGET_GROUP_LIST,
	'TargetGroup.searchTargetGroupPriorities': PRIORITY_LIST,
	'Enrollment.searchTargetGroupPriorities': PRIORITY_LIST,
	'ApiClient.loadRoles': ROLE_LIST,
	'SystemUser.loadRoles': ROLE_LIST,
	'SamlSetting.searchRoles': ROLE_LIST,
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
	'Enrollment.searchEnrollments': ENROLLMENT_LIST,
	'TrainingReport.searchEnrollments': ENROLLMENT_LIST,
	'TrainingReport.searchEnrolledUsers': REPORT_USER_LIST,
	...Object.assign({}, ...SIMULATORS.map(createSimulatorLists)),
};

/** The search types that a live deployment accepts. */
const SEARCH_TYPE_ENTRIES = [
	{ name: 'All People', value: 'All' },
	...['Attachment Opened', 'Clicked', 'MFA', 'No Response', 'Opened', 'Replied', 'Reported', 'Submitted Data'].map(
		(name) => ({
			name,
			value: name.replace(' ', ''),
		}),
	),
];

/** Creates the expectation for a list of words that are known from the platform's front end (deployment activity 2). */
export const createWordList = (...words: string[]): ExpectedList => ({
	readEntries: () => words.map((value) => ({ name: value, value })),
});

/** The lists whose entries are part of the nodes, so that they aren't read from the platform. */
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
			[`${NODE_FOLDERS[simulator]}.searchSearchTypes`, { readEntries: () => SEARCH_TYPE_ENTRIES }],
			[`${NODE_FOLDERS[simulator]}.searchIanaZones`, DATE_TIME_ZONE_LIST],
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
	'Enrollment.searchIanaZones': DATE_TIME_ZONE_LIST,
	'ExecutiveReport.searchIanaZones': DATE_TIME_ZONE_LIST,
};

const listCompanies: ReadEntries = ({ world }) =>
	world.companies.map(({ companyResourceId, companyName }) => ({ value: companyResourceId, name: companyName ?? '' }));
const listGroups: ReadEntries = ({ world }) =>
	world.companyGroups.map(({ resourceId, name }) => ({ value: resourceId, name }));

/** The lists that belong to the reseller, so that they are the same for every company. Every node has the list of companies. */
export const RESELLER_LISTS: ExpectedLists = {
	'Company.searchCompanies': { readEntries: listCompanies },
	'TargetGroup.searchCompanies': { readEntries: listCompanies },
	'Enrollment.searchCompanies': { readEntries: listCompanies },
	'CompanyGroup.loadCompanies': { readEntries: listCompanies },
	'CompanyGroup.searchCompanyGroups': { readEntries: listGroups },
	'Company.loadCompanyGroups': { readEntries: listGroups },
};
