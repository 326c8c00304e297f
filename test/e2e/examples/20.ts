import type { Workflow } from '../../real-n8n/client';
import type { Settings } from '../../real-n8n/examples';
import { PSA_KEYS, startPsa, type Psa } from '../../real-n8n/psa';
import type { Company } from '../../stand-in/seed';
import { checkExample, sorted, type Scene } from './check';
import { startMailbox } from './mailbox';

/** In the names of more than forty customers. */
const WORD = 'Partners';
const TABLE = 'Security Awareness Renewals';
const COLUMNS = ['event', 'customer', 'what', 'ticket', 'why', 'company'];
const CREDENTIAL = 'PSA account';
const DAYS = 30;
/** The nodes that ask the PSA. */
const PSA_NODES = ['Find the Ticket', 'Find the Company', 'Open the Ticket'];

const nameOf = ({ companyName }: Company) => companyName ?? '';
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** What is due at a customer, as tickets and mails call it. */
function dueAt(company: Company): string[] {
	const end = company.licenseEndDate.slice(0, 10);
	const isNear = end >= inDays(-DAYS).slice(0, 10) && end <= inDays(DAYS).slice(0, 10);
	const isFull =
		company.isNumberOfUsersLimited &&
		!company.licenceExpired &&
		company.targetUserCount >= Number(company.numberOfUsers);
	return [
		...(isNear ? [`license ${end < inDays(0).slice(0, 10) ? 'ended' : 'ends'} ${end}`] : []),
		...(isFull ? [`license full: ${company.targetUserCount} of ${company.numberOfUsers} users`] : []),
	].map((what) => `${what}: ${nameOf(company)}`);
}

type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

checkExample(20, async (scene) => {
	const { client, service } = scene;
	const psa = await startPsa(service.state.companies.map(nameOf));
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
		await inConnectWise(scene, psa, mailbox);
		await inHalo(scene, psa, mailbox);
		await inAnother(scene, psa);
	} finally {
		for (const credential of credentials) await client.deleteCredential(credential);
		mailbox.close();
		await psa.close();
	}
});

const says = (told: number, waits: number) => `Renewals and seats: ${told} new, ${waits} wait for the next run.`;

/** The summaries of the tickets; what was opened twice is there twice. */
const opened = ({ books }: Psa) => sorted(books.tickets.map(({ summary }) => summary));

/** The subjects of the mails. */
const mailed = (mailbox: Mailbox) =>
	sorted(mailbox.read().map((mail) => /^Subject: (.*(?:\r\n .*)*)/m.exec(mail)?.[1]?.replaceAll('\r\n ', ' ') ?? ''));

async function inConnectWise(scene: Scene, psa: Psa, mailbox: Mailbox): Promise<void> {
	const { service, run, rowsOf, dropTable, texts, same, none } = scene;
	const settings = {
		psa: 'connectwise',
		psaUrl: `${psa.url}/connectwise`,
		clientId: PSA_KEYS.clientId,
		days: DAYS,
		onlyCustomers: WORD,
	};
	const text = () => (texts().at(-1) ?? '').trimEnd().split('\n');
	const customers = service.state.companies.filter((each) => nameOf(each).includes(WORD));
	customers.forEach((company, at) => {
		const unlimited = { isNumberOfUsersLimited: false, licenceExpired: false };
		if (at < 40) Object.assign(company, { ...unlimited, licenseEndDate: inDays((at % 29) + 0.5) });
		if (at === 5)
			Object.assign(company, { isNumberOfUsersLimited: true, numberOfUsers: String(company.targetUserCount) });
		if (at === 6) Object.assign(company, { licenceExpired: true, licenseEndDate: inDays(-3) });
	});
	const all = sorted(customers.flatMap(dueAt));
	const [busy, refused, renamed] = customers;
	if (!busy || !refused || !renamed) throw new Error('There are too few customers.');
	const other = psa.books.companies.find(({ name }) => name === nameOf(renamed));
	if (other) other.name = 'Called otherwise';
	psa.fault({ status: 429, company: nameOf(busy) });
	psa.fault({ status: 401, company: nameOf(refused), writes: true });
	mailbox.refuseNext(1);

	await run(settings);
	const [first = '', ...lines] = text();
	same(
		`${customers.length} customers, ${all.length} licenses due: a ticket and a mail for each but those that wait`,
		[first, opened(psa).length, mailed(mailbox).length],
		[says(all.length - 4, 4), all.length - 3, all.length - 4],
	);
	const line = (company: Company) => lines.find((each) => each.startsWith(`- ${nameOf(company)}, `)) ?? '';
	same(
		'each of the four in the list with the reason: the PSA, its key, an unknown name, the mail server',
		[
			line(busy).includes('spacing'),
			line(refused).includes('401'),
			line(renamed).includes('the PSA has 0 companies of this name'),
			lines.filter((each) => /Send the Mail: .*451/.test(each)).length,
		],
		[true, true, true, 1],
	);
	same('and a line for each that is new', lines.filter((each) => /, ticket \d+$/.test(each)).length, all.length - 4);
	const mail = mailbox.read()[0] ?? '';
	same('the mail has the usage', /Users: \d+( of \d+ \(\d+ %\)|, without a limit)/.test(mail), true);

	if (other) other.name = nameOf(renamed);
	await run(settings);
	same(
		'the next run does those four, and opens no ticket twice',
		[text()[0], opened(psa), mailed(mailbox)],
		[says(4, 0), all, all],
	);
	psa.requests.length = 0;
	await run(settings);
	same(
		'the third one asks the PSA nothing and sends nothing, and says so',
		[psa.requests, text(), mailed(mailbox)],
		[[], [says(0, 0)], all],
	);
	none(
		'a row for each, without a reason',
		(await rowsOf(TABLE)).filter(({ why, ticket }) => why || !ticket),
	);

	Object.assign(busy, { licenseEndDate: inDays(DAYS - 1.5) });
	await run(settings);
	same('another end is told again', [text()[0], opened(psa).length], [says(1, 0), all.length + 1]);
	await dropTable(TABLE);
	await run({ ...settings, onlyCustomers: nameOf(busy) });
	same('even without its rows it opens no ticket twice', opened(psa).length, all.length + 1);

	service.fault({ kind: 'status-500', route: 'POST /api/companies/search', times: Infinity });
	await run(settings);
	service.clearFaults();
	same(
		'if the customers cannot be read it says so',
		[text()[0], text()[1]?.startsWith('- The customers could not be read: ')],
		[says(0, 0), true],
	);
	await checkNamesakes(scene, psa, settings);
}

/** Checks that two customers with the same name wait until the PSA's number of the company is in the table. */
async function checkNamesakes(scene: Scene, psa: Psa, settings: Settings): Promise<void> {
	const { service, run, rowsOf, dropTable, client, texts, same } = scene;
	const [first, second] = service.state.companies.filter((each) => nameOf(each).includes(WORD));
	const company = psa.books.companies.find(({ name }) => first && name === nameOf(first));
	if (!first || !second || !company) throw new Error('There are too few customers.');
	const name = nameOf(first);
	const unlimited = { isNumberOfUsersLimited: false, licenceExpired: false };
	Object.assign(first, unlimited, { licenseEndDate: inDays(2.5) });
	Object.assign(second, unlimited, { licenseEndDate: inDays(3.5), companyName: ` ${name.toUpperCase()}` });
	psa.reset();
	await dropTable(TABLE);
	await run({ ...settings, onlyCustomers: name });
	const lines = (texts().at(-1) ?? '').trimEnd().split('\n').slice(1);
	same(
		'two customers of one name and one company in the PSA: no ticket, and it says so',
		[opened(psa), lines.map((line) => line.endsWith('2 customers have this name'))],
		[[], [true, true]],
	);
	const event = (await rowsOf(TABLE))
		.map((row) => String(row.event))
		.find((text) => text.startsWith(first.companyResourceId));
	await dropTable(TABLE);
	const table = await client.createTable(
		TABLE,
		COLUMNS.map((column) => ({ name: column, type: 'string' as const })),
	);
	await client.insertRows(table, [
		{ event: event ?? '', why: '2 customers have this name', company: String(company.id) },
	]);
	await run({ ...settings, onlyCustomers: name });
	same(
		'the one whose number a person has entered gets its ticket, the other one waits',
		[opened(psa), psa.books.tickets.map(({ companyId }) => companyId), texts().at(-1)?.startsWith(says(1, 1))],
		[dueAt(first), [company.id], true],
	);

	Object.assign(second, { companyName: 'Without an End', licenseEndDate: null });
	await run({ ...settings, onlyCustomers: 'Without an End' });
	same('a license without an end stops nobody', texts().at(-1)?.trimEnd(), says(0, 0));
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

async function inHalo(scene: Scene, psa: Psa, mailbox: Mailbox): Promise<void> {
	const { service, run, same } = scene;
	const customer = service.state.companies.find((each) => nameOf(each).includes(WORD) && dueAt(each).length === 1);
	if (!customer) throw new Error('There is no customer.');
	psa.reset();
	await scene.dropTable(TABLE);
	const settings = { psa: 'halo', psaUrl: `${psa.url}/halo/api`, queue: '21', days: DAYS };
	const before = mailbox.read().length;
	psa.fault({ status: 429, writes: true });
	const runs: number[] = [];
	for (let times = 0; times < 3; times++) {
		await run({ ...settings, onlyCustomers: nameOf(customer) }, withOAuth2);
		runs.push(psa.books.tickets.length, mailbox.read().length - before);
	}
	same('HaloPSA: refused, then once, then not again', [runs, opened(psa)], [[0, 0, 1, 1, 1, 1], dueAt(customer)]);
}

/** A third PSA: its words in the row `other`, here those of the first. */
async function inAnother(scene: Scene, psa: Psa): Promise<void> {
	const customer = scene.service.state.companies.find((each) => nameOf(each).includes(WORD) && dueAt(each).length > 0);
	if (!customer) throw new Error('There is no customer.');
	psa.reset();
	await scene.dropTable(TABLE);
	const settings = { psa: 'other', psaUrl: `${psa.url}/connectwise`, clientId: PSA_KEYS.clientId, days: DAYS };
	await scene.run({ ...settings, onlyCustomers: nameOf(customer) }, (workflow) => {
		const text = JSON.stringify(workflow).replace('"name":"other"', '"name":"was"');
		return JSON.parse(text.replace('"name":"connectwise"', '"name":"other"')) as Workflow;
	});
	scene.same('a third one by its words alone', opened(psa), sorted(dueAt(customer)));
}
