/** Which field of an item holds an ID of which kind, and where a person puts it: by the names of the pickers' lists. */
import type { IDataObject } from 'n8n-workflow';
import { cloneDeep, set } from 'lodash';
import { toIdLocator } from '../cases';

/** An operation that takes such an ID, and its field; a case with further parameters, where it needs them. */
interface Taker {
	node: string;
	operation: string;
	field: string;
	isMulti?: boolean;
	more?: IDataObject;
	/** Whether it needs nothing but the field. */
	isBare?: boolean;
}

const of = (node: string, operation: string, field: string, more?: IDataObject): Taker => ({
	node,
	operation,
	field,
	...(more ? { more } : {}),
});
const several = (taker: Taker): Taker => ({ ...taker, isMulti: true });

const created = (field: string): Taker => of('Company', 'create', field);
const SIMULATORS = ['Phishing', 'Smishing', 'Quishing'];

/** Each list that a field can be chosen from, and a field that has it. */
export const TAKERS: Readonly<Record<string, Taker>> = {
	searchCompanies: of('Role', 'getMany', 'company'),
	loadCompanies: several(of('CompanyGroup', 'create', 'participantList', { participantsFrom: 'list' })),
	searchCompanyGroups: of('CompanyGroup', 'get', 'companyGroup'),
	loadCompanyGroups: several(created('additionalFields.companyGroups')),
	searchApiClients: of('ApiClient', 'get', 'apiClient'),
	loadRoles: several(of('SystemUser', 'create', 'roles')),
	searchRoles: of('SamlSetting', 'create', 'additionalFields.defaultRole'),
	searchScimIntegrations: of('ScimIntegration', 'get', 'scimIntegration'),
	searchScimFields: of('ScimIntegration', 'create', 'fieldMappings.rows[0].scimField'),
	searchTargetGroups: of('ScimIntegration', 'create', 'additionalFields.targetGroup'),
	loadTargetGroups: several(of('Enrollment', 'create', 'targetGroups')),
	loadTargetUsers: several(of('TargetGroup', 'addMembers', 'people')),
	searchSamlSettings: of('SamlSetting', 'get', 'samlSettingId'),
	searchDirectEmailSettings: { ...of('DirectEmailSetting', 'makeDefault', 'directEmailSettingId'), isBare: true },
	searchTrainings: of('Enrollment', 'create', 'training'),
	searchEnrollments: of('Enrollment', 'get', 'enrollment'),
	searchTargetUsers: of('TargetUser', 'get', 'targetUser'),
	searchEnrolledUsers: of('TrainingReport', 'getInteractions', 'targetUser'),
	searchRankedUsers: of('Leaderboard', 'getUserTimeline', 'targetUser'),
	searchDeletedEnrollments: of('Enrollment', 'restore', 'enrollment'),
	loadCertified: several(of('Enrollment', 'resendCertificate', 'people')),
	loadEnrolledUsers: several(of('Enrollment', 'resendToPeople', 'users', { tab: 'users' })),
	loadSentMails: several(of('Enrollment', 'resendToPeople', 'mails', { tab: 'sending-report' })),
	searchScheduledReports: of('ExecutiveReport', 'getScheduledReport', 'scheduledReport'),

	searchExecutiveReports: of('ExecutiveReport', 'get', 'report'),
	searchReportedEmails: of('ReportedEmail', 'get', 'reportedEmail'),
	searchSystemUsers: of('SystemUser', 'update', 'systemUser'),
	searchTimeZones: created('timeZone'),
	searchIanaZones: of('Enrollment', 'create', 'scheduler.scheduledTimeZoneId'),
	searchCustomFields: of('ScimIntegration', 'create', 'fieldMappings.rows[0].customFieldId'),
	loadWidgets: several(of('ExecutiveReport', 'getWidgetData', 'widgets')),
	searchIndustries: created('industry'),
	searchLicenseTypes: created('licenseType'),
	searchLicensePeriodTypes: created('licensePeriodType'),
	searchCountries: created('country'),
	searchDateFormats: created('dateFormat'),
	searchTimeFormats: created('timeFormat'),
	searchNotificationTemplateTypes: created('additionalFields.notificationTemplateType'),
	searchLanguages: created('additionalFields.preferredLanguage'),
	searchSmtpConfigurationTypes: created('additionalFields.smtpConfiguration'),
	searchTrainingContentTypes: created('additionalFields.trainingContentType'),
	...Object.fromEntries(
		SIMULATORS.flatMap((simulator) => [
			[`search${simulator}Campaigns`, of(`${simulator}Campaign`, 'start', 'campaign')],
			[`load${simulator}Scenarios`, several(of(`${simulator}Campaign`, 'create', 'scenarios'))],
			[`search${simulator}Jobs`, of(`${simulator}Campaign`, 'getJobSummary', 'job')],
			[`search${simulator}People`, of(`${simulator}Campaign`, 'clicked', 'person')],
			[`load${simulator}People`, several(of(`${simulator}Campaign`, 'resendJobToPeople', 'people'))],
		]),
	),
};

/** Lists of the platform's own words, which no output has. */
export const WORDS = [
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

const PEOPLE = /^(searchJobUsers|opened|clicked|submitted|reported|fullReport|fullReportOfPeriod)$/;
const COMPANY_VALUES: Readonly<Record<string, string>> = {
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
const BY_NAME: Readonly<Record<string, string[]>> = {
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
	...Object.fromEntries(Object.entries(COMPANY_VALUES).map(([name, list]) => [name, [list]])),
};
/** What a record's own ID is called, by the node. */
const OWN: Readonly<Record<string, string[]>> = {
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
export function listsOf(node: string, operation: string, path: string[]): string[] {
	const name = path.at(-1) ?? '';
	const isOwn = path.length === 1 && /^(resourceId|id)$/.test(name);
	const [, simulator] = /^(Phishing|Smishing|Quishing)Campaign$/.exec(node) ?? [];
	if (simulator !== undefined) {
		if (name === 'jobId') return [`search${simulator}Jobs`];
		const isPerson = /^(resourceId|targetUserResourceId)$/.test(name) && path.length === 1;
		if (isPerson && PEOPLE.test(operation)) return [`search${simulator}People`];
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
	return BY_NAME[name] ?? (isOwn ? (OWN[node] ?? []) : []);
}

/** Parameters with an expression in the taker's field, as n8n makes it where a person drags a field onto it. */
export function filled({ field, isMulti = false, more = {} }: Taker, parameters: IDataObject): IDataObject {
	const expression = '={{ $json.value }}';
	return set({ ...cloneDeep(parameters), ...more }, field, isMulti ? expression : toIdLocator(expression));
}
