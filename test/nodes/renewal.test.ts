/** Tests two filters that the node applies itself: companies whose license ends soon, and enrollments without tests. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import type { CredentialStore } from '../n8n-core';
import {
	startFakeServer,
	createNodeFixture,
	getHintMessages,
	getJson,
	sendJson,
	parseText,
} from '../n8n-core/nodeFixture';

const SEARCH_COMPANIES = 'POST /api/companies/search';
const DAY_MS = 86_400_000;
/** Formats the date that is `offset` days after today, in UTC, as the platform does. */
const formatDay = (offset: number, time = 'T00:00:00Z') =>
	new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10) + time;
const listIds = (records: readonly IDataObject[]) => records.map(({ companyResourceId }) => companyResourceId);
const bodySchema = z.object({ pageNumber: z.number(), pageSize: z.number() }).passthrough();

/**
 * Starts a fake platform that returns these companies in this order, regardless of the requested sort order.
 * @param maxPageSize the maximum number of companies on a page
 * @returns the credential for the platform, and the numbers of the requested pages
 */
async function startPlatform(companies: IDataObject[], maxPageSize = 100) {
	const requestedPages: number[] = [];
	const fakeServer = await startFakeServer((request, response) => {
		const { pageNumber, pageSize } = bodySchema.parse(request.body);
		requestedPages.push(pageNumber);
		const size = Math.min(maxPageSize, pageSize);
		const results = companies.slice((pageNumber - 1) * size, pageNumber * size);
		const { length } = companies;
		const data = { results, totalNumberOfPages: Math.ceil(length / size), totalNumberOfRecords: length };
		sendJson(response, 200, { data });
	});
	return { credentialStore: fakeServer.credentialStore, requestedPages };
}

const createCompany = (companyResourceId: string, licenseEndDate: unknown, fields: IDataObject = {}): IDataObject =>
	({ companyResourceId, licenseEndDate, ...fields }) as IDataObject;

describe('renewal due', () => {
	const fixture = createNodeFixture({ companyCount: 300 });

	test('returns the companies from today to the last day, the earliest end date first', async () => {
		// The dates of the stand-in are fixed, so the period is chosen to contain half of the future dates.
		const futureDates = fixture.standIn.world.companies
			.map(({ licenseEndDate }) => licenseEndDate.slice(0, 10))
			.filter((endDate) => endDate >= formatDay(0, ''))
			.sort();
		const renewalWithinDays = Math.ceil(
			(Date.parse(parseText(futureDates[Math.floor(futureDates.length / 2)])) - Date.now()) / DAY_MS,
		);
		const parameters = { operation: 'getMany', returnAll: true, output: 'raw', show: 'renewal', renewalWithinDays };
		const { items } = await fixture.run(SecurityAwarenessCompany, parameters, { settings: { timezone: 'UTC' } });
		const expected = fixture.standIn.world.companies.filter(
			({ licenseEndDate }) =>
				licenseEndDate.slice(0, 10) >= formatDay(0, '') &&
				licenseEndDate.slice(0, 10) <= formatDay(renewalWithinDays, ''),
		);
		expect(expected.length).toBeGreaterThan(5);
		expect(expected.length).toBeLessThan(fixture.standIn.world.companies.length);
		expect([...listIds(getJson(items))].map(parseText).sort()).toEqual(
			expected.map(({ companyResourceId }) => companyResourceId).sort(),
		);
		expect(fixture.standIn.getRequests(SEARCH_COMPANIES)[0]?.body).toMatchObject({
			orderBy: 'RenewalDate',
			ascending: true,
		});
		const endDates = getJson(items).map(({ licenseEndDate }) => parseText(licenseEndDate));
		expect(endDates).toEqual([...endDates].sort());
	});
});

describe('renewal due, with special dates and children', () => {
	const fixture = createNodeFixture();
	const runRenewal = async (credentialStore: CredentialStore, parameters: IDataObject = {}) =>
		fixture.run(
			SecurityAwarenessCompany,
			{ operation: 'getMany', show: 'renewal', renewalWithinDays: 30, returnAll: true, ...parameters },
			{ credentialStore, settings: { timezone: 'UTC' } },
		);
	const listDueIds = async (credentialStore: CredentialStore, parameters: IDataObject = {}) =>
		listIds(getJson((await runRenewal(credentialStore, parameters)).items));

	test('compares whole days: today and the last day are included at any time of day, and a license without a date is not due', async () => {
		const { credentialStore } = await startPlatform([
			createCompany('yesterday', formatDay(-1, 'T23:59:59Z')),
			createCompany('today', formatDay(0)),
			createCompany('today, said to have run out', formatDay(0), { licenceExpired: true }),
			createCompany('no zone', formatDay(3, 'T12:00:00')),
			createCompany('a day only', formatDay(4, '')),
			createCompany('the last day', formatDay(30, 'T23:59:59.999Z')),
			createCompany('the last day, elsewhere', formatDay(31, 'T00:30:00+01:00')),
			createCompany('the day after', formatDay(31)),
			...[null, '', 'soon', '31.12.2031', 0, 20311231].map((endDate, index) => createCompany(`odd ${index}`, endDate)),
			{ companyResourceId: 'none' },
		]);
		expect(await listDueIds(credentialStore)).toEqual([
			'today',
			'today, said to have run out',
			'no zone',
			'a day only',
			'the last day, elsewhere',
			'the last day',
		]);
		expect(await listDueIds(credentialStore, { renewalWithinDays: 0 })).toEqual([
			'today',
			'today, said to have run out',
		]);
	});

	test('a license is either due or expired, never both', async () => {
		const { credentialStore } = await startPlatform([
			createCompany('yesterday', formatDay(-1, 'T23:59:59Z')),
			createCompany('today', formatDay(0)),
			createCompany('today, said to have run out', formatDay(0), { licenceExpired: true }),
			createCompany('tomorrow, said to have run out', formatDay(1), { licenceExpired: true }),
			createCompany('tomorrow', formatDay(1)),
		]);
		expect(await listDueIds(credentialStore)).toEqual(['today', 'today, said to have run out', 'tomorrow']);
		expect(await listDueIds(credentialStore, { show: 'expired' })).toEqual([
			'yesterday',
			'tomorrow, said to have run out',
		]);
	});

	test('a child company is found even if the license of its parent ends later or never', async () => {
		const { credentialStore, requestedPages } = await startPlatform(
			[
				createCompany('due', formatDay(2)),
				createCompany('later', formatDay(90), {
					children: [
						createCompany('due child', formatDay(5), { children: [createCompany('due grandchild', formatDay(1))] }),
					],
				}),
				createCompany('later still', formatDay(95), {
					children: [createCompany('child of later still', formatDay(6))],
				}),
				createCompany('never', null, {
					children: [createCompany('child of never', formatDay(7)), createCompany('late child', formatDay(99))],
				}),
			],
			1,
		);
		expect(await listDueIds(credentialStore)).toEqual([
			'due grandchild',
			'due',
			'due child',
			'child of later still',
			'child of never',
		]);
		expect(await listDueIds(credentialStore, { returnAll: false, limit: 1 })).toEqual(['due grandchild']);
		expect(requestedPages.slice(0, 4).sort()).toEqual([1, 2, 3, 4]);
		// If children stay inside their parents, only the parents are compared.
		expect(await listDueIds(credentialStore, { splitChildren: false })).toEqual(['due']);
	});

	/** 200 companies whose licenses end on consecutive days, the first one five days ago. */
	const sortedCompanies = Array.from({ length: 200 }, (_, index) => createCompany(String(index), formatDay(index - 5)));
	const dueIds = sortedCompanies.slice(5, 36).map(({ companyResourceId }) => companyResourceId);
	const sequentialParameters = { splitChildren: false, options: { concurrency: 1 } };

	test('reading stops after the last company that is due, and no company counts as missing', async () => {
		const { credentialStore, requestedPages } = await startPlatform(sortedCompanies, 10);
		const result = await runRenewal(credentialStore, sequentialParameters);
		expect(listIds(getJson(result.items))).toEqual(dueIds);
		expect(getHintMessages(result)).toEqual([]);
		// Only four pages are needed, but two more are requested in advance.
		expect(Math.max(...requestedPages)).toBeLessThanOrEqual(6);
	});

	test('in an order that the user selected, all companies that are due are found, because they may follow any other', async () => {
		const { credentialStore } = await startPlatform(
			[
				createCompany('Bakery', formatDay(90)),
				createCompany('Café', formatDay(2)),
				createCompany('Dairy', formatDay(60)),
				createCompany('Mill', formatDay(5)),
			],
			1,
		);
		const parameters = { ...sequentialParameters, sort: { fields: { by: 'Name' } } };
		expect(await listDueIds(credentialStore, parameters)).toEqual(['Café', 'Mill']);
	});
});

describe('exclude tests', () => {
	const fixture = createNodeFixture();
	const listNames = async (parameters: IDataObject, results: IDataObject[]) => {
		const fakeServer = await startFakeServer((_request, response) =>
			sendJson(response, 200, { data: { results, totalNumberOfPages: 1 } }),
		);
		const { items } = await fixture.run(
			SecurityAwarenessEnrollment,
			{ operation: 'getMany', companyScope: 'own', returnAll: true, ...parameters },
			{ credentialStore: fakeServer.credentialStore },
		);
		return getJson(items).map(({ name }) => name);
	};
	const enrollments: IDataObject[] = [
		{ enrollmentId: 'a', name: 'plain' },
		{ enrollmentId: 'b', name: 'no test', markedAsTest: false, excludeFromReports: null, settings: {} },
		{ enrollmentId: 'c', name: 'marked', markedAsTest: true },
		{ enrollmentId: 'd', name: 'excluded', excludeFromReports: true },
		{ enrollmentId: 'e', name: 'is a test', isTest: true },
		{ enrollmentId: 'f', name: 'in settings', settings: { excludeFromReports: true } },
		{ enrollmentId: 'g', name: 'settings as text', settings: 'true' },
	];

	test('every mark of a test is recognized, and tests are only left out if the user selected it', async () => {
		expect(await listNames({ filters: { excludeTests: true } }, enrollments)).toEqual([
			'plain',
			'no test',
			'settings as text',
		]);
		expect(await listNames({ filters: { excludeTests: false } }, enrollments)).toHaveLength(enrollments.length);
		// A workflow that was saved before the filter existed returns all enrollments.
		expect(await listNames({}, enrollments)).toHaveLength(enrollments.length);
	});

	test('the limit applies after the tests are left out', async () => {
		expect(
			await listNames({ filters: { excludeTests: true }, returnAll: false, limit: 3 }, [...enrollments].reverse()),
		).toEqual(['settings as text', 'no test', 'plain']);
	});
});
