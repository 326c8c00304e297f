import type { Workflow } from '../../real-n8n/client';
import type { ExampleSettings } from '../../real-n8n/examples';
import { PSA_CREDENTIALS, startPsa, type PsaSimulator } from '../../real-n8n/psaSimulator';
import { getJobPeople, getSentTime } from '../../stand-in/routes/campaign-people';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, type ExampleContext } from './registerCheck';
import { isManaged } from './customers';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
/** A name that two customers share. */
const SHARED_NAME = 'Twin Peaks Consulting';
const TABLE_NAME = 'Security Awareness Tickets';
const COLUMNS = ['person', 'customer', 'email', 'ticket', 'outcome', 'why', 'told', 'company'];
const PSA_CREDENTIAL_NAME = 'PSA account';
const PERIOD_DAYS = 30;
const MIN_CLICKS = 2;
/** The names of the nodes that send requests to the PSA. */
const PSA_NODES = ['Find the Company', 'Find the Ticket', 'Open or Add a Note'];

registerCheck(16, async (example) => {
	const psa = await startPsa(example.service.world.companies.map(({ companyName }) => companyName ?? ''));
	const { client } = example;
	const { user, password, haloClientId: clientId, haloClientSecret: clientSecret } = PSA_CREDENTIALS;
	const basicCredential = await client.createCredential(PSA_CREDENTIAL_NAME, 'httpBasicAuth', { user, password });
	const oauthCredential = await client.createCredential(PSA_CREDENTIAL_NAME, 'oAuth2Api', {
		grantType: 'clientCredentials',
		accessTokenUrl: `${psa.url}/halo/auth/token`,
		clientId,
		clientSecret,
		scope: 'all',
		authentication: 'body',
	});
	try {
		await checkConnectWise(example, psa);
		await checkHalo(example, psa);
		await checkOtherPsa(example, psa);
	} finally {
		await client.deleteCredential(basicCredential);
		await client.deleteCredential(oauthCredential);
		await psa.close();
	}
});

/** Lists the email addresses of a customer's people for whom the example must open a ticket, from the records of the service. */
function listPeopleWhoNeedTicket({ world }: ExampleContext['service'], { companyResourceId: id }: Company): string[] {
	const since = Date.now() - PERIOD_DAYS * 86_400_000;
	const companyData = world.getCompanyData(id);
	const clickCountsByEmail = new Map<string, number>();
	const submitters = new Set<string>();
	const campaigns = companyData.getCampaigns('phishing').filter(({ excludeFromReports }) => !excludeFromReports);
	for (const campaign of campaigns)
		for (const group of campaign.instanceGroups) {
			const sentAt = Date.parse(getSentTime(campaign, group));
			if (sentAt < since || sentAt > Date.now()) continue;
			for (const { user, activities } of getJobPeople(world, campaign, group)) {
				const hasHumanActivity = (list: typeof activities.clicked) => list.some(({ isBot }) => !isBot);
				if (hasHumanActivity(activities.submitted)) submitters.add(user.email);
				if (hasHumanActivity(activities.submitted) || hasHumanActivity(activities.clicked))
					clickCountsByEmail.set(user.email, (clickCountsByEmail.get(user.email) ?? 0) + 1);
			}
		}
	const frequentClickers = [...clickCountsByEmail].filter(([, times]) => times >= MIN_CLICKS).map(([email]) => email);
	const reporters = companyData.reportedEmails.map(({ reportedBy }) => reportedBy);
	return [...new Set([...submitters, ...frequentClickers, ...reporters])].map((email) => email.toLowerCase());
}

/** Lists the customer's name and the person of each ticket. Duplicate tickets appear twice. */
const listTickets = ({ records }: PsaSimulator) =>
	sortForComparison(
		records.tickets.map(
			({ companyId, summary }) => `${records.findCompany(companyId)?.name} ${summary.split(': ').at(-1)}`,
		),
	);

const formatSummary = (openedCount: number, updatedCount: number, waitingCount: number) =>
	`Tickets: ${openedCount} opened, ${updatedCount} updated, ${waitingCount} wait for the next run.`;

/** Makes a person who has already reported an email report another one. */
function addReportedEmail({ service }: ExampleContext, { companyResourceId: id }: Company, subject: string): void {
	const emails = service.world.getCompanyData(id).reportedEmails;
	const createTime = new Date().toISOString();
	for (const email of emails.slice(0, 1))
		emails.push({ ...email, resourceId: `again-${subject}`, subject, createTime });
}

async function checkConnectWise(example: ExampleContext, psa: PsaSimulator): Promise<void> {
	const { service, runExample, refuseCompany, readTableRows, dropTable, getChatTexts, expectEqual, expectNone } =
		example;
	const settings = {
		psa: 'connectwise',
		psaUrl: `${psa.url}/connectwise`,
		clientId: PSA_CREDENTIALS.clientId,
		onlyCustomers: NAME_FRAGMENT,
	};
	const getLastLines = () => (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	const customers = service.world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	const listExpectedTickets = (selectedCustomers: Company[]) =>
		sortForComparison(
			selectedCustomers.flatMap((company) =>
				listPeopleWhoNeedTicket(service, company).map((email) => `${company.companyName} ${email}`),
			),
		);
	const expectedTickets = listExpectedTickets(customers);
	const customersWithTickets = customers.filter((company) => listExpectedTickets([company]).length > 0);
	const [unreadableCustomer, rateLimitedCustomer, customerWithWrongKey] = customersWithTickets;
	if (!unreadableCustomer || !rateLimitedCustomer || !customerWithWrongKey)
		throw new Error('There are too few customers.');

	refuseCompany(unreadableCustomer);
	psa.addFault({ status: 429, company: rateLimitedCustomer.companyName ?? '', times: Infinity });
	psa.addFault({ status: 401, company: customerWithWrongKey.companyName ?? '', isOnlyForWrites: true });
	await runExample(settings);
	const [summaryLine = '', ...reasonLines] = getLastLines();
	const waitingCount = listExpectedTickets([rateLimitedCustomer]).length + 1;
	const writtenCount = expectedTickets.length - listExpectedTickets([unreadableCustomer]).length - waitingCount;
	expectEqual(
		`${customers.length} customers, ${expectedTickets.length} people: each person who could be read and written gets a ticket`,
		[psa.records.tickets.length, summaryLine],
		[writtenCount, formatSummary(writtenCount, 0, waitingCount)],
	);
	expectEqual(
		'the chat message lists what waits, with the reason: the PSA, the key, or the unreadable customer',
		[
			reasonLines.filter(
				(line) => line.startsWith(`- ${rateLimitedCustomer.companyName}, `) && line.includes('spacing'),
			).length,
			reasonLines.filter((line) => line.startsWith(`- ${customerWithWrongKey.companyName}, `) && line.includes('401'))
				.length,
			reasonLines.some(
				(line) => line.startsWith(`- ${unreadableCustomer.companyName}: could not be read`) && line.includes('403'),
			),
		],
		[waitingCount - 1, 1, true],
	);
	const [ticket] = psa.records.tickets;
	const isComplete =
		ticket?.queue === 'Help Desk' && /^20\d\d-\d\d-\d\d: (clicked|submitted|reported)/.test(ticket.text);
	expectEqual('a ticket is on the right board and says what happened and when', isComplete, true);

	service.clearFaults();
	psa.clearFaults();
	await runExample(settings);
	expectEqual(
		'the next run opens the missing tickets',
		[listTickets(psa), getLastLines()],
		[expectedTickets, [formatSummary(expectedTickets.length - writtenCount, 0, 0)]],
	);
	psa.requests.length = 0;
	await runExample(settings);
	expectEqual(
		'the third run writes nothing, and the chat message says so',
		[psa.requests, getLastLines()],
		[[], [formatSummary(0, 0, 0)]],
	);
	expectNone(
		'no ticket has a note',
		psa.records.tickets.filter(({ notes }) => notes.length > 0),
	);

	addReportedEmail(example, customerWithWrongKey, 'Third warning');
	await runExample(settings);
	const newNotes = psa.records.tickets.flatMap(({ notes }) => notes);
	expectEqual(
		"if a person reports another email, the person's ticket gets a note",
		[listTickets(psa), newNotes.length, getLastLines()],
		[expectedTickets, 1, [formatSummary(0, 1, 0)]],
	);
	expectEqual(
		'the note only describes the new event',
		/^20\d\d-\d\d-\d\d: reported the mail "Third warning" \(\w+\)$/.test(newNotes[0] ?? ''),
		true,
	);

	const rowCountBefore = (await readTableRows(TABLE_NAME)).length;
	await dropTable(TABLE_NAME);
	await runExample({ ...settings, onlyCustomers: customerWithWrongKey.companyName ?? '' });
	expectEqual(
		'without rows in the table, the run still finds the tickets',
		[rowCountBefore, listTickets(psa)],
		[expectedTickets.length, expectedTickets],
	);

	const closedTicket = psa.records.tickets.find(({ notes }) => notes.length > 0);
	if (closedTicket) closedTicket.isClosed = true;
	addReportedEmail(example, customerWithWrongKey, 'Fourth warning');
	await runExample({ ...settings, onlyCustomers: customerWithWrongKey.companyName ?? '' });
	expectEqual(
		'an event after a ticket was closed opens a new ticket',
		[psa.records.tickets.length, getLastLines()],
		[expectedTickets.length + 1, [formatSummary(1, 0, 0)]],
	);

	await runExample({ ...settings, onlyCustomers: SHARED_NAME });
	const [, ...reasons] = getLastLines();
	expectEqual(
		'for two customers and two companies with the same name, no ticket is opened, and the chat message says so',
		[
			psa.records.tickets.length,
			reasons.length > 0,
			reasons.every((line) => line.includes('2 customers have this name')),
		],
		[expectedTickets.length + 1, true, true],
	);
	await checkNamesakes(example, psa, settings);
}

/** Checks that two customers with the same name wait until a user has entered the ID of their company in the PSA in the table. */
async function checkNamesakes(example: ExampleContext, psa: PsaSimulator, settings: ExampleSettings): Promise<void> {
	const { service, runExample, readTableRows, getChatTexts, expectEqual, client, dropTable } = example;
	const [firstCustomer, secondCustomer] = service.world.companies.filter(
		({ companyName }) => companyName === SHARED_NAME,
	);
	const companies = psa.records.companies.filter(({ name }) => name === SHARED_NAME);
	const [company, otherCompany] = companies;
	if (!firstCustomer || !secondCustomer || !company || !otherCompany) throw new Error('There are no namesakes.');
	const getLastReasons = () => (getChatTexts().at(-1) ?? '').trimEnd().split('\n').slice(1);

	otherCompany.name = 'Called otherwise';
	const ticketCountBefore = psa.records.tickets.length;
	await runExample({ ...settings, onlyCustomers: SHARED_NAME });
	expectEqual(
		'for two customers with the same name and one company in the PSA, no ticket is opened, and the chat message says so',
		[
			psa.records.tickets.length - ticketCountBefore,
			getLastReasons().length > 0,
			getLastReasons().every((line) => line.includes('2 customers have this name')),
		],
		[0, true, true],
	);

	const companyNumbersByCustomerId = new Map([
		[firstCustomer.companyResourceId, String(company.id)],
		[secondCustomer.companyResourceId, String(otherCompany.id)],
	]);
	const waitingRows = (await readTableRows(TABLE_NAME)).filter(({ outcome }) => outcome === 'waits');
	await dropTable(TABLE_NAME);
	const table = await client.createTable(
		TABLE_NAME,
		COLUMNS.map((name) => ({ name, type: 'string' as const })),
	);
	const rowsWithNumbers = [...companyNumbersByCustomerId].map(([id, number]) => {
		const row = waitingRows.find(({ person }) => String(person).startsWith(id));
		return { person: String(row?.person ?? `${id} nobody`), company: number };
	});
	await client.insertRows(table, rowsWithNumbers);
	await runExample({ ...settings, onlyCustomers: SHARED_NAME });
	const countPeople = (customer: Company) =>
		isManaged(customer, SHARED_NAME) ? listPeopleWhoNeedTicket(service, customer).length : 0;
	const countTickets = (id: number) => psa.records.tickets.filter(({ companyId }) => companyId === id).length;
	expectEqual(
		"after a user has entered the companies' numbers, the tickets are opened for these companies",
		[countTickets(company.id), countTickets(otherCompany.id), getLastReasons()],
		[countPeople(firstCustomer), countPeople(secondCustomer), []],
	);
	otherCompany.name = SHARED_NAME;
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

async function checkHalo(example: ExampleContext, psa: PsaSimulator): Promise<void> {
	const { service, runExample, getChatTexts, expectEqual } = example;
	const customer = service.world.companies.find(
		(company) => isManaged(company, NAME_FRAGMENT) && listPeopleWhoNeedTicket(service, company)[0],
	);
	if (!customer) throw new Error('There is no customer.');
	const settings = {
		psa: 'halo',
		psaUrl: `${psa.url}/halo/api`,
		queue: '21',
		onlyCustomers: customer.companyName ?? '',
	};
	const peopleCount = listPeopleWhoNeedTicket(service, customer).length;
	psa.reset();
	await example.dropTable(TABLE_NAME);
	psa.addFault({ status: 429, isOnlyForWrites: true });
	await runExample(settings, switchToOAuth2);
	expectEqual('HaloPSA: one ticket is refused', psa.records.tickets.length, peopleCount - 1);
	await runExample(settings, switchToOAuth2);
	addReportedEmail(example, customer, 'Once more');
	await runExample(settings, switchToOAuth2);
	const { tickets } = psa.records;
	expectEqual(
		'HaloPSA: the next run opens the missing ticket, a new event becomes a note, and all tickets have the right type',
		[
			tickets.length,
			new Set(listTickets(psa)).size,
			tickets.flatMap(({ notes }) => notes).length,
			new Set(tickets.map(({ queue }) => queue)).size,
			getChatTexts().at(-1)?.trim(),
		],
		[peopleCount, peopleCount, 1, 1, formatSummary(0, 1, 0)],
	);
}

/**
 * Checks a PSA that the example doesn't support directly. Users describe such a PSA in the row `other`. Here, that row describes
 * ConnectWise.
 */
async function checkOtherPsa(example: ExampleContext, psa: PsaSimulator): Promise<void> {
	const { service, runExample, expectEqual } = example;
	const [customer] = service.world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	psa.reset();
	await example.dropTable(TABLE_NAME);
	const swapPsaRows = (workflow: Workflow): Workflow => {
		const text = JSON.stringify(workflow)
			.replace('"name":"connectwise"', '"name":"was"')
			.replace('"name":"other"', '"name":"connectwise"');
		return JSON.parse(text.replace('"name":"was"', '"name":"other"')) as Workflow;
	};
	const settings = { psa: 'other', psaUrl: `${psa.url}/connectwise`, clientId: PSA_CREDENTIALS.clientId };
	await runExample({ ...settings, onlyCustomers: customer?.companyName ?? '' }, swapPsaRows);
	expectEqual(
		'a third PSA works with its terms alone',
		psa.records.tickets.length,
		customer && listPeopleWhoNeedTicket(service, customer).length,
	);
}
