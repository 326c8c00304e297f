import type { Workflow } from '../../real-n8n/client';
import { ENTRA_APP, startGraph, type Graph } from '../../real-n8n/graph';
import { page, ApiClient } from '../../stand-in/apiClient';
import type { Company } from '../../stand-in/seed';
import { checkExample, sorted, until, type Scene } from './check';
import { isManaged, rowsOf } from './customers';
import { keptByN8n } from './secrets';

/** In the names of more than forty customers. */
const WORD = 'Partners';
const TABLE = 'Security Awareness Overdue Access';
const DAY = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();

/** With the data of its runs, which this check reads; as imported n8n keeps none. */
const kept = (workflow: Workflow): Workflow => ({ ...workflow, settings: { executionOrder: 'v1' } });

checkExample(21, async (scene) => {
	const { service, client } = scene;
	const graph = await startGraph((email) =>
		service.state.companies.some(({ companyResourceId: id }) =>
			service.state.of(id).users.some((user) => user.email.toLowerCase() === email),
		),
	);
	const { user, password } = ENTRA_APP;
	const credential = await client.createCredential('Entra app', 'httpBasicAuth', { user, password });
	try {
		await peopleGoInAndOut(scene, graph);
	} finally {
		await client.deleteCredential(credential);
		await graph.close();
	}
});

/** Of each customer one training is over since 20 days, another not yet; of one customer it is over since 10. */
async function overdueOf({ service }: Scene, customers: Company[]): Promise<Map<Company, string[]>> {
	const api = await new ApiClient(service, service.clients.reseller).signIn();
	const people = new Map<Company, string[]>();
	for (const [index, company] of customers.entries()) {
		const { companyResourceId: id } = company;
		const { enrollments } = service.state.of(id);
		enrollments.splice(2);
		for (const [which, enrollment] of enrollments.entries())
			Object.assign(enrollment, { startDate: at(-40), dueDate: at(which !== 1 ? 5 : index === 7 ? -10 : -20) });
		const path = `POST /api/training-reports/${enrollments[1]?.resourceId}/users/search` as const;
		const { data } = await api.for(id).ask(path, page({ pageSize: 1000, orderBy: 'Email' }));
		const open = rowsOf(data).filter(({ status }) => index !== 7 && status !== 'Completed');
		people.set(
			company,
			open.map(({ email }) => String(email).toLowerCase()),
		);
	}
	return people;
}

async function peopleGoInAndOut(scene: Scene, graph: Graph): Promise<void> {
	const { stage, service, run, runActive, refuse, rowsOf: rows, texts, same, none } = scene;
	const customers = service.state.companies.filter((company) => isManaged(company, WORD));
	const people = await overdueOf(scene, customers);
	const of = (...list: Company[]) => list.flatMap((company) => people.get(company) ?? []);
	const all = of(...customers);
	const [unread, closed, third, done, later] = customers.filter((company) => of(company).length > 1);
	if (!unread || !closed || !third || !done || !later) throw new Error('There are too few customers.');
	const [gone = '', slow = '', member = ''] = of(...customers).filter(
		(email) => !of(unread, closed, third, done, later).includes(email),
	);
	const urls = { loginUrl: `${graph.url}/login`, graphUrl: `${graph.url}/v1.0`, onlyCustomers: WORD };
	const real = { ...urls, dryRun: false, limit: 1000 };
	const text = () => (texts().at(-1) ?? '').trimEnd().split('\n');
	const members = () => sorted([...graph.members]);
	const without = (list: string[], ...others: string[]) => sorted(list.filter((each) => !others.includes(each)));
	const says = (isIn: number, isOut: number, waits: number, dry = false) =>
		`Overdue access${dry ? ', a dry run' : ''}: ${isIn} ${dry ? 'would be ' : ''}put in, ${isOut} ${dry ? 'would be ' : ''}taken out, ${waits} wait for the next run.`;

	// As imported, by its schedule.
	const told = async () => {
		const count = texts().length;
		await until('a message in the chat', () => texts().length > count);
	};
	await runActive(told, { count: 0, settings: urls });
	same(
		`${customers.length} customers, ${all.length} people, more than the limit: nobody goes in, and it says so`,
		[graph.writes, graph.tokens, text().slice(0, 2), text().length - 2],
		[
			[],
			[],
			[says(0, 0, 0, true), `${all.length} people would have to go in, more than the limit of 10: nobody goes in.`],
			[...people.values()].filter((list) => list.length > 0).length,
		],
	);

	graph.fault({ about: gone, status: 404 });
	let executions: unknown[] = [];
	const happen = async (id: string) => {
		await told();
		executions = await scene.client.executions(id);
	};
	await runActive(happen, { count: 0, settings: { ...urls, limit: 1000 } });
	same(
		'a dry run looks everybody up, writes nothing, and says who would go in and who has no account',
		[graph.writes, text()[0], text().filter((line) => line.startsWith('- waits') && line.includes(gone)).length],
		[[], says(all.length - 1, 0, 1, true), 1],
	);
	// The title shows that one looks in the right place.
	const keeps = await keptByN8n(stage.n8n, [...graph.tokens, 'Overdue Access']);
	same(
		`n8n keeps none of ${graph.tokens.length} tokens, and no execution`,
		[graph.tokens.length, keeps, executions],
		[all.length, ['Overdue Access'], []],
	);

	graph.members.add(member);
	graph.fault({ about: closed.companyName === null ? '' : (of(closed)[0]?.split('@')[1] ?? ''), status: 401 });
	graph.fault({ about: slow, status: 429, writes: 'lands' });
	graph.fault({ about: of(third)[0] ?? '', status: 429, writes: 'fails' });
	refuse(unread);
	await run(real, kept);
	const waiting = [...of(unread, closed), gone, of(third)[0] ?? ''];
	const [heading, ...lines] = text();
	same('who can goes in, everybody else stays out', members(), without(all, ...waiting));
	same('and is counted', heading, says(all.length - waiting.length - 2, 0, of(closed).length + 3));
	const line = (...words: string[]) => lines.filter((each) => words.every((word) => each.includes(word))).length;
	same(
		'what waits is in one list with the reason: 401, 429, no account, the customer that could not be read',
		[
			line('waits', of(closed)[0] ?? '', '401'),
			line('waits', slow, '429'),
			line('waits', gone, '0 people'),
			line(unread.companyName ?? '', 'could not be read', '403'),
			line('was in already', member),
		],
		[1, 1, 1, 1, 1],
	);

	graph.heal();
	service.clearFaults();
	await run(real, kept);
	same(
		'the next run puts those in; one whose request was done all the same is in the list too',
		members(),
		sorted(all),
	);
	same('and says so', text()[0], says(waiting.length + 1, 0, 0));
	graph.writes.length = 0;
	await run(real, kept);
	same('the third one finds nothing to do', [graph.writes, text()[0]], [[`POST ${member}`], says(0, 0, 0)]);
	const listed = async () =>
		sorted((await rows(TABLE)).filter(({ state }) => state === 'in').map(({ email }) => String(email)));
	same('the list has whom it put in, and nobody else', await listed(), without(all, member));

	for (const company of [unread, done, later])
		for (const enrollment of service.state.of(company.companyResourceId).enrollments) enrollment.status = 'Completed';
	// Somebody else took one of them out already.
	graph.members.delete(of(done)[0] ?? '');
	await run({ ...real, onlyCustomers: done.companyName ?? '' }, kept);
	const named = customers.filter((company) => isManaged(company, done.companyName ?? ''));
	const out = named.filter((company) => [unread, done, later].includes(company));
	same(
		'who has finished comes out; other customers are left as they are',
		[members(), text()[0]],
		[without(all, ...of(...out)), says(0, of(...out).length, 0)],
	);
	refuse(unread);
	await run({ ...real, limit: 0 }, kept);
	same(
		'nobody of a customer that could not be read comes out; the limit is not for who comes out',
		members(),
		without(all, ...of(done, later)),
	);

	const before = graph.writes.length;
	await run({ ...urls, everybodyOut: true }, kept);
	same(
		'everybody out, as a dry run: it only says so',
		[graph.writes.length, text()[0]],
		[before, says(0, (await listed()).length, 0, true)],
	);
	await run({ ...real, everybodyOut: true }, kept);
	same('everybody out: all whom it put in, and not who was in already', members(), [member]);
	none('the list is empty', await listed());
	graph.writes.length = 0;
	await run({ ...real, everybodyOut: true }, kept);
	same('and nobody goes in while that is set', [graph.writes, text()[0]], [[], says(0, 0, 0)]);

	service.clearFaults();
	await run({ ...urls, group: "Nobody's", limit: 1000, onlyCustomers: third.companyName ?? '' }, kept);
	const [, ...ungrouped] = text();
	same(
		'a group that is not there: they wait, and it says so',
		[ungrouped.length > 0, ungrouped.every((each) => each.endsWith("the tenant has 0 groups called Nobody's"))],
		[true, true],
	);
}
