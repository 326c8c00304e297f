/**
 * Tests the behavior of live deployments that differs from the contract (deployment behaviour 1; deployment facts,
 * "Requests", "Responses"). shapes.test.ts tests the fields.
 */
import { z } from 'zod';
import { CustomerFixture } from '../../cases';
import { prepareNewClient } from '../../cases/apiClients';
import { HUMANS_ONLY, fetchJobPeople } from '../../cases/campaigns';
import { requireValue } from '../../cases/case';
import { buildStrictSearchBody } from '../../cases/customerFixture';
import { MATCH_ALL_FILTER, ApiClient } from '../apiClient';
import { isJsonObject, type JsonObject } from '../http';
import { SIMULATORS } from '../profile';

let customer: CustomerFixture;
beforeAll(async () => {
	customer = await CustomerFixture.start({ profile: 'deployed', companyCount: 40 });
});
afterAll(async () => customer.standIn.close());

const getEnrollmentId = (type: 'Training' | 'Survey') =>
	requireValue(customer.companyData.enrollments.find((entry) => entry.type === type)).resourceId;

/**
 * Sends a search for all records.
 * @param key the key of the search; its placeholder {enrollmentId} is replaced by the ID of a seeded enrollment
 * @param overrides body fields that replace the default ones
 */
const sendSearch = async (key: string, overrides: JsonObject = {}) =>
	customer.client.send(key.replace('{enrollmentId}', getEnrollmentId('Training')), {
		...buildStrictSearchBody(key),
		...overrides,
	});

/** Returns the HTTP status, the platform's own status and the message of an error response. */
function summarizeError({ status: httpStatus, data }: { status: number; data: unknown }): JsonObject {
	return isJsonObject(data)
		? { httpStatus, status: data.Status ?? data.status, message: data.Message ?? data.message }
		: { httpStatus };
}

/** The summary of a response that rejects the body of a search. */
const INPUT_ERROR = { httpStatus: 400, status: 'INPUT_ERROR', message: 'Invalid request' };

const buildReportPath = (simulator: string) => `POST /api/${simulator}-simulator/${simulator}-campaign-job-report`;
const TRAINING_REPORT = 'POST /api/training-reports/{enrollmentId}';

describe('the body of a search', () => {
	test.each([
		['POST /api/companies/search', 'RenewalDate', 'Email'],
		['POST /api/enrollments/search', 'CreateTime', 'Email'],
		['POST /api/trainings/search', 'Name', 'Email'],
		[`${TRAINING_REPORT}/users/search`, 'Email', 'CreateTime'],
		...SIMULATORS.flatMap((simulator) => [
			[`POST /api/${simulator}-simulator/${simulator}-campaign/search`, 'CreateTime', 'Email'],
			[`${buildReportPath(simulator)}/search`, 'Name', 'CreateTime'],
			[`${buildReportPath(simulator)}/search/export`, 'Name', 'CreateTime'],
		]),
	])('%s can be sorted by %s, not by %s, null or an empty text', async (key, validName, invalidName) => {
		const overrides = { exportType: 'CSV', orderBy: validName };
		expect((await sendSearch(key, overrides)).status).toBe(200);
		for (const orderBy of [invalidName, null, ''])
			expect(summarizeError(await sendSearch(key, { ...overrides, orderBy }))).toEqual(INPUT_ERROR);
	});

	test.each([
		'POST /api/companies/search',
		`${TRAINING_REPORT}/users/search`,
		`${buildReportPath('quishing')}/search`,
		'POST /api/scim/search',
	])('%s accepts no null in its filter', async (key) => {
		const { filter } = buildStrictSearchBody(key);
		for (const field of Object.keys(filter))
			expect(summarizeError(await sendSearch(key, { filter: { ...filter, [field]: null } }))).toEqual(INPUT_ERROR);
	});

	test.each(['POST /api/enrollments/search', 'POST /api/companies/clients/search'])(
		'%s requires two groups in its filter, even if they are empty',
		async (key) => {
			expect((await sendSearch(key)).status).toBe(200);
			expect(summarizeError(await sendSearch(key, { filter: MATCH_ALL_FILTER }))).toEqual(INPUT_ERROR);
			expect((await sendSearch('POST /api/companies/search', { filter: MATCH_ALL_FILTER })).status).toBe(200);
		},
	);

	test('accepts nine search types', async () => {
		const { resourceId } = requireValue(customer.companyData.getCampaigns('phishing')[0]);
		const requestStatus = async (type: string) =>
			(await sendSearch(`${buildReportPath('phishing')}/${type}/search/${resourceId}/1`)).status;
		for (const type of [
			'All',
			'Opened',
			'Clicked',
			'NoResponse',
			'Reported',
			'AttachmentOpened',
			'Replied',
			'SubmittedData',
			'MFA',
		])
			expect([type, await requestStatus(type)]).toEqual([type, 200]);
		for (const type of ['Submitted', 'opened', 'constructor'])
			expect([type, await requestStatus(type)]).toEqual([type, 400]);
	});
});

describe('an error response', () => {
	test('is in PascalCase for invalid input, even with status 200; other errors have isSuccess and messages', async () => {
		const sendInvalidSearch = async () =>
			sendSearch(`${buildReportPath('phishing')}/search`, { orderBy: 'CreateTime' });
		const ValidationMessages = ['The OrderBy field is not valid: CreateTime.'];
		const data = { Data: null, Status: 'INPUT_ERROR', Message: 'Invalid request', ValidationMessages };
		expect(await sendInvalidSearch()).toMatchObject({ status: 400, data });
		customer.standIn.setOptions({ shouldSendInputErrorsAs200: true });
		expect(await sendInvalidSearch()).toMatchObject({ status: 200, data });
		customer.standIn.setOptions({ shouldSendInputErrorsAs200: false });
		const response = await customer.resellerClient.send('GET /api/companies/nobody');
		const messages = [expect.stringContaining('company')];
		expect(response).toMatchObject({ status: 404, data: { data: null, isSuccess: false, messages } });
	});
});

describe('the company', () => {
	test("is the reseller's own without a header; a customer's records are found only with the customer's header", async () => {
		const keys = [
			`GET /api/enrollments/${getEnrollmentId('Training')}`,
			`GET /api/scim/${customer.companyData.scimIntegrations[0]?.resourceId}`,
		];
		const otherCompanyClient = customer.resellerClient.scopeToCompany(
			customer.standIn.world.companies[20]?.companyResourceId ?? '',
		);
		for (const key of keys) {
			const statuses = [customer.client, customer.resellerClient, otherCompanyClient].map(
				async (client) => (await client.send(key)).status,
			);
			expect([key, ...(await Promise.all(statuses))]).toEqual([key, 200, 404, 404]);
		}
		expect(await customer.resellerClient.fetchList('GET /api/companies/my')).toMatchObject([
			{
				resourceId: customer.standIn.world.resellerCompany.companyResourceId,
				children: { length: customer.standIn.world.companyTree.length },
			},
		]);
	});

	test('must be named by a second header, too, for the search and the record of enrollments', async () => {
		const clientWithOneHeader = new ApiClient(customer.standIn, customer.standIn.clients.reseller, customer.companyId);
		const searchKey = 'POST /api/enrollments/search';
		expect(summarizeError(await clientWithOneHeader.send(searchKey, buildStrictSearchBody(searchKey)))).toEqual(
			INPUT_ERROR,
		);
		expect((await clientWithOneHeader.send(`GET /api/enrollments/${getEnrollmentId('Training')}`)).status).toBe(404);
	});

	test('of a Company Admin is its own and must not be named', async () => {
		const { companyAdmin } = customer.standIn.clients;
		const ownCompanyId = requireValue(companyAdmin.companyResourceId);
		const admin = new ApiClient(customer.standIn, companyAdmin);
		const companySearchKey = 'POST /api/companies/search';
		expect(await admin.fetchList('GET /api/companies/my')).toMatchObject([{ resourceId: ownCompanyId }]);
		expect((await admin.scopeToCompany(ownCompanyId).send('GET /api/roles')).status).toBe(403);
		expect((await admin.send(companySearchKey, buildStrictSearchBody(companySearchKey))).status).toBe(403);
	});
});

test('operations outside the contract can be turned off, with their permissions', async () => {
	const fetchPermissions = async () => (await customer.resellerClient.requestToken()).data.permissions;
	expect((await customer.client.send('GET /api/codetypes')).status).toBe(200);
	expect(await fetchPermissions()).toContain('codetypes|GET');
	customer.standIn.setOptions({ hasExtraRoutes: false });
	expect((await customer.client.send('GET /api/codetypes')).status).toBe(404);
	expect(await fetchPermissions()).not.toContain('codetypes|GET');
	customer.standIn.setOptions({ hasExtraRoutes: true });
});

test('single operations can be turned off', async () => {
	customer.standIn.setOptions({ missingRoutes: ['GET /api/codetypes'] });
	expect((await customer.client.send('GET /api/codetypes')).status).toBe(404);
	expect((await customer.client.send('GET /api/leaderboard/form-details')).status).toBe(200);
	customer.standIn.setOptions({ missingRoutes: [] });
});

test('agent-auth paths have no v2', async () => {
	expect((await customer.resellerClient.send('POST /api/agent-auth/login-url', { sessionId: 's' })).status).toBe(200);
	expect((await customer.resellerClient.send('POST /api/v2/agent-auth/login-url', { sessionId: 's' })).status).toBe(
		404,
	);
});

test('participants are added, or replaced if the option says so', async () => {
	const ids = customer.standIn.world.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
	const path = `/api/company-groups/${customer.standIn.world.companyGroups[3]?.resourceId}`;
	await customer.resellerClient.fetchData(`PUT ${path}`, { name: 'Mine', companyResourceIdArray: ids.slice(0, 2) });
	for (const [participantsMode, companyCount] of [
		['add', 3],
		['replace', 1],
	] as const) {
		customer.standIn.setOptions({ participantsMode });
		await customer.resellerClient.fetchData(`PUT ${path}/participants`, { companyResourceIdArray: ids.slice(2) });
		expect(await customer.resellerClient.fetchRecord(`GET ${path}`)).toMatchObject({ companyCount });
	}
	customer.standIn.setOptions({ participantsMode: 'add' });
});

test('the report of a survey requires trainingType 0 as a number', async () => {
	const resourceId = getEnrollmentId('Survey');
	const requestUserStatus = async (overrides: JsonObject) =>
		(await sendSearch(`POST /api/training-reports/${resourceId}/users/search`, overrides)).status;
	expect(
		await Promise.all([
			requestUserStatus({ trainingType: 0 }),
			requestUserStatus({}),
			requestUserStatus({ trainingType: '0' }),
		]),
	).toEqual([200, 400, 400]);
	const summary = `GET /api/training-reports/${resourceId}/summary`;
	expect(summarizeError(await customer.client.send(summary))).toEqual(INPUT_ERROR);
	expect((await customer.client.send(`${summary}?trainingType=0`)).status).toBe(200);
});

test.each(SIMULATORS)('the counts of a job agree between its lists, row, summary and events: %s', async (simulator) => {
	const { resourceId } = requireValue(customer.companyData.getCampaigns(simulator)[0]);
	const fetchPeople = async (type: string) => fetchJobPeople(customer, simulator, type, { id: resourceId, group: 1 });
	const lists = await Promise.all(['All', 'Opened', 'Clicked', 'NoResponse'].map(fetchPeople));
	const [allCount = 0, openedCount = 0, clickedCount = 0, noResponseCount = 0] = lists.map(({ length }) => length);
	expect([
		allCount > openedCount,
		openedCount >= clickedCount,
		clickedCount > 0,
		openedCount + noResponseCount <= allCount,
	]).toEqual([true, true, true, true]);
	const [row] = (await customer.fetchList(`${buildReportPath(simulator)}/search`)).filter(
		(job) => job[`${simulator}CampaignResourceId`] === resourceId && job.instanceGroup === 1,
	);
	expect(row).toMatchObject({
		totalTargetUserCount: allCount,
		totalOpenedCount: openedCount,
		totalClickedCount: clickedCount,
	});
	// The summary does not count bots, so it is compared with lists of humans only (deployment activity 1).
	const countHumans = async (type: string) =>
		(await fetchJobPeople(customer, simulator, type, { id: resourceId, group: 1 }, HUMANS_ONLY)).length;
	const openedEmail = await countHumans('Opened');
	const clickedEmail = await countHumans('Clicked');
	const summary = await customer.client.fetchRecord(
		`${buildReportPath(simulator).replace('POST', 'GET')}/summary/${resourceId}/1`,
	);
	expect(summary).toMatchObject({ scenarioStats: { openedEmail, clickedEmail } });
	expect([openedCount > openedEmail, clickedCount > clickedEmail]).toEqual([true, true]);
	const [personWhoClicked] = await fetchPeople('Clicked');
	const eventsPath = `${buildReportPath(simulator)}/search-${simulator === 'smishing' ? 'sms' : 'email'}-clicked`;
	const clickerEventsKey = `${eventsPath}/${String(personWhoClicked?.resourceId)}`;
	// For quishing, the response is a list without pages. For the other simulators, it is a page.
	expect(Array.isArray(await customer.fetchData(clickerEventsKey, buildStrictSearchBody(clickerEventsKey)))).toBe(
		simulator === 'quishing',
	);
	expect(await customer.fetchList(clickerEventsKey)).toHaveLength(Number(personWhoClicked?.clickedCount));
	expect((await sendSearch(`${eventsPath}/${resourceId}`)).status).toBe(404);
});

test('an export contains one page unless all are requested; for campaigns, Excel means xls', async () => {
	const key = 'POST /api/phishing-simulator/phishing-campaign-job-report/search/export';
	const downloadExport = async (overrides: JsonObject) =>
		customer.client.downloadFile(key, {
			...buildStrictSearchBody(key),
			orderBy: 'Name',
			pageSize: 2,
			exportType: 'CSV',
			...overrides,
		});
	const countRecords = async (overrides: JsonObject) =>
		(await downloadExport(overrides)).bytes.toString().trim().split('\r\n').length - 1;
	expect([await countRecords({}), await countRecords({ reportAllPages: true })]).toEqual([2, 3]);
	const { bytes, type, disposition } = await downloadExport({ exportType: 'Excel' });
	expect([type, disposition]).toEqual(['application/vnd.ms-excel', expect.stringContaining('.xls"')]);
	// The first record of an xls file contains its type, and the last one marks its end.
	expect([bytes.readUInt16LE(0), bytes.readUInt16LE(bytes.length - 4)]).toEqual([0x0009, 0x000a]);
});

test('settings of new clients and integrations are checked', async () => {
	const { credentials, roles } = await prepareNewClient(customer);
	const client = { name: 'A client', ...credentials, statusId: 1, roleResourceIdList: roles };
	const createInvalidClient = async (overrides: JsonObject) =>
		(await customer.client.send('POST /api/companies/clients', { ...client, ...overrides })).data;
	const invalidRequests: Array<[JsonObject, string]> = [
		[{ roleResourceIdList: ['nobody'] }, 'Role is invalid'],
		[{ roleResourceIdList: [] }, 'A role should be selected'],
		[{ statusId: 7 }, 'Status Id is invalid'],
		[{ hasIpAddressRestriction: true, allowedIpAddresses: [''] }, 'Invalid ip address'],
	];
	for (const [overrides, message] of invalidRequests)
		expect(await createInvalidClient(overrides)).toMatchObject({ ValidationMessages: [message] });
	const newIntegration = await customer.client.fetchRecord('POST /api/scim', { name: 'Entra' });
	expect(newIntegration).toEqual({ token: expect.any(String) });
	expect((await customer.client.send('POST /api/scim', { name: 'entra' })).status).toBe(409);
});

test('people are filtered by activity type; a platform can also ignore or reject the filter', async () => {
	const key = `${buildReportPath('phishing')}/All/search/${requireValue(customer.companyData.getCampaigns('phishing')[0]).resourceId}/1`;
	const sendPeopleSearch = async (overrides: JsonObject) =>
		customer.client.send(key, { ...buildStrictSearchBody(key), ...overrides });
	const pageSchema = z.object({ data: z.object({ results: z.array(z.record(z.unknown())) }).passthrough() });
	const fetchActivityTypes = async (overrides: JsonObject) => [
		...new Set(
			pageSchema
				.parse((await sendPeopleSearch(overrides)).data)
				.data.results.map((row) => row.activityType ?? 'nothing done'),
		),
	];
	const allTypes = ['Bot Activity', 'Human Activity', 'nothing done'];
	expect((await fetchActivityTypes({})).sort()).toEqual(allTypes);
	expect((await fetchActivityTypes({ activityType: 2 })).sort()).toEqual(allTypes);
	expect((await fetchActivityTypes({ activityType: 0 })).sort()).toEqual(['Human Activity', 'nothing done']);
	expect(await fetchActivityTypes({ activityType: '1' })).toEqual(['Bot Activity']);
	const botCountField = { totalSandBoxActivityCount: expect.any(Number) };
	expect(pageSchema.parse((await sendPeopleSearch({ activityType: 0 })).data).data).toMatchObject(botCountField);
	customer.standIn.setOptions({ activityTypeSupport: 'ignored' });
	expect((await fetchActivityTypes({ activityType: 0 })).sort()).toEqual(allTypes);
	customer.standIn.setOptions({ activityTypeSupport: 'refused' });
	expect([(await sendPeopleSearch({})).status, (await sendPeopleSearch({ activityType: 0 })).status]).toEqual([
		200, 400,
	]);
	customer.standIn.setOptions({ activityTypeSupport: 'understood' });
});
