/** Tests of license ends and due dates without a time: the day ends in the workflow's time zone, not in the machine's. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { isLicenseExpired } from '../../nodes/core/companies/companies';
import { readLastMoment } from '../../nodes/core/values';
import { startFakeServer, getJson, createNodeFixture } from '../n8n-core/nodeFixture';

/** Creates a page of companies, one for each license end. The license end is also the company's name. */
const createCompanyPage = (ends: string[]) => ({
	results: ends.map((end, index) => ({ companyResourceId: `c${index}`, companyName: end, licenseEndDate: end })),
	totalNumberOfPages: 1,
	totalNumberOfRecords: ends.length,
});
const SEARCH_ROUTE = 'POST /api/companies/search';
const getCompanyNames = (items: Parameters<typeof getJson>[0]) => getJson(items).map(({ companyName }) => companyName);

const ZONES = ['UTC', 'America/Los_Angeles', 'Asia/Kolkata', 'Europe/Berlin', 'Pacific/Auckland'];
// The first day is an ordinary one. On the others, the clocks change in Berlin and in Los Angeles.
const DAYS = ['2026-06-30', '2026-10-25', '2026-11-01'];

describe.each(ZONES)('%s', (timezone) => {
	test.each(DAYS)('%s ends when the next day starts in this time zone', (day) => {
		const next = DateTime.fromISO(day, { zone: timezone }).plus({ days: 1 }).toMillis();
		for (const value of [day, `${day}T00:00:00`, ` ${day} `]) {
			expect(readLastMoment(value, timezone).toMillis()).toBe(next - 1);
			expect(isLicenseExpired({ licenseEndDate: value }, next - 1, timezone)).toBe(false);
			expect(isLicenseExpired({ licenseEndDate: value }, next, timezone)).toBe(true);
		}
	});

	test('a time with a time zone is used exactly, and a time without one is in UTC', () => {
		const moment = Date.parse('2026-06-30T09:30:00Z');
		for (const value of ['2026-06-30T09:30:00Z', '2026-06-30T11:30:00+02:00', '2026-06-30T09:30:00'])
			expect(readLastMoment(value, timezone).toMillis()).toBe(moment);
		// The license ends with the day that this time has in the workflow's time zone.
		const endOfDay = DateTime.fromMillis(moment, { zone: timezone }).endOf('day').toMillis();
		expect(isLicenseExpired({ licenseEndDate: '2026-06-30T09:30:00Z' }, endOfDay, timezone)).toBe(false);
		expect(isLicenseExpired({ licenseEndDate: '2026-06-30T09:30:00Z' }, endOfDay + 1, timezone)).toBe(true);
	});
});

describe('in the node', () => {
	const fixture = createNodeFixture();
	/** Returns the date of the day that is `offset` days after today in a time zone. */
	const getDay = (timezone: string, offset: number) =>
		DateTime.now().setZone(timezone).plus({ days: offset }).toISODate();
	// At any time, at least two of these zones have different dates.
	const zones = ['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago'];

	test.each(zones)('renewal due, expired and not expired use the days of %s', async (timezone) => {
		const days = [-1, 0, 30, 31].map((offset) => String(getDay(timezone, offset)));
		const [yesterday, today, last] = days;
		const { credentialStore: store } = await startFakeServer({ [SEARCH_ROUTE]: { data: createCompanyPage(days) } });
		const listCompanyNames = async (parameters: IDataObject) => {
			const form = { operation: 'getMany', returnAll: true, ...parameters };
			return getCompanyNames(
				(await fixture.run(SecurityAwarenessCompany, form, { credentialStore: store, settings: { timezone } })).items,
			);
		};
		expect(await listCompanyNames({ show: 'renewal', renewalWithinDays: 30 })).toEqual([today, last]);
		expect(await listCompanyNames({ show: 'renewal', renewalWithinDays: 0 })).toEqual([today]);
		expect(await listCompanyNames({ show: 'expired' })).toEqual([yesterday]);
	});

	test.each([
		['lt', ['2026-06-29'], '2026-06-29T22:00:00.000Z'],
		['lte', ['2026-06-29', '2026-06-30', '2026-06-30T20:00:00Z'], '2026-06-30T21:59:59.999Z'],
		['gt', ['2026-07-01', '2026-06-30T22:00:00Z'], '2026-06-30T21:59:59.999Z'],
		['gte', ['2026-06-30', '2026-06-30T20:00:00Z', '2026-07-01', '2026-06-30T22:00:00Z'], '2026-06-29T22:00:00.000Z'],
	])('the condition %s with a day compares whole days', async (operator, keptEnds, sentDate) => {
		const ends = ['2026-06-29', '2026-06-30', '2026-06-30T20:00:00Z', '2026-07-01', '2026-06-30T22:00:00Z'];
		const server = await startFakeServer({ [SEARCH_ROUTE]: { data: createCompanyPage(ends) } });
		const row = { field: 'LicenseEndDate', operator, value: '2026-06-30' };
		const { items } = await fixture.run(
			SecurityAwarenessCompany,
			{ operation: 'getMany', returnAll: true, filters: { fieldFilters: { rows: [row] } } },
			{ credentialStore: server.credentialStore, settings: { timezone: 'Europe/Berlin' } },
		);
		expect(getCompanyNames(items).sort()).toEqual([...keptEnds].sort());
		expect(JSON.stringify(server.requests[0]?.body)).toContain(sentDate);
	});
});
