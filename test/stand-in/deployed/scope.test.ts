import { ApiClient } from '../apiClient';
import { body, dataOf, Deployed, INPUT_ERROR, refusalOf, rowsOf, SECOND } from './testing';

let d: Deployed;
let other: string;

beforeAll(async () => {
	d = await Deployed.start();
	other = d.service.state.companies[20]?.companyResourceId ?? '';
});
afterAll(async () => await d.service.close());
beforeEach(() => d.service.setOptions({ helpers: true }));

const SEARCH = 'POST /api/enrollments/search';
const search = body('CreateTime');

describe('identifiers', () => {
	test('are twelve letters and digits, and GUIDs for enrollments', () => {
		const { state } = d.service;
		for (const id of [
			d.companyId,
			state.groups[0]?.resourceId,
			state.fullReportJob('phishing').resourceId,
			d.holdings.users[0]?.resourceId,
		]) {
			expect(id).toMatch(/^[A-Za-z0-9]{12}$/);
		}
		expect(d.enrollment('Training').resourceId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
		expect(new Set(state.users.map(({ resourceId }) => resourceId)).size).toBe(state.users.length);
	});
});

describe('the second header', () => {
	const record = () => `GET /api/enrollments/${d.enrollment('Training').resourceId}`;

	test('is wanted as soon as the first is sent', async () => {
		const onlyFirst = d.reseller.for(d.companyId);
		expect(refusalOf(await onlyFirst.ask(SEARCH, search))).toEqual(INPUT_ERROR);
		expect((await onlyFirst.ask(record())).status).toBe(404);
		expect((await onlyFirst.ask(SEARCH, search, { headers: { [SECOND]: other } })).status).toBe(400);
		expect((await onlyFirst.ask(record(), undefined, { headers: { [SECOND]: other } })).status).toBe(404);
		expect((await d.customer.ask(SEARCH, search)).status).toBe(200);
		expect((await d.customer.ask(record())).status).toBe(200);
	});

	test('is wanted by these two alone', async () => {
		const onlyFirst = d.reseller.for(d.companyId);
		expect((await onlyFirst.ask('POST /api/trainings/search', body('Name'))).status).toBe(200);
		expect(
			(await onlyFirst.ask(`GET /api/training-reports/${d.enrollment('Training').resourceId}/summary`)).status,
		).toBe(200);
		expect((await d.reseller.ask(SEARCH, search)).status).toBe(200);
		expect((await d.admin.ask(SEARCH, search)).status).toBe(200);
	});
});

describe('a right identifier under another header', () => {
	test('is not found', async () => {
		const { resourceId } = d.service.state.fullReportJob('phishing');
		const clicker = await d.rowOf('phishing', 'Clicked');
		const job = '/api/phishing-simulator/phishing-campaign-job-report';
		const enrollment = d.enrollment('Training').resourceId;
		const requests: Array<[string, unknown?]> = [
			[`GET /api/companies/${d.companyId}`],
			[`GET /api/companies/clients/${d.holdings.clients[0]?.resourceId}`],
			[`GET /api/scim/${d.holdings.scim[0]?.resourceId}`],
			[`GET /api/enrollments/${enrollment}`],
			[`GET /api/training-reports/${enrollment}/summary`],
			[`POST /api/training-reports/${enrollment}/users/search`, body('Email')],
			[`GET ${job}/summary/${resourceId}/1`],
			[`POST ${job}/All/search/${resourceId}/1`, body('Email')],
			[`POST ${job}/search-email-clicked/${String(clicker.resourceId)}`, body('Email')],
		];
		const elsewhere = d.reseller.for(other, 'X-SERVICE-Company-Id', SECOND);
		for (const [key, sent] of requests) {
			expect([key, (await d.customer.ask(key, sent)).status]).toEqual([key, 200]);
			expect([key, (await elsewhere.ask(key, sent)).status]).toEqual([key, 404]);
			const expected = key.includes('/companies/') && !key.includes('clients') ? 200 : 404;
			expect([key, (await d.reseller.ask(key, sent)).status]).toEqual([key, expected]);
		}
	});

	test('of nobody, or of a company of somebody else, is refused', async () => {
		for (const company of ['nobody', d.service.state.foreign.companyResourceId]) {
			expect((await d.reseller.for(company).ask('GET /api/roles')).status).toBe(403);
		}
	});
});

describe('without a header', () => {
	test('a reseller sees all companies, and its own things', async () => {
		const companies = await d.reseller.record('POST /api/companies/search', body('RenewalDate', { pageSize: 1000 }));
		expect(companies.totalNumberOfRecords).toBe(d.service.state.tree.length);
		const [own] = await d.reseller.list('GET /api/companies/my');
		expect(own).toMatchObject({
			resourceId: d.service.state.reseller.companyResourceId,
			children: { length: d.service.state.tree.length },
		});
		expect(rowsOf(own?.children)[0]).toMatchObject({
			name: d.service.state.tree[0]?.companyName,
			resourceId: d.service.state.tree[0]?.companyResourceId,
		});
		const groups = await d.reseller.results('POST /api/target-groups/search/current-company', body('Name'));
		expect(groups).toHaveLength(d.service.state.of(d.service.state.reseller.companyResourceId).targetGroups.length);
	});
});

describe('a Company Admin', () => {
	test('has its own company, without a search and without a header', async () => {
		const own = d.service.clients.companyAdmin.companyResourceId ?? '';
		expect((await d.admin.ask('POST /api/companies/search', body('RenewalDate'))).status).toBe(403);
		expect((await d.admin.ask('GET /api/company-groups')).status).toBe(403);
		expect(await d.admin.list('GET /api/companies/my')).toMatchObject([{ resourceId: own }]);
		expect(await d.admin.record(`GET /api/companies/${own}`)).toHaveProperty('resourceId', own);
		for (const company of [own, d.companyId]) {
			expect((await d.admin.for(company).ask('GET /api/roles')).status).toBe(403);
		}
		const { resourceId } = d.service.state.fullReportJob('phishing', own);
		const opened = await d.admin.record(
			`POST /api/phishing-simulator/phishing-campaign-job-report/Opened/search/${resourceId}/1`,
			body('Email'),
		);
		expect(opened.totalNumberOfRecords).toBe(100);
	});
});

describe('what is beside the contract', () => {
	const BESIDE = [
		'GET /api/executive-report/metrics',
		'GET /api/lookups/licenses',
		'GET /api/codetypes',
		'GET /api/timezone/timezones',
		'GET /api/custom-fields/company',
		'GET /api/target-groups',
	];

	test('can be switched off, with its permissions', async () => {
		const permissions = async () => {
			const { data } = await new ApiClient(d.service, d.service.clients.reseller).requestToken();
			return data.permissions;
		};
		for (const key of BESIDE) expect([key, (await d.customer.ask(key)).status]).toEqual([key, 200]);
		expect(await permissions()).toContain('codetypes|GET');
		d.service.setOptions({ helpers: false });
		for (const key of BESIDE) expect([key, (await d.customer.ask(key)).status]).toEqual([key, 404]);
		expect(
			(
				await d.customer.ask(
					`POST /api/company-groups/${d.service.state.groups[0]?.resourceId}/companies/search`,
					body('CompanyName'),
				)
			).status,
		).toBe(404);
		expect(await permissions()).not.toContain('codetypes|GET');
		expect((await d.customer.ask('GET /api/scim/fields')).status).toBe(200);
	});

	test('chooses what a company is made of', async () => {
		const types = await d.customer.list('GET /api/codetypes');
		const names = await Promise.all(
			types.map(async ({ id }) =>
				rowsOf(dataOf(await d.customer.ask(`GET /api/lookups/${String(id)}`))).map(({ name }) => name),
			),
		);
		expect(names.flat()).toEqual(expect.arrayContaining(['Finance', 'Türkiye', '1 Year', 'English']));
		expect((await d.customer.ask('GET /api/lookups/99')).status).toBe(404);
		const company = await d.customer.record(`GET /api/companies/${d.companyId}`);
		expect(Object.keys(company).length).toBeGreaterThanOrEqual(42);
		expect(company).toMatchObject({ resourceId: d.companyId, name: 'Harbour Bakery' });
		const check = await d.customer.record(`GET /api/companies/${d.companyId}/license-check`);
		expect(check).toMatchObject({
			isLimited: company.isNumberOfUsersLimited,
			activeUserCount: company.targetUserCount,
		});
	});
});

test('agent-auth is where the contract has it, and nowhere else', async () => {
	expect((await d.reseller.ask('POST /api/v2/agent-auth/login-url', { sessionId: 's' })).status).toBe(200);
	expect((await d.reseller.ask('POST /api/agent-auth/login-url', { sessionId: 's' })).status).toBe(404);
});
