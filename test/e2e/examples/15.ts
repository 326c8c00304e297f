import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, type ExampleContext } from './check';
import { listClickers, fetchClicks, createEnrollmentReader } from './clicks';
import { isManaged } from './customers';
import { startMailbox } from './mailbox';

/** In the names of more than forty customers. */
const NAME_PART = 'Partners';
const TABLE = 'Security Awareness Remedial Trainings';
const SETTINGS = { onlyCustomers: NAME_PART, days: 36_500 };
const BOSS = 'boss@example.com';
const GONE = 'gone@example.com';

registerCheck(15, async (example) => {
	const mailbox = await startMailbox();
	mailbox.refuseAddresses(GONE);
	const smtp = { host: '127.0.0.1', port: mailbox.port, secure: false, disableStartTls: true, user: '', password: '' };
	const credential = await example.client.createCredential('SMTP account', 'smtp', smtp);
	try {
		await checkRemedialTrainings(example, mailbox.readEmails);
	} finally {
		await example.client.deleteCredential(credential);
		mailbox.close();
	}
});

async function checkRemedialTrainings(
	{ service, runExample, readTableRows, getChatTexts, expectEqual }: ExampleContext,
	readMails: () => string[],
): Promise<void> {
	const { world } = service;
	const customers = world.companies.filter((company) => isManaged(company, NAME_PART));
	expectEqual('forty customers or more', customers.length >= 40, true);
	const clickers = new Map<Company, string[]>();
	for (const company of customers)
		clickers.set(company, listClickers(await fetchClicks(service, company, ['phishing'])));
	const getClickers = (company: Company) => clickers.get(company) ?? [];
	const [fresh, refusing, unread, left, unsent] = customers.filter((company) => getClickers(company).length > 2);
	if (!fresh || !refusing || !unread || !left || !unsent) throw new Error('There are too few customers with clicks.');

	const [first = '', second = ''] = getClickers(fresh);
	for (const [email, managerEmail] of [
		[first, BOSS],
		[second, GONE],
	]) {
		const person = world
			.getCompanyData(fresh.companyResourceId)
			.users.find((user) => user.email.toLowerCase() === email);
		world.addNote(person?.resourceId ?? '', { managerEmail });
	}
	// Somebody who clicked and is not at the customer any more.
	const { users } = world.getCompanyData(left.companyResourceId);
	const [leaver = ''] = getClickers(left);
	users.splice(
		users.findIndex(({ email }) => email.toLowerCase() === leaver),
		1,
	);
	const once = { kind: 'forbidden-company' as const, times: 1 };
	service.addFault({ ...once, companyId: refusing.companyResourceId, route: 'POST /api/enrollments' });
	const jobs = 'POST /api/phishing-simulator/phishing-campaign-job-report/search';
	service.addFault({ ...once, companyId: unread.companyResourceId, route: jobs });
	const send = 'POST /api/enrollments/{resourceId}/send';
	service.addFault({ ...once, companyId: unsent.companyResourceId, route: send });

	const getPresentClickers = (company: Company) => getClickers(company).filter((email) => email !== leaver);
	const buildExpectedEnrollments = (companies: Company[]) =>
		sortForComparison(
			companies.flatMap((company) =>
				getPresentClickers(company).length > 0
					? [
							[
								company.companyResourceId,
								'Phishing Essentials',
								getPresentClickers(company),
								company === unsent ? 0 : 1,
								14,
							],
						]
					: [],
			),
		);
	const readNewEnrollments = createEnrollmentReader(service);
	const getLastLines = () => getChatTexts().at(-1)?.trim().split('\n') ?? [];
	const formatSummary = (people: number, waiting: number) =>
		`After a click: ${people} enrolled, ${waiting} wait for the next run.`;

	const dryRun = { ...SETTINGS, onlyCustomers: fresh.companyName ?? '' };
	await runExample(dryRun, (workflow) => ({
		...workflow,
		nodes: workflow.nodes.map((node) => (node.name === 'Enroll Them' ? { ...node, disabled: true } : node)),
	}));
	expectEqual(
		'without Enroll Them nobody is enrolled, and all wait',
		[readNewEnrollments(), getLastLines()[0]],
		[[], formatSummary(0, getClickers(fresh).length)],
	);

	await runExample(SETTINGS);
	const done = customers.filter((company) => company !== refusing && company !== unread);
	const expected = buildExpectedEnrollments(done);
	expectEqual(
		`${expected.length} customers: everybody who clicked is enrolled once, programs are not`,
		readNewEnrollments(),
		expected,
	);
	const groups = customers.flatMap(({ companyResourceId }) => world.getCompanyData(companyResourceId).targetGroups);
	const ours = groups.filter(({ name }) => name.startsWith('After a click'));
	expectEqual('no group is left where there was no enrollment', ours.length, expected.length);
	const [figures, ...lines] = getLastLines();
	const waiting = getClickers(refusing).length + 1;
	const people = done.filter((company) => company !== unsent).flatMap(getPresentClickers).length;
	expectEqual('the chat has the figures', figures, formatSummary(people, waiting));
	const told = waiting + getPresentClickers(unsent).length + 2;
	expectEqual(
		'and a line for each that waits or was not sent, could not be read, or whose manager was not told',
		lines.length,
		told,
	);
	const hasLine = ({ companyName }: Company, ...words: string[]) =>
		lines.some((line) => line.startsWith(`- ${companyName}`) && words.every((word) => line.includes(word)));
	expectEqual('the customer that refused is named with 403', hasLine(refusing, '403'), true);
	expectEqual('so is the one that could not be read', hasLine(unread, 'could not be read', '403'), true);
	expectEqual('who is not there any more is named', hasLine(left, leaver, 'nobody with this address'), true);
	expectEqual(
		'what was created and not sent has its ID',
		hasLine(unsent, 'not sent', 'the enrollment was created with the ID'),
		true,
	);
	expectEqual('and the manager who is not', hasLine(fresh, second, GONE, '550'), true);
	const about = readMails().map((mail) => [mail.includes(BOSS), mail.includes(first), mail.includes(second)]);
	expectEqual('the other manager has one mail, about one person', about, [[true, true, false]]);
	const countRows = async (wanted: string) =>
		(await readTableRows(TABLE)).filter(({ outcome }) => outcome === wanted).length;
	expectEqual(
		'the table has who is enrolled, and who waits',
		[await countRows('enrolled'), await countRows('waits')],
		[people, waiting],
	);

	await runExample(SETTINGS);
	expectEqual(
		'the second run enrolls those that had failed, and nobody twice',
		readNewEnrollments(),
		buildExpectedEnrollments([refusing, unread]),
	);
	const failed = [refusing, unread].flatMap(getPresentClickers).length;
	expectEqual('who is not there any more still waits', getLastLines()[0], formatSummary(failed, 1));
	expectEqual('the table has all', [await countRows('enrolled'), await countRows('waits')], [people + failed, 1]);

	await runExample(SETTINGS);
	expectEqual(
		'the third one enrolls nobody, and says so',
		[readNewEnrollments(), getLastLines()[0]],
		[[], formatSummary(0, 1)],
	);

	const campaigns = world.getCompanyData(fresh.companyResourceId).getCampaigns('phishing');
	const old = campaigns.find(
		({ excludeFromReports, instanceGroups }) => !excludeFromReports && instanceGroups.length > 0,
	);
	if (!old) throw new Error('The customer has no campaign.');
	campaigns.push({ ...old, resourceId: 'anotherOne1', name: 'Another One', instanceGroups: [1] });
	const clicks = await fetchClicks(service, fresh, ['phishing']);
	const again = listClickers(clicks.filter(({ campaignId }) => campaignId === 'anotherOne1'));
	await runExample(SETTINGS);
	const other = [[fresh.companyResourceId, 'Phishing Essentials', again, 1, 14]];
	expectEqual(`a click in another simulation is another training, for ${again.length}`, readNewEnrollments(), other);
	expectEqual('and another mail where a manager is there', readMails().length, again.includes(first) ? 2 : 1);
}
