import { SIMULATORS } from '../../stand-in/personality';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sort } from './check';
import { listClickers, fetchClicks, createEnrollmentReader } from './clicks';
import { isManaged } from './customers';

/** In the names of more than forty customers. */
const WORD = 'Partners';
const TABLE = 'Security Awareness Repeat Clickers';
const SETTINGS = { onlyCustomers: WORD, days: 36_500 };

registerCheck(6, async ({ service, runExample: run, readTableRows: rowsOf, getChatTexts: texts, refuseCompany: refuse, expectEqual: same }) => {
	const { state } = service;
	const customers = state.companies.filter((company) => isManaged(company, WORD));
	same('forty customers or more', customers.length >= 40, true);
	const repeat = new Map<Company, string[]>();
	for (const company of customers) repeat.set(company, listClickers(await fetchClicks(service, company), 2));
	const getRepeatClickers = (company: Company) => repeat.get(company) ?? [];
	const [fresh, refusing, half, left] = customers.filter((company) => getRepeatClickers(company).length > 1);
	if (!fresh || !refusing || !half || !left) throw new Error('There are too few customers with repeat clickers.');

	// Somebody who clicked and is not at the customer any more.
	const { users } = state.getCompanyData(left.companyResourceId);
	const [leaver = ''] = getRepeatClickers(left);
	users.splice(
		users.findIndex(({ email }) => email.toLowerCase() === leaver),
		1,
	);
	const getPresentClickers = (company: Company) => getRepeatClickers(company).filter((email) => email !== leaver);
	// One simulator is refused for one customer: what the others tell counts.
	repeat.set(half, listClickers(await fetchClicks(service, half, SIMULATORS.slice(1)), 2));
	refuse(half, 'POST /api/phishing-simulator/phishing-campaign-job-report/search');
	const once = { kind: 'forbidden-company' as const, times: 1 };
	service.addFault({ ...once, companyId: refusing.companyResourceId, route: 'POST /api/trainings/search' });
	const buildExpectedEnrollments = (companies: Company[]) =>
		sort(
			companies.flatMap((company) =>
				getPresentClickers(company).length > 0 ? [[company.companyResourceId, 'Phishing Essentials', getPresentClickers(company), 1, 14]] : [],
			),
		);
	const readNewEnrollments = createEnrollmentReader(service);
	const getLastLines = () => texts().at(-1)?.trim().split('\n') ?? [];
	const formatSummary = (people: number, waiting: number) =>
		`Repeat clickers: ${people} enrolled, ${waiting} wait for the next run.`;

	await run(SETTINGS);
	const done = customers.filter((company) => company !== refusing);
	const expected = buildExpectedEnrollments(done);
	same(`${expected.length} customers: who clicked in two campaigns or more is enrolled once`, readNewEnrollments(), expected);
	const groups = customers.flatMap(({ companyResourceId }) => state.getCompanyData(companyResourceId).targetGroups);
	const ours = groups.filter(({ name }) => name.startsWith('Repeat Clickers'));
	same('each by a group of its own, and there is no other', ours.length, expected.length);
	const [figures, ...lines] = getLastLines();
	const waiting = getRepeatClickers(refusing).length + 1;
	const people = done.flatMap(getPresentClickers).length;
	same('the chat has the figures', figures, formatSummary(people, waiting));
	same('and a line for each that waits or could not be read', lines.length, waiting + 1);
	const hasLine = ({ companyName }: Company, ...words: string[]) =>
		lines.some((line) => line.startsWith(`- ${companyName}`) && words.every((word) => line.includes(word)));
	same('the one whose trainings are refused is named with 403', hasLine(refusing, '403'), true);
	same('so is the one whose clicks are', hasLine(half, 'could not be read', '403'), true);
	same('and who is not there any more', hasLine(left, leaver, 'nobody with this address'), true);
	const rows = await rowsOf(TABLE);
	const clicks = await fetchClicks(service, fresh);
	const listCampaignNames = (email: string) =>
		sort([...new Set(clicks.filter((click) => click.email === email).map(({ campaign }) => campaign))]);
	const countCampaigns = (email: string) =>
		new Set(clicks.filter((click) => click.email === email).map(({ campaignId }) => campaignId)).size;
	same(
		'the table has in how many campaigns, and in which',
		sort(
			rows
				.filter(({ customer }) => customer === fresh.companyName)
				.map((row) => [row.email, row.times, sort(String(row.campaigns).split(', '))]),
		),
		sort(getRepeatClickers(fresh).map((email) => [email, String(countCampaigns(email)), listCampaignNames(email)])),
	);

	await run(SETTINGS);
	same('the second run enrolls those that had failed, and nobody twice', readNewEnrollments(), buildExpectedEnrollments([refusing]));
	await run(SETTINGS);
	same('the third one enrolls nobody, and says so', [readNewEnrollments(), getLastLines()[0]], [[], formatSummary(0, 1)]);

	const campaigns = state.getCompanyData(fresh.companyResourceId).getCampaigns('quishing');
	const old = campaigns.find(
		({ excludeFromReports, instanceGroups }) => !excludeFromReports && instanceGroups.length > 0,
	);
	if (!old) throw new Error('The customer has no campaign.');
	campaigns.push({ ...old, resourceId: 'anotherOne1', name: 'Another One', instanceGroups: [1] });
	const more = await fetchClicks(service, fresh);
	const again = listClickers(more.filter(({ campaignId }) => campaignId === 'anotherOne1'));
	await run(SETTINGS);
	const now = listClickers(more, 2).filter((email) => again.includes(email));
	const other = [[fresh.companyResourceId, 'Phishing Essentials', now, 1, 14]];
	same(`another click is another training, for the ${now.length} who clicked before`, readNewEnrollments(), other);
});
