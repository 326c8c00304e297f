/** Companies whose license ends soon, and enrollments without tests: filters that the service does not have. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { startFakeServer, createNodeFixture, getJson, sendJson, parseText } from '../n8n-core/nodeFixture';

const SEARCH = 'POST /api/companies/search';
const DAY_MS = 86_400_000;
/** A day from today, in UTC, as the service writes it. */
const day = (offset: number, time = 'T00:00:00Z') =>
	new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10) + time;
const idsOf = (records: readonly IDataObject[]) => records.map(({ companyResourceId }) => companyResourceId);
const body = z.object({ pageNumber: z.number(), pageSize: z.number() }).passthrough();

/** A service with these companies, in this order whatever is asked, some on each page; and which pages were asked for. */
async function withCompanies(companies: IDataObject[], perPage = 100) {
	const pages: number[] = [];
	const odd = await startFakeServer((asked, response) => {
		const { pageNumber, pageSize } = body.parse(asked.body);
		pages.push(pageNumber);
		const size = Math.min(perPage, pageSize);
		const results = companies.slice((pageNumber - 1) * size, pageNumber * size);
		const { length } = companies;
		const data = { results, totalNumberOfPages: Math.ceil(length / size), totalNumberOfRecords: length };
		sendJson(response, 200, { data });
	});
	return { store: odd.credentialStore, pages };
}

const ending = (companyResourceId: string, licenseEndDate: unknown, more: IDataObject = {}): IDataObject =>
	({ companyResourceId, licenseEndDate, ...more }) as IDataObject;

describe('renewal due', () => {
	const fixture = createNodeFixture({ companyCount: 300 });

	test('renewal due: from today on, within the days, the first to end first', async () => {
		// The seed's dates stand still, so the window is one that takes half of what is to come.
		const ahead = fixture.standIn.world.companies
			.map(({ licenseEndDate }) => licenseEndDate.slice(0, 10))
			.filter((end) => end >= day(0, ''))
			.sort();
		const renewalWithinDays = Math.ceil(
			(Date.parse(parseText(ahead[Math.floor(ahead.length / 2)])) - Date.now()) / DAY_MS,
		);
		const parameters = { operation: 'getMany', returnAll: true, output: 'raw', show: 'renewal', renewalWithinDays };
		const { items } = await fixture.run(SecurityAwarenessCompany, parameters, { settings: { timezone: 'UTC' } });
		const expected = fixture.standIn.world.companies.filter(
			({ licenseEndDate }) =>
				licenseEndDate.slice(0, 10) >= day(0, '') && licenseEndDate.slice(0, 10) <= day(renewalWithinDays, ''),
		);
		expect(expected.length).toBeGreaterThan(5);
		expect(expected.length).toBeLessThan(fixture.standIn.world.companies.length);
		expect([...idsOf(getJson(items))].map(parseText).sort()).toEqual(
			expected.map(({ companyResourceId }) => companyResourceId).sort(),
		);
		expect(fixture.standIn.getRequests(SEARCH)[0]?.body).toMatchObject({ orderBy: 'RenewalDate', ascending: true });
		const ends = getJson(items).map(({ licenseEndDate }) => parseText(licenseEndDate));
		expect(ends).toEqual([...ends].sort());
	});
});

describe('renewal due', () => {
	const fixture = createNodeFixture();
	const due = async (store: Awaited<ReturnType<typeof withCompanies>>['store'], more: IDataObject = {}) =>
		idsOf(
			getJson(
				(
					await fixture.run(
						SecurityAwarenessCompany,
						{ operation: 'getMany', show: 'renewal', renewalWithinDays: 30, returnAll: true, ...more },
						{ credentialStore: store, settings: { timezone: 'UTC' } },
					)
				).items,
			),
		);

	test('by whole days: today and the last day count, whatever the hour; without a date it is not due', async () => {
		const { store } = await withCompanies([
			ending('yesterday', day(-1, 'T23:59:59Z')),
			ending('today', day(0)),
			ending('today, said to have run out', day(0), { licenceExpired: true }),
			ending('no zone', day(3, 'T12:00:00')),
			ending('a day only', day(4, '')),
			ending('the last day', day(30, 'T23:59:59.999Z')),
			ending('the last day, elsewhere', day(31, 'T00:30:00+01:00')),
			ending('the day after', day(31)),
			...[null, '', 'soon', '31.12.2031', 0, 20311231].map((end, at) => ending(`odd ${at}`, end)),
			{ companyResourceId: 'none' },
		]);
		expect(await due(store)).toEqual([
			'today',
			'today, said to have run out',
			'no zone',
			'a day only',
			'the last day, elsewhere',
			'the last day',
		]);
		expect(await due(store, { renewalWithinDays: 0 })).toEqual(['today', 'today, said to have run out']);
	});

	test('a license is due or has expired, never both', async () => {
		const { store } = await withCompanies([
			ending('yesterday', day(-1, 'T23:59:59Z')),
			ending('today', day(0)),
			ending('today, said to have run out', day(0), { licenceExpired: true }),
			ending('tomorrow, said to have run out', day(1), { licenceExpired: true }),
			ending('tomorrow', day(1)),
		]);
		expect(await due(store)).toEqual(['today', 'today, said to have run out', 'tomorrow']);
		expect(await due(store, { show: 'expired' })).toEqual(['yesterday', 'tomorrow, said to have run out']);
	});

	test('a child is found inside a parent that ends later, or never', async () => {
		const { store, pages } = await withCompanies(
			[
				ending('due', day(2)),
				ending('later', day(90), {
					children: [ending('due child', day(5), { children: [ending('due grandchild', day(1))] })],
				}),
				ending('later still', day(95), { children: [ending('child of later still', day(6))] }),
				ending('never', null, { children: [ending('child of never', day(7)), ending('late child', day(99))] }),
			],
			1,
		);
		expect(await due(store)).toEqual(['due grandchild', 'due', 'due child', 'child of later still', 'child of never']);
		expect(await due(store, { returnAll: false, limit: 1 })).toEqual(['due grandchild']);
		expect(pages.slice(0, 4).sort()).toEqual([1, 2, 3, 4]);
		// Left inside, only the parents count.
		expect(await due(store, { splitChildren: false })).toEqual(['due']);
	});

	/** Ends each day from five days ago on, for 200 days. */
	const inOrder = Array.from({ length: 200 }, (_, at) => ending(String(at), day(at - 5)));
	const wanted = inOrder.slice(5, 36).map(({ companyResourceId }) => companyResourceId);
	const alone = { splitChildren: false, options: { concurrency: 1 } };

	test('nothing is read past the last that is due', async () => {
		const { store, pages } = await withCompanies(inOrder, 10);
		expect(await due(store, alone)).toEqual(wanted);
		// Two are asked for ahead.
		expect(Math.max(...pages)).toBeLessThanOrEqual(6);
	});
});

describe('exclude tests', () => {
	const fixture = createNodeFixture();
	const shown = async (parameters: IDataObject, results: IDataObject[]) => {
		const odd = await startFakeServer((_request, response) =>
			sendJson(response, 200, { data: { results, totalNumberOfPages: 1 } }),
		);
		const { items } = await fixture.run(
			SecurityAwarenessEnrollment,
			{ operation: 'getMany', companyScope: 'own', returnAll: true, ...parameters },
			{ credentialStore: odd.credentialStore },
		);
		return getJson(items).map(({ name }) => name);
	};
	const rows: IDataObject[] = [
		{ enrollmentId: 'a', name: 'plain' },
		{ enrollmentId: 'b', name: 'no test', markedAsTest: false, excludeFromReports: null, settings: {} },
		{ enrollmentId: 'c', name: 'marked', markedAsTest: true },
		{ enrollmentId: 'd', name: 'excluded', excludeFromReports: true },
		{ enrollmentId: 'e', name: 'is a test', isTest: true },
		{ enrollmentId: 'f', name: 'in settings', settings: { excludeFromReports: true } },
		{ enrollmentId: 'g', name: 'settings as text', settings: 'true' },
	];

	test('whatever marks one, and only where it is wanted', async () => {
		expect(await shown({ filters: { excludeTests: true } }, rows)).toEqual(['plain', 'no test', 'settings as text']);
		expect(await shown({ filters: { excludeTests: false } }, rows)).toHaveLength(rows.length);
		// As saved before there was the choice.
		expect(await shown({}, rows)).toHaveLength(rows.length);
	});

	test('the limit counts what is left', async () => {
		expect(await shown({ filters: { excludeTests: true }, returnAll: false, limit: 3 }, [...rows].reverse())).toEqual([
			'settings as text',
			'no test',
			'plain',
		]);
	});
});
