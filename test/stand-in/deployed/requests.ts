import { randomUUID } from 'node:crypto';
import type { Row } from '../http';
import { SIMULATORS } from '../personality';
import { launchRequests } from './launchRequests';
import { addAdministration } from './requests-administration';
import { addReports } from './requests-reports';
import { body, formOf, type Deployed, type Request } from './testing';

/** The nine fields that a new company must have. */
export const NEW_COMPANY = {
	CountryResourceId: 'c',
	DateFormat: 'd',
	IndustryResourceId: 'i',
	LicensePeriodTypeResourceId: 'p',
	LicenseTypeResourceId: 'l',
	Name: 'New',
	NumberOfUsers: 5,
	TimeFormat: 't',
	TimeZoneId: 'UTC',
};

const at = (key: string, ids: Record<string, string>): string =>
	(key.split(' ')[1] ?? '').replace(/\{(\w+)\}/g, (_all, name: string) =>
		encodeURIComponent(ids[name] ?? `no ${name}`),
	);

/** One valid request for each operation that the deployment describes, in the order in which they can be sent. */
export async function requestsFor(d: Deployed): Promise<Map<string, Request>> {
	const made = new Map<string, Request>();
	const { customer, holdings, companyId } = d;
	const add = (key: string, ids: Record<string, string> = {}, sent?: Row, form?: Row) =>
		made.set(key, { path: at(key, ids), ...(sent ? { body: sent } : {}), ...(form ? { form } : {}) });
	const file = { reportAllPages: false, exportType: 'CSV' };
	const groupId = d.service.state.groups[2]?.resourceId ?? '';
	const group = { name: `Group ${randomUUID()}`, companyResourceIdArray: [companyId] };

	const saml = {
		Name: 'Entra',
		IdPSSOTargetUrl: 'https://idp.example/sso',
		StatusId: 1,
		Domain: ['customer.example'],
		IdPEntityID: 'idp',
	};
	add('POST /api/companies/saml-settings', {}, undefined, saml);
	add('GET /api/companies/saml-settings/default');
	const metadata = new FormData();
	for (const [name, value] of Object.entries(saml)) metadata.append(name, String(value));
	metadata.append('File', new Blob(['<xml/>'], { type: 'text/xml' }), 'metadata.xml');
	const { resourceId: samlId } = await customer.record('POST /api/companies/saml-settings', metadata);
	add('GET /api/companies/saml-settings/{resourceId}', { resourceId: String(samlId) });
	add('POST /api/companies/saml-settings/search', {}, body('CreateTime'));
	add('GET /api/googleoauth/authorize');
	add('GET /api/googleoauth/callback', {});
	made.set('GET /api/googleoauth/callback', { path: '/api/googleoauth/callback?Code=c&State=s' });

	add('POST /api/companies/search', {}, body('RenewalDate'));
	add('POST /api/companies/search/export', {}, body('CreateTime', file));
	add('GET /api/companies/{resourceId}', { resourceId: companyId });
	add('GET /api/companies/{resourceId}/license-check', { resourceId: companyId });
	add('GET /api/companies/my');
	add('POST /api/companies', {}, undefined, NEW_COMPANY);
	add('GET /api/company-groups');
	add('POST /api/company-groups/search', {}, body('CreateTime'));
	add('POST /api/company-groups/search/export', {}, body('CreateTime', file));
	add('GET /api/company-groups/{resourceId}', { resourceId: groupId });
	add('POST /api/company-groups', {}, group);
	add('PUT /api/company-groups/{resourceId}', { resourceId: groupId }, group);
	add(
		'PUT /api/company-groups/{resourceId}/participants',
		{ resourceId: groupId },
		{ companyResourceIdArray: [companyId] },
	);
	add('POST /api/company-groups/{resourceId}/companies/search', { resourceId: groupId }, body('CompanyName'));
	await addCompanyChanges(d, add, groupId);

	const [role] = await customer.list('GET /api/roles');
	const client = {
		name: 'A client',
		clientId: randomUUID().slice(0, 30),
		clientSecret: 'a secret',
		statusId: 1,
		roleResourceIdList: [role?.resourceId],
	};
	const clientId = holdings.clients[0]?.resourceId ?? '';
	add('GET /api/roles');
	add('GET /api/companies/clients/generate-client-credentials');
	add('POST /api/companies/clients', {}, client);
	add('POST /api/companies/clients/search', {}, body('CreateTime'));
	add('GET /api/companies/clients/{resourceId}', { resourceId: clientId });
	add('PUT /api/companies/clients/{resourceId}', { resourceId: clientId }, client);
	const { resourceId: doomed } = await customer.record('POST /api/companies/clients', client);
	add('DELETE /api/companies/clients/{resourceId}', { resourceId: String(doomed) });
	const user = { email: 'new@customer.example', firstName: 'New', lastName: 'User', phoneNumber: '+15551234567' };
	await customer.data('POST /api/system-users', user);
	add('POST /api/system-users', {}, user);
	add('POST /api/system-users/search', {}, body('Email'));

	const scim = { resourceId: holdings.scim[0]?.resourceId ?? '' };
	add('GET /api/scim/fields');
	add('POST /api/scim', {}, { name: randomUUID().slice(0, 30) });
	add('POST /api/scim/search', {}, body('CreateTime'));
	add('GET /api/scim/{resourceId}', scim);
	add('PUT /api/scim/{resourceId}', scim, { name: 'Renamed' });
	add('POST /api/scim/{resourceId}/revoke', scim);
	const setting = { name: randomUUID(), tenantId: 'tenant', allowedDomains: ['customer.example'] };
	const { resourceId: email } = await customer.record('POST /api/companies/direct-email-settings', {
		...setting,
		name: randomUUID(),
	});
	add('POST /api/companies/direct-email-settings', {}, setting);
	const mail = {
		resourceId: email,
		from: 'a@customer.example',
		fromName: 'A',
		to: 'b@customer.example',
		message: 'Hello',
		tenantId: 'tenant',
		type: 1,
	};
	add('POST /api/companies/direct-email-settings/test', {}, mail);
	add('PUT /api/companies/direct-email-settings/make-default/{resourceId}', { resourceId: String(email) });
	add('GET /api/companies/direct-email-settings/{resourceId}', { resourceId: String(email) });

	await addAdministration(d, saml, add);
	addTrainings(d, add);
	await addCampaigns(d, add);
	for (const { key, ids, sent } of launchRequests(d)) add(key, ids, sent);
	addReports(d, add);
	add('GET /api/leaderboard/form-details');
	add('POST /api/executive-report/search', {}, { name: null });
	const [report] = await customer.list('POST /api/executive-report/search', { name: null });
	add('GET /api/executive-report/{resourceId}', { resourceId: String(report?.resourceId) });
	add('GET /api/executive-report/metrics');
	add(
		'POST /api/executive-report/get-widget-datas',
		{},
		{ widgetIds: null, datePeriod: 'LastYear', startDate: null, endDate: null },
	);
	for (const key of ['licenses', '{typeId}']) add(`GET /api/lookups/${key}`, { typeId: '2' });
	for (const key of ['codetypes', 'timezone/timezones', 'custom-fields/company']) add(`GET /api/${key}`);
	addPeople(d, add);
	await addImport(d, add);
	made.set('POST /api/target-users/upload', { path: '/api/target-users/upload', form: {} });
	await addTargetGroups(d, add);
	return made;
}

type Add = (key: string, ids?: Record<string, string>, sent?: Row, form?: Row) => unknown;

async function addCompanyChanges({ customer }: Deployed, add: Add, groupId: string): Promise<void> {
	const [changed, doomed] = [
		await customer.record('POST /api/companies', formOf(NEW_COMPANY, false)),
		await customer.record('POST /api/companies', formOf(NEW_COMPANY, false)),
	].map(({ resourceId }) => ({ resourceId: String(resourceId) }));
	add('PUT /api/companies/{resourceId}', changed, undefined, NEW_COMPANY);
	add('DELETE /api/companies/{resourceId}', doomed);
	const group = await customer.record('POST /api/company-groups', { name: randomUUID() });
	add('DELETE /api/company-groups/{resourceId}', { resourceId: String(group.resourceId) });
	const leaving = { companyResourceIdArray: [changed?.resourceId] };
	add('DELETE /api/company-groups/{resourceId}/participants', { resourceId: groupId }, leaving);
}

function addPeople({ holdings }: Deployed, add: Add): void {
	const [one, other] = holdings.users.map(({ resourceId }) => ({ resourceId }));
	const person = { email: 'new@customer.example', phoneNumber: '+15551234567' };
	add('POST /api/target-users', {}, person);
	add('GET /api/target-users/count-summary');
	add('GET /api/target-users/{resourceId}', one);
	add('PUT /api/target-users/{resourceId}', one, person);
	add('DELETE /api/target-users/{resourceId}', other);
	add('POST /api/target-users/search', {}, body('Email'));
	add('POST /api/target-users/search/export', {}, body('Email', { exportType: 'CSV', reportAllPages: false }));
	add(
		'POST /api/target-users/{resourceId}/groups',
		{ resourceId: holdings.users.at(-1)?.resourceId ?? '' },
		body('Email'),
	);
	add(
		'POST /api/target-groups/{resourceId}/users',
		{ resourceId: holdings.targetGroups[0]?.resourceId ?? '' },
		body('Email'),
	);
}

/** An upload that is mapped and checked already. */
async function addImport({ customer }: Deployed, add: Add): Promise<void> {
	const path = '/api/target-users';
	const people = new FormData();
	people.append(
		'File',
		new Blob(['Email,Phone\r\nada@customer.example,+15551234567'], { type: 'text/csv' }),
		'people.csv',
	);
	const transactionId = String((await customer.record(`POST ${path}/upload`, people)).transactionId);
	const fieldMappings = [
		{ excelColumnName: 'Email', fieldName: 'email' },
		{ excelColumnName: 'Phone', fieldName: 'phoneNumber' },
	];
	const mapping = { transactionId, fieldMappings };
	const { resourceId } = await customer.record(`POST ${path}/create-mapping`, mapping);
	add(`GET ${path}/upload/{transactionId}`, { transactionId });
	add(`POST ${path}/create-mapping`, {}, mapping);
	add(`GET ${path}/mapping-job/{resourceId}`, { resourceId: String(resourceId) });
	add(`POST ${path}/{transactionId}/search`, { transactionId }, body('Email'));
	add(`POST ${path}/{transactionId}/import`, { transactionId }, { importType: 'All' });
}

function addTrainings(d: Deployed, add: Add): void {
	const { holdings } = d;
	const enrollment = d.enrollment('Training');
	const [id, enrollmentId] = [enrollment.resourceId, enrollment.resourceId];
	const [group] = holdings.targetGroups;
	add('POST /api/trainings/search', {}, body('Name'));
	add('POST /api/target-groups/search/current-company', {}, body('Name'));
	add('GET /api/enrollments/form-details');
	const creation = { trainingId: enrollment.trainingId, name: 'New', targetGroupResourceIds: [group?.resourceId] };
	add('POST /api/enrollments', {}, creation);
	add('POST /api/enrollments/{resourceId}/send', { resourceId: id });
	add('POST /api/enrollments/search', {}, body('CreateTime'));
	add('GET /api/enrollments/{resourceId}', { resourceId: id });
	// In the order of the description, so that it is there again after it was deleted.
	const changed = { resourceId: d.enrollment('Survey').resourceId };
	add('PUT /api/enrollments/{resourceId}', changed, { name: 'Changed' });
	add('DELETE /api/enrollments/{resourceId}', changed);
	add('POST /api/enrollments/archive/{resourceId}/restore', changed);
	add('POST /api/enrollments/{resourceId}/stop', changed);
	add('POST /api/enrollments/search/export', {}, body('CreateTime', { exportType: 'CSV', reportAllPages: false }));
	const report = 'POST /api/training-reports/{enrollmentId}';
	add(`${report}/sending-report/search`, { enrollmentId }, body('Email'));
	add('POST /api/enrollments/{enrollmentId}/certificates/search', { enrollmentId }, body('UserEmail'));
	add(`${report}/reminder-mails/search`, { enrollmentId }, body('Email'));
	add('POST /api/notifications/{enrollmentId}/search', { enrollmentId }, body('CreateTime'));
	add('GET /api/training-reports/{enrollmentId}/summary', { enrollmentId });
	add('GET /api/training-reports/form-details');
	add(`${report}/users/search`, { enrollmentId }, body('Email'));
	const reached = holdings.members(enrollment.targetGroupResourceIds)[0]?.resourceId ?? '';
	add('GET /api/training-reports/{enrollmentId}/interactions/{targetUserResourceId}', {
		enrollmentId,
		targetUserResourceId: reached,
	});
}

async function addTargetGroups({ customer, holdings }: Deployed, add: Add): Promise<void> {
	const path = '/api/target-groups';
	const group = { name: 'New', priority: 'Low' };
	const make = async () => String((await customer.record(`POST ${path}`, group)).resourceId);
	const [ids, doomed] = [{ resourceId: await make() }, { resourceId: await make() }];
	const people = { targetUserResourceIds: holdings.users.slice(-3).map(({ resourceId }) => resourceId) };
	const joined = { ...people, targetGroupResourceIds: [ids.resourceId] };
	add(`GET ${path}`);
	add(`POST ${path}`, {}, group);
	add(`GET ${path}/{resourceId}`, ids);
	add(`PUT ${path}/{resourceId}`, ids, group);
	add(`DELETE ${path}/{resourceId}`, doomed);
	add(`PUT ${path}/users`, {}, joined);
	add(`DELETE ${path}/{resourceId}/users`, ids, { targetUserResourceIds: [] });
}

async function addCampaigns(d: Deployed, add: Add): Promise<void> {
	for (const simulator of SIMULATORS) {
		const ids = { resourceId: d.job(simulator).resourceId, instanceGroup: '1', searchType: 'Clicked' };
		const campaign = `/api/${simulator}-simulator/${simulator}-campaign`;
		add(`POST ${campaign}/search`, {}, body('CreateTime'));
		add(`POST ${campaign}/search/export`, {}, body('CreateTime', { exportType: 'CSV', reportAllPages: false }));
		add(`POST ${campaign}-job-report/search`, {}, body('Name'));
		add(`POST ${campaign}-job-report/search/export`, {}, body('Name', { exportType: 'CSV', reportAllPages: false }));
		add(`GET ${campaign}-job-report/summary/{resourceId}/{instanceGroup}`, ids);
		add(`POST ${campaign}-job-report/{searchType}/search/{resourceId}/{instanceGroup}`, ids, body('Email'));
		if (simulator === 'phishing')
			add(
				`POST ${campaign}-job-report/{searchType}/search/export/{resourceId}/{instanceGroup}`,
				ids,
				body('Email', { exportType: 'CSV', reportAllPages: false }),
			);
		const person = await d.rowOf(simulator, 'Clicked');
		const clicker = { resourceId: String(person.resourceId) };
		const deeds =
			simulator === 'smishing'
				? ['sms-clicked', 'sms-submitted']
				: ['email-opened', 'email-clicked', 'email-submitted', 'email-reported'];
		for (const deed of deeds) add(`POST ${campaign}-job-report/search-${deed}/{resourceId}`, clicker, body('Email'));
	}
}
