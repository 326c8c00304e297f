import type { Workflow } from '../../real-n8n/client';
import { PSA_CREDENTIALS, startPsa } from '../../real-n8n/psaSimulator';
import type { Company } from '../../stand-in/seed';
import {
	checkAgreements,
	checkCompanyNumbers,
	findAgreementLine,
	getCompanyName,
	SHARED_NAME,
	formatSummary,
	AGREEMENTS_TABLE,
	countLastMonthUsers,
	type BillingContext,
} from './billing';
import { registerCheck, sortForComparison, waitInN8n } from './registerCheck';
import { answerApproval, startMailbox } from './mailbox';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
const PSA_CREDENTIAL_NAME = 'PSA account';
/** The names of the nodes that send requests to the PSA. */
const PSA_NODES = ['Find the Agreement', 'Read Its Lines', 'Change the Agreement'];
registerCheck(17, async (example) => {
	const { client, service } = example;
	const psa = await startPsa(service.world.companies.map(getCompanyName));
	const mailbox = await startMailbox();
	const { user, password, haloClientId: clientId, haloClientSecret: clientSecret } = PSA_CREDENTIALS;
	const credentials = [
		await client.createCredential('SMTP account', 'smtp', {
			host: '127.0.0.1',
			port: mailbox.port,
			secure: false,
			disableStartTls: true,
			user: '',
			password: '',
		}),
		await client.createCredential(PSA_CREDENTIAL_NAME, 'httpBasicAuth', { user, password }),
		await client.createCredential(PSA_CREDENTIAL_NAME, 'oAuth2Api', {
			grantType: 'clientCredentials',
			accessTokenUrl: `${psa.url}/halo/auth/token`,
			clientId,
			clientSecret,
			scope: 'all',
			authentication: 'body',
		}),
	];
	const context: BillingContext = {
		example,
		psa,
		mailbox,
		changeWorkflow: (workflow) => workflow,
		runBilling: async (settings, isApproved) => {
			const emailCountBefore = mailbox.readEmails().length;
			const runPromise = example.runExample(settings, context.changeWorkflow);
			if (isApproved !== undefined) {
				await Promise.race([waitInN8n('an email', () => mailbox.readEmails().length > emailCountBefore), runPromise]);
				const email = mailbox.readEmails()[emailCountBefore];
				if (email === undefined) throw new Error(`There is no mail: ${example.getChatTexts().at(-1)}`);
				const writes = psa.requests.filter((request) => !request.startsWith('GET')).length;
				example.expectEqual('nothing is changed before the email is answered', writes, 0);
				// The email may arrive a moment before the execution waits for the answer.
				await waitInN8n('the answer is accepted', async () => (await answerApproval(email, isApproved)) === 200);
			}
			await runPromise;
			const lines = (example.getChatTexts().at(-1) ?? '').trimEnd().split('\n');
			// The mailbox returns each byte as one character, so the text is decoded as UTF-8 here.
			return {
				emailText: Buffer.from(mailbox.readEmails().slice(emailCountBefore).join(''), 'latin1').toString(),
				lines,
			};
		},
	};
	try {
		await checkConnectWise(context);
		await checkHalo(context);
		await checkOtherPsa(context);
	} finally {
		for (const credential of credentials) await client.deleteCredential(credential);
		mailbox.close();
		await psa.close();
	}
});

async function checkConnectWise(context: BillingContext): Promise<void> {
	const { example, psa, mailbox, runBilling } = context;
	const { service, readTableRows, dropTable, expectEqual, expectNone } = example;
	const settings = { psa: 'connectwise', psaUrl: `${psa.url}/connectwise`, clientId: PSA_CREDENTIALS.clientId };
	const partnerSettings = { ...settings, onlyCustomers: NAME_FRAGMENT };
	const customers = service.world.companies.filter((customer) => getCompanyName(customer).includes(NAME_FRAGMENT));
	const [rateLimitedCustomer, customerWithWrongKey, renamedCustomer, customerWithoutFigure, equalCustomer] = customers;
	if (!rateLimitedCustomer || !customerWithWrongKey || !renamedCustomer || !customerWithoutFigure || !equalCustomer)
		throw new Error('There are too few customers.');
	const names = customers.map(getCompanyName);
	findAgreementLine(psa, getCompanyName(equalCustomer)).quantity = countLastMonthUsers(equalCustomer);
	const renamedCompany = psa.records.companies.find(({ name }) => name === getCompanyName(renamedCustomer));
	if (renamedCompany) renamedCompany.name = 'Called otherwise';
	Object.assign(customerWithoutFigure, { monthlyActiveUserCount: undefined });
	psa.addFault({ status: 429, company: getCompanyName(rateLimitedCustomer), times: 2 });
	psa.addFault({ status: 401, company: getCompanyName(customerWithWrongKey), isOnlyForWrites: true });

	const differentCustomers = customers.filter(
		(customer) =>
			![rateLimitedCustomer, renamedCustomer, customerWithoutFigure].includes(customer) &&
			countLastMonthUsers(customer) !== findAgreementLine(psa, getCompanyName(customer)).quantity,
	);
	const equalCount = customers.length - differentCustomers.length - 3;
	const firstResult = await runBilling(partnerSettings, true);
	expectNone(
		`${customers.length} customers: the email lists the ${differentCustomers.length} customers that differ, with both figures`,
		differentCustomers.filter(
			(customer) =>
				!firstResult.emailText.includes(
					`${getCompanyName(customer)}: 10 → ${countLastMonthUsers(customer)}`.replace('&', '&amp;'),
				),
		),
	);
	expectEqual(
		'the email lists no other customers',
		(firstResult.emailText.match(/: 10 → \d+/g) ?? []).length,
		differentCustomers.length,
	);
	const listWrongQuantities = (list: Company[]) =>
		list
			.filter((customer) => findAgreementLine(psa, getCompanyName(customer)).quantity !== countLastMonthUsers(customer))
			.map(getCompanyName);
	expectEqual(
		'after the approval, all agreements except the refused one have the right quantities',
		listWrongQuantities(differentCustomers),
		[getCompanyName(customerWithWrongKey)],
	);
	expectEqual(
		'the other lines of the agreements are unchanged',
		psa.records.agreements.filter(({ lines }) => lines[0]?.quantity !== 3),
		[],
	);
	const [summaryLine = '', ...lines] = firstResult.lines;
	expectEqual(
		'the chat message has the figures',
		summaryLine,
		formatSummary(customers.length, equalCount, differentCustomers.length - 1, 0, 4),
	);
	const findLines = (name: string) => lines.filter((line) => line.startsWith(`- ${name}: `));
	expectEqual(
		'the chat message has a line with the reason for each customer that waits: the PSA, the key, an unknown name, no figure',
		[
			findLines(getCompanyName(rateLimitedCustomer)).filter((line) => line.includes('spacing')).length,
			findLines(getCompanyName(customerWithWrongKey)).filter((line) => line.includes('not changed: 401')).length,
			findLines(getCompanyName(renamedCustomer)),
			findLines(getCompanyName(customerWithoutFigure)),
		],
		[
			1,
			1,
			[`- ${getCompanyName(renamedCustomer)}: the PSA has 0 of this name`],
			[`- ${getCompanyName(customerWithoutFigure)}: the platform gave no figure`],
		],
	);
	const rows = (await readTableRows(AGREEMENTS_TABLE)).filter(({ agreement }) => agreement);
	const agreementIdsByName = new Map(
		psa.records.agreements.map(({ id, companyId }) => [psa.records.findCompany(companyId)?.name, id]),
	);
	expectEqual(
		'the table has the agreement of each customer that was found by name',
		sortForComparison(rows.map(({ customer, agreement }) => `${String(customer)} ${String(agreement)}`)),
		sortForComparison(
			names
				.filter((name) => ![getCompanyName(rateLimitedCustomer), getCompanyName(renamedCustomer)].includes(name))
				.map((name) => `${name} ${agreementIdsByName.get(name)}`),
		),
	);

	psa.requests.length = 0;
	const remainingCount = [customerWithWrongKey, rateLimitedCustomer].filter(
		(customer) => countLastMonthUsers(customer) !== findAgreementLine(psa, getCompanyName(customer)).quantity,
	).length;
	const secondResult = await runBilling(partnerSettings, true);
	const writes = psa.requests.filter((request) => request.startsWith('PATCH')).length;
	expectEqual(
		'the next run only changes the remaining agreements',
		[writes, listWrongQuantities([...differentCustomers, rateLimitedCustomer]), secondResult.lines[0]],
		[remainingCount, [], formatSummary(customers.length, customers.length - 2 - remainingCount, remainingCount, 0, 2)],
	);
	psa.requests.length = 0;
	const thirdResult = await runBilling(partnerSettings);
	expectEqual(
		'the third run sends no email and changes nothing, and the chat message says so',
		[
			thirdResult.emailText,
			psa.requests.filter((request) => !request.startsWith('GET')),
			thirdResult.lines[0],
			thirdResult.lines.length,
		],
		['', [], formatSummary(customers.length, customers.length - 2, 0, 0, 2), 3],
	);

	const singleCustomerSettings = { ...settings, onlyCustomers: getCompanyName(equalCustomer) };
	findAgreementLine(psa, getCompanyName(equalCustomer)).quantity = 99;
	psa.requests.length = 0;
	const declinedResult = await runBilling(singleCustomerSettings, false);
	expectEqual(
		'if the changes are declined, nothing is changed',
		[findAgreementLine(psa, getCompanyName(equalCustomer)).quantity, declinedResult.lines],
		[
			99,
			[
				formatSummary(1, 0, 0, 1, 0),
				`- ${getCompanyName(equalCustomer)}: 99 → ${countLastMonthUsers(equalCustomer)}, not approved`,
			],
		],
	);

	mailbox.refuseNextEmails(1);
	const unsentResult = await runBilling(singleCustomerSettings);
	expectEqual(
		'if the mail server refuses the email, nothing is changed, and the chat message says so',
		[
			unsentResult.lines[0],
			unsentResult.lines.at(-1)?.startsWith('The mail was not answered, or could not be sent.'),
			findAgreementLine(psa, getCompanyName(equalCustomer)).quantity,
		],
		[formatSummary(1, 0, 0, 1, 0), true, 99],
	);

	await checkAgreements(context, settings, equalCustomer);
	await checkCompanyNumbers(context, settings, renamedCustomer);
	psa.records.companies = psa.records.companies.filter(
		({ name }, index, companies) =>
			name !== SHARED_NAME || companies.findIndex((company) => company.name === name) === index,
	);
	await dropTable(AGREEMENTS_TABLE);
	const namesakeResult = await runBilling({ ...settings, onlyCustomers: SHARED_NAME });
	expectEqual(
		'for two customers with the same name and one company in the PSA, neither customer is billed',
		namesakeResult.lines.slice(1),
		Array.from({ length: 2 }, () => `- ${SHARED_NAME}: 2 customers have this name`),
	);

	service.setOptions({ conditionSupport: 'ignored' });
	findAgreementLine(psa, getCompanyName(equalCustomer)).quantity = 99;
	psa.requests.length = 0;
	const doubtfulResult = await runBilling(singleCustomerSettings, false);
	service.setOptions({ conditionSupport: 'understood' });
	expectEqual(
		'if the platform may not support months, the email says so',
		doubtfulResult.emailText.includes('may not know months'),
		true,
	);
}

/** Switches the nodes that send requests to the PSA to OAuth2, as the example's page says for HaloPSA. */
const switchToOAuth2 = (workflow: Workflow): Workflow => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		PSA_NODES.includes(node.name)
			? {
					...node,
					parameters: { ...node.parameters, genericAuthType: 'oAuth2Api' },
					credentials: { oAuth2Api: { id: null, name: PSA_CREDENTIAL_NAME } },
				}
			: node,
	),
});

async function checkHalo(context: BillingContext): Promise<void> {
	const { example, psa, runBilling } = context;
	const { service, expectEqual } = example;
	const customer = service.world.companies.find(
		(company) => getCompanyName(company).includes('Bakery') && countLastMonthUsers(company) > 0,
	);
	if (!customer) throw new Error('There is no customer.');
	const settings = { psa: 'halo', psaUrl: `${psa.url}/halo/api`, onlyCustomers: getCompanyName(customer) };
	context.changeWorkflow = switchToOAuth2;
	psa.reset();
	await example.dropTable(AGREEMENTS_TABLE);
	psa.addFault({ status: 429, isOnlyForWrites: true });
	const firstResult = await runBilling(settings, true);
	expectEqual(
		'HaloPSA: one change is refused',
		[findAgreementLine(psa, getCompanyName(customer)).quantity, firstResult.lines[1]?.includes('not changed')],
		[10, true],
	);
	await runBilling(settings, true);
	expectEqual(
		'HaloPSA: the next run makes the refused change',
		findAgreementLine(psa, getCompanyName(customer)).quantity,
		countLastMonthUsers(customer),
	);
	psa.requests.length = 0;
	const thirdResult = await runBilling(settings);
	expectEqual(
		'HaloPSA: the company is then found by its number',
		[thirdResult.lines, psa.requests.some((request) => /Client\/\d+$/.test(request))],
		[[formatSummary(1, 1, 0, 0, 0)], true],
	);
}

/**
 * Checks a PSA that the example doesn't support directly. Users describe such a PSA in the row `other`. Here, that row describes
 * ConnectWise.
 */
async function checkOtherPsa(context: BillingContext): Promise<void> {
	const { example, psa, runBilling } = context;
	const [customer] = example.service.world.companies.filter((company) =>
		getCompanyName(company).includes(NAME_FRAGMENT),
	);
	if (!customer) throw new Error('There is no customer.');
	psa.reset();
	await example.dropTable(AGREEMENTS_TABLE);
	context.changeWorkflow = (workflow) => {
		const text = JSON.stringify(workflow).replace('"name":"other"', '"name":"was"');
		return JSON.parse(text.replace('"name":"connectwise"', '"name":"other"')) as Workflow;
	};
	const settings = { psa: 'other', psaUrl: `${psa.url}/connectwise`, clientId: PSA_CREDENTIALS.clientId };
	await runBilling({ ...settings, onlyCustomers: getCompanyName(customer) }, true);
	example.expectEqual(
		'a third PSA works with its terms alone',
		findAgreementLine(psa, getCompanyName(customer)).quantity,
		countLastMonthUsers(customer),
	);
}
