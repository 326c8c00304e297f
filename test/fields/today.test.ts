/** A service whose dates are of today has something in every period that a report can be of. */
import { timeRangeFields, readTimeRange } from '../../nodes/core/fields/period';
import { getSentTime } from '../stand-in/routes/campaign-people';
import { SIMULATORS } from '../stand-in/personality';
import { createInitialData, World } from '../stand-in/world';

const HOUR = 3_600_000;
const TIMEZONE = 'America/New_York';
const PERIODS = [
	...(['today', 'yesterday', 'thisWeek', 'lastWeek', 'thisMonth', 'lastMonth', 'thisQuarter', 'lastQuarter'] as const),
	...(['thisYear', 'lastYear', 'last7Days', 'last30Days', 'last90Days', 'last12Months'] as const),
];

// The first day of a year, a quarter and a month, a Monday, and one in the middle.
test.each(['2027-01-01T12:00Z', '2027-03-01T15:00Z', '2027-05-19T22:00Z'])('every period at %s', (at) => {
	const now = Date.parse(at);
	const world = new World(createInitialData(500, 'deployed', now - 4 * HOUR), 'deployed');
	const times = world.companies.map(({ companyResourceId }) => {
		const holdings = world.getCompanyData(companyResourceId);
		return {
			enrollments: holdings.enrollments.map(({ startDate }) => startDate),
			...Object.fromEntries(
				SIMULATORS.map((simulator) => [
					simulator,
					holdings.getCampaigns(simulator).flatMap((each) => each.instanceGroups.map((group) => getSentTime(each, group))),
				]),
			),
		};
	});
	const empty = PERIODS.flatMap((period) => {
		const { from, until } = readTimeRange({ period, periodStart: undefined, periodEnd: undefined }, TIMEZONE, now);
		const isIn = (time: string) => Date.parse(time) >= from && Date.parse(time) < until;
		return ['enrollments', ...SIMULATORS]
			.filter((what) => !times.some((each: Record<string, string[]>) => each[what]?.some(isIn)))
			.map((what) => `${period}: no ${what}`);
	});
	// All but Custom.
	expect(timeRangeFields.period.property.options).toHaveLength(PERIODS.length + 1);
	expect(empty).toEqual([]);
});
