import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Field, Label } from '../../core/fields/field';
import { COMPANY_ID, COMPANY_NAME, companyOf, withChildren } from '../../core/companies/companies';
import { sourceOf, textIn, type Listing } from '../../core/pickers/listSource';
import { multiPicker, picker, PEOPLE_SEARCH, type Narrowing } from '../../core/pickers/picker';
import { CHILD_MARK } from '../../core/pickers/labels';
import { identityOf, titleCase, type Choice } from '../../core/values';

/** The fields that may have the ID of each kind of record (contract 2; deployment facts, "Naming"). */
const ID = ['resourceId'] as const;
export const GROUP_ID = ID;
export const CLIENT_ID = ID;
export const SCIM_ID = ID;
export const SYSTEM_USER_ID = ID;
export const TARGET_GROUP_ID = ID;
export const PERSON_ID = ID;
export const REPORTED_EMAIL_ID = ID;
export const TRAINING_ID = ['trainingId', 'resourceId'] as const;
export const ENROLLMENT_ID = ['resourceId', 'enrollmentId', 'id'] as const;
export const TARGET_USER_ID = ['targetUserResourceId', 'resourceId'] as const;
export const CLIENT_NAME = ['name', 'clientName'] as const;

/** The companies that a credential manages (contract 4.3), child companies after their parents. */
export const COMPANIES: Listing = {
	endpoint: 'POST /api/companies/search',
	id: COMPANY_ID,
	name: COMPANY_NAME,
	flatten: withChildren,
	entry: (record) => {
		const { id, name } = companyOf(record);
		const mark = 'parentCompanyResourceId' in record ? CHILD_MARK : '';
		return id === '' ? undefined : { id, name: mark + (name || `No name (${id})`) };
	},
};

/** An enrollment's record with its ID under one name, whatever the service calls it; if it lacks that, as its first field. */
export function withEnrollmentId(json: IDataObject): IDataObject {
	if ('enrollmentId' in json) return json;
	const enrollmentId = identityOf(json, ENROLLMENT_ID);
	return enrollmentId === undefined ? json : { enrollmentId, ...json };
}

/** A thing to choose: its words in the form, and the list. */
interface Resource extends Partial<Label> {
	thing: string;
	whenRefused?: string;
	listing: Listing;
	/** What several of them are, for the description; a name is looked up where the operation runs. */
	several?: string;
	/** The field that narrows the list of several. */
	search?: Narrowing;
}

/** What most lists of a customer have in common. */
const OF_CUSTOMER = { id: ID, name: ['name'], scoped: true } as const;

const PERSON = { id: TARGET_USER_ID, name: ['email', 'firstName'] } as const;

const SETTING = {
	description: 'Choose it from the list, or enter the ID that the platform gave when the setting was created',
} as const;

const RESOURCES = {
	apiClients: {
		displayName: 'API Client',
		description: 'The REST API client',
		thing: 'API client',
		listing: { ...OF_CUSTOMER, endpoint: 'POST /api/companies/clients/search', name: CLIENT_NAME },
	},
	companies: {
		thing: 'company',
		several: 'The customers, by name or ID',
		search: { name: 'companySearch' },
		listing: COMPANIES,
	},
	companyGroups: {
		displayName: 'Company Group',
		description: 'The group of customer companies',
		thing: 'company group',
		several: 'The company groups, by name or ID',
		whenRefused: "Only a Reseller's credential has company groups.",
		listing: { endpoint: 'POST /api/company-groups/search', id: GROUP_ID, name: ['name'] },
	},
	deletedEnrollments: {
		displayName: 'Enrollment',
		description: 'The enrollment in the trash',
		thing: 'enrollment',
		listing: { ...OF_CUSTOMER, endpoint: 'POST /api/enrollments/archive/search', id: ENROLLMENT_ID, optional: true },
	},
	directEmailSettings: {
		...SETTING,
		displayName: 'Direct Email Setting ID',
		thing: 'direct email setting',
		listing: {
			...OF_CUSTOMER,
			endpoint: 'POST /api/companies/direct-email-settings/search',
			optional: true,
			mayBeAlone: true,
		},
	},
	enrollments: {
		displayName: 'Enrollment',
		description: 'The training sent to target groups',
		thing: 'enrollment',
		listing: {
			...OF_CUSTOMER,
			endpoint: 'POST /api/enrollments/search',
			id: ENROLLMENT_ID,
		},
	},
	rankedUsers: {
		thing: 'target user',
		listing: { ...OF_CUSTOMER, ...PERSON, endpoint: 'POST /api/leaderboard/get-all', optional: true },
	},
	targetUsers: {
		displayName: 'Target User',
		description: 'The person who gets trainings and simulations',
		thing: 'target user',
		several: 'The people, by e-mail address or ID',
		search: PEOPLE_SEARCH,
		listing: {
			...OF_CUSTOMER,
			endpoint: 'POST /api/target-users/search',
			name: ['email', 'firstName'],
			optional: true,
		},
	},
	reportedEmails: {
		displayName: 'Reported Email',
		description: 'The mail that somebody reported',
		thing: 'reported email',
		listing: { ...OF_CUSTOMER, endpoint: 'POST /api/notified-emails/search', name: ['subject'], optional: true },
	},
	roles: {
		thing: 'role',
		several: 'The roles, by name or ID',
		listing: { ...OF_CUSTOMER, endpoint: 'GET /api/roles' },
	},
	samlSettings: {
		...SETTING,
		displayName: 'SAML Setting ID',
		thing: 'SAML setting',
		listing: { ...OF_CUSTOMER, endpoint: 'POST /api/companies/saml-settings/search', optional: true },
	},
	scheduledReports: {
		displayName: 'Scheduled Report',
		thing: 'scheduled report',
		listing: { ...OF_CUSTOMER, endpoint: 'POST /api/report-scheduling/search', optional: true },
	},
	scimFields: {
		thing: 'SCIM field',
		listing: { ...OF_CUSTOMER, endpoint: 'GET /api/scim/fields' },
	},
	scimIntegrations: {
		displayName: 'SCIM Integration',
		description: 'The connection to an identity provider',
		thing: 'SCIM integration',
		listing: { ...OF_CUSTOMER, endpoint: 'POST /api/scim/search' },
	},
	systemUsers: {
		displayName: 'System User',
		thing: 'system user',
		listing: { ...OF_CUSTOMER, ...PERSON, endpoint: 'POST /api/system-users/search', id: ID, optional: true },
	},
	targetGroups: {
		thing: 'target group',
		several: 'The groups of users, by ID or by the name that they have at each customer',
		// Forms with target groups have enough fields.
		search: { name: 'targetGroupSearch', isOption: true },
		listing: { ...OF_CUSTOMER, endpoint: 'POST /api/target-groups/search/current-company' },
	},
	enrolledUsers: {
		displayName: 'Target User',
		description: 'The user who was enrolled',
		thing: 'target user',
		listing: {
			endpoint: 'POST /api/training-reports/{enrollmentId}/users/search',
			path: (editor) => ({ enrollmentId: textIn(editor, 'enrollment', 'Enrollment') }),
			...PERSON,
			scoped: true,
			dependsOn: ['enrollment.value'],
		},
	},
	trainings: {
		displayName: 'Training',
		description: 'The training to send',
		thing: 'training',
		listing: {
			...OF_CUSTOMER,
			endpoint: 'POST /api/trainings/search',
			id: TRAINING_ID,
			name: ['trainingName', 'name'],
		},
	},
} satisfies Record<string, Resource>;

function rulesOf(of: keyof typeof RESOURCES, label: Partial<Label>) {
	const { listing, ...words }: Resource = RESOURCES[of];
	const displayName = titleCase(words.thing);
	return { displayName, ...words, ...label, source: sourceOf(listing) };
}

/** The field that chooses one of what the service lists. @param label its words, where it is not called as usual */
export const pickerOf = (of: keyof typeof RESOURCES, label: Partial<Label> = {}): Field<Choice> =>
	picker({ ...rulesOf(of, label), method: `search${upperFirst(of)}` });

/** The field that chooses several of them, by ID or name. */
export function multiPickerOf(of: keyof typeof RESOURCES, label: Label & { whenEmpty?: string }): Field<string[]> {
	const { several = '', ...rules } = rulesOf(of, label);
	return multiPicker({ ...rules, description: label.description ?? several, method: `load${upperFirst(of)}` });
}
