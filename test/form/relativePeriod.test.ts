/** Periods that are reckoned from today, in the workflow's time zone. */
import { relativePeriodOf, relativePeriods, windowOfPeriod } from '../../nodes/shared/form/relativePeriod';

type Name = Parameters<typeof windowOfPeriod>[0];
const spanOf = (period: Name, zone: string, now: string) => {
	const { from, until } = windowOfPeriod(period, zone, Date.parse(now));
	return [new Date(from).toISOString(), new Date(until).toISOString()];
};
const iso = (time: string) => new Date(time).toISOString();

test.each<[Name, zone: string, now: string, from: string, until: string]>([
	// In the middle of a quarter, a Wednesday.
	['today', 'Europe/Berlin', '2026-05-20T10:30:00+02:00', '2026-05-20T00:00:00+02:00', '2026-05-20T10:30:00+02:00'],
	['yesterday', 'Europe/Berlin', '2026-05-20T10:30:00+02:00', '2026-05-19T00:00:00+02:00', '2026-05-20T00:00:00+02:00'],
	['last7Days', 'Europe/Berlin', '2026-05-20T10:30:00+02:00', '2026-05-13T00:00:00+02:00', '2026-05-20T10:30:00+02:00'],
	['last90Days', 'UTC', '2026-05-20T10:30:00Z', '2026-02-19T00:00:00Z', '2026-05-20T10:30:00Z'],
	['last12Months', 'UTC', '2026-05-20T10:30:00Z', '2025-05-20T00:00:00Z', '2026-05-20T10:30:00Z'],
	['thisWeek', 'UTC', '2026-05-20T10:30:00Z', '2026-05-18T00:00:00Z', '2026-05-20T10:30:00Z'],
	['lastWeek', 'UTC', '2026-05-20T10:30:00Z', '2026-05-11T00:00:00Z', '2026-05-18T00:00:00Z'],
	['thisMonth', 'UTC', '2026-05-20T10:30:00Z', '2026-05-01T00:00:00Z', '2026-05-20T10:30:00Z'],
	['thisQuarter', 'UTC', '2026-05-20T10:30:00Z', '2026-04-01T00:00:00Z', '2026-05-20T10:30:00Z'],
	['thisYear', 'UTC', '2026-05-20T10:30:00Z', '2026-01-01T00:00:00Z', '2026-05-20T10:30:00Z'],
	['lastYear', 'UTC', '2026-05-20T10:30:00Z', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
	// On the last day of a long month: the month before is shorter.
	['lastMonth', 'UTC', '2026-03-31T23:59:59Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
	['lastMonth', 'UTC', '2024-03-31T12:00:00Z', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
	['last12Months', 'UTC', '2024-02-29T12:00:00Z', '2023-02-28T00:00:00Z', '2024-02-29T12:00:00Z'],
	['last30Days', 'UTC', '2026-03-01T00:00:00Z', '2026-01-30T00:00:00Z', '2026-03-01T00:00:00Z'],
	// At the turn of a quarter.
	['lastQuarter', 'UTC', '2026-06-30T23:59:59Z', '2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z'],
	['lastQuarter', 'UTC', '2026-07-01T00:00:00Z', '2026-04-01T00:00:00Z', '2026-07-01T00:00:00Z'],
	['thisQuarter', 'UTC', '2026-12-31T23:59:59Z', '2026-10-01T00:00:00Z', '2026-12-31T23:59:59Z'],
	// At the turn of the year.
	['lastMonth', 'UTC', '2026-01-01T00:00:00Z', '2025-12-01T00:00:00Z', '2026-01-01T00:00:00Z'],
	['lastQuarter', 'UTC', '2026-01-31T12:00:00Z', '2025-10-01T00:00:00Z', '2026-01-01T00:00:00Z'],
	['lastYear', 'UTC', '2026-12-31T23:59:59Z', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
	['lastWeek', 'UTC', '2026-01-01T12:00:00Z', '2025-12-22T00:00:00Z', '2025-12-29T00:00:00Z'],
	['yesterday', 'UTC', '2026-01-01T00:30:00Z', '2025-12-31T00:00:00Z', '2026-01-01T00:00:00Z'],
	// Across a change of the clocks: midnight is midnight, and the day has 23 or 25 hours.
	['yesterday', 'Europe/Berlin', '2026-03-30T08:00:00+02:00', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
	['yesterday', 'Europe/Berlin', '2026-10-26T08:00:00+01:00', '2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00'],
	['lastMonth', 'Europe/Berlin', '2026-04-15T08:00:00+02:00', '2026-03-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00'],
	[
		'last7Days',
		'America/New_York',
		'2026-03-10T09:00:00-04:00',
		'2026-03-03T00:00:00-05:00',
		'2026-03-10T09:00:00-04:00',
	],
	[
		'thisYear',
		'America/New_York',
		'2026-07-01T09:00:00-04:00',
		'2026-01-01T00:00:00-05:00',
		'2026-07-01T09:00:00-04:00',
	],
	// Where the clocks change at midnight, the day begins at one.
	['today', 'Africa/Cairo', '2026-04-24T09:00:00+03:00', '2026-04-24T01:00:00+03:00', '2026-04-24T09:00:00+03:00'],
	// Where it is already tomorrow, or still yesterday, and so another month and year.
	['thisMonth', 'Pacific/Kiritimati', '2025-12-31T10:00:00Z', '2025-12-31T10:00:00Z', '2025-12-31T10:00:00Z'],
	['lastMonth', 'Pacific/Pago_Pago', '2026-01-01T10:00:00Z', '2025-11-01T11:00:00Z', '2025-12-01T11:00:00Z'],
	['lastMonth', 'Asia/Kathmandu', '2026-05-20T10:30:00Z', '2026-03-31T18:15:00Z', '2026-04-30T18:15:00Z'],
])('%s in %s at %s', (period, zone, now, from, until) => {
	expect(spanOf(period, zone, now)).toEqual([iso(from), iso(until)]);
});

test('a word means a period, as it is saved or shown', () => {
	const words = ['last30Days', 'Last 30 Days', ' last 30 days', 'LAST_30_DAYS', 'last-30-days'];
	expect(new Set(words.map(relativePeriodOf))).toEqual(new Set(['last30Days']));
	expect(['', 'Custom', 'constructor', 'last 31 days', 'lastdecade'].map(relativePeriodOf)).toEqual(
		Array(5).fill(undefined),
	);
	expect(relativePeriods().map(({ name }) => relativePeriodOf(name))).toEqual(
		relativePeriods().map(({ value }) => value),
	);
});
