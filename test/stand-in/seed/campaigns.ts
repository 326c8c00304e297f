import { between, guid, pick, seeded, type MakeId } from '../random';
import type { Simulator } from '../personality';
import type { Campaign, Company, TargetGroup } from './records';
import { DAY, daysBefore, EPOCH } from './words';

/** When a campaign that is running was sent, so that a report of the last month is not empty: at the beginning of a day. */
const LATELY = (Math.floor(Date.now() / DAY) - 30) * DAY;

/**
 * The campaigns of one company in one simulator.
 * @param today what the dates are based on; then those that are running were sent on each of the last days, a day after they were made
 */
export function seedCampaigns(
	company: Company,
	simulator: Simulator,
	groups: readonly TargetGroup[],
	makeId: MakeId = guid,
	today?: number,
): Campaign[] {
	const id = company.companyResourceId;
	const next = seeded(`${simulator} ${id}`);
	const lately = today === undefined ? LATELY : daysBefore(today, `lately ${simulator} ${id}`, 30) - DAY;
	return ['Parcel Notice', 'Password Expiry', 'Invoice Overdue'].map((scenario, i) => ({
		resourceId: makeId(`${simulator} ${id} ${i}`),
		name: `${scenario} ${between(next, 2024, 2025)}`,
		simulator,
		companyResourceId: id,
		companyName: company.companyName,
		status: i === 0 ? 'Completed' : i === 1 ? 'Running' : 'Scheduled',
		scenario,
		difficulty: pick(next, ['Easy', 'Medium', 'Hard']),
		createTime: new Date(i === 1 ? lately : (today ?? EPOCH) - between(next, 5, 400) * DAY).toISOString(),
		excludeFromReports: i === 2,
		instanceGroups: Array.from({ length: i === 0 ? 2 : 1 }, (_, at) => at + 1),
		userResourceIds: groups[i % Math.max(1, groups.length)]?.userResourceIds ?? [],
	}));
}
