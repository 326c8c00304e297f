/** The forms that test/engine/forms fills in, and the limits of their texts and IDs. */
import type { IDataObject } from 'n8n-workflow';
import { cases, type Case } from '../cases';

export type Form = Readonly<{
	case: Case;
	/** Other parameters than the case's. */ more?: IDataObject;
	asTool?: boolean;
}>;
export type Row = [input: string, form: Form, field: string, bad: unknown, message: string];

function form(node: string, operation: string, more: IDataObject = {}, asTool = false): Form {
	const found = cases.find((each) => each.node === node && each.operation === operation);
	if (!found) throw new Error(`There is no case of ${node} ${operation}`);
	return { case: found, more, asTool };
}

export const x = (length: number) => 'x'.repeat(length);
export const NO_ID = 'is not an ID: it must not have / \\ ? # or be dots only';
export const NO_DATE = (bad: string) => `must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is '${bad}'`;
export const NO_ADDRESS = (bad: string) => `must contain IP addresses, but '${bad}' is none`;
export const NO_JOB = 'must be the ID of a campaign, a slash and the number of the job';
export const IN_MORE = "in 'Additional Fields'";

const login = form('Account', 'login');
const agentUrl = form('Account', 'getAgentLoginUrl');
const agentCode = form('Account', 'exchangeAgentCode');
export const createClient = form('ApiClient', 'create', { additionalFields: { statusId: 1 } });
export const updateClient = form('ApiClient', 'update');
export const provision = form('ApiClient', 'provision', {
	hasIpAddressRestriction: true,
	allowedIpAddresses: '203.0.113.7',
});
const deleteClient = form('ApiClient', 'delete');
export const createEmail = form('DirectEmailSetting', 'create');
const defaultEmail = form('DirectEmailSetting', 'makeDefault');
const testEmail =
	cases.find(({ node, operation }) => node === 'DirectEmailSetting' && /test/i.test(operation))?.operation ?? '';
const sendTestEmail = form('DirectEmailSetting', testEmail);
export const enroll = form('Enrollment', 'create');
export const enrollAndSend = form('Enrollment', 'createAndSend');
const sendEnrollment = form('Enrollment', 'send');
export const widgets = form('ExecutiveReport', 'getWidgetData');
const google = form('GoogleOAuth', 'complete');
export const summary = form('PhishingCampaign', 'getJobSummary');
const jobUsers = form('SmishingCampaign', 'searchJobUsers');
export const saml = form('SamlSetting', 'create');
export const samlText = form('SamlSetting', 'create', {}, true);
const getSaml = form('SamlSetting', 'get');
const createScim = form('ScimIntegration', 'create');
const renameScim = form('ScimIntegration', 'update');
export const user = form('SystemUser', 'create');
const interactions = form('TrainingReport', 'getInteractions');
export const notifications = form('TrainingReport', 'getNotifications');
export const users = form('TrainingReport', 'getUsers');

/** A text of 1 to `max` characters: none, only blanks, one too many. */
const bounded = (what: string, of: Form, field: string, label: string, max: number): Row[] => [
	[`${what}: empty`, of, field, '', `${label} must not be empty`],
	[`${what}: blank`, of, field, '   ', `${label} must not be empty`],
	[`${what}: missing`, of, field, null, `${label} must not be empty`],
	[
		`${what}: ${max + 1} characters`,
		of,
		field,
		x(max + 1),
		`${label} must have 1 to ${max} characters, but has ${max + 1}`,
	],
];
/** The limits of contract 8, and of 2.11 to 2.16. */
export const LIMITS: Array<[what: string, of: Form, field: string, label: string, max: number]> = [
	['API client name', createClient, 'name', "'Name'", 64],
	['API client ID', createClient, 'clientId', "'Client ID'", 32],
	['API client secret', createClient, 'clientSecret', "'Client Secret'", 100],
	['API client name, update', updateClient, 'name', "'Name'", 64],
	['API client ID, update', updateClient, 'clientId', "'Client ID'", 32],
	['API client secret, update', updateClient, 'clientSecret', "'Client Secret'", 100],
	['API client name, provision', provision, 'name', "'Name'", 64],
	['Direct email setting name', createEmail, 'name', "'Name'", 64],
	['SAML setting name', saml, 'name', "'Name'", 64],
	['SCIM integration name', createScim, 'name', "'Name'", 30],
	['SCIM integration name, update', renameScim, 'name', "'Name'", 30],
	['System user first name', user, 'firstName', "'First Name'", 40],
	['System user last name', user, 'lastName', "'Last Name'", 40],
	['System user phone number', user, 'phoneNumber', "'Phone Number'", 20],
];
/** What must be given, however long. */
const REQUIRED: Array<[what: string, of: Form, field: string, label: string]> = [
	['User name', login, 'username', "'User Name'"],
	['Password', login, 'password', "'Password'"],
	['Session ID', agentUrl, 'sessionId', "'Session ID'"],
	['Auth code', agentCode, 'authCode', "'Auth Code'"],
	['Direct email tenant', createEmail, 'tenantId', "'Tenant ID'"],
	['Test mail sender', sendTestEmail, 'from', "'From Email'"],
	['Test mail sender name', sendTestEmail, 'fromName', "'From Name'"],
	['Test mail recipient', sendTestEmail, 'to', "'To Email'"],
	['Test mail subject', sendTestEmail, 'message', "'Subject'"],
	['Enrollment name', enroll, 'name', "'Name'"],
	['Google code', google, 'code', "'Code'"],
	['Google state', google, 'state', "'State'"],
	['SAML identity provider', saml, 'idpEntityId', "'Identity Provider Entity ID'"],
	['SAML sign-in URL', saml, 'ssoTargetUrl', "'Identity Provider Sign-in URL'"],
];
/** IDs that stand in a path or a body. */
const IDS: Array<[what: string, of: Form, field: string, label: string]> = [
	['API client', deleteClient, 'apiClient.value', "'API Client'"],
	['Direct email setting', defaultEmail, 'directEmailSettingId', "'Direct Email Setting ID'"],
	['Training', enroll, 'training.value', "'Training'"],
	['Enrollment', sendEnrollment, 'enrollment.value', "'Enrollment'"],
	['SAML setting', getSaml, 'samlSettingId', "'SAML Setting ID'"],
	['SCIM integration', renameScim, 'scimIntegration.value', "'SCIM Integration'"],
	['Target user', interactions, 'targetUser.value', "'Target User'"],
	['Search type', jobUsers, 'searchType', "'Search Type'"],
	['Company', user, 'company.value', "'Company'"],
	['SCIM field', createScim, 'fieldMappings.rows[0].scimField.value', "'SCIM Field' in 'Field Mappings'"],
	['Custom field', createScim, 'fieldMappings.rows[0].customFieldId', "'Custom Field ID' in 'Field Mappings'"],
	['SCIM grouping', createScim, 'additionalFields.groupBy.value', `'Group By' ${IN_MORE}`],
	['SCIM target group', createScim, 'additionalFields.targetGroup.value', `'Target Group' ${IN_MORE}`],
	['SAML default role', saml, 'additionalFields.defaultRole.value', `'Default Role' ${IN_MORE}`],
];

/** What is said of texts and IDs that are empty, too long, or none. */
export const LIMIT_ROWS: Row[] = [
	...LIMITS.flatMap((limit) => bounded(...limit)),
	['System user e-mail: empty', user, 'email', '', "'Email' must not be empty"],
	[
		'System user e-mail: 321 characters',
		user,
		'email',
		`${x(310)}@mail.example`.slice(0, 321).padStart(321, 'x'),
		"'Email' must have 1 to 320 characters, but has 321",
	],
	...REQUIRED.flatMap(([what, of, field, label]): Row[] => [
		[`${what}: empty`, of, field, '', `${label} must not be empty`],
		[`${what}: blank`, of, field, ' \t', `${label} must not be empty`],
		[`${what}: an object`, of, field, { a: 1 }, `${label} must be text`],
	]),
	...IDS.flatMap(([what, of, field, label]): Row[] => [
		[`${what}: empty`, of, field, '', `${label} must not be empty`],
		[`${what}: ../x`, of, field, '../x', `${label} ${NO_ID}`],
		[`${what}: a?b`, of, field, 'a?b', `${label} ${NO_ID}`],
		[`${what}: with a line break`, of, field, 'a\nb', `${label} must not have line breaks or control characters`],
	]),
];
