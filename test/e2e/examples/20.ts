import type { Workflow } from '../../real-n8n/client';
import type { ExampleSettings } from '../../real-n8n/examples';
import { PSA_KEYS, startPsa, type PsaSimulator } from '../../real-n8n/psa';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, type ExampleContext } from './check';
import { startMailbox } from './mailbox';

/** In the names of more than forty customers. */
const NAME_PART = 'Partners';
const TABLE = 'Security Awareness Renewals';
const COLUMNS = ['event', 'customer', 'what', 'ticket', 'why', 'company'];
const CREDENTIAL = 'PSA account';
const DAYS = 30;
/** The nodes that ask the PSA. */
const PSA_NODES = ['Find the Ticket', 'Find the Company', 'Open the Ticket'];

const getName = ({ companyName }: Company) => companyName ?? '';
const addDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** What is due at a customer, as tickets and mails call it. */
function listDueEvents(company: Company): string[] {
	const end = company.licenseEndDate.slice(0, 10);
	const isNear = end >= addDays(-DAYS).slice(0, 10) && end <= addDays(DAYS).slice(0, 10);
	const isFull =
		company.isNumberOfUsersLimited &&
		!company.licenceExpired &&
		company.targetUserCount >= Number(company.numberOfUsers);
	return [
		...(isNear ? [`license ${end < addDays(0).slice(0, 10) ? 'ended' : 'ends'} ${end}`] : []),
		...(isFull ? [`license full: ${company.targetUserCount} of ${company.numberOfUsers} users`] : []),
	].map((what) => `${what}: ${getName(company)}`);
}

type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

registerCheck(20, async (example) => {
	const { client, service } = example;
	const psa = await startPsa(service.world.companies.map(getName));
	const mailbox = await startMailbox();
	const { user, password, haloClientId: clientId, haloClientSecret: clientSecret } = PSA_KEYS;
	const credentials = [
		await client.createCredential('SMTP account', 'smtp', {
			host: '127.0.0.1',
			port: mailbox.port,
			secure: false,
			disableStartTls: true,
			user: '',
			password: '',
		}),
		await client.createCredential(CREDENTIAL, 'httpBasicAuth', { user, password }),
		await client.createCredential(CREDENTIAL, 'oAuth2Api', {
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

const formatSummary = (told: number, waits: number) =>
	`Renewals and seats: ${told} new, ${waits} wait for the next run.`;

/** The summaries of the tickets; what was opened twice is there twice. */
const listTickets = ({ books }: PsaSimulator) => sortForComparison(books.tickets.map(({ summary }) => summary));

/** The subjects of the mails. */
const listSubjects = (mailbox: Mailbox) =>
	sortForComparison(
		mailbox.readEmails().map((mail) => /^Subject: (.*(?:\r\n .*)*)/m.exec(mail)?.[1]?.replaceAll('\r\n ', ' ') ?? ''),
	);

async function checkConnectWise(example: ExampleContext, psa: PsaSimulator, mailbox: Mailbox): Promise<void> {
	const { service, runExample, readTableRows, dropTable, getChatTexts, expectEqual, expectNone } = example;
	const settings = {
		psa: 'connectwise',
		psaUrl: `${psa.url}/connectwise`,
		clientId: PSA_KEYS.clientId,
		days: DAYS,
		onlyCustomers: NAME_PART,
	};
	const getLastLines = () => (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	const customers = service.world.companies.filter((each) => getName(each).includes(NAME_PART));
	customers.forEach((company, at) => {
		const unlimited = { isNumberOfUsersLimited: false, licenceExpired: false };
		if (at < 40) Object.assign(company, { ...unlimited, licenseEndDate: addDays((at % 29) + 0.5) });
		if (at === 5)
			Object.assign(company, { isNumberOfUsersLimited: true, numberOfUsers: String(company.targetUserCount) });
		if (at === 6) Object.assign(company, { licenceExpired: true, licenseEndDate: addDays(-3) });
	});
	const all = sortForComparison(customers.flatMap(listDueEvents));
	const [busy, refused, renamed] = customers;
	if (!busy || !refused || !renamed) throw new Error('There are too few customers.');
	const otherCompany = psa.books.companies.find(({ name }) => name === getName(renamed));
	if (otherCompany) otherCompany.name = 'Called otherwise';
	psa.addFault({ status: 429, company: getName(busy) });
	psa.addFault({ status: 401, company: getName(refused), writes: true });
	mailbox.refuseNextEmails(1);

	await runExample(settings);
	const [first = '', ...lines] = getLastLines();
	expectEqual(
		`${customers.length} customers, ${all.length} licenses due: a ticket and a mail for each but those that wait`,
		[first, listTickets(psa).length, listSubjects(mailbox).length],
		[formatSummary(all.length - 4, 4), all.length - 3, all.length - 4],
	);
	const findLine = (company: Company) => lines.find((each) => each.startsWith(`- ${getName(company)}, `)) ?? '';
	expectEqual(
		'each of the four in the list with the reason: the PSA, its key, an unknown name, the mail server',
		[
			findLine(busy).includes('spacing'),
			findLine(refused).includes('401'),
			findLine(renamed).includes('the PSA has 0 companies of this name'),
			lines.filter((each) => /Send the Mail: .*451/.test(each)).length,
		],
		[true, true, true, 1],
	);
	expectEqual(
		'and a line for each that is new',
		lines.filter((each) => /, ticket \d+$/.test(each)).length,
		all.length - 4,
	);
	const mail = mailbox.readEmails()[0] ?? '';
	expectEqual('the mail has the usage', /Users: \d+( of \d+ \(\d+ %\)|, without a limit)/.test(mail), true);

	if (otherCompany) otherCompany.name = getName(renamed);
	await runExample(settings);
	expectEqual(
		'the next run does those four, and opens no ticket twice',
		[getLastLines()[0], listTickets(psa), listSubjects(mailbox)],
		[formatSummary(4, 0), all, all],
	);
	psa.requests.length = 0;
	await runExample(settings);
	expectEqual(
		'the third one asks the PSA nothing and sends nothing, and says so',
		[psa.requests, getLastLines(), listSubjects(mailbox)],
		[[], [formatSummary(0, 0)], all],
	);
	expectNone(
		'a row for each, without a reason',
		(await readTableRows(TABLE)).filter(({ why, ticket }) => why || !ticket),
	);

	Object.assign(busy, { licenseEndDate: addDays(DAYS - 1.5) });
	await runExample(settings);
	expectEqual(
		'another end is told again',
		[getLastLines()[0], listTickets(psa).length],
		[formatSummary(1, 0), all.length + 1],
	);
	await dropTable(TABLE);
	await runExample({ ...settings, onlyCustomers: getName(busy) });
	expectEqual('even without its rows it opens no ticket twice', listTickets(psa).length, all.length + 1);

	service.addFault({ kind: 'status-500', route: 'POST /api/companies/search', times: Infinity });
	await runExample(settings);
	service.clearFaults();
	expectEqual(
		'if the customers cannot be read it says so',
		[getLastLines()[0], getLastLines()[1]?.startsWith('- The customers could not be read: ')],
		[formatSummary(0, 0), true],
	);
	await checkNamesakes(example, psa, settings);
}

/** Checks that two customers with the same name wait until the PSA's number of the company is in the table. */
async function checkNamesakes(example: ExampleContext, psa: PsaSimulator, settings: ExampleSettings): Promise<void> {
	const { service, runExample, readTableRows, dropTable, client, getChatTexts, expectEqual } = example;
	const [first, second] = service.world.companies.filter((each) => getName(each).includes(NAME_PART));
	const company = psa.books.companies.find(({ name }) => first && name === getName(first));
	if (!first || !second || !company) throw new Error('There are too few customers.');
	const name = getName(first);
	const unlimited = { isNumberOfUsersLimited: false, licenceExpired: false };
	Object.assign(first, unlimited, { licenseEndDate: addDays(2.5) });
	Object.assign(second, unlimited, { licenseEndDate: addDays(3.5), companyName: ` ${name.toUpperCase()}` });
	psa.reset();
	await dropTable(TABLE);
	await runExample({ ...settings, onlyCustomers: name });
	const lines = (getChatTexts().at(-1) ?? '').trimEnd().split('\n').slice(1);
	expectEqual(
		'two customers of one name and one company in the PSA: no ticket, and it says so',
		[listTickets(psa), lines.map((findLine) => findLine.endsWith('2 customers have this name'))],
		[[], [true, true]],
	);
	const event = (await readTableRows(TABLE))
		.map((row) => String(row.event))
		.find((getLastLines) => getLastLines.startsWith(first.companyResourceId));
	await dropTable(TABLE);
	const table = await client.createTable(
		TABLE,
		COLUMNS.map((column) => ({ name: column, type: 'string' as const })),
	);
	await client.insertRows(table, [
		{ event: event ?? '', why: '2 customers have this name', company: String(company.id) },
	]);
	await runExample({ ...settings, onlyCustomers: name });
	expectEqual(
		'the one whose number a person has entered gets its ticket, the other one waits',
		[
			listTickets(psa),
			psa.books.tickets.map(({ companyId }) => companyId),
			getChatTexts().at(-1)?.startsWith(formatSummary(1, 1)),
		],
		[listDueEvents(first), [company.id], true],
	);

	Object.assign(second, { companyName: 'Without an End', licenseEndDate: null });
	await runExample({ ...settings, onlyCustomers: 'Without an End' });
	expectEqual('a license without an end stops nobody', getChatTexts().at(-1)?.trimEnd(), formatSummary(0, 0));
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

async function checkHalo(example: ExampleContext, psa: PsaSimulator, mailbox: Mailbox): Promise<void> {
	const { service, runExample, expectEqual } = example;
	const customer = service.world.companies.find(
		(each) => getName(each).includes(NAME_PART) && listDueEvents(each).length === 1,
	);
	if (!customer) throw new Error('There is no customer.');
	psa.reset();
	await example.dropTable(TABLE);
	const settings = { psa: 'halo', psaUrl: `${psa.url}/halo/api`, queue: '21', days: DAYS };
	const before = mailbox.readEmails().length;
	psa.addFault({ status: 429, writes: true });
	const runs: number[] = [];
	for (let times = 0; times < 3; times++) {
		await runExample({ ...settings, onlyCustomers: getName(customer) }, withOAuth2);
		runs.push(psa.books.tickets.length, mailbox.readEmails().length - before);
	}
	expectEqual(
		'HaloPSA: refused, then once, then not again',
		[runs, listTickets(psa)],
		[[0, 0, 1, 1, 1, 1], listDueEvents(customer)],
	);
}

/** A third PSA: its words in the row `other`, here those of the first. */
async function checkOtherPsa(example: ExampleContext, psa: PsaSimulator): Promise<void> {
	const customer = example.service.world.companies.find(
		(each) => getName(each).includes(NAME_PART) && listDueEvents(each).length > 0,
	);
	if (!customer) throw new Error('There is no customer.');
	psa.reset();
	await example.dropTable(TABLE);
	const settings = { psa: 'other', psaUrl: `${psa.url}/connectwise`, clientId: PSA_KEYS.clientId, days: DAYS };
	await example.runExample({ ...settings, onlyCustomers: getName(customer) }, (workflow) => {
		const getLastLines = JSON.stringify(workflow).replace('"name":"other"', '"name":"was"');
		return JSON.parse(getLastLines.replace('"name":"connectwise"', '"name":"other"')) as Workflow;
	});
	example.expectEqual('a third one by its words alone', listTickets(psa), sortForComparison(listDueEvents(customer)));
}
