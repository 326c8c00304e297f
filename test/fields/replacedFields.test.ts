/**
 * Fields that a user adds as JSON never replace what the form sets: a value, the ID of a record, the company, or the page of a list.
 * everyOperation.test.ts checks that other fields are sent.
 */
import { merge } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { findCase } from '../operations/records';

const fixture = createOperationFixture('deployed');

/** Runs the case of an operation with changed parameters. @returns the requests of the operation */
async function runWithChanges(node: string, key: string, changes: IDataObject) {
	const testCase = findCase(node, key);
	const run = await testCase.prepare(fixture.customer);
	fixture.standIn.clearLog();
	await runCase(fixture, testCase, { ...run, parameters: merge({}, run.parameters, changes) });
	return fixture.requests;
}

const addJson = (block: string, name: string, fields: IDataObject) => ({ [block]: { [name]: JSON.stringify(fields) } });
const addToBody = (fields: IDataObject) => addJson('additionalFields', 'additionalFieldsJson', fields);
const addToSearch = (fields: IDataObject) => addJson('options', 'additionalFieldsJson', fields);

test.each<[kind: string, node: string, key: string, changes: IDataObject, name: string]>([
	['the ID of a record in the body', 'AllowedDomain', 'delete', addToBody({ resourceIds: ['other'] }), 'resourceIds'],
	['the ID of a record in the path', 'ScimIntegration', 'update', addToBody({ ResourceID: 'other' }), 'ResourceID'],
	['a value in another case', 'CompanyGroup', 'create', addToBody({ NAME: 'Other' }), 'NAME'],
	['a value of a form with files', 'Company', 'create', addToBody({ name: 'Other' }), 'name'],
	['a part of a list', 'DirectEmailSetting', 'create', addToBody({ 'allowedDomains[0]': 'x' }), 'allowedDomains[0]'],
	['a value of an update', 'SystemUser', 'update', addToBody({ LastName: 'Other' }), 'LastName'],
	['the company', 'TargetGroup', 'create', addToBody({ companyResourceId: 'other' }), 'companyResourceId'],
	['the company of a search', 'TargetUser', 'getMany', addToSearch({ companyId: 7 }), 'companyId'],
	['a person', 'TargetUser', 'create', addToBody({ email: 'other@x.example' }), 'email'],
	['a person of several requests', 'TargetUser', 'createOrUpdate', addToBody({ Email: 'other@x.example' }), 'Email'],
	['a training', 'Enrollment', 'createAndSend', addToBody({ trainingId: 'other' }), 'trainingId'],
	['target groups', 'Enrollment', 'sendToPeople', addToBody({ TargetGroupResourceIds: [] }), 'TargetGroupResourceIds'],
	['a nested value', 'Enrollment', 'create', addToBody({ enrollmentScheduler: { DueDate: 'x' } }), 'DueDate'],
	['a campaign', 'PhishingCampaign', 'createAndStart', addToBody({ name: 'Other' }), 'name'],
	['the schedule of a campaign', 'PhishingCampaign', 'start', addToBody({ scheduleTypeId: 9 }), 'scheduleTypeId'],
	['a secret', 'ApiClient', 'provision', addToBody({ clientSecret: 'other' }), 'clientSecret'],
	['the page of a list', 'TargetGroup', 'getMany', addToSearch({ pageNumber: 2 }), 'pageNumber'],
	['the page size of a list', 'TargetGroup', 'getMany', addToSearch({ PageSize: 1 }), 'PageSize'],
	['a page in an object', 'Leaderboard', 'getMany', addToSearch({ pagination: { pageNumber: 2 } }), 'pagination'],
	['the format of a file', 'TargetUser', 'export', addToSearch({ exportType: 'Pdf' }), 'exportType'],
	[
		'the selected order',
		'TargetGroup',
		'getMany',
		{ ...addToSearch({ orderBy: 'Name' }), sort: { fields: { by: 'CreateTime', direction: 'ascending' } } },
		'orderBy',
	],
	[
		'the selected direction',
		'TargetGroup',
		'getMany',
		{ ...addToSearch({ Ascending: false }), sort: { fields: { by: 'CreateTime', direction: 'ascending' } } },
		'Ascending',
	],
	[
		'the filters',
		'TargetGroup',
		'getMany',
		{ ...addToSearch({ Filter: {} }), filters: { searchText: 'bakery' } },
		'Filter',
	],
	[
		'query parameters',
		'PhishingCampaign',
		'campaignJob.getReportFile',
		{ ...addJson('options', 'queryParameters', { ExcludeBotActivity: false }), excludeBots: true },
		'ExcludeBotActivity',
	],
	[
		'the company in query parameters',
		'TargetGroup',
		'get',
		addJson('options', 'queryParameters', { companyResourceId: 'other' }),
		'companyResourceId',
	],
])('JSON can not replace %s', async (_kind, node, key, changes, name) => {
	const result = runWithChanges(node, key, changes);
	await expect(result).rejects.toThrow(`has '${name}', which the form already sets`);
	await expect(result).rejects.toThrow(`Nothing was sent. Remove '${name}' from the JSON`);
	expect(fixture.requests).toEqual([]);
});

test.each([
	['update', { email: 'a***@example.com' }],
	['create', { managerEmail: '****@example.com' }],
])('JSON can not have a masked email address: target user, %s', async (key, fields) => {
	await expect(runWithChanges('TargetUser', key, addToBody(fields))).rejects.toThrow(
		'must not have masked email addresses',
	);
	expect(fixture.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/search'))).toEqual([]);
});

describe('JSON can still set', () => {
	const getLastBody = async (node: string, key: string, changes: IDataObject) =>
		(await runWithChanges(node, key, changes)).at(-1)?.body;

	test('the order of a list for which no order is selected', async () => {
		const body = await getLastBody('TargetGroup', 'getMany', addToSearch({ orderBy: 'CreateTime', ascending: false }));
		expect(body).toMatchObject({ orderBy: 'CreateTime', ascending: false, pageNumber: 1 });
	});

	test('the order in another case, which is then sent only once', async () => {
		const body = await getLastBody('TargetGroup', 'getMany', addToSearch({ OrderBy: 'CreateTime' }));
		expect(body).toMatchObject({ OrderBy: 'CreateTime' });
		expect(body).not.toHaveProperty('orderBy');
	});

	test('a field that the form leaves empty', async () => {
		const companyResourceIdArray = [fixture.customer.companyId];
		const changes = { ...addToBody({ companyResourceIdArray }), companies: '={{ [] }}' };
		expect(await getLastBody('CompanyGroup', 'create', changes)).toMatchObject({ companyResourceIdArray });
	});

	test('a field that the form leaves empty, in another case, which is then sent only once', async () => {
		const changes = { ...addToBody({ CompanyResourceIdArray: [fixture.customer.companyId] }), companies: '={{ [] }}' };
		const body = await getLastBody('CompanyGroup', 'create', changes);
		expect(body).toMatchObject({ CompanyResourceIdArray: [fixture.customer.companyId] });
		expect(body).not.toHaveProperty('companyResourceIdArray');
	});

	test('a nested field beside the nested fields of the form', async () => {
		const json = { enrollmentScheduler: { sendDays: 5 }, colour: 'blue' };
		expect(await getLastBody('Enrollment', 'create', addToBody(json))).toMatchObject({
			colour: 'blue',
			enrollmentScheduler: { dueDate: expect.any(String) as string, sendDays: 5 },
		});
	});
});

test('in an update, a field in another case replaces the stored value instead of being sent beside it', async () => {
	const testCase = findCase('TargetGroup', 'update');
	const { parameters } = await testCase.prepare(fixture.customer);
	fixture.standIn.clearLog();
	const additionalFields = { name: 'Renamed', additionalFieldsJson: '{ "Priority": "High" }' };
	await runCase(fixture, testCase, { parameters: { ...parameters, additionalFields } });
	const update = fixture.requests.find(({ method }) => method === 'PUT');
	expect(update?.body).toEqual({ name: 'Renamed', priority: 'High' });
});
