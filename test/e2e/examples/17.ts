import { startPsa } from '../../real-n8n/psaSimulator';
import type { Company } from '../../stand-in/seed';
import { OTHER_PROCESS_WAIT, waitUntil } from '../../setup/waitUntil';
import {
	AGREEMENTS_TABLE,
	countLastMonthUsers,
	enterPsaIds,
	findAgreement,
	findAgreementLine,
	formatSummary,
	getCompanyName,
	listQuantities,
	resetBilling,
	type BillingContext,
} from './billing';
import { checkAutotaskUnits, checkDecisions, checkOtherPsa, checkRefusedTokens } from './billingDecisions';
import { dropCustomerMap, type CustomerMapRow } from './customerMapTable';
import { answerApproval, createMailCredential, startMailbox } from './mailbox';
import { createPsaCredentials, PSA_NAMES, type PsaName } from './psaAccess';
import { registerCheck, waitInN8n } from './registerCheck';

const CUSTOMER_COUNT = 50;
/** The PSA has other companies, too. */
const PSA_COMPANY_COUNT = 70;
/** Is at the end of the names of the customers that the check bills. */
const NAME_FRAGMENT = '(bill)';
const SHARED_NAME = `Golden Twin ${NAME_FRAGMENT}`;
/** A run with 50 customers may take minutes until it sends its email. */
const EMAIL_WAIT = { ...OTHER_PROCESS_WAIT, timeoutMs: 300_000 };

registerCheck(17, async (example) => {
	const { client, service } = example;
	const { companies } = service.world;
	const customers = companies.slice(0, CUSTOMER_COUNT);
	for (const [index, customer] of customers.entries())
		customer.companyName = index < 2 ? SHARED_NAME : `${getCompanyName(customer)} ${NAME_FRAGMENT}`;
	const psa = await startPsa(companies.slice(0, PSA_COMPANY_COUNT).map(getCompanyName));
	const mailbox = await startMailbox();
	const deletePsaCredentials = await createPsaCredentials(example, psa);
	const mailCredential = await createMailCredential(client, mailbox);
	const context: BillingContext = {
		example,
		psa,
		mailbox,
		customers,
		getPsaId: (customer) => companies.indexOf(customer) + 1,
		changeWorkflow: (workflow) => workflow,
		runBilling: async (settings, isApproved, beforeAnswer) => {
			const emailCountBefore = mailbox.readEmails().length;
			psa.requests.length = 0;
			const listWrites = () => psa.requests.filter((request) => !request.startsWith('GET'));
			const runPromise = example.runExample({ onlyCustomers: NAME_FRAGMENT, ...settings }, context.changeWorkflow);
			if (isApproved !== undefined) {
				await Promise.race([
					waitUntil('an email', () => mailbox.readEmails().length > emailCountBefore, EMAIL_WAIT),
					runPromise,
				]);
				const email = mailbox.readEmails()[emailCountBefore];
				if (email === undefined) throw new Error(`There is no email: ${example.getChatTexts().at(-1)}`);
				if (listWrites().length > 0) throw new Error('The PSA was changed before the email was answered.');
				beforeAnswer?.();
				// The email may arrive a moment before the execution waits for the answer.
				await waitInN8n('the answer is accepted', async () => (await answerApproval(email, isApproved)) === 200);
			}
			await runPromise;
			const [summary = '', ...lines] = (example.getChatTexts().at(-1) ?? '').trimEnd().split('\n');
			// The mailbox returns each byte as one character, so the text is decoded as UTF-8 here.
			const emailText = Buffer.from(mailbox.readEmails().slice(emailCountBefore).join(''), 'latin1').toString();
			return { emailText, summary, lines, writes: listWrites() };
		},
	};
	try {
		for (const psaName of PSA_NAMES) await checkFiftyCustomers(context, psaName);
		await checkDecisions(context);
		await checkRefusedTokens(context);
		await checkAutotaskUnits(context);
		await checkOtherPsa(context);
	} finally {
		await deletePsaCredentials();
		await client.deleteCredential(mailCredential);
		await dropCustomerMap(example);
		mailbox.close();
		await psa.close();
	}
});

/** Bills 50 customers in one PSA. Two have the same name, one has another name in the PSA, and some have to wait. */
async function checkFiftyCustomers(context: BillingContext, psaName: PsaName): Promise<void> {
	const { example, psa, customers, getPsaId, runBilling } = context;
	const { expectEqual, expectNone, readTableRows } = example;
	const [, , renamedCustomer, unmappedCustomer, unmatchedCustomer, firstSharer, secondSharer] = customers;
	const [severalCustomer, unansweredCustomer, refusedCustomer, limitedCustomer] = customers.slice(7);
	const [customerWithoutFigure, equalCustomer, badSettingsCustomer] = customers.slice(11);
	if (
		!renamedCustomer ||
		!unmappedCustomer ||
		!unmatchedCustomer ||
		!firstSharer ||
		!secondSharer ||
		!severalCustomer ||
		!unansweredCustomer ||
		!refusedCustomer ||
		!limitedCustomer ||
		!customerWithoutFigure ||
		!equalCustomer ||
		!badSettingsCustomer
	)
		throw new Error('There are too few customers.');
	const settings = await resetBilling(context, psaName);
	const secondAgreement = {
		...findAgreement(context, severalCustomer),
		id: 990,
		name: 'Second',
		lines: [{ ...findAgreementLine(context, severalCustomer), id: 9900 }],
	};
	psa.records.agreements.push(secondAgreement);
	Object.assign(psa.records.findCompany(getPsaId(renamedCustomer)) ?? {}, { name: 'Called otherwise' });
	findAgreementLine(context, equalCustomer).quantity = countLastMonthUsers(equalCustomer);
	const { monthlyActiveUserCount } = customerWithoutFigure;
	Object.assign(customerWithoutFigure, { monthlyActiveUserCount: undefined });
	psa.addFault({ status: 429, company: getCompanyName(limitedCustomer) });
	psa.addFault({ status: 429, company: getCompanyName(refusedCustomer), isOnlyForWrites: true });
	psa.addFault({ status: 500, company: getCompanyName(unansweredCustomer), isOnlyForWrites: true, hasEffect: true });
	for (const customer of [refusedCustomer, unansweredCustomer, limitedCustomer])
		findAgreementLine(context, customer).quantity = countLastMonthUsers(customer) + 3;
	await enterPsaIds(
		context,
		new Map<Company, CustomerMapRow | undefined>([
			[unmappedCustomer, undefined],
			[unmatchedCustomer, { psaId: '', why: '2 companies in the PSA have this name' }],
			[secondSharer, { psaId: String(getPsaId(firstSharer)) }],
			[badSettingsCustomer, { settings: '{agreement}' }],
		]),
	);

	const waitingCustomers = [
		unmappedCustomer,
		unmatchedCustomer,
		firstSharer,
		secondSharer,
		severalCustomer,
		limitedCustomer,
		customerWithoutFigure,
		badSettingsCustomer,
	];
	const comparedCustomers = customers.filter((customer) => !waitingCustomers.includes(customer));
	const isDifferent = (customer: Company) =>
		findAgreementLine(context, customer).quantity !== countLastMonthUsers(customer);
	const differentCustomers = comparedCustomers.filter(isDifferent);
	const changedCustomers = differentCustomers.filter((customer) => customer !== refusedCustomer);
	const quantitiesBefore = listQuantities(context);
	/** Returns the quantities that all agreements in the PSA must have after those of these customers were changed. */
	const expectQuantities = (changed: Company[]) => ({
		...quantitiesBefore,
		...Object.fromEntries(
			changed.map((customer) => [findAgreement(context, customer).id, countLastMonthUsers(customer)]),
		),
	});

	const firstResult = await runBilling(settings, true);
	const buildEmailLine = (customer: Company) =>
		`${getCompanyName(customer)}: ${quantitiesBefore[findAgreement(context, customer).id]} → ${countLastMonthUsers(customer)} (`;
	const emailText = firstResult.emailText.replaceAll('&amp;', '&');
	expectNone(
		`${psaName}: the email lists the ${differentCustomers.length} of ${customers.length} customers that differ, with both figures and the agreement`,
		differentCustomers.map(buildEmailLine).filter((line) => !emailText.includes(line)),
	);
	expectEqual(
		`${psaName}: the email lists no other customers`,
		(firstResult.emailText.match(/: \d+ → \d+ \(/g) ?? []).length,
		differentCustomers.length,
	);
	expectEqual(
		`${psaName}: each approved quantity is changed, also for two customers of one name, and no other agreement`,
		listQuantities(context),
		expectQuantities(changedCustomers),
	);
	expectEqual(
		`${psaName}: one request per change, also if its answer is lost`,
		firstResult.writes.length,
		changedCustomers.length,
	);
	expectEqual(
		`${psaName}: the chat message has the figures`,
		firstResult.summary,
		formatSummary(
			customers.length,
			comparedCustomers.length - differentCustomers.length,
			changedCustomers.length,
			0,
			waitingCustomers.length + 1,
		),
	);
	const findReason = (customer: Company) =>
		firstResult.lines
			.filter((line) => line.startsWith(`- ${getCompanyName(customer)}: `))
			.map((line) => line.slice(getCompanyName(customer).length + 4))
			.join();
	const sharedReason = `2 customers have psaId ${getPsaId(firstSharer)} in the customer map: ${[
		firstSharer,
		secondSharer,
	]
		.map((customer) => `${getCompanyName(customer)} (${customer.companyResourceId})`)
		.join(', ')}`;
	const mapReason = 'no psaId in the table Security Awareness Customers';
	const { id: severalId } = findAgreement(context, severalCustomer);
	const severalPsaId = getPsaId(severalCustomer);
	expectEqual(
		`${psaName}: the chat message has the reason for each customer that waits`,
		[
			unmappedCustomer,
			unmatchedCustomer,
			firstSharer,
			secondSharer,
			severalCustomer,
			customerWithoutFigure,
			badSettingsCustomer,
		].map(findReason),
		[
			`${mapReason}: enter it there, or run example 27`,
			`${mapReason} (2 companies in the PSA have this name): enter it there, or run example 27`,
			sharedReason,
			sharedReason,
			psaName === 'halo'
				? `agreement ${severalPsaId} ${getCompanyName(severalCustomer)} has 2 lines Security Awareness, ${severalId}/${2 * severalPsaId}, 990/9900: enter {"line": "number"} into settings in the customer map`
				: `company ${severalPsaId} has 2 active agreements, ${severalId} Managed Services, 990 Second: enter {"agreement": "number"} into settings in the customer map`,
			'the platform gave no figure',
			'settings in the customer map is no JSON',
		],
	);
	expectEqual(
		`${psaName}: what the PSA refuses is in the chat message, too, and a change whose answer was lost counts as changed`,
		[
			/could not be read: .*spacing/.test(findReason(limitedCustomer)),
			/, not changed: .*spacing.*, the PSA has \d+$/.test(findReason(refusedCustomer)),
			findReason(unansweredCustomer).endsWith(', changed'),
		],
		[true, true, true],
	);
	const rows = await readTableRows(AGREEMENTS_TABLE);
	expectEqual(
		`${psaName}: the table has each customer with its agreement, the quantity before the change, or the reason`,
		[
			rows.length,
			rows.filter(({ why }) => why).length,
			rows.filter(({ agreement, quantity }) => agreement && quantity).length,
		],
		[customers.length, waitingCustomers.length, comparedCustomers.length],
	);

	// The user enters what is missing.
	Object.assign(customerWithoutFigure, { monthlyActiveUserCount });
	await enterPsaIds(
		context,
		new Map([
			[
				severalCustomer,
				{
					settings: JSON.stringify(
						psaName === 'halo' ? { line: `${severalId}/${2 * severalPsaId}` } : { agreement: severalId },
					),
				},
			],
		]),
	);
	const newlyChangedCustomers = [...waitingCustomers, refusedCustomer].filter(isDifferent);
	const secondResult = await runBilling(settings, true);
	expectEqual(
		`${psaName}: the next run changes what has waited, and nothing twice`,
		[secondResult.summary, secondResult.writes.length, listQuantities(context)],
		[
			formatSummary(
				customers.length,
				customers.length - newlyChangedCustomers.length,
				newlyChangedCustomers.length,
				0,
				0,
			),
			newlyChangedCustomers.length,
			expectQuantities(customers),
		],
	);
	const thirdResult = await runBilling(settings);
	expectEqual(
		`${psaName}: the third run sends no email and changes nothing, and the chat message says so`,
		[thirdResult.emailText, thirdResult.writes, thirdResult.summary, thirdResult.lines],
		['', [], formatSummary(customers.length, customers.length, 0, 0, 0), []],
	);
}
