import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Company } from '../../stand-in/seed';
import { isManaged } from './customers';
import { createMailCredential, startMailbox, type Mailbox } from './mailbox';
import {
	calculateRow,
	parsePortfolio,
	prepareRecords,
	readPageRows,
	readTiles,
	removeSimulations,
	UNMEASURED,
} from './portfolios';
import { readSheetIn, registerCheck, sortForComparison, type ExampleContext } from './registerCheck';
import { ESCAPED_NAME, MALICIOUS_NAME, NAME_FRAGMENT } from './reviews';
import { saveDocument } from './saveDocument';

const RECIPIENT = 'service-desk@example.com';
const SMISHING_ROUTE = 'POST /api/smishing-simulator/smishing-campaign-job-report/search';

registerCheck(25, async (example) => {
	const mailbox = await startMailbox();
	const smtpCredential = await createMailCredential(example.client, mailbox);
	try {
		await checkPortfolio(example, mailbox);
		await checkFailures(example, mailbox);
	} finally {
		await example.client.deleteCredential(smtpCredential);
		mailbox.close();
	}
});

type SheetRow = Record<string, unknown>;

async function checkPortfolio(example: ExampleContext, mailbox: Mailbox): Promise<void> {
	const { service, folder, refuseCompany, runExample, getChatTexts, expectEqual, expectNone } = example;
	const customers = service.world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	const [unreadable, unsimulated, partlyReadable, withoutAddIns, malicious, withoutPeople, withoutEmails] = customers;
	if (!unreadable || !unsimulated || !partlyReadable || !withoutAddIns || !malicious)
		throw new Error('There are too few customers.');
	if (!withoutPeople || !withoutEmails) throw new Error('There are too few customers.');
	prepareRecords(example, customers);
	removeSimulations(example, unsimulated);
	for (const { resourceId } of service.world.getCompanyData(withoutPeople.companyResourceId).users)
		service.world.addNote(resourceId, { isActive: false });
	for (const user of service.world.getCompanyData(withoutEmails.companyResourceId).users) user.email = '';
	service.world.getCompanyData(withoutAddIns.companyResourceId).reporters = [];
	malicious.companyName = MALICIOUS_NAME;
	refuseCompany(unreadable);
	refuseCompany(partlyReadable, SMISHING_ROUTE);

	await runExample({ onlyCustomers: NAME_FRAGMENT });
	const [email = '', ...otherEmails] = mailbox.readEmails();
	const portfolio = parsePortfolio(email);
	expectEqual(
		'there is one email with a page and a sheet, to one address',
		[otherEmails.length, portfolio.to, portfolio.files.map((name) => name.replace(/\d{4}-\d\d-\d\d/, 'DATE'))],
		[0, RECIPIENT, ['portfolio-DATE.html', 'portfolio-DATE.xlsx']],
	);
	await saveDocument('portfolio.html', portfolio.page);
	await writeFile(join(folder, 'portfolio.xlsx'), portfolio.sheet);
	const { rows } = await readSheetIn(folder, 'portfolio.xlsx');
	const findRow = ({ companyResourceId: id }: Company): SheetRow => rows.find((row) => row['Customer ID'] === id) ?? {};

	const measured = customers.filter((company) => ![unreadable, partlyReadable, withoutAddIns].includes(company));
	expectNone(
		`each figure and each reason of ${measured.length} customers is the same as in the service`,
		measured.flatMap((company) => {
			const { Place: _place, 'Next steps': _steps, ...row } = findRow(company);
			const expected: SheetRow = calculateRow(example, company);
			return Object.keys({ ...row, ...expected })
				.filter((column) => row[column] !== expected[column])
				.map((column) => [company.companyName, column, row[column], expected[column]]);
		}),
	);
	expectEqual(
		'all customers are in the sheet once, the highest risk first, and those without a risk last',
		[
			sortForComparison(rows.map((row) => row['Customer ID'])),
			rows.map(({ Place }) => Place),
			rows.map((row) => row['Risk %']),
		],
		[
			sortForComparison(customers.map(({ companyResourceId }) => companyResourceId)),
			customers.map((_company, index) => index + 1),
			rows
				.map((row) => row['Risk %'])
				.sort(
					(first, second) => Number(second === UNMEASURED ? -1 : second) - Number(first === UNMEASURED ? -1 : first),
				),
		],
	);
	checkUnmeasured(example, { unreadable, unsimulated, partlyReadable, withoutAddIns }, findRow);
	expectEqual(
		'customers whose people cannot be measured have the reason and the step against it',
		[withoutPeople, withoutEmails].map(findRow).map((row) => [row.Why, row['Next steps'], row['Risk %']]),
		[
			['The customer has no active people.', 'Add people: the customer has no active people.', UNMEASURED],
			['No active person has an email address.', 'Add email addresses: no active person has one.', UNMEASURED],
		],
	);
	expectNone(
		'the next steps are sentences about the figures of the customer',
		measured.filter((company) => {
			const { 'Next steps': steps, 'People overdue': overdue } = findRow(company);
			return (
				Number(overdue) > 0 &&
				!String(steps).includes(`Remind ${Number(overdue)} `) &&
				String(steps).split('. ').length < 3
			);
		}),
	);
	checkPage(example, portfolio.page, rows, malicious);
	const risks = rows.filter((row) => row['Risk %'] !== UNMEASURED);
	const [heading = '', ...lines] = getChatTexts()[0]?.split('\n') ?? [];
	expectEqual(
		'the chat gets one message with the three highest risks and the customer that could not be read',
		[
			getChatTexts().length,
			heading,
			lines.length,
			lines[0]?.startsWith(`- ${unreadable.companyName}: could not be read: `),
		],
		[
			1,
			`Portfolio: ${customers.length} customers, risk not measured at ${customers.length - risks.length}. Highest risk: ${risks
				.slice(0, 3)
				.map((row) => `${String(row.Customer)} (${String(row['Risk %'])} %)`)
				.join(', ')}.`,
			1,
			true,
		],
	);
	expectNone(
		'the workflow only reads',
		service
			.getRequests()
			.filter(({ method, path }) => method !== 'GET' && !path.includes('search') && !path.includes('token')),
	);
}

/** Checks that figures that the platform doesn't show are not measured, and that only these are. */
function checkUnmeasured(
	{ expectEqual }: ExampleContext,
	customers: Record<'unreadable' | 'unsimulated' | 'partlyReadable' | 'withoutAddIns', Company>,
	findRow: (company: Company) => SheetRow,
): void {
	const {
		Place: _place,
		Customer: _name,
		Why: why,
		'Customer ID': _id,
		'Next steps': _steps,
		...figures
	} = findRow(customers.unreadable);
	expectEqual(
		'a customer that could not be read has its reason and no figure',
		[new Set(Object.values(figures)), /^The risk could not be read: .*403/.test(String(why))],
		[new Set([UNMEASURED]), true],
	);
	const unsimulatedRow = findRow(customers.unsimulated);
	expectEqual(
		'a customer without a simulation has no risk',
		[unsimulatedRow['Risk %'], unsimulatedRow['Reported %'], unsimulatedRow.Simulations],
		[UNMEASURED, UNMEASURED, 0],
	);
	const partlyReadableRow = findRow(customers.partlyReadable);
	expectEqual(
		'a customer whose text messages the platform does not show has no risk, but the figures of emails',
		[
			partlyReadableRow['Risk %'],
			partlyReadableRow['Simulated %'],
			partlyReadableRow['Failed text messages %'],
			typeof partlyReadableRow['Failed emails %'],
			typeof partlyReadableRow['Enrolled %'],
			String(partlyReadableRow.Why).startsWith('The platform did not show all simulations or email addresses.'),
		],
		[UNMEASURED, UNMEASURED, UNMEASURED, 'number', 'number', true],
	);
	const withoutAddInsRow = findRow(customers.withoutAddIns);
	expectEqual(
		'without a list of add-ins, it is not measured who can report',
		[withoutAddInsRow['Can report %'], withoutAddInsRow["Can't report"], typeof withoutAddInsRow['Risk %']],
		[UNMEASURED, UNMEASURED, 'number'],
	);
}

/** Checks that the page shows the figures of the sheet, and no name as HTML. */
function checkPage(
	{ expectEqual, expectNone }: ExampleContext,
	page: string,
	rows: SheetRow[],
	malicious: Company,
): void {
	const formatPercent = (value: unknown) => (value === UNMEASURED ? UNMEASURED : `${String(value)} %`);
	const formatChange = (change: unknown) => {
		if (typeof change !== 'number') return 'trend not measured';
		if (change === 0) return 'as before';
		return change > 0 ? `▲ ${change} points` : `▼ ${-change} points`;
	};
	const columns = ['Enrolled %', 'Finished %', 'Simulated %', 'Can report %'];
	const isSame = (row: SheetRow, cells: string[] = []) => {
		const figures = [String(row.Place), `${formatPercent(row['Risk %'])} ${formatChange(row['Change in points'])}`];
		const expected = [...figures, ...columns.map((column) => formatPercent(row[column]))];
		return [cells[0], ...cells.slice(2, 7)].join('|') === expected.join('|');
	};
	const pageRows = readPageRows(page);
	expectNone(
		'the page has a row for each customer, with the same figures as the sheet',
		rows
			.filter((row, index) => !isSame(row, pageRows[index]))
			.map((row) => [row.Customer, pageRows[Number(row.Place) - 1]]),
	);
	const sum = (column: string, filterColumn = column) =>
		rows.filter((row) => row[filterColumn] !== UNMEASURED).reduce((total, row) => total + Number(row[column]), 0);
	const count = (column: string, isCounted: (value: unknown) => boolean) =>
		rows.filter((row) => isCounted(row[column])).length;
	const isMeasured = (value: unknown) => value !== UNMEASURED;
	const failedPercent = Math.round((1000 * sum('Failed')) / sum('Simulations', 'Failed')) / 10;
	expectEqual('the tiles have the sums of the sheet', readTiles(page), [
		['Customers', String(rows.length), `risk not measured at ${count('Risk %', (value) => !isMeasured(value))}`],
		['Simulations failed', `${failedPercent} %`, `${sum('Failed')} of ${sum('Simulations', 'Failed')}`],
		[
			'Risk rose',
			String(count('Change in points', (value) => Number(value) > 0)),
			`fell at ${count('Change in points', (value) => Number(value) < 0)}, of ${count('Change in points', isMeasured)} compared`,
		],
		[
			'People not simulated',
			String(sum('Not simulated')),
			`at ${count('Not simulated', isMeasured)} measured customers`,
		],
		['People overdue', String(sum('People overdue')), `at ${count('People overdue', isMeasured)} measured customers`],
	]);
	expectEqual(
		'a malicious name is shown as text, and nothing is missing',
		[
			page.includes(`<div class="name">${ESCAPED_NAME}</div>`),
			/<img|\{\{|6 \* 7| 42 &#36;/.test(page),
			/undefined|NaN|null|Invalid/.test(page),
			rows.some((row) => row.Customer === malicious.companyName),
		],
		[true, false, false, true],
	);
}

/** Checks what happens without a customer, without a mail server, and without a list of customers. */
async function checkFailures(example: ExampleContext, mailbox: Mailbox): Promise<void> {
	const { service, inbox, runExample, getChatTexts, expectEqual } = example;
	const emailCount = mailbox.readEmails().length;
	service.clearFaults();
	inbox.clear();
	await runExample({ onlyCustomers: 'no such name' });
	expectEqual(
		'if no customer has the name, there is no email, and the message says so',
		[mailbox.readEmails().length - emailCount, getChatTexts()],
		[0, ['Portfolio: 0 customers. No customer has "no such name" in its name.']],
	);

	inbox.clear();
	mailbox.refuseNextEmails(1);
	const [customer] = service.world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	await runExample({ onlyCustomers: customer?.companyName ?? '' });
	const [, failureLine = ''] = getChatTexts()[0]?.split('\n') ?? [];
	expectEqual(
		'if the mail server refuses the email, the message says so',
		[getChatTexts().length, /^The email was not sent: .*451/.test(failureLine)],
		[1, true],
	);

	inbox.clear();
	service.addFault({ kind: 'status-500', route: 'POST /api/companies/search', times: Infinity });
	await runExample({ onlyCustomers: NAME_FRAGMENT });
	const [heading, ...lines] = getChatTexts()[0]?.split('\n') ?? [];
	expectEqual(
		'if the customers cannot be listed, there is no email, and the message has the reason',
		[
			heading,
			lines.length,
			lines[0]?.startsWith('- All customers: could not be read: '),
			mailbox.readEmails().length - emailCount,
		],
		['Portfolio: 0 customers.', 1, true, 0],
	);
	service.clearFaults();
}
