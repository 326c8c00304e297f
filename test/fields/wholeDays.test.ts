/**
 * Tests of dates without a time, such as the end of a license: the day ends at midnight in the workflow's time zone, not in the computer's.
 */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { isLicenseExpired } from '../../nodes/core/companies/companies';
import { parseEndDate } from '../../nodes/core/fields/fieldTypes';
import { rejectNewStartInPast } from '../../nodes/core/fields/period';
import { readLastMoment } from '../../nodes/core/values';
import { startFakeServer, getJson, createNodeFixture } from '../n8n-core/nodeFixture';

/** Creates a page with one company for each license end. The license end is also the company's name, so that the tests can identify it. */
const createCompanyPage = (licenseEnds: string[]) => ({
	results: licenseEnds.map((end, index) => ({ companyResourceId: `c${index}`, companyName: end, licenseEndDate: end })),
	totalNumberOfPages: 1,
	totalNumberOfRecords: licenseEnds.length,
});
const SEARCH_ROUTE = 'POST /api/companies/search';
const getCompanyNames = (items: Parameters<typeof getJson>[0]) => getJson(items).map(({ companyName }) => companyName);

const ZONES = ['UTC', 'America/Los_Angeles', 'Asia/Kolkata', 'Europe/Berlin', 'Pacific/Auckland'];
// On the first day, no clocks change. On the second day they change in Berlin, on the third day in Los Angeles.
const DAYS = ['2026-06-30', '2026-10-25', '2026-11-01'];

describe.each(ZONES)('%s', (timezone) => {
	test.each(DAYS)('%s ends when the next day starts in this time zone', (day) => {
		const nextDayStart = DateTime.fromISO(day, { zone: timezone }).plus({ days: 1 }).toMillis();
		for (const value of [day, `${day}T00:00:00`, ` ${day} `]) {
			expect(readLastMoment(value, timezone).toMillis()).toBe(nextDayStart - 1);
			expect(isLicenseExpired({ licenseEndDate: value }, nextDayStart - 1, timezone)).toBe(false);
			expect(isLicenseExpired({ licenseEndDate: value }, nextDayStart, timezone)).toBe(true);
		}
	});

	test('a time with a time zone is used exactly, and a time without one is in UTC', () => {
		const exactTime = Date.parse('2026-06-30T09:30:00Z');
		for (const value of ['2026-06-30T09:30:00Z', '2026-06-30T11:30:00+02:00', '2026-06-30T09:30:00'])
			expect(readLastMoment(value, timezone).toMillis()).toBe(exactTime);
		// A license with this end is valid until the end of that day in the workflow's time zone.
		const endOfDay = DateTime.fromMillis(exactTime, { zone: timezone }).endOf('day').toMillis();
		expect(isLicenseExpired({ licenseEndDate: '2026-06-30T09:30:00Z' }, endOfDay, timezone)).toBe(false);
		expect(isLicenseExpired({ licenseEndDate: '2026-06-30T09:30:00Z' }, endOfDay + 1, timezone)).toBe(true);
	});
});

test.each([
	['$today', '2026-06-30T00:00:00', '2026-06-30T21:59:59.999Z'],
	['a time of that day', '2026-06-30T00:00:01', '2026-06-29T22:00:01.000Z'],
])('%s as the end of something', (_name, localTime, end) => {
	expect(parseEndDate(DateTime.fromISO(localTime, { zone: 'Europe/Berlin' }), 'UTC')).toBe(end);
});

test.each(['2026-06-30T09:30:00Z', '2026-06-30T09:30:00', '2026-06-30T05:30:00'])(
	'a start in the past is accepted if the record already has it, in UTC or in the time zone of the workflow: %s',
	async (storedStart) => {
		const rejectStart = async (start: string) =>
			rejectNewStartInPast(start, 'America/New_York', ['start'], async () => Promise.resolve(storedStart));
		await rejectStart('2026-06-30T09:30:00.000Z');
		await expect(rejectStart('2026-06-30T10:30:00.000Z')).rejects.toThrow('must not be in the past');
	},
);

describe('in the node', () => {
	const fixture = createNodeFixture();
	/** Returns the date of the day that is `offset` days after today in a time zone. */
	const getDay = (timezone: string, offset: number) =>
		DateTime.now().setZone(timezone).plus({ days: offset }).toISODate();
	// At any moment, at least two of these time zones have different dates.
	const ZONES_WITH_DIFFERENT_DATES = ['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago'];

	test.each(ZONES_WITH_DIFFERENT_DATES)('renewal due, expired and not expired use the days of %s', async (timezone) => {
		const days = [-1, 0, 30, 31].map((offset) => String(getDay(timezone, offset)));
		const [yesterday, today, lastRenewalDay] = days;
		const { credentialStore } = await startFakeServer({ [SEARCH_ROUTE]: { data: createCompanyPage(days) } });
		const listCompanyNames = async (parameters: IDataObject) => {
			const form = { operation: 'getMany', returnAll: true, ...parameters };
			return getCompanyNames(
				(await fixture.run(SecurityAwarenessCompany, form, { credentialStore, settings: { timezone } })).items,
			);
		};
		expect(await listCompanyNames({ show: 'renewal', renewalWithinDays: 30 })).toEqual([today, lastRenewalDay]);
		expect(await listCompanyNames({ show: 'renewal', renewalWithinDays: 0 })).toEqual([today]);
		expect(await listCompanyNames({ show: 'expired' })).toEqual([yesterday]);
	});

	test.each([
		['lt', ['2026-06-29'], '2026-06-29T22:00:00.000Z'],
		['lte', ['2026-06-29', '2026-06-30', '2026-06-30T20:00:00Z'], '2026-06-30T21:59:59.999Z'],
		['gt', ['2026-07-01', '2026-06-30T22:00:00Z'], '2026-06-30T21:59:59.999Z'],
		['gte', ['2026-06-30', '2026-06-30T20:00:00Z', '2026-07-01', '2026-06-30T22:00:00Z'], '2026-06-29T22:00:00.000Z'],
	])('the condition %s with a day compares whole days', async (operator, keptEnds, sentDate) => {
		const licenseEnds = ['2026-06-29', '2026-06-30', '2026-06-30T20:00:00Z', '2026-07-01', '2026-06-30T22:00:00Z'];
		const server = await startFakeServer({ [SEARCH_ROUTE]: { data: createCompanyPage(licenseEnds) } });
		const condition = { field: 'LicenseEndDate', operator, value: '2026-06-30' };
		const { items } = await fixture.run(
			SecurityAwarenessCompany,
			{ operation: 'getMany', returnAll: true, filters: { fieldFilters: { rows: [condition] } } },
			{ credentialStore: server.credentialStore, settings: { timezone: 'Europe/Berlin' } },
		);
		expect(getCompanyNames(items).sort()).toEqual([...keptEnds].sort());
		expect(JSON.stringify(server.requests[0]?.body)).toContain(sentDate);
	});
});
