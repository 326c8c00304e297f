/** What live deployments do otherwise than the contract reads (deployment behaviour, deployment facts). The fields are in shapes.test.ts. */
import { z } from 'zod';
import { CustomerFixture } from '../../cases';
import { prepareNewClient } from '../../cases/apiClients';
import { HUMANS_ONLY, fetchJobPeople } from '../../cases/campaigns';
import { requireValue } from '../../cases/case';
import { buildStrictSearchBody } from '../../cases/customerFixture';
import { MATCH_ALL_FILTER, ApiClient } from '../apiClient';
import { isJsonObject, type JsonObject } from '../http';
import { SIMULATORS } from '../personality';

let d: CustomerFixture;
beforeAll(async () => {
	d = await CustomerFixture.start({ profile: 'deployed', companyCount: 40 });
});
afterAll(async () => d.standIn.close());

const enrollment = (type: 'Training' | 'Survey') =>
	requireValue(d.companyData.enrollments.find((entry) => entry.type === type)).resourceId;

/** Searches for everything, with some of the body replaced. @param key {enrollmentId} is that of a training */
const asked = async (key: string, more: JsonObject = {}) =>
	d.client.send(key.replace('{enrollmentId}', enrollment('Training')), { ...buildStrictSearchBody(key), ...more });

/** The outcome code and the message of a refusal, whatever the case of their names. */
function refusalOf({ status: http, data }: { status: number; data: unknown }): JsonObject {
	return isJsonObject(data)
		? { http, status: data.Status ?? data.status, message: data.Message ?? data.message }
		: { http };
}

/** The answer of a search to an input that it refuses. */
const INPUT_ERROR = { http: 400, status: 'INPUT_ERROR', message: 'Invalid request' };

const job = (simulator: string) => `POST /api/${simulator}-simulator/${simulator}-campaign-job-report`;
const REPORT = 'POST /api/training-reports/{enrollmentId}';

describe('the body of a search', () => {
	test.each([
		['POST /api/companies/search', 'RenewalDate', 'Email'],
		['POST /api/enrollments/search', 'CreateTime', 'Email'],
		['POST /api/trainings/search', 'Name', 'Email'],
		[`${REPORT}/users/search`, 'Email', 'CreateTime'],
		...SIMULATORS.flatMap((simulator) => [
			[`POST /api/${simulator}-simulator/${simulator}-campaign/search`, 'CreateTime', 'Email'],
			[`${job(simulator)}/search`, 'Name', 'CreateTime'],
			[`${job(simulator)}/search/export`, 'Name', 'CreateTime'],
		]),
	])('%s is sorted by %s, not by %s, and by nothing else than a name', async (key, known, unknown) => {
		const more = { exportType: 'CSV', orderBy: known };
		expect((await asked(key, more)).status).toBe(200);
		for (const orderBy of [unknown, null, ''])
			expect(refusalOf(await asked(key, { ...more, orderBy }))).toEqual(INPUT_ERROR);
	});

	test.each([
		'POST /api/companies/search',
		`${REPORT}/users/search`,
		`${job('quishing')}/search`,
		'POST /api/scim/search',
	])('%s holds no null in its filter', async (key) => {
		const { filter } = buildStrictSearchBody(key);
		for (const field of Object.keys(filter))
			expect(refusalOf(await asked(key, { filter: { ...filter, [field]: null } }))).toEqual(INPUT_ERROR);
	});

	test.each(['POST /api/enrollments/search', 'POST /api/companies/clients/search'])(
		'%s has two groups, though they be empty',
		async (key) => {
			expect((await asked(key)).status).toBe(200);
			expect(refusalOf(await asked(key, { filter: MATCH_ALL_FILTER }))).toEqual(INPUT_ERROR);
			expect((await asked('POST /api/companies/search', { filter: MATCH_ALL_FILTER })).status).toBe(200);
		},
	);

	test('names one of nine search types', async () => {
		const { resourceId } = requireValue(d.companyData.getCampaigns('phishing')[0]);
		const status = async (type: string) => (await asked(`${job('phishing')}/${type}/search/${resourceId}/1`)).status;
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
			expect([type, await status(type)]).toEqual([type, 200]);
		for (const type of ['Submitted', 'opened', 'constructor']) expect([type, await status(type)]).toEqual([type, 400]);
	});
});

describe('a refusal', () => {
	test('is in PascalCase where the input is wrong, also with a 200; elsewhere it has isSuccess and messages', async () => {
		const wrong = async () => asked(`${job('phishing')}/search`, { orderBy: 'CreateTime' });
		const ValidationMessages = ['The OrderBy field is not valid: CreateTime.'];
		const data = { Data: null, Status: 'INPUT_ERROR', Message: 'Invalid request', ValidationMessages };
		expect(await wrong()).toMatchObject({ status: 400, data });
		d.standIn.setOptions({ reportsInputErrorsAs200: true });
		expect(await wrong()).toMatchObject({ status: 200, data });
		d.standIn.setOptions({ reportsInputErrorsAs200: false });
		const unknown = await d.resellerClient.send('GET /api/companies/nobody');
		const messages = [expect.stringContaining('company')];
		expect(unknown).toMatchObject({ status: 404, data: { data: null, isSuccess: false, messages } });
	});
});

describe('the company', () => {
	test("is the reseller's own without a header, and its things are not found there; nor with another company's", async () => {
		const keys = [
			`GET /api/enrollments/${enrollment('Training')}`,
			`GET /api/scim/${d.companyData.scimIntegrations[0]?.resourceId}`,
		];
		const elsewhere = d.resellerClient.scopeToCompany(d.standIn.state.companies[20]?.companyResourceId ?? '');
		for (const key of keys) {
			const statuses = [d.client, d.resellerClient, elsewhere].map(async (client) => (await client.send(key)).status);
			expect([key, ...(await Promise.all(statuses))]).toEqual([key, 200, 404, 404]);
		}
		expect(await d.resellerClient.fetchList('GET /api/companies/my')).toMatchObject([
			{
				resourceId: d.standIn.state.resellerCompany.companyResourceId,
				children: { length: d.standIn.state.companyTree.length },
			},
		]);
	});

	test('is named by a second header too, for the search and the record of enrollments', async () => {
		const once = new ApiClient(d.standIn, d.standIn.clients.reseller, d.companyId);
		const search = 'POST /api/enrollments/search';
		expect(refusalOf(await once.send(search, buildStrictSearchBody(search)))).toEqual(INPUT_ERROR);
		expect((await once.send(`GET /api/enrollments/${enrollment('Training')}`)).status).toBe(404);
	});

	test('of a Company Admin is its own, and must not be named', async () => {
		const { companyAdmin } = d.standIn.clients;
		const own = requireValue(companyAdmin.companyResourceId);
		const admin = new ApiClient(d.standIn, companyAdmin);
		const companies = 'POST /api/companies/search';
		expect(await admin.fetchList('GET /api/companies/my')).toMatchObject([{ resourceId: own }]);
		expect((await admin.scopeToCompany(own).send('GET /api/roles')).status).toBe(403);
		expect((await admin.send(companies, buildStrictSearchBody(companies))).status).toBe(403);
	});
});

test('what is beside the contract can be switched off, with its permissions', async () => {
	const permissions = async () => (await d.resellerClient.requestToken()).data.permissions;
	expect((await d.client.send('GET /api/codetypes')).status).toBe(200);
	expect(await permissions()).toContain('codetypes|GET');
	d.standIn.setOptions({ hasExtraRoutes: false });
	expect((await d.client.send('GET /api/codetypes')).status).toBe(404);
	expect(await permissions()).not.toContain('codetypes|GET');
	d.standIn.setOptions({ hasExtraRoutes: true });
});

test('agent-auth is without v2', async () => {
	expect((await d.resellerClient.send('POST /api/agent-auth/login-url', { sessionId: 's' })).status).toBe(200);
	expect((await d.resellerClient.send('POST /api/v2/agent-auth/login-url', { sessionId: 's' })).status).toBe(404);
});

test('participants are added, or replaced where the service is told so', async () => {
	const ids = d.standIn.state.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
	const path = `/api/company-groups/${d.standIn.state.companyGroups[3]?.resourceId}`;
	await d.resellerClient.fetchData(`PUT ${path}`, { name: 'Mine', companyResourceIdArray: ids.slice(0, 2) });
	for (const [participants, expected] of [
		['add', 3],
		['replace', 1],
	] as const) {
		d.standIn.setOptions({ participantsMode: participants });
		await d.resellerClient.fetchData(`PUT ${path}/participants`, { companyResourceIdArray: ids.slice(2) });
		expect(await d.resellerClient.fetchRecord(`GET ${path}`)).toMatchObject({ companyCount: expected });
	}
	d.standIn.setOptions({ participantsMode: 'add' });
});

test('the report of a survey is read with trainingType 0, as a number', async () => {
	const resourceId = enrollment('Survey');
	const users = async (more: JsonObject) =>
		(await asked(`POST /api/training-reports/${resourceId}/users/search`, more)).status;
	expect(await Promise.all([users({ trainingType: 0 }), users({}), users({ trainingType: '0' })])).toEqual([
		200, 400, 400,
	]);
	const summary = `GET /api/training-reports/${resourceId}/summary`;
	expect(refusalOf(await d.client.send(summary))).toEqual(INPUT_ERROR);
	expect((await d.client.send(`${summary}?trainingType=0`)).status).toBe(200);
});

test.each(SIMULATORS)('the figures of a job are those of its lists, row, summary and events: %s', async (simulator) => {
	const { resourceId } = requireValue(d.companyData.getCampaigns(simulator)[0]);
	const people = async (type: string) => fetchJobPeople(d, simulator, type, { id: resourceId, group: 1 });
	const lists = await Promise.all(['All', 'Opened', 'Clicked', 'NoResponse'].map(people));
	const [all = 0, opened = 0, clicked = 0, silent = 0] = lists.map(({ length }) => length);
	expect([all > opened, opened >= clicked, clicked > 0, opened + silent <= all]).toEqual([true, true, true, true]);
	const [row] = (await d.fetchList(`${job(simulator)}/search`)).filter(
		(each) => each[`${simulator}CampaignResourceId`] === resourceId && each.instanceGroup === 1,
	);
	expect(row).toMatchObject({ totalTargetUserCount: all, totalOpenedCount: opened, totalClickedCount: clicked });
	// The summary leaves bots out, and so does a list that is asked for humans only (deployment activity 1).
	const humans = async (type: string) =>
		(await fetchJobPeople(d, simulator, type, { id: resourceId, group: 1 }, HUMANS_ONLY)).length;
	const openedEmail = await humans('Opened');
	const clickedEmail = await humans('Clicked');
	const summary = await d.client.fetchRecord(`${job(simulator).replace('POST', 'GET')}/summary/${resourceId}/1`);
	expect(summary).toMatchObject({ scenarioStats: { openedEmail, clickedEmail } });
	expect([opened > openedEmail, clicked > clickedEmail]).toEqual([true, true]);
	const [clicker] = await people('Clicked');
	const events = `${job(simulator)}/search-${simulator === 'smishing' ? 'sms' : 'email'}-clicked`;
	const ofClicker = `${events}/${String(clicker?.resourceId)}`;
	// Some list the events in a page, some alone.
	expect(Array.isArray(await d.fetchData(ofClicker, buildStrictSearchBody(ofClicker)))).toBe(simulator === 'quishing');
	expect(await d.fetchList(ofClicker)).toHaveLength(Number(clicker?.clickedCount));
	expect((await asked(`${events}/${resourceId}`)).status).toBe(404);
});

test('an export holds one page unless all are asked for, and is xls where it is of campaigns', async () => {
	const path = 'POST /api/phishing-simulator/phishing-campaign-job-report/search/export';
	const file = async (more: JsonObject) =>
		d.client.downloadFile(path, {
			...buildStrictSearchBody(path),
			orderBy: 'Name',
			pageSize: 2,
			exportType: 'CSV',
			...more,
		});
	const lines = async (more: JsonObject) => (await file(more)).bytes.toString().trim().split('\r\n').length - 1;
	expect([await lines({}), await lines({ reportAllPages: true })]).toEqual([2, 3]);
	const { bytes, type, disposition } = await file({ exportType: 'Excel' });
	expect([type, disposition]).toEqual(['application/vnd.ms-excel', expect.stringContaining('.xls"')]);
	// The first record of an xls file has its type, the last one is its end.
	expect([bytes.readUInt16LE(0), bytes.readUInt16LE(bytes.length - 4)]).toEqual([0x0009, 0x000a]);
});

test('the settings of what is made are checked as the deployment does', async () => {
	const { credentials, roles } = await prepareNewClient(d);
	const client = { name: 'A client', ...credentials, statusId: 1, roleResourceIdList: roles };
	const refused = async (more: JsonObject) =>
		(await d.client.send('POST /api/companies/clients', { ...client, ...more })).data;
	const wrong: Array<[JsonObject, string]> = [
		[{ roleResourceIdList: ['nobody'] }, 'Role is invalid'],
		[{ roleResourceIdList: [] }, 'A role should be selected'],
		[{ statusId: 7 }, 'Status Id is invalid'],
		[{ hasIpAddressRestriction: true, allowedIpAddresses: [''] }, 'Invalid ip address'],
	];
	for (const [more, message] of wrong) expect(await refused(more)).toMatchObject({ ValidationMessages: [message] });
	const created = await d.client.fetchRecord('POST /api/scim', { name: 'Entra' });
	expect(created).toEqual({ token: expect.any(String) });
	expect((await d.client.send('POST /api/scim', { name: 'entra' })).status).toBe(409);
});

test('humans only, bots only or both are asked for; a platform may not know it, or refuse it', async () => {
	const key = `${job('phishing')}/All/search/${requireValue(d.companyData.getCampaigns('phishing')[0]).resourceId}/1`;
	const ask = async (more: JsonObject) => d.client.send(key, { ...buildStrictSearchBody(key), ...more });
	const page = z.object({ data: z.object({ results: z.array(z.record(z.unknown())) }).passthrough() });
	const texts = async (more: JsonObject) => [
		...new Set(page.parse((await ask(more)).data).data.results.map((row) => row.activityType ?? 'nothing done')),
	];
	const all = ['Bot Activity', 'Human Activity', 'nothing done'];
	expect((await texts({})).sort()).toEqual(all);
	expect((await texts({ activityType: 2 })).sort()).toEqual(all);
	expect((await texts({ activityType: 0 })).sort()).toEqual(all.slice(1));
	expect(await texts({ activityType: '1' })).toEqual(all.slice(0, 1));
	const counted = { totalSandBoxActivityCount: expect.any(Number) };
	expect(page.parse((await ask({ activityType: 0 })).data).data).toMatchObject(counted);
	d.standIn.setOptions({ activityTypeSupport: 'ignored' });
	expect((await texts({ activityType: 0 })).sort()).toEqual(all);
	d.standIn.setOptions({ activityTypeSupport: 'refused' });
	expect([(await ask({})).status, (await ask({ activityType: 0 })).status]).toEqual([200, 400]);
	d.standIn.setOptions({ activityTypeSupport: 'understood' });
});
