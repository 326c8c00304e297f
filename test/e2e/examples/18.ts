import { getJobPeople } from '../../stand-in/routes/campaign-people';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, waitInN8n, type ExampleContext } from './check';
import { isManaged } from './customers';
import { saveDocument } from './keep';
import { answerApproval, parseLetter, startMailbox, type Mailbox } from './mailbox';

/** In the names of more than forty customers. */
const NAME_PART = 'Partners';
const TABLE = 'Security Awareness Reviews';
const COLUMNS = ['customerId', 'customer', 'contact', 'sent', 'outcome', 'why'];
const APPROVER = 'approver@example.com';
/** What a name must not do: become markup, code of n8n's expressions, or a pattern of a replacement. */
const MALICIOUS_NAME = `<img src=x onerror=alert(1)> {{ 6 * 7 }} $& ${NAME_PART} "&amp;'`;
const ESCAPED_NAME =
	'&#60;img src&#61;x onerror&#61;alert&#40;1&#41;&#62; &#123;&#123; 6 &#42; 7 &#125;&#125; &#36;&#38; Partners &#34;&#38;amp&#59;&#39;';
const DAY_MS = 86_400_000;

/** The quarter that ended last: when it began, and how it is written. */
function getLastQuarter() {
	const now = new Date();
	const begin = new Date(now.getFullYear(), Math.floor(now.getMonth() / 3) * 3 - 3, 1);
	return { begin: begin.getTime(), name: `${begin.getFullYear()}-Q${begin.getMonth() / 3 + 1}` };
}
const { begin: QUARTER_START, name: QUARTER } = getLastQuarter();

registerCheck(18, async (example) => {
	const mailbox = await startMailbox();
	const smtp = await example.client.createCredential('SMTP account', 'smtp', {
		host: '127.0.0.1',
		port: mailbox.port,
		secure: false,
		disableStartTls: true,
		user: '',
		password: '',
	});
	try {
		await checkReviews(example, mailbox);
		await checkTwoWaiting(example, mailbox);
	} finally {
		await example.client.deleteCredential(smtp);
		mailbox.close();
	}
});

/** As a platform would have it: a simulation in the quarter before, two in the quarter, and trainings that began in it. */
function prepareRecords({ service: { world } }: ExampleContext, customers: Company[]): void {
	for (const [at, company] of customers.entries()) {
		const companyData = world.getCompanyData(company.companyResourceId);
		const [quarterCampaign, earlierCampaign] = companyData.getCampaigns('phishing');
		if (quarterCampaign) quarterCampaign.createTime = new Date(QUARTER_START + 20 * DAY_MS).toISOString();
		if (earlierCampaign) earlierCampaign.createTime = new Date(QUARTER_START - 40 * DAY_MS).toISOString();
		for (const enrollment of companyData.enrollments)
			Object.assign(enrollment, {
				startDate: new Date(QUARTER_START + 10 * DAY_MS).toISOString(),
				dueDate: new Date(QUARTER_START + 40 * DAY_MS).toISOString(),
			});
		const [first] = companyData.users;
		if (at === 4) company.companyName = MALICIOUS_NAME;
		if (at === 4 && first) first.firstName = MALICIOUS_NAME;
	}
}

/** How many of a hundred messages of a quarter a customer's people clicked. */
function calculateClickRate(
	{ world }: ExampleContext['service'],
	{ companyResourceId: id }: Company,
	isBefore: boolean,
): number {
	const companyData = world.getCompanyData(id);
	const campaign = companyData.getCampaigns('phishing')[isBefore ? 1 : 0];
	if (!campaign) return 0;
	const people = campaign.instanceGroups.flatMap((group) => getJobPeople(world, campaign, group));
	const clicked = people.filter(({ activities }) => activities.clicked.some(({ isBot }) => !isBot));
	return Math.round((100 * clicked.length) / people.length);
}

const buildContact = ({ companyResourceId: id }: Company) => `contact-${id.slice(0, 8).toLowerCase()}@customer.example`;
const isQuestion = (mail: string) => /^Subject: Send the/m.test(mail);
const formatSummary = (sent: number, before: number, waits: number) =>
	`Quarterly reviews ${QUARTER}: ${sent} sent, ${before} sent before, ${waits} wait for the next run.`;

/** Runs the example, and answers the question of the approver if one is expected. @returns the reviews that were mailed, and the message */
async function runAndAnswer(
	example: ExampleContext,
	mailbox: Mailbox,
	isApproved?: boolean,
	settings = { onlyCustomers: NAME_PART },
) {
	const before = mailbox.readEmails().length;
	const running = example.runExample(settings);
	if (isApproved !== undefined) {
		const findQuestion = () => mailbox.readEmails().slice(before).find(isQuestion);
		await Promise.race([running, waitInN8n('a question', () => findQuestion() !== undefined)]);
		await waitInN8n(
			'the answer is taken',
			async () => (await answerApproval(findQuestion() ?? '', isApproved)) === 200,
		);
	}
	await running;
	const mails = mailbox.readEmails().slice(before);
	return {
		questions: mails.filter(isQuestion).length,
		letters: mails.filter((mail) => !isQuestion(mail)).map(parseLetter),
		text: (example.getChatTexts().at(-1) ?? '').trimEnd().split('\n'),
	};
}

/** A person enters the contacts: here the table is made anew, with its rows. */
async function enterContacts(
	{ client, readTableRows, dropTable }: ExampleContext,
	contact: (customerId: unknown) => string,
) {
	const rows = await readTableRows(TABLE);
	await dropTable(TABLE);
	const table = await client.createTable(
		TABLE,
		COLUMNS.map((name) => ({ name, type: 'string' })),
	);
	const filled = rows.map((row) => ({ ...row, contact: contact(row.customerId) }));
	await client.insertRows(
		table,
		filled.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => COLUMNS.includes(name)))),
	);
}

async function checkReviews(example: ExampleContext, mailbox: Mailbox): Promise<void> {
	const { service, refuseCompany, readTableRows, expectEqual, expectNone } = example;
	const customers = service.world.companies.filter((company) => isManaged(company, NAME_PART));
	prepareRecords(example, customers);
	const [unread, withoutContact, wrong, bounced, malicious] = customers;
	if (!unread || !withoutContact || !wrong || !bounced || !malicious) throw new Error('There are too few customers.');
	const all = customers.length;

	refuseCompany(unread, 'POST /api/training-reports/{enrollmentId}/users/search');
	const first = await runAndAnswer(example, mailbox);
	expectEqual(
		`${all} customers: the first run mails nothing, and has a row for each that could be read`,
		[first.text[0], first.letters.length, first.questions, (await readTableRows(TABLE)).length],
		[formatSummary(0, 0, all), 0, 0, all - 1],
	);
	expectEqual(
		'each waits for its contact; one could not be read, and is not reviewed by half',
		[
			first.text.filter((line) => line.endsWith(': it has no contact in the Data Table')).length,
			first.text.filter((line) => line.startsWith(`- ${unread.companyName}: could not be read: `)).length,
		],
		[all - 1, 1],
	);

	const contacts = new Map(customers.map((company) => [company.companyResourceId, buildContact(company)]));
	contacts.set(withoutContact.companyResourceId, '');
	contacts.set(wrong.companyResourceId, 'nobody at all');
	await enterContacts(example, (id) => contacts.get(String(id)) ?? '');
	const declined = await runAndAnswer(example, mailbox, false);
	expectEqual(
		'declined: the approver got one review and one question, and nobody else a mail',
		[declined.text[0], declined.letters.map(({ to }) => to), declined.questions],
		[formatSummary(0, 0, all), [APPROVER], 1],
	);

	mailbox.refuseAddresses(buildContact(bounced));
	const approved = await runAndAnswer(example, mailbox, true);
	const reached = customers.filter((company) => ![unread, withoutContact, wrong, bounced].includes(company));
	const toContacts = approved.letters.filter(({ to }) => to !== APPROVER);
	expectEqual(
		'approved: each contact got one, and what waits is said',
		[approved.text[0], sortForComparison(toContacts.map(({ to }) => to)), approved.text.slice(1).length],
		[formatSummary(all - 4, 0, 4), sortForComparison(reached.map(buildContact)), 4],
	);
	const reasons: Array<[Company, RegExp]> = [
		[withoutContact, /it has no contact/],
		[wrong, /its contact is no mail address/],
		[bounced, /no such mailbox/],
		[unread, /could not be read.*403/],
	];
	expectNone(
		'with the reason: no contact, no address, the mail server, and what could not be read',
		reasons
			.filter(
				([{ companyName }, why]) =>
					!approved.text.some((line) => line.startsWith(`- ${companyName}: `) && why.test(line)),
			)
			.map(([{ companyName }]) => [companyName, approved.text]),
	);
	await checkDocuments(example, reached, toContacts, malicious);

	service.clearFaults();
	mailbox.refuseAddresses();
	contacts.set(withoutContact.companyResourceId, buildContact(withoutContact));
	contacts.set(wrong.companyResourceId, buildContact(wrong));
	await enterContacts(example, (id) => contacts.get(String(id)) ?? '');
	const again = await runAndAnswer(example, mailbox, true);
	expectEqual(
		'the next run sends only those that waited; the one that is read now still needs its contact',
		[again.text, sortForComparison(again.letters.map(({ to }) => to))],
		[
			[formatSummary(3, all - 4, 1), `- ${unread.companyName}: it has no contact in the Data Table`],
			sortForComparison([APPROVER, buildContact(withoutContact), buildContact(wrong), buildContact(bounced)]),
		],
	);
	await enterContacts(example, (id) => contacts.get(String(id)) ?? '');
	const last = await runAndAnswer(example, mailbox, true);
	expectEqual('then the last one', [last.text, last.letters.length], [[formatSummary(1, all - 1, 0)], 2]);
	const quiet = await runAndAnswer(example, mailbox);
	expectEqual(
		'and then nobody is asked, and nothing is sent',
		[quiet.text, quiet.letters, quiet.questions],
		[[formatSummary(0, all, 0)], [], 0],
	);
	expectNone(
		'no row has lost its contact',
		(await readTableRows(TABLE)).filter(({ contact }) => !contact),
	);
}

/** The figures of each document are the service's, and no name is markup or code. */
async function checkDocuments(
	{ service, expectEqual, expectNone }: ExampleContext,
	reached: Company[],
	letters: Array<{ to: string; file: string }>,
	malicious: Company,
): Promise<void> {
	const getDocument = (company: Company) => letters.find(({ to }) => to === buildContact(company))?.file ?? '';
	for (const company of reached.slice(0, 6))
		await saveDocument(`review-${company.companyResourceId.slice(0, 8)}.html`, getDocument(company));
	/** What the first tile says: the clicks of the quarter, and those of the quarter before. */
	const readClickRates = (company: Company): number[] => {
		const [tile = ''] = />Clicked<.*?class="others"/.exec(getDocument(company)) ?? [];
		const now = Number(/"value">(\d+) %/.exec(tile)?.[1]);
		return [now, tile.includes('as in the quarter before') ? now : Number(/was (\d+) %/.exec(tile)?.[1])];
	};
	const calculateClickRates = (company: Company) =>
		[false, true].map((isBefore) => calculateClickRate(service, company, isBefore));
	expectNone(
		`in each of the ${reached.length} documents the clicks of the quarter and the one before are as the service has them`,
		reached
			.map((company) => [readClickRates(company), calculateClickRates(company)])
			.filter(([told, wanted]) => String(told) !== String(wanted)),
	);
	const names = service.world.companies.flatMap(({ companyName }) => companyName ?? []);
	expectNone(
		'each names its own customer, and no other',
		reached
			.filter(
				(company) =>
					company !== malicious &&
					names.some((name) => getDocument(company).includes(`<h1>${name}</h1>`) !== (name === company.companyName)),
			)
			.map(({ companyName }) => companyName),
	);
	expectEqual(
		'a name is neither markup nor code',
		[getDocument(malicious).includes(`<h1>${ESCAPED_NAME}</h1>`), /<img|\{\{|6 \* 7|>42</.test(getDocument(malicious))],
		[true, false],
	);
	expectNone(
		'every document has its charts, and no hole',
		reached.filter(
			(company) =>
				!/<rect class="now"/.test(getDocument(company)) || /undefined|NaN|null|Invalid/.test(getDocument(company)),
		),
	);
}

/** Two executions wait for the approver at the same time, and both are approved. */
async function checkTwoWaiting(example: ExampleContext, mailbox: Mailbox): Promise<void> {
	const { service, readTableRows, expectEqual } = example;
	const customer = service.world.companies.find((company) => isManaged(company, NAME_PART));
	if (!customer) throw new Error('There is no customer.');
	const settings = { onlyCustomers: customer.companyName ?? '' };
	await example.dropTable(TABLE);
	await runAndAnswer(example, mailbox, undefined, settings);
	await enterContacts(example, () => buildContact(customer));
	const before = mailbox.readEmails().length;
	const listQuestions = () => mailbox.readEmails().slice(before).filter(isQuestion);
	const waiting: Array<Promise<unknown>> = [];
	for (const count of [1, 2]) {
		waiting.push(example.runExample(settings));
		await waitInN8n('a question', () => listQuestions().length === count);
	}
	for (const [at, run] of waiting.entries()) {
		await waitInN8n('the answer is taken', async () => (await answerApproval(listQuestions()[at] ?? '', true)) === 200);
		await run;
	}
	const sent = mailbox
		.readEmails()
		.slice(before)
		.map(parseLetter)
		.filter(({ to }) => to !== APPROVER);
	expectEqual(
		'two runs wait, both are approved: one review is sent',
		[sent.length, (await readTableRows(TABLE)).length],
		[1, 1],
	);
}
