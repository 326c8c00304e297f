import { SIMULATORS, type Simulator } from '../../stand-in/personality';
import { page, ApiClient } from '../../stand-in/apiClient';
import type { Company } from '../../stand-in/seed';
import { checkExample, sheetIn, sorted } from './check';
import { isManaged, rowsOf } from './customers';

const WORD = 'Bakery';
const GROUP = 'Repeat Clickers';
const THIS_MONTH = `${GROUP} ${new Date().toISOString().slice(0, 7)}`;
const DAY = 86_400_000;

const jobs = (simulator: Simulator) => `POST /api/${simulator}-simulator/${simulator}-campaign-job-report` as const;

/** Which humans clicked in which campaigns, asked of the service as a person would: e-mail address → names of campaigns. */
async function clicksOf(api: ApiClient, simulators: readonly Simulator[]): Promise<Map<string, string[]>> {
	const clicks = new Map<string, Map<string, string>>();
	for (const simulator of simulators) {
		const runs = rowsOf((await api.ask(`${jobs(simulator)}/search`, page({ pageSize: 1000, orderBy: 'Name' }))).data);
		for (const { [`${simulator}CampaignResourceId`]: id, instanceGroup, name } of runs) {
			const path = `${jobs(simulator)}/Clicked/search/${String(id)}/${String(instanceGroup)}`;
			const clicked = await api.ask(path, page({ pageSize: 1000, orderBy: 'Email', activityType: 0 }));
			for (const email of rowsOf(clicked.data).map((person) => String(person.email))) {
				const campaigns = clicks.get(email) ?? new Map<string, string>();
				clicks.set(email, campaigns.set(String(id), `${String(name)} (${simulator})`));
			}
		}
	}
	return new Map([...clicks].map(([email, campaigns]) => [email, [...campaigns.values()]]));
}

checkExample(6, async ({ service, inbox, folder, run, refuse, linesOf, same }) => {
	const customers = service.state.companies.filter((company) => isManaged(company, WORD));
	const [fresh, outOfStep, before, unreadable, half, synced] = customers;
	if (!fresh || !outOfStep || !before || !unreadable || !half || !synced)
		throw new Error('There are too few customers.');
	const api = new ApiClient(service, service.clients.reseller);
	const repeat = new Map<Company, Array<[email: string, campaigns: string[]]>>();
	for (const company of customers) {
		// The clicks of one simulator will be refused for one customer.
		const simulators = company === half ? SIMULATORS.slice(1) : SIMULATORS;
		const clicks = await clicksOf(api.for(company.companyResourceId), simulators);
		repeat.set(
			company,
			[...clicks].filter(([, campaigns]) => campaigns.length >= 2),
		);
	}
	const peopleOf = (company: Company) => sorted((repeat.get(company) ?? []).map(([email]) => email));
	const holdings = (company: Company) => service.state.of(company.companyResourceId);
	const groupOf = (company: Company) => holdings(company).targetGroups.find(({ name }) => name === GROUP);
	const membersOf = (company: Company) =>
		holdings(company).users.flatMap(({ resourceId, email }) =>
			groupOf(company)?.userResourceIds.includes(resourceId) ? [email] : [],
		);
	for (const company of [outOfStep, before, synced]) {
		const { targetGroups, users } = holdings(company);
		const [clicker, ...others] = peopleOf(company);
		// One of those who clicked is in it, and everybody who did not.
		const userResourceIds = users.filter(({ email }) => !others.includes(email)).map(({ resourceId }) => resourceId);
		const group = { name: GROUP, resourceId: `group-${company.companyResourceId}`, userResourceIds };
		for (const first of targetGroups.slice(0, 1))
			targetGroups.push({ ...first, ...group, isScimGroup: company === synced && clicker !== undefined });
	}
	const [old] = holdings(before).enrollments;
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
	const expected = [...repeat].flatMap(([{ companyResourceId: id }, people]) =>
		people.map(([email, campaigns]) => [id, email.toLowerCase(), campaigns.length, which(campaigns)]),
	);
	same('somebody clicked in several campaigns', expected.length > 0, true);
	same(
		`${expected.length} people of ${customers.length} customers who clicked in two campaigns or more, with which`,
		sorted(rows.map((row) => [row['Customer ID'], row['E-Mail'], row.Campaigns, which(String(row.Which).split(', '))])),
		sorted(expected),
	);
	const concerned = customers.filter((company) => peopleOf(company).length > 0);
	const handled = concerned.filter((company) => company !== unreadable && company !== synced);
	same(
		`the groups of ${handled.length} customers have exactly these people, also where it was missing or had others`,
		handled.map((company) => sorted(membersOf(company))),
		handled.map(peopleOf),
	);
	const made = () => service.state.enrollments.filter(({ seeded }) => !seeded);
	const training = service.state.trainings.find(({ trainingName }) => trainingName === 'Phishing Essentials');
	const enrolled = handled.filter((company) => company !== before);
	same(
		`${enrolled.length} groups were enrolled in the training, each sent once, due in 14 days`,
		sorted(
			made().map(({ companyResourceId, name, trainingId, targetGroupResourceIds, sendCount, dueDate }) => {
				const days = Math.round((Date.parse(dueDate ?? '') - Date.now()) / DAY);
				return [companyResourceId, name, trainingId, targetGroupResourceIds, sendCount, days];
			}),
		),
		sorted(
			enrolled.map((company) => [
				...[company.companyResourceId, THIS_MONTH, training?.trainingId, [groupOf(company)?.resourceId], 1, 14],
			]),
		),
	);
	same('where the training could not be read, no group is made', groupOf(unreadable), undefined);

	const lineOf = ({ companyName }: Company): string =>
		linesOf('Repeat clickers\n')
			.find((line) => line.startsWith(`- ${companyName}: `))
			?.split(': ')
			.slice(1)
			.join(': ') ?? '';
	same(
		`the chat has a line for each of the ${concerned.length} customers concerned`,
		linesOf('Repeat clickers\n').length,
		concerned.length,
	);
	same('enrolled, enrolled, enrolled before', [fresh, outOfStep, before].map(lineOf), [
		`${peopleOf(fresh).length} people, enrolled`,
		`${peopleOf(outOfStep).length} people, enrolled`,
		`${peopleOf(before).length} people, enrolled before: ${THIS_MONTH}`,
	]);
	same('the one whose trainings are refused is named with 403', /not enrolled: .*403/.test(lineOf(unreadable)), true);
	same('so is the one whose group takes nobody by hand', /not enrolled: .*400/.test(lineOf(synced)), true);
	const problems = linesOf('Repeat clickers: could not be read');
	const isTold = (line: string) => line.startsWith(`- ${half.companyName}: `) && line.includes('403');
	same('whose clicks could not be read is told, and why', [problems.length > 0, problems.every(isTold)], [true, true]);

	inbox.clear();
	await run({ onlyCustomers: WORD });
	const again = `${peopleOf(fresh).length} people, enrolled before: ${THIS_MONTH}`;
	same('a second run enrolls nobody again', [made().length, lineOf(fresh)], [enrolled.length, again]);

	service.clearLog();
	await run({ onlyCustomers: fresh.companyName ?? '', jobs: 1 });
	const [newest] = holdings(fresh)
		.campaigns('quishing')
		.filter(({ status }) => status !== 'Scheduled')
		.flatMap(({ resourceId, instanceGroups, createTime }) =>
			instanceGroups.map((group) => ({ at: Date.parse(createTime) + group * DAY, job: `${resourceId}/${group}` })),
		)
		.sort((one, other) => other.at - one.at);
	const asked = service.requests(`${jobs('quishing')}/{searchType}/search/{resourceId}/{instanceGroup}`);
	same(
		'with one job it is the newest',
		asked.map(({ path }) => path.split('/').slice(-2).join('/')),
		[newest?.job],
	);
});
