/** Tests of license ends and due dates without a time: the day ends in the workflow's time zone, not in the machine's. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { isLicenseExpired } from '../../nodes/core/companies/companies';
import { readLastMoment } from '../../nodes/core/values';
import { startFakeServer, getJson, createNodeFixture } from '../n8n-core/nodeFixture';

/** Creates the answer to a search of companies that all have this license end. */
const companiesEnding = (ends: string[]) => ({
	results: ends.map((end, at) => ({ companyResourceId: `c${at}`, companyName: end, licenseEndDate: end })),
	totalNumberOfPages: 1,
	totalNumberOfRecords: ends.length,
});
const SEARCH = 'POST /api/companies/search';
const namesIn = (items: Parameters<typeof getJson>[0]) => getJson(items).map(({ companyName }) => companyName);

const ZONES = ['UTC', 'America/Los_Angeles', 'Asia/Kolkata', 'Europe/Berlin', 'Pacific/Auckland'];
// A usual day, and the days when the clocks change in Berlin and in Los Angeles.
const DAYS = ['2026-06-30', '2026-10-25', '2026-11-01'];

describe.each(ZONES)('%s', (timezone) => {
	test.each(DAYS)('%s ends when the next day begins there', (day) => {
		const next = DateTime.fromISO(day, { zone: timezone }).plus({ days: 1 }).toMillis();
		for (const value of [day, `${day}T00:00:00`, ` ${day} `]) {
			expect(readLastMoment(value, timezone).toMillis()).toBe(next - 1);
			expect(isLicenseExpired({ licenseEndDate: value }, next - 1, timezone)).toBe(false);
			expect(isLicenseExpired({ licenseEndDate: value }, next, timezone)).toBe(true);
		}
	});

	test('a time with a zone stays exact, and one without is UTC', () => {
		const moment = Date.parse('2026-06-30T09:30:00Z');
		for (const value of ['2026-06-30T09:30:00Z', '2026-06-30T11:30:00+02:00', '2026-06-30T09:30:00'])
			expect(readLastMoment(value, timezone).toMillis()).toBe(moment);
		// A time counts on the day that it has in the workflow's time zone.
		const endOfDay = DateTime.fromMillis(moment, { zone: timezone }).endOf('day').toMillis();
		expect(isLicenseExpired({ licenseEndDate: '2026-06-30T09:30:00Z' }, endOfDay, timezone)).toBe(false);
		expect(isLicenseExpired({ licenseEndDate: '2026-06-30T09:30:00Z' }, endOfDay + 1, timezone)).toBe(true);
	});
});

describe('in the node', () => {
	const b = createNodeFixture();
	/** Returns a day relative to today in a time zone, without a time. */
	const dayIn = (timezone: string, offset: number) =>
		DateTime.now().setZone(timezone).plus({ days: offset }).toISODate();
	// At any hour, at least two of these zones have different days.
	const zones = ['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago'];

	test.each(zones)('renewal due, expired and not expired count days of %s', async (timezone) => {
		const days = [-1, 0, 30, 31].map((offset) => String(dayIn(timezone, offset)));
		const [yesterday, today, last] = days;
		const { store } = await startFakeServer({ [SEARCH]: { data: companiesEnding(days) } });
		const shown = async (parameters: IDataObject) => {
			const all = { operation: 'getMany', returnAll: true, ...parameters };
			return namesIn((await b.run(SecurityAwarenessCompany, all, { store, settings: { timezone } })).items);
		};
		expect(await shown({ show: 'renewal', renewalWithinDays: 30 })).toEqual([today, last]);
		expect(await shown({ show: 'renewal', renewalWithinDays: 0 })).toEqual([today]);
		expect(await shown({ show: 'expired' })).toEqual([yesterday]);
	});

	test.each([
		['lt', ['2026-06-29'], '2026-06-29T22:00:00.000Z'],
		['lte', ['2026-06-29', '2026-06-30', '2026-06-30T20:00:00Z'], '2026-06-30T21:59:59.999Z'],
		['gt', ['2026-07-01', '2026-06-30T22:00:00Z'], '2026-06-30T21:59:59.999Z'],
		['gte', ['2026-06-30', '2026-06-30T20:00:00Z', '2026-07-01', '2026-06-30T22:00:00Z'], '2026-06-29T22:00:00.000Z'],
	])('a condition %s a day compares whole days', async (operator, kept, sent) => {
		const ends = ['2026-06-29', '2026-06-30', '2026-06-30T20:00:00Z', '2026-07-01', '2026-06-30T22:00:00Z'];
		const odd = await startFakeServer({ [SEARCH]: { data: companiesEnding(ends) } });
		const row = { field: 'LicenseEndDate', operator, value: '2026-06-30' };
		const { items } = await b.run(
			SecurityAwarenessCompany,
			{ operation: 'getMany', returnAll: true, filters: { fieldFilters: { rows: [row] } } },
			{ store: odd.store, settings: { timezone: 'Europe/Berlin' } },
		);
		expect(namesIn(items).sort()).toEqual([...kept].sort());
		expect(JSON.stringify(odd.requests[0]?.body)).toContain(sent);
	});
});
