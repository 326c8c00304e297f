/** This file has what the checks of example 17 share, and its checks of agreements and numbers. */
import type { Workflow } from '../../real-n8n/client';
import type { PsaSimulator } from '../../real-n8n/psa';
import { getMonthlyCount } from '../../stand-in/routes/companies';
import type { Company } from '../../stand-in/seed';
import type { ExampleContext } from './check';
import type { startMailbox } from './mailbox';

/** The name that two customers have. */
export const NAMESAKE = 'Twin Peaks Consulting';
export const AGREEMENTS_TABLE = 'Security Awareness Agreements';
const COLUMNS = ['customerId', 'customer', 'company', 'agreement', 'line', 'users', 'quantity', 'why'];
const MONTH = new Date(Date.UTC(new Date().getFullYear(), new Date().getMonth() - 1)).toISOString().slice(0, 7);

export const countMonthlyUsers = ({ monthlyActiveUserCount }: Company) => getMonthlyCount(monthlyActiveUserCount, MONTH);
export const getName = ({ companyName }: Company) => companyName ?? '';

type Mailbox = Awaited<ReturnType<typeof startMailbox>>;
/** The tools that all checks of the example use. */
export interface BillingContext {
	example: ExampleContext;
	psa: PsaSimulator;
	mailbox: Mailbox;
	/** Runs the workflow and answers its email, if one is expected. @returns the email, and the lines of the message */
	runBilling: (settings: Record<string, string>, approved?: boolean) => Promise<{ mail: string; text: string[] }>;
	/** The changes that a user makes in the workflow in addition to the settings. */
	changeWorkflow: (workflow: Workflow) => Workflow;
}

export const formatSummary = (all: number, same: number, changed: number, declined: number, waits: number) =>
	`Bill of ${MONTH}: ${all} customers, ${same} as in the PSA, ${changed} changed, ${declined} not approved, ${waits} wait for the next run.`;

/** Finds the line for the service in the agreement of the customer with this name. */
export function findAgreementLine({ books }: PsaSimulator, name: string) {
	const id = books.companies.find((company) => company.name === name)?.id;
	const line = books.agreements.find(({ companyId }) => companyId === id)?.lines.at(-1);
	if (!line) throw new Error(`The PSA has no agreement of ${name}.`);
	return line;
}

/** Checks that an agreement that is found by its number must be active and belong to the customer. */
export async function checkAgreements(
	{ example: scene, psa, runBilling: bill }: BillingContext,
	settings: Record<string, string>,
	customer: Company,
): Promise<void> {
	const name = getName(customer);
	const settingsForOne = { ...settings, onlyCustomers: name };
	const agreement = psa.books.agreements.find(({ lines }) => lines.includes(findAgreementLine(psa, name)));
	const line = findAgreementLine(psa, name);
	if (!agreement) throw new Error(`The PSA has no agreement of ${name}.`);
	const { id, companyId } = agreement;
	line.quantity = 99;

	agreement.isCancelled = true;
	const replacement = { ...agreement, id: 900, isCancelled: false, lines: [{ ...line, id: 901 }] };
	psa.books.agreements.push(replacement);
	const cancelled = await bill(settingsForOne);
	psa.books.agreements = psa.books.agreements.filter((each) => each !== replacement);
	agreement.isCancelled = false;
	agreement.endDate = '2020-12-31T00:00:00Z';
	const ended = await bill(settingsForOne);
	agreement.endDate = undefined;
	const reason = `- ${name}: ${id} Managed Services is cancelled or has ended`;
	scene.expectEqual(
		'a cancelled agreement is not billed, although its number is in the table, nor one that has ended',
		[cancelled.text[1], ended.text[1], line.quantity],
		[reason, reason, 99],
	);

	const other = psa.books.companies.find((company) => company.id !== companyId);
	agreement.companyId = other?.id ?? 0;
	const moved = await bill(settingsForOne);
	agreement.companyId = companyId;
	scene.expectEqual(
		'nor the agreement of another customer',
		[moved.text[1], line.quantity],
		[`- ${name}: ${id} Managed Services belongs to ${other?.id} ${other?.name}`, 99],
	);

	line.cancelledDate = '2020-12-31T00:00:00Z';
	const none = await bill(settingsForOne);
	const added = { ...line, id: 902, cancelledDate: undefined };
	agreement.lines.push(added);
	await bill(settingsForOne, true);
	agreement.lines = agreement.lines.filter((each) => each !== added);
	line.cancelledDate = undefined;
	scene.expectEqual(
		'a cancelled addition is none: the customer waits, or the one that replaces it is changed',
		[none.text[1], line.quantity, added.quantity],
		[`- ${name}: ${id} has 0 lines Security Awareness`, 99, countMonthlyUsers(customer)],
	);
}

/** Checks that a customer with another name in the PSA, and two customers with the same name, get the numbers that a user enters. */
export async function checkNumbers(
	{ example: scene, psa, runBilling: bill }: BillingContext,
	settings: Record<string, string>,
	renamed: Company,
): Promise<void> {
	const { client, dropTable, expectEqual: same, service } = scene;
	const enterRows = async (rows: Array<Record<string, string>>) => {
		await dropTable(AGREEMENTS_TABLE);
		const table = await client.createTable(
			AGREEMENTS_TABLE,
			COLUMNS.map((name) => ({ name, type: 'string' as const })),
		);
		await client.insertRows(table, rows);
	};
	const companies = psa.books.companies.filter(({ name }) => name === 'Called otherwise' || name === NAMESAKE);
	const renamedCompany = companies.find(({ name }) => name !== NAMESAKE);
	const twin = companies.find(({ name }) => name === NAMESAKE);
	if (!renamedCompany || !twin) throw new Error('There are too few companies.');
	const agreement = psa.books.agreements.find(({ companyId }) => companyId === renamedCompany.id);
	const row = { customerId: renamed.companyResourceId, customer: getName(renamed), agreement: String(agreement?.id) };
	const settingsForOne = { ...settings, onlyCustomers: getName(renamed) };

	await enterRows([row]);
	const doubtful = await bill(settingsForOne);
	await enterRows([{ ...row, company: String(renamedCompany.id) }]);
	psa.requests.length = 0;
	await bill(settingsForOne, true);
	same(
		'the number of an agreement alone is not enough where the names differ; with that of the company it counts',
		[doubtful.text[1], findAgreementLine(psa, 'Called otherwise').quantity],
		[
			`- ${getName(renamed)}: ${row.agreement} Managed Services belongs to ${renamedCompany.id} Called otherwise`,
			countMonthlyUsers(renamed),
		],
	);

	await dropTable(AGREEMENTS_TABLE);
	const both = await bill({ ...settings, onlyCustomers: NAMESAKE });
	same(
		'two of one name in the PSA: nothing is guessed, and it says which there are',
		[
			both.text[0],
			both.text.slice(1).every((each) => /the PSA has 2 of this name(, \d+ Managed Services){2}$/.test(each)),
		],
		[formatSummary(2, 0, 0, 0, 2), true],
	);
	const [first] = service.state.companies.filter((each) => getName(each) === NAMESAKE);
	if (!first) throw new Error('There are no namesakes.');
	const { companyResourceId: customerId } = first;
	await enterRows([{ customerId, customer: NAMESAKE, company: String(twin.id) }]);
	findAgreementLine(psa, NAMESAKE).quantity = 99;
	psa.requests.length = 0;
	const result = await bill({ ...settings, onlyCustomers: NAMESAKE }, true);
	same(
		'the one whose company a person has entered is billed, the other one waits',
		[result.text[0], findAgreementLine(psa, NAMESAKE).quantity],
		[formatSummary(2, 0, 1, 0, 1), countMonthlyUsers(first)],
	);
}
