/** Tests the periods of a report: their first and last moments, and that the stand-in has records in each of them. */
import { DateTime } from 'luxon';
import { timeRangeFields, readTimeRange } from '../../nodes/core/fields/period';
import { getSentTime } from '../stand-in/routes/campaign-people';
import { SIMULATORS } from '../stand-in/profile';
import { createInitialData, World } from '../stand-in/world';

const HOUR_MS = 3_600_000;
const TIME_ZONE = 'America/New_York';
const PERIODS = [
	'today',
	'yesterday',
	'thisWeek',
	'lastWeek',
	'thisMonth',
	'lastMonth',
	'thisQuarter',
	'lastQuarter',
	'thisYear',
	'lastYear',
	'last7Days',
	'last30Days',
	'last90Days',
	'last12Months',
] as const;

// The days are the first day of a year, a Monday that begins a month, and a day in the middle of a month.
test.each(['2027-01-01T12:00Z', '2027-03-01T15:00Z', '2027-05-19T22:00Z'])(
	'every period at %s has records',
	(nowText) => {
		const now = Date.parse(nowText);
		const world = new World(createInitialData(500, 'deployed', now - 4 * HOUR_MS), 'deployed');
		const companyTimes = world.companies.map(({ companyResourceId }) => {
			const data = world.getCompanyData(companyResourceId);
			return {
				enrollments: data.enrollments.map(({ startDate }) => startDate),
				...Object.fromEntries(
					SIMULATORS.map((simulator) => [
						simulator,
						data
							.getCampaigns(simulator)
							.flatMap((campaign) => campaign.instanceGroups.map((group) => getSentTime(campaign, group))),
					]),
				),
			};
		});
		const emptyPeriods = PERIODS.flatMap((period) => {
			const { from, until } = readTimeRange({ period, periodStart: undefined, periodEnd: undefined }, TIME_ZONE, now);
			const isInPeriod = (time: string) => Date.parse(time) >= from && Date.parse(time) < until;
			const hasTimeInPeriod = (listName: string) =>
				companyTimes.some((timesByList: Record<string, string[]>) => timesByList[listName]?.some(isInPeriod));
			return ['enrollments', ...SIMULATORS]
				.filter((listName) => !hasTimeInPeriod(listName))
				.map((listName) => `${period}: no ${listName}`);
		});
		// The form has one more option: 'Custom'.
		expect(timeRangeFields.period.property.options).toHaveLength(PERIODS.length + 1);
		expect(emptyPeriods).toEqual([]);
	},
);

// 19 May 2027 is a Wednesday.
const NOW = '2027-05-19T18:30';
test.each<[period: (typeof PERIODS)[number], from: string, until: string]>([
	['today', '2027-05-19', NOW],
	['yesterday', '2027-05-18', '2027-05-19'],
	['thisWeek', '2027-05-17', NOW],
	['lastWeek', '2027-05-10', '2027-05-17'],
	['thisMonth', '2027-05-01', NOW],
	['lastMonth', '2027-04-01', '2027-05-01'],
	['thisQuarter', '2027-04-01', NOW],
	['lastQuarter', '2027-01-01', '2027-04-01'],
	['thisYear', '2027-01-01', NOW],
	['lastYear', '2026-01-01', '2027-01-01'],
	['last7Days', '2027-05-12', NOW],
	['last30Days', '2027-04-19', NOW],
	['last90Days', '2027-02-18', NOW],
	['last12Months', '2026-05-19', NOW],
])('%s begins at the midnight of %s and ends at %s, in the time zone of the workflow', (period, from, until) => {
	const toMs = (text: string) => DateTime.fromISO(text, { zone: TIME_ZONE }).toMillis();
	expect(readTimeRange({ period, periodStart: undefined, periodEnd: undefined }, TIME_ZONE, toMs(NOW))).toEqual({
		from: toMs(from),
		until: toMs(until),
	});
});
