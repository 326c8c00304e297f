import type { Workflow } from '../../real-n8n/client';
import { PSA_KEYS, startPsa } from '../../real-n8n/psa';
import type { Company } from '../../stand-in/seed';
import {
	checkAgreements,
	checkNumbers,
	findAgreementLine,
	getName,
	NAMESAKE,
	formatSummary,
	AGREEMENTS_TABLE,
	countMonthlyUsers,
	type BillingContext,
} from './billing';
import { registerCheck, sortForComparison, waitInN8n } from './check';
import { answerApproval, startMailbox } from './mailbox';

/** In the names of more than forty customers. */
const NAME_PART = 'Partners';
const CREDENTIAL = 'PSA account';
/** The nodes that ask the PSA. */
const PSA_NODES = ['Find the Agreement', 'Read Its Lines', 'Change the Agreement'];
registerCheck(17, async (scene) => {
	const { client, service } = scene;
	const psa = await startPsa(service.world.companies.map(getName));
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
	const context: BillingContext = {
		example: scene,
		psa,
		mailbox,
		changeWorkflow: (workflow) => workflow,
		runBilling: async (settings, approved) => {
			const before = mailbox.readEmails().length;
			const running = scene.runExample(settings, context.changeWorkflow);
			if (approved !== undefined) {
				await Promise.race([waitInN8n('a mail', () => mailbox.readEmails().length > before), running]);
				const mail = mailbox.readEmails()[before];
				if (mail === undefined) throw new Error(`There is no mail: ${scene.getChatTexts().at(-1)}`);
				const writes = psa.requests.filter((request) => !request.startsWith('GET')).length;
				scene.expectEqual('before the mail is answered nothing is changed', writes, 0);
				// A mail may be there a moment before the execution waits for its answer.
				await waitInN8n('the answer is taken', async () => (await answerApproval(mail, approved)) === 200);
			}
			await running;
			const text = (scene.getChatTexts().at(-1) ?? '').trimEnd().split('\n');
			// The mailbox resolves bytes, not letters.
			return { mail: Buffer.from(mailbox.readEmails().slice(before).join(''), 'latin1').toString(), text };
		},
	};
	try {
		await checkConnectWise(context);
		await checkHalo(context);
		await checkOtherPsa(context);
	} finally {
		for (const credential of credentials) await client.deleteCredential(credential);
		mailbox.close();
		await psa.close();
	}
});

async function checkConnectWise(context: BillingContext): Promise<void> {
	const { example, psa, mailbox, runBilling } = context;
	const { service, readTableRows, dropTable, expectEqual, expectNone } = example;
	const settings = { psa: 'connectwise', psaUrl: `${psa.url}/connectwise`, clientId: PSA_KEYS.clientId };
	const some = { ...settings, onlyCustomers: NAME_PART };
	const customers = service.world.companies.filter((each) => getName(each).includes(NAME_PART));
	const [busy, refused, renamed, unknown, equal] = customers;
	if (!busy || !refused || !renamed || !unknown || !equal) throw new Error('There are too few customers.');
	const names = customers.map(getName);
	findAgreementLine(psa, getName(equal)).quantity = countMonthlyUsers(equal);
	const otherCompany = psa.books.companies.find(({ name }) => name === getName(renamed));
	if (otherCompany) otherCompany.name = 'Called otherwise';
	Object.assign(unknown, { monthlyActiveUserCount: undefined });
	psa.addFault({ status: 429, company: getName(busy), times: 2 });
	psa.addFault({ status: 401, company: getName(refused), writes: true });

	const differ = customers.filter(
		(each) =>
			![busy, renamed, unknown].includes(each) &&
			countMonthlyUsers(each) !== findAgreementLine(psa, getName(each)).quantity,
	);
	const alike = customers.length - differ.length - 3;
	const first = await runBilling(some, true);
	expectNone(
		`${customers.length} customers: the mail shows the ${differ.length} that differ, with both figures`,
		differ.filter(
			(each) => !first.mail.includes(`${getName(each)}: 10 → ${countMonthlyUsers(each)}`.replace('&', '&amp;')),
		),
	);
	expectEqual('and no other', (first.mail.match(/: 10 → \d+/g) ?? []).length, differ.length);
	const listWrongQuantities = (list: Company[]) =>
		list.filter((each) => findAgreementLine(psa, getName(each)).quantity !== countMonthlyUsers(each)).map(getName);
	expectEqual('approved: the agreements have these quantities, but for the one refused', listWrongQuantities(differ), [
		getName(refused),
	]);
	expectEqual(
		'something else in them is as it was',
		psa.books.agreements.filter(({ lines }) => lines[0]?.quantity !== 3),
		[],
	);
	const [says1 = '', ...lines] = first.text;
	expectEqual('the message has the figures', says1, formatSummary(customers.length, alike, differ.length - 1, 0, 4));
	const findLines = (name: string) => lines.filter((each) => each.startsWith(`- ${name}: `));
	expectEqual(
		'and a line with the reason for each that waits: the PSA, its key, an unknown name, no figure',
		[
			findLines(getName(busy)).filter((each) => each.includes('spacing')).length,
			findLines(getName(refused)).filter((each) => each.includes('not changed: 401')).length,
			findLines(getName(renamed)),
			findLines(getName(unknown)),
		],
		[
			1,
			1,
			[`- ${getName(renamed)}: the PSA has 0 of this name`],
			[`- ${getName(unknown)}: the platform gave no figure`],
		],
	);
	const rows = (await readTableRows(AGREEMENTS_TABLE)).filter(({ agreement }) => agreement);
	const numbers = new Map(
		psa.books.agreements.map(({ id, companyId }) => [psa.books.findCompany(companyId)?.name, id]),
	);
	expectEqual(
		'the table has the agreement of each customer by its name',
		sortForComparison(rows.map(({ customer, agreement }) => `${String(customer)} ${String(agreement)}`)),
		sortForComparison(
			names.filter((name) => ![getName(busy), getName(renamed)].includes(name)).map((n) => `${n} ${numbers.get(n)}`),
		),
	);

	psa.requests.length = 0;
	const left = [refused, busy].filter(
		(each) => countMonthlyUsers(each) !== findAgreementLine(psa, getName(each)).quantity,
	).length;
	const second = await runBilling(some, true);
	const writes = psa.requests.filter((request) => request.startsWith('PATCH')).length;
	expectEqual(
		'the next run changes only those',
		[writes, listWrongQuantities([...differ, busy]), second.text[0]],
		[left, [], formatSummary(customers.length, customers.length - 2 - left, left, 0, 2)],
	);
	psa.requests.length = 0;
	const third = await runBilling(some);
	expectEqual(
		'the third one sends no mail and changes nothing, and says so',
		[third.mail, psa.requests.filter((request) => !request.startsWith('GET')), third.text[0], third.text.length],
		['', [], formatSummary(customers.length, customers.length - 2, 0, 0, 2), 3],
	);

	const one = { ...settings, onlyCustomers: getName(equal) };
	findAgreementLine(psa, getName(equal)).quantity = 99;
	psa.requests.length = 0;
	const declined = await runBilling(one, false);
	expectEqual(
		'declined: nothing is changed',
		[findAgreementLine(psa, getName(equal)).quantity, declined.text],
		[99, [formatSummary(1, 0, 0, 1, 0), `- ${getName(equal)}: 99 → ${countMonthlyUsers(equal)}, not approved`]],
	);

	mailbox.refuseNextEmails(1);
	const unsent = await runBilling(one);
	expectEqual(
		'the mail server refuses: nothing is changed, and the message says so',
		[
			unsent.text[0],
			unsent.text.at(-1)?.startsWith('The mail was not answered, or could not be sent.'),
			findAgreementLine(psa, getName(equal)).quantity,
		],
		[formatSummary(1, 0, 0, 1, 0), true, 99],
	);

	await checkAgreements(context, settings, equal);
	await checkNumbers(context, settings, renamed);
	psa.books.companies = psa.books.companies.filter(
		({ name }, at, all) => name !== NAMESAKE || all.findIndex((each) => each.name === name) === at,
	);
	await dropTable(AGREEMENTS_TABLE);
	const both = await runBilling({ ...settings, onlyCustomers: NAMESAKE });
	expectEqual(
		'one in the PSA and two customers: neither',
		both.text.slice(1),
		Array.from({ length: 2 }, () => `- ${NAMESAKE}: 2 customers have this name`),
	);

	service.setOptions({ conditionSupport: 'ignored' });
	findAgreementLine(psa, getName(equal)).quantity = 99;
	psa.requests.length = 0;
	const doubtful = await runBilling(one, false);
	service.setOptions({ conditionSupport: 'understood' });
	expectEqual(
		'a platform that may know no months: the mail says so',
		doubtful.mail.includes('may not know months'),
		true,
	);
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

async function checkHalo(context: BillingContext): Promise<void> {
	const { example, psa, runBilling } = context;
	const { service, expectEqual } = example;
	const customer = service.world.companies.find(
		(each) => getName(each).includes('Bakery') && countMonthlyUsers(each) > 0,
	);
	if (!customer) throw new Error('There is no customer.');
	const settings = { psa: 'halo', psaUrl: `${psa.url}/halo/api`, onlyCustomers: getName(customer) };
	context.changeWorkflow = withOAuth2;
	psa.reset();
	await example.dropTable(AGREEMENTS_TABLE);
	psa.addFault({ status: 429, writes: true });
	const first = await runBilling(settings, true);
	expectEqual(
		'HaloPSA: one is refused',
		[findAgreementLine(psa, getName(customer)).quantity, first.text[1]?.includes('not changed')],
		[10, true],
	);
	await runBilling(settings, true);
	expectEqual(
		'and comes with the next run',
		findAgreementLine(psa, getName(customer)).quantity,
		countMonthlyUsers(customer),
	);
	psa.requests.length = 0;
	const third = await runBilling(settings);
	expectEqual(
		'known by its number then',
		[third.text, psa.requests.some((each) => /Client\/\d+$/.test(each))],
		[[formatSummary(1, 1, 0, 0, 0)], true],
	);
}

/** A third PSA: its words in the row `other`, here those of the first. */
async function checkOtherPsa(context: BillingContext): Promise<void> {
	const { example, psa, runBilling } = context;
	const [customer] = example.service.world.companies.filter((each) => getName(each).includes(NAME_PART));
	if (!customer) throw new Error('There is no customer.');
	psa.reset();
	await example.dropTable(AGREEMENTS_TABLE);
	context.changeWorkflow = (workflow) => {
		const text = JSON.stringify(workflow).replace('"name":"other"', '"name":"was"');
		return JSON.parse(text.replace('"name":"connectwise"', '"name":"other"')) as Workflow;
	};
	const settings = { psa: 'other', psaUrl: `${psa.url}/connectwise`, clientId: PSA_KEYS.clientId };
	await runBilling({ ...settings, onlyCustomers: getName(customer) }, true);
	example.expectEqual(
		'a third one by its words alone',
		findAgreementLine(psa, getName(customer)).quantity,
		countMonthlyUsers(customer),
	);
}
