/** Checks of example 17: what is billed in special cases, for one customer. */
import { DateTime } from 'luxon';

import type { Workflow } from '../../real-n8n/client';
import type { Company } from '../../stand-in/seed';
import {
	countLastMonthUsers,
	enterPsaIds,
	findAgreement,
	findAgreementLine,
	formatSummary,
	getCompanyName,
	resetBilling,
	selectPsa,
	type BillingContext,
} from './billing';
import { dropCustomerMap } from './customerMapTable';
import { createRefusedHaloCredential, type PsaName } from './psaAccess';

/** A quantity that no customer has. */
const OTHER_QUANTITY = 99;

/** Resets the PSA and selects it in the workflow. @returns the settings that bill only one customer, whose quantity differs */
async function prepareSingleCustomer(context: BillingContext, psaName: PsaName, customer: Company) {
	const settings = await resetBilling(context, psaName);
	await enterPsaIds(context);
	findAgreementLine(context, customer).quantity = OTHER_QUANTITY;
	return { ...settings, onlyCustomers: getCompanyName(customer) };
}

/** Returns a customer that has users and a name that no other customer's name contains. */
function findCustomer({ customers }: BillingContext): Company {
	const customer = customers.slice(20).find((candidate) => countLastMonthUsers(candidate) > 0);
	if (!customer) throw new Error('There is no customer.');
	return customer;
}

/** Checks the answers to the email, and agreements that may not be billed. */
export async function checkDecisions(context: BillingContext): Promise<void> {
	const { example, psa, mailbox, runBilling } = context;
	const { expectEqual, service } = example;
	const customer = findCustomer(context);
	const name = getCompanyName(customer);
	const settings = await prepareSingleCustomer(context, 'connectwise', customer);
	const users = countLastMonthUsers(customer);
	const agreement = findAgreement(context, customer);
	const line = findAgreementLine(context, customer);

	const declinedResult = await runBilling(settings, false);
	expectEqual(
		'if the changes are declined, nothing is changed',
		[line.quantity, declinedResult.summary, declinedResult.lines],
		[OTHER_QUANTITY, formatSummary(1, 0, 0, 1, 0), [`- ${name}: ${OTHER_QUANTITY} → ${users}, not approved`]],
	);

	mailbox.refuseNextEmails(1);
	const unsentResult = await runBilling(settings);
	expectEqual(
		'if the mail server refuses the email, nothing is changed, and the chat message says so',
		[
			unsentResult.summary,
			unsentResult.lines.at(-1)?.startsWith('The email was not answered, or could not be sent.'),
			line.quantity,
		],
		[formatSummary(1, 0, 0, 1, 0), true, OTHER_QUANTITY],
	);

	const overtakenResult = await runBilling(settings, true, () => {
		line.quantity = 77;
	});
	expectEqual(
		'a quantity that was changed in the PSA after the email was sent is left alone',
		[overtakenResult.lines, overtakenResult.writes],
		[[`- ${name}: ${OTHER_QUANTITY} → ${users}, not changed: the PSA has 77 by now`], []],
	);

	const { id } = agreement;
	agreement.isCancelled = true;
	const cancelledResult = await runBilling(settings);
	agreement.isCancelled = false;
	agreement.endDate = '2020-12-31T00:00:00Z';
	const endedResult = await runBilling(settings);
	agreement.endDate = undefined;
	const psaId = context.getPsaId(customer);
	expectEqual(
		'an agreement that was cancelled or has ended is not billed',
		[cancelledResult.lines, endedResult.lines],
		[[`- ${name}: company ${psaId} has no active agreement`], [`- ${name}: company ${psaId} has no active agreement`]],
	);

	const strangeId = psa.records.agreements.find(({ companyId }) => companyId !== psaId)?.id;
	await enterPsaIds(context, new Map([[customer, { settings: JSON.stringify({ agreement: String(strangeId) }) }]]));
	const strangeResult = await runBilling(settings);
	await enterPsaIds(context);
	expectEqual(
		"another customer's agreement is not billed, although its number is in the customer map",
		[strangeResult.lines, strangeResult.writes],
		[[`- ${name}: company ${psaId} has no active agreement ${strangeId}`], []],
	);

	line.cancelledDate = '2020-12-31T00:00:00Z';
	const withoutLineResult = await runBilling(settings);
	const newLine = { ...line, id: 9902, cancelledDate: undefined };
	agreement.lines.push(newLine);
	await runBilling(settings, true);
	expectEqual(
		'a cancelled addition is ignored: the customer waits, or the addition that replaces it is changed',
		[withoutLineResult.lines, line.quantity, newLine.quantity],
		[[`- ${name}: agreement ${id} Managed Services has no line Security Awareness`], 77, users],
	);

	newLine.quantity = OTHER_QUANTITY;
	service.setOptions({ conditionSupport: 'ignored' });
	const doubtfulResult = await runBilling(settings, false);
	service.setOptions({ conditionSupport: 'understood' });
	expectEqual(
		'if the platform may not support months, the email says so',
		doubtfulResult.emailText.includes('may not know months'),
		true,
	);

	await dropCustomerMap(example);
	const withoutMapResult = await runBilling(settings);
	expectEqual(
		'without the customer map, each customer waits, and no request is sent to the PSA',
		[withoutMapResult.summary, withoutMapResult.lines, psa.requests],
		[
			formatSummary(1, 0, 0, 0, 1),
			[`- ${name}: no psaId in the table Security Awareness Customers: enter it there, or run example 27`],
			[],
		],
	);
}

/** Checks what the chat message says if HaloPSA refuses the secret of the credential, from the start or after the approval. */
export async function checkRefusedTokens(context: BillingContext): Promise<void> {
	const { example, psa, runBilling, getPsaId } = context;
	const customer = findCustomer(context);
	const settings = await prepareSingleCustomer(context, 'halo', customer);
	const line = findAgreementLine(context, customer);
	const refusedCredential = await createRefusedHaloCredential(example.client, psa);
	/** Runs the workflow with the refused credential in these nodes. @returns the last line of the chat message, without the customer */
	const runRefused = async (nodeNames: string[], isApproved?: boolean) => {
		context.changeWorkflow = (workflow) => {
			const { nodes, ...rest } = selectPsa('halo')(workflow);
			const credentials = { oAuth2Api: refusedCredential };
			return { ...rest, nodes: nodes.map((node) => (nodeNames.includes(node.name) ? { ...node, credentials } : node)) };
		};
		const { lines } = await runBilling(settings, isApproved);
		return lines.at(-1)?.slice(getCompanyName(customer).length + 4);
	};
	try {
		const unreadReason = await runRefused(['Find the Agreement', 'Read Its Lines']);
		const notReadAgainReason = await runRefused(['Read It Again'], true);
		const unsentReason = await runRefused(['Change the Agreement', 'Read the Result'], true);
		const failure = '.*Client authentication failed|open the node';
		const expectations: Array<[string | undefined, RegExp]> = [
			[unreadReason, new RegExp(`^company ${getPsaId(customer)} could not be read: .*Client authentication failed`)],
			[notReadAgainReason, new RegExp(`, not changed: (${failure} Read It Again)`)],
			[unsentReason, new RegExp(`, not certain: (${failure} Change the Agreement)`)],
		];
		example.expectNone(
			'HaloPSA: a refused secret is in the chat message, before and after the approval',
			expectations.filter(([reason = '', pattern]) => !pattern.test(reason)).map(([reason]) => reason),
		);
		example.expectEqual('HaloPSA: without a token, nothing is changed', line.quantity, OTHER_QUANTITY);
	} finally {
		await example.client.deleteCredential(refusedCredential);
	}
}

/** Checks the differences that Autotask gets, and from which date on. */
export async function checkAutotaskUnits(context: BillingContext): Promise<void> {
	const { example, psa, runBilling } = context;
	const { expectEqual } = example;
	const customer = findCustomer(context);
	const name = getCompanyName(customer);
	const settings = await prepareSingleCustomer(context, 'autotask', customer);
	const users = countLastMonthUsers(customer);
	const line = findAgreementLine(context, customer);
	const today = DateTime.now().toISODate();
	const firstOfMonth = DateTime.now().startOf('month').toISODate();

	psa.addFault({ status: 500, isOnlyForWrites: true, hasEffect: true });
	const unansweredResult = await runBilling(settings, true);
	const nextResult = await runBilling(settings);
	expectEqual(
		'Autotask: the difference is sent once, from the first of the month on, although its answer was lost',
		[psa.records.adjustments, unansweredResult.lines, nextResult.summary, line.quantity],
		[
			[{ lineId: line.id, effectiveDate: firstOfMonth, unitChange: users - OTHER_QUANTITY }],
			[`- ${name}: ${OTHER_QUANTITY} → ${users}, changed`],
			formatSummary(1, 1, 0, 0, 0),
			users,
		],
	);

	psa.records.adjustments.push({ lineId: line.id, effectiveDate: today, unitChange: 5 });
	line.quantity += 5;
	await runBilling(settings, true);
	await runBilling(settings);
	expectEqual(
		'Autotask: if somebody has changed the units within the month, the difference counts from that day on',
		[psa.records.adjustments.slice(2), line.quantity],
		[[{ lineId: line.id, effectiveDate: today, unitChange: -5 }], users],
	);

	psa.records.adjustments.length = 0;
	const unknownResult = await runBilling({ ...settings, product: 'No such service' });
	expectEqual(
		'Autotask: a product that it does not know is in the chat message',
		[unknownResult.lines, psa.records.adjustments],
		[[`- ${name}: the PSA has no product No such service`], []],
	);
}

/**
 * Checks a PSA that the example doesn't support directly. Users describe such a PSA in the row `other`. Here, that row describes
 * ConnectWise.
 */
export async function checkOtherPsa(context: BillingContext): Promise<void> {
	const { example, runBilling } = context;
	const customer = findCustomer(context);
	const settings = await prepareSingleCustomer(context, 'connectwise', customer);
	context.changeWorkflow = (workflow) => {
		const text = JSON.stringify(workflow).replace('"name":"other"', '"name":"was"');
		return selectPsa('connectwise')(JSON.parse(text.replace('"name":"connectwise"', '"name":"other"')) as Workflow);
	};
	await runBilling({ ...settings, psa: 'other' }, true);
	example.expectEqual(
		'another PSA works with its terms alone',
		findAgreementLine(context, customer).quantity,
		countLastMonthUsers(customer),
	);
}
