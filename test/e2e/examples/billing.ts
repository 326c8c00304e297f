/** Code that the checks of example 17 share. */
import type { Workflow } from '../../real-n8n/client';
import type { Agreement, PsaSimulator } from '../../real-n8n/psaSimulator';
import { getMonthlyCount } from '../../stand-in/routes/companies';
import type { Company } from '../../stand-in/seed';
import { enterCustomerMap, type CustomerMapRow } from './customerMapTable';
import type { Mailbox } from './mailbox';
import { buildPsaSettings, selectPsaCredential, type PsaName } from './psaAccess';
import type { ExampleContext } from './registerCheck';

export const AGREEMENTS_TABLE = 'Security Awareness Agreements';
/** The names of the nodes that send requests to the PSA. */
const PSA_NODES = [
	'Find the Product',
	'Find the Agreement',
	'Read Its Lines',
	'Read It Again',
	'Change the Agreement',
	'Read the Result',
];
/** Last month, such as 2026-01. */
const LAST_MONTH = new Date(Date.UTC(new Date().getFullYear(), new Date().getMonth() - 1)).toISOString().slice(0, 7);

/** Returns the number of a customer's users who were active last month. */
export const countLastMonthUsers = ({ monthlyActiveUserCount }: Company) =>
	getMonthlyCount(monthlyActiveUserCount, LAST_MONTH);
export const getCompanyName = ({ companyName }: Company) => companyName ?? '';

/** The result of one run of the workflow. */
export interface BillingResult {
	/** The text of all emails that were sent. */
	emailText: string;
	/** The first line of the chat message. */
	summary: string;
	/** The other lines of the chat message. */
	lines: string[];
	/** The requests that changed something in the PSA, such as 'PATCH /finance/agreements/101/additions/2'. */
	writes: string[];
}

/** The objects and functions that each check of example 17 uses. */
export interface BillingContext {
	example: ExampleContext;
	psa: PsaSimulator;
	mailbox: Mailbox;
	/** The customers of the check. Only their names contain `onlyCustomers`. */
	customers: Company[];
	/** Returns the ID of a customer's company in the PSA. */
	getPsaId: (customer: Company) => number;
	/**
	 * Runs the workflow and answers the email that asks for approval.
	 * @param isApproved the answer, or undefined if no such email is expected
	 * @param beforeAnswer is called when the email has arrived, before it is answered
	 */
	runBilling: (settings: BillingSettings, isApproved?: boolean, beforeAnswer?: () => void) => Promise<BillingResult>;
	/** Makes the changes that a user makes in the workflow in addition to its settings. */
	changeWorkflow: (workflow: Workflow) => Workflow;
}

export type BillingSettings = Record<string, string>;

/** The pause between two requests to each PSA in the check, in ms. The workflow pauses for a second. */
const SHORT_PAUSE = 100;
/** Autotask accepts three requests at once. On a busy machine, a request takes several times as long as the simulator needs. */
const AUTOTASK_PAUSE = 400;

/** Returns a function that selects a PSA's credential in the workflow and shortens its pauses between requests. */
export const selectPsa =
	(psa: PsaName) =>
	(workflow: Workflow): Workflow => {
		const batch = { batchSize: 1, batchInterval: psa === 'autotask' ? AUTOTASK_PAUSE : SHORT_PAUSE };
		const options = { batching: { batch }, response: { response: { fullResponse: true } } };
		const { nodes, ...rest } = selectPsaCredential(psa, PSA_NODES)(workflow);
		return {
			...rest,
			nodes: nodes.map((node) =>
				PSA_NODES.includes(node.name) ? { ...node, parameters: { ...node.parameters, options } } : node,
			),
		};
	};

/** Resets the PSA, deletes the workflow's table, and selects the PSA in the workflow. @returns the settings for this PSA */
export async function resetBilling(context: BillingContext, psaName: PsaName): Promise<BillingSettings> {
	context.psa.reset();
	await context.example.dropTable(AGREEMENTS_TABLE);
	context.changeWorkflow = selectPsa(psaName);
	return buildPsaSettings(psaName, context.psa);
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

/** Finds the first agreement of a customer in the PSA. */
export function findAgreement({ psa, getPsaId }: BillingContext, customer: Company): Agreement {
	const agreement = psa.records.agreements.find(({ companyId }) => companyId === getPsaId(customer));
	if (!agreement) throw new Error(`The PSA has no agreement of ${getCompanyName(customer)}.`);
	return agreement;
}

/** Finds the line that bills Security Awareness in the first agreement of a customer. */
export function findAgreementLine(context: BillingContext, customer: Company) {
	const line = findAgreement(context, customer).lines[1];
	if (!line) throw new Error(`The agreement of ${getCompanyName(customer)} has no line.`);
	return line;
}

/** Lists the quantities of the lines that bill Security Awareness, by the ID of the agreement. */
export const listQuantities = ({ psa }: BillingContext): Record<number, number | undefined> =>
	Object.fromEntries(psa.records.agreements.map(({ id, lines }) => [id, lines.at(-1)?.quantity]));

/** Enters each customer's company in the customer map, as example 27 does. @param rows values that differ for some customers */
export async function enterPsaIds(
	{ example, customers, getPsaId }: BillingContext,
	rows: Map<Company, CustomerMapRow | undefined> = new Map(),
): Promise<void> {
	const buildRow = (customer: Company): CustomerMapRow => ({
		customerId: customer.companyResourceId,
		customer: getCompanyName(customer),
		psaId: String(getPsaId(customer)),
		...rows.get(customer),
	});
	const isInMap = (customer: Company) => !rows.has(customer) || rows.get(customer) !== undefined;
	await enterCustomerMap(example, customers.filter(isInMap).map(buildRow));
}
