import { SIMULATORS } from '../../stand-in/personality';
import type { Company } from '../../stand-in/seed';
import { checkExample, sorted } from './check';
import { clickersOf, clicksOf, enrolledSince } from './clicks';
import { isManaged } from './customers';

/** In the names of more than forty customers. */
const WORD = 'Partners';
const TABLE = 'Security Awareness Repeat Clickers';
const SETTINGS = { onlyCustomers: WORD, days: 36_500 };

checkExample(6, async ({ service, run, rowsOf, texts, refuse, same }) => {
	const { state } = service;
	const customers = state.companies.filter((company) => isManaged(company, WORD));
	same('forty customers or more', customers.length >= 40, true);
	const repeat = new Map<Company, string[]>();
	for (const company of customers) repeat.set(company, clickersOf(await clicksOf(service, company), 2));
	const peopleOf = (company: Company) => repeat.get(company) ?? [];
	const [fresh, refusing, half, left] = customers.filter((company) => peopleOf(company).length > 1);
	if (!fresh || !refusing || !half || !left) throw new Error('There are too few customers with repeat clickers.');

	// Somebody who clicked and is not at the customer any more.
	const { users } = state.of(left.companyResourceId);
	const [leaver = ''] = peopleOf(left);
	users.splice(
		users.findIndex(({ email }) => email.toLowerCase() === leaver),
		1,
	);
	const stay = (company: Company) => peopleOf(company).filter((email) => email !== leaver);
	// One simulator is refused for one customer: what the others tell counts.
	repeat.set(half, clickersOf(await clicksOf(service, half, SIMULATORS.slice(1)), 2));
	refuse(half, 'POST /api/phishing-simulator/phishing-campaign-job-report/search');
	const once = { kind: 'forbidden-company' as const, times: 1 };
	service.fault({ ...once, company: refusing.companyResourceId, route: 'POST /api/trainings/search' });
	const enrolled = (companies: Company[]) =>
		sorted(
			companies.flatMap((company) =>
				stay(company).length > 0 ? [[company.companyResourceId, 'Phishing Essentials', stay(company), 1, 14]] : [],
			),
		);
	const made = enrolledSince(service);
	const text = () => texts().at(-1)?.trim().split('\n') ?? [];
	const summary = (people: number, waiting: number) =>
		`Repeat clickers: ${people} enrolled, ${waiting} wait for the next run.`;

	await run(SETTINGS);
	const done = customers.filter((company) => company !== refusing);
	const expected = enrolled(done);
	same(`${expected.length} customers: who clicked in two campaigns or more is enrolled once`, made(), expected);
	const groups = customers.flatMap(({ companyResourceId }) => state.of(companyResourceId).targetGroups);
	const ours = groups.filter(({ name }) => name.startsWith('Repeat Clickers'));
	same('each by a group of its own, and there is no other', ours.length, expected.length);
	const [figures, ...lines] = text();
	const waiting = peopleOf(refusing).length + 1;
	const people = done.flatMap(stay).length;
	same('the chat has the figures', figures, summary(people, waiting));
	same('and a line for each that waits or could not be read', lines.length, waiting + 1);
	const said = ({ companyName }: Company, ...words: string[]) =>
		lines.some((line) => line.startsWith(`- ${companyName}`) && words.every((word) => line.includes(word)));
	same('the one whose trainings are refused is named with 403', said(refusing, '403'), true);
	same('so is the one whose clicks are', said(half, 'could not be read', '403'), true);
	same('and who is not there any more', said(left, leaver, 'nobody with this address'), true);
	const rows = await rowsOf(TABLE);
	const clicks = await clicksOf(service, fresh);
	const names = (email: string) =>
		sorted([...new Set(clicks.filter((click) => click.email === email).map(({ campaign }) => campaign))]);
	const times = (email: string) =>
		new Set(clicks.filter((click) => click.email === email).map(({ campaignId }) => campaignId)).size;
	same(
		'the table has in how many campaigns, and in which',
		sorted(
			rows
				.filter(({ customer }) => customer === fresh.companyName)
				.map((row) => [row.email, row.times, sorted(String(row.campaigns).split(', '))]),
		),
		sorted(peopleOf(fresh).map((email) => [email, String(times(email)), names(email)])),
	);

	await run(SETTINGS);
	same('the second run enrolls those that had failed, and nobody twice', made(), enrolled([refusing]));
	await run(SETTINGS);
	same('the third one enrolls nobody, and says so', [made(), text()[0]], [[], summary(0, 1)]);

	const campaigns = state.of(fresh.companyResourceId).campaigns('quishing');
	const old = campaigns.find(
		({ excludeFromReports, instanceGroups }) => !excludeFromReports && instanceGroups.length > 0,
	);
	if (!old) throw new Error('The customer has no campaign.');
	campaigns.push({ ...old, resourceId: 'anotherOne1', name: 'Another One', instanceGroups: [1] });
	const more = await clicksOf(service, fresh);
	const again = clickersOf(more.filter(({ campaignId }) => campaignId === 'anotherOne1'));
	await run(SETTINGS);
	const now = clickersOf(more, 2).filter((email) => again.includes(email));
	const other = [[fresh.companyResourceId, 'Phishing Essentials', now, 1, 14]];
	same(`another click is another training, for the ${now.length} who clicked before`, made(), other);
});
