import type { Workflow } from '../../real-n8n/client';
import type { ExampleSettings } from '../../real-n8n/examples';
import { PSA_CREDENTIALS, startPsa, type PsaSimulator } from '../../real-n8n/psaSimulator';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, type ExampleContext } from './registerCheck';
import { startMailbox, type Mailbox } from './mailbox';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
const TABLE_NAME = 'Security Awareness Renewals';
const COLUMNS = ['event', 'customer', 'what', 'ticket', 'why', 'company'];
const PSA_CREDENTIAL_NAME = 'PSA account';
const PERIOD_DAYS = 30;
/** The names of the nodes that send requests to the PSA. */
const PSA_NODES = ['Find the Ticket', 'Find the Company', 'Open the Ticket'];

const getCompanyName = ({ companyName }: Company) => companyName ?? '';
const getIsoTimeInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Lists the titles of the tickets and emails that a customer needs: for a license that ends soon or has ended, and for a full license. */
function listDueEvents(company: Company): string[] {
	const endDay = company.licenseEndDate.slice(0, 10);
	const isLicenseEndNear =
		endDay >= getIsoTimeInDays(-PERIOD_DAYS).slice(0, 10) && endDay <= getIsoTimeInDays(PERIOD_DAYS).slice(0, 10);
	const isLicenseFull =
		company.isNumberOfUsersLimited &&
		!company.licenceExpired &&
		company.targetUserCount >= Number(company.numberOfUsers);
	const events: string[] = [];
	if (isLicenseEndNear)
		events.push(`license ${endDay < getIsoTimeInDays(0).slice(0, 10) ? 'ended' : 'ends'} ${endDay}`);
	if (isLicenseFull) events.push(`license full: ${company.targetUserCount} of ${company.numberOfUsers} users`);
	return events.map((event) => `${event}: ${getCompanyName(company)}`);
}

registerCheck(20, async (example) => {
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
	try {
		await checkConnectWise(example, psa, mailbox);
		await checkHalo(example, psa, mailbox);
		await checkOtherPsa(example, psa);
	} finally {
		for (const credential of credentials) await client.deleteCredential(credential);
		mailbox.close();
		await psa.close();
	}
});

const formatSummary = (newCount: number, waitingCount: number) =>
	`Renewals and seats: ${newCount} new, ${waitingCount} wait for the next run.`;

/** Lists the summaries of all tickets. Duplicate tickets appear twice. */
const listTickets = ({ records }: PsaSimulator) => sortForComparison(records.tickets.map(({ summary }) => summary));

/** Lists the subjects of all emails. */
const listSubjects = (mailbox: Mailbox) =>
	sortForComparison(
		mailbox.readEmails().map((email) => /^Subject: (.*(?:\r\n .*)*)/m.exec(email)?.[1]?.replaceAll('\r\n ', ' ') ?? ''),
	);

async function checkConnectWise(example: ExampleContext, psa: PsaSimulator, mailbox: Mailbox): Promise<void> {
	const { service, runExample, readTableRows, dropTable, getChatTexts, expectEqual, expectNone } = example;
	const settings = {
		psa: 'connectwise',
		psaUrl: `${psa.url}/connectwise`,
		clientId: PSA_CREDENTIALS.clientId,
		days: PERIOD_DAYS,
		onlyCustomers: NAME_FRAGMENT,
	};
	const getLastLines = () => (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	const customers = service.world.companies.filter((company) => getCompanyName(company).includes(NAME_FRAGMENT));
	customers.forEach((company, index) => {
		const unlimited = { isNumberOfUsersLimited: false, licenceExpired: false };
		if (index < 40) Object.assign(company, { ...unlimited, licenseEndDate: getIsoTimeInDays((index % 29) + 0.5) });
		if (index === 5)
			Object.assign(company, { isNumberOfUsersLimited: true, numberOfUsers: String(company.targetUserCount) });
		if (index === 6) Object.assign(company, { licenceExpired: true, licenseEndDate: getIsoTimeInDays(-3) });
	});
	const dueEvents = sortForComparison(customers.flatMap(listDueEvents));
	const [rateLimitedCustomer, customerWithWrongKey, renamedCustomer] = customers;
	if (!rateLimitedCustomer || !customerWithWrongKey || !renamedCustomer)
		throw new Error('There are too few customers.');
	const renamedCompany = psa.records.companies.find(({ name }) => name === getCompanyName(renamedCustomer));
	if (renamedCompany) renamedCompany.name = 'Called otherwise';
	psa.addFault({ status: 429, company: getCompanyName(rateLimitedCustomer) });
	psa.addFault({ status: 401, company: getCompanyName(customerWithWrongKey), isOnlyForWrites: true });
	mailbox.refuseNextEmails(1);

	await runExample(settings);
	const [summaryLine = '', ...lines] = getLastLines();
	expectEqual(
		`${customers.length} customers, ${dueEvents.length} due licenses: there is a ticket and an email for each one that does not wait`,
		[summaryLine, listTickets(psa).length, listSubjects(mailbox).length],
		[formatSummary(dueEvents.length - 4, 4), dueEvents.length - 3, dueEvents.length - 4],
	);
	const findLine = (company: Company) => lines.find((line) => line.startsWith(`- ${getCompanyName(company)}, `)) ?? '';
	expectEqual(
		'the four waiting events are listed with the reason: the PSA, the key, an unknown name, the mail server',
		[
			findLine(rateLimitedCustomer).includes('spacing'),
			findLine(customerWithWrongKey).includes('401'),
			findLine(renamedCustomer).includes('the PSA has 0 companies of this name'),
			lines.filter((line) => /Send the Mail: .*451/.test(line)).length,
		],
		[true, true, true, 1],
	);
	expectEqual(
		'the chat message has a line for each new ticket',
		lines.filter((line) => /, ticket \d+$/.test(line)).length,
		dueEvents.length - 4,
	);
	const email = mailbox.readEmails()[0] ?? '';
	expectEqual('the email contains the usage', /Users: \d+( of \d+ \(\d+ %\)|, without a limit)/.test(email), true);

	if (renamedCompany) renamedCompany.name = getCompanyName(renamedCustomer);
	await runExample(settings);
	expectEqual(
		'the next run handles the four waiting events, and opens no ticket twice',
		[getLastLines()[0], listTickets(psa), listSubjects(mailbox)],
		[formatSummary(4, 0), dueEvents, dueEvents],
	);
	psa.requests.length = 0;
	await runExample(settings);
	expectEqual(
		'the third run sends no requests to the PSA and no emails, and the chat message says so',
		[psa.requests, getLastLines(), listSubjects(mailbox)],
		[[], [formatSummary(0, 0)], dueEvents],
	);
	expectNone(
		'all rows have a ticket and no reason for waiting',
		(await readTableRows(TABLE_NAME)).filter(({ why, ticket }) => why || !ticket),
	);

	Object.assign(rateLimitedCustomer, { licenseEndDate: getIsoTimeInDays(PERIOD_DAYS - 1.5) });
	await runExample(settings);
	expectEqual(
		'a new end date opens a new ticket',
		[getLastLines()[0], listTickets(psa).length],
		[formatSummary(1, 0), dueEvents.length + 1],
	);
	await dropTable(TABLE_NAME);
	await runExample({ ...settings, onlyCustomers: getCompanyName(rateLimitedCustomer) });
	expectEqual(
		'without rows in the table, the run opens no ticket twice',
		listTickets(psa).length,
		dueEvents.length + 1,
	);

	service.addFault({ kind: 'status-500', route: 'POST /api/companies/search', times: Infinity });
	await runExample(settings);
	service.clearFaults();
	expectEqual(
		'if the customers cannot be read, the chat message says so',
		[getLastLines()[0], getLastLines()[1]?.startsWith('- The customers could not be read: ')],
		[formatSummary(0, 0), true],
	);
	await checkNamesakes(example, psa, settings);
}

/** Checks that two customers with the same name wait until a user has entered the ID of their company in the PSA in the table. */
async function checkNamesakes(example: ExampleContext, psa: PsaSimulator, settings: ExampleSettings): Promise<void> {
	const { service, runExample, readTableRows, dropTable, client, getChatTexts, expectEqual } = example;
	const [firstCustomer, secondCustomer] = service.world.companies.filter((company) =>
		getCompanyName(company).includes(NAME_FRAGMENT),
	);
	const company = psa.records.companies.find(({ name }) => firstCustomer && name === getCompanyName(firstCustomer));
	if (!firstCustomer || !secondCustomer || !company) throw new Error('There are too few customers.');
	const name = getCompanyName(firstCustomer);
	const unlimited = { isNumberOfUsersLimited: false, licenceExpired: false };
	Object.assign(firstCustomer, unlimited, { licenseEndDate: getIsoTimeInDays(2.5) });
	Object.assign(secondCustomer, unlimited, {
		licenseEndDate: getIsoTimeInDays(3.5),
		companyName: ` ${name.toUpperCase()}`,
	});
	psa.reset();
	await dropTable(TABLE_NAME);
	await runExample({ ...settings, onlyCustomers: name });
	const lines = (getChatTexts().at(-1) ?? '').trimEnd().split('\n').slice(1);
	expectEqual(
		'for two customers with the same name and one company in the PSA, no ticket is opened, and the chat message says so',
		[listTickets(psa), lines.map((line) => line.endsWith('2 customers have this name'))],
		[[], [true, true]],
	);
	const event = (await readTableRows(TABLE_NAME))
		.map((row) => String(row.event))
		.find((text) => text.startsWith(firstCustomer.companyResourceId));
	await dropTable(TABLE_NAME);
	const table = await client.createTable(
		TABLE_NAME,
		COLUMNS.map((column) => ({ name: column, type: 'string' as const })),
	);
	await client.insertRows(table, [
		{ event: event ?? '', why: '2 customers have this name', company: String(company.id) },
	]);
	await runExample({ ...settings, onlyCustomers: name });
	expectEqual(
		'the customer whose company number a user has entered gets a ticket, and the other one waits',
		[
			listTickets(psa),
			psa.records.tickets.map(({ companyId }) => companyId),
			getChatTexts().at(-1)?.startsWith(formatSummary(1, 1)),
		],
		[listDueEvents(firstCustomer), [company.id], true],
	);

	Object.assign(secondCustomer, { companyName: 'Without an End', licenseEndDate: null });
	await runExample({ ...settings, onlyCustomers: 'Without an End' });
	expectEqual('a license without an end date causes no error', getChatTexts().at(-1)?.trimEnd(), formatSummary(0, 0));
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

async function checkHalo(example: ExampleContext, psa: PsaSimulator, mailbox: Mailbox): Promise<void> {
	const { service, runExample, expectEqual } = example;
	const customer = service.world.companies.find(
		(company) => getCompanyName(company).includes(NAME_FRAGMENT) && listDueEvents(company).length === 1,
	);
	if (!customer) throw new Error('There is no customer.');
	psa.reset();
	await example.dropTable(TABLE_NAME);
	const settings = { psa: 'halo', psaUrl: `${psa.url}/halo/api`, queue: '21', days: PERIOD_DAYS };
	const emailCountBefore = mailbox.readEmails().length;
	psa.addFault({ status: 429, isOnlyForWrites: true });
	const countsAfterRuns: number[] = [];
	for (let run = 0; run < 3; run++) {
		await runExample({ ...settings, onlyCustomers: getCompanyName(customer) }, switchToOAuth2);
		countsAfterRuns.push(psa.records.tickets.length, mailbox.readEmails().length - emailCountBefore);
	}
	expectEqual(
		'HaloPSA: after a refusal, the ticket is opened once and not again',
		[countsAfterRuns, listTickets(psa)],
		[[0, 0, 1, 1, 1, 1], listDueEvents(customer)],
	);
}

/**
 * Checks a PSA that the example doesn't support directly. Users describe such a PSA in the row `other`. Here, that row describes
 * ConnectWise.
 */
async function checkOtherPsa(example: ExampleContext, psa: PsaSimulator): Promise<void> {
	const customer = example.service.world.companies.find(
		(company) => getCompanyName(company).includes(NAME_FRAGMENT) && listDueEvents(company).length > 0,
	);
	if (!customer) throw new Error('There is no customer.');
	psa.reset();
	await example.dropTable(TABLE_NAME);
	const settings = {
		psa: 'other',
		psaUrl: `${psa.url}/connectwise`,
		clientId: PSA_CREDENTIALS.clientId,
		days: PERIOD_DAYS,
	};
	await example.runExample({ ...settings, onlyCustomers: getCompanyName(customer) }, (workflow) => {
		const text = JSON.stringify(workflow).replace('"name":"other"', '"name":"was"');
		return JSON.parse(text.replace('"name":"connectwise"', '"name":"other"')) as Workflow;
	});
	example.expectEqual(
		'a third PSA works with its terms alone',
		listTickets(psa),
		sortForComparison(listDueEvents(customer)),
	);
}
