import { registerCheck } from './check';
import { isManaged } from './customers';

const CREATE = 'POST /api/phishing-simulator/phishing-campaign';
const START = 'POST /api/phishing-simulator/phishing-campaign-job/start/{resourceId}';
const GROUP = 'Monthly Simulation';
const SCENARIOS = ['Parcel Notice', 'Password Expiry', 'Invoice Overdue'];

registerCheck(13, async ({ service, inbox, runExample: run, getChatTexts: texts, expectEqual: same }) => {
	const now = new Date();
	const campaign = `Monthly Simulation ${now.toISOString().slice(0, 7)}`;
	const scenario = SCENARIOS[now.getUTCMonth() % SCENARIOS.length];
	const customers = service.state.companies.filter((company) => isManaged(company, '')).slice(0, 40);
	for (const { companyResourceId } of service.state.companies)
		for (const group of service.state.getCompanyData(companyResourceId).targetGroups) if (group.name === GROUP) group.name = 'Team';
	for (const { companyResourceId: id } of customers) {
		const { targetGroups } = service.state.getCompanyData(id);
		const [first] = targetGroups;
		if (first) targetGroups.push({ ...first, resourceId: `monthly-${id}`, name: GROUP });
	}
	const getMonthlyCampaigns = (id: string) =>
		service.state
			.getCompanyData(id)
			.getCampaigns('phishing')
			.filter(({ name }) => name === campaign);
	const countJobs = () =>
		customers.map(
			({ companyResourceId: id }) => getMonthlyCampaigns(id).flatMap(({ instanceGroups }) => instanceGroups).length,
		);
	const [refused, ...others] = customers.map(({ companyResourceId }) => companyResourceId);
	const getLastText = () => texts().at(-1)?.trim() ?? '';
	const formatSummary = (started: number, before: number, failed: number) =>
		`${campaign}, scenario ${scenario}: started at ${started} customers, ${before} had it already, ${failed} failed.`;

	service.addFault({ kind: 'forbidden-company', companyId: refused ?? '', route: CREATE });
	await run();
	same('40 customers have the group, one refuses: 39 campaigns were started, each once', countJobs(), [
		0,
		...others.map(() => 1),
	]);
	const [made] = getMonthlyCampaigns(others[0] ?? '');
	const members = service.state.getCompanyData(others[0] ?? '').targetGroups.at(-1)?.userResourceIds;
	same('with the scenario of the month, to the group', [made?.scenario, made?.userResourceIds], [scenario, members]);
	const [line, ...failures] = getLastText().split('\n');
	same('the chat has the figures', line, formatSummary(39, 0, 1));
	same(
		'and one failure, with the name and why',
		failures.map((each) => each.startsWith(`- ${customers[0]?.companyName}: `) && each.includes('403')),
		[true],
	);

	service.clearLog();
	await run();
	same(
		'the second run starts only the one that had failed',
		[countJobs(), service.getRequests(CREATE).length],
		[customers.map(() => 1), 1],
	);
	same('and says so', getLastText(), formatSummary(1, 39, 0));

	service.clearLog();
	await run();
	same('the third one starts nothing', [service.getRequests(CREATE).length, getLastText()], [0, formatSummary(0, 40, 0)]);

	service.addFault({ kind: 'forbidden-company', companyId: refused ?? '', route: START });
	service.state
		.getCompanyData(refused ?? '')
		.getCampaigns('phishing')
		.pop();
	await run();
	const id = getMonthlyCampaigns(refused ?? '')[0]?.resourceId ?? 'missing';
	same('a start that is refused is told with the ID of the campaign', getLastText().includes(id), true);
	await run();
	same(
		'and the campaign is not created a second time',
		[getMonthlyCampaigns(refused ?? '').length, getLastText()],
		[1, formatSummary(0, 40, 0)],
	);

	inbox.clear();
	await run({ group: 'No Such Group', onlyCustomers: 'Bakery' });
	same('without such a group it says that nobody takes part', getLastText().includes("'No Such Group'"), true);

	for (const simulator of ['smishing', 'quishing'] as const) {
		inbox.clear();
		const wanted = customers.filter(({ companyName }) => companyName?.includes('Bakery'));
		await run({ simulator, onlyCustomers: 'Bakery' });
		const countCampaigns = () =>
			wanted.map(
				({ companyResourceId }) =>
					service.state
						.getCompanyData(companyResourceId)
						.getCampaigns(simulator)
						.filter(({ name }) => name === campaign).length,
			);
		const once = wanted.map(() => 1);
		same(
			`by ${simulator} each of ${wanted.length} has one as well`,
			[countCampaigns(), getLastText()],
			[once, formatSummary(wanted.length, 0, 0)],
		);
		await run({ simulator, onlyCustomers: 'Bakery' });
		same('and never two', [countCampaigns(), getLastText()], [once, formatSummary(0, wanted.length, 0)]);
	}
	await run({ simulator: 'fishing', onlyCustomers: 'Bakery' });
	same('a simulator that there is not is told', getLastText().includes('there is no simulator called fishing'), true);
});
