import { z } from 'zod';

import { ApiClient } from '../../stand-in/apiClient';
import { TOKEN_ROUTE } from '../../stand-in/faults';
import { openChat, withModel } from './chat';
import { registerCheck, sort } from './check';
import { readFigure } from './model';

const WORDS = {
	Find_Customers: ['word'],
	Expired_Licenses: [],
	Enrollments: ['customerId'],
	Training_Figures: ['customerId', 'enrollmentId'],
	Phishing_Jobs: ['customerId'],
	Phishing_Figures: ['customerId', 'jobId'],
};
const JOBS = '/api/phishing-simulator/phishing-campaign-job-report';
const figuresSchema = z.object({
	data: z.object({
		campaignInfo: z.object({ totalTargetUserCount: z.number() }),
		scenarioStats: z.object({ clickedEmail: z.number() }),
	}),
});

registerCheck(10, async (example) => {
	const { service, expectEqual: same, expectNone: none } = example;
	const findCompanyId = (name: string) =>
		service.state.companies.find(({ companyName }) => companyName === name)?.companyResourceId ?? '';
	const customerId = findCompanyId('Golden Crust Bakery');
	const other = findCompanyId('Harbour Bakery');
	const listRequests = () => service.log.filter(({ route }) => route !== TOKEN_ROUTE);
	const serializeState = () => JSON.stringify([service.state.enrollments, service.state.companies, service.state.clients]);
	const campaign = service.state.getCompanyData(customerId).getCampaigns('phishing')[0]?.resourceId ?? '';
	const api = new ApiClient(service, service.clients.reseller).scopeToCompany(customerId);
	const { data } = figuresSchema.parse((await api.send(`GET ${JOBS}/summary/${campaign}/1`)).data);
	const sent = data.campaignInfo.totalTargetUserCount;
	const clicked = data.scenarioStats.clickedEmail;

	await withModel(example, async (model) => {
		service.clearLog();
		const before = serializeState();
		const readEnrollmentId = (answers: string[]) =>
			readFigure(
				answers.find((each) => each.includes('trainingName')),
				'enrollmentId',
			);
		model.play([
			() => [['Find_Customers', { word: 'Golden Crust' }]],
			([found]) => [
				['Phishing_Jobs', { customerId: readFigure(found, 'companyResourceId') }],
				['Enrollments', { customerId: readFigure(found, 'companyResourceId') }],
			],
			(answers) => [
				['Phishing_Figures', { customerId, jobId: `${campaign}/1` }],
				['Training_Figures', { customerId, enrollmentId: readEnrollmentId(answers) }],
				['Expired_Licenses', {}],
			],
			// It tries to write: by a tool that is not there, and by words that the tool does not have.
			() => [
				['Enrollments', { customerId, operation: 'createAndSend', name: 'Gotcha', companyScope: 'own' }],
				['Create_Enrollment', { customerId, name: 'Gotcha' }],
			],
			(answers) => {
				const run = answers.find((each) => each.includes('noResponse'));
				return `Of ${readFigure(run, 'targets')} people, ${readFigure(run, 'clicked')} clicked.`;
			},
		]);
		const chat = await openChat(example);
		const answer = await chat.say('How is the phishing campaign of Golden Crust Bakery going?');
		await chat.waitForEnd();
		await chat.close();

		const isRight = (await answer.text()).includes(`Of ${sent} people, ${clicked} clicked.`);
		same('the chat answers with the figures that the service has', isRight, true);
		const offered = model.asked.map(({ tools }) =>
			sort(tools.map(({ function: { name, parameters } }) => [name, sort(Object.keys(parameters.properties))])),
		);
		const wanted = JSON.stringify(sort(Object.entries(WORDS)));
		none(
			'the model is offered six tools, and of each nothing but a search word, a customer and an ID',
			offered.filter((each) => JSON.stringify(each) !== wanted),
		);
		same(
			"what the service was asked: each tool by one reading request, those about a customer with its ID; and the customer's name",
			sort([...new Set(listRequests().map(({ route, companyId = '' }) => `${route} ${companyId}`.trim()))]),
			sort([
				'GET /api/companies/{resourceId}',
				`GET ${JOBS}/summary/{resourceId}/{instanceGroup} ${customerId}`,
				`GET /api/training-reports/{enrollmentId}/summary ${customerId}`,
				'POST /api/companies/search',
				`POST ${JOBS}/search ${customerId}`,
				`POST /api/enrollments/search ${customerId}`,
			]),
		);
		const landed = listRequests().filter(({ landed: hasLanded }) => hasLanded).length;
		same(
			'the attempts to write reach nothing: no write landed, all is as it was',
			[landed, serializeState() === before],
			[0, true],
		);
		const isHeard = JSON.stringify(model.asked).includes(service.clients.reseller.clientSecret);
		same('the model never sees the secret of the credential', isHeard, false);

		service.clearLog();
		model.asked.length = 0;
		model.play([() => [['Enrollments', { customerId }]], () => 'That is all.']);
		const without = ['Find Customers', 'Expired Licenses'];
		const held = await openChat(example, { settings: { onlyCustomerId: other }, without });
		await held.say('And the enrollments?');
		await held.waitForEnd();
		await held.close();
		same(
			'held to one customer: asked about another, it reads its own',
			[...new Set(listRequests().map(({ route, path, companyId }) => (companyId ? `${route} ${companyId}` : path)))],
			[`POST /api/enrollments/search ${other}`, `/api/companies/${other}`],
		);
		const four = ['Enrollments', 'Phishing_Figures', 'Phishing_Jobs', 'Training_Figures'];
		same('and is offered four tools', sort(model.asked[0]?.tools.map((tool) => tool.function.name) ?? []), four);
	});
});
