import { registerCheck, waitInN8n } from './registerCheck';
import { answerApproval, createMailCredential, startMailbox } from './mailbox';

registerCheck(14, async ({ environment, client, service, inbox, runActivated, getChatTexts, expectEqual }) => {
	const customerRecord = service.world.companies.find(({ companyName }) => companyName === 'Golden Crust Bakery');
	if (!customerRecord) throw new Error('The customer is not there.');
	const companyData = service.world.getCompanyData(customerRecord.companyResourceId);
	const [firstPerson, secondPerson, thirdPerson, ...otherPeople] = companyData.users;
	if (!firstPerson || !secondPerson || !thirdPerson) throw new Error('There are too few people.');
	const isActive = ({ resourceId }: { resourceId: string }) => service.world.getNotes(resourceId).isActive ?? true;
	const countGroups = ({ resourceId }: { resourceId: string }) =>
		companyData.targetGroups.filter(({ userResourceIds }) => userResourceIds.includes(resourceId)).length;
	const groupCount = countGroups(firstPerson);

	const mailbox = await startMailbox();
	const credential = await createMailCredential(client, mailbox);
	/** Submits the form and answers the approval email, if one is expected. @returns the email and the text in the chat */
	const submitLeavers = async (customer: string, addresses: string, isApproved?: boolean, action = 'deactivate') => {
		inbox.clear();
		const emailCountBefore = mailbox.readEmails().length;
		service.clearLog();
		let email = '';
		await runActivated(
			async () => {
				const body = new FormData();
				[customer, addresses].forEach((value, index) => body.append(`field-${index}`, value));
				await fetch(`${environment.n8n.url}/form/leavers`, { method: 'POST', body });
				if (isApproved === undefined) return;
				await waitInN8n('an email', () => mailbox.readEmails().length > emailCountBefore);
				email = mailbox.readEmails()[emailCountBefore] ?? '';
				const writes = service.log.filter(
					({ hasChangedData, route }) => hasChangedData && route !== 'POST /connect/token',
				);
				expectEqual('nothing is written before the email is answered', writes.length, 0);
				// The email may arrive a moment before the execution waits for the answer.
				await waitInN8n('the answer is accepted', async () => (await answerApproval(email, isApproved)) === 200);
			},
			{ settings: { action } },
		);
		return { email, text: getChatTexts().join('\n').trim() };
	};

	try {
		const addresses = `${firstPerson.email.toUpperCase()}, nobody@nowhere.example\n${secondPerson.email}`;
		const declinedResult = await submitLeavers('Golden Crust Bakery', addresses, false);
		expectEqual(
			'if it is declined, both people stay active, and the chat message says so',
			[isActive(firstPerson), isActive(secondPerson), declinedResult.text],
			[true, true, 'Leavers of Golden Crust Bakery: declined, nothing was changed.'],
		);
		expectEqual(
			'the email lists both people and the address that was not found',
			[firstPerson.email, secondPerson.email, 'nobody@nowhere.example'].filter(
				(address) => !declinedResult.email.includes(address),
			),
			[],
		);
		expectEqual(
			'the email lists nobody else',
			otherPeople.filter(({ email }) => declinedResult.email.includes(email)).length,
			0,
		);

		const { text } = await submitLeavers('Golden Crust Bakery', addresses, true);
		expectEqual('if it is approved, both people are deactivated', [firstPerson, secondPerson].map(isActive), [
			false,
			false,
		]);
		expectEqual('the deactivated people stay in their groups', countGroups(firstPerson), groupCount);
		expectEqual(
			'nobody else is deactivated',
			[thirdPerson, ...otherPeople].filter((user) => !isActive(user)).length,
			0,
		);
		expectEqual('the chat message has the figures and the address that was not found', text.split('\n'), [
			'Leavers of Golden Crust Bakery, to deactivate: done for 2, failed for 0, not found 1.',
			'- not found: nobody@nowhere.example',
		]);

		await submitLeavers('Golden Crust Bakery', thirdPerson.email, true, 'delete');
		expectEqual('with the action delete, the person is deleted', companyData.users.includes(thirdPerson), false);

		const emptyResult = await submitLeavers('Golden Crust Bakery', 'nobody@nowhere.example');
		expectEqual(
			'if nobody is found, no email is sent, and the chat message says so',
			emptyResult.text.includes('None of these is there'),
			true,
		);
		const wrongCustomerResult = await submitLeavers('No Such Customer', firstPerson.email);
		expectEqual(
			"if the customer doesn't exist, the chat message has its name",
			wrongCustomerResult.text.includes('No Such Customer'),
			true,
		);
	} finally {
		await client.deleteCredential(credential);
		mailbox.close();
	}
});
