/**
 * Every rule of the contract about what may be sent (sections 2 and 8), said before anything is asked: the field by
 * its name, and no other item suffers. The forms of the first nodes are in test/nodes/badInput.
 * PRINT=1 npx jest test/engine/forms prints the table.
 */
import { get, set } from 'lodash';
import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { runNode } from '../n8n-core';
import { sample } from '../setup/depth';
import { cases, type Case } from '../cases';
import { operationFixture, itemWith } from '../cases/operationFixture';

type Form = Readonly<{ case: Case; /** Other parameters than the case's. */ more?: IDataObject; asTool?: boolean }>;
type Row = [input: string, form: Form, field: string, bad: unknown, message: string];

function form(node: string, operation: string, more: IDataObject = {}, asTool = false): Form {
	const found = cases.find((each) => each.node === node && each.operation === operation);
	if (!found) throw new Error(`There is no case of ${node} ${operation}`);
	return { case: found, more, asTool };
}

const x = (length: number) => 'x'.repeat(length);
const NO_ID = 'is not an ID: it must not have / \\ ? # or be dots only';
const NO_DATE = (bad: string) => `must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is '${bad}'`;
const NO_ADDRESS = (bad: string) => `must contain IP addresses, but '${bad}' is none`;
const NO_JOB = 'must be an ID and an instance group with a slash between';
const IN_MORE = "in 'Additional Fields'";

const login = form('Account', 'login');
const agentUrl = form('Account', 'getAgentLoginUrl');
const agentCode = form('Account', 'exchangeAgentCode');
const createClient = form('ApiClient', 'create', { additionalFields: { statusId: 1 } });
const updateClient = form('ApiClient', 'update');
const provision = form('ApiClient', 'provision', { hasIpAddressRestriction: true, allowedIpAddresses: '203.0.113.7' });
const deleteClient = form('ApiClient', 'delete');
const createEmail = form('DirectEmailSetting', 'create');
const defaultEmail = form('DirectEmailSetting', 'makeDefault');
const testEmail =
	cases.find(({ node, operation }) => node === 'DirectEmailSetting' && /test/i.test(operation))?.operation ?? '';
const sendTestEmail = form('DirectEmailSetting', testEmail);
const enroll = form('Enrollment', 'create');
const enrollAndSend = form('Enrollment', 'createAndSend');
const sendEnrollment = form('Enrollment', 'send');
const widgets = form('ExecutiveReport', 'getWidgetData');
const google = form('GoogleOAuth', 'complete');
const summary = form('PhishingCampaign', 'getJobSummary');
const jobUsers = form('SmishingCampaign', 'searchJobUsers');
const saml = form('SamlSetting', 'create');
const samlText = form('SamlSetting', 'create', {}, true);
const getSaml = form('SamlSetting', 'get');
const createScim = form('ScimIntegration', 'create');
const renameScim = form('ScimIntegration', 'update');
const user = form('SystemUser', 'create');
const interactions = form('TrainingReport', 'getInteractions');
const notifications = form('TrainingReport', 'getNotifications');
const users = form('TrainingReport', 'getUsers');

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
const LIMITS: Array<[what: string, of: Form, field: string, label: string, max: number]> = [
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

const ROWS: Row[] = [
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

	['API client without a role', createClient, 'roles', [], "'Role Names or IDs' must have at least one role"],
	['API client with a blank role', updateClient, 'roles', ' , ', "'Role Names or IDs' must have at least one role"],
	[
		'API client to provision, without a role',
		provision,
		'roles',
		null,
		"'Role Names or IDs' must have at least one role",
	],
	['API client with a role a/b', createClient, 'roles', ['good', 'a/b'], `'Role Names or IDs' ${NO_ID}`],
	...[
		'300.1.1.1',
		'1.2.3',
		'1.2.3.4.5',
		'203.0.113.0/33',
		'2001:db8::/129',
		'2001:db8:::1',
		'203.0.113.7/24/8',
		'203.0.113.7/',
		'01.2.3.x',
		'localhost',
		'203.0.113.7 203.0.113.8',
		'*',
	].map((bad): Row => [
		`IP address ${bad}`,
		createClient,
		'allowedIpAddresses',
		`203.0.113.7, ${bad}`,
		`'Allowed IP Addresses' ${NO_ADDRESS(bad)}`,
	]),
	[
		'IP addresses: none, although restricted',
		createClient,
		'allowedIpAddresses',
		'',
		"'Allowed IP Addresses' must have at least one address",
	],
	[
		'IP addresses: only commas, provision',
		provision,
		'allowedIpAddresses',
		' , ,',
		"'Allowed IP Addresses' must have at least one address",
	],
	[
		'Status ID of an API client: text',
		createClient,
		'additionalFields.statusId',
		'active',
		`'Status ID' ${IN_MORE} must be a whole number of at least 0, but is 'active'`,
	],

	['Direct email: no domain', createEmail, 'allowedDomains', ' ', "'Allowed Domains' must name at least one domain"],
	[
		'Direct email: provider by number',
		createEmail,
		'provider',
		1,
		"'Provider' must be one of 'googleWorkspace', 'microsoft365', but is '1'",
	],

	[
		'Enrollment without a target group',
		enroll,
		'targetGroups',
		[],
		"'Target Group Names or IDs' must name at least one target group",
	],
	[
		'Enrollment to send, without a target group',
		enrollAndSend,
		'targetGroups',
		'',
		"'Target Group Names or IDs' must name at least one target group",
	],
	...['soon', '2031-02-30', '31.12.2031', '2031-13-01T00:00:00Z', '1924992000000', '12:00'].map((bad): Row => [
		`Start date ${bad}`,
		enroll,
		'scheduler.scheduledDate',
		bad,
		`'Start Date' in 'Schedule' ${NO_DATE(bad)}`,
	]),
	['Start date: a number', enroll, 'scheduler.scheduledDate', 5, `'Start Date' in 'Schedule' ${NO_DATE('5')}`],
	[
		'Due date before the start',
		enroll,
		'scheduler.dueDate',
		'2031-02-28',
		"'Due Date' in 'Schedule' must not be before the start date",
	],
	[
		'Due date an hour before the start, in another offset',
		enrollAndSend,
		'scheduler.dueDate',
		'2031-03-01T09:00:00+02:00',
		"'Due Date' in 'Schedule' must not be before the start date",
	],
	[
		'Time zone: empty',
		enroll,
		'scheduler.scheduledTimeZoneId.value',
		'',
		"'Time Zone' in 'Schedule' must not be empty",
	],
	[
		'Own time zone: maybe',
		enroll,
		'scheduler.useOwnTimeZone',
		'maybe',
		"'Use Users' Own Time Zone' in 'Schedule' must be true or false, but is 'maybe'",
	],
	[
		'Coded value: a name',
		enroll,
		'additionalFields.codedFields.rows[0].value.value',
		'Slack',
		`'Value' in 'Coded Fields' ${IN_MORE} must be a value from the list, or its number`,
	],
	[
		'Coded field without a name',
		enroll,
		'additionalFields.codedFields.rows[0].fieldName',
		'',
		`'Field Name' in 'Coded Fields' ${IN_MORE} must not be empty`,
	],
	[
		'Additional fields: no JSON',
		enroll,
		'additionalFields.moreFields',
		'{name: "x"}',
		`'Additional Fields (JSON)' ${IN_MORE} must be JSON, but is not: `,
	],
	[
		'Additional fields: a list',
		user,
		'additionalFields.moreFields',
		'["x"]',
		`'Additional Fields (JSON)' ${IN_MORE} must be a JSON object`,
	],
	[
		'Additional fields: a text',
		user,
		'additionalFields.moreFields',
		'"x"',
		`'Additional Fields (JSON)' ${IN_MORE} must be a JSON object`,
	],

	['Widget a#b', widgets, 'widgets', ['a#b'], `'Widget Names or IDs' ${NO_ID}`],
	[
		'Report period: the end before the start',
		widgets,
		'reportOptions.endDate',
		'2025-12-31',
		"'End Date' in 'Report Period' must not be before the start date",
	],
	[
		'Report period: no date',
		widgets,
		'reportOptions.startDate',
		'last week',
		`'Start Date' in 'Report Period' ${NO_DATE('last week')}`,
	],

	['Campaign job: empty', summary, 'job.value', '', "'Campaign Job' must not be empty"],
	['Campaign job without instance group', summary, 'job.value', 'abc', `'Campaign Job' ${NO_JOB}`],
	['Campaign job with a group that is no number', summary, 'job.value', 'abc/one', `'Campaign Job' ${NO_JOB}`],
	['Campaign job with an ID ..', summary, 'job.value', '../1', `'Campaign Job' ${NO_ID}`],

	['SAML: no domain', saml, 'domains', ',', "'Domains' must name at least one domain"],
	['SAML: status by name', saml, 'status', 'active', "'Status' must be one of '1', '0', but is 'active'"],
	[
		'SAML: fingerprint type MD5',
		saml,
		'additionalFields.fingerprintType',
		'MD5',
		`'Certificate Fingerprint Type' ${IN_MORE} must be one of '1', '2', but is 'MD5'`,
	],
	[
		'SAML metadata: no such file',
		saml,
		'metadataFile',
		'other',
		"'Input Data Field Name' names 'other', but the item has no file of that name",
	],
	['SAML metadata: no file named', saml, 'metadataFile', '', "'Input Data Field Name' must not be empty"],
	[
		'SAML metadata: a file that is no XML',
		saml,
		'metadataFile',
		'notXml',
		"'Input Data Field Name' is not XML that describes an identity provider",
	],
	[
		'SAML metadata: a file that is a web page',
		saml,
		'metadataFile',
		'page',
		"'Input Data Field Name' is not XML that describes an identity provider",
	],
	['SAML metadata: empty', samlText, 'metadataXml', '', "'Metadata XML' must not be empty"],
	[
		'SAML metadata: no XML',
		samlText,
		'metadataXml',
		'https://idp.example/metadata',
		"'Metadata XML' is not XML that describes an identity provider",
	],
	[
		'SAML metadata: JSON',
		samlText,
		'metadataXml',
		'{"entityID":"x"}',
		"'Metadata XML' is not XML that describes an identity provider",
	],
	[
		'SAML metadata: a web page',
		samlText,
		'metadataXml',
		'<!DOCTYPE html><html><body>Sign in</body></html>',
		"'Metadata XML' is not XML that describes an identity provider",
	],

	[
		'Notifications: a company number of text',
		notifications,
		'reportOptions.companyId',
		'seven',
		"'Company Number' in 'Report Options' must be a whole number of at least 0, but is 'seven'",
	],
	[
		'Enrolled users: a training type of text',
		users,
		'reportOptions.trainingType',
		'Survey',
		"'Training Type' in 'Report Options' must be a whole number of at least 0, but is 'Survey'",
	],
	[
		'Enrolled users: limit 0',
		{ ...users, more: { returnAll: false, limit: 1 } },
		'limit',
		0,
		"'Limit' must be a whole number of at least 1, but is '0'",
	],
];

const printed: string[] = [];
afterAll(() => {
	if (process.env.PRINT) process.stdout.write(`${['| Input | Message |', '|---|---|', ...printed].join('\n')}\n`);
});

const g = operationFixture('contract');
const XML = '<?xml version="1.0" encoding="UTF-16"?><EntityDescriptor entityID="x"/>';
const FILES = {
	notXml: { fileName: 'a.txt', mimeType: 'text/plain', content: Buffer.from('entityID = x') },
	utf16: { fileName: 'a.xml', mimeType: 'application/xml', content: Buffer.from(`\ufeff${XML}`, 'utf16le') },
	utf16be: { fileName: 'a.xml', mimeType: 'application/xml', content: Buffer.from(`\ufeff${XML}`, 'utf16le').swap16() },
	page: { fileName: 'a.html', mimeType: 'text/html', content: Buffer.from('<!doctype html><html></html>') },
};

async function ready({ case: { node, operation, prepare }, more, asTool }: Form) {
	const { parameters, files } = await prepare(g.customer, asTool);
	g.service.clearLog();
	return { node, parameters: structuredClone({ operation, ...parameters, ...more }), files: { ...files, ...FILES } };
}

/** A message as far as the table has it: after a colon come the JSON parser's words, which differ between versions of Node. */
const beginning = (message: string, expected: string) =>
	expected.endsWith(': ') ? message.slice(0, expected.length) : message;

/** n8n's expressions take no raw line break in a text. */
const code = (value: unknown) => JSON.stringify(value ?? null);

test.each(ROWS)('%s: said before anything is asked, not even for a token', async (input, of, field, bad, message) => {
	const { node, parameters, files } = await ready(of);
	expect(get(parameters, field)).toBeDefined();
	set(parameters, field, `={{ ${code(bad)} }}`);
	const thrown: unknown = await runNode({
		node: g.node(node),
		parameters,
		credential: g.newCredential(),
		items: [await itemWith(files)],
	}).then(
		() => undefined,
		(error: unknown) => error,
	);
	if (!(thrown instanceof NodeOperationError) || thrown instanceof NodeApiError)
		throw new Error('It was not refused', { cause: thrown });
	expect(beginning(thrown.message, message)).toBe(message);
	expect(thrown.description).toMatch(/\w/);
	expect(g.service.log).toEqual([]);
	printed.push(`| ${input} | ${thrown.message.replaceAll('|', '\\|')} |`);
});

const failure = z.object({ error: z.object({ message: z.string(), description: z.string() }), message: z.string() });

// What is said of a row was told above, so a sample has an eighth of them here.
test.each(sample(ROWS, Math.ceil(ROWS.length / 8)))(
	'%s: the next item is unharmed',
	async (_input, of, field, bad, message) => {
		const { node, parameters, files } = await ready(of);
		const good: unknown = get(parameters, field);
		set(parameters, field, `={{ $json.bad ? ${code(bad)} : ${code(good)} }}`);
		const items = [await itemWith(files, { bad: true }), await itemWith(files, { bad: false })];
		const result = await runNode({
			node: g.node(node),
			parameters,
			credential: g.credential,
			items,
			onError: 'continueRegularOutput',
		});
		const [first, ...others] = result.items;
		expect(beginning(failure.parse(first?.json).message.replace(/ \[item 0\]$/, ''), message)).toBe(message);
		expect(first?.pairedItem).toEqual({ item: 0 });
		expect(others.length).toBeGreaterThan(0);
		expect(
			others.filter(({ json, pairedItem }) => json.error !== undefined || JSON.stringify(pairedItem) !== '{"item":1}'),
		).toEqual([]);
	},
);

/** The longest that is allowed, the earliest due date, every form of a date and an address. */
const GOOD: Array<[input: string, form: Form, field: string, good: unknown]> = [
	...LIMITS.map(([what, of, field, , max]): [string, Form, string, unknown] => [
		`${what}: ${max} characters`,
		of,
		field,
		x(max),
	]),
	...LIMITS.map(([what, of, field]): [string, Form, string, unknown] => [`${what}: one character`, of, field, 'y']),
	['System user e-mail: 320 characters', user, 'email', `${x(307)}@mail.example`],
	[
		'IP addresses and ranges',
		createClient,
		'allowedIpAddresses',
		'203.0.113.7, 203.0.113.0/24,2001:db8::1\n2001:db8::/32, ::1, ::ffff:203.0.113.7, 0.0.0.0/0',
	],
	['IP addresses as a list', createClient, 'allowedIpAddresses', ['203.0.113.7', '::1']],
	['Roles as text', createClient, 'roles', undefined],
	['Due at the start', enroll, 'scheduler.dueDate', '2031-03-01T09:00:00'],
	[
		'SAML metadata after a byte order mark',
		samlText,
		'metadataXml',
		'\ufeff<?xml version="1.0"?>\n<!-- Okta --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"/>',
	],
	['SAML metadata in a file of UTF-16', saml, 'metadataFile', 'utf16'],
	['SAML metadata in a file of UTF-16, the other way round', saml, 'metadataFile', 'utf16be'],
	['SAML metadata of several', samlText, 'metadataXml', '<EntitiesDescriptor><EntityDescriptor/></EntitiesDescriptor>'],
];

test.each(GOOD)('%s: taken', async (_input, of, field, good) => {
	const { node, parameters, files } = await ready(of);
	if (good === undefined) set(parameters, field, z.array(z.string()).parse(get(parameters, field)).join(', '));
	else set(parameters, field, `={{ ${code(good)} }}`);
	const { items } = await runNode({
		node: g.node(node),
		parameters,
		credential: g.credential,
		items: [await itemWith(files)],
	});
	expect(items).toHaveLength(1);
});

test.each([
	['ISO 8601 with an offset', '2031-03-01T12:00:00+02:00'],
	['ISO 8601 in UTC', '2031-03-01T10:00:00.000Z'],
	["text in the chosen time zone, as n8n's date picker gives it", '2031-03-01T11:00:00'],
	['text with a blank', '2031-03-01 11:00'],
	["n8n's DateTime", '={{ DateTime.fromISO("2031-03-01T05:00:00", { zone: "America/New_York" }) }}'],
	['a Date', '={{ new Date("2031-03-01T10:00:00Z") }}'],
])('a date as %s is sent in UTC', async (_named, date) => {
	const { node, parameters, files } = await ready(enroll);
	set(parameters, 'scheduler.scheduledDate', date);
	await runNode({ node: g.node(node), parameters, credential: g.credential, items: [await itemWith(files)] });
	const [request] = g.service.requests('POST /api/enrollments');
	expect(request?.body).toMatchObject({ enrollmentScheduler: { scheduledDate: '2031-03-01T10:00:00.000Z' } });
});
