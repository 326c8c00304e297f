import { getJobPeople } from '../../stand-in/routes/campaign-people';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, waitInN8n, type ExampleContext } from './registerCheck';
import { isManaged } from './customers';
import { saveDocument } from './saveDocument';
import { answerApproval, parseReviewEmail, startMailbox, type Mailbox } from './mailbox';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
const TABLE_NAME = 'Security Awareness Reviews';
const COLUMNS = ['customerId', 'customer', 'contact', 'sent', 'outcome', 'why'];
const APPROVER = 'approver@example.com';
/** A customer's name that tries to inject HTML, an n8n expression, and a pattern for `replace`. The example must show it as text. */
const MALICIOUS_NAME = `<img src=x onerror=alert(1)> {{ 6 * 7 }} $& ${NAME_FRAGMENT} "&amp;'`;
const ESCAPED_NAME =
	'&#60;img src&#61;x onerror&#61;alert&#40;1&#41;&#62; &#123;&#123; 6 &#42; 7 &#125;&#125; &#36;&#38; Partners &#34;&#38;amp&#59;&#39;';
const DAY_MS = 86_400_000;

/** Returns the start of the last complete quarter, in milliseconds, and its name, such as 2026-Q1. */
function getLastQuarter() {
	const now = new Date();
	const startDate = new Date(now.getFullYear(), Math.floor(now.getMonth() / 3) * 3 - 3, 1);
	return { begin: startDate.getTime(), name: `${startDate.getFullYear()}-Q${startDate.getMonth() / 3 + 1}` };
}
const { begin: QUARTER_START_MS, name: QUARTER_NAME } = getLastQuarter();

registerCheck(18, async (example) => {
	const mailbox = await startMailbox();
	const smtpCredential = await example.client.createCredential('SMTP account', 'smtp', {
		host: '127.0.0.1',
		port: mailbox.port,
		secure: false,
		disableStartTls: true,
		user: '',
		password: '',
	});
	try {
		await checkReviews(example, mailbox);
		await checkTwoWaitingRuns(example, mailbox);
	} finally {
		await example.client.deleteCredential(smtpCredential);
		mailbox.close();
	}
});

/** Moves one simulation and the trainings of each customer into the last quarter, and one simulation into the quarter before that. */
function prepareRecords({ service: { world } }: ExampleContext, customers: Company[]): void {
	for (const [index, company] of customers.entries()) {
		const companyData = world.getCompanyData(company.companyResourceId);
		const [quarterCampaign, earlierCampaign] = companyData.getCampaigns('phishing');
		if (quarterCampaign) quarterCampaign.createTime = new Date(QUARTER_START_MS + 20 * DAY_MS).toISOString();
		if (earlierCampaign) earlierCampaign.createTime = new Date(QUARTER_START_MS - 40 * DAY_MS).toISOString();
		for (const enrollment of companyData.enrollments)
			Object.assign(enrollment, {
				startDate: new Date(QUARTER_START_MS + 10 * DAY_MS).toISOString(),
				dueDate: new Date(QUARTER_START_MS + 40 * DAY_MS).toISOString(),
			});
		const [firstPerson] = companyData.users;
		if (index === 4) company.companyName = MALICIOUS_NAME;
		if (index === 4 && firstPerson) firstPerson.firstName = MALICIOUS_NAME;
	}
}

/** Calculates the percentage of a customer's people who clicked in the simulation of the last quarter, or of the quarter before that. */
function calculateClickRate(
	{ world }: ExampleContext['service'],
	{ companyResourceId: id }: Company,
	isPreviousQuarter: boolean,
): number {
	const companyData = world.getCompanyData(id);
	const campaign = companyData.getCampaigns('phishing')[isPreviousQuarter ? 1 : 0];
	if (!campaign) return 0;
	const people = campaign.instanceGroups.flatMap((group) => getJobPeople(world, campaign, group));
	const clickers = people.filter(({ activities }) => activities.clicked.some(({ isBot }) => !isBot));
	return Math.round((100 * clickers.length) / people.length);
}

const buildContact = ({ companyResourceId: id }: Company) => `contact-${id.slice(0, 8).toLowerCase()}@customer.example`;
const isApprovalEmail = (email: string) => /^Subject: Send the/m.test(email);
const formatSummary = (sentNowCount: number, sentBeforeCount: number, waitingCount: number) =>
	`Quarterly reviews ${QUARTER_NAME}: ${sentNowCount} sent, ${sentBeforeCount} sent before, ${waitingCount} wait for the next run.`;

/**
 * Runs the example and answers the email that asks the approver, if such an email is expected.
 * @param isApproved the answer, or undefined if no such email is expected
 * @returns the emailed reviews, the number of emails that asked the approver, and the lines of the chat message
 */
async function runAndAnswer(
	example: ExampleContext,
	mailbox: Mailbox,
	isApproved?: boolean,
	settings = { onlyCustomers: NAME_FRAGMENT },
) {
	const emailCountBefore = mailbox.readEmails().length;
	const runPromise = example.runExample(settings);
	if (isApproved !== undefined) {
		const findQuestion = () => mailbox.readEmails().slice(emailCountBefore).find(isApprovalEmail);
		await Promise.race([runPromise, waitInN8n('a question', () => findQuestion() !== undefined)]);
		await waitInN8n(
			'the answer is accepted',
			async () => (await answerApproval(findQuestion() ?? '', isApproved)) === 200,
		);
	}
	await runPromise;
	const emails = mailbox.readEmails().slice(emailCountBefore);
	return {
		questionCount: emails.filter(isApprovalEmail).length,
		reviews: emails.filter((email) => !isApprovalEmail(email)).map(parseReviewEmail),
		lines: (example.getChatTexts().at(-1) ?? '').trimEnd().split('\n'),
	};
}

/** Enters contacts in the table, as a user would. The table is created again, because the client can't change rows. */
async function enterContacts(
	{ client, readTableRows, dropTable }: ExampleContext,
	getContact: (customerId: unknown) => string,
) {
	const rows = await readTableRows(TABLE_NAME);
	await dropTable(TABLE_NAME);
	const table = await client.createTable(
		TABLE_NAME,
		COLUMNS.map((name) => ({ name, type: 'string' })),
	);
	const filledRows = rows.map((row) => ({ ...row, contact: getContact(row.customerId) }));
	await client.insertRows(
		table,
		filledRows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => COLUMNS.includes(name)))),
	);
}

async function checkReviews(example: ExampleContext, mailbox: Mailbox): Promise<void> {
	const { service, refuseCompany, readTableRows, expectEqual, expectNone } = example;
	const customers = service.world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	prepareRecords(example, customers);
	const [
		unreadableCustomer,
		customerWithoutContact,
		customerWithWrongContact,
		customerWithRefusedContact,
		customerWithMaliciousName,
	] = customers;
	if (
		!unreadableCustomer ||
		!customerWithoutContact ||
		!customerWithWrongContact ||
		!customerWithRefusedContact ||
		!customerWithMaliciousName
	)
		throw new Error('There are too few customers.');
	const customerCount = customers.length;

	refuseCompany(unreadableCustomer, 'POST /api/training-reports/{enrollmentId}/users/search');
	const firstResult = await runAndAnswer(example, mailbox);
	expectEqual(
		`${customerCount} customers: the first run sends no email, and adds a row for each readable customer`,
		[
			firstResult.lines[0],
			firstResult.reviews.length,
			firstResult.questionCount,
			(await readTableRows(TABLE_NAME)).length,
		],
		[formatSummary(0, 0, customerCount), 0, 0, customerCount - 1],
	);
	expectEqual(
		'all readable customers wait for their contact, and the unreadable one gets no incomplete review',
		[
			firstResult.lines.filter((line) => line.endsWith(': it has no contact in the Data Table')).length,
			firstResult.lines.filter((line) => line.startsWith(`- ${unreadableCustomer.companyName}: could not be read: `))
				.length,
		],
		[customerCount - 1, 1],
	);

	const contactsByCustomerId = new Map(customers.map((company) => [company.companyResourceId, buildContact(company)]));
	contactsByCustomerId.set(customerWithoutContact.companyResourceId, '');
	contactsByCustomerId.set(customerWithWrongContact.companyResourceId, 'nobody at all');
	await enterContacts(example, (id) => contactsByCustomerId.get(String(id)) ?? '');
	const declinedResult = await runAndAnswer(example, mailbox, false);
	expectEqual(
		'if it is declined, the approver gets one review and one question, and nobody else gets an email',
		[declinedResult.lines[0], declinedResult.reviews.map(({ to }) => to), declinedResult.questionCount],
		[formatSummary(0, 0, customerCount), [APPROVER], 1],
	);

	mailbox.refuseAddresses(buildContact(customerWithRefusedContact));
	const approvedResult = await runAndAnswer(example, mailbox, true);
	const reachedCustomers = customers.filter(
		(company) =>
			![unreadableCustomer, customerWithoutContact, customerWithWrongContact, customerWithRefusedContact].includes(
				company,
			),
	);
	const reviewsToContacts = approvedResult.reviews.filter(({ to }) => to !== APPROVER);
	expectEqual(
		'if it is approved, each contact gets one review, and the chat message lists what waits',
		[
			approvedResult.lines[0],
			sortForComparison(reviewsToContacts.map(({ to }) => to)),
			approvedResult.lines.slice(1).length,
		],
		[formatSummary(customerCount - 4, 0, 4), sortForComparison(reachedCustomers.map(buildContact)), 4],
	);
	const reasons: Array<[Company, RegExp]> = [
		[customerWithoutContact, /it has no contact/],
		[customerWithWrongContact, /its contact is no mail address/],
		[customerWithRefusedContact, /no such mailbox/],
		[unreadableCustomer, /could not be read.*403/],
	];
	expectNone(
		'the chat message has the reasons: no contact, no email address, the mail server, an unreadable customer',
		reasons
			.filter(
				([{ companyName }, reasonPattern]) =>
					!approvedResult.lines.some((line) => line.startsWith(`- ${companyName}: `) && reasonPattern.test(line)),
			)
			.map(([{ companyName }]) => [companyName, approvedResult.lines]),
	);
	await checkDocuments(example, reachedCustomers, reviewsToContacts, customerWithMaliciousName);

	service.clearFaults();
	mailbox.refuseAddresses();
	contactsByCustomerId.set(customerWithoutContact.companyResourceId, buildContact(customerWithoutContact));
	contactsByCustomerId.set(customerWithWrongContact.companyResourceId, buildContact(customerWithWrongContact));
	await enterContacts(example, (id) => contactsByCustomerId.get(String(id)) ?? '');
	const nextResult = await runAndAnswer(example, mailbox, true);
	expectEqual(
		'the next run only sends the waiting reviews, and the customer that is now readable still needs a contact',
		[nextResult.lines, sortForComparison(nextResult.reviews.map(({ to }) => to))],
		[
			[
				formatSummary(3, customerCount - 4, 1),
				`- ${unreadableCustomer.companyName}: it has no contact in the Data Table`,
			],
			sortForComparison([
				APPROVER,
				buildContact(customerWithoutContact),
				buildContact(customerWithWrongContact),
				buildContact(customerWithRefusedContact),
			]),
		],
	);
	await enterContacts(example, (id) => contactsByCustomerId.get(String(id)) ?? '');
	const lastResult = await runAndAnswer(example, mailbox, true);
	expectEqual(
		'the run after that sends the last review',
		[lastResult.lines, lastResult.reviews.length],
		[[formatSummary(1, customerCount - 1, 0)], 2],
	);
	const finalResult = await runAndAnswer(example, mailbox);
	expectEqual(
		'the final run asks nobody and sends nothing',
		[finalResult.lines, finalResult.reviews, finalResult.questionCount],
		[[formatSummary(0, customerCount, 0)], [], 0],
	);
	expectNone(
		'all rows have kept their contacts',
		(await readTableRows(TABLE_NAME)).filter(({ contact }) => !contact),
	);
}

/** Checks that the documents have the figures of the service, and that names are not used as HTML or code. */
async function checkDocuments(
	{ service, expectEqual, expectNone }: ExampleContext,
	reachedCustomers: Company[],
	reviews: Array<{ to: string; file: string }>,
	customerWithMaliciousName: Company,
): Promise<void> {
	const getDocument = (company: Company) => reviews.find(({ to }) => to === buildContact(company))?.file ?? '';
	for (const company of reachedCustomers.slice(0, 6))
		await saveDocument(`review-${company.companyResourceId.slice(0, 8)}.html`, getDocument(company));
	/** Reads the click rates of the last quarter and of the quarter before that from the first tile of a document. */
	const readClickRates = (company: Company): number[] => {
		const [tile = ''] = />Clicked<.*?class="others"/.exec(getDocument(company)) ?? [];
		const currentRate = Number(/"value">(\d+) %/.exec(tile)?.[1]);
		return [
			currentRate,
			tile.includes('as in the quarter before') ? currentRate : Number(/was (\d+) %/.exec(tile)?.[1]),
		];
	};
	const calculateClickRates = (company: Company) =>
		[false, true].map((isPreviousQuarter) => calculateClickRate(service, company, isPreviousQuarter));
	expectNone(
		`in each of the ${reachedCustomers.length} documents, the click rates of both quarters are the same as in the service`,
		reachedCustomers
			.map((company) => [readClickRates(company), calculateClickRates(company)])
			.filter(([actual, expected]) => String(actual) !== String(expected)),
	);
	const names = service.world.companies.flatMap(({ companyName }) => companyName ?? []);
	expectNone(
		'each document names only its own customer',
		reachedCustomers
			.filter(
				(company) =>
					company !== customerWithMaliciousName &&
					names.some((name) => getDocument(company).includes(`<h1>${name}</h1>`) !== (name === company.companyName)),
			)
			.map(({ companyName }) => companyName),
	);
	expectEqual(
		'a malicious name is shown as text',
		[
			getDocument(customerWithMaliciousName).includes(`<h1>${ESCAPED_NAME}</h1>`),
			/<img|\{\{|6 \* 7|>42</.test(getDocument(customerWithMaliciousName)),
		],
		[true, false],
	);
	expectNone(
		'every document has its charts, and no value is missing',
		reachedCustomers.filter(
			(company) =>
				!/<rect class="now"/.test(getDocument(company)) || /undefined|NaN|null|Invalid/.test(getDocument(company)),
		),
	);
}

/** Checks that two executions that wait for approval at the same time don't send a review twice. */
async function checkTwoWaitingRuns(example: ExampleContext, mailbox: Mailbox): Promise<void> {
	const { service, readTableRows, expectEqual } = example;
	const customer = service.world.companies.find((company) => isManaged(company, NAME_FRAGMENT));
	if (!customer) throw new Error('There is no customer.');
	const settings = { onlyCustomers: customer.companyName ?? '' };
	await example.dropTable(TABLE_NAME);
	await runAndAnswer(example, mailbox, undefined, settings);
	await enterContacts(example, () => buildContact(customer));
	const emailCountBefore = mailbox.readEmails().length;
	const listQuestions = () => mailbox.readEmails().slice(emailCountBefore).filter(isApprovalEmail);
	const waitingRuns: Array<Promise<unknown>> = [];
	for (const count of [1, 2]) {
		waitingRuns.push(example.runExample(settings));
		await waitInN8n('a question', () => listQuestions().length === count);
	}
	for (const [index, run] of waitingRuns.entries()) {
		await waitInN8n(
			'the answer is accepted',
			async () => (await answerApproval(listQuestions()[index] ?? '', true)) === 200,
		);
		await run;
	}
	const sentReviews = mailbox
		.readEmails()
		.slice(emailCountBefore)
		.map(parseReviewEmail)
		.filter(({ to }) => to !== APPROVER);
	expectEqual(
		'if two waiting runs are both approved, one review is sent',
		[sentReviews.length, (await readTableRows(TABLE_NAME)).length],
		[1, 1],
	);
}
