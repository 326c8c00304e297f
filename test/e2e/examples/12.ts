import { triggerOf } from '../../real-n8n/examples';
import { IN_ANOTHER_PROCESS, waitUntil } from '../../setup/waitUntil';
import { checkExample } from './check';
import { startMailbox } from './mailbox';
import { read, startModel } from './model';

/** The link of a button in a mail, as a browser opens it. */
function linkIn(mail: string, isApproved: boolean): string {
	const links = [...mail.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
	const link = links.find((each) => each.includes(`approved=${isApproved}`));
	if (!link) throw new Error(`The mail has no such link: ${mail}`);
	return link;
}

/** What a model gives to a tool that a person reviews: n8n puts the tool's own words below another one. */
const approved = (toolParameters: Record<string, string>) => ({ toolParameters });

checkExample(12, async ({ stage, client, service, workflow, same }) => {
	const bakery = service.state.companies.find(({ companyName }) => companyName === 'Golden Crust Bakery');
	if (!bakery) throw new Error('The customer is not there.');
	const customerId = bakery.companyResourceId;
	const holdings = service.state.of(customerId);
	const types = await (await client.file('/types/nodes.json')).text();
	if (!types.includes('emailSendHitlTool')) {
		// Then the workflow cannot be activated, or fails when it is asked.
		const id = await client.createWorkflow(await workflow());
		const outcome = await client.activate(id, 5000).then(
			() => 'activated',
			() => 'refused',
		);
		same('an n8n without human review imports it, and nothing is sent', service.requests().length, 0);
		console.log(`    This n8n has no human review for tools: activating is ${outcome}.`);
		if (outcome === 'activated') await client.deactivate(id);
		return;
	}
	const [model, mailbox] = [await startModel(), await startMailbox()];
	// n8n finds it by its name, so there must not be another one of that name.
	const credential = await client.createCredential('OpenAI account', 'openAiApi', {
		...{ apiKey: 'sk-of-the-stand-in', url: model.url },
	});
	try {
		await client.createCredential('SMTP account', 'smtp', {
			...{ host: '127.0.0.1', port: mailbox.port, secure: false, disableStartTls: true, user: '', password: '' },
		});
		const example = await workflow();
		const webhookId = crypto.randomUUID();
		const trigger = triggerOf(example).name;
		const nodes = example.nodes.map((node) =>
			node.name === trigger ? { ...node, webhookId, parameters: { ...node.parameters, public: true } } : node,
		);
		const id = await client.createWorkflow({ ...example, nodes });
		await client.activate(id);

		/** Asks, answers each mail in turn, and waits until the assistant has ended. */
		const ask = async (text: string, approvals: boolean[]) => {
			const before = mailbox.read().length;
			const count = (await client.executions(id)).length;
			await fetch(`${stage.n8n.url}/webhook/${webhookId}/chat`, {
				...{ method: 'POST', headers: { 'content-type': 'application/json' } },
				body: JSON.stringify({ action: 'sendMessage', sessionId: 'somebody', chatInput: text }),
			});
			for (const [index, isApproved] of approvals.entries()) {
				await waitUntil('a mail', () => Promise.resolve(mailbox.read().length > before + index), IN_ANOTHER_PROCESS);
				const writes = service.log.filter(({ landed, route }) => landed && route !== 'POST /connect/token').length;
				same(
					'before the answer to the mail nothing is written',
					writes,
					approvals.slice(0, index).filter(Boolean).length,
				);
				const response = await fetch(linkIn(mailbox.read()[before + index] ?? '', isApproved), {
					headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' },
				});
				same('the link works', response.status, 200);
			}
			await waitUntil(
				'the execution ended',
				async () => {
					const all = await client.executions(id);
					return all.length > count && all.every(({ status }) => status === 'success' || status === 'error');
				},
				IN_ANOTHER_PROCESS,
			);
			const [execution] = await client.executions(id);
			if (execution?.error) throw new Error(`${execution.error.message} ${execution.error.description ?? ''}`);
		};

		const training = service.state.trainings[0]?.trainingId ?? '';
		const group = holdings.targetGroups[0]?.resourceId ?? '';
		const given = { customerId, trainingId: training, targetGroupId: group };
		const enrollments = () => holdings.enrollments.length;
		const before = enrollments();
		service.clearLog();
		model.play([
			() => [['Find_Customers', { word: 'Golden Crust' }]],
			() => [['Create_Enrollment', approved({ ...given, name: 'New hires' })]],
			(answers) => [['Send_Enrollment', approved({ customerId, enrollmentId: read(answers.at(-1), 'enrollmentId') })]],
			() => 'It is created and sent.',
		]);
		await ask('Enroll the new hires of Golden Crust Bakery.', [true, true]);
		same('both were approved: the enrollment is there, and sent once', enrollments() - before, 1);
		same('… and sent once', holdings.enrollments.find(({ name }) => name === 'New hires')?.sendCount, 1);
		same('the mail says what is to be done', mailbox.read()[0]?.includes('New hires'), true);

		service.clearLog();
		model.play([() => [['Create_Enrollment', approved({ ...given, name: 'Declined' })]], () => 'It was declined.']);
		await ask('And once more.', [false]);
		same('declined: nothing was sent', service.requests('POST /api/enrollments').length, 0);
		same('… and there is none', enrollments() - before, 1);
		await client.deactivate(id);
	} finally {
		await client.deleteCredential(credential);
		await model.close();
		mailbox.close();
	}
});
