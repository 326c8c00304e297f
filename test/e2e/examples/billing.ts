/** Code that the checks of example 17 share, and its checks of agreements and of company numbers that a user enters. */
import type { Workflow } from '../../real-n8n/client';
import type { PsaSimulator } from '../../real-n8n/psaSimulator';
import { getMonthlyCount } from '../../stand-in/routes/companies';
import type { Company } from '../../stand-in/seed';
import type { ExampleContext } from './registerCheck';
import type { Mailbox } from './mailbox';

/** A name that two customers share. */
export const SHARED_NAME = 'Twin Peaks Consulting';
export const AGREEMENTS_TABLE = 'Security Awareness Agreements';
const AGREEMENTS_COLUMNS = ['customerId', 'customer', 'company', 'agreement', 'line', 'users', 'quantity', 'why'];
/** Last month, such as 2026-01. */
const LAST_MONTH = new Date(Date.UTC(new Date().getFullYear(), new Date().getMonth() - 1)).toISOString().slice(0, 7);

/** Returns the number of a customer's users who were active last month. */
export const countLastMonthUsers = ({ monthlyActiveUserCount }: Company) =>
	getMonthlyCount(monthlyActiveUserCount, LAST_MONTH);
export const getCompanyName = ({ companyName }: Company) => companyName ?? '';

/** The objects and functions that each check of example 17 uses. */
export interface BillingContext {
	example: ExampleContext;
	psa: PsaSimulator;
	mailbox: Mailbox;
	/**
	 * Runs the workflow and answers the email that asks for approval.
	 * @param isApproved the answer, or undefined if no such email is expected
	 * @returns the text of all emails, and the lines of the chat message
	 */
	runBilling: (
		settings: Record<string, string>,
		isApproved?: boolean,
	) => Promise<{ emailText: string; lines: string[] }>;
	/** Makes the changes that a user makes in the workflow in addition to its settings. */
	changeWorkflow: (workflow: Workflow) => Workflow;
}

/** Formats the first line of the chat message. */
export const formatSummary = (
	customerCount: number,
	equalCount: number,
	changedCount: number,
	declinedCount: number,
	waitingCount: number,
) =>
	`Bill of ${LAST_MONTH}: ${customerCount} customers, ${equalCount} as in the PSA, ${changedCount} changed, ${declinedCount} not approved, ${waitingCount} wait for the next run.`;

/** Finds the line that bills Security Awareness in the agreement of the company with this name. */
export function findAgreementLine({ records }: PsaSimulator, name: string) {
	const id = records.companies.find((company) => company.name === name)?.id;
	const line = records.agreements.find(({ companyId }) => companyId === id)?.lines.at(-1);
	if (!line) throw new Error(`The PSA has no agreement of ${name}.`);
	return line;
}

/** Checks that an agreement whose number is in the table is only billed if it is active and belongs to the customer. */
export async function checkAgreements(
	{ example, psa, runBilling }: BillingContext,
	settings: Record<string, string>,
	customer: Company,
): Promise<void> {
	const name = getCompanyName(customer);
	const singleCustomerSettings = { ...settings, onlyCustomers: name };
	const agreement = psa.records.agreements.find(({ lines }) => lines.includes(findAgreementLine(psa, name)));
	const line = findAgreementLine(psa, name);
	if (!agreement) throw new Error(`The PSA has no agreement of ${name}.`);
	const { id, companyId } = agreement;
	line.quantity = 99;

	agreement.isCancelled = true;
	const replacement = { ...agreement, id: 900, isCancelled: false, lines: [{ ...line, id: 901 }] };
	psa.records.agreements.push(replacement);
	const cancelledResult = await runBilling(singleCustomerSettings);
	psa.records.agreements = psa.records.agreements.filter((candidate) => candidate !== replacement);
	agreement.isCancelled = false;
	agreement.endDate = '2020-12-31T00:00:00Z';
	const endedResult = await runBilling(singleCustomerSettings);
	agreement.endDate = undefined;
	const reason = `- ${name}: ${id} Managed Services is cancelled or has ended`;
	example.expectEqual(
		'an agreement that was cancelled or has ended is not billed, although its number is in the table',
		[cancelledResult.lines[1], endedResult.lines[1], line.quantity],
		[reason, reason, 99],
	);

	const otherCompany = psa.records.companies.find((company) => company.id !== companyId);
	agreement.companyId = otherCompany?.id ?? 0;
	const movedResult = await runBilling(singleCustomerSettings);
	agreement.companyId = companyId;
	example.expectEqual(
		'the agreement of another customer is not billed',
		[movedResult.lines[1], line.quantity],
		[`- ${name}: ${id} Managed Services belongs to ${otherCompany?.id} ${otherCompany?.name}`, 99],
	);

	line.cancelledDate = '2020-12-31T00:00:00Z';
	const withoutLineResult = await runBilling(singleCustomerSettings);
	const newLine = { ...line, id: 902, cancelledDate: undefined };
	agreement.lines.push(newLine);
	await runBilling(singleCustomerSettings, true);
	agreement.lines = agreement.lines.filter((candidate) => candidate !== newLine);
	line.cancelledDate = undefined;
	example.expectEqual(
		'a cancelled addition is ignored: the customer waits, or the addition that replaces it is changed',
		[withoutLineResult.lines[1], line.quantity, newLine.quantity],
		[`- ${name}: ${id} has 0 lines Security Awareness`, 99, countLastMonthUsers(customer)],
	);
}

/**
 * Checks the company numbers that a user enters in the table: for a customer that has another name in the PSA, and for two customers
 * with the same name.
 */
export async function checkCompanyNumbers(
	{ example, psa, runBilling }: BillingContext,
	settings: Record<string, string>,
	renamedCustomer: Company,
): Promise<void> {
	const { client, dropTable, expectEqual, service } = example;
	const enterRows = async (rows: Array<Record<string, string>>) => {
		await dropTable(AGREEMENTS_TABLE);
		const table = await client.createTable(
			AGREEMENTS_TABLE,
			AGREEMENTS_COLUMNS.map((name) => ({ name, type: 'string' as const })),
		);
		await client.insertRows(table, rows);
	};
	const psaCompanies = psa.records.companies.filter(({ name }) => name === 'Called otherwise' || name === SHARED_NAME);
	const renamedCompany = psaCompanies.find(({ name }) => name !== SHARED_NAME);
	const psaNamesake = psaCompanies.find(({ name }) => name === SHARED_NAME);
	if (!renamedCompany || !psaNamesake) throw new Error('There are too few companies.');
	const agreement = psa.records.agreements.find(({ companyId }) => companyId === renamedCompany.id);
	const row = {
		customerId: renamedCustomer.companyResourceId,
		customer: getCompanyName(renamedCustomer),
		agreement: String(agreement?.id),
	};
	const singleCustomerSettings = { ...settings, onlyCustomers: getCompanyName(renamedCustomer) };

	await enterRows([row]);
	const numberOnlyResult = await runBilling(singleCustomerSettings);
	await enterRows([{ ...row, company: String(renamedCompany.id) }]);
	psa.requests.length = 0;
	await runBilling(singleCustomerSettings, true);
	expectEqual(
		"if the names differ, the agreement's number alone is not enough, but with the company's number it is",
		[numberOnlyResult.lines[1], findAgreementLine(psa, 'Called otherwise').quantity],
		[
			`- ${getCompanyName(renamedCustomer)}: ${row.agreement} Managed Services belongs to ${renamedCompany.id} Called otherwise`,
			countLastMonthUsers(renamedCustomer),
		],
	);

	await dropTable(AGREEMENTS_TABLE);
	const namesakesResult = await runBilling({ ...settings, onlyCustomers: SHARED_NAME });
	expectEqual(
		'two companies with the same name in the PSA: nothing is changed, and the message lists both',
		[
			namesakesResult.lines[0],
			namesakesResult.lines
				.slice(1)
				.every((line) => /the PSA has 2 of this name(, \d+ Managed Services){2}$/.test(line)),
		],
		[formatSummary(2, 0, 0, 0, 2), true],
	);
	const [firstNamesake] = service.world.companies.filter((company) => getCompanyName(company) === SHARED_NAME);
	if (!firstNamesake) throw new Error('There are no namesakes.');
	const { companyResourceId: customerId } = firstNamesake;
	await enterRows([{ customerId, customer: SHARED_NAME, company: String(psaNamesake.id) }]);
	findAgreementLine(psa, SHARED_NAME).quantity = 99;
	psa.requests.length = 0;
	const result = await runBilling({ ...settings, onlyCustomers: SHARED_NAME }, true);
	expectEqual(
		'the customer whose company number a user has entered is billed, and the other one waits',
		[result.lines[0], findAgreementLine(psa, SHARED_NAME).quantity],
		[formatSummary(2, 0, 1, 0, 1), countLastMonthUsers(firstNamesake)],
	);
}
