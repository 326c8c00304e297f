import { z } from 'zod';

import { ApiClient } from '../../stand-in/apiClient';
import { triggerOf, type Settings } from '../../real-n8n/examples';
import { checkExample } from './check';
import { read, startModel } from './model';
import { IN_ANOTHER_PROCESS, waitUntil } from '../../setup/waitUntil';

const WORDS: Record<string, string[]> = {
	Find_Customers: ['word'],
	Expired_Licenses: [],
	Enrollments: ['customerId'],
	Training_Figures: ['customerId', 'enrollmentId'],
	Phishing_Jobs: ['customerId'],
	Phishing_Figures: ['customerId', 'job'],
};

checkExample(10, async ({ stage, client, service, workflow, same }) => {
	const bakery = service.state.companies.find(({ companyName }) => companyName === 'Golden Crust Bakery');
	const other = service.state.companies.find(({ companyName }) => companyName === 'Harbour Bakery');
	if (!bakery || !other) throw new Error('The customers are not there.');
	const model = await startModel();
	// n8n finds it by its name, so there must not be another one of that name.
	const credential = await client.createCredential('OpenAI account', 'openAiApi', {
		...{ apiKey: 'sk-of-the-stand-in', url: model.url },
	});
	try {
		/** Makes the chat public as its page says, switches the example on, and asks. */
		const ask = async (
			text: string,
			{ settings, without = [] }: { settings?: Settings; without?: string[] } = {},
		): Promise<string> => {
			const read = await workflow(settings);
			const webhookId = crypto.randomUUID();
			const trigger = triggerOf(read).name;
			const nodes = read.nodes.map((node) => ({
				...node,
				...(node.name === trigger ? { webhookId, parameters: { ...node.parameters, public: true } } : {}),
				...(without.includes(node.name) ? { disabled: true } : {}),
			}));
			const id = await client.createWorkflow({ ...read, nodes });
			await client.activate(id);
			try {
				const response = await fetch(`${stage.n8n.url}/webhook/${webhookId}/chat`, {
					...{ method: 'POST', headers: { 'content-type': 'application/json' } },
					body: JSON.stringify({ action: 'sendMessage', sessionId: 'somebody', chatInput: text }),
				});
				await waitUntil(
					'the execution ended',
					async () => (await client.executions(id)).some(({ status }) => status === 'success' || status === 'error'),
					IN_ANOTHER_PROCESS,
				);
				const [execution] = await client.executions(id);
				if (execution?.error) throw new Error(`${execution.error.message} ${execution.error.description ?? ''}`);
				return await response.text();
			} finally {
				await client.deactivate(id);
			}
		};

		const apiClient = new ApiClient(service, service.clients.reseller).for(bakery.companyResourceId);
		const { resourceId: campaign } = service.state.of(bakery.companyResourceId).campaigns('phishing')[0] ?? {};
		const figures = z.object({ data: z.object({ sent: z.number(), clicked: z.number() }) });
		const summary = `GET /api/phishing-simulator/phishing-campaign-job-report/summary/${campaign}/1`;
		const { sent, clicked } = figures.parse((await apiClient.ask(summary)).data).data;
		service.clearLog();
		const before = JSON.stringify([service.state.enrollments, service.state.companies, service.state.clients]);

		const customerId = bakery.companyResourceId;
		model.play([
			() => [['Find_Customers', { word: 'Golden Crust' }]],
			([found]) => [
				['Phishing_Jobs', { customerId: read(found, 'companyResourceId') }],
				['Enrollments', { customerId: read(found, 'companyResourceId') }],
			],
			(answers) => [
				['Phishing_Figures', { customerId, job: `${campaign}/1` }],
				[
					'Training_Figures',
					{
						customerId,
						enrollmentId: read(
							answers.find((answer) => answer.includes('trainingName')),
							'resourceId',
						),
					},
				],
				['Expired_Licenses', {}],
			],
			// It tries to write: by a tool that is not there, and by words that the tool does not have.
			() => [
				['Enrollments', { customerId, operation: 'createAndSend', name: 'Gotcha', companyScope: 'own' }],
				['Create_Enrollment', { customerId, name: 'Gotcha' }],
			],
			(answers) => {
				const run = answers.find((answer) => answer.includes('noResponse'));
				return `Of ${read(run, 'sent')} people, ${read(run, 'clicked')} clicked.`;
			},
		]);
		const answer = await ask('How is the phishing campaign of Golden Crust Bakery going?');

		same(
			'the chat answers with the figures that the service has',
			answer.includes(`Of ${sent} people, ${clicked} clicked.`),
			true,
		);
		const offered = model.asked.map(({ tools }) =>
			Object.fromEntries(tools.map((tool) => [tool.function.name, Object.keys(tool.function.parameters.properties)])),
		);
		same(
			'the model is offered six tools, and of each nothing but a search word, a customer and an ID',
			offered.filter((each) => !sameKeys(each, WORDS)),
			[],
		);
		const requests = service.log.filter(({ route }) => route !== 'POST /connect/token');
		const seen = requests.map(({ route, companyId = '' }) => `${route} ${companyId}`.trim());
		const simulator = '/api/phishing-simulator/phishing-campaign-job-report';
		same(
			'what the service was asked: each tool by one reading request, those about a customer with its ID',
			[...new Set(seen)].sort(),
			[
				`GET ${simulator}/summary/{resourceId}/{instanceGroup} ${customerId}`,
				`GET /api/training-reports/{enrollmentId}/summary ${customerId}`,
				'POST /api/companies/search',
				`POST ${simulator}/search ${customerId}`,
				`POST /api/enrollments/search ${customerId}`,
			].sort(),
		);
		same(
			'the attempts to write reach nothing: no write landed, and the service is as it was',
			[
				requests.filter(({ landed }) => landed).length,
				JSON.stringify([service.state.enrollments, service.state.companies, service.state.clients]) === before,
			],
			[0, true],
		);
		const heard = JSON.stringify(model.asked);
		same(
			'the model never sees the secret of the credential',
			heard.includes(service.clients.reseller.clientSecret),
			false,
		);

		service.clearLog();
		model.asked.length = 0;
		model.play([() => [['Enrollments', { customerId }]], () => 'That is all.']);
		await ask('And the enrollments?', {
			settings: { onlyCustomerId: other.companyResourceId },
			without: ['Find Customers', 'Expired Licenses'],
		});
		const restricted = service.log
			.filter(({ route }) => route !== 'POST /connect/token')
			.map(({ route, companyId }) => `${route} ${companyId}`);
		same('held to one customer: asked about another, it reads its own', restricted, [
			`POST /api/enrollments/search ${other.companyResourceId}`,
		]);
		same('and is offered four tools', model.asked[0]?.tools.map((tool) => tool.function.name).sort(), [
			'Enrollments',
			'Phishing_Figures',
			'Phishing_Jobs',
			'Training_Figures',
		]);
	} finally {
		await client.deleteCredential(credential);
		await model.close();
	}
});

/** Whether tools are offered with just these words. */
function sameKeys(offered: Record<string, string[]>, expected: Record<string, string[]>): boolean {
	const plain = (tools: Record<string, string[]>) =>
		JSON.stringify(
			Object.entries(tools)
				.map(([name, words]) => [name, [...words].sort()])
				.sort(),
		);
	return plain(offered) === plain(expected);
}
