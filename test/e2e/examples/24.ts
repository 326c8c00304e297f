import type { ExampleSettings } from '../../real-n8n/examples';
import { ApiClient, buildPageBody } from '../../stand-in/apiClient';
import type { Company } from '../../stand-in/seed';
import { isManaged, parseResults } from './customers';
import { createMailCredential, startMailbox, type Mailbox } from './mailbox';
import { formatDay } from './readDay';
import { registerCheck, sortForComparison, type ExampleContext } from './registerCheck';
import { saveDocument } from './saveDocument';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
const TABLE_NAME = 'Security Awareness Managers';
const COLUMNS = ['person', 'customer', 'email', 'manager', 'readAt', 'digest', 'why'];
const TESTER = 'tester@example.com';
const FALLBACK_MANAGER = 'fallback@example.com';
const USERS_ROUTE = 'POST /api/training-reports/{enrollmentId}/users/search';
const JOBS_ROUTE = 'POST /api/phishing-simulator/phishing-campaign-job-report';
const PERSON_ROUTE = 'GET /api/target-users/{resourceId}';
/** A name that tries to inject HTML and an n8n expression. The email must show it as text. */
const MALICIOUS_NAME = `<img src=x onerror=alert(1)> {{ 6 * 7 }} "&amp;'`;
const DAY_MS = 86_400_000;

const getIsoTimeInDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** A line of a digest: what a person has not finished in time, or where a person clicked. */
interface DigestLine {
	customerId: string;
	email: string;
	text: string;
}

registerCheck(24, async (example) => {
	const mailbox = await startMailbox();
	const credential = await createMailCredential(example.client, mailbox);
	try {
		await checkDigests(example, mailbox);
	} finally {
		await example.client.deleteCredential(credential);
		mailbox.close();
	}
});

/** Lets trainings of each customer be overdue since yesterday. One simulation was sent last week, and one before that. */
function prepareRecords({ service: { world } }: ExampleContext, customers: Company[]): void {
	for (const { companyResourceId } of customers) {
		const companyData = world.getCompanyData(companyResourceId);
		for (const [index, enrollment] of companyData.enrollments.entries())
			Object.assign(enrollment, { startDate: getIsoTimeInDays(-20), dueDate: getIsoTimeInDays(index === 0 ? 5 : -1) });
		const [newCampaign, oldCampaign] = companyData.getCampaigns('phishing');
		if (newCampaign) newCampaign.createTime = getIsoTimeInDays(-4);
		if (oldCampaign) oldCampaign.createTime = getIsoTimeInDays(-20);
	}
	const [firstEnrollment] = world
		.getCompanyData(customers[0]?.companyResourceId ?? '')
		.enrollments.filter(({ dueDate }) => Date.parse(dueDate ?? '') < Date.now());
	if (firstEnrollment) firstEnrollment.name = MALICIOUS_NAME;
}

/** Fetches what digests must contain from the service's API, except who has left. */
async function fetchLines({ service }: ExampleContext, customers: Company[]): Promise<DigestLine[]> {
	const lines: DigestLine[] = [];
	const signedInApi = await new ApiClient(service, service.clients.reseller).signIn();
	for (const { companyResourceId: customerId } of customers) {
		const api = signedInApi.scopeToCompany(customerId);
		const companyData = service.world.getCompanyData(customerId);
		for (const { resourceId, name, dueDate, type, markedAsTest } of companyData.enrollments) {
			if (markedAsTest || Date.parse(dueDate ?? '') > Date.now()) continue;
			const surveyParameters = type === 'Survey' ? { trainingType: 0 } : {};
			const body = buildPageBody({ pageSize: 1000, orderBy: 'Email', ...surveyParameters });
			const response = await api.send(USERS_ROUTE.replace('{enrollmentId}', resourceId), body);
			for (const { email, status } of parseResults(response.data))
				if (status !== 'Completed')
					lines.push({ customerId, email: String(email).toLowerCase(), text: `${name}, due ${formatDay(dueDate)}` });
		}
		const [campaign] = companyData.getCampaigns('phishing');
		for (const instanceGroup of campaign?.excludeFromReports ? [] : (campaign?.instanceGroups ?? [])) {
			const body = buildPageBody({ pageSize: 1000, orderBy: 'Email', activityType: 0 });
			const path = `${JOBS_ROUTE}/Clicked/search/${campaign?.resourceId ?? ''}/${instanceGroup}`;
			for (const row of parseResults((await api.send(path, body)).data)) {
				const day = formatDay(String(row.lastClickedTime));
				const suffix = Number(row.submittedCount) > 0 ? ', entered data' : '';
				const text = `${campaign?.name ?? ''}, clicked ${day}${suffix}`;
				lines.push({ customerId, email: String(row.email).toLowerCase(), text });
			}
		}
	}
	return lines;
}

/** Parses an email with a digest. @returns the recipient, the lines of the text, and the HTML */
function parseDigest(email: string) {
	const decode = (part: string) => {
		const [head = '', ...paragraphs] = part.split('\r\n\r\n');
		const content = paragraphs.join('\r\n\r\n');
		const isBase64 = /Content-Transfer-Encoding: base64/i.test(head);
		return Buffer.from(content, isBase64 ? 'base64' : 'latin1').toString();
	};
	const parts = email.split(/\r\n--[^\r\n]+(?:\r\n|$)/);
	const findPart = (type: string) => decode(parts.find((part) => part.startsWith(`Content-Type: ${type}`)) ?? '');
	const text = findPart('text/plain').replaceAll('\r\n', '\n');
	return {
		to: /^To: (.*)$/m.exec(email)?.[1]?.trim() ?? '',
		title: text.split('\n')[0] ?? '',
		lines: text.split('\n').filter((line) => line.startsWith('- ')),
		html: findPart('text/html'),
	};
}

/** Writes digests in a form that can be compared: the recipient, the customer, and the lines without the names of people. */
const summarizeDigests = (mailbox: Mailbox, skipCount = 0) =>
	sortForComparison(
		mailbox
			.readEmails()
			.slice(skipCount)
			.map(parseDigest)
			.map(({ to, title, lines }) => [
				to,
				/ at (.*), week \d+$/.exec(title)?.[1],
				sortForComparison(lines.map((line) => line.replace(/^- .*? \((\S+?)(, no manager entered)?\): /, '$1: '))),
			]),
	);

async function checkDigests(example: ExampleContext, mailbox: Mailbox): Promise<void> {
	const { service, runExample, readTableRows, getChatTexts, refuseCompany, expectEqual, expectNone } = example;
	const { world } = service;
	const customers = world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	prepareRecords(example, customers);
	const allLines = await fetchLines(example, customers);
	const [firstCustomer, unreadableCustomer, customerWithHiddenPeople] = customers.filter(({ companyResourceId }) =>
		allLines.some(({ customerId }) => customerId === companyResourceId),
	);
	if (!firstCustomer || !unreadableCustomer || !customerWithHiddenPeople)
		throw new Error('There are too few customers with something to report.');

	// Everybody has one of two managers or none, and the person of the first line has left.
	const managersByPerson = new Map<string, string>();
	for (const { companyResourceId } of customers)
		for (const [index, { resourceId, email }] of world.getCompanyData(companyResourceId).users.entries()) {
			const managerEmail = [`Boss-A@${companyResourceId}.example`, `boss-b@${companyResourceId}.example`, null][
				index % 3
			];
			world.addNote(resourceId, { managerEmail });
			managersByPerson.set(`${companyResourceId} ${email.toLowerCase()}`, (managerEmail ?? '').toLowerCase());
		}
	const leaver = allLines.find(({ customerId }) => customerId === firstCustomer.companyResourceId);
	const firstUsers = world.getCompanyData(firstCustomer.companyResourceId).users;
	firstUsers.splice(
		firstUsers.findIndex(({ email }) => email.toLowerCase() === leaver?.email),
		1,
	);
	const isLeaver = (line: DigestLine) => line.customerId === leaver?.customerId && line.email === leaver.email;
	const lines = (await fetchLines(example, customers)).filter((line) => !isLeaver(line));

	/** Returns the digests of customers in the form of `summarizeDigests`. @param fallback gets the people without a manager */
	const buildExpectedDigests = (companies: Company[], fallback = '') => {
		const digests = new Map<string, { to: string; customer: string | null; lines: string[] }>();
		for (const { customerId, email, text } of lines) {
			const company = companies.find(({ companyResourceId }) => companyResourceId === customerId);
			const to = managersByPerson.get(`${customerId} ${email}`) || fallback;
			if (!company || to === '') continue;
			const digest = digests.get(`${customerId} ${to}`) ?? { to, customer: company.companyName, lines: [] };
			digest.lines.push(`${email}: ${text}`);
			digests.set(`${customerId} ${to}`, digest);
		}
		return sortForComparison(
			[...digests.values()].map((digest) => [digest.to, digest.customer, sortForComparison(digest.lines)]),
		);
	};
	const countPeople = (isSelected: (line: DigestLine) => boolean) =>
		new Set(lines.filter(isSelected).map(({ customerId, email }) => `${customerId} ${email}`)).size;
	const getLastLines = () => getChatTexts().at(-1)?.trim().split('\n') ?? [];
	const settings: ExampleSettings = { onlyCustomers: NAME_FRAGMENT, testAddress: '' };

	await runExample({ ...settings, testAddress: TESTER, onlyCustomers: firstCustomer.companyName ?? '' });
	const testDigests = mailbox.readEmails().map(parseDigest);
	expectEqual(
		'with a testAddress, all digests go there, and none is remembered as sent',
		[
			testDigests.length > 0 && testDigests.every(({ to }) => to === TESTER),
			(await readTableRows(TABLE_NAME)).filter(({ digest }) => digest),
			getLastLines()[0]?.includes(`, a test: ${testDigests.length} sent, 0 wait`),
		],
		[true, [], true],
	);
	const html = testDigests.map((digest) => digest.html).find((text) => text.includes('onerror'));
	expectEqual(
		'a name with HTML is shown as text',
		[html?.includes('<img'), html?.includes('&#60;img src&#61;x'), html?.includes('&#123;&#123; 6 &#42; 7')],
		[false, true, true],
	);

	await example.dropTable(TABLE_NAME);
	refuseCompany(unreadableCustomer, 'POST /api/enrollments/search');
	refuseCompany(customerWithHiddenPeople, PERSON_ROUTE);
	const refusedAddress = `boss-a@${firstCustomer.companyResourceId}.example`.toLowerCase();
	mailbox.refuseAddresses(refusedAddress);
	service.clearLog();
	let sentCount = mailbox.readEmails().length;
	await runExample(settings);
	const readableCustomers = customers.filter(
		(company) => company !== unreadableCustomer && company !== customerWithHiddenPeople,
	);
	const isRefused = ([to]: unknown[]) => to === refusedAddress;
	const expectedDigests = buildExpectedDigests(readableCustomers);
	expectEqual(
		`${readableCustomers.length} customers: ${expectedDigests.length} managers get one digest each, with all of their own team`,
		summarizeDigests(mailbox, sentCount),
		expectedDigests.filter((digest) => !isRefused(digest)),
	);
	const longestDigest = mailbox
		.readEmails()
		.slice(sentCount)
		.map(parseDigest)
		.sort((first, second) => second.lines.length - first.lines.length)[0];
	await saveDocument('24-digest.html', longestDigest?.html ?? '');
	const personRequests = service.getRequests(PERSON_ROUTE).length;
	const searchRequests = service.getRequests('POST /api/target-users/search').length;
	const requests = service.getRequests().length;
	expectEqual(
		`the first run reads each person with something to report once: ${requests} requests, ${personRequests} of them for persons, ${searchRequests} searches for persons`,
		personRequests,
		countPeople(({ customerId }) => customerId !== unreadableCustomer.companyResourceId) +
			countPeople(
				({ customerId, text }) => customerId === unreadableCustomer.companyResourceId && text.includes(', clicked '),
			),
	);
	const [summaryLine, ...summaryLines] = getLastLines();
	expectEqual(
		'the chat message has the figures',
		summaryLine?.replace(/\d{4}-W\d\d/, 'week'),
		`Manager digest week: ${expectedDigests.length - 1} sent, 1 wait for the next run.`,
	);
	const hasLine = (...words: string[]) => summaryLines.some((line) => words.every((word) => line.includes(word)));
	expectEqual(
		'the chat message has the refused email, both customers, and the people without a manager',
		[
			hasLine(firstCustomer.companyName ?? '', refusedAddress, '550'),
			hasLine(unreadableCustomer.companyName ?? '', 'could not be read', '403'),
			hasLine(customerWithHiddenPeople.companyName ?? '', 'could not be read', '403'),
			hasLine('People without a manager, left out: '),
			hasLine('People who have left or whose manager could not be read, left out: '),
		],
		[true, true, true, true, true],
	);

	mailbox.refuseAddresses();
	service.clearFaults();
	service.clearLog();
	sentCount = mailbox.readEmails().length;
	await runExample(settings);
	expectEqual(
		'the second run sends what waited, and no digest twice',
		summarizeDigests(mailbox, sentCount),
		sortForComparison([
			...expectedDigests.filter(isRefused),
			...buildExpectedDigests([unreadableCustomer, customerWithHiddenPeople]),
		]),
	);
	const isOfFailedCustomer = ({ customerId }: DigestLine) =>
		[unreadableCustomer, customerWithHiddenPeople].some((company) => company.companyResourceId === customerId);
	expectEqual(
		'the second run only reads people who are not remembered',
		service.getRequests(PERSON_ROUTE).length <= countPeople(isOfFailedCustomer),
		true,
	);

	service.clearLog();
	sentCount = mailbox.readEmails().length;
	await runExample(settings);
	const allDigests = buildExpectedDigests(customers);
	expectEqual(
		'the third run sends nothing, reads no person, and the chat message says what was sent before',
		[summarizeDigests(mailbox, sentCount), service.getRequests(PERSON_ROUTE), getLastLines()[0]?.replace(/^.*?: /, '')],
		[[], [], `0 sent, 0 wait for the next run, ${allDigests.length} sent earlier this week.`],
	);

	await runExample({ ...settings, onlyCustomers: 'No Such Customer' });
	expectEqual('if no customer matches onlyCustomers, the chat message says so', getLastLines(), [
		getLastLines()[0]?.replace(/: .*/, ': 0 sent, 0 wait for the next run.'),
		'- Nothing was found at customers with "No Such Customer" in their name. Check onlyCustomers.',
	]);

	await runExample({ ...settings, fallbackManager: FALLBACK_MANAGER.toUpperCase() });
	expectEqual(
		'a fallbackManager gets one digest for each customer, with the people without a manager',
		summarizeDigests(mailbox, sentCount),
		buildExpectedDigests(customers, FALLBACK_MANAGER).filter(([to]) => to === FALLBACK_MANAGER),
	);
	await checkNextMonth(example, mailbox, firstCustomer, buildExpectedDigests([firstCustomer]));
	expectNone(
		'no row has a reason for waiting',
		(await readTableRows(TABLE_NAME)).filter(({ why }) => why),
	);
}

/** Checks that a manager who was read long ago is read again, and that a digest comes again in another week. */
async function checkNextMonth(
	{ client, service, runExample, readTableRows, dropTable, expectEqual }: ExampleContext,
	mailbox: Mailbox,
	{ companyResourceId, companyName }: Company,
	expectedDigests: unknown[][],
): Promise<void> {
	const rows = (await readTableRows(TABLE_NAME)).filter(({ person }) => String(person).startsWith(companyResourceId));
	await dropTable(TABLE_NAME);
	const table = await client.createTable(
		TABLE_NAME,
		COLUMNS.map((name) => ({ name, type: 'string' as const })),
	);
	const changedRows = rows.map((row) => ({
		...Object.fromEntries(COLUMNS.map((name) => [name, row[name] ?? ''])),
		manager: 'former@example.com',
		readAt: row.readAt ? getIsoTimeInDays(-31) : '',
		digest: row.digest ? '2020-W01' : '',
	}));
	await client.insertRows(table, changedRows);
	service.clearLog();
	const sentCount = mailbox.readEmails().length;
	await runExample({ onlyCustomers: companyName ?? '', testAddress: '' });
	expectEqual(
		'a month later, the managers are read again, and the new ones get the digests',
		[service.getRequests(PERSON_ROUTE).length, summarizeDigests(mailbox, sentCount)],
		[rows.filter(({ readAt }) => readAt).length, expectedDigests],
	);
}
