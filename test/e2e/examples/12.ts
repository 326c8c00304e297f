import { CREDENTIAL_TYPE } from '../../real-n8n/workflow';
import { TOKEN_ROUTE } from '../../stand-in/faults';
import { openChat, withModel } from './chat';
import { registerCheck, waitInN8n } from './check';
import { answerApproval, startMailbox } from './mailbox';
import { readFigure } from './model';

/** What a model gives to a tool that a person reviews: n8n puts the tool's own words below another one. */
const wrapParameters = (toolParameters: Record<string, string>) => ({ toolParameters });

registerCheck(12, async (example) => {
	const { client, service, environment: stage, prepareWorkflow: workflow, expectEqual: same } = example;
	const { companyResourceId: customerId = '' } =
		service.state.companies.find(({ companyName }) => companyName === 'Golden Crust Bakery') ?? {};
	const holdings = service.state.getCompanyData(customerId);
	if (!(await (await client.fetchFile('/types/nodes.json')).text()).includes('emailSendHitlTool')) {
		// Then the workflow cannot be activated, or fails when it is asked.
		const id = await client.createWorkflow(await workflow());
		const isOn = await client.activate(id, 5000).then(
			() => true,
			() => false,
		);
		same('an n8n without human review imports it, and nothing is sent', service.getRequests().length, 0);
		if (isOn) await client.deactivate(id);
		return;
	}
	const mailbox = await startMailbox();
	const smtp = await client.createCredential('SMTP account', 'smtp', {
		host: '127.0.0.1',
		port: mailbox.port,
		secure: false,
		disableStartTls: true,
		user: '',
		password: '',
	});
	// As described on the example's page, the tools that write have a credential with 'Also Email and Start'.
	const data = { ...stage.secrets, agentsMay: 'email' };
	const emailCredential = await client.createCredential('Approved by a person', CREDENTIAL_TYPE, data);
	const isWriting = (name: string) => name === 'Create Enrollment' || name === 'Send Enrollment';
	const prepareWithEmailCredential = async () => {
		const read = await workflow();
		const nodes = read.nodes.map((node) =>
			isWriting(node.name) ? { ...node, credentials: { [CREDENTIAL_TYPE]: emailCredential } } : node,
		);
		return { ...read, nodes };
	};
	await withModel(example, async (model) => {
		const chat = await openChat({ ...example, prepareWorkflow: prepareWithEmailCredential });
		/** Asks, answers each mail in turn, and waits until the assistant has ended. */
		const askAssistant = async (text: string, approvals: boolean[]) => {
			const before = mailbox.read().length;
			await chat.say(text);
			for (const [index, isApproved] of approvals.entries()) {
				await waitInN8n('a mail', () => mailbox.read().length > before + index);
				const writes = service.log.filter(({ landed, route }) => landed && route !== TOKEN_ROUTE).length;
				const wanted = approvals.slice(0, index).filter(Boolean).length;
				same('before the answer to the mail nothing is written', writes, wanted);
				same('the link works', await answerApproval(mailbox.read()[before + index] ?? '', isApproved), 200);
			}
			await chat.waitForEnd();
		};

		const training = service.state.trainings[0]?.trainingId;
		const group = holdings.targetGroups[0]?.resourceId;
		const given = { customerId, trainingId: training ?? '', targetGroupId: group ?? '' };
		const before = holdings.enrollments.length;
		service.clearLog();
		model.play([
			() => [['Find_Customers', { word: 'Golden Crust' }]],
			() => [['Create_Enrollment', wrapParameters({ ...given, name: 'New hires' })]],
			(answers) => [['Send_Enrollment', wrapParameters({ customerId, enrollmentId: readFigure(answers.at(-1), 'enrollmentId') })]],
			() => 'It is created and sent.',
		]);
		await askAssistant('Enroll the new hires of Golden Crust Bakery.', [true, true]);
		const made = holdings.enrollments.find(({ name }) => name === 'New hires');
		const count = holdings.enrollments.length - before;
		same('both were approved: the enrollment is there, and sent once', [count, made?.sendCount], [1, 1]);
		same('the mail says what is to be done', mailbox.read()[0]?.includes('New hires'), true);

		service.clearLog();
		model.play([() => [['Create_Enrollment', wrapParameters({ ...given, name: 'Declined' })]], () => 'It was declined.']);
		await askAssistant('And once more.', [false]);
		const sent = service.getRequests('POST /api/enrollments').length;
		same('declined: nothing was sent, and there is none', [sent, holdings.enrollments.length - before], [0, 1]);
		await chat.close();
	});
	await client.deleteCredential(smtp);
	await client.deleteCredential(emailCredential);
	mailbox.close();
});
