import { SIMULATORS, type Simulator } from '../../stand-in/profile';
import { buildPageBody, ApiClient } from '../../stand-in/apiClient';
import type { StandIn } from '../../stand-in';
import type { Company } from '../../stand-in/seed';
import { sortForComparison } from './registerCheck';
import { parseResults } from './customers';

/** The fact that a person clicked in a campaign job. Several clicks in one job count once. */
interface Click {
	email: string;
	campaignId: string;
	campaignName: string;
}

/** Fetches the clicks of a customer's people from the service's API. Leaves out clicks of bots and test campaigns. */
export async function fetchClicks(
	service: StandIn,
	{ companyResourceId }: Company,
	simulators: readonly Simulator[] = SIMULATORS,
): Promise<Click[]> {
	const api = new ApiClient(service, service.clients.reseller).scopeToCompany(companyResourceId);
	const clicks: Click[] = [];
	for (const simulator of simulators) {
		const jobsPath = `POST /api/${simulator}-simulator/${simulator}-campaign-job-report` as const;
		const jobs = parseResults(
			(await api.send(`${jobsPath}/search`, buildPageBody({ pageSize: 1000, orderBy: 'Name' }))).data,
		);
		for (const { [`${simulator}CampaignResourceId`]: campaignResourceId, instanceGroup, name } of jobs) {
			const campaignId = String(campaignResourceId);
			const campaigns = service.world.getCompanyData(companyResourceId).getCampaigns(simulator);
			if (campaigns.find(({ resourceId }) => resourceId === campaignId)?.excludeFromReports) continue;
			const body = buildPageBody({ pageSize: 1000, orderBy: 'Email', activityType: 0 });
			const response = await api.send(`${jobsPath}/Clicked/search/${campaignId}/${String(instanceGroup)}`, body);
			for (const { email } of parseResults(response.data))
				clicks.push({ email: String(email).toLowerCase(), campaignId, campaignName: `${String(name)} (${simulator})` });
		}
	}
	return clicks;
}

/** Lists the email addresses of people who clicked in at least `minCampaigns` campaigns. */
export function listClickers(clicks: Click[], minCampaigns = 1): string[] {
	const emails = [...new Set(clicks.map(({ email }) => email))];
	const countCampaigns = (email: string) =>
		new Set(clicks.filter((click) => click.email === email).map(({ campaignId }) => campaignId)).size;
	return sortForComparison(emails.filter((email) => countCampaigns(email) >= minCampaigns));
}

/**
 * Creates a function that returns the enrollments that were created since its last call. Each enrollment is a list of the customer's ID, the
 * training's name, the email addresses of the group members, how often it was sent, and the days until it is due.
 */
export function createEnrollmentReader({ world }: StandIn) {
	const knownIds = new Set<string>();
	return () => {
		const newEnrollments = world.enrollments.filter(
			({ isSeeded, resourceId }) => !isSeeded && !knownIds.has(resourceId),
		);
		for (const { resourceId } of newEnrollments) knownIds.add(resourceId);
		return sortForComparison(
			newEnrollments.map(({ companyResourceId, trainingName, targetGroupResourceIds, sendCount, dueDate }) => {
				const { targetGroups, users } = world.getCompanyData(companyResourceId);
				const ids = targetGroups
					.filter(({ resourceId }) => targetGroupResourceIds.includes(resourceId))
					.flatMap(({ userResourceIds }) => userResourceIds);
				const emails = users
					.filter(({ resourceId }) => ids.includes(resourceId))
					.map(({ email }) => email.toLowerCase());
				// The due date is the end of a day in n8n's time zone.
				const days = Math.floor((Date.parse(dueDate ?? '') - Date.now()) / 86_400_000);
				return [companyResourceId, trainingName, sortForComparison(emails), sendCount, days];
			}),
		);
	};
}
