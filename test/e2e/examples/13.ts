import { checkExample } from './check';
import { isManaged } from './customers';

const CREATE = 'POST /api/phishing-simulator/phishing-campaign';
const START = 'POST /api/phishing-simulator/phishing-campaign-job/start/{resourceId}';
const GROUP = 'Monthly Simulation';
const SCENARIOS = ['Parcel Notice', 'Password Expiry', 'Invoice Overdue'];

checkExample(13, async ({ service, inbox, run, texts, same }) => {
	const now = new Date();
	const campaign = `Monthly Simulation ${now.toISOString().slice(0, 7)}`;
	const scenario = SCENARIOS[now.getUTCMonth() % SCENARIOS.length];
	const customers = service.state.companies.filter((company) => isManaged(company, '')).slice(0, 40);
	for (const { companyResourceId } of service.state.companies)
		for (const group of service.state.of(companyResourceId).targetGroups) if (group.name === GROUP) group.name = 'Team';
	for (const { companyResourceId: id } of customers) {
		const { targetGroups } = service.state.of(id);
		const [first] = targetGroups;
		if (first) targetGroups.push({ ...first, resourceId: `monthly-${id}`, name: GROUP });
	}
	const campaignsOf = (id: string) =>
		service.state
			.of(id)
			.campaigns('phishing')
			.filter(({ name }) => name === campaign);
	const jobs = () =>
		customers.map(
			({ companyResourceId: id }) => campaignsOf(id).flatMap(({ instanceGroups }) => instanceGroups).length,
		);
	const [refused, ...others] = customers.map(({ companyResourceId }) => companyResourceId);
	const text = () => texts().at(-1)?.trim() ?? '';
	const summary = (started: number, before: number, failed: number) =>
		`${campaign}, scenario ${scenario}: started at ${started} customers, ${before} had it already, ${failed} failed.`;

	service.fault({ kind: 'forbidden-company', company: refused ?? '', route: CREATE });
	await run();
	same('40 customers have the group, one refuses: 39 campaigns were started, each once', jobs(), [
		0,
		...others.map(() => 1),
	]);
	const [made] = campaignsOf(others[0] ?? '');
	const members = service.state.of(others[0] ?? '').targetGroups.at(-1)?.userResourceIds;
	same('with the scenario of the month, to the group', [made?.scenario, made?.userResourceIds], [scenario, members]);
	const [line, ...failures] = text().split('\n');
	same('the chat has the figures', line, summary(39, 0, 1));
	same(
		'and one failure, with the name and why',
		failures.map((each) => each.startsWith(`- ${customers[0]?.companyName}: `) && each.includes('403')),
		[true],
	);

	service.clearLog();
	await run();
	same(
		'the second run starts only the one that had failed',
		[jobs(), service.requests(CREATE).length],
		[customers.map(() => 1), 1],
	);
	same('and says so', text(), summary(1, 39, 0));

	service.clearLog();
	await run();
	same('the third one starts nothing', [service.requests(CREATE).length, text()], [0, summary(0, 40, 0)]);

	service.fault({ kind: 'forbidden-company', company: refused ?? '', route: START });
	service.state
		.of(refused ?? '')
		.campaigns('phishing')
		.pop();
	await run();
	const id = campaignsOf(refused ?? '')[0]?.resourceId ?? 'missing';
	same('a start that is refused is told with the ID of the campaign', text().includes(id), true);
	await run();
	same(
		'and the campaign is not created a second time',
		[campaignsOf(refused ?? '').length, text()],
		[1, summary(0, 40, 0)],
	);

	inbox.clear();
	await run({ group: 'No Such Group', onlyCustomers: 'Bakery' });
	same('without such a group it says that nobody takes part', text().includes("'No Such Group'"), true);

	for (const simulator of ['smishing', 'quishing'] as const) {
		inbox.clear();
		const wanted = customers.filter(({ companyName }) => companyName?.includes('Bakery'));
		await run({ simulator, onlyCustomers: 'Bakery' });
		const ofThem = () =>
			wanted.map(
				({ companyResourceId }) =>
					service.state
						.of(companyResourceId)
						.campaigns(simulator)
						.filter(({ name }) => name === campaign).length,
			);
		const once = wanted.map(() => 1);
		same(
			`by ${simulator} each of ${wanted.length} has one as well`,
			[ofThem(), text()],
			[once, summary(wanted.length, 0, 0)],
		);
		await run({ simulator, onlyCustomers: 'Bakery' });
		same('and never two', [ofThem(), text()], [once, summary(0, wanted.length, 0)]);
	}
	await run({ simulator: 'fishing', onlyCustomers: 'Bakery' });
	same('a simulator that there is not is told', text().includes('there is no simulator called fishing'), true);
});
