/** Tests that the stand-in, whose records have dates relative to today, has records in every period that a report can cover. */
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
