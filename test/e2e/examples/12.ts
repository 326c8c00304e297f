import { CREDENTIAL_TYPE } from '../../real-n8n/workflow';
import { TOKEN_ROUTE } from '../../stand-in/faults';
import { openChat, runWithModel } from './chat';
import { registerCheck, waitInN8n } from './registerCheck';
import { answerApproval, createMailCredential, startMailbox } from './mailbox';
import { readResponseField } from './fakeModel';

/** Wraps the parameters of a tool call in `toolParameters`, as n8n expects for tools that a person must approve. */
const wrapParameters = (toolParameters: Record<string, string>) => ({ toolParameters });

registerCheck(12, async (example) => {
	const { client, service, environment, prepareWorkflow, expectEqual } = example;
	const { companyResourceId: customerId = '' } =
		service.world.companies.find(({ companyName }) => companyName === 'Golden Crust Bakery') ?? {};
	const companyData = service.world.getCompanyData(customerId);
	if (!(await (await client.fetchFile('/types/nodes.json')).text()).includes('emailSendHitlTool')) {
		// An n8n without human review either can't activate the workflow, or the workflow fails when somebody uses the chat.
		const id = await client.createWorkflow(await prepareWorkflow());
		const isActivated = await client.activate(id, 5000).then(
			() => true,
			() => false,
		);
		expectEqual(
			'an n8n without human review imports the example, and no request is sent',
			service.getRequests().length,
			0,
		);
		if (isActivated) await client.deactivate(id);
		return;
	}
	const mailbox = await startMailbox();
	const smtpCredential = await createMailCredential(client, mailbox);
	// As the example's page says, the tools that write use a credential with 'Also Email and Start'.
	const credentialData = { ...environment.secrets, agentsMay: 'email' };
	const emailCredential = await client.createCredential('Approved by a person', CREDENTIAL_TYPE, credentialData);
	const isWritingNode = (name: string) => name === 'Create Enrollment' || name === 'Send Enrollment';
	const prepareWithEmailCredential = async () => {
		const workflow = await prepareWorkflow();
		const nodes = workflow.nodes.map((node) =>
			isWritingNode(node.name) ? { ...node, credentials: { [CREDENTIAL_TYPE]: emailCredential } } : node,
		);
		return { ...workflow, nodes };
	};
	await runWithModel(example, async (model) => {
		const chat = await openChat({ ...example, prepareWorkflow: prepareWithEmailCredential });
		/** Sends a message, answers the approval emails one after the other, and waits until the assistant has ended. */
		const askAssistant = async (text: string, approvals: boolean[]) => {
			const emailCountBefore = mailbox.readEmails().length;
			await chat.sendText(text);
			for (const [index, isApproved] of approvals.entries()) {
				await waitInN8n('an email', () => mailbox.readEmails().length > emailCountBefore + index);
				const writeCount = service.log.filter(
					({ hasChangedData, route }) => hasChangedData && route !== TOKEN_ROUTE,
				).length;
				const approvedCount = approvals.slice(0, index).filter(Boolean).length;
				expectEqual('nothing is written before the approval email is answered', writeCount, approvedCount);
				expectEqual(
					'the link in the email works',
					await answerApproval(mailbox.readEmails()[emailCountBefore + index] ?? '', isApproved),
					200,
				);
			}
			await chat.waitForEnd();
		};

		const trainingId = service.world.trainings[0]?.trainingId;
		const targetGroupId = companyData.targetGroups[0]?.resourceId;
		const enrollmentParameters = { customerId, trainingId: trainingId ?? '', targetGroupId: targetGroupId ?? '' };
		const enrollmentCountBefore = companyData.enrollments.length;
		service.clearLog();
		model.playScript([
			() => [['Find_Customers', { word: 'Golden Crust' }]],
			() => [['Create_Enrollment', wrapParameters({ ...enrollmentParameters, name: 'New hires' })]],
			(toolResponses) => [
				[
					'Send_Enrollment',
					wrapParameters({ customerId, enrollmentId: readResponseField(toolResponses.at(-1), 'enrollmentId') }),
				],
			],
			() => 'It is created and sent.',
		]);
		await askAssistant('Enroll the new hires of Golden Crust Bakery.', [true, true]);
		const newEnrollment = companyData.enrollments.find(({ name }) => name === 'New hires');
		const newEnrollmentCount = companyData.enrollments.length - enrollmentCountBefore;
		expectEqual(
			'if both steps are approved, the enrollment is created and sent once',
			[newEnrollmentCount, newEnrollment?.sendCount],
			[1, 1],
		);
		expectEqual('the email contains the name of the enrollment', mailbox.readEmails()[0]?.includes('New hires'), true);

		service.clearLog();
		model.playScript([
			() => [['Create_Enrollment', wrapParameters({ ...enrollmentParameters, name: 'Declined' })]],
			() => 'It was declined.',
		]);
		await askAssistant('And once more.', [false]);
		const requestCount = service.getRequests('POST /api/enrollments').length;
		expectEqual(
			'if it is declined, no request is sent and no enrollment is created',
			[requestCount, companyData.enrollments.length - enrollmentCountBefore],
			[0, 1],
		);
		await chat.close();
	});
	await client.deleteCredential(smtpCredential);
	await client.deleteCredential(emailCredential);
	mailbox.close();
});
