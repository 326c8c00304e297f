import { registerCheck } from './registerCheck';
import { isManaged } from './customers';

const CREATE_ROUTE = 'POST /api/phishing-simulator/phishing-campaign';
const START_ROUTE = 'POST /api/phishing-simulator/phishing-campaign-job/start/{resourceId}';
const GROUP_NAME = 'Monthly Simulation';
const SCENARIOS = ['Parcel Notice', 'Password Expiry', 'Invoice Overdue'];

registerCheck(13, async ({ service, inbox, runExample, getChatTexts, expectEqual }) => {
	const now = new Date();
	const campaignName = `Monthly Simulation ${now.toISOString().slice(0, 7)}`;
	const scenarioName = SCENARIOS[now.getUTCMonth() % SCENARIOS.length];
	const customers = service.world.companies.filter((company) => isManaged(company, '')).slice(0, 40);
	for (const { companyResourceId } of service.world.companies)
		for (const group of service.world.getCompanyData(companyResourceId).targetGroups)
			if (group.name === GROUP_NAME) group.name = 'Team';
	for (const { companyResourceId: id } of customers) {
		const { targetGroups } = service.world.getCompanyData(id);
		const [firstGroup] = targetGroups;
		if (firstGroup) targetGroups.push({ ...firstGroup, resourceId: `monthly-${id}`, name: GROUP_NAME });
	}
	const getMonthlyCampaigns = (id: string) =>
		service.world
			.getCompanyData(id)
			.getCampaigns('phishing')
			.filter(({ name }) => name === campaignName);
	const countJobs = () =>
		customers.map(
			({ companyResourceId: id }) => getMonthlyCampaigns(id).flatMap(({ instanceGroups }) => instanceGroups).length,
		);
	const [refusedCustomerId, ...otherCustomerIds] = customers.map(({ companyResourceId }) => companyResourceId);
	const getLastText = () => getChatTexts().at(-1)?.trim() ?? '';
	const formatSummary = (startedCount: number, existingCount: number, failedCount: number) =>
		`${campaignName}, scenario ${scenarioName}: started at ${startedCount} customers, ${existingCount} had it already, ${failedCount} failed.`;

	service.addFault({ kind: 'forbidden-company', companyId: refusedCustomerId ?? '', route: CREATE_ROUTE });
	await runExample();
	expectEqual(
		'40 customers have the group and one of them refuses, so 39 campaigns are started, each once',
		countJobs(),
		[0, ...otherCustomerIds.map(() => 1)],
	);
	const [newCampaign] = getMonthlyCampaigns(otherCustomerIds[0] ?? '');
	const members = service.world.getCompanyData(otherCustomerIds[0] ?? '').targetGroups.at(-1)?.userResourceIds;
	expectEqual(
		'a campaign has the scenario of the month and is sent to the group',
		[newCampaign?.scenario, newCampaign?.userResourceIds],
		[scenarioName, members],
	);
	const [summaryLine, ...failures] = getLastText().split('\n');
	expectEqual('the chat message has the figures', summaryLine, formatSummary(39, 0, 1));
	expectEqual(
		'the chat message has one failure, with the name and the reason',
		failures.map((failure) => failure.startsWith(`- ${customers[0]?.companyName}: `) && failure.includes('403')),
		[true],
	);

	service.clearLog();
	await runExample();
	expectEqual(
		'the second run only starts the failed campaign',
		[countJobs(), service.getRequests(CREATE_ROUTE).length],
		[customers.map(() => 1), 1],
	);
	expectEqual('the chat message has the figures of the second run', getLastText(), formatSummary(1, 39, 0));

	service.clearLog();
	await runExample();
	expectEqual(
		'the third run starts nothing',
		[service.getRequests(CREATE_ROUTE).length, getLastText()],
		[0, formatSummary(0, 40, 0)],
	);

	service.addFault({ kind: 'forbidden-company', companyId: refusedCustomerId ?? '', route: START_ROUTE });
	service.world
		.getCompanyData(refusedCustomerId ?? '')
		.getCampaigns('phishing')
		.pop();
	await runExample();
	const id = getMonthlyCampaigns(refusedCustomerId ?? '')[0]?.resourceId ?? 'missing';
	expectEqual('if a start is refused, the chat message has the ID of the campaign', getLastText().includes(id), true);
	await runExample();
	expectEqual(
		'the campaign is not created a second time',
		[getMonthlyCampaigns(refusedCustomerId ?? '').length, getLastText()],
		[1, formatSummary(0, 40, 0)],
	);

	inbox.clear();
	await runExample({ group: 'No Such Group', onlyCustomers: 'Bakery' });
	expectEqual(
		'if no customer has the group, the chat message names the group',
		getLastText().includes("'No Such Group'"),
		true,
	);

	for (const simulator of ['smishing', 'quishing'] as const) {
		inbox.clear();
		const bakeries = customers.filter(({ companyName }) => companyName?.includes('Bakery'));
		await runExample({ simulator, onlyCustomers: 'Bakery' });
		const countCampaigns = () =>
			bakeries.map(
				({ companyResourceId }) =>
					service.world
						.getCompanyData(companyResourceId)
						.getCampaigns(simulator)
						.filter(({ name }) => name === campaignName).length,
			);
		const expectedCounts = bakeries.map(() => 1);
		expectEqual(
			`each of ${bakeries.length} customers also gets a ${simulator} campaign`,
			[countCampaigns(), getLastText()],
			[expectedCounts, formatSummary(bakeries.length, 0, 0)],
		);
		await runExample({ simulator, onlyCustomers: 'Bakery' });
		expectEqual(
			'no customer gets two campaigns',
			[countCampaigns(), getLastText()],
			[expectedCounts, formatSummary(0, bakeries.length, 0)],
		);
	}
	await runExample({ simulator: 'fishing', onlyCustomers: 'Bakery' });
	expectEqual(
		'if the simulator does not exist, the chat message says so',
		getLastText().includes('there is no simulator called fishing'),
		true,
	);
});
