/** The lists that a person chooses from: where each is read, and what must be in it. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import { byId, type CustomerFixture } from '../cases';
import { FOLDERS, keysOf } from '../cases/campaigns';

export interface Entry {
	name: string;
	value: string;
}

export interface Picker {
	/** What it chooses. */
	thing: string;
	/** A node that has it; others have the same. */
	node: string;
	method: string;
	/** Whether several can be chosen, from a list that has no search. */
	several?: boolean;
	/** The operation of the service that lists it; none for what the platform knows itself. */
	route?: string;
	/** Fields that it depends on besides the company. */
	fields?: (customer: CustomerFixture) => IDataObject;
	/** All that can be chosen. */
	entries: (customer: CustomerFixture) => Promise<Entry[]> | Entry[];
	/** Part of a name, in another case, that some but not all have. */
	search?: string;
}

const text = z.coerce.string();

type Named = string | ((customer: CustomerFixture) => string);

/** What somebody sees who asks the service directly. */
const listed =
	(search: Named, id: Named, name: Named) =>
	async (customer: CustomerFixture): Promise<Entry[]> => {
		const [key = '', value = '', label = ''] = [search, id, name].map((each) =>
			typeof each === 'string' ? each : each(customer),
		);
		return (await customer.list(key)).map((record) => ({
			value: text.parse(record[value]),
			name: text.parse(record[label]),
		}));
	};

const enrollmentOf = (customer: CustomerFixture): string => customer.holdings.enrollments[0]?.resourceId ?? '';
const title = (simulator: Simulator) => simulator.charAt(0).toUpperCase() + simulator.slice(1);

const dayOf = ({ createdDate }: Record<string, unknown>) =>
	typeof createdDate === 'string' ? [createdDate.slice(0, 10)] : [];

const jobs = (simulator: Simulator): Picker => {
	const { jobs: route } = keysOf(simulator);
	return {
		...{
			thing: 'campaign job',
			node: FOLDERS[simulator],
			method: `search${title(simulator)}Jobs`,
			route,
			search: 'PASSWORD',
		},
		entries: async (customer) =>
			(await customer.list(route)).map((job) => ({
				value: `${text.parse(job.resourceId ?? job[`${simulator}CampaignResourceId`])}/${text.parse(job.instanceGroup)}`,
				name: `${text.parse(job.name)} (${[`job ${text.parse(job.instanceGroup)}`, ...dayOf(job)].join(', ')})`,
			})),
	};
};

/** A campaign's second run, and the people it was sent to; a live deployment's rows have an ID of the person in this run. */
const jobOf = (simulator: Simulator, customer: CustomerFixture) =>
	`${customer.holdings.campaigns(simulator)[0]?.resourceId ?? ''}/2`;
const people = (simulator: Simulator): Picker => {
	const { people: route } = keysOf(simulator);
	return {
		...{ thing: 'person', node: FOLDERS[simulator], method: `search${title(simulator)}People`, search: '1@', route },
		fields: (customer) => ({ operation: 'opened', job: byId(jobOf(simulator, customer)) }),
		entries: listed(
			(customer) =>
				route.replace('{searchType}', 'All').replace('{resourceId}/{instanceGroup}', jobOf(simulator, customer)),
			({ isDeployed }) => (isDeployed ? 'resourceId' : 'targetUserResourceId'),
			'email',
		),
	};
};

const ROLES = {
	route: 'GET /api/roles',
	entries: listed('GET /api/roles', 'resourceId', 'name'),
};
const TARGET_GROUPS = {
	route: 'POST /api/target-groups/search/current-company',
	entries: listed('POST /api/target-groups/search/current-company', 'resourceId', 'name'),
};
const TIME_ZONES = {
	thing: 'time zone',
	method: 'searchIanaZones',
	search: 'new york',
	entries: () =>
		['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, name: value.replaceAll('_', ' ') })),
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

/** The lists of the nodes that act for a company. */
export const PICKERS: Picker[] = [
	{
		...{
			thing: 'training',
			node: 'Enrollment',
			method: 'searchTrainings',
			route: 'POST /api/trainings/search',
			search: 'phishing',
		},
		entries: listed('POST /api/trainings/search', 'trainingId', 'trainingName'),
	},
	{ thing: 'target group', node: 'Enrollment', method: 'loadTargetGroups', several: true, ...TARGET_GROUPS },
	{ thing: 'target group', node: 'TargetUser', method: 'loadTargetGroups', several: true, ...TARGET_GROUPS },
	...['ScimIntegration', 'TargetGroup'].map((node) => ({
		...{ thing: 'target group', node, method: 'searchTargetGroups', search: 'TEAM', ...TARGET_GROUPS },
	})),
	{ thing: 'role', node: 'ApiClient', method: 'loadRoles', several: true, ...ROLES },
	{ thing: 'role', node: 'SystemUser', method: 'loadRoles', several: true, ...ROLES },
	{ thing: 'role', node: 'SamlSetting', method: 'searchRoles', search: 'COMPANY', ...ROLES },
	{
		...{
			thing: 'API client',
			node: 'ApiClient',
			method: 'searchApiClients',
			route: 'POST /api/companies/clients/search',
		},
		entries: listed('POST /api/companies/clients/search', 'resourceId', ({ names }) => names.clientName),
	},
	{
		...{
			thing: 'SCIM integration',
			node: 'ScimIntegration',
			method: 'searchScimIntegrations',
			route: 'POST /api/scim/search',
		},
		entries: listed('POST /api/scim/search', 'resourceId', 'name'),
	},
	{
		...{
			thing: 'SCIM field',
			node: 'ScimIntegration',
			method: 'searchScimFields',
			route: 'GET /api/scim/fields',
			search: 'DIVISION',
		},
		entries: listed('GET /api/scim/fields', 'resourceId', 'name'),
	},
	...['Enrollment', 'TrainingReport'].map((node) => ({
		...{
			thing: 'enrollment',
			node,
			method: 'searchEnrollments',
			route: 'POST /api/enrollments/search',
			search: 'ONBOARDING',
		},
		entries: listed('POST /api/enrollments/search', ({ names }) => names.enrollmentId, 'name'),
	})),
	{
		...{
			thing: 'target user',
			node: 'TrainingReport',
			method: 'searchTargetUsers',
			route: 'POST /api/training-reports/{enrollmentId}/users/search',
			search: '1@',
		},
		fields: (customer) => ({ enrollment: byId(enrollmentOf(customer)) }),
		entries: listed(
			(customer) => `POST /api/training-reports/${enrollmentOf(customer)}/users/search`,
			({ names }) => names.reportUserId,
			'email',
		),
	},
	...SIMULATORS.map(jobs),
	...SIMULATORS.map(people),
	...SIMULATORS.map((simulator): Picker => ({
		...{ thing: 'search type', node: FOLDERS[simulator], method: 'searchSearchTypes', search: 'OPENED' },
		fields: () => ({ operation: 'searchJobUsers' }),
		entries: () => SEARCH_TYPES,
	})),
	...SIMULATORS.map((simulator): Picker => {
		const { campaigns: route } = keysOf(simulator);
		return {
			...{ thing: 'campaign', node: FOLDERS[simulator], method: `search${title(simulator)}Campaigns`, route },
			...{ search: 'PASSWORD', entries: listed(route, 'resourceId', 'name') },
		};
	}),
	...SIMULATORS.map((simulator): Picker => ({
		...{ thing: 'target group', node: FOLDERS[simulator], method: 'loadTargetGroups', several: true },
		...TARGET_GROUPS,
	})),
	{
		...{ thing: 'training type', node: 'Training', method: 'searchTrainingKinds', search: 'PATH' },
		entries: () =>
			['SCORM', 'Learning Path', 'Poster', 'Infographic', 'Screensaver', 'Survey'].map((name) => ({
				name,
				value: name,
			})),
	},
	{
		...{ thing: 'search type', node: 'Training', method: 'searchTrainingSearchTypes', search: 'MINE' },
		entries: () => ['All', 'Popular', 'Favourites', 'Mine'].map((name, at) => ({ name, value: String(at + 1) })),
	},
	...['Enrollment', FOLDERS.smishing, FOLDERS.quishing].map((node) => ({ node, ...TIME_ZONES })),
];

/** The lists of what belongs to the reseller, for whatever company. */
export const OF_RESELLER: Picker[] = [
	...['Company', 'TargetGroup', 'Enrollment'].map((node): Picker => ({
		...{ thing: 'company', node, method: 'searchCompanies', route: 'POST /api/companies/search', search: 'BAKERY' },
		// A child stands below its parent, with a mark.
		entries: ({ state }) =>
			state.companies.map(({ companyResourceId, companyName }) => ({
				value: companyResourceId,
				name: companyName ?? '',
			})),
	})),
	{
		...{
			thing: 'company',
			node: 'CompanyGroup',
			method: 'loadCompanies',
			several: true,
			route: 'POST /api/companies/search',
		},
		entries: ({ state }) =>
			state.companies.map(({ companyResourceId, companyName }) => ({
				value: companyResourceId,
				name: companyName ?? '',
			})),
	},
	...(['CompanyGroup', 'Company'] as const).map((node): Picker => ({
		...{
			thing: 'company group',
			node,
			method: node === 'Company' ? 'loadCompanyGroups' : 'searchCompanyGroups',
			several: node === 'Company',
		},
		...{ route: 'POST /api/company-groups/search', search: 'REGION' },
		entries: ({ state }) => state.groups.map(({ resourceId, name }) => ({ value: resourceId, name })),
	})),
];
