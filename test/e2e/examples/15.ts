import type { Company } from '../../stand-in/seed';
import { checkExample, sorted, type Scene } from './check';
import { clickersOf, clicksOf, enrolledSince } from './clicks';
import { isManaged } from './customers';
import { startMailbox } from './mailbox';

/** In the names of more than forty customers. */
const WORD = 'Partners';
const TABLE = 'Security Awareness Remedial Trainings';
const SETTINGS = { onlyCustomers: WORD, days: 36_500 };
const BOSS = 'boss@example.com';
const GONE = 'gone@example.com';

checkExample(15, async (scene) => {
	const mailbox = await startMailbox();
	mailbox.refuse(GONE);
	const smtp = { host: '127.0.0.1', port: mailbox.port, secure: false, disableStartTls: true, user: '', password: '' };
	const credential = await scene.client.createCredential('SMTP account', 'smtp', smtp);
	try {
		await check(scene, mailbox.read);
	} finally {
		await scene.client.deleteCredential(credential);
		mailbox.close();
	}
});

async function check({ service, run, rowsOf, texts, same }: Scene, mails: () => string[]): Promise<void> {
	const { state } = service;
	const customers = state.companies.filter((company) => isManaged(company, WORD));
	same('forty customers or more', customers.length >= 40, true);
	const clickers = new Map<Company, string[]>();
	for (const company of customers) clickers.set(company, clickersOf(await clicksOf(service, company, ['phishing'])));
	const peopleOf = (company: Company) => clickers.get(company) ?? [];
	const [fresh, refusing, unread, left, unsent] = customers.filter((company) => peopleOf(company).length > 2);
	if (!fresh || !refusing || !unread || !left || !unsent) throw new Error('There are too few customers with clicks.');

	const [first = '', second = ''] = peopleOf(fresh);
	for (const [email, managerEmail] of [
		[first, BOSS],
		[second, GONE],
	]) {
		const person = state.of(fresh.companyResourceId).users.find((user) => user.email.toLowerCase() === email);
		state.note(person?.resourceId ?? '', { managerEmail });
	}
	// Somebody who clicked and is not at the customer any more.
	const { users } = state.of(left.companyResourceId);
	const [leaver = ''] = peopleOf(left);
	users.splice(
		users.findIndex(({ email }) => email.toLowerCase() === leaver),
		1,
	);
	const once = { kind: 'forbidden-company' as const, times: 1 };
	service.fault({ ...once, company: refusing.companyResourceId, route: 'POST /api/enrollments' });
	const jobs = 'POST /api/phishing-simulator/phishing-campaign-job-report/search';
	service.fault({ ...once, company: unread.companyResourceId, route: jobs });
	const send = 'POST /api/enrollments/{resourceId}/send';
	service.fault({ ...once, company: unsent.companyResourceId, route: send });

	const stay = (company: Company) => peopleOf(company).filter((email) => email !== leaver);
	const enrolled = (companies: Company[]) =>
		sorted(
			companies.flatMap((company) =>
				stay(company).length > 0
					? [[company.companyResourceId, 'Phishing Essentials', stay(company), company === unsent ? 0 : 1, 14]]
					: [],
			),
		);
	const made = enrolledSince(service);
	const text = () => texts().at(-1)?.trim().split('\n') ?? [];
	const summary = (people: number, waiting: number) =>
		`After a click: ${people} enrolled, ${waiting} wait for the next run.`;

	const dryRun = { ...SETTINGS, onlyCustomers: fresh.companyName ?? '' };
	await run(dryRun, (workflow) => ({
		...workflow,
		nodes: workflow.nodes.map((node) => (node.name === 'Enroll Them' ? { ...node, disabled: true } : node)),
	}));
	same(
		'without Enroll Them nobody is enrolled, and all wait',
		[made(), text()[0]],
		[[], summary(0, peopleOf(fresh).length)],
	);

	await run(SETTINGS);
	const done = customers.filter((company) => company !== refusing && company !== unread);
	const expected = enrolled(done);
	same(`${expected.length} customers: everybody who clicked is enrolled once, programs are not`, made(), expected);
	const groups = customers.flatMap(({ companyResourceId }) => state.of(companyResourceId).targetGroups);
	const ours = groups.filter(({ name }) => name.startsWith('After a click'));
	same('no group is left where there was no enrollment', ours.length, expected.length);
	const [figures, ...lines] = text();
	const waiting = peopleOf(refusing).length + 1;
	const people = done.filter((company) => company !== unsent).flatMap(stay).length;
	same('the chat has the figures', figures, summary(people, waiting));
	const told = waiting + stay(unsent).length + 2;
	same(
		'and a line for each that waits or was not sent, could not be read, or whose manager was not told',
		lines.length,
		told,
	);
	const said = ({ companyName }: Company, ...words: string[]) =>
		lines.some((line) => line.startsWith(`- ${companyName}`) && words.every((word) => line.includes(word)));
	same('the customer that refused is named with 403', said(refusing, '403'), true);
	same('so is the one that could not be read', said(unread, 'could not be read', '403'), true);
	same('who is not there any more is named', said(left, leaver, 'nobody with this address'), true);
	same(
		'what was created and not sent has its ID',
		said(unsent, 'not sent', 'the enrollment was created with the ID'),
		true,
	);
	same('and the manager who is not', said(fresh, second, GONE, '550'), true);
	const about = mails().map((mail) => [mail.includes(BOSS), mail.includes(first), mail.includes(second)]);
	same('the other manager has one mail, about one person', about, [[true, true, false]]);
	const count = async (wanted: string) => (await rowsOf(TABLE)).filter(({ outcome }) => outcome === wanted).length;
	same(
		'the table has who is enrolled, and who waits',
		[await count('enrolled'), await count('waits')],
		[people, waiting],
	);

	await run(SETTINGS);
	same('the second run enrolls those that had failed, and nobody twice', made(), enrolled([refusing, unread]));
	const failed = [refusing, unread].flatMap(stay).length;
	same('who is not there any more still waits', text()[0], summary(failed, 1));
	same('the table has all', [await count('enrolled'), await count('waits')], [people + failed, 1]);

	await run(SETTINGS);
	same('the third one enrolls nobody, and says so', [made(), text()[0]], [[], summary(0, 1)]);

	const campaigns = state.of(fresh.companyResourceId).campaigns('phishing');
	const old = campaigns.find(
		({ excludeFromReports, instanceGroups }) => !excludeFromReports && instanceGroups.length > 0,
	);
	if (!old) throw new Error('The customer has no campaign.');
	campaigns.push({ ...old, resourceId: 'anotherOne1', name: 'Another One', instanceGroups: [1] });
	const clicks = await clicksOf(service, fresh, ['phishing']);
	const again = clickersOf(clicks.filter(({ campaignId }) => campaignId === 'anotherOne1'));
	await run(SETTINGS);
	const other = [[fresh.companyResourceId, 'Phishing Essentials', again, 1, 14]];
	same(`a click in another simulation is another training, for ${again.length}`, made(), other);
	same('and another mail where a manager is there', mails().length, again.includes(first) ? 2 : 1);
}
