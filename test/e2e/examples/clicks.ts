import { SIMULATORS, type Simulator } from '../../stand-in/personality';
import { page, ApiClient } from '../../stand-in/apiClient';
import type { StandIn } from '../../stand-in';
import type { Company } from '../../stand-in/seed';
import { sorted } from './check';
import { rowsOf } from './customers';

/** A person's click in a campaign; several in one job are one. */
interface Click {
	email: string;
	campaignId: string;
	campaign: string;
}

/** Which humans clicked in which campaigns of a customer, asked of the service as a person would; tests do not count. */
export async function clicksOf(
	service: StandIn,
	{ companyResourceId }: Company,
	simulators: readonly Simulator[] = SIMULATORS,
): Promise<Click[]> {
	const api = new ApiClient(service, service.clients.reseller).for(companyResourceId);
	const clicks: Click[] = [];
	for (const simulator of simulators) {
		const jobs = `POST /api/${simulator}-simulator/${simulator}-campaign-job-report` as const;
		const runs = rowsOf((await api.ask(`${jobs}/search`, page({ pageSize: 1000, orderBy: 'Name' }))).data);
		for (const { [`${simulator}CampaignResourceId`]: id, instanceGroup, name } of runs) {
			const campaignId = String(id);
			const campaigns = service.state.of(companyResourceId).campaigns(simulator);
			if (campaigns.find(({ resourceId }) => resourceId === campaignId)?.excludeFromReports) continue;
			const asked = page({ pageSize: 1000, orderBy: 'Email', activityType: 0 });
			const clicked = await api.ask(`${jobs}/Clicked/search/${campaignId}/${String(instanceGroup)}`, asked);
			for (const { email } of rowsOf(clicked.data))
				clicks.push({ email: String(email).toLowerCase(), campaignId, campaign: `${String(name)} (${simulator})` });
		}
	}
	return clicks;
}

/** Who clicked in so many campaigns, in an order of their own. */
export function clickersOf(clicks: Click[], campaigns = 1): string[] {
	const emails = [...new Set(clicks.map(({ email }) => email))];
	const count = (email: string) =>
		new Set(clicks.filter((click) => click.email === email).map(({ campaignId }) => campaignId)).size;
	return sorted(emails.filter((email) => count(email) >= campaigns));
}

/** What was enrolled since this was asked before: customer, training, who is in the groups, how often it was sent, days to do it. */
export function enrolledSince({ state }: StandIn) {
	const seen = new Set<string>();
	return () => {
		const made = state.enrollments.filter(({ seeded, resourceId }) => !seeded && !seen.has(resourceId));
		for (const { resourceId } of made) seen.add(resourceId);
		return sorted(
			made.map(({ companyResourceId, trainingName, targetGroupResourceIds, sendCount, dueDate }) => {
				const { targetGroups, users } = state.of(companyResourceId);
				const ids = targetGroups
					.filter(({ resourceId }) => targetGroupResourceIds.includes(resourceId))
					.flatMap(({ userResourceIds }) => userResourceIds);
				const emails = users
					.filter(({ resourceId }) => ids.includes(resourceId))
					.map(({ email }) => email.toLowerCase());
				// The due date is the end of a day in n8n's time zone.
				const days = Math.floor((Date.parse(dueDate ?? '') - Date.now()) / 86_400_000);
				return [companyResourceId, trainingName, sorted(emails), sendCount, days];
			}),
		);
	};
}
