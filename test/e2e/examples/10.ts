import { z } from 'zod';

import { ApiClient } from '../../stand-in/apiClient';
import { TOKEN_ROUTE } from '../../stand-in/faults';
import { openChat, runWithModel } from './chat';
import { registerCheck, sortForComparison } from './registerCheck';
import { readResponseField } from './fakeModel';

const TOOL_PARAMETERS = {
	Find_Customers: ['word'],
	Expired_Licenses: [],
	Enrollments: ['customerId'],
	Training_Figures: ['customerId', 'enrollmentId'],
	Phishing_Jobs: ['customerId'],
	Phishing_Figures: ['customerId', 'jobId'],
};
const JOBS_PATH = '/api/phishing-simulator/phishing-campaign-job-report';
const figuresSchema = z.object({
	data: z.object({
		campaignInfo: z.object({ totalTargetUserCount: z.number() }),
		scenarioStats: z.object({ clickedEmail: z.number() }),
	}),
});

registerCheck(10, async (example) => {
	const { service, expectEqual, expectNone } = example;
	const findCompanyId = (name: string) =>
		service.world.companies.find(({ companyName }) => companyName === name)?.companyResourceId ?? '';
	const customerId = findCompanyId('Golden Crust Bakery');
	const otherCustomerId = findCompanyId('Harbour Bakery');
	const listRequests = () => service.log.filter(({ route }) => route !== TOKEN_ROUTE);
	const serializeState = () =>
		JSON.stringify([service.world.enrollments, service.world.companies, service.world.clients]);
	const campaignId = service.world.getCompanyData(customerId).getCampaigns('phishing')[0]?.resourceId ?? '';
	const api = new ApiClient(service, service.clients.reseller).scopeToCompany(customerId);
	const { data } = figuresSchema.parse((await api.send(`GET ${JOBS_PATH}/summary/${campaignId}/1`)).data);
	const recipientCount = data.campaignInfo.totalTargetUserCount;
	const clickCount = data.scenarioStats.clickedEmail;

	await runWithModel(example, async (model) => {
		service.clearLog();
		const stateBefore = serializeState();
		const readEnrollmentId = (answers: string[]) =>
			readResponseField(
				answers.find((text) => text.includes('trainingName')),
				'enrollmentId',
			);
		model.playScript([
			() => [['Find_Customers', { word: 'Golden Crust' }]],
			([searchResult]) => [
				['Phishing_Jobs', { customerId: readResponseField(searchResult, 'companyResourceId') }],
				['Enrollments', { customerId: readResponseField(searchResult, 'companyResourceId') }],
			],
			(answers) => [
				['Phishing_Figures', { customerId, jobId: `${campaignId}/1` }],
				['Training_Figures', { customerId, enrollmentId: readEnrollmentId(answers) }],
				['Expired_Licenses', {}],
			],
			// The model tries to write: with parameters that the tool doesn't have, and with a tool that doesn't exist.
			() => [
				['Enrollments', { customerId, operation: 'createAndSend', name: 'Gotcha', companyScope: 'own' }],
				['Create_Enrollment', { customerId, name: 'Gotcha' }],
			],
			(answers) => {
				const run = answers.find((text) => text.includes('noResponse'));
				return `Of ${readResponseField(run, 'targets')} people, ${readResponseField(run, 'clicked')} clicked.`;
			},
		]);
		const chat = await openChat(example);
		const answer = await chat.sendText('How is the phishing campaign of Golden Crust Bakery going?');
		await chat.waitForEnd();
		await chat.close();

		const hasFigures = (await answer.text()).includes(`Of ${recipientCount} people, ${clickCount} clicked.`);
		expectEqual('the chat answers with the figures of the service', hasFigures, true);
		const offeredTools = model.requests.map(({ tools }) =>
			sortForComparison(
				tools.map(({ function: { name, parameters } }) => [
					name,
					sortForComparison(Object.keys(parameters.properties)),
				]),
			),
		);
		const expectedTools = JSON.stringify(sortForComparison(Object.entries(TOOL_PARAMETERS)));
		expectNone(
			'the model is offered six tools, whose only parameters are a search word, a customer and an ID',
			offeredTools.filter((toolList) => JSON.stringify(toolList) !== expectedTools),
		);
		expectEqual(
			"each tool sends one reading request, with the customer's ID if it is about a customer; another request reads the customer's name",
			sortForComparison([
				...new Set(listRequests().map(({ route, companyId = '' }) => `${route} ${companyId}`.trim())),
			]),
			sortForComparison([
				'GET /api/companies/{resourceId}',
				`GET ${JOBS_PATH}/summary/{resourceId}/{instanceGroup} ${customerId}`,
				`GET /api/training-reports/{enrollmentId}/summary ${customerId}`,
				'POST /api/companies/search',
				`POST ${JOBS_PATH}/search ${customerId}`,
				`POST /api/enrollments/search ${customerId}`,
			]),
		);
		const writeCount = listRequests().filter(({ hasChangedData }) => hasChangedData).length;
		expectEqual('the attempts to write change nothing', [writeCount, serializeState() === stateBefore], [0, true]);
		const hasSecret = JSON.stringify(model.requests).includes(service.clients.reseller.clientSecret);
		expectEqual('the model never sees the secret of the credential', hasSecret, false);

		service.clearLog();
		model.requests.length = 0;
		model.playScript([() => [['Enrollments', { customerId }]], () => 'That is all.']);
		const disabledNodes = ['Find Customers', 'Expired Licenses'];
		const limitedChat = await openChat(example, { settings: { onlyCustomerId: otherCustomerId }, disabledNodes });
		await limitedChat.sendText('And the enrollments?');
		await limitedChat.waitForEnd();
		await limitedChat.close();
		expectEqual(
			'a chat that is limited to one customer reads that customer, even if it is asked about another one',
			[...new Set(listRequests().map(({ route, path, companyId }) => (companyId ? `${route} ${companyId}` : path)))],
			[`POST /api/enrollments/search ${otherCustomerId}`, `/api/companies/${otherCustomerId}`],
		);
		const expectedToolNames = ['Enrollments', 'Phishing_Figures', 'Phishing_Jobs', 'Training_Figures'];
		expectEqual(
			'the limited chat is offered four tools',
			sortForComparison(model.requests[0]?.tools.map((tool) => tool.function.name) ?? []),
			expectedToolNames,
		);
	});
});
