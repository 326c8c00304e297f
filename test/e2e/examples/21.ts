import type { Workflow } from '../../real-n8n/client';
import { ENTRA_APP, startGraph, type GraphSimulator } from '../../real-n8n/graph';
import { buildPageBody, ApiClient } from '../../stand-in/apiClient';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, waitInN8n, type ExampleContext } from './check';
import { isManaged, parseResults } from './customers';
import { findTextsKeptByN8n } from './secrets';

/** In the names of more than forty customers. */
const NAME_PART = 'Partners';
const TABLE = 'Security Awareness Overdue Access';
const DAY_MS = 86_400_000;
const toIsoTime = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** With the data of its runs, which this check reads; as imported n8n keeps none. */
const keepExecutions = (workflow: Workflow): Workflow => ({ ...workflow, settings: { executionOrder: 'v1' } });

registerCheck(21, async (example) => {
	const { service, client } = example;
	const graph = await startGraph((email) =>
		service.world.companies.some(({ companyResourceId: id }) =>
			service.world.getCompanyData(id).users.some((user) => user.email.toLowerCase() === email),
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

/** Of each customer one training is over since 20 days, another not yet; of one customer it is over since 10. */
async function prepareOverduePeople(
	{ service }: ExampleContext,
	customers: Company[],
): Promise<Map<Company, string[]>> {
	const api = await new ApiClient(service, service.clients.reseller).signIn();
	const people = new Map<Company, string[]>();
	for (const [index, company] of customers.entries()) {
		const { companyResourceId: id } = company;
		const { enrollments } = service.world.getCompanyData(id);
		enrollments.splice(2);
		for (const [which, enrollment] of enrollments.entries())
			Object.assign(enrollment, {
				startDate: toIsoTime(-40),
				dueDate: toIsoTime(which !== 1 ? 5 : index === 7 ? -10 : -20),
			});
		const path = `POST /api/training-reports/${enrollments[1]?.resourceId}/users/search` as const;
		const { data } = await api.scopeToCompany(id).send(path, buildPageBody({ pageSize: 1000, orderBy: 'Email' }));
		const open = parseResults(data).filter(({ status }) => index !== 7 && status !== 'Completed');
		people.set(
			company,
			open.map(({ email }) => String(email).toLowerCase()),
		);
	}
	return people;
}

async function checkGroupMembership(example: ExampleContext, graph: GraphSimulator): Promise<void> {
	const {
		environment,
		service,
		runExample,
		runActivated,
		refuseCompany,
		readTableRows: rows,
		getChatTexts,
		expectEqual,
		expectNone,
	} = example;
	const customers = service.world.companies.filter((company) => isManaged(company, NAME_PART));
	const people = await prepareOverduePeople(example, customers);
	const getPeople = (...list: Company[]) => list.flatMap((company) => people.get(company) ?? []);
	const all = getPeople(...customers);
	const [unread, closed, third, done, later] = customers.filter((company) => getPeople(company).length > 1);
	if (!unread || !closed || !third || !done || !later) throw new Error('There are too few customers.');
	const [gone = '', slow = '', member = ''] = getPeople(...customers).filter(
		(email) => !getPeople(unread, closed, third, done, later).includes(email),
	);
	const urls = { loginUrl: `${graph.url}/login`, graphUrl: `${graph.url}/v1.0`, onlyCustomers: NAME_PART };
	const real = { ...urls, dryRun: false, limit: 1000 };
	const getLastLines = () => (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	const listMembers = () => sortForComparison([...graph.members]);
	const excludeFrom = (list: string[], ...others: string[]) =>
		sortForComparison(list.filter((each) => !others.includes(each)));
	const formatSummary = (isIn: number, isOut: number, waits: number, dry = false) =>
		`Overdue access${dry ? ', a dry run' : ''}: ${isIn} ${dry ? 'would be ' : ''}put in, ${isOut} ${dry ? 'would be ' : ''}taken out, ${waits} wait for the next run.`;

	// As imported, by its schedule.
	const waitForMessage = async () => {
		const count = getChatTexts().length;
		await waitInN8n('a message in the chat', () => getChatTexts().length > count);
	};
	await runActivated(waitForMessage, { count: 0, settings: urls });
	expectEqual(
		`${customers.length} customers, ${all.length} people, more than the limit: nobody goes in, and it says so`,
		[graph.writes, graph.tokens, getLastLines().slice(0, 2), getLastLines().length - 2],
		[
			[],
			[],
			[
				formatSummary(0, 0, 0, true),
				`${all.length} people would have to go in, more than the limit of 10: nobody goes in.`,
			],
			[...people.values()].filter((list) => list.length > 0).length,
		],
	);

	graph.addFault({ subject: gone, status: 404 });
	let executions: unknown[] = [];
	const waitAndSaveExecutions = async (id: string) => {
		await waitForMessage();
		executions = await example.client.readExecutions(id);
	};
	await runActivated(waitAndSaveExecutions, { count: 0, settings: { ...urls, limit: 1000 } });
	expectEqual(
		'a dry run looks everybody up, writes nothing, and says who would go in and who has no account',
		[
			graph.writes,
			getLastLines()[0],
			getLastLines().filter((countLines) => countLines.startsWith('- waits') && countLines.includes(gone)).length,
		],
		[[], formatSummary(all.length - 1, 0, 1, true), 1],
	);
	// The title shows that one looks in the right place.
	const keeps = await findTextsKeptByN8n(environment.n8n, [...graph.tokens, 'Overdue Access']);
	expectEqual(
		`n8n keeps none of ${graph.tokens.length} tokens, and no execution`,
		[graph.tokens.length, keeps, executions],
		[all.length, ['Overdue Access'], []],
	);

	graph.members.add(member);
	graph.addFault({
		subject: closed.companyName === null ? '' : (getPeople(closed)[0]?.split('@')[1] ?? ''),
		status: 401,
	});
	graph.addFault({ subject: slow, status: 429, writes: 'lands' });
	graph.addFault({ subject: getPeople(third)[0] ?? '', status: 429, writes: 'fails' });
	refuseCompany(unread);
	await runExample(real, keepExecutions);
	const waiting = [...getPeople(unread, closed), gone, getPeople(third)[0] ?? ''];
	const [heading, ...lines] = getLastLines();
	expectEqual('who can goes in, everybody else stays out', listMembers(), excludeFrom(all, ...waiting));
	expectEqual(
		'and is counted',
		heading,
		formatSummary(all.length - waiting.length - 2, 0, getPeople(closed).length + 3),
	);
	const countLines = (...words: string[]) => lines.filter((each) => words.every((word) => each.includes(word))).length;
	expectEqual(
		'what waits is in one list with the reason: 401, 429, no account, the customer that could not be read',
		[
			countLines('waits', getPeople(closed)[0] ?? '', '401'),
			countLines('waits', slow, '429'),
			countLines('waits', gone, '0 people'),
			countLines(unread.companyName ?? '', 'could not be read', '403'),
			countLines('was in already', member),
		],
		[1, 1, 1, 1, 1],
	);

	graph.clearFaults();
	service.clearFaults();
	await runExample(real, keepExecutions);
	expectEqual(
		'the next run puts those in; one whose request was done all the same is in the list too',
		listMembers(),
		sortForComparison(all),
	);
	expectEqual('and says so', getLastLines()[0], formatSummary(waiting.length + 1, 0, 0));
	graph.writes.length = 0;
	await runExample(real, keepExecutions);
	expectEqual(
		'the third one finds nothing to do',
		[graph.writes, getLastLines()[0]],
		[[`POST ${member}`], formatSummary(0, 0, 0)],
	);
	const listPutInPeople = async () =>
		sortForComparison((await rows(TABLE)).filter(({ state }) => state === 'in').map(({ email }) => String(email)));
	expectEqual('the list has whom it put in, and nobody else', await listPutInPeople(), excludeFrom(all, member));

	for (const company of [unread, done, later])
		for (const enrollment of service.world.getCompanyData(company.companyResourceId).enrollments)
			enrollment.status = 'Completed';
	// Somebody else took one of them out already.
	graph.members.delete(getPeople(done)[0] ?? '');
	await runExample({ ...real, onlyCustomers: done.companyName ?? '' }, keepExecutions);
	const named = customers.filter((company) => isManaged(company, done.companyName ?? ''));
	const out = named.filter((company) => [unread, done, later].includes(company));
	expectEqual(
		'who has finished comes out; other customers are left as they are',
		[listMembers(), getLastLines()[0]],
		[excludeFrom(all, ...getPeople(...out)), formatSummary(0, getPeople(...out).length, 0)],
	);
	refuseCompany(unread);
	await runExample({ ...real, limit: 0 }, keepExecutions);
	expectEqual(
		'nobody of a customer that could not be read comes out; the limit is not for who comes out',
		listMembers(),
		excludeFrom(all, ...getPeople(done, later)),
	);

	const before = graph.writes.length;
	await runExample({ ...urls, everybodyOut: true }, keepExecutions);
	expectEqual(
		'everybody out, as a dry run: it only says so',
		[graph.writes.length, getLastLines()[0]],
		[before, formatSummary(0, (await listPutInPeople()).length, 0, true)],
	);
	await runExample({ ...real, everybodyOut: true }, keepExecutions);
	expectEqual('everybody out: all whom it put in, and not who was in already', listMembers(), [member]);
	expectNone('the list is empty', await listPutInPeople());
	graph.writes.length = 0;
	await runExample({ ...real, everybodyOut: true }, keepExecutions);
	expectEqual('and nobody goes in while that is set', [graph.writes, getLastLines()[0]], [[], formatSummary(0, 0, 0)]);

	service.clearFaults();
	await runExample({ ...urls, group: "Nobody's", limit: 1000, onlyCustomers: third.companyName ?? '' }, keepExecutions);
	const [, ...ungrouped] = getLastLines();
	expectEqual(
		'a group that is not there: they wait, and it says so',
		[ungrouped.length > 0, ungrouped.every((each) => each.endsWith("the tenant has 0 groups called Nobody's"))],
		[true, true],
	);
}
