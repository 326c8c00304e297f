import { SIMULATORS } from '../../stand-in/profile';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison } from './registerCheck';
import { listClickers, fetchClicks, createEnrollmentReader } from './clicks';
import { isManaged } from './customers';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
const TABLE_NAME = 'Security Awareness Repeat Clickers';
const SETTINGS = { onlyCustomers: NAME_FRAGMENT, days: 36_500 };

registerCheck(6, async ({ service, runExample, readTableRows, getChatTexts, refuseCompany, expectEqual }) => {
	const { world } = service;
	const customers = world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	expectEqual('there are at least forty customers', customers.length >= 40, true);
	const repeatClickersByCustomer = new Map<Company, string[]>();
	for (const company of customers)
		repeatClickersByCustomer.set(company, listClickers(await fetchClicks(service, company), 2));
	const getRepeatClickers = (company: Company) => repeatClickersByCustomer.get(company) ?? [];
	const [normalCustomer, refusingCustomer, partlyRefusedCustomer, customerWithLeaver] = customers.filter(
		(company) => getRepeatClickers(company).length > 1,
	);
	if (!normalCustomer || !refusingCustomer || !partlyRefusedCustomer || !customerWithLeaver)
		throw new Error('There are too few customers with repeat clickers.');

	// A person has clicked and has then left the customer.
	const { users } = world.getCompanyData(customerWithLeaver.companyResourceId);
	const [leaver = ''] = getRepeatClickers(customerWithLeaver);
	users.splice(
		users.findIndex(({ email }) => email.toLowerCase() === leaver),
		1,
	);
	const getPresentClickers = (company: Company) => getRepeatClickers(company).filter((email) => email !== leaver);
	// The service refuses one simulator for one customer. The clicks of the other simulators still count.
	repeatClickersByCustomer.set(
		partlyRefusedCustomer,
		listClickers(await fetchClicks(service, partlyRefusedCustomer, SIMULATORS.slice(1)), 2),
	);
	refuseCompany(partlyRefusedCustomer, 'POST /api/phishing-simulator/phishing-campaign-job-report/search');
	const oneRefusal = { kind: 'forbidden-company' as const, times: 1 };
	service.addFault({
		...oneRefusal,
		companyId: refusingCustomer.companyResourceId,
		route: 'POST /api/trainings/search',
	});
	const buildExpectedEnrollments = (companies: Company[]) =>
		sortForComparison(
			companies
				.filter((company) => getPresentClickers(company).length > 0)
				.map((company) => [company.companyResourceId, 'Phishing Essentials', getPresentClickers(company), 1, 14]),
		);
	const readNewEnrollments = createEnrollmentReader(service);
	const getLastLines = () => getChatTexts().at(-1)?.trim().split('\n') ?? [];
	const formatSummary = (enrolledCount: number, waitingCount: number) =>
		`Repeat clickers: ${enrolledCount} enrolled, ${waitingCount} wait for the next run.`;

	await runExample(SETTINGS);
	const finishedCustomers = customers.filter((company) => company !== refusingCustomer);
	const firstRunEnrollments = buildExpectedEnrollments(finishedCustomers);
	expectEqual(
		`${firstRunEnrollments.length} customers: people who clicked in at least two campaigns are enrolled once`,
		readNewEnrollments(),
		firstRunEnrollments,
	);
	const groups = customers.flatMap(({ companyResourceId }) => world.getCompanyData(companyResourceId).targetGroups);
	const createdGroups = groups.filter(({ name }) => name.startsWith('Repeat Clickers'));
	expectEqual(
		'each enrollment has a separate group, and there are no other groups',
		createdGroups.length,
		firstRunEnrollments.length,
	);
	const [summaryLine, ...lines] = getLastLines();
	const expectedWaitingCount = getRepeatClickers(refusingCustomer).length + 1;
	const expectedEnrolledCount = finishedCustomers.flatMap(getPresentClickers).length;
	expectEqual(
		'the chat message has the figures',
		summaryLine,
		formatSummary(expectedEnrolledCount, expectedWaitingCount),
	);
	expectEqual(
		'the chat message has a line for each person who waits and each customer that could not be read',
		lines.length,
		expectedWaitingCount + 1,
	);
	const hasLine = ({ companyName }: Company, ...words: string[]) =>
		lines.some((line) => line.startsWith(`- ${companyName}`) && words.every((word) => line.includes(word)));
	expectEqual('the customer whose trainings are refused is listed with 403', hasLine(refusingCustomer, '403'), true);
	expectEqual(
		'the customer whose clicks are refused is listed with 403',
		hasLine(partlyRefusedCustomer, 'could not be read', '403'),
		true,
	);
	expectEqual(
		'the person who has left is listed',
		hasLine(customerWithLeaver, leaver, 'nobody with this address'),
		true,
	);
	const rows = await readTableRows(TABLE_NAME);
	const normalCustomerClicks = await fetchClicks(service, normalCustomer);
	const listCampaignNames = (email: string) =>
		sortForComparison([
			...new Set(normalCustomerClicks.filter((click) => click.email === email).map(({ campaignName }) => campaignName)),
		]);
	const countCampaigns = (email: string) =>
		new Set(normalCustomerClicks.filter((click) => click.email === email).map(({ campaignId }) => campaignId)).size;
	expectEqual(
		'the table has the number of campaigns and their names',
		sortForComparison(
			rows
				.filter(({ customer }) => customer === normalCustomer.companyName)
				.map((row) => [row.email, row.times, sortForComparison(String(row.campaigns).split(', '))]),
		),
		sortForComparison(
			getRepeatClickers(normalCustomer).map((email) => [
				email,
				String(countCampaigns(email)),
				listCampaignNames(email),
			]),
		),
	);

	await runExample(SETTINGS);
	expectEqual(
		'the second run enrolls the people of failed customers, and nobody twice',
		readNewEnrollments(),
		buildExpectedEnrollments([refusingCustomer]),
	);
	await runExample(SETTINGS);
	expectEqual(
		'the third run enrolls nobody, and the chat message says so',
		[readNewEnrollments(), getLastLines()[0]],
		[[], formatSummary(0, 1)],
	);

	const campaigns = world.getCompanyData(normalCustomer.companyResourceId).getCampaigns('quishing');
	const existingCampaign = campaigns.find(
		({ excludeFromReports, instanceGroups }) => !excludeFromReports && instanceGroups.length > 0,
	);
	if (!existingCampaign) throw new Error('The customer has no campaign.');
	campaigns.push({ ...existingCampaign, resourceId: 'anotherOne1', name: 'Another One', instanceGroups: [1] });
	const clicksWithNewCampaign = await fetchClicks(service, normalCustomer);
	const newClickers = listClickers(clicksWithNewCampaign.filter(({ campaignId }) => campaignId === 'anotherOne1'));
	await runExample(SETTINGS);
	const newRepeatClickers = listClickers(clicksWithNewCampaign, 2).filter((email) => newClickers.includes(email));
	const expectedEnrollments = [[normalCustomer.companyResourceId, 'Phishing Essentials', newRepeatClickers, 1, 14]];
	expectEqual(
		`after another click, ${newRepeatClickers.length} repeat clickers are enrolled again`,
		readNewEnrollments(),
		expectedEnrollments,
	);
});
