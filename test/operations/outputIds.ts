/**
 * Maps the IDs in output items to the dropdown lists that contain these IDs. A dropdown list is identified by the name of the method with
 * which n8n reads it.
 */
import type { IDataObject } from 'n8n-workflow';
import { cloneDeep, set } from 'lodash';
import { toIdLocator } from '../cases';

/** A form field that takes an ID. */
interface IdField {
	node: string;
	operation: string;
	field: string;
	isMultiSelect?: boolean;
	/** The parameters that the operation needs in addition to the parameters of its test case. */
	extraParameters: IDataObject;
	/** True if the operation needs no parameters except the company and this field. */
	needsOnlyCompany?: boolean;
}

const createIdField = (node: string, operation: string, field: string, extraParameters: IDataObject = {}): IdField => ({
	node,
	operation,
	field,
	extraParameters,
});
const toMultiSelectField = (idField: IdField): IdField => ({ ...idField, isMultiSelect: true });

const createCompanyField = (field: string): IdField => createIdField('Company', 'create', field);
const SIMULATORS = ['Phishing', 'Smishing', 'Quishing'];

/** For each list method, a form field that uses it. */
export const ID_FIELDS: Readonly<Record<string, IdField>> = {
	searchCompanies: createIdField('Role', 'getMany', 'company'),
	loadCompanies: toMultiSelectField(createIdField('CompanyGroup', 'create', 'companies', { membersFrom: 'list' })),
	searchCompanyGroups: createIdField('CompanyGroup', 'get', 'companyGroup'),
	loadCompanyGroups: toMultiSelectField(createCompanyField('additionalFields.companyGroups')),
	searchApiClients: createIdField('ApiClient', 'get', 'apiClient'),
	loadRoles: toMultiSelectField(createIdField('SystemUser', 'create', 'roles')),
	searchRoles: createIdField('SamlSetting', 'create', 'additionalFields.defaultRole'),
	searchScimIntegrations: createIdField('ScimIntegration', 'get', 'scimIntegration'),
	searchScimFields: createIdField('ScimIntegration', 'create', 'fieldMappings.rows[0].scimField'),
	searchTargetGroups: createIdField('ScimIntegration', 'create', 'additionalFields.targetGroup'),
	loadTargetGroups: toMultiSelectField(createIdField('Enrollment', 'create', 'targetGroups')),
	loadTargetUsers: toMultiSelectField(createIdField('TargetGroup', 'member.add', 'people')),
	searchAllowedDomains: createIdField('AllowedDomain', 'verify', 'allowedDomain'),
	searchSamlSettings: createIdField('SamlSetting', 'get', 'samlSettingId'),
	searchDirectEmailSettings: {
		...createIdField('DirectEmailSetting', 'makeDefault', 'directEmailSettingId'),
		needsOnlyCompany: true,
	},
	searchTrainings: createIdField('Enrollment', 'create', 'training'),
	searchEnrollments: createIdField('Enrollment', 'get', 'enrollment'),
	searchTargetUsers: createIdField('TargetUser', 'get', 'targetUser'),
	searchEnrolledUsers: createIdField('TrainingReport', 'enrolledUser.getInteractions', 'targetUser'),
	searchRankedUsers: createIdField('Leaderboard', 'user.getTimeline', 'targetUser'),
	searchDeletedEnrollments: createIdField('Enrollment', 'deletedEnrollment.restore', 'enrollment'),
	loadCertified: toMultiSelectField(createIdField('Enrollment', 'followUp.resendCertificate', 'people')),
	loadEnrolledUsers: toMultiSelectField(
		createIdField('Enrollment', 'followUp.resendToPeople', 'enrolledUsers', { selectFrom: 'enrolledUsers' }),
	),
	loadSentMails: toMultiSelectField(
		createIdField('Enrollment', 'followUp.resendToPeople', 'sentEmails', { selectFrom: 'sendingReport' }),
	),
	searchScheduledReports: createIdField('ExecutiveReport', 'scheduledReport.get', 'scheduledReport'),

	searchExecutiveReports: createIdField('ExecutiveReport', 'get', 'report'),
	searchReportedEmails: createIdField('ReportedEmail', 'get', 'reportedEmail'),
	searchSmtpSettings: createIdField('QuishingCampaign', 'create', 'additionalFields.smtpSettingResourceId'),
	searchSystemUsers: createIdField('SystemUser', 'update', 'systemUser'),
	searchTimeZones: createCompanyField('timeZone'),
	searchPersonTimeZones: createIdField('TargetUser', 'create', 'additionalFields.timeZoneId'),
	searchIanaZones: createIdField('Enrollment', 'create', 'scheduler.scheduledTimeZoneId'),
	searchCustomFields: createIdField('ScimIntegration', 'create', 'fieldMappings.rows[0].customFieldId'),
	loadWidgets: toMultiSelectField(createIdField('ExecutiveReport', 'getWidgetData', 'widgets')),
	searchIndustries: createCompanyField('industry'),
	searchLicenseTypes: createCompanyField('licenseType'),
	searchLicensePeriodTypes: createCompanyField('licensePeriodType'),
	searchCountries: createCompanyField('country'),
	searchDateFormats: createCompanyField('dateFormat'),
	searchTimeFormats: createCompanyField('timeFormat'),
	searchNotificationTemplateTypes: createCompanyField('additionalFields.notificationTemplateType'),
	searchLanguages: createCompanyField('additionalFields.preferredLanguage'),
	searchSmtpConfigurationTypes: createCompanyField('additionalFields.smtpConfiguration'),
	searchTrainingContentTypes: createCompanyField('additionalFields.trainingContentType'),
	...Object.fromEntries(
		SIMULATORS.flatMap((simulator) => [
			[`search${simulator}Campaigns`, createIdField(`${simulator}Campaign`, 'start', 'campaign')],
			[`load${simulator}Scenarios`, toMultiSelectField(createIdField(`${simulator}Campaign`, 'create', 'scenarios'))],
			[`search${simulator}Jobs`, createIdField(`${simulator}Campaign`, 'campaignJob.getSummary', 'job')],
			[`search${simulator}People`, createIdField(`${simulator}Campaign`, 'result.getClicked', 'person')],
			[
				`load${simulator}People`,
				toMultiSelectField(createIdField(`${simulator}Campaign`, 'campaignJob.resendToPeople', 'people')),
			],
		]),
	),
};

/** The list methods whose entries are terms of the platform, such as statuses. No output contains the values of these entries. */
export const LISTS_OF_PLATFORM_TERMS = [
	'loadLicenseModules',
	'loadActionTypes',
	'loadDifficultyTypes',
	'loadProducts',
	'searchClientStatuses',
	'searchCompanyStatuses',
	'searchSystemUserStatuses',
	'searchDatePeriods',
	'searchSearchTypes',
	'searchScheduleTypes',
	'searchDelayUnits',
	'searchDistributionTypes',
	'searchRandomUserUnits',
	'searchOverTimeUnits',
	'searchExamStatuses',
	'searchReportedEmailResult',
	'searchReportedEmailStatus',
	'searchTargetGroupPriorities',
	'searchTrainingTypes',
	'searchTrainingTypeNumbers',
	'searchTrainingKinds',
	'searchTrainingSearchTypes',
];

const PEOPLE_OPERATIONS = /^result\.get/;
const LIST_BY_COMPANY_FIELD: Readonly<Record<string, string>> = {
	industryResourceId: 'searchIndustries',
	licenseTypeResourceId: 'searchLicenseTypes',
	licensePeriodTypeResourceId: 'searchLicensePeriodTypes',
	countryResourceId: 'searchCountries',
	dateFormat: 'searchDateFormats',
	timeFormat: 'searchTimeFormats',
	notificationTemplateTypeResourceId: 'searchNotificationTemplateTypes',
	preferredLanguageTypeResourceId: 'searchLanguages',
	smtpConfigurationTypeResourceId: 'searchSmtpConfigurationTypes',
	trainingContentTypeResourceId: 'searchTrainingContentTypes',
};
const LISTS_BY_FIELD: Readonly<Record<string, string[]>> = {
	companyResourceId: ['searchCompanies', 'loadCompanies'],
	parentCompanyResourceId: ['searchCompanies'],
	allowListResourceId: ['searchAllowedDomains'],
	enrollmentId: ['searchEnrollments'],
	trainingId: ['searchTrainings'],
	targetGroupResourceIds: ['loadTargetGroups'],
	groupResourceId: ['searchTargetGroups'],
	roleResourceIdList: ['loadRoles', 'searchRoles'],
	defaultRoleResourceId: ['searchRoles'],
	reportResourceId: ['searchExecutiveReports'],
	widgetId: ['loadWidgets'],
	scheduledTimeZoneId: ['searchIanaZones'],
	timeZoneId: ['searchTimeZones', 'searchPersonTimeZones'],
	...Object.fromEntries(Object.entries(LIST_BY_COMPANY_FIELD).map(([name, list]) => [name, [list]])),
};
/** The list methods by node: their lists contain the IDs of the records that the node outputs. */
const LISTS_BY_NODE: Readonly<Record<string, string[]>> = {
	Company: ['searchCompanies'],
	CompanyGroup: ['searchCompanyGroups', 'loadCompanyGroups'],
	ApiClient: ['searchApiClients'],
	Role: ['loadRoles', 'searchRoles'],
	ScimIntegration: ['searchScimIntegrations'],
	SamlSetting: ['searchSamlSettings'],
	AllowedDomain: ['searchAllowedDomains'],
	DirectEmailSetting: ['searchDirectEmailSettings'],
	TargetGroup: ['loadTargetGroups', 'searchTargetGroups'],
	TargetUser: ['searchTargetUsers'],
	ReportedEmail: ['searchReportedEmails'],

	Enrollment: ['searchEnrollments'],
};

/**
 * Finds the list methods whose lists contain the value of an output field. No list contains the platform's internal numbers, such as
 * companyId.
 * @param path the names that lead from the item to the output field
 */
export function findListMethods(node: string, operation: string, path: string[]): string[] {
	const name = path.at(-1) ?? '';
	const isOwnId = path.length === 1 && /^(resourceId|id)$/.test(name);
	const [, simulator] = /^(Phishing|Smishing|Quishing)Campaign$/.exec(node) ?? [];
	if (simulator !== undefined) {
		if (name === 'jobId') return [`search${simulator}Jobs`];
		const isPerson = /^(resourceId|targetUserResourceId)$/.test(name) && path.length === 1;
		if (isPerson && PEOPLE_OPERATIONS.test(operation)) return [`search${simulator}People`];
		// No form has a field for the ID of a domain.
		if (isOwnId && operation === 'getDeliveryDomains') return [];
		if (isOwnId)
			return [operation === 'scenario.getMany' ? `load${simulator}Scenarios` : `search${simulator}Campaigns`];
	}
	if (node === 'TrainingReport') {
		if (name === 'targetUserResourceId') return ['searchEnrolledUsers'];
		if (path.join('.') === 'trainingDetails.id') return ['searchTrainings'];
	}
	if (operation === 'deletedEnrollment.getMany') return name === 'enrollmentId' ? ['searchDeletedEnrollments'] : [];
	if (operation.startsWith('scheduledReport.') && isOwnId) return ['searchScheduledReports'];
	// No list contains the row of an import file, because a row is not a stored person.
	if (operation === 'importFile') return [];
	if (node === 'TargetUser' && operation === 'getGroups') return isOwnId ? ['loadTargetGroups'] : [];
	if (node === 'SystemUser' && operation === 'getMany' && isOwnId) return ['searchSystemUsers'];
	if (node === 'Leaderboard' && name === 'targetUserResourceId') return ['searchRankedUsers'];
	if (operation === 'smtpSetting.getMany' && isOwnId) return ['searchSmtpSettings'];
	if (node === 'ExecutiveReport' && operation === 'get' && isOwnId) return ['searchExecutiveReports'];
	if (node === 'TargetGroup' && operation === 'member.getMany' && isOwnId) return ['loadTargetUsers'];
	if (node === 'ScimIntegration' && operation === 'getFields') return isOwnId ? ['searchScimFields'] : [];
	if (node === 'ExecutiveReport' && operation === 'getWidgetData' && isOwnId) return ['loadWidgets'];
	// The credential's own company is not one of its customers, so it can't be a member of a group.
	if (/^(getOwn|checkAccess)$/.test(operation) && name === 'companyResourceId') return ['searchCompanies'];
	return LISTS_BY_FIELD[name] ?? (isOwnId ? (LISTS_BY_NODE[node] ?? []) : []);
}

/** Returns the parameters with an expression in the ID field. The expression looks as if a user had dragged a value onto the field. */
export function fillIdField(
	{ field, isMultiSelect = false, extraParameters }: IdField,
	parameters: IDataObject,
): IDataObject {
	const expression = '={{ $json.value }}';
	return set(
		{ ...cloneDeep(parameters), ...extraParameters },
		field,
		isMultiSelect ? expression : toIdLocator(expression),
	);
}
