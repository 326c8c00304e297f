/** The records, contacts and approvals that the check of example 18 works with. */
import { SIMULATORS } from '../../stand-in/profile';
import type { Company } from '../../stand-in/seed';
import { enterCustomerMap } from './customerMapTable';
import { answerApproval, parseReviewEmail, type Mailbox } from './mailbox';
import { waitInN8n, type ExampleContext } from './registerCheck';

/** A text that the names of more than forty customers contain. */
export const NAME_FRAGMENT = 'Partners';
export const TABLE_NAME = 'Security Awareness Reviews';
/** The reason of a customer that waits because it has no contact in the customer map. */
export const NO_CONTACT_REASON =
	'no contact in the customer map (Data Table Security Awareness Customers): enter it there. Example 27 adds missing customers';
export const APPROVER = 'approver@example.com';
/** A customer's name that tries to inject HTML, an n8n expression, and a pattern for `replace`. The example must show it as text. */
export const MALICIOUS_NAME = `<img src=x onerror=alert(1)> {{ 6 * 7 }} $& ${NAME_FRAGMENT} "&amp;'`;
export const ESCAPED_NAME =
	'&#60;img src&#61;x onerror&#61;alert&#40;1&#41;&#62; &#123;&#123; 6 &#42; 7 &#125;&#125; &#36;&#38; Partners &#34;&#38;amp&#59;&#39;';
const DAY_MS = 86_400_000;

/** Returns the start of the last complete quarter, in milliseconds, and its name, such as 2026-Q1. */
function getLastQuarter() {
	const now = new Date();
	const startDate = new Date(now.getFullYear(), Math.floor(now.getMonth() / 3) * 3 - 3, 1);
	return { begin: startDate.getTime(), name: `${startDate.getFullYear()}-Q${startDate.getMonth() / 3 + 1}` };
}
const { begin: QUARTER_START_MS, name } = getLastQuarter();
/** The name of the last complete quarter. */
export const QUARTER_NAME = name;

/**
 * Moves one simulation of each kind and the trainings of each customer into the last quarter, and one of each kind before it. Their times
 * differ, so that the order of a person's reasons is certain.
 */
export function prepareRecords({ service: { world } }: ExampleContext, customers: Company[]): void {
	for (const [index, company] of customers.entries()) {
		const companyData = world.getCompanyData(company.companyResourceId);
		for (const [position, simulator] of SIMULATORS.entries()) {
			const offsetMs = position * 61 * 60_000;
			const [quarterCampaign, earlierCampaign, ...otherCampaigns] = companyData.getCampaigns(simulator);
			if (quarterCampaign)
				quarterCampaign.createTime = new Date(QUARTER_START_MS + 20 * DAY_MS + offsetMs).toISOString();
			if (earlierCampaign) earlierCampaign.createTime = new Date(QUARTER_START_MS - 40 * DAY_MS).toISOString();
			for (const campaign of otherCampaigns)
				campaign.createTime = new Date(QUARTER_START_MS - 400 * DAY_MS).toISOString();
		}
		for (const [position, enrollment] of companyData.enrollments.entries())
			Object.assign(enrollment, {
				startDate: new Date(QUARTER_START_MS + 10 * DAY_MS).toISOString(),
				dueDate: new Date(QUARTER_START_MS + 40 * DAY_MS + position * 60_000).toISOString(),
			});
		const [firstPerson] = companyData.users;
		if (index === 4) company.companyName = MALICIOUS_NAME;
		if (index === 4 && firstPerson) firstPerson.firstName = MALICIOUS_NAME;
	}
}

export const buildContact = ({ companyResourceId: id }: Company) =>
	`contact-${id.slice(0, 8).toLowerCase()}@customer.example`;
export const isApprovalEmail = (email: string) => /^Subject: Send the/m.test(email);
export const formatSummary = (sentNowCount: number, sentBeforeCount: number, waitingCount: number) =>
	`Quarterly reviews ${QUARTER_NAME}: ${sentNowCount} sent, ${sentBeforeCount} sent before, ${waitingCount} wait for the next run.`;

/**
 * Runs the example and answers the email that asks the approver, if such an email is expected.
 * @param isApproved the answer, or undefined if no such email is expected
 * @returns the emailed reviews, the number of emails that asked the approver, and the lines of the chat message
 */
export async function runAndAnswer(
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

/** Enters the contacts in the customer map, as a user would. Each customer but the last has an organization in the documentation. */
export const enterContacts = (
	example: ExampleContext,
	customers: Company[],
	getContact: (company: Company) => string,
) =>
	enterCustomerMap(
		example,
		customers.map((company, index) => ({
			customerId: company.companyResourceId,
			customer: company.companyName ?? '',
			contact: getContact(company),
			documentationId: index === customers.length - 1 ? '' : String(getOrganizationId(index)),
		})),
	);
/** Returns the ID of a customer's organization in the documentation, by the position of the customer. */
export const getOrganizationId = (index: number) => 1000 + index;
