import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, type ExampleContext } from './registerCheck';
import { listClickers, fetchClicks, createEnrollmentReader } from './clicks';
import { isManaged } from './customers';
import { createMailCredential, startMailbox } from './mailbox';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
const TABLE_NAME = 'Security Awareness Remedial Trainings';
const SETTINGS = { onlyCustomers: NAME_FRAGMENT, days: 36_500 };
const MANAGER_EMAIL = 'boss@example.com';
const REFUSED_EMAIL = 'gone@example.com';

registerCheck(15, async (example) => {
	const mailbox = await startMailbox();
	mailbox.refuseAddresses(REFUSED_EMAIL);
	const credential = await createMailCredential(example.client, mailbox);
	try {
		await checkRemedialTrainings(example, mailbox.readEmails);
	} finally {
		await example.client.deleteCredential(credential);
		mailbox.close();
	}
});

async function checkRemedialTrainings(
	{ service, runExample, readTableRows, getChatTexts, expectEqual }: ExampleContext,
	readEmails: () => string[],
): Promise<void> {
	const { world } = service;
	const customers = world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	expectEqual('there are at least forty customers', customers.length >= 40, true);
	const clickersByCustomer = new Map<Company, string[]>();
	for (const company of customers)
		clickersByCustomer.set(company, listClickers(await fetchClicks(service, company, ['phishing'])));
	const getClickers = (company: Company) => clickersByCustomer.get(company) ?? [];
	const [normalCustomer, refusingCustomer, unreadableCustomer, customerWithLeaver, customerWithUnsentEnrollment] =
		customers.filter((company) => getClickers(company).length > 2);
	if (
		!normalCustomer ||
		!refusingCustomer ||
		!unreadableCustomer ||
		!customerWithLeaver ||
		!customerWithUnsentEnrollment
	)
		throw new Error('There are too few customers with clicks.');

	const [firstEmail = '', secondEmail = ''] = getClickers(normalCustomer);
	for (const [email, managerEmail] of [
		[firstEmail, MANAGER_EMAIL],
		[secondEmail, REFUSED_EMAIL],
	]) {
		const person = world
			.getCompanyData(normalCustomer.companyResourceId)
			.users.find((user) => user.email.toLowerCase() === email);
		world.addNote(person?.resourceId ?? '', { managerEmail });
	}
	// A person has clicked and has then left the customer.
	const { users } = world.getCompanyData(customerWithLeaver.companyResourceId);
	const [leaver = ''] = getClickers(customerWithLeaver);
	users.splice(
		users.findIndex(({ email }) => email.toLowerCase() === leaver),
		1,
	);
	const oneRefusal = { kind: 'forbidden-company' as const, times: 1 };
	service.addFault({ ...oneRefusal, companyId: refusingCustomer.companyResourceId, route: 'POST /api/enrollments' });
	const jobsRoute = 'POST /api/phishing-simulator/phishing-campaign-job-report/search';
	service.addFault({ ...oneRefusal, companyId: unreadableCustomer.companyResourceId, route: jobsRoute });
	const sendRoute = 'POST /api/enrollments/{resourceId}/send';
	service.addFault({ ...oneRefusal, companyId: customerWithUnsentEnrollment.companyResourceId, route: sendRoute });

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
								company === customerWithUnsentEnrollment ? 0 : 1,
								14,
							],
						]
					: [],
			),
		);
	const readNewEnrollments = createEnrollmentReader(service);
	const getLastLines = () => getChatTexts().at(-1)?.trim().split('\n') ?? [];
	const formatSummary = (peopleCount: number, waitingCount: number) =>
		`After a click: ${peopleCount} enrolled, ${waitingCount} wait for the next run.`;

	const dryRunSettings = { ...SETTINGS, onlyCustomers: normalCustomer.companyName ?? '' };
	await runExample(dryRunSettings, (workflow) => ({
		...workflow,
		nodes: workflow.nodes.map((node) => (node.name === 'Enroll Them' ? { ...node, disabled: true } : node)),
	}));
	expectEqual(
		'without the node Enroll Them, nobody is enrolled, and all people wait',
		[readNewEnrollments(), getLastLines()[0]],
		[[], formatSummary(0, getClickers(normalCustomer).length)],
	);

	await runExample(SETTINGS);
	const finishedCustomers = customers.filter(
		(company) => company !== refusingCustomer && company !== unreadableCustomer,
	);
	const firstRunEnrollments = buildExpectedEnrollments(finishedCustomers);
	expectEqual(
		`${firstRunEnrollments.length} customers: all people who clicked are enrolled once, and bots are not`,
		readNewEnrollments(),
		firstRunEnrollments,
	);
	const groups = customers.flatMap(({ companyResourceId }) => world.getCompanyData(companyResourceId).targetGroups);
	const createdGroups = groups.filter(({ name }) => name.startsWith('After a click'));
	expectEqual('there are no groups without an enrollment', createdGroups.length, firstRunEnrollments.length);
	const [summaryLine, ...lines] = getLastLines();
	const waitingCount = getClickers(refusingCustomer).length + 1;
	const peopleCount = finishedCustomers
		.filter((company) => company !== customerWithUnsentEnrollment)
		.flatMap(getPresentClickers).length;
	expectEqual('the chat message has the figures', summaryLine, formatSummary(peopleCount, waitingCount));
	const expectedLineCount = waitingCount + getPresentClickers(customerWithUnsentEnrollment).length + 2;
	expectEqual(
		'the chat message has a line for each person who waits or whose enrollment was not sent, for the unreadable customer and the refused manager',
		lines.length,
		expectedLineCount,
	);
	const hasLine = ({ companyName }: Company, ...words: string[]) =>
		lines.some((line) => line.startsWith(`- ${companyName}`) && words.every((word) => line.includes(word)));
	expectEqual('the refusing customer is listed with 403', hasLine(refusingCustomer, '403'), true);
	expectEqual(
		'the unreadable customer is listed with 403',
		hasLine(unreadableCustomer, 'could not be read', '403'),
		true,
	);
	expectEqual(
		'the person who has left is listed',
		hasLine(customerWithLeaver, leaver, 'nobody with this address'),
		true,
	);
	expectEqual(
		'an enrollment that was created and not sent is listed with its ID',
		hasLine(customerWithUnsentEnrollment, 'not sent', 'the enrollment was created with the ID'),
		true,
	);
	expectEqual(
		'the manager whose email was refused is listed',
		hasLine(normalCustomer, secondEmail, REFUSED_EMAIL, '550'),
		true,
	);
	const emailSummaries = readEmails().map((email) => [
		email.includes(MANAGER_EMAIL),
		email.includes(firstEmail),
		email.includes(secondEmail),
	]);
	expectEqual('the other manager gets one email about one person', emailSummaries, [[true, true, false]]);
	const countRows = async (expectedOutcome: string) =>
		(await readTableRows(TABLE_NAME)).filter(({ outcome }) => outcome === expectedOutcome).length;
	expectEqual(
		'the table has the people who are enrolled and the people who wait',
		[await countRows('enrolled'), await countRows('waits')],
		[peopleCount, waitingCount],
	);

	await runExample(SETTINGS);
	expectEqual(
		'the second run enrolls the people of failed customers, and nobody twice',
		readNewEnrollments(),
		buildExpectedEnrollments([refusingCustomer, unreadableCustomer]),
	);
	const failedCount = [refusingCustomer, unreadableCustomer].flatMap(getPresentClickers).length;
	expectEqual('the person who has left still waits', getLastLines()[0], formatSummary(failedCount, 1));
	expectEqual(
		'the table has all people',
		[await countRows('enrolled'), await countRows('waits')],
		[peopleCount + failedCount, 1],
	);

	await runExample(SETTINGS);
	expectEqual(
		'the third run enrolls nobody, and the chat message says so',
		[readNewEnrollments(), getLastLines()[0]],
		[[], formatSummary(0, 1)],
	);

	const campaigns = world.getCompanyData(normalCustomer.companyResourceId).getCampaigns('phishing');
	const existingCampaign = campaigns.find(
		({ excludeFromReports, instanceGroups }) => !excludeFromReports && instanceGroups.length > 0,
	);
	if (!existingCampaign) throw new Error('The customer has no campaign.');
	campaigns.push({ ...existingCampaign, resourceId: 'anotherOne1', name: 'Another One', instanceGroups: [1] });
	const clicks = await fetchClicks(service, normalCustomer, ['phishing']);
	const newClickers = listClickers(clicks.filter(({ campaignId }) => campaignId === 'anotherOne1'));
	await runExample(SETTINGS);
	const expectedEnrollments = [[normalCustomer.companyResourceId, 'Phishing Essentials', newClickers, 1, 14]];
	expectEqual(
		`after a click in another simulation, ${newClickers.length} people are enrolled again`,
		readNewEnrollments(),
		expectedEnrollments,
	);
	expectEqual(
		'a manager gets another email if their person clicked again',
		readEmails().length,
		newClickers.includes(firstEmail) ? 2 : 1,
	);
}
