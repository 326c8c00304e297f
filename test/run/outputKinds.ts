/** Which field of an item holds an ID of which kind, and where a person puts it: by the names of the pickers' lists. */
import type { IDataObject } from 'n8n-workflow';
import { cloneDeep, set } from 'lodash';
import { toIdLocator } from '../cases';

/** An operation that takes such an ID, and its field; a case with further parameters, where it needs them. */
interface IdField {
	node: string;
	operation: string;
	field: string;
	isMulti?: boolean;
	extraParameters?: IDataObject;
	/** Whether it needs nothing but the field. */
	needsOnlyCompany?: boolean;
}

const createIdField = (node: string, operation: string, field: string, more?: IDataObject): IdField => ({
	node,
	operation,
	field,
	...(more ? { extraParameters: more } : {}),
});
const asMultiField = (idField: IdField): IdField => ({ ...idField, isMulti: true });

const createCompanyField = (field: string): IdField => createIdField('Company', 'create', field);
const SIMULATORS = ['Phishing', 'Smishing', 'Quishing'];

/** Each list that a field can be chosen from, and a field that has it. */
export const ID_FIELDS: Readonly<Record<string, IdField>> = {
	searchCompanies: createIdField('Role', 'getMany', 'company'),
	loadCompanies: asMultiField(createIdField('CompanyGroup', 'create', 'participantList', { participantsFrom: 'list' })),
	searchCompanyGroups: createIdField('CompanyGroup', 'get', 'companyGroup'),
	loadCompanyGroups: asMultiField(createCompanyField('additionalFields.companyGroups')),
	searchApiClients: createIdField('ApiClient', 'get', 'apiClient'),
	loadRoles: asMultiField(createIdField('SystemUser', 'create', 'roles')),
	searchRoles: createIdField('SamlSetting', 'create', 'additionalFields.defaultRole'),
	searchScimIntegrations: createIdField('ScimIntegration', 'get', 'scimIntegration'),
	searchScimFields: createIdField('ScimIntegration', 'create', 'fieldMappings.rows[0].scimField'),
	searchTargetGroups: createIdField('ScimIntegration', 'create', 'additionalFields.targetGroup'),
	loadTargetGroups: asMultiField(createIdField('Enrollment', 'create', 'targetGroups')),
	loadTargetUsers: asMultiField(createIdField('TargetGroup', 'addMembers', 'people')),
	searchSamlSettings: createIdField('SamlSetting', 'get', 'samlSettingId'),
	searchDirectEmailSettings: { ...createIdField('DirectEmailSetting', 'makeDefault', 'directEmailSettingId'), needsOnlyCompany: true },
	searchTrainings: createIdField('Enrollment', 'create', 'training'),
	searchEnrollments: createIdField('Enrollment', 'get', 'enrollment'),
	searchTargetUsers: createIdField('TargetUser', 'get', 'targetUser'),
	searchEnrolledUsers: createIdField('TrainingReport', 'getInteractions', 'targetUser'),
	searchRankedUsers: createIdField('Leaderboard', 'getUserTimeline', 'targetUser'),
	searchDeletedEnrollments: createIdField('Enrollment', 'restore', 'enrollment'),
	loadCertified: asMultiField(createIdField('Enrollment', 'resendCertificate', 'people')),
	loadEnrolledUsers: asMultiField(createIdField('Enrollment', 'resendToPeople', 'users', { tab: 'users' })),
	loadSentMails: asMultiField(createIdField('Enrollment', 'resendToPeople', 'mails', { tab: 'sending-report' })),
	searchScheduledReports: createIdField('ExecutiveReport', 'getScheduledReport', 'scheduledReport'),

	searchExecutiveReports: createIdField('ExecutiveReport', 'get', 'report'),
	searchReportedEmails: createIdField('ReportedEmail', 'get', 'reportedEmail'),
	searchSystemUsers: createIdField('SystemUser', 'update', 'systemUser'),
	searchTimeZones: createCompanyField('timeZone'),
	searchIanaZones: createIdField('Enrollment', 'create', 'scheduler.scheduledTimeZoneId'),
	searchCustomFields: createIdField('ScimIntegration', 'create', 'fieldMappings.rows[0].customFieldId'),
	loadWidgets: asMultiField(createIdField('ExecutiveReport', 'getWidgetData', 'widgets')),
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
			[`load${simulator}Scenarios`, asMultiField(createIdField(`${simulator}Campaign`, 'create', 'scenarios'))],
			[`search${simulator}Jobs`, createIdField(`${simulator}Campaign`, 'getJobSummary', 'job')],
			[`search${simulator}People`, createIdField(`${simulator}Campaign`, 'clicked', 'person')],
			[`load${simulator}People`, asMultiField(createIdField(`${simulator}Campaign`, 'resendJobToPeople', 'people'))],
		]),
	),
};

/** Lists of the platform's own words, which no output has. */
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
	'searchTrainingTypes',
	'searchTrainingTypeNumbers',
	'searchTrainingKinds',
	'searchTrainingSearchTypes',
];

const PEOPLE_OPERATIONS = /^(searchJobUsers|opened|clicked|submitted|reported|fullReport|fullReportOfPeriod)$/;
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
	enrollmentId: ['searchEnrollments'],
	trainingId: ['searchTrainings'],
	targetGroupResourceIds: ['loadTargetGroups'],
	groupResourceId: ['searchTargetGroups'],
	roleResourceIdList: ['loadRoles', 'searchRoles'],
	defaultRoleResourceId: ['searchRoles'],
	reportResourceId: ['searchExecutiveReports'],
	widgetId: ['loadWidgets'],
	scheduledTimeZoneId: ['searchIanaZones'],
	timeZoneId: ['searchTimeZones'],
	...Object.fromEntries(Object.entries(LIST_BY_COMPANY_FIELD).map(([name, list]) => [name, [list]])),
};
/** What a record's own ID is called, by the node. */
const LISTS_BY_NODE: Readonly<Record<string, string[]>> = {
	Company: ['searchCompanies'],
	CompanyGroup: ['searchCompanyGroups', 'loadCompanyGroups'],
	ApiClient: ['searchApiClients'],
	Role: ['loadRoles', 'searchRoles'],
	ScimIntegration: ['searchScimIntegrations'],
	SamlSetting: ['searchSamlSettings'],
	DirectEmailSetting: ['searchDirectEmailSettings'],
	TargetGroup: ['loadTargetGroups', 'searchTargetGroups'],
	TargetUser: ['searchTargetUsers'],
	ReportedEmail: ['searchReportedEmails'],

	Enrollment: ['searchEnrollments'],
};

/**
 * The lists that a field of an operation's item belongs to. A number that is the platform's own, such as companyId, is in none.
 * @param path the names that lead to the field
 */
export function findLists(node: string, operation: string, path: string[]): string[] {
	const name = path.at(-1) ?? '';
	const isOwn = path.length === 1 && /^(resourceId|id)$/.test(name);
	const [, simulator] = /^(Phishing|Smishing|Quishing)Campaign$/.exec(node) ?? [];
	if (simulator !== undefined) {
		if (name === 'jobId') return [`search${simulator}Jobs`];
		const isPerson = /^(resourceId|targetUserResourceId)$/.test(name) && path.length === 1;
		if (isPerson && PEOPLE_OPERATIONS.test(operation)) return [`search${simulator}People`];
		if (isOwn) return [operation === 'getManyScenarios' ? `load${simulator}Scenarios` : `search${simulator}Campaigns`];
	}
	if (node === 'TrainingReport') {
		if (name === 'targetUserResourceId') return ['searchEnrolledUsers'];
		if (path.join('.') === 'trainingDetails.id') return ['searchTrainings'];
	}
	if (operation === 'getManyDeleted') return name === 'enrollmentId' ? ['searchDeletedEnrollments'] : [];
	if (/ScheduledReport/.test(operation) && isOwn) return ['searchScheduledReports'];
	// A row of a file is no person yet.
	if (operation === 'importFile') return [];
	if (node === 'TargetUser' && operation === 'getGroups') return isOwn ? ['loadTargetGroups'] : [];
	if (node === 'SystemUser' && operation === 'getMany' && isOwn) return ['searchSystemUsers'];
	if (node === 'Leaderboard' && name === 'targetUserResourceId') return ['searchRankedUsers'];
	if (node === 'ExecutiveReport' && operation === 'get' && isOwn) return ['searchExecutiveReports'];
	if (node === 'TargetGroup' && operation === 'getMembers' && isOwn) return ['loadTargetUsers'];
	if (node === 'ScimIntegration' && operation === 'getFields') return isOwn ? ['searchScimFields'] : [];
	if (node === 'ExecutiveReport' && operation === 'getWidgetData' && isOwn) return ['loadWidgets'];
	// The credential's own company is not among its customers, of which groups are made.
	if (/^(getOwn|checkAccess)$/.test(operation) && name === 'companyResourceId') return ['searchCompanies'];
	return LISTS_BY_FIELD[name] ?? (isOwn ? (LISTS_BY_NODE[node] ?? []) : []);
}

/** Parameters with an expression in the taker's field, as n8n makes it where a person drags a field onto it. */
export function fillIdField({ field, isMulti = false, extraParameters: more = {} }: IdField, parameters: IDataObject): IDataObject {
	const expression = '={{ $json.value }}';
	return set({ ...cloneDeep(parameters), ...more }, field, isMulti ? expression : toIdLocator(expression));
}
