import type { Workflow } from '../../real-n8n/client';
import type { Settings } from '../../real-n8n/examples';
import { PSA_KEYS, startPsa, type Psa } from '../../real-n8n/psa';
import { peopleOf, sentTime } from '../../stand-in/routes/campaign-people';
import type { Company } from '../../stand-in/seed';
import { checkExample, sorted, type Scene } from './check';
import { isManaged } from './customers';

/** In the names of more than forty customers. */
const WORD = 'Partners';
/** The name of two customers. */
const NAMESAKE = 'Twin Peaks Consulting';
const TABLE = 'Security Awareness Tickets';
const COLUMNS = ['person', 'customer', 'email', 'ticket', 'outcome', 'why', 'told', 'company'];
const CREDENTIAL = 'PSA account';
const DAYS = 30;
const CLICKS = 2;
/** The nodes that ask the PSA. */
const PSA_NODES = ['Find the Company', 'Find the Ticket', 'Open or Add a Note'];

checkExample(16, async (scene) => {
	const psa = await startPsa(scene.service.state.companies.map(({ companyName }) => companyName ?? ''));
	const { client } = scene;
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
		await inConnectWise(scene, psa);
		await inHalo(scene, psa);
		await inAnother(scene, psa);
	} finally {
		await client.deleteCredential(basic);
		await client.deleteCredential(oauth);
		await psa.close();
	}
});

/** The people of a customer who need a ticket, by what the service knows of them. */
function peopleWhoNeedOne({ state }: Scene['service'], { companyResourceId: id }: Company): string[] {
	const since = Date.now() - DAYS * 86_400_000;
	const holdings = state.of(id);
	const did = { clicked: new Map<string, number>(), submitted: new Set<string>() };
	const campaigns = holdings.campaigns('phishing').filter(({ excludeFromReports }) => !excludeFromReports);
	for (const campaign of campaigns)
		for (const group of campaign.instanceGroups) {
			const sent = Date.parse(sentTime(campaign, group));
			for (const { user, done } of sent < since || sent > Date.now() ? [] : peopleOf(state, campaign, group)) {
				const isIn = (list: typeof done.clicked) => list.some(({ isBot }) => !isBot);
				if (isIn(done.submitted)) did.submitted.add(user.email);
				if (isIn(done.submitted) || isIn(done.clicked))
					did.clicked.set(user.email, (did.clicked.get(user.email) ?? 0) + 1);
			}
		}
	const often = [...did.clicked].filter(([, times]) => times >= CLICKS).map(([email]) => email);
	const reported = holdings.reportedEmails.map(({ reportedBy }) => reportedBy);
	return [...new Set([...did.submitted, ...often, ...reported])].map((email) => email.toLowerCase());
}

/** The tickets as customer and person; what was opened twice is there twice. */
const opened = ({ books }: Psa) =>
	sorted(
		books.tickets.map(({ companyId, summary }) => `${books.company(companyId)?.name} ${summary.split(': ').at(-1)}`),
	);

const says = (openedNow: number, updated: number, waits: number) =>
	`Tickets: ${openedNow} opened, ${updated} updated, ${waits} wait for the next run.`;

/** A person reports one more mail. */
function reportAgain({ service }: Scene, { companyResourceId: id }: Company, subject: string): void {
	const mails = service.state.of(id).reportedEmails;
	const createTime = new Date().toISOString();
	for (const mail of mails.slice(0, 1)) mails.push({ ...mail, resourceId: `again-${subject}`, subject, createTime });
}

async function inConnectWise(scene: Scene, psa: Psa): Promise<void> {
	const { service, run, refuse, rowsOf, dropTable, texts, same, none } = scene;
	const settings = {
		psa: 'connectwise',
		psaUrl: `${psa.url}/connectwise`,
		clientId: PSA_KEYS.clientId,
		onlyCustomers: WORD,
	};
	const text = () => (texts().at(-1) ?? '').trimEnd().split('\n');
	const customers = service.state.companies.filter((company) => isManaged(company, WORD));
	const wanted = (list: Company[]) =>
		sorted(list.flatMap((each) => peopleWhoNeedOne(service, each).map((email) => `${each.companyName} ${email}`)));
	const all = wanted(customers);
	const withSome = customers.filter((each) => wanted([each]).length > 0);
	const [unread, busy, once] = withSome;
	if (!unread || !busy || !once) throw new Error('There are too few customers.');

	refuse(unread);
	psa.fault({ status: 429, company: busy.companyName ?? '', times: Infinity });
	psa.fault({ status: 401, company: once.companyName ?? '', writes: true });
	await run(settings);
	const [first = '', ...lines] = text();
	const waiting = wanted([busy]).length + 1;
	const done = all.length - wanted([unread]).length - waiting;
	same(
		`${customers.length} customers, ${all.length} people: a ticket for each that could be read and written`,
		[psa.books.tickets.length, first],
		[done, says(done, 0, waiting)],
	);
	same(
		'what waits is in one list with the reason: the PSA, the key, and the customer that could not be read',
		[
			lines.filter((line) => line.startsWith(`- ${busy.companyName}, `) && line.includes('spacing')).length,
			lines.filter((line) => line.startsWith(`- ${once.companyName}, `) && line.includes('401')).length,
			lines.some((line) => line.startsWith(`- ${unread.companyName}: could not be read`) && line.includes('403')),
		],
		[waiting - 1, 1, true],
	);
	const [ticket] = psa.books.tickets;
	const isWhole = ticket?.queue === 'Help Desk' && /^20\d\d-\d\d-\d\d: (clicked|submitted|reported)/.test(ticket.text);
	same('a ticket is on the board and says what happened and when', isWhole, true);

	service.clearFaults();
	psa.heal();
	await run(settings);
	same('the next run opens those', [opened(psa), text()], [all, [says(all.length - done, 0, 0)]]);
	psa.requests.length = 0;
	await run(settings);
	same('the third one writes nothing, and says so', [psa.requests, text()], [[], [says(0, 0, 0)]]);
	none(
		'no ticket has a note yet',
		psa.books.tickets.filter(({ notes }) => notes.length > 0),
	);

	reportAgain(scene, once, 'Third warning');
	await run(settings);
	const noted = psa.books.tickets.flatMap(({ notes }) => notes);
	same(
		'somebody reports again: the ticket gets a note',
		[opened(psa), noted.length, text()],
		[all, 1, [says(0, 1, 0)]],
	);
	same(
		'that tells only of that',
		/^20\d\d-\d\d-\d\d: reported the mail "Third warning" \(\w+\)$/.test(noted[0] ?? ''),
		true,
	);

	const before = (await rowsOf(TABLE)).length;
	await dropTable(TABLE);
	await run({ ...settings, onlyCustomers: once.companyName ?? '' });
	same('even without its rows it finds the tickets', [before, opened(psa)], [all.length, all]);

	const closed = psa.books.tickets.find(({ notes }) => notes.length > 0);
	if (closed) closed.isClosed = true;
	reportAgain(scene, once, 'Fourth warning');
	await run({ ...settings, onlyCustomers: once.companyName ?? '' });
	same(
		'what happens after a ticket was closed is a new ticket',
		[psa.books.tickets.length, text()],
		[all.length + 1, [says(1, 0, 0)]],
	);

	await run({ ...settings, onlyCustomers: NAMESAKE });
	const [, ...unclear] = text();
	same(
		'two customers and two companies of one name: nothing is opened, and it says so',
		[
			psa.books.tickets.length,
			unclear.length > 0,
			unclear.every((line) => line.includes('2 customers have this name')),
		],
		[all.length + 1, true, true],
	);
	await checkNamesakes(scene, psa, settings);
}

/** Checks that two customers with the same name wait until the PSA's number of the company is in the table. */
async function checkNamesakes(scene: Scene, psa: Psa, settings: Settings): Promise<void> {
	const { service, run, rowsOf, texts, same, client, dropTable } = scene;
	const [first, second] = service.state.companies.filter(({ companyName }) => companyName === NAMESAKE);
	const companies = psa.books.companies.filter(({ name }) => name === NAMESAKE);
	const [company, other] = companies;
	if (!first || !second || !company || !other) throw new Error('There are no namesakes.');
	const lines = () => (texts().at(-1) ?? '').trimEnd().split('\n').slice(1);

	other.name = 'Called otherwise';
	const before = psa.books.tickets.length;
	await run({ ...settings, onlyCustomers: NAMESAKE });
	same(
		'two customers of one name and one company in the PSA: nothing is opened, and it says so',
		[
			psa.books.tickets.length - before,
			lines().length > 0,
			lines().every((line) => line.includes('2 customers have this name')),
		],
		[0, true, true],
	);

	const numbers = new Map([
		[first.companyResourceId, String(company.id)],
		[second.companyResourceId, String(other.id)],
	]);
	const waiting = (await rowsOf(TABLE)).filter(({ outcome }) => outcome === 'waits');
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
	await run({ ...settings, onlyCustomers: NAMESAKE });
	const countOf = (customer: Company) =>
		isManaged(customer, NAMESAKE) ? peopleWhoNeedOne(service, customer).length : 0;
	const ticketsOf = (id: number) => psa.books.tickets.filter(({ companyId }) => companyId === id).length;
	same(
		'a number in one row of each customer: the tickets are opened at these companies',
		[ticketsOf(company.id), ticketsOf(other.id), lines()],
		[countOf(first), countOf(second), []],
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

async function inHalo(scene: Scene, psa: Psa): Promise<void> {
	const { service, run, texts, same } = scene;
	const customer = service.state.companies.find(
		(company) => isManaged(company, WORD) && peopleWhoNeedOne(service, company)[0],
	);
	if (!customer) throw new Error('There is no customer.');
	const settings = {
		psa: 'halo',
		psaUrl: `${psa.url}/halo/api`,
		queue: '21',
		onlyCustomers: customer.companyName ?? '',
	};
	const people = peopleWhoNeedOne(service, customer).length;
	psa.reset();
	await scene.dropTable(TABLE);
	psa.fault({ status: 429, writes: true });
	await run(settings, withOAuth2);
	same('HaloPSA: one is refused', psa.books.tickets.length, people - 1);
	await run(settings, withOAuth2);
	reportAgain(scene, customer, 'Once more');
	await run(settings, withOAuth2);
	const { tickets } = psa.books;
	same(
		'and comes with the next run; a new event is a note; each of its client and type',
		[
			tickets.length,
			new Set(opened(psa)).size,
			tickets.flatMap(({ notes }) => notes).length,
			new Set(tickets.map(({ queue }) => queue)).size,
			texts().at(-1)?.trim(),
		],
		[people, people, 1, 1, says(0, 1, 0)],
	);
}

/** A third PSA: its words in the row `other`, here those of the first. */
async function inAnother(scene: Scene, psa: Psa): Promise<void> {
	const { service, run, same } = scene;
	const [customer] = service.state.companies.filter((company) => isManaged(company, WORD));
	psa.reset();
	await scene.dropTable(TABLE);
	const change = (workflow: Workflow): Workflow => {
		const text = JSON.stringify(workflow)
			.replace('"name":"connectwise"', '"name":"was"')
			.replace('"name":"other"', '"name":"connectwise"');
		return JSON.parse(text.replace('"name":"was"', '"name":"other"')) as Workflow;
	};
	const settings = { psa: 'other', psaUrl: `${psa.url}/connectwise`, clientId: PSA_KEYS.clientId };
	await run({ ...settings, onlyCustomers: customer?.companyName ?? '' }, change);
	same(
		'a third one by its words alone',
		psa.books.tickets.length,
		customer && peopleWhoNeedOne(service, customer).length,
	);
}
