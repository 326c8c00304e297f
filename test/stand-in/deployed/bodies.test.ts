import type { Row } from '../http';
import { SIMULATORS } from '../personality';
import { ALL } from '../apiClient';
import { requestsFor } from './requests';
import { body, dataOf, Deployed, FILTER, INPUT_ERROR, refusalOf, rowsOf, send, type Request } from './testing';

let d: Deployed;
let requests: Map<string, Request>;

beforeAll(async () => {
	d = await Deployed.start();
	requests = await requestsFor(d);
});
afterAll(async () => await d.service.close());
beforeEach(() => d.service.setOptions({ inputErrorsAs200: false, maxPageSize: Infinity, eventLists: undefined }));

/** Sends the right body of a search with some of it replaced. */
async function asked(key: string, more: Row) {
	const request = requests.get(key);
	if (!request) throw new Error(`There is no request for ${key}`);
	return await send(d.customer, key, { ...request, body: { ...request.body, ...more } });
}

const job = (simulator: string) => `POST /api/${simulator}-simulator/${simulator}-campaign-job-report`;
const REPORT = 'POST /api/training-reports/{enrollmentId}';

describe('a search knows the sort names of its own rows', () => {
	const KNOWN: ReadonlyArray<[key: string, known: string, unknown: string]> = [
		['POST /api/companies/search', 'RenewalDate', 'Name'],
		['POST /api/companies/search', 'CreateTime', 'Email'],
		['POST /api/companies/search/export', 'RenewalDate', 'Name'],
		['POST /api/company-groups/search', 'CreateTime', 'RenewalDate'],
		['POST /api/companies/clients/search', 'CreateTime', 'Name'],
		['POST /api/enrollments/search', 'CreateTime', 'Email'],
		['POST /api/trainings/search', 'Name', 'Email'],
		['POST /api/target-groups/search/current-company', 'Name', 'Email'],
		['POST /api/scim/search', 'CreateTime', 'Email'],
		[`${REPORT}/users/search`, 'Email', 'CreateTime'],
		[`${REPORT}/sending-report/search`, 'Email', 'CreateTime'],
		['POST /api/enrollments/{enrollmentId}/certificates/search', 'UserEmail', 'Email'],
		[`${REPORT}/reminder-mails/search`, 'Email', 'CreateTime'],
		['POST /api/notifications/{enrollmentId}/search', 'CreateTime', 'UserEmail'],
		['POST /api/system-users/search', 'Email', 'UserEmail'],
		...SIMULATORS.flatMap((simulator): Array<[string, string, string]> => [
			[`POST /api/${simulator}-simulator/${simulator}-campaign/search`, 'CreateTime', 'Email'],
			[`${job(simulator)}/search`, 'Name', 'CreateTime'],
			[`${job(simulator)}/search/export`, 'Name', 'CreateTime'],
			[`${job(simulator)}/{searchType}/search/{resourceId}/{instanceGroup}`, 'Email', 'CreateTime'],
		]),
	];

	test.each(KNOWN)('%s: %s, not %s', async (key, known, unknown) => {
		expect((await asked(key, { orderBy: known })).status).toBe(200);
		expect(refusalOf(await asked(key, { orderBy: unknown }))).toEqual(INPUT_ERROR);
		expect(refusalOf(await asked(key, { orderBy: null }))).toEqual(INPUT_ERROR);
		expect(refusalOf(await asked(key, { orderBy: '' }))).toEqual(INPUT_ERROR);
	});

	test('and sorts by it', async () => {
		const rows = await d.customer.results(`${job('phishing')}/search`, body('Name', { ascending: false }));
		const names = rows.map(({ name }) => String(name));
		expect(names).toEqual([...names].sort().reverse());
		expect(new Set(names).size).toBeGreaterThan(1);
	});
});

describe('a filter', () => {
	const SEARCHES = [
		'POST /api/companies/search',
		'POST /api/enrollments/search',
		'POST /api/trainings/search',
		`${REPORT}/users/search`,
		`${job('quishing')}/search`,
		'POST /api/scim/search',
	];

	test.each(SEARCHES)('may hold no null: %s', async (key) => {
		for (const field of Object.keys(FILTER)) {
			expect(refusalOf(await asked(key, { filter: { ...FILTER, [field]: null } }))).toEqual(INPUT_ERROR);
		}
		expect(refusalOf(await asked(key, { filter: null }))).toEqual(INPUT_ERROR);
	});

	test('of clients may not be null: that breaks the service', async () => {
		expect(refusalOf(await asked('POST /api/companies/clients/search', { filter: null }))).toMatchObject({
			http: 500,
			status: 'INTERNAL_SERVER_ERROR',
		});
		expect(
			refusalOf(await asked('POST /api/companies/clients/search', { filter: { ...FILTER, Condition: null } })),
		).toEqual(INPUT_ERROR);
	});

	test.each(['POST /api/enrollments/search', 'POST /api/companies/clients/search'])(
		'has two groups, though they be empty: %s',
		async (key) => {
			const [and, or] = FILTER.FilterGroups;
			expect((await asked(key, { filter: FILTER })).status).toBe(200);
			for (const filter of [ALL, { ...FILTER, FilterGroups: [] }, { ...FILTER, FilterGroups: [and] }]) {
				expect(refusalOf(await asked(key, { filter }))).toEqual(INPUT_ERROR);
			}
			expect(
				(await asked(key, { filter: { condition: 'AND', searchInputTextValue: '', filterGroups: [and, or] } })).status,
			).toBe(200);
		},
	);

	test('of every other search may be the smallest', async () => {
		expect((await asked('POST /api/companies/search', { filter: ALL })).status).toBe(200);
	});

	test.each([
		['eq', 'Harbour Bakery', 1],
		['neq', 'Harbour Bakery', 39],
		['contains', 'Bakery', 8],
	])('has the operator %s', async (Operator, Value, expected) => {
		const groups = [
			{ Condition: 'AND', FilterItems: [{ FieldName: 'CompanyName', Operator, Value }], FilterGroups: [] },
		];
		const data = dataOf(
			await d.reseller.ask(
				'POST /api/companies/search',
				body('CreateTime', { filter: { ...FILTER, FilterGroups: groups } }),
			),
		);
		const flat = (rows: Row[]): Row[] => rows.flatMap((row) => [row, ...flat(rowsOf(row.children))]);
		expect(flat(rowsOf(data))).toHaveLength(expected);
	});
});

describe('a body', () => {
	test.each(['POST /api/scim/search', 'POST /api/companies/clients/search', `${job('smishing')}/search`])(
		'may not be empty: %s',
		async (key) => {
			const path = key.split(' ')[1] ?? '';
			expect(refusalOf(await d.customer.ask(`POST ${path}`, {})).http).toBeGreaterThanOrEqual(400);
			expect((await d.customer.ask(`POST ${path}`)).status).toBe(400);
		},
	);

	test('sent as json-patch breaks the search for clients and their creation, and nothing else', async () => {
		const headers = { 'content-type': 'application/json-patch+json' };
		const client = requests.get('POST /api/companies/clients')?.body;
		expect(
			refusalOf(
				await d.customer.ask('POST /api/companies/clients/search', JSON.stringify(body('CreateTime')), { headers }),
			),
		).toEqual(INPUT_ERROR);
		expect(refusalOf(await d.customer.ask('POST /api/companies/clients', JSON.stringify(client), { headers }))).toEqual(
			INPUT_ERROR,
		);
		expect(
			(await d.customer.ask('POST /api/companies/search', JSON.stringify(body('CreateTime')), { headers })).status,
		).toBe(200);
	});

	test('with a page larger than allowed gets the largest there is', async () => {
		d.service.setOptions({ maxPageSize: 7 });
		const page = await d.customer.record(
			`${job('phishing')}/All/search/${d.service.state.fullReportJob('phishing').resourceId}/1`,
			body('Email', { pageSize: 400 }),
		);
		expect(page).toMatchObject({ pageSize: 7, totalNumberOfRecords: 500, totalNumberOfPages: 72 });
		expect(page.results).toHaveLength(7);
	});
});

describe('a search type', () => {
	test.each(SIMULATORS)('is one of seven: %s', async (simulator) => {
		const { resourceId } = d.service.state.fullReportJob(simulator);
		const status = async (type: string) =>
			(await d.customer.ask(`${job(simulator)}/${type}/search/${resourceId}/1`, body('Email'))).status;
		for (const type of ['All', 'Opened', 'Clicked', 'NoResponse', 'Reported', 'AttachmentOpened', 'Replied'])
			expect([type, await status(type)]).toEqual([type, 200]);
		for (const type of ['Submitted', 'opened', 'all', 'email-opened', 'constructor'])
			expect([type, await status(type)]).toEqual([type, 400]);
	});
});

describe('a refusal', () => {
	test('is told in PascalCase where the input is wrong, in camelCase elsewhere', async () => {
		const wrong = await asked(`${job('phishing')}/search`, { orderBy: 'CreateTime' });
		expect(wrong.data).toEqual({
			Data: null,
			Status: 'INPUT_ERROR',
			Message: 'Invalid request',
			ValidationMessages: ['The OrderBy field is not valid: CreateTime.'],
		});
		const unknown = await d.reseller.ask('GET /api/companies/nobody');
		expect(unknown).toMatchObject({
			status: 404,
			data: { data: null, status: null, message: expect.stringContaining('company') },
		});
	});

	test('comes with HTTP 200 where the service is told so, and only that of the input', async () => {
		d.service.setOptions({ inputErrorsAs200: true });
		expect(refusalOf(await asked(`${job('phishing')}/search`, { orderBy: 'CreateTime' }))).toEqual({
			...INPUT_ERROR,
			http: 200,
		});
		expect((await d.reseller.ask('GET /api/companies/nobody')).status).toBe(404);
		expect((await asked(`${job('phishing')}/search`, {})).status).toBe(200);
	});

	test('of a token is a 400 with invalid_client', async () => {
		const refused = await d.reseller.requestToken({ client_secret: 'wrong' });
		expect(refused).toMatchObject({ status: 400, data: { error: 'invalid_client' } });
		const { data } = await d.reseller.requestToken();
		const claims: unknown = JSON.parse(
			Buffer.from(String(data.access_token).split('.')[1] ?? '', 'base64url').toString(),
		);
		expect(claims).toMatchObject({
			user_company_id: expect.any(Number),
			user_company_parentcompany_resourceid: expect.any(String),
		});
	});
});
