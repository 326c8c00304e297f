import { SIMULATORS, type Simulator } from '../../stand-in/personality';
import { page, ApiClient } from '../../stand-in/apiClient';
import { checkExample, sheetIn, sorted, until } from './check';
import { isManaged, rowsOf } from './customers';

const WORD = 'Bakery';
const GROUP = 'Repeat Clickers';
const THIS_MONTH = `${GROUP} ${new Date().toISOString().slice(0, 7)}`;

const jobs = (simulator: Simulator) => `POST /api/${simulator}-simulator/${simulator}-campaign-job-report` as const;

/** Who clicked in which campaigns, asked of the service as a person would: e-mail address → simulators, one for each campaign. */
async function clicksOf(api: ApiClient, simulators: readonly Simulator[]): Promise<Map<string, string[]>> {
	const clicks = new Map<string, string[]>();
	for (const simulator of simulators) {
		const runs = rowsOf((await api.ask(`${jobs(simulator)}/search`, page({ pageSize: 1000 }))).data);
		for (const [id, name] of new Map(runs.map((run) => [String(run.resourceId), String(run.name)]))) {
			const clicked = await api.ask(`${jobs(simulator)}/search-email-clicked/${id}`, page({ pageSize: 1000 }));
			for (const email of new Set(rowsOf(clicked.data).map((person) => String(person.email))))
				clicks.set(email, [...(clicks.get(email) ?? []), `${name} (${simulator})`]);
		}
	}
	return clicks;
}

checkExample(6, async ({ service, inbox, folder, run, refuse, texts, linesOf, same, none }) => {
	const customers = service.state.companies.filter((company) => isManaged(company, WORD));
	const [ready, outOfStep, before, unreadable, half] = customers;
	if (!ready || !outOfStep || !before || !unreadable || !half) throw new Error('There are too few customers.');
	const api = new ApiClient(service, service.clients.reseller);
	const repeat = new Map<string, Array<[email: string, campaigns: string[]]>>();
	for (const { companyResourceId: id } of customers) {
		// The clicks of one simulator will be refused for one customer.
		const clicks = await clicksOf(api.for(id), id === half.companyResourceId ? SIMULATORS.slice(1) : SIMULATORS);
		repeat.set(
			id,
			[...clicks].filter(([, campaigns]) => campaigns.length >= 2),
		);
	}
	const peopleOf = ({ companyResourceId: id }: typeof ready): number => repeat.get(id)?.length ?? 0;
	for (const [company, more] of [
		[ready, 0],
		[before, 0],
		[unreadable, 0],
		[outOfStep, 1],
	] as const) {
		const { targetGroups, users } = service.state.of(company.companyResourceId);
		const userResourceIds = users.slice(0, peopleOf(company) + more).map(({ resourceId }) => resourceId);
		const group = { name: GROUP, resourceId: `group-${company.companyResourceId}`, userResourceIds };
		for (const first of targetGroups.slice(0, 1))
			targetGroups.push({ ...first, ...group, userCount: userResourceIds.length });
	}
	const [old] = service.state.of(before.companyResourceId).enrollments;
	if (old) old.name = THIS_MONTH;
	// Both lists of those who clicked: that of a job, and that of the whole campaign.
	for (const list of ['{searchType}/search/{resourceId}/{instanceGroup}', 'search-email-clicked/{resourceId}'])
		refuse(half, `${jobs('phishing')}/${list}`);
	refuse(unreadable, 'POST /api/trainings/search');
	service.clearLog();

	await run({ onlyCustomers: WORD });

	const { files, header, rows } = await sheetIn(folder);
	const columns = ['Customer', 'Customer ID', 'Person', 'E-Mail', 'Campaigns', 'Which'];
	same('one Excel file with the six columns', [files.length, header], [1, columns]);
	const which = (names: string[]) => sorted([...new Set(names)]).join();
	const expected = [...repeat].flatMap(([id, people]) =>
		people.map(([email, campaigns]) => [id, email, campaigns.length, which(campaigns)]),
	);
	same(
		`${expected.length} people of ${customers.length} customers who clicked in two campaigns or more, with which`,
		sorted(rows.map((row) => [row['Customer ID'], row['E-Mail'], row.Campaigns, which(String(row.Which).split(', '))])),
		sorted(expected),
	);
	const made = () => service.state.enrollments.filter(({ seeded }) => !seeded);
	const training = service.state.trainings.find(({ trainingName }) => trainingName === 'Phishing Essentials');
	same(
		'one group was enrolled: of the customer whose group is in step, in the training, sent once, due in 14 days',
		made().map(({ companyResourceId, name, trainingId, targetGroupResourceIds, sendCount, dueDate }) => {
			const days = Math.round((Date.parse(dueDate ?? '') - Date.now()) / 86_400_000);
			return [companyResourceId, name, trainingId, targetGroupResourceIds, sendCount, days];
		}),
		[[ready.companyResourceId, THIS_MONTH, training?.trainingId, [`group-${ready.companyResourceId}`], 1, 14]],
	);

	const lineOf = ({ companyName }: typeof ready): string =>
		linesOf('Repeat clickers\n')
			.find((line) => line.startsWith(`- ${companyName}: `))
			?.split(': ')
			.slice(1)
			.join(': ') ?? '';
	const concerned = customers.filter((company) => peopleOf(company) > 0);
	same(
		`the chat has a line for each of the ${concerned.length} customers concerned`,
		linesOf('Repeat clickers\n').length,
		concerned.length,
	);
	const [people, others] = [peopleOf(ready), peopleOf(outOfStep)];
	same('enrolled, out of step, enrolled before', [ready, outOfStep, before].map(lineOf), [
		`${people} people, enrolled`,
		`${others} people, not enrolled: the group has ${others + 1} people, but the file has ${others}: make the group equal to the file`,
		`${peopleOf(before)} people, enrolled before: ${THIS_MONTH}`,
	]);
	same('the one whose trainings are refused is named with 403', /not enrolled: .*403/.test(lineOf(unreadable)), true);
	none(
		'those without the group are told',
		concerned.slice(4).filter((company) => !lineOf(company).endsWith(`there is no target group called ${GROUP}`)),
	);
	const problems = linesOf('Repeat clickers: could not be read');
	const isTold = (line: string) => line.startsWith(`- ${half.companyName}: `) && line.includes('403');
	same('whose clicks could not be read is told, and why', [problems.length > 0, problems.every(isTold)], [true, true]);

	inbox.clear();
	await run({ onlyCustomers: WORD });
	await until('told again', () => texts().some((text) => text.startsWith('Repeat clickers\n')));
	const again = `${people} people, enrolled before: ${THIS_MONTH}`;
	same('a second run enrolls nobody again', [made().length, lineOf(ready)], [1, again]);
});
