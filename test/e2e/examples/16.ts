import type { Workflow } from '../../real-n8n/client';
import type { ExampleSettings } from '../../real-n8n/examples';
import { PSA_KEYS, startPsa, type PsaSimulator } from '../../real-n8n/psa';
import { getJobPeople, getSentTime } from '../../stand-in/routes/campaign-people';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, type ExampleContext } from './check';
import { isManaged } from './customers';

/** In the names of more than forty customers. */
const NAME_PART = 'Partners';
/** The name of two customers. */
const NAMESAKE = 'Twin Peaks Consulting';
const TABLE = 'Security Awareness Tickets';
const COLUMNS = ['person', 'customer', 'email', 'ticket', 'outcome', 'why', 'told', 'company'];
const CREDENTIAL = 'PSA account';
const DAYS = 30;
const CLICKS = 2;
/** The nodes that ask the PSA. */
const PSA_NODES = ['Find the Company', 'Find the Ticket', 'Open or Add a Note'];

registerCheck(16, async (example) => {
	const psa = await startPsa(example.service.world.companies.map(({ companyName }) => companyName ?? ''));
	const { client } = example;
	const { user, password, haloClientId: clientId, haloClientSecret: clientSecret } = PSA_KEYS;
	const basic = await client.createCredential(CREDENTIAL, 'httpBasicAuth', { user, password });
	const oauth = await client.createCredential(CREDENTIAL, 'oAuth2Api', {
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
		await client.deleteCredential(basic);
		await client.deleteCredential(oauth);
		await psa.close();
	}
});

/** The people of a customer who need a ticket, by what the service knows of them. */
function listPeopleWhoNeedTicket({ world }: ExampleContext['service'], { companyResourceId: id }: Company): string[] {
	const since = Date.now() - DAYS * 86_400_000;
	const companyData = world.getCompanyData(id);
	const did = { clicked: new Map<string, number>(), submitted: new Set<string>() };
	const campaigns = companyData.getCampaigns('phishing').filter(({ excludeFromReports }) => !excludeFromReports);
	for (const campaign of campaigns)
		for (const group of campaign.instanceGroups) {
			const sent = Date.parse(getSentTime(campaign, group));
			for (const { user, activities } of sent < since || sent > Date.now()
				? []
				: getJobPeople(world, campaign, group)) {
				const isIn = (list: typeof activities.clicked) => list.some(({ isBot }) => !isBot);
				if (isIn(activities.submitted)) did.submitted.add(user.email);
				if (isIn(activities.submitted) || isIn(activities.clicked))
					did.clicked.set(user.email, (did.clicked.get(user.email) ?? 0) + 1);
			}
		}
	const often = [...did.clicked].filter(([, times]) => times >= CLICKS).map(([email]) => email);
	const reported = companyData.reportedEmails.map(({ reportedBy }) => reportedBy);
	return [...new Set([...did.submitted, ...often, ...reported])].map((email) => email.toLowerCase());
}

/** The tickets as customer and person; what was opened twice is there twice. */
const listTickets = ({ books }: PsaSimulator) =>
	sortForComparison(
		books.tickets.map(
			({ companyId, summary }) => `${books.findCompany(companyId)?.name} ${summary.split(': ').at(-1)}`,
		),
	);

const formatSummary = (openedNow: number, updated: number, waits: number) =>
	`Tickets: ${openedNow} opened, ${updated} updated, ${waits} wait for the next run.`;

/** A person reports one more mail. */
function addReportedEmail({ service }: ExampleContext, { companyResourceId: id }: Company, subject: string): void {
	const mails = service.world.getCompanyData(id).reportedEmails;
	const createTime = new Date().toISOString();
	for (const mail of mails.slice(0, 1)) mails.push({ ...mail, resourceId: `again-${subject}`, subject, createTime });
}

async function checkConnectWise(example: ExampleContext, psa: PsaSimulator): Promise<void> {
	const { service, runExample, refuseCompany, readTableRows, dropTable, getChatTexts, expectEqual, expectNone } =
		example;
	const settings = {
		psa: 'connectwise',
		psaUrl: `${psa.url}/connectwise`,
		clientId: PSA_KEYS.clientId,
		onlyCustomers: NAME_PART,
	};
	const getLastLines = () => (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	const customers = service.world.companies.filter((company) => isManaged(company, NAME_PART));
	const listExpectedTickets = (list: Company[]) =>
		sortForComparison(
			list.flatMap((each) => listPeopleWhoNeedTicket(service, each).map((email) => `${each.companyName} ${email}`)),
		);
	const all = listExpectedTickets(customers);
	const customersWithTickets = customers.filter((each) => listExpectedTickets([each]).length > 0);
	const [unread, busy, once] = customersWithTickets;
	if (!unread || !busy || !once) throw new Error('There are too few customers.');

	refuseCompany(unread);
	psa.addFault({ status: 429, company: busy.companyName ?? '', times: Infinity });
	psa.addFault({ status: 401, company: once.companyName ?? '', writes: true });
	await runExample(settings);
	const [first = '', ...getLastReasons] = getLastLines();
	const waiting = listExpectedTickets([busy]).length + 1;
	const done = all.length - listExpectedTickets([unread]).length - waiting;
	expectEqual(
		`${customers.length} customers, ${all.length} people: a ticket for each that could be read and written`,
		[psa.books.tickets.length, first],
		[done, formatSummary(done, 0, waiting)],
	);
	expectEqual(
		'what waits is in one list with the reason: the PSA, the key, and the customer that could not be read',
		[
			getLastReasons.filter((line) => line.startsWith(`- ${busy.companyName}, `) && line.includes('spacing')).length,
			getLastReasons.filter((line) => line.startsWith(`- ${once.companyName}, `) && line.includes('401')).length,
			getLastReasons.some(
				(line) => line.startsWith(`- ${unread.companyName}: could not be read`) && line.includes('403'),
			),
		],
		[waiting - 1, 1, true],
	);
	const [ticket] = psa.books.tickets;
	const isWhole = ticket?.queue === 'Help Desk' && /^20\d\d-\d\d-\d\d: (clicked|submitted|reported)/.test(ticket.text);
	expectEqual('a ticket is on the board and says what happened and when', isWhole, true);

	service.clearFaults();
	psa.clearFaults();
	await runExample(settings);
	expectEqual(
		'the next run opens those',
		[listTickets(psa), getLastLines()],
		[all, [formatSummary(all.length - done, 0, 0)]],
	);
	psa.requests.length = 0;
	await runExample(settings);
	expectEqual(
		'the third one writes nothing, and says so',
		[psa.requests, getLastLines()],
		[[], [formatSummary(0, 0, 0)]],
	);
	expectNone(
		'no ticket has a note yet',
		psa.books.tickets.filter(({ notes }) => notes.length > 0),
	);

	addReportedEmail(example, once, 'Third warning');
	await runExample(settings);
	const noted = psa.books.tickets.flatMap(({ notes }) => notes);
	expectEqual(
		'somebody reports again: the ticket gets a note',
		[listTickets(psa), noted.length, getLastLines()],
		[all, 1, [formatSummary(0, 1, 0)]],
	);
	expectEqual(
		'that tells only of that',
		/^20\d\d-\d\d-\d\d: reported the mail "Third warning" \(\w+\)$/.test(noted[0] ?? ''),
		true,
	);

	const before = (await readTableRows(TABLE)).length;
	await dropTable(TABLE);
	await runExample({ ...settings, onlyCustomers: once.companyName ?? '' });
	expectEqual('even without its rows it finds the tickets', [before, listTickets(psa)], [all.length, all]);

	const closed = psa.books.tickets.find(({ notes }) => notes.length > 0);
	if (closed) closed.isClosed = true;
	addReportedEmail(example, once, 'Fourth warning');
	await runExample({ ...settings, onlyCustomers: once.companyName ?? '' });
	expectEqual(
		'what happens after a ticket was closed is a new ticket',
		[psa.books.tickets.length, getLastLines()],
		[all.length + 1, [formatSummary(1, 0, 0)]],
	);

	await runExample({ ...settings, onlyCustomers: NAMESAKE });
	const [, ...unclear] = getLastLines();
	expectEqual(
		'two customers and two companies of one name: nothing is opened, and it says so',
		[
			psa.books.tickets.length,
			unclear.length > 0,
			unclear.every((line) => line.includes('2 customers have this name')),
		],
		[all.length + 1, true, true],
	);
	await checkNamesakes(example, psa, settings);
}

/** Checks that two customers with the same name wait until the PSA's number of the company is in the table. */
async function checkNamesakes(example: ExampleContext, psa: PsaSimulator, settings: ExampleSettings): Promise<void> {
	const { service, runExample, readTableRows, getChatTexts, expectEqual, client, dropTable } = example;
	const [first, second] = service.world.companies.filter(({ companyName }) => companyName === NAMESAKE);
	const companies = psa.books.companies.filter(({ name }) => name === NAMESAKE);
	const [company, other] = companies;
	if (!first || !second || !company || !other) throw new Error('There are no namesakes.');
	const getLastReasons = () => (getChatTexts().at(-1) ?? '').trimEnd().split('\n').slice(1);

	other.name = 'Called otherwise';
	const before = psa.books.tickets.length;
	await runExample({ ...settings, onlyCustomers: NAMESAKE });
	expectEqual(
		'two customers of one name and one company in the PSA: nothing is opened, and it says so',
		[
			psa.books.tickets.length - before,
			getLastReasons().length > 0,
			getLastReasons().every((line) => line.includes('2 customers have this name')),
		],
		[0, true, true],
	);

	const numbers = new Map([
		[first.companyResourceId, String(company.id)],
		[second.companyResourceId, String(other.id)],
	]);
	const waiting = (await readTableRows(TABLE)).filter(({ outcome }) => outcome === 'waits');
	await dropTable(TABLE);
	const table = await client.createTable(
		TABLE,
		COLUMNS.map((name) => ({ name, type: 'string' as const })),
	);
	const numbered = [...numbers].map(([id, number]) => {
		const row = waiting.find(({ person }) => String(person).startsWith(id));
		return { person: String(row?.person ?? `${id} nobody`), company: number };
	});
	await client.insertRows(table, numbered);
	await runExample({ ...settings, onlyCustomers: NAMESAKE });
	const countPeople = (customer: Company) =>
		isManaged(customer, NAMESAKE) ? listPeopleWhoNeedTicket(service, customer).length : 0;
	const countTickets = (id: number) => psa.books.tickets.filter(({ companyId }) => companyId === id).length;
	expectEqual(
		'a number in one row of each customer: the tickets are opened at these companies',
		[countTickets(company.id), countTickets(other.id), getLastReasons()],
		[countPeople(first), countPeople(second), []],
	);
	other.name = NAMESAKE;
}

/** As the page says for HaloPSA: another kind of authentication in the three nodes. */
const withOAuth2 = (workflow: Workflow): Workflow => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		PSA_NODES.includes(node.name)
			? {
					...node,
					parameters: { ...node.parameters, genericAuthType: 'oAuth2Api' },
					credentials: { oAuth2Api: { id: null, name: CREDENTIAL } },
				}
			: node,
	),
});

async function checkHalo(example: ExampleContext, psa: PsaSimulator): Promise<void> {
	const { service, runExample, getChatTexts, expectEqual } = example;
	const customer = service.world.companies.find(
		(company) => isManaged(company, NAME_PART) && listPeopleWhoNeedTicket(service, company)[0],
	);
	if (!customer) throw new Error('There is no customer.');
	const settings = {
		psa: 'halo',
		psaUrl: `${psa.url}/halo/api`,
		queue: '21',
		onlyCustomers: customer.companyName ?? '',
	};
	const people = listPeopleWhoNeedTicket(service, customer).length;
	psa.reset();
	await example.dropTable(TABLE);
	psa.addFault({ status: 429, writes: true });
	await runExample(settings, withOAuth2);
	expectEqual('HaloPSA: one is refused', psa.books.tickets.length, people - 1);
	await runExample(settings, withOAuth2);
	addReportedEmail(example, customer, 'Once more');
	await runExample(settings, withOAuth2);
	const { tickets } = psa.books;
	expectEqual(
		'and comes with the next run; a new event is a note; each of its client and type',
		[
			tickets.length,
			new Set(listTickets(psa)).size,
			tickets.flatMap(({ notes }) => notes).length,
			new Set(tickets.map(({ queue }) => queue)).size,
			getChatTexts().at(-1)?.trim(),
		],
		[people, people, 1, 1, formatSummary(0, 1, 0)],
	);
}

/** A third PSA: its words in the row `other`, here those of the first. */
async function checkOtherPsa(example: ExampleContext, psa: PsaSimulator): Promise<void> {
	const { service, runExample, expectEqual } = example;
	const [customer] = service.world.companies.filter((company) => isManaged(company, NAME_PART));
	psa.reset();
	await example.dropTable(TABLE);
	const change = (workflow: Workflow): Workflow => {
		const getLastLines = JSON.stringify(workflow)
			.replace('"name":"connectwise"', '"name":"was"')
			.replace('"name":"other"', '"name":"connectwise"');
		return JSON.parse(getLastLines.replace('"name":"was"', '"name":"other"')) as Workflow;
	};
	const settings = { psa: 'other', psaUrl: `${psa.url}/connectwise`, clientId: PSA_KEYS.clientId };
	await runExample({ ...settings, onlyCustomers: customer?.companyName ?? '' }, change);
	expectEqual(
		'a third one by its words alone',
		psa.books.tickets.length,
		customer && listPeopleWhoNeedTicket(service, customer).length,
	);
}
