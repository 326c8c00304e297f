import { SIMULATORS, type Simulator } from '../../stand-in/personality';
import { buildPageBody, ApiClient } from '../../stand-in/apiClient';
import type { StandIn } from '../../stand-in';
import type { Company } from '../../stand-in/seed';
import { sort } from './check';
import { parseResults } from './customers';

/** A person's click in a campaign; several in one job are one. */
interface Click {
	email: string;
	campaignId: string;
	campaign: string;
}

/** Which humans clicked in which campaigns of a customer, asked of the service as a person would; tests do not count. */
export async function fetchClicks(
	service: StandIn,
	{ companyResourceId }: Company,
	simulators: readonly Simulator[] = SIMULATORS,
): Promise<Click[]> {
	const api = new ApiClient(service, service.clients.reseller).scopeToCompany(companyResourceId);
	const clicks: Click[] = [];
	for (const simulator of simulators) {
		const jobs = `POST /api/${simulator}-simulator/${simulator}-campaign-job-report` as const;
		const runs = parseResults((await api.send(`${jobs}/search`, buildPageBody({ pageSize: 1000, orderBy: 'Name' }))).data);
		for (const { [`${simulator}CampaignResourceId`]: id, instanceGroup, name } of runs) {
			const campaignId = String(id);
			const campaigns = service.state.getCompanyData(companyResourceId).getCampaigns(simulator);
			if (campaigns.find(({ resourceId }) => resourceId === campaignId)?.excludeFromReports) continue;
			const body = buildPageBody({ pageSize: 1000, orderBy: 'Email', activityType: 0 });
			const clicked = await api.send(`${jobs}/Clicked/search/${campaignId}/${String(instanceGroup)}`, body);
			for (const { email } of parseResults(clicked.data))
				clicks.push({ email: String(email).toLowerCase(), campaignId, campaign: `${String(name)} (${simulator})` });
		}
	}
	return clicks;
}

/** Who clicked in so many campaigns, in an order of their own. */
export function listClickers(clicks: Click[], campaigns = 1): string[] {
	const emails = [...new Set(clicks.map(({ email }) => email))];
	const count = (email: string) =>
		new Set(clicks.filter((click) => click.email === email).map(({ campaignId }) => campaignId)).size;
	return sort(emails.filter((email) => count(email) >= campaigns));
}

/** What was enrolled since this was asked before: customer, training, who is in the groups, how often it was sent, days to do it. */
export function createEnrollmentReader({ state }: StandIn) {
	const knownIds = new Set<string>();
	return () => {
		const newEnrollments = state.enrollments.filter(({ isSeeded: seeded, resourceId }) => !seeded && !knownIds.has(resourceId));
		for (const { resourceId } of newEnrollments) knownIds.add(resourceId);
		return sort(
			newEnrollments.map(({ companyResourceId, trainingName, targetGroupResourceIds, sendCount, dueDate }) => {
				const { targetGroups, users } = state.getCompanyData(companyResourceId);
				const ids = targetGroups
					.filter(({ resourceId }) => targetGroupResourceIds.includes(resourceId))
					.flatMap(({ userResourceIds }) => userResourceIds);
				const emails = users
					.filter(({ resourceId }) => ids.includes(resourceId))
					.map(({ email }) => email.toLowerCase());
				// The due date is the end of a day in n8n's time zone.
				const days = Math.floor((Date.parse(dueDate ?? '') - Date.now()) / 86_400_000);
				return [companyResourceId, trainingName, sort(emails), sendCount, days];
			}),
		);
	};
}
