import { drawInteger, makeGuid, pickOne, createRandom, type IdFactory } from '../random';
import type { Simulator } from '../profile';
import type { Campaign, Company, TargetGroup } from './records';
import { DAY_MS, drawEarlierDay, EPOCH } from './words';

/**
 * The creation time of running campaigns if there is no reference time: midnight 30 days ago, so that a report of the
 * last month is not empty.
 */
const DEFAULT_RUNNING_CAMPAIGN_TIME = (Math.floor(Date.now() / DAY_MS) - 30) * DAY_MS;

/**
 * Seeds the campaigns of one company in one simulator.
 * @param referenceTime the time that dates are relative to; if it is set, running campaigns were sent on one of the
 * last 30 days, and created a day earlier
 */
export function seedCampaigns(
	company: Company,
	simulator: Simulator,
	groups: readonly TargetGroup[],
	makeId: IdFactory = makeGuid,
	referenceTime?: number,
): Campaign[] {
	const id = company.companyResourceId;
	const random = createRandom(`${simulator} ${id}`);
	const runningCampaignTime =
		referenceTime === undefined
			? DEFAULT_RUNNING_CAMPAIGN_TIME
			: drawEarlierDay(referenceTime, `lately ${simulator} ${id}`, 30) - DAY_MS;
	const statuses = ['Completed', 'Running', 'Scheduled'] as const;
	return ['Parcel Notice', 'Password Expiry', 'Invoice Overdue'].map((scenario, i) => ({
		resourceId: makeId(`${simulator} ${id} ${i}`),
		name: `${scenario} ${drawInteger(random, 2024, 2025)}`,
		simulator,
		companyResourceId: id,
		companyName: company.companyName,
		status: statuses[i] ?? 'Scheduled',
		scenario,
		difficulty: pickOne(random, ['Easy', 'Medium', 'Hard']),
		createTime: new Date(
			i === 1 ? runningCampaignTime : (referenceTime ?? EPOCH) - drawInteger(random, 5, 400) * DAY_MS,
		).toISOString(),
		excludeFromReports: i === 2,
		instanceGroups: Array.from({ length: i === 0 ? 2 : 1 }, (_, index) => index + 1),
		userResourceIds: groups[i % Math.max(1, groups.length)]?.userResourceIds ?? [],
	}));
}
