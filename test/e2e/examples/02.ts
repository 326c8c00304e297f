import { CUSTOMER_MAP_COLUMNS, CUSTOMER_MAP_NAME } from './customerMapTable';
import { ApiClient } from '../../stand-in/apiClient';
import type { Company } from '../../stand-in/seed';
import { createMailCredential, startMailbox, type Mailbox } from './mailbox';
import { parseBodies, registerCheck, waitInN8n, type ExampleContext } from './registerCheck';
import { saveDocument } from './saveDocument';
import { findStoredTexts } from './textsKeptByN8n';

const SETTINGS = {
	scimUrl: 'https://scim.awareness.example/scim',
	signInUrl: 'https://awareness.example',
	consentUrl: 'https://awareness.example/consent',
	groupName: 'All people',
};
const PEOPLE_FILE =
	'Email,First Name,Last Name,Phone Number\nben@home-7.example,Ben,Bold,+49301234567\nno-address,Cy,Cole,\n';
const TABLE_NAME = 'Security Awareness Onboarding';

/**
 * The requests after which n8n is killed: the platform has carried them out, but n8n hasn't got the responses. Customer 1 is interrupted
 * after the first request, customer 2 after the second one, and so on. The setup of customer 0 isn't interrupted.
 */
const INTERRUPTED_ROUTES = [
	'POST /api/companies',
	'POST /api/system-users',
	'POST /api/allow-list',
	'POST /api/target-groups',
	'POST /api/scim',
	'POST /api/companies/direct-email-settings',
	'POST /api/target-users/{transactionId}/import',
	'POST /api/companies/direct-email-settings/test',
	'POST /api/companies/clients',
];
/** The customers whose forms are submitted again after n8n was killed. The other customers are continued by the schedule. */
const RESUBMITTED_CUSTOMERS = [5, 7];
const IMPORTING_CUSTOMER = 7;

const getName = (index: number) => `Lighthouse Bakery ${index}`;

/** Returns the form values of a customer in the order of the form's fields. The administrator's domain is `home-N.example`. */
function buildForm(index: number): Array<string | Blob> {
	const isImport = index === IMPORTING_CUSTOMER;
	return [
		getName(index),
		'25',
		'Anna',
		'Ash & Oak',
		`anna@home-${index}.example`,
		'+49 30 1234567',
		`shop-${index}.example, HOME-${index}.example`,
		isImport ? 'File' : 'SCIM',
		isImport ? new File([PEOPLE_FILE], 'people.csv', { type: 'text/csv' }) : '',
		`tenant-${index}`,
		`owner@home-${index}.example`,
	];
}

registerCheck(2, async (example) => {
	const mailbox = await startMailbox();
	const smtpCredential = await createMailCredential(example.client, mailbox);
	try {
		await checkOnboarding(example, mailbox);
	} finally {
		await example.client.deleteCredential(smtpCredential);
		mailbox.close();
	}
});

/** Creates the data table that example 27 creates, unless another example has created it. */
async function createCustomerMap({ client }: ExampleContext): Promise<void> {
	if ((await client.listTables()).some(({ name }) => name === CUSTOMER_MAP_NAME)) return;
	await client.createTable(
		CUSTOMER_MAP_NAME,
		CUSTOMER_MAP_COLUMNS.map((name) => ({ name, type: 'string' as const })),
	);
}

async function checkOnboarding(example: ExampleContext, mailbox: Mailbox): Promise<void> {
	const { environment, client, service, inbox, prepareWorkflow, getChatTexts, readTableRows } = example;
	const { expectEqual, expectNone } = example;
	await createCustomerMap(example);
	const workflowId = await client.createWorkflow(await prepareWorkflow(SETTINGS));
	await client.activate(workflowId);

	const submitForm = async (index: number) => {
		const body = new FormData();
		buildForm(index).forEach((value, field) => body.append(`field-${field}`, value));
		await fetch(`${environment.n8n.url}/form/onboard-customer`, { method: 'POST', body });
	};
	const waitForMessage = async (start: () => Promise<unknown>) => {
		const count = getChatTexts().length;
		await start();
		await waitInN8n('a message in the chat', () => getChatTexts().length > count);
	};
	const runSchedule = () => client.startWorkflow(workflowId, 'Every Morning');
	const findCompanies = (index: number) =>
		service.world.companies.filter(({ companyName }) => companyName === getName(index));
	const getPages = (index: number) =>
		mailbox.readEmails().filter((email) => new RegExp(`^To: owner@home-${index}\\.example`, 'm').test(email));

	service.setOptions({ areTxtRecordsInDns: false });
	const startedAt = Date.now();
	const requestCountBefore = service.getRequests().length;
	await waitForMessage(() => submitForm(0));
	console.log(
		`    one customer: ${service.getRequests().length - requestCountBefore} requests, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
	);
	expectEqual(
		'a customer without an interruption is set up except for a domain that the customer must prove',
		(getChatTexts().at(-1) ?? '').split('\n').slice(0, 2).map(hideRecord),
		[
			'Onboarding of Lighthouse Bakery 0: 9 of 10 steps are done.',
			'- domain shop-0.example: add this TXT record to the DNS: …',
		],
	);

	for (const [index, route] of INTERRUPTED_ROUTES.entries()) {
		const count = service.getRequests(route).length;
		service.addFault({ route, kind: 'slow' });
		await submitForm(index + 1);
		await waitInN8n(`a request to ${route}`, () => service.getRequests(route).length > count);
	}
	await environment.n8n.restart(undefined, 0);
	for (const index of RESUBMITTED_CUSTOMERS) await waitForMessage(() => submitForm(index));
	await waitForMessage(runSchedule);

	const numbers = [0, ...INTERRUPTED_ROUTES.map((_route, index) => index + 1)];
	expectEqual(
		'n8n was killed after each step of another customer; when it has continued, each customer has each thing once',
		numbers.map((index) => findCompanies(index).map((company) => describeCustomer(example, company))),
		numbers.map((index) => [describeExpected(index)]),
	);
	const secrets = parseBodies(inbox.getRequests('vaultUrl'));
	const faults: string[] = [];
	for (const index of numbers) {
		const [company] = findCompanies(index);
		const { scimIntegrations, clients } = service.world.getCompanyData(company?.companyResourceId ?? '');
		const findSecret = (step: string) => secrets.filter(({ name }) => name === `${getName(index)}: ${step}`).at(-1);
		const token = scimIntegrations.find(({ name }) => name === 'Entra ID')?.token;
		if (findSecret('SCIM')?.secret !== token) faults.push(`${getName(index)}: the vault has no valid SCIM token`);
		const secret = findSecret('API client');
		const credentials = { clientId: String(secret?.clientId), clientSecret: String(secret?.secret), role: '' };
		const { status } = await new ApiClient(service, credentials).requestToken();
		if (status !== 200 || clients.at(-1)?.clientId !== secret?.clientId)
			faults.push(`${getName(index)}: the vault has no valid client secret`);
	}
	expectNone('the newest token and client secret of each customer in the vault are valid', faults);

	const rows = await readTableRows(TABLE_NAME);
	const openRows = rows.filter(({ state }) => state !== 'done').map(({ customer, step }) => [customer, step]);
	expectEqual(
		'open are the domains that the customers must prove, and the test email of which nobody knows if it was sent',
		openRows.map(String).sort(),
		[...numbers.map((index) => `${getName(index)},domain shop-${index}.example`), `${getName(8)},test email`].sort(),
	);
	const pagesWithoutRecord = numbers.filter((index) => {
		const row = rows.find(({ step }) => step === `domain shop-${index}.example`);
		const page = getPages(index).at(-1) ?? '';
		return !page.includes(String(row?.value)) || !page.includes(`You: add the TXT record of shop-${index}.example`);
	});
	expectNone('the newest welcome page of each customer has the TXT record and the open point', pagesWithoutRecord);
	const page = getPages(0).at(-1) ?? '';
	await saveDocument('welcome.html', page.slice(page.indexOf('<!DOCTYPE')));
	expectNone(
		'the page has the SCIM address, the delivery domains, the tenant, and the address to sign in',
		[
			SETTINGS.scimUrl,
			SETTINGS.consentUrl,
			'phishing-links.example',
			'tenant-0',
			'Ash &amp; Oak',
			'anna@home-0.example',
		].filter((text) => !page.includes(text)),
	);
	expectEqual('the customer map has a row for each customer', await listMappedCustomers(example), numbers.map(getName));

	service.setOptions({ areTxtRecordsInDns: true });
	const pageCount = mailbox.readEmails().length;
	service.clearLog();
	await waitForMessage(runSchedule);
	const requests = service.getRequests().filter(({ route }) => route !== 'POST /connect/token');
	expectEqual('a run in the morning sends five requests for each customer with a waiting domain', requests.length, 50);
	expectEqual(
		'when the TXT records are in DNS, everything is done, and each customer gets one last page',
		[
			(getChatTexts().at(-1) ?? '').split('\n').filter((line) => line.endsWith('everything is done.')).length,
			mailbox.readEmails().length - pageCount,
			getPages(0).at(-1)?.includes('None. Everything on our side is done.'),
			getPages(8).at(-1)?.includes('please tell us'),
		],
		[9, 10, true, true],
	);

	service.clearLog();
	const emailCount = mailbox.readEmails().length;
	await waitForMessage(() => submitForm(0));
	const writes = service
		.getRequests()
		.filter(({ route }) => !route.includes('/search') && route !== 'POST /connect/token');
	expectEqual(
		'a form that is submitted again changes nothing and sends no page',
		[writes.map(({ route }) => route), mailbox.readEmails().length - emailCount],
		[[], 0],
	);

	await checkRefusals(example, submitForm, waitForMessage);
	const keptSecrets = secrets.map(({ secret }) => String(secret));
	const keptTexts = await findStoredTexts(environment.n8n, [...keptSecrets, 'Onboard a Customer']);
	// n8n has stored the workflow's title. If the search finds it, the search covers the right places.
	expectEqual('n8n stores no secret in its log, its database or its folder', keptTexts, ['Onboard a Customer']);
	const sentTexts = [...getChatTexts(), ...mailbox.readEmails()].join('\n');
	expectNone(
		'no message, page or table contains a secret',
		keptSecrets.filter((secret) => sentTexts.includes(secret)),
	);
	expectNone('n8n stores no execution', await client.readExecutions(workflowId));
	await client.deactivate(workflowId);
}

/** Checks that a customer who was there before isn't changed, and that a refused step and a refused secret are reported and done later. */
async function checkRefusals(
	{ service, inbox, getChatTexts, expectEqual, expectNone }: ExampleContext,
	submitForm: (index: number) => Promise<void>,
	waitForMessage: (start: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
	const [company] = service.world.companies;
	if (!company) throw new Error('There are no companies.');
	const companyCount = service.world.companies.length;
	const previousName = company.companyName;
	company.companyName = getName(20);
	await waitForMessage(() => submitForm(20));
	company.companyName = previousName;
	expectEqual(
		'a customer with a name that was there before is not changed',
		[
			service.world.companies.length - companyCount,
			service.world.getCompanyData(company.companyResourceId).systemUsers.length,
			(getChatTexts().at(-1) ?? '').includes('was there before the form was submitted'),
		],
		[0, 0, true],
	);
	service.addFault({ kind: 'status-500', route: 'POST /api/companies/direct-email-settings' });
	inbox.refuseRequests('vaultUrl', 5);
	await waitForMessage(() => submitForm(21));
	expectNone(
		'the message has the step that failed, the secret that the vault refused, and what waits for it',
		['- direct email: Create Direct Email Setting', '- SCIM: Hand Over', '- test email: not begun yet'].filter(
			(text) => !(getChatTexts().at(-1) ?? '').includes(text),
		),
	);
	await waitForMessage(() => submitForm(21));
	const newCompany = service.world.companies.find(({ companyName }) => companyName === getName(21));
	const { scimIntegrations, emailSettings } = service.world.getCompanyData(newCompany?.companyResourceId ?? '');
	expectEqual(
		'the next run renews the token and does the other two',
		[scimIntegrations.at(-1)?.token, emailSettings.map(({ sentTestCount }) => sentTestCount)],
		[
			parseBodies(inbox.getRequests('vaultUrl'))
				.filter(({ name }) => name === `${getName(21)}: SCIM`)
				.at(-1)?.secret,
			[1],
		],
	);
}

const hideRecord = (line: string) => line.replace(/domain-verification=.*/, '…');

/** Describes what a customer has on the platform. */
function describeCustomer({ service }: ExampleContext, { companyResourceId, numberOfUsers }: Company) {
	const data = service.world.getCompanyData(companyResourceId);
	return {
		users: numberOfUsers,
		administrators: data.systemUsers.map(({ email }) => email),
		domains: data.allowedDomains.map(({ domain }) => domain).sort(),
		groups: data.targetGroups.filter(({ name }) => name === SETTINGS.groupName).length,
		integrations: data.scimIntegrations.filter(({ name }) => name === 'Entra ID').length,
		people: data.users.map(({ email }) => email),
		emailSettings: data.emailSettings.map((setting) => [
			setting.tenantId,
			setting.allowedDomains,
			setting.sentTestCount,
		]),
		clients: data.clients.filter(({ name }) => name === 'n8n').length,
	};
}

function describeExpected(index: number): ReturnType<typeof describeCustomer> {
	const isImport = index === IMPORTING_CUSTOMER;
	const domains = [`home-${index}.example`, `shop-${index}.example`];
	return {
		users: '25',
		administrators: [`anna@home-${index}.example`],
		domains,
		groups: 1,
		integrations: isImport ? 0 : 1,
		people: isImport ? ['ben@home-7.example'] : [],
		emailSettings: [[`tenant-${index}`, domains, 1]],
		clients: 1,
	};
}

async function listMappedCustomers({ readTableRows }: ExampleContext): Promise<string[]> {
	const rows = await readTableRows(CUSTOMER_MAP_NAME);
	const ownRows = rows.filter(({ contact }) => /^anna@home-\d\.example$/.test(String(contact)));
	return ownRows.map(({ customer }) => String(customer)).sort();
}
