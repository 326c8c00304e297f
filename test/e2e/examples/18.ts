import { startDocumentation, type DocumentationSimulator } from '../../real-n8n/documentationSimulator';
import type { Company } from '../../stand-in/seed';
import { isManaged } from './customers';
import { importDocumentWorkflow, saveDocumentationCredential } from './documentWorkflow';
import { answerApproval, createMailCredential, parseReviewEmail, startMailbox, type Mailbox } from './mailbox';
import { registerCheck, sortForComparison, waitInN8n, type ExampleContext } from './registerCheck';
import {
	NAME_FRAGMENT,
	TABLE_NAME,
	NO_CONTACT_REASON,
	APPROVER,
	MALICIOUS_NAME,
	ESCAPED_NAME,
	QUARTER_NAME,
	prepareRecords,
	buildContact,
	isApprovalEmail,
	formatSummary,
	runAndAnswer,
	enterContacts,
	getOrganizationId,
} from './reviews';
import { calculateReview, readReview } from './reviewFigures';
import { saveDocument } from './saveDocument';

/** The number of customers whose license is valid. */
const CUSTOMER_COUNT = 14;

registerCheck(18, async (example) => {
	const mailbox = await startMailbox();
	const smtpCredential = await createMailCredential(example.client, mailbox);
	try {
		await checkReviews(example, mailbox);
		await checkTwoWaitingRuns(example, mailbox);
	} finally {
		await example.client.deleteCredential(smtpCredential);
		mailbox.close();
	}
});

async function checkReviews(example: ExampleContext, mailbox: Mailbox): Promise<void> {
	const { service, refuseCompany, readTableRows, expectEqual, expectNone } = example;
	const managedCompanies = service.world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	// Each run reads about a hundred lists per customer.
	const customers = managedCompanies.slice(0, CUSTOMER_COUNT);
	for (const company of managedCompanies.slice(CUSTOMER_COUNT)) company.licenceExpired = true;
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
			firstResult.lines.filter((line) => line.endsWith(`: ${NO_CONTACT_REASON}`)).length,
			firstResult.lines.filter((line) => line.startsWith(`- ${unreadableCustomer.companyName}: could not be read: `))
				.length,
		],
		[customerCount - 1, 1],
	);

	const contactsByCustomerId = new Map(customers.map((company) => [company.companyResourceId, buildContact(company)]));
	const getContact = ({ companyResourceId: id }: Company) => contactsByCustomerId.get(id) ?? '';
	contactsByCustomerId.set(customerWithoutContact.companyResourceId, '');
	contactsByCustomerId.set(customerWithWrongContact.companyResourceId, 'nobody at all');
	await enterContacts(example, customers, getContact);
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
		[customerWithoutContact, /no contact in the customer map/],
		[customerWithWrongContact, /the contact in the customer map is no email address/],
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
	await checkDocuments(example, reachedCustomers, customers, reviewsToContacts, customerWithMaliciousName);

	service.clearFaults();
	mailbox.refuseAddresses();
	contactsByCustomerId.set(customerWithoutContact.companyResourceId, buildContact(customerWithoutContact));
	contactsByCustomerId.set(customerWithWrongContact.companyResourceId, buildContact(customerWithWrongContact));
	contactsByCustomerId.set(unreadableCustomer.companyResourceId, '');
	await enterContacts(example, customers, getContact);
	const nextResult = await runAndAnswer(example, mailbox, true);
	expectEqual(
		'the next run only sends the waiting reviews, and the customer that is now readable still needs a contact',
		[nextResult.lines, sortForComparison(nextResult.reviews.map(({ to }) => to))],
		[
			[formatSummary(3, customerCount - 4, 1), `- ${unreadableCustomer.companyName}: ${NO_CONTACT_REASON}`],
			sortForComparison([
				APPROVER,
				buildContact(customerWithoutContact),
				buildContact(customerWithWrongContact),
				buildContact(customerWithRefusedContact),
			]),
		],
	);
	contactsByCustomerId.set(unreadableCustomer.companyResourceId, buildContact(unreadableCustomer));
	await enterContacts(example, customers, getContact);
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
	await checkSavedDocuments(example, mailbox, customers);
}

/** Checks that example 28 saves each sent review once as a document of its customer. */
async function checkSavedDocuments(example: ExampleContext, mailbox: Mailbox, customers: Company[]): Promise<void> {
	const documentation = await startDocumentation(customers.map((_company, index) => getOrganizationId(index)));
	const credential = await saveDocumentationCredential(example);
	try {
		await checkDocumentRuns(example, mailbox, customers, documentation);
	} finally {
		await example.client.deleteCredential(credential);
		await documentation.close();
	}
}

async function checkDocumentRuns(
	example: ExampleContext,
	mailbox: Mailbox,
	customers: Company[],
	documentation: DocumentationSimulator,
): Promise<void> {
	const { readTableRows, expectEqual, expectNone } = example;
	const workflowId = await importDocumentWorkflow(example, documentation, 'itglue');
	const settings = { onlyCustomers: NAME_FRAGMENT, documentation: workflowId };
	documentation.addFault({ status: 500, organizationId: getOrganizationId(2) });
	const firstResult = await runAndAnswer(example, mailbox, undefined, settings);
	expectEqual(
		'IT Glue gets the reviews that were sent before, nothing is emailed, and what is missing has its reason',
		[
			firstResult.lines[0],
			firstResult.reviews.length,
			documentation.documents.length,
			firstResult.lines.slice(1).length,
		],
		[formatSummary(0, customers.length, 2), 0, customers.length - 2, 2],
	);
	expectEqual(
		'the reasons are an answer of IT Glue and a missing organization',
		[
			firstResult.lines.some((line) => line.startsWith(`- ${customers[2]?.companyName}: no document: 500`)),
			firstResult.lines.some((line) =>
				line.startsWith(`- ${customers.at(-1)?.companyName}: no document: no documentationId in the customer map`),
			),
		],
		[true, true],
	);
	const wrongDocuments = customers.flatMap(({ companyName }, index) =>
		documentation.documents.filter(
			({ organizationId, name, sections, isPublished }) =>
				organizationId === getOrganizationId(index) &&
				(name !== `Security awareness review ${QUARTER_NAME}` ||
					!isPublished ||
					!sections[0]?.content.includes(`<h1>${companyName === MALICIOUS_NAME ? ESCAPED_NAME : companyName}</h1>`)),
		),
	);
	expectNone('each document is published and names the customer of its organization', wrongDocuments);
	await saveDocument('review-document.html', documentation.documents[0]?.sections[0]?.content ?? '');

	documentation.requests.length = 0;
	const secondResult = await runAndAnswer(example, mailbox, undefined, settings);
	expectEqual(
		'the second run only saves the missing document',
		[
			secondResult.lines[0],
			documentation.requests.filter((request) => !request.startsWith('GET')).length,
			documentation.documents.length,
			(await readTableRows(TABLE_NAME)).filter((row) => row.document === QUARTER_NAME).length,
		],
		[formatSummary(0, customers.length, 1), 3, customers.length - 1, customers.length - 1],
	);
}

/** Checks that the documents have the figures of the service, and that names are not used as HTML or code. */
async function checkDocuments(
	example: ExampleContext,
	reachedCustomers: Company[],
	rankedCustomers: Company[],
	reviews: Array<{ to: string; file: string }>,
	customerWithMaliciousName: Company,
): Promise<void> {
	const { service, expectEqual, expectNone } = example;
	const getDocument = (company: Company) => reviews.find(({ to }) => to === buildContact(company))?.file ?? '';
	for (const company of reachedCustomers.slice(0, 6))
		await saveDocument(`review-${company.companyResourceId.slice(0, 8)}.html`, getDocument(company));
	expectNone(
		`in each of the ${reachedCustomers.length} documents, all figures and reasons are the same as in the service`,
		reachedCustomers.flatMap((company) => {
			const { people, ...review } = readReview(getDocument(company));
			const { people: expectedPeople, ...expectedReview } = calculateReview(example, company, rankedCustomers);
			const peopleCount = Math.min(12, expectedPeople.length);
			const missingCounts = people.length === peopleCount ? [] : [[company.companyName, people.length, peopleCount]];
			const unknownPeople = people.filter((person) => !expectedPeople.includes(person));
			const differences = Object.entries(expectedReview).flatMap(([topic, expected]) => {
				const actual = Object.entries(review).find(([name]) => name === topic)?.[1];
				return String(actual) === String(expected) ? [] : [[company.companyName, topic, actual, expected]];
			});
			return [differences, missingCounts, unknownPeople].flat();
		}),
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
	await enterContacts(example, [customer], buildContact);
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
