import { z } from 'zod';

import { readExample } from '../../real-n8n/examples';
import type { Campaign } from '../../stand-in/seed';
import { ApiClient } from '../../stand-in/apiClient';
import { registerCheck, parseChatTexts } from './registerCheck';
import { OTHER_PROCESS_WAIT, waitUntil } from '../../setup/waitUntil';

const SUMMARY_ROUTE = 'GET /api/phishing-simulator/phishing-campaign-job-report/summary/{resourceId}/{instanceGroup}';
const countSchema = z.number();
const envelopeSchema = z.object({
	data: z.object({
		campaignInfo: z.object({ totalTargetUserCount: countSchema }),
		scenarioStats: z.object({
			openedEmail: countSchema,
			clickedEmail: countSchema,
			submittedEmail: countSchema,
			reportedEmail: countSchema,
		}),
	}),
});
/** The value of the setting waitHours in this check, which is 3.6 seconds. */
const WAIT_HOURS = 0.001;

registerCheck(5, async ({ service, inbox, runActivated, prepareWorkflow, expectEqual }) => {
	const shippedSettings = JSON.stringify(
		(await readExample('05-campaign-summary')).nodes.find(({ name }) => name === 'Settings')?.parameters,
	);
	expectEqual('the example waits 48 hours by default', /"name":"waitHours","value":48/.test(shippedSettings), true);
	expectEqual(
		'the unit of the Wait node is hours',
		(await prepareWorkflow()).nodes.find(({ type }) => type.endsWith('.wait'))?.parameters.unit,
		'hours',
	);

	// Two customers have the same name, so only the ID shows whose campaign it is.
	const [namesake, secondNamesake] = service.world.companies.filter(
		({ companyName, licenceExpired }) => companyName === 'Twin Peaks Consulting' && !licenceExpired,
	);
	const [refusedCustomer] = service.world.companies.filter(({ licenceExpired }) => !licenceExpired);
	if (!namesake || !secondNamesake || !refusedCustomer) throw new Error('The companies are missing.');
	// Only three customers keep a valid license, because the workflow leaves out the others and a poll is then short.
	const keptCompanies = new Set([namesake, secondNamesake, refusedCustomer]);
	for (const company of service.world.companies) company.licenceExpired ||= !keptCompanies.has(company);
	const createCampaign = (resourceId: string, { companyResourceId, companyName }: typeof namesake): Campaign => {
		const { users } = service.world.getCompanyData(companyResourceId);
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
		service.world.getCompanyData(companyResourceId).getCampaigns('phishing').push(campaign);
		return campaign;
	};
	service.addFault({
		kind: 'forbidden-company',
		companyId: refusedCustomer.companyResourceId,
		route: SUMMARY_ROUTE,
		times: Infinity,
	});

	let createdAt = 0;
	await runActivated(
		async () => {
			await waitUntil(
				'a poll',
				() => service.getRequests('POST /api/phishing-simulator/phishing-campaign-job-report/search').length > 0,
				OTHER_PROCESS_WAIT,
			);
			// The first poll sends requests for every customer. It only remembers the existing campaigns and delivers nothing.
			await waitUntil(
				'the end of the first poll',
				async () => {
					const requestCount = service.getRequests().length;
					await new Promise((resolve) => setTimeout(resolve, 1000));
					return service.getRequests().length === requestCount;
				},
				OTHER_PROCESS_WAIT,
			);
			createdAt = Date.now();
			createCampaign('fresh-1', namesake);
			createCampaign('fresh-2', refusedCustomer);
			await waitUntil('both messages', () => inbox.getRequests('chatUrl').length >= 2, OTHER_PROCESS_WAIT);
		},
		{ settings: { waitHours: WAIT_HOURS } },
	);
	const summaryRequests = service.getRequests(SUMMARY_ROUTE);
	expectEqual(
		'the figures are requested twice, for the right customers',
		summaryRequests.map(({ path, companyId }) => [path.includes('fresh-1') ? 1 : 2, companyId]).sort(),
		[
			[1, namesake.companyResourceId],
			[2, refusedCustomer.companyResourceId],
		],
	);
	expectEqual(
		'the figures are not requested before the waiting time is over',
		summaryRequests.every(({ receivedAt }) => receivedAt - createdAt >= WAIT_HOURS * 3_600_000),
		true,
	);

	const texts = parseChatTexts(inbox.getRequests('chatUrl'));
	const message = texts.find((text) => text.includes("'Fresh fresh-1' of Twin Peaks Consulting")) ?? '';
	const { data: response } = await new ApiClient(service, service.clients.reseller, namesake.companyResourceId).send(
		SUMMARY_ROUTE.replace('{resourceId}', 'fresh-1').replace('{instanceGroup}', '1'),
	);
	const { campaignInfo, scenarioStats } = envelopeSchema.parse(response).data;
	const figures = [/sent to (\d+)/, /Opened: (\d+)/, /Clicked: (\d+)/, /Submitted: (\d+)/, /Reported: (\d+)/].map(
		(pattern) => Number(pattern.exec(message)?.[1]),
	);
	expectEqual(`the message has the five figures of the service (${figures.join(', ')})`, figures, [
		campaignInfo.totalTargetUserCount,
		scenarioStats.openedEmail,
		scenarioStats.clickedEmail,
		scenarioStats.submittedEmail,
		scenarioStats.reportedEmail,
	]);
	expectEqual('at least one person has clicked', scenarioStats.clickedEmail > 0, true);
	expectEqual(
		'the chat message about the campaign with refused figures has the reason',
		texts.filter((text) => text.includes("'Fresh fresh-2'") && text.includes('403')).length,
		1,
	);
	expectEqual('there are two messages, and none about earlier campaigns', texts.length, 2);
});
