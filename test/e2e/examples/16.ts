import type { Workflow } from '../../real-n8n/client';
import type { ExampleSettings } from '../../real-n8n/examples';
import { startPsa, type PsaSimulator } from '../../real-n8n/psaSimulator';
import { getJobPeople, getSentTime } from '../../stand-in/routes/campaign-people';
import type { Company } from '../../stand-in/seed';
import { dropCustomerMap, enterCustomerMap } from './customerMapTable';
import { isManaged } from './customers';
import { buildPsaSettings, createPsaCredentials, PSA_NAMES, selectPsaCredential, type PsaName } from './psaAccess';
import { registerCheck, sortForComparison, type ExampleContext } from './registerCheck';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
/** A name that two customers share. */
const SHARED_NAME = 'Twin Peaks Consulting';
const TABLE_NAME = 'Security Awareness Tickets';
const PERIOD_DAYS = 30;
const MIN_CLICKS = 2;
/** The names of the nodes that send requests to the PSA. */
const PSA_NODES = ['Find the Ticket', 'Open or Add a Note'];
const MISSING_ID_REASON = 'no psaId in the table Security Awareness Customers: enter it there, or run example 27';

registerCheck(16, async (example) => {
	const psa = await startPsa(example.service.world.companies.map(({ companyName }) => companyName ?? ''));
	const deletePsaCredentials = await createPsaCredentials(example, psa);
	try {
		await enterPsaIds(example, example.service.world.companies);
		await checkConnectWise(example, psa);
		for (const psaName of PSA_NAMES) await checkRightCompanies(example, psa, psaName);
		await checkRefusedTicket(example, psa, 'halo');
		await checkRefusedTicket(example, psa, 'autotask');
		await checkOtherPsa(example, psa);
	} finally {
		await deletePsaCredentials();
		await psa.close();
	}
});

/** Returns the ID of a customer's company in the PSA. The PSA was started with the customers in the same order. */
const getPsaId = ({ service }: ExampleContext, company: Company): number =>
	service.world.companies.indexOf(company) + 1;

/** Replaces the customer map by one with the PSA's IDs of these customers. */
const enterPsaIds = (example: ExampleContext, companies: Company[]): Promise<void> =>
	enterCustomerMap(
		example,
		companies.map((company) => ({
			customerId: company.companyResourceId,
			customer: company.companyName ?? '',
			psaId: String(getPsaId(example, company)),
		})),
	);

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
	const settings = { ...buildPsaSettings('connectwise', psa), onlyCustomers: NAME_FRAGMENT };
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

	await checkNamesakes(example, psa, settings);
}

/** Checks that customers without an ID in the customer map wait, also if the map doesn't exist. */
async function checkNamesakes(example: ExampleContext, psa: PsaSimulator, settings: ExampleSettings): Promise<void> {
	const { service, runExample, getChatTexts, expectEqual } = example;
	const namesakes = service.world.companies.filter(({ companyName }) => companyName === SHARED_NAME);
	const getLastReasons = () => (getChatTexts().at(-1) ?? '').trimEnd().split('\n').slice(1);
	const ticketCountBefore = psa.records.tickets.length;
	const why = '2 customers have this name';
	await enterCustomerMap(
		example,
		namesakes.map(({ companyResourceId: customerId }) => ({ customerId, why })),
	);
	await runExample({ ...settings, onlyCustomers: SHARED_NAME });
	const reasons = getLastReasons();
	await dropCustomerMap(example);
	await runExample({ ...settings, onlyCustomers: SHARED_NAME });
	expectEqual(
		'without an ID in the customer map, or without a map, people wait, and the chat message says why',
		[
			psa.records.tickets.length - ticketCountBefore,
			reasons.length > 0,
			reasons.every((line) => line.endsWith(MISSING_ID_REASON.replace(':', ` (${why}):`))),
			getLastReasons().map((line) => line.endsWith(MISSING_ID_REASON)),
		],
		[0, true, true, reasons.map(() => true)],
	);
	await enterPsaIds(example, service.world.companies);
	await runExample({ ...settings, onlyCustomers: SHARED_NAME });
	const countPeople = (customer: Company) =>
		isManaged(customer, SHARED_NAME) ? listPeopleWhoNeedTicket(service, customer).length : 0;
	const countTickets = (customer: Company) =>
		psa.records.tickets.filter(({ companyId }) => companyId === getPsaId(example, customer)).length;
	expectEqual(
		'after a user has entered the IDs, both namesakes have their tickets',
		[namesakes.map(countTickets), getLastReasons()],
		[namesakes.map(countPeople), []],
	);
}

/**
 * Checks one PSA with more than forty customers: two have the same name, and one was renamed on the platform and in the PSA. No
 * ticket may be at another customer's company, and a second run changes nothing.
 */
async function checkRightCompanies(example: ExampleContext, psa: PsaSimulator, psaName: PsaName): Promise<void> {
	const { service, runExample, dropTable, getChatTexts, expectEqual, expectNone } = example;
	psa.reset();
	await dropTable(TABLE_NAME);
	const customers = service.world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	const [renamedCustomer, firstNamesake, secondNamesake, unmappedCustomer] = customers.filter(
		(company) => listPeopleWhoNeedTicket(service, company).length > 0,
	);
	if (!renamedCustomer || !firstNamesake || !secondNamesake || !unmappedCustomer)
		throw new Error('There are too few customers.');
	const findCompany = (company: Company) => psa.records.findCompany(getPsaId(example, company));
	Object.assign(renamedCustomer, { companyName: `New ${NAME_FRAGMENT} ${psaName}` });
	Object.assign(findCompany(renamedCustomer) ?? {}, { name: 'Called otherwise' });
	Object.assign(secondNamesake, { companyName: firstNamesake.companyName });
	Object.assign(findCompany(secondNamesake) ?? {}, { name: firstNamesake.companyName });
	const isMapped = (company: Company) => company !== unmappedCustomer;
	await enterPsaIds(example, service.world.companies.filter(isMapped));
	const settings = { ...buildPsaSettings(psaName, psa), queue: '21', onlyCustomers: NAME_FRAGMENT };
	const changeWorkflow = selectPsaCredential(psaName, PSA_NODES);
	await runExample(settings, changeWorkflow);
	const [, ...waitingLines] = (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	const listCompanyAndPerson = (company: Company) =>
		listPeopleWhoNeedTicket(service, company).map((email) => `${getPsaId(example, company)} ${email}`);
	const listTicketCompanies = () =>
		sortForComparison(
			psa.records.tickets.map(({ companyId, summary }) => `${companyId} ${summary.split(': ').at(-1)}`),
		);
	const expectedTickets = sortForComparison(customers.filter(isMapped).flatMap(listCompanyAndPerson));
	expectEqual(
		`${psaName}: ${expectedTickets.length} tickets of ${customers.length} customers, two of one name and one renamed, are at the right companies`,
		listTicketCompanies(),
		expectedTickets,
	);
	expectNone(
		`${psaName}: only the people of the customer without an ID wait, with the reason`,
		waitingLines.filter(
			(line) => !line.startsWith(`- ${unmappedCustomer.companyName}, `) || !line.endsWith(MISSING_ID_REASON),
		),
	);
	psa.requests.length = 0;
	await runExample(settings, changeWorkflow);
	expectEqual(
		`${psaName}: the second run sends no requests to the PSA, and the same people wait`,
		[psa.requests, listTicketCompanies(), (getChatTexts().at(-1) ?? '').trimEnd().split('\n').slice(1).length],
		[[], expectedTickets, waitingLines.length],
	);
}

/** Checks that a PSA's refusal opens no ticket twice, and that a new event becomes a note. */
async function checkRefusedTicket(example: ExampleContext, psa: PsaSimulator, psaName: PsaName): Promise<void> {
	const { service, runExample, getChatTexts, expectEqual } = example;
	const customer = service.world.companies.find(
		(company) => isManaged(company, NAME_FRAGMENT) && listPeopleWhoNeedTicket(service, company)[0],
	);
	if (!customer) throw new Error('There is no customer.');
	const settings = { ...buildPsaSettings(psaName, psa), queue: '21', onlyCustomers: customer.companyName ?? '' };
	const changeWorkflow = selectPsaCredential(psaName, PSA_NODES);
	const peopleCount = listPeopleWhoNeedTicket(service, customer).length;
	psa.reset();
	await example.dropTable(TABLE_NAME);
	await enterPsaIds(example, service.world.companies);
	psa.addFault({ status: 429, isOnlyForWrites: true });
	await runExample(settings, changeWorkflow);
	expectEqual(`${psaName}: one ticket is refused`, psa.records.tickets.length, peopleCount - 1);
	await runExample(settings, changeWorkflow);
	addReportedEmail(example, customer, `Once more ${psaName}`);
	await runExample(settings, changeWorkflow);
	const { tickets } = psa.records;
	expectEqual(
		`${psaName}: the next run opens the missing ticket, a new event becomes a note, and all tickets are in the right queue`,
		[
			tickets.length,
			new Set(listTickets(psa)).size,
			tickets.flatMap(({ notes }) => notes).length,
			new Set(tickets.map(({ queue }) => queue)),
			getChatTexts().at(-1)?.trim(),
		],
		[peopleCount, peopleCount, 1, new Set(['21']), formatSummary(0, 1, 0)],
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
	const settings = { ...buildPsaSettings('connectwise', psa), psa: 'other' };
	await runExample({ ...settings, onlyCustomers: customer?.companyName ?? '' }, swapPsaRows);
	expectEqual(
		'another PSA works with its terms alone',
		psa.records.tickets.length,
		customer && listPeopleWhoNeedTicket(service, customer).length,
	);
}
