import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Field, FieldSettings, PickerContext } from '../../core/fields/field';
import { COMPANY_LIST } from '../../core/companyScope/companyList';
import { createListSource, type ChoiceListDefinition } from '../../core/pickers/listSource';
import type { LookupList } from '../../core/pickers/lookupList';
import { listMultiPicker, listPicker, PEOPLE_SEARCH_FIELD, type ListSearchField } from '../../core/pickers/picker';
import { readFormRecordId } from '../../core/pickers/resolveNames';
import { readId, toTitleCase, type Choice } from '../../core/values';

// For each kind of record, these constants list the keys under which it may have its ID or name (contract 2; deployment facts, "Naming").
const RESOURCE_ID_FIELDS = ['resourceId'] as const;
export const COMPANY_GROUP_ID_FIELDS = RESOURCE_ID_FIELDS;
export const API_CLIENT_ID_FIELDS = RESOURCE_ID_FIELDS;
export const SCIM_ID_FIELDS = RESOURCE_ID_FIELDS;
export const SYSTEM_USER_ID_FIELDS = RESOURCE_ID_FIELDS;
export const TARGET_GROUP_ID_FIELDS = RESOURCE_ID_FIELDS;
export const TARGET_USER_ID_FIELDS = RESOURCE_ID_FIELDS;
export const REPORTED_EMAIL_ID_FIELDS = RESOURCE_ID_FIELDS;
/** The keys under which an allowed domain may have its ID (deployment onboarding 2). */
export const ALLOWED_DOMAIN_ID_FIELDS = ['allowListResourceId', 'resourceId'] as const;
export const TRAINING_ID_FIELDS = ['trainingId', 'resourceId'] as const;
export const ENROLLMENT_ID_FIELDS = ['resourceId', 'enrollmentId', 'id'] as const;
/** The keys under which a row of a report or of a leaderboard may have the target user's ID. */
export const REPORT_USER_ID_FIELDS = ['targetUserResourceId', 'resourceId'] as const;
export const API_CLIENT_NAME_FIELDS = ['name', 'clientName'] as const;

/**
 * Returns an enrollment with the key `enrollmentId`. If the platform returned the ID under another key, `enrollmentId` is added as the
 * first key.
 */
export function addEnrollmentId(json: IDataObject): IDataObject {
	if ('enrollmentId' in json) return json;
	const enrollmentId = readId(json, ENROLLMENT_ID_FIELDS);
	return enrollmentId === undefined ? json : { enrollmentId, ...json };
}

/** A kind of record that the user can select with a picker: the picker's texts, and the list of these records. */
interface PickerResource extends Partial<FieldSettings> {
	/** The word for one record, as written inside a sentence: "target group". */
	noun: string;
	/** An example of a name, for the mode 'By Name' of a picker that selects one record. */
	nameExample: string;
	forbiddenAdvice?: string;
	list: ChoiceListDefinition;
	/** The form field in which the user enters a search text, for a picker that selects several records. */
	listSearchField?: ListSearchField;
}

/** The settings that most lists of a company's records have in common. */
const COMPANY_LIST_DEFAULTS = { idFields: RESOURCE_ID_FIELDS, nameFields: ['name'], isPerCompany: true } as const;

const USER_LIST_FIELDS = { idFields: REPORT_USER_ID_FIELDS, nameFields: ['email', 'firstName'] } as const;

const ENROLLMENT_LIST = {
	...COMPANY_LIST_DEFAULTS,
	endpoint: 'POST /api/enrollments/search',
	idFields: ENROLLMENT_ID_FIELDS,
} as const satisfies ChoiceListDefinition;

/** The list in which the name of the form's enrollment is looked up, before another list of that enrollment is read. */
const ENROLLMENT_LOOKUP: LookupList = {
	listMethod: 'searchEnrollments',
	noun: 'enrollment',
	source: createListSource(ENROLLMENT_LIST),
};

/** Builds the path of a list that belongs to the enrollment that is selected in the form. @throws InvalidInputError, RequestError */
export const buildEnrollmentPath = async (context: PickerContext) => ({
	enrollmentId: await readFormRecordId(context, 'enrollment', 'Enrollment', ENROLLMENT_LOOKUP),
});

/** The kinds of records that the user can select. The name of the method that reads a list is built from the key. */
const PICKER_RESOURCES = {
	allowedDomains: {
		displayName: 'Allowed Domain',
		description: 'Select the domain, or enter its name or ID',
		noun: 'allowed domain',
		nameExample: 'example.com',
		list: {
			...COMPANY_LIST_DEFAULTS,
			endpoint: 'POST /api/allow-list/search',
			idFields: ALLOWED_DOMAIN_ID_FIELDS,
			nameFields: ['domain'],
			isOptional: true,
		},
	},
	apiClients: {
		displayName: 'API Client',
		description: 'Select the REST API client, or enter its name or ID',
		noun: 'API client',
		nameExample: 'Ticket System',
		list: {
			...COMPANY_LIST_DEFAULTS,
			endpoint: 'POST /api/companies/clients/search',
			nameFields: API_CLIENT_NAME_FIELDS,
		},
	},
	companies: {
		noun: 'company',
		nameExample: 'Golden Crust Bakery',
		listSearchField: { name: 'companySearch' },
		list: COMPANY_LIST,
	},
	companyGroups: {
		displayName: 'Company Group',
		description: 'Select the company group, or enter its name or ID',
		noun: 'company group',
		nameExample: 'Gold Customers',
		forbiddenAdvice: "Only a Reseller's credential has company groups.",
		list: { endpoint: 'POST /api/company-groups/search', idFields: COMPANY_GROUP_ID_FIELDS, nameFields: ['name'] },
	},
	deletedEnrollments: {
		displayName: 'Enrollment',
		description: 'Select the deleted enrollment, or enter its name or ID',
		noun: 'deleted enrollment',
		nameExample: 'Security Basics 2026',
		list: {
			...COMPANY_LIST_DEFAULTS,
			endpoint: 'POST /api/enrollments/archive/search',
			idFields: ENROLLMENT_ID_FIELDS,
			isOptional: true,
		},
	},
	directEmailSettings: {
		displayName: 'Direct Email Setting',
		description: 'Select the direct email setting, or enter its name or ID',
		noun: 'direct email setting',
		nameExample: 'Microsoft 365',
		list: {
			...COMPANY_LIST_DEFAULTS,
			endpoint: 'POST /api/companies/direct-email-settings/search',
			isOptional: true,
			mayBeSingleRecord: true,
		},
	},
	enrollments: {
		displayName: 'Enrollment',
		description: 'Select the enrollment, or enter its name or ID',
		noun: 'enrollment',
		nameExample: 'Security Basics 2026',
		list: ENROLLMENT_LIST,
	},
	rankedUsers: {
		noun: 'target user',
		nameExample: 'nathan@example.com',
		list: {
			...COMPANY_LIST_DEFAULTS,
			...USER_LIST_FIELDS,
			endpoint: 'POST /api/leaderboard/get-all',
			isOptional: true,
		},
	},
	targetUsers: {
		displayName: 'Target User',
		description: 'Select the user, or enter the email address or ID',
		noun: 'target user',
		nameExample: 'nathan@example.com',
		listSearchField: PEOPLE_SEARCH_FIELD,
		list: {
			...COMPANY_LIST_DEFAULTS,
			endpoint: 'POST /api/target-users/search',
			nameFields: ['email', 'firstName'],
			isOptional: true,
		},
	},
	reportedEmails: {
		displayName: 'Reported Email',
		description: 'Select the reported email, or enter its subject or ID',
		noun: 'reported email',
		nameExample: 'Your invoice is overdue',
		list: {
			...COMPANY_LIST_DEFAULTS,
			endpoint: 'POST /api/notified-emails/search',
			nameFields: ['subject'],
			isOptional: true,
		},
	},
	roles: {
		noun: 'role',
		nameExample: 'Company Admin',
		list: { ...COMPANY_LIST_DEFAULTS, endpoint: 'GET /api/roles' },
	},
	samlSettings: {
		displayName: 'SAML Setting',
		description: 'Select the SAML setting, or enter its name or ID',
		noun: 'SAML setting',
		nameExample: 'Entra ID',
		list: { ...COMPANY_LIST_DEFAULTS, endpoint: 'POST /api/companies/saml-settings/search', isOptional: true },
	},
	scheduledReports: {
		displayName: 'Scheduled Report',
		description: 'Select the scheduled report, or enter its name or ID',
		noun: 'scheduled report',
		nameExample: 'Monthly Report',
		list: { ...COMPANY_LIST_DEFAULTS, endpoint: 'POST /api/report-scheduling/search', isOptional: true },
	},
	scimFields: {
		noun: 'SCIM field',
		nameExample: 'department',
		list: { ...COMPANY_LIST_DEFAULTS, endpoint: 'GET /api/scim/fields' },
	},
	scimIntegrations: {
		displayName: 'SCIM Integration',
		description: 'Select the SCIM integration, or enter its name or ID',
		noun: 'SCIM integration',
		nameExample: 'Entra ID',
		list: { ...COMPANY_LIST_DEFAULTS, endpoint: 'POST /api/scim/search' },
	},
	smtpSettings: {
		displayName: 'SMTP Setting',
		description: 'Select the SMTP setting (the mail server to send with), or enter its name or ID',
		noun: 'SMTP setting',
		nameExample: 'Acme Mail Server',
		list: { ...COMPANY_LIST_DEFAULTS, endpoint: 'POST /api/companies/smtp-settings/search', isOptional: true },
	},
	systemUsers: {
		displayName: 'System User',
		noun: 'system user',
		nameExample: 'nathan@example.com',
		list: {
			...COMPANY_LIST_DEFAULTS,
			...USER_LIST_FIELDS,
			endpoint: 'POST /api/system-users/search',
			idFields: SYSTEM_USER_ID_FIELDS,
			isOptional: true,
		},
	},
	targetGroups: {
		noun: 'target group',
		nameExample: 'New Hires',
		// Forms with target groups have many fields, so the field for the search text is placed in the collection 'Options'.
		listSearchField: { name: 'targetGroupSearch', isInOptions: true },
		list: { ...COMPANY_LIST_DEFAULTS, endpoint: 'POST /api/target-groups/search/current-company' },
	},
	enrolledUsers: {
		displayName: 'Target User',
		description: 'Select a user of the enrollment, or enter the email address or ID',
		noun: 'target user',
		nameExample: 'nathan@example.com',
		list: {
			endpoint: 'POST /api/training-reports/{enrollmentId}/users/search',
			buildPath: buildEnrollmentPath,
			...USER_LIST_FIELDS,
			isPerCompany: true,
			dependsOn: ['enrollment.value'],
		},
	},
	trainings: {
		displayName: 'Training',
		description: 'Select the training to send, or enter its name or ID',
		noun: 'training',
		nameExample: 'Acme Security Basics',
		list: {
			...COMPANY_LIST_DEFAULTS,
			endpoint: 'POST /api/trainings/search',
			idFields: TRAINING_ID_FIELDS,
			nameFields: ['trainingName', 'name'],
		},
	},
} satisfies Record<string, PickerResource>;

type ResourceName = keyof typeof PICKER_RESOURCES;

/** Builds the settings of a picker for a kind of record. @param settings texts that replace the default texts for this kind of record */
function buildPickerSettings(resourceName: ResourceName, settings: Partial<FieldSettings>) {
	const { list, listSearchField, ...texts }: PickerResource = PICKER_RESOURCES[resourceName];
	return {
		listSearchField,
		pickerSettings: {
			displayName: toTitleCase(texts.noun),
			...texts,
			...settings,
			source: createListSource(list),
		},
	};
}

/** Creates a field in which the user selects one record. @param settings texts that replace the default texts for this kind of record */
export function resourcePicker(resourceName: ResourceName, settings: Partial<FieldSettings> = {}): Field<Choice> {
	const { pickerSettings } = buildPickerSettings(resourceName, settings);
	return listPicker({ ...pickerSettings, listMethod: `search${upperFirst(resourceName)}` });
}

/**
 * Creates a field in which the user selects several records by ID or name. A name is looked up at the company that the operation runs for.
 * @param settings texts that replace the default texts for this kind of record. If a required field is empty, the error shows `emptyAdvice`.
 */
export function resourceMultiPicker(
	resourceName: ResourceName,
	settings: FieldSettings & { description: string; emptyAdvice?: string },
): Field<string[]> {
	const { pickerSettings, listSearchField } = buildPickerSettings(resourceName, settings);
	return listMultiPicker({
		...pickerSettings,
		description: settings.description,
		emptyAdvice: settings.emptyAdvice,
		listMethod: `load${upperFirst(resourceName)}`,
		listSearchField,
	});
}
