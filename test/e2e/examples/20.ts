import type { Workflow } from '../../real-n8n/client';
import type { ExampleSettings } from '../../real-n8n/examples';
import { startPsa, type PsaSimulator } from '../../real-n8n/psaSimulator';
import type { Company } from '../../stand-in/seed';
import { enterCustomerMap, type CustomerMapRow } from './customerMapTable';
import { buildPsaSettings, createPsaCredentials, PSA_NAMES, selectPsaCredential, type PsaName } from './psaAccess';
import { registerCheck, sortForComparison, type ExampleContext } from './registerCheck';
import { createMailCredential, startMailbox, type Mailbox } from './mailbox';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
const TABLE_NAME = 'Security Awareness Renewals';
const PERIOD_DAYS = 30;
/** The names of the nodes that send requests to the PSA. */
const PSA_NODES = ['Find the Ticket', 'Open the Ticket'];
const MISSING_ID_REASON = 'no psaId in the table Security Awareness Customers: enter it there, or run example 27';

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
	const deletePsaCredentials = await createPsaCredentials(example, psa);
	const mailCredential = await createMailCredential(client, mailbox);
	try {
		await checkConnectWise(example, psa, mailbox);
		for (const psaName of PSA_NAMES) await checkRightCompanies(example, psa, mailbox, psaName);
		await checkRefusedTicket(example, psa, mailbox, 'halo');
		await checkRefusedTicket(example, psa, mailbox, 'autotask');
		await checkOtherPsa(example, psa);
	} finally {
		await client.deleteCredential(mailCredential);
		await deletePsaCredentials();
		mailbox.close();
		await psa.close();
	}
});

/** Returns the ID of a customer's company in the PSA. The PSA was started with the customers in the same order. */
const getPsaId = ({ service }: ExampleContext, company: Company): number =>
	service.world.companies.indexOf(company) + 1;

/** Replaces the customer map by one with the PSA's IDs of these customers, and with these changes. */
const enterPsaIds = (
	example: ExampleContext,
	companies: Company[],
	changesById: Record<string, CustomerMapRow> = {},
): Promise<void> =>
	enterCustomerMap(
		example,
		companies.map((company) => ({
			customerId: company.companyResourceId,
			customer: getCompanyName(company),
			psaId: String(getPsaId(example, company)),
			...changesById[company.companyResourceId],
		})),
	);

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
	const settings = { ...buildPsaSettings('connectwise', psa), days: PERIOD_DAYS, onlyCustomers: NAME_FRAGMENT };
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
	const [rateLimitedCustomer, customerWithWrongKey, unmappedCustomer] = customers;
	if (!rateLimitedCustomer || !customerWithWrongKey || !unmappedCustomer)
		throw new Error('There are too few customers.');
	await enterPsaIds(
		example,
		customers.filter((company) => company !== unmappedCustomer),
	);
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
		'the four waiting events are listed first, with the reason: the PSA, the key, no ID in the map, the mail server',
		[
			findLine(rateLimitedCustomer).includes('spacing'),
			findLine(customerWithWrongKey).includes('401'),
			findLine(unmappedCustomer).endsWith(MISSING_ID_REASON),
			lines.filter((line) => /Send the Mail: .*451/.test(line)).length,
			lines.slice(0, 4).filter((line) => /, ticket \d+$/.test(line)),
		],
		[true, true, true, 1, []],
	);
	expectEqual(
		'the chat message has a line for each new ticket',
		lines.filter((line) => /, ticket \d+$/.test(line)).length,
		dueEvents.length - 4,
	);
	const email = mailbox.readEmails()[0] ?? '';
	expectEqual('the email contains the usage', /Users: \d+( of \d+ \(\d+ %\)|, without a limit)/.test(email), true);

	await enterPsaIds(example, customers);
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
	await checkAccountManagers(example, psa, mailbox, settings);
}

/** Checks the account managers in the customer map, and a license without an end date. */
async function checkAccountManagers(
	example: ExampleContext,
	psa: PsaSimulator,
	mailbox: Mailbox,
	settings: ExampleSettings,
): Promise<void> {
	const { service, runExample, getChatTexts, dropTable, expectEqual } = example;
	const [customer, customerWithFault, customerWithoutEnd] = service.world.companies.filter((company) =>
		getCompanyName(company).includes(NAME_FRAGMENT),
	);
	if (!customer || !customerWithFault || !customerWithoutEnd) throw new Error('There are too few customers.');
	const unlimited = { isNumberOfUsersLimited: false, licenceExpired: false, licenseEndDate: getIsoTimeInDays(2.5) };
	Object.assign(customer, unlimited, { companyName: 'Managed One' });
	Object.assign(customerWithFault, unlimited, { companyName: 'Managed Two' });
	psa.reset();
	await dropTable(TABLE_NAME);
	await enterPsaIds(example, service.world.companies, {
		[customer.companyResourceId]: { settings: '{"accountManager": "anna@msp.example"}' },
		[customerWithFault.companyResourceId]: { settings: 'anna@msp.example' },
	});
	const emailCountBefore = mailbox.readEmails().length;
	await runExample({ ...settings, onlyCustomers: 'Managed' });
	const [summaryLine, ...lines] = (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	const newEmails = mailbox.readEmails().slice(emailCountBefore);
	expectEqual(
		"the email goes to the customer's own account manager, and settings that are no JSON wait with the reason",
		[
			summaryLine,
			newEmails.map((email) => /^To: (.*?)\r?$/m.exec(email)?.[1]),
			psa.records.tickets.map(({ companyId }) => companyId),
			lines.some((line) => /^- Managed Two, .*: the settings in the table .* are no JSON object/.test(line)),
		],
		[formatSummary(1, 1), ['anna@msp.example'], [getPsaId(example, customer)], true],
	);

	Object.assign(customerWithoutEnd, { companyName: 'Without an End', licenseEndDate: null });
	await runExample({ ...settings, onlyCustomers: 'Without an End' });
	expectEqual('a license without an end date causes no error', getChatTexts().at(-1)?.trimEnd(), formatSummary(0, 0));
}

/**
 * Checks one PSA with more than forty customers: two have the same name, and one was renamed on the platform and in the PSA. No
 * ticket may be at another customer's company, and a second run changes nothing.
 */
async function checkRightCompanies(
	example: ExampleContext,
	psa: PsaSimulator,
	mailbox: Mailbox,
	psaName: PsaName,
): Promise<void> {
	const { service, runExample, dropTable, getChatTexts, expectEqual, expectNone } = example;
	psa.reset();
	await dropTable(TABLE_NAME);
	const customers = service.world.companies.filter((company) => getCompanyName(company).includes(NAME_FRAGMENT));
	const [renamedCustomer, firstNamesake, secondNamesake, unmappedCustomer] = customers.filter(
		(company) => listDueEvents(company).length > 0,
	);
	if (!renamedCustomer || !firstNamesake || !secondNamesake || !unmappedCustomer)
		throw new Error('There are too few customers.');
	const findCompany = (company: Company) => psa.records.findCompany(getPsaId(example, company));
	Object.assign(renamedCustomer, { companyName: `New ${NAME_FRAGMENT} ${psaName}` });
	Object.assign(findCompany(renamedCustomer) ?? {}, { name: 'Called otherwise' });
	Object.assign(secondNamesake, { companyName: getCompanyName(firstNamesake) });
	Object.assign(findCompany(secondNamesake) ?? {}, { name: getCompanyName(firstNamesake) });
	const isMapped = (company: Company) => company !== unmappedCustomer;
	await enterPsaIds(example, service.world.companies.filter(isMapped));
	const settings = {
		...buildPsaSettings(psaName, psa),
		queue: '21',
		days: PERIOD_DAYS,
		onlyCustomers: NAME_FRAGMENT,
	};
	const changeWorkflow = selectPsaCredential(psaName, PSA_NODES);
	const emailCountBefore = mailbox.readEmails().length;
	await runExample(settings, changeWorkflow);
	const listCompaniesAndEvents = () =>
		sortForComparison(psa.records.tickets.map(({ companyId, summary }) => `${companyId} ${summary}`));
	const expectedTickets = sortForComparison(
		customers
			.filter(isMapped)
			.flatMap((company) => listDueEvents(company).map((event) => `${getPsaId(example, company)} ${event}`)),
	);
	const [, ...lines] = (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	const waitingLines = lines.filter((line) => !/, ticket \d+$/.test(line));
	expectEqual(
		`${psaName}: ${expectedTickets.length} tickets of ${customers.length} customers, two of one name and one renamed, are at the right companies`,
		[listCompaniesAndEvents(), mailbox.readEmails().length - emailCountBefore],
		[expectedTickets, expectedTickets.length],
	);
	expectNone(
		`${psaName}: only the customer without an ID waits, with the reason`,
		waitingLines.filter(
			(line) => !line.startsWith(`- ${getCompanyName(unmappedCustomer)}, `) || !line.endsWith(MISSING_ID_REASON),
		),
	);
	await runExample(settings, changeWorkflow);
	expectEqual(
		`${psaName}: the second run opens no ticket and sends no email`,
		[listCompaniesAndEvents(), mailbox.readEmails().length - emailCountBefore, getChatTexts().at(-1)?.split('\n')[0]],
		[expectedTickets, expectedTickets.length, formatSummary(0, listDueEvents(unmappedCustomer).length)],
	);
}

/** Checks that a PSA's refusal opens no ticket twice. */
async function checkRefusedTicket(
	example: ExampleContext,
	psa: PsaSimulator,
	mailbox: Mailbox,
	psaName: PsaName,
): Promise<void> {
	const { service, runExample, expectEqual } = example;
	const customer = service.world.companies.find(
		(company) => getCompanyName(company).includes(NAME_FRAGMENT) && listDueEvents(company).length === 1,
	);
	if (!customer) throw new Error('There is no customer.');
	psa.reset();
	await example.dropTable(TABLE_NAME);
	await enterPsaIds(example, service.world.companies);
	const settings = { ...buildPsaSettings(psaName, psa), queue: '21', days: PERIOD_DAYS };
	const emailCountBefore = mailbox.readEmails().length;
	psa.addFault({ status: 429, isOnlyForWrites: true });
	const countsAfterRuns: number[] = [];
	for (let run = 0; run < 3; run++) {
		await runExample({ ...settings, onlyCustomers: getCompanyName(customer) }, selectPsaCredential(psaName, PSA_NODES));
		countsAfterRuns.push(psa.records.tickets.length, mailbox.readEmails().length - emailCountBefore);
	}
	expectEqual(
		`${psaName}: after a refusal, the ticket is opened once and not again`,
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
	const settings = { ...buildPsaSettings('connectwise', psa), psa: 'other', days: PERIOD_DAYS };
	await example.runExample({ ...settings, onlyCustomers: getCompanyName(customer) }, (workflow) => {
		const text = JSON.stringify(workflow).replace('"name":"other"', '"name":"was"');
		return JSON.parse(text.replace('"name":"connectwise"', '"name":"other"')) as Workflow;
	});
	example.expectEqual(
		'another PSA works with its terms alone',
		listTickets(psa),
		sortForComparison(listDueEvents(customer)),
	);
}
