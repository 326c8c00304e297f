import { z } from 'zod';

import { ApiClient } from '../../stand-in/apiClient';
import { TOKEN_ROUTE } from '../../stand-in/faults';
import { openChat, withModel } from './chat';
import { checkExample, sorted } from './check';
import { read } from './model';

const WORDS = {
	Find_Customers: ['word'],
	Expired_Licenses: [],
	Enrollments: ['customerId'],
	Training_Figures: ['customerId', 'enrollmentId'],
	Phishing_Jobs: ['customerId'],
	Phishing_Figures: ['customerId', 'jobId'],
};
const JOBS = '/api/phishing-simulator/phishing-campaign-job-report';
const figures = z.object({
	data: z.object({
		campaignInfo: z.object({ totalTargetUserCount: z.number() }),
		scenarioStats: z.object({ clickedEmail: z.number() }),
	}),
});

checkExample(10, async (scene) => {
	const { service, same, none } = scene;
	const idOf = (name: string) =>
		service.state.companies.find(({ companyName }) => companyName === name)?.companyResourceId ?? '';
	const customerId = idOf('Golden Crust Bakery');
	const other = idOf('Harbour Bakery');
	const requests = () => service.log.filter(({ route }) => route !== TOKEN_ROUTE);
	const state = () => JSON.stringify([service.state.enrollments, service.state.companies, service.state.clients]);
	const campaign = service.state.of(customerId).campaigns('phishing')[0]?.resourceId ?? '';
	const api = new ApiClient(service, service.clients.reseller).for(customerId);
	const { data } = figures.parse((await api.ask(`GET ${JOBS}/summary/${campaign}/1`)).data);
	const sent = data.campaignInfo.totalTargetUserCount;
	const clicked = data.scenarioStats.clickedEmail;

	await withModel(scene, async (model) => {
		service.clearLog();
		const before = state();
		const enrollmentIn = (answers: string[]) =>
			read(
				answers.find((each) => each.includes('trainingName')),
				'enrollmentId',
			);
		model.play([
			() => [['Find_Customers', { word: 'Golden Crust' }]],
			([found]) => [
				['Phishing_Jobs', { customerId: read(found, 'companyResourceId') }],
				['Enrollments', { customerId: read(found, 'companyResourceId') }],
			],
			(answers) => [
				['Phishing_Figures', { customerId, jobId: `${campaign}/1` }],
				['Training_Figures', { customerId, enrollmentId: enrollmentIn(answers) }],
				['Expired_Licenses', {}],
			],
			// It tries to write: by a tool that is not there, and by words that the tool does not have.
			() => [
				['Enrollments', { customerId, operation: 'createAndSend', name: 'Gotcha', companyScope: 'own' }],
				['Create_Enrollment', { customerId, name: 'Gotcha' }],
			],
			(answers) => {
				const run = answers.find((each) => each.includes('noResponse'));
				return `Of ${read(run, 'targets')} people, ${read(run, 'clicked')} clicked.`;
			},
		]);
		const chat = await openChat(scene);
		const answer = await chat.say('How is the phishing campaign of Golden Crust Bakery going?');
		await chat.ended();
		await chat.close();

		const isRight = (await answer.text()).includes(`Of ${sent} people, ${clicked} clicked.`);
		same('the chat answers with the figures that the service has', isRight, true);
		const offered = model.asked.map(({ tools }) =>
			sorted(tools.map(({ function: { name, parameters } }) => [name, sorted(Object.keys(parameters.properties))])),
		);
		const wanted = JSON.stringify(sorted(Object.entries(WORDS)));
		none(
			'the model is offered six tools, and of each nothing but a search word, a customer and an ID',
			offered.filter((each) => JSON.stringify(each) !== wanted),
		);
		same(
			"what the service was asked: each tool by one reading request, those about a customer with its ID; and the customer's name",
			sorted([...new Set(requests().map(({ route, companyId = '' }) => `${route} ${companyId}`.trim()))]),
			sorted([
				'GET /api/companies/{resourceId}',
				`GET ${JOBS}/summary/{resourceId}/{instanceGroup} ${customerId}`,
				`GET /api/training-reports/{enrollmentId}/summary ${customerId}`,
				'POST /api/companies/search',
				`POST ${JOBS}/search ${customerId}`,
				`POST /api/enrollments/search ${customerId}`,
			]),
		);
		const landed = requests().filter(({ landed: hasLanded }) => hasLanded).length;
		same(
			'the attempts to write reach nothing: no write landed, all is as it was',
			[landed, state() === before],
			[0, true],
		);
		const isHeard = JSON.stringify(model.asked).includes(service.clients.reseller.clientSecret);
		same('the model never sees the secret of the credential', isHeard, false);

		service.clearLog();
		model.asked.length = 0;
		model.play([() => [['Enrollments', { customerId }]], () => 'That is all.']);
		const without = ['Find Customers', 'Expired Licenses'];
		const held = await openChat(scene, { settings: { onlyCustomerId: other }, without });
		await held.say('And the enrollments?');
		await held.ended();
		await held.close();
		same(
			'held to one customer: asked about another, it reads its own',
			[...new Set(requests().map(({ route, path, companyId }) => (companyId ? `${route} ${companyId}` : path)))],
			[`POST /api/enrollments/search ${other}`, `/api/companies/${other}`],
		);
		const four = ['Enrollments', 'Phishing_Figures', 'Phishing_Jobs', 'Training_Figures'];
		same('and is offered four tools', sorted(model.asked[0]?.tools.map((tool) => tool.function.name) ?? []), four);
	});
});
