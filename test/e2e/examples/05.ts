import { z } from 'zod';

import { readExample } from '../../real-n8n/examples';
import type { Campaign } from '../../stand-in/seed';
import { ApiClient } from '../../stand-in/apiClient';
import { registerCheck, parseChatTexts } from './check';
import { OTHER_PROCESS_WAIT, waitUntil } from '../../setup/waitUntil';

const SUMMARY = 'GET /api/phishing-simulator/phishing-campaign-job-report/summary/{resourceId}/{instanceGroup}';
const countSchema = z.number();
const envelopeSchema = z.object({
	data: z.object({
		campaignInfo: z.object({ totalTargetUserCount: countSchema }),
		scenarioStats: z.object({ openedEmail: countSchema, clickedEmail: countSchema, submittedEmail: countSchema, reportedEmail: countSchema }),
	}),
});
/** 3.6 seconds. */
const WAIT_HOURS = 0.001;

registerCheck(5, async ({ service, inbox, runActivated: runActive, prepareWorkflow: workflow, expectEqual: same }) => {
	const asShipped = JSON.stringify(
		(await readExample('05-campaign-summary')).nodes.find(({ name }) => name === 'Settings')?.parameters,
	);
	same('as it is shipped it waits 48 hours', /"name":"waitHours","value":48/.test(asShipped), true);
	same(
		'with the unit hours',
		(await workflow()).nodes.find(({ type }) => type.endsWith('.wait'))?.parameters.unit,
		'hours',
	);

	// Two customers of one name: only the ID tells whose campaign it is.
	const [twin, other] = service.state.companies.filter(
		({ companyName, licenceExpired }) => companyName === 'Twin Peaks Consulting' && !licenceExpired,
	);
	const [third] = service.state.companies.filter(({ licenceExpired }) => !licenceExpired);
	if (!twin || !other || !third) throw new Error('The companies are missing.');
	// A few customers are asked within a moment; the workflow leaves out those whose license has expired.
	const keptCompanies = new Set([twin, other, third]);
	for (const company of service.state.companies) company.licenceExpired ||= !keptCompanies.has(company);
	const createCampaign = (resourceId: string, { companyResourceId, companyName }: typeof twin): Campaign => {
		const { users } = service.state.getCompanyData(companyResourceId);
		const campaign: Campaign = {
			resourceId,
			companyResourceId,
			companyName,
			name: `Fresh ${resourceId}`,
			simulator: 'phishing',
			status: 'Running',
			scenario: 'S',
			difficulty: 'Easy',
			createTime: new Date().toISOString(),
			excludeFromReports: false,
			instanceGroups: [1],
			userResourceIds: users.map((user) => user.resourceId),
		};
		service.state.getCompanyData(companyResourceId).getCampaigns('phishing').push(campaign);
		return campaign;
	};
	service.addFault({ kind: 'forbidden-company', companyId: third.companyResourceId, route: SUMMARY, times: Infinity });

	let createdAt = 0;
	await runActive(
		async () => {
			await waitUntil(
				'a poll',
				() => service.getRequests('POST /api/phishing-simulator/phishing-campaign-job-report/search').length > 0,
				OTHER_PROCESS_WAIT,
			);
			// The first poll asks every customer and only remembers.
			await waitUntil(
				'the end of the first poll',
				async () => {
					const countSchema = service.getRequests().length;
					await new Promise((resolve) => setTimeout(resolve, 1000));
					return service.getRequests().length === countSchema;
				},
				OTHER_PROCESS_WAIT,
			);
			createdAt = Date.now();
			createCampaign('fresh-1', twin);
			createCampaign('fresh-2', third);
			await waitUntil('both messages', () => inbox.getRequests('chatUrl').length >= 2, OTHER_PROCESS_WAIT);
		},
		{ settings: { waitHours: WAIT_HOURS } },
	);
	const asked = service.getRequests(SUMMARY);
	same(
		'the figures were asked for twice, for the right customers',
		asked.map(({ path, companyId }) => [path.includes('fresh-1') ? 1 : 2, companyId]).sort(),
		[
			[1, twin.companyResourceId],
			[2, third.companyResourceId],
		],
	);
	same(
		'not before the time was over',
		asked.every(({ receivedAt: at }) => at - createdAt >= WAIT_HOURS * 3_600_000),
		true,
	);

	const texts = parseChatTexts(inbox.getRequests('chatUrl'));
	const message = texts.find((text) => text.includes("'Fresh fresh-1' of Twin Peaks Consulting")) ?? '';
	const { data: answer } = await new ApiClient(service, service.clients.reseller, twin.companyResourceId).send(
		SUMMARY.replace('{resourceId}', 'fresh-1').replace('{instanceGroup}', '1'),
	);
	const { campaignInfo, scenarioStats } = envelopeSchema.parse(answer).data;
	const read = [/sent to (\d+)/, /Opened: (\d+)/, /Clicked: (\d+)/, /Submitted: (\d+)/, /Reported: (\d+)/].map(
		(figure) => Number(figure.exec(message)?.[1]),
	);
	same(`the message has the service's five figures (${read.join(', ')})`, read, [
		campaignInfo.totalTargetUserCount,
		scenarioStats.openedEmail,
		scenarioStats.clickedEmail,
		scenarioStats.submittedEmail,
		scenarioStats.reportedEmail,
	]);
	same('somebody clicked', scenarioStats.clickedEmail > 0, true);
	same(
		'of the campaign whose figures were refused the chat is told why',
		texts.filter((text) => text.includes("'Fresh fresh-2'") && text.includes('403')).length,
		1,
	);
	same('two messages, none of the campaigns that were there before', texts.length, 2);
});
