import type { Workflow } from '../../real-n8n/client';
import { ENTRA_APP, startGraph, type GraphSimulator } from '../../real-n8n/graphSimulator';
import { buildPageBody, ApiClient } from '../../stand-in/apiClient';
import type { Company } from '../../stand-in/seed';
import { dropCustomerMap, enterCustomerMap } from './customerMapTable';
import { registerCheck, sortForComparison, waitInN8n, type ExampleContext } from './registerCheck';
import { isManaged, parseResults } from './customers';
import { findStoredTexts } from './textsKeptByN8n';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
const TABLE_NAME = 'Security Awareness Overdue Access';
const DAY_MS = 86_400_000;
const getIsoTimeInDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** Returns the ID of a customer's tenant. */
const getTenant = ({ companyResourceId: id }: Company) => `tenant-${id}`;

/** Makes n8n keep the executions of the workflow, because this check reads them. By default, the example keeps none. */
const keepExecutions = (workflow: Workflow): Workflow => ({ ...workflow, settings: { executionOrder: 'v1' } });

registerCheck(21, async (example) => {
	const { service, client } = example;
	const graph = await startGraph((email, tenant) =>
		service.world.companies.some(
			(company) =>
				getTenant(company) === tenant &&
				service.world
					.getCompanyData(company.companyResourceId)
					.users.some((user) => user.email.toLowerCase() === email),
		),
	);
	const { user, password } = ENTRA_APP;
	const credential = await client.createCredential('Entra app', 'httpBasicAuth', { user, password });
	try {
		await checkGroupMembership(example, graph);
	} finally {
		await client.deleteCredential(credential);
		await graph.close();
	}
});

/**
 * Gives each customer a training that is 20 days overdue and a training that isn't due yet. One customer's training is only 10 days
 * overdue, which is too early for the example to act.
 * @returns for each customer, the email addresses of the people who haven't finished an overdue training
 */
async function prepareOverduePeople(
	{ service }: ExampleContext,
	customers: Company[],
): Promise<Map<Company, string[]>> {
	const api = await new ApiClient(service, service.clients.reseller).signIn();
	const overdueEmailsByCustomer = new Map<Company, string[]>();
	for (const [index, company] of customers.entries()) {
		const { companyResourceId: id } = company;
		const { enrollments } = service.world.getCompanyData(id);
		enrollments.splice(2);
		const overdueDays = index === 7 ? 10 : 20;
		for (const [enrollmentIndex, enrollment] of enrollments.entries())
			Object.assign(enrollment, {
				startDate: getIsoTimeInDays(-40),
				dueDate: getIsoTimeInDays(enrollmentIndex === 1 ? -overdueDays : 5),
			});
		const path = `POST /api/training-reports/${enrollments[1]?.resourceId}/users/search` as const;
		const { data } = await api.scopeToCompany(id).send(path, buildPageBody({ pageSize: 1000, orderBy: 'Email' }));
		const openRecords = parseResults(data).filter(({ status }) => index !== 7 && status !== 'Completed');
		overdueEmailsByCustomer.set(
			company,
			openRecords.map(({ email }) => String(email).toLowerCase()),
		);
	}
	return overdueEmailsByCustomer;
}

async function checkGroupMembership(example: ExampleContext, graph: GraphSimulator): Promise<void> {
	const {
		environment,
		service,
		runExample,
		runActivated,
		refuseCompany,
		readTableRows,
		getChatTexts,
		expectEqual,
		expectNone,
	} = example;
	const customers = service.world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	const overdueEmailsByCustomer = await prepareOverduePeople(example, customers);
	const getOverdueEmails = (...list: Company[]) =>
		list.flatMap((company) => overdueEmailsByCustomer.get(company) ?? []);
	const overdueEmails = getOverdueEmails(...customers);
	const [unreadableCustomer, customerWithClosedTenant, thirdCustomer, finishedCustomer, laterCustomer] =
		customers.filter((company) => getOverdueEmails(company).length > 1);
	if (!unreadableCustomer || !customerWithClosedTenant || !thirdCustomer || !finishedCustomer || !laterCustomer)
		throw new Error('There are too few customers.');
	// The first person has no account, the second is added although the response is an error, and the third is a member already.
	const [unknownEmail = '', addedDespiteErrorEmail = '', memberEmail = ''] = getOverdueEmails(...customers).filter(
		(email) =>
			!getOverdueEmails(
				unreadableCustomer,
				customerWithClosedTenant,
				thirdCustomer,
				finishedCustomer,
				laterCustomer,
			).includes(email),
	);
	const dryRunSettings = {
		loginUrl: `${graph.url}/login`,
		graphUrl: `${graph.url}/v1.0`,
		onlyCustomers: NAME_FRAGMENT,
	};
	const realSettings = { ...dryRunSettings, dryRun: false, limit: 1000 };
	const getLastLines = () => (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	const listMembers = () => sortForComparison([...graph.memberEmails]);
	const excludeFrom = (list: string[], ...excludedEmails: string[]) =>
		sortForComparison(list.filter((email) => !excludedEmails.includes(email)));
	const formatSummary = (putInCount: number, takenOutCount: number, waitingCount: number, isDryRun = false) =>
		`Overdue access${isDryRun ? ', a dry run' : ''}: ${putInCount} ${isDryRun ? 'would be ' : ''}put in, ${takenOutCount} ${isDryRun ? 'would be ' : ''}taken out, ${waitingCount} wait for the next run.`;

	/** Enters the tenants in the customer map, except those of the given customers. */
	const enterTenants = async (...customersWithoutTenant: Company[]) =>
		enterCustomerMap(
			example,
			customers.map((company) => ({
				customerId: company.companyResourceId,
				customer: company.companyName ?? '',
				directoryId: customersWithoutTenant.includes(company) ? '' : getTenant(company),
			})),
		);
	await enterTenants();

	// The example keeps its own settings for executions, and its schedule starts it.
	const waitForMessage = async () => {
		const messageCount = getChatTexts().length;
		await waitInN8n('a message in the chat', () => getChatTexts().length > messageCount);
	};
	await runActivated(waitForMessage, { count: 0, settings: dryRunSettings });
	expectEqual(
		`${customers.length} customers, ${overdueEmails.length} people are more than the limit, so nobody is added, and the chat message says so`,
		[graph.writeRequests, graph.issuedTokens, getLastLines().slice(0, 2), getLastLines().length - 2],
		[
			[],
			[],
			[
				formatSummary(0, 0, 0, true),
				`${overdueEmails.length} people would have to go in, more than the limit of 10: nobody goes in.`,
			],
			[...overdueEmailsByCustomer.values()].filter((list) => list.length > 0).length,
		],
	);

	graph.addFault({ subject: unknownEmail, status: 404 });
	let executions: unknown[] = [];
	const waitAndSaveExecutions = async (id: string) => {
		await waitForMessage();
		executions = await example.client.readExecutions(id);
	};
	await runActivated(waitAndSaveExecutions, { count: 0, settings: { ...dryRunSettings, limit: 1000 } });
	expectEqual(
		'a dry run looks up all people and writes nothing, and the chat message lists who would be added and who has no account',
		[
			graph.writeRequests,
			getLastLines()[0],
			getLastLines().filter((line) => line.startsWith('- waits') && line.includes(unknownEmail)).length,
		],
		[[], formatSummary(overdueEmails.length - 1, 0, 1, true), 1],
	);
	// n8n has stored the workflow's title. If the search finds it, the search covers the right places.
	const keptTexts = await findStoredTexts(environment.n8n, [...graph.issuedTokens, 'Overdue Access']);
	expectEqual(
		`n8n stores none of ${graph.issuedTokens.length} tokens and no execution`,
		[graph.issuedTokens.length, keptTexts, executions],
		[overdueEmails.length, ['Overdue Access'], []],
	);

	graph.memberEmails.add(memberEmail);
	graph.addFault({ subject: getTenant(customerWithClosedTenant), status: 401 });
	graph.addFault({ subject: addedDespiteErrorEmail, status: 429, writeFault: 'lands' });
	graph.addFault({ subject: getOverdueEmails(thirdCustomer)[0] ?? '', status: 429, writeFault: 'fails' });
	refuseCompany(unreadableCustomer);
	await runExample(realSettings, keepExecutions);
	const waitingEmails = [
		...getOverdueEmails(unreadableCustomer, customerWithClosedTenant),
		unknownEmail,
		getOverdueEmails(thirdCustomer)[0] ?? '',
	];
	const [summaryLine, ...lines] = getLastLines();
	expectEqual(
		'all people who can be added are members, and nobody else',
		listMembers(),
		excludeFrom(overdueEmails, ...waitingEmails),
	);
	expectEqual(
		'the chat message has the figures',
		summaryLine,
		formatSummary(
			overdueEmails.length - waitingEmails.length - 2,
			0,
			getOverdueEmails(customerWithClosedTenant).length + 3,
		),
	);
	const countLines = (...words: string[]) => lines.filter((line) => words.every((word) => line.includes(word))).length;
	// People who don't wait come last, where a card may have no room for them.
	const isShortened = lines.at(-1) === '… (shortened)';
	expectEqual(
		'the chat message lists what waits, with the reason: 401, 429, no account, the unreadable customer',
		[
			countLines('waits', getOverdueEmails(customerWithClosedTenant)[0] ?? '', '401'),
			countLines('waits', addedDespiteErrorEmail, '429'),
			countLines('waits', unknownEmail, '0 people'),
			countLines(unreadableCustomer.companyName ?? '', 'could not be read', '403'),
			isShortened ? 1 : countLines('was in already', memberEmail),
		],
		[1, 1, 1, 1, 1],
	);

	graph.clearFaults();
	service.clearFaults();
	await runExample(realSettings, keepExecutions);
	expectEqual('the next run adds the waiting people', listMembers(), sortForComparison(overdueEmails));
	expectEqual(
		'the chat message of the next run has the figures',
		getLastLines()[0],
		formatSummary(waitingEmails.length + 1, 0, 0),
	);
	graph.writeRequests.length = 0;
	await runExample(realSettings, keepExecutions);
	expectEqual(
		'the third run changes nothing',
		[graph.writeRequests, getLastLines()[0]],
		[[`POST ${memberEmail}`], formatSummary(0, 0, 0)],
	);
	const listPutInPeople = async () =>
		sortForComparison(
			(await readTableRows(TABLE_NAME)).filter(({ state }) => state === 'in').map(({ email }) => String(email)),
		);
	expectEqual(
		'the table has exactly the people that the example has added',
		await listPutInPeople(),
		excludeFrom(overdueEmails, memberEmail),
	);

	for (const company of [unreadableCustomer, finishedCustomer, laterCustomer])
		for (const enrollment of service.world.getCompanyData(company.companyResourceId).enrollments)
			enrollment.status = 'Completed';
	// Another program has already removed one of these people.
	graph.memberEmails.delete(getOverdueEmails(finishedCustomer)[0] ?? '');
	await runExample({ ...realSettings, onlyCustomers: finishedCustomer.companyName ?? '' }, keepExecutions);
	const matchingCustomers = customers.filter((company) => isManaged(company, finishedCustomer.companyName ?? ''));
	const finishedCustomers = matchingCustomers.filter((company) =>
		[unreadableCustomer, finishedCustomer, laterCustomer].includes(company),
	);
	expectEqual(
		'people who have finished are removed, and other customers are unchanged',
		[listMembers(), getLastLines()[0]],
		[
			excludeFrom(overdueEmails, ...getOverdueEmails(...finishedCustomers)),
			formatSummary(0, getOverdueEmails(...finishedCustomers).length, 0),
		],
	);
	refuseCompany(unreadableCustomer);
	await runExample({ ...realSettings, limit: 0 }, keepExecutions);
	expectEqual(
		'people of an unreadable customer are not removed, and the limit does not apply to removing',
		listMembers(),
		excludeFrom(overdueEmails, ...getOverdueEmails(finishedCustomer, laterCustomer)),
	);

	const writeCountBefore = graph.writeRequests.length;
	await runExample({ ...dryRunSettings, everybodyOut: true }, keepExecutions);
	expectEqual(
		'removing everybody as a dry run changes nothing',
		[graph.writeRequests.length, getLastLines()[0]],
		[writeCountBefore, formatSummary(0, (await listPutInPeople()).length, 0, true)],
	);
	await runExample({ ...realSettings, everybodyOut: true }, keepExecutions);
	expectEqual('removing everybody removes only the people that the example has added', listMembers(), [memberEmail]);
	expectNone('the table has no added people', await listPutInPeople());
	graph.writeRequests.length = 0;
	await runExample({ ...realSettings, everybodyOut: true }, keepExecutions);
	expectEqual(
		'nobody is added while this setting is on',
		[graph.writeRequests, getLastLines()[0]],
		[[], formatSummary(0, 0, 0)],
	);

	service.clearFaults();
	await runExample(
		{ ...dryRunSettings, group: "Nobody's", limit: 1000, onlyCustomers: thirdCustomer.companyName ?? '' },
		keepExecutions,
	);
	const [, ...reasons] = getLastLines();
	expectEqual(
		'if the group does not exist, all people wait, and the chat message says so',
		[reasons.length > 0, reasons.every((line) => line.endsWith("the tenant has 0 groups called Nobody's"))],
		[true, true],
	);

	const settings = { ...realSettings, onlyCustomers: thirdCustomer.companyName ?? '' };
	const waitReason =
		'no directoryId in the customer map (Data Table Security Awareness Customers): enter it there. Example 27 adds missing customers';
	graph.issuedTokens.length = 0;
	await enterTenants(thirdCustomer);
	await runExample(settings, keepExecutions);
	const [, ...linesWithoutTenant] = getLastLines();
	await dropCustomerMap(example);
	await runExample(settings, keepExecutions);
	const [, ...linesWithoutMap] = getLastLines();
	expectEqual(
		'without a directoryId, and without a customer map, all people wait, and Microsoft gets no request',
		[
			linesWithoutTenant.length > 0,
			linesWithoutTenant.every((line) => line.endsWith(waitReason)),
			linesWithoutMap.every((line) => line.endsWith(waitReason)),
			graph.issuedTokens,
			graph.writeRequests,
		],
		[true, true, true, [], []],
	);
}
