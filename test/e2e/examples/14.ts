import { registerCheck, waitInN8n } from './check';
import { answerApproval, startMailbox } from './mailbox';

registerCheck(14, async ({ environment: stage, client, service, inbox, runActivated: runActive, getChatTexts: texts, expectEqual: same }) => {
	const bakery = service.state.companies.find(({ companyName }) => companyName === 'Golden Crust Bakery');
	if (!bakery) throw new Error('The customer is not there.');
	const holdings = service.state.getCompanyData(bakery.companyResourceId);
	const [first, second, third, ...others] = holdings.users;
	if (!first || !second || !third) throw new Error('There are too few people.');
	const isActive = ({ resourceId }: { resourceId: string }) => service.state.getNotes(resourceId).isActive ?? true;
	const countGroups = ({ resourceId }: { resourceId: string }) =>
		holdings.targetGroups.filter(({ userResourceIds }) => userResourceIds.includes(resourceId)).length;
	const groups = countGroups(first);

	const mailbox = await startMailbox();
	const credential = await client.createCredential('SMTP account', 'smtp', {
		host: '127.0.0.1',
		port: mailbox.port,
		secure: false,
		disableStartTls: true,
		user: '',
		password: '',
	});
	/** Fills in the form, and answers the mail if one is expected. @returns the mail and what the chat got */
	const submitLeavers = async (customer: string, addresses: string, isApproved?: boolean, action = 'deactivate') => {
		inbox.clear();
		const before = mailbox.read().length;
		service.clearLog();
		let mail = '';
		await runActive(
			async () => {
				const body = new FormData();
				[customer, addresses].forEach((value, index) => body.append(`field-${index}`, value));
				await fetch(`${stage.n8n.url}/form/leavers`, { method: 'POST', body });
				if (isApproved === undefined) return;
				await waitInN8n('a mail', () => mailbox.read().length > before);
				mail = mailbox.read()[before] ?? '';
				const writes = service.log.filter(({ landed, route }) => landed && route !== 'POST /connect/token');
				same('before the mail is answered nothing is written', writes.length, 0);
				// A mail may be there a moment before the execution waits for its answer.
				await waitInN8n('the answer is taken', async () => (await answerApproval(mail, isApproved)) === 200);
			},
			{ settings: { action } },
		);
		return { mail, text: texts().join('\n').trim() };
	};

	try {
		const addresses = `${first.email.toUpperCase()}, nobody@nowhere.example\n${second.email}`;
		const declined = await submitLeavers('Golden Crust Bakery', addresses, false);
		same(
			'declined: both are active, and the chat is told',
			[isActive(first), isActive(second), declined.text],
			[true, true, 'Leavers of Golden Crust Bakery: declined, nothing was changed.'],
		);
		same(
			'the mail names both, and who was not found',
			[first.email, second.email, 'nobody@nowhere.example'].filter((each) => !declined.mail.includes(each)),
			[],
		);
		same('and nobody else', others.filter(({ email }) => declined.mail.includes(email)).length, 0);

		const { text } = await submitLeavers('Golden Crust Bakery', addresses, true);
		same('approved: both are deactivated, and still in their groups', [first, second].map(isActive), [false, false]);
		same('… and still in their groups', countGroups(first), groups);
		same('nobody else is', [third, ...others].filter((user) => !isActive(user)).length, 0);
		same('the chat has the figures, and the address that is not there', text.split('\n'), [
			'Leavers of Golden Crust Bakery, to deactivate: done for 2, failed for 0, not found 1.',
			'- not found: nobody@nowhere.example',
		]);

		await submitLeavers('Golden Crust Bakery', third.email, true, 'delete');
		same('with the action delete the person is gone', holdings.users.includes(third), false);

		const nobody = await submitLeavers('Golden Crust Bakery', 'nobody@nowhere.example');
		same('nobody found: no mail, and the chat is told', nobody.text.includes('None of these is there'), true);
		const wrong = await submitLeavers('No Such Customer', first.email);
		same('a customer that is not there is told by name', wrong.text.includes('No Such Customer'), true);
	} finally {
		await client.deleteCredential(credential);
		mailbox.close();
	}
});
