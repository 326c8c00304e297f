import { readdir } from 'node:fs/promises';

import { buildPageBody, ApiClient } from '../../stand-in/apiClient';
import type { Enrollment } from '../../stand-in/seed';
import { parseBodies, parseChatTexts, registerCheck, readSheetIn, sortForComparison } from './registerCheck';
import { dropCustomerMap, enterCustomerMap } from './customerMapTable';
import { isManaged, parseResults } from './customers';
import { formatDay } from './readDay';

/** The names of the selected customers contain this text. Two of these customers have the same name. */
const NAME_FRAGMENT = 'in';
/** The spelling in file names of customer names that contain special characters, by customer name. */
const SAFE_NAMES: Record<string, string> = { '../etc': '__etc', '<b>Bold</b> & Co': '_b_Bold__b_ _ Co' };
const USERS_ROUTE = 'POST /api/training-reports/{enrollmentId}/users/search';
const COLUMNS = ['Training', 'Due', 'E-Mail', 'Status'];
const DAY_MS = 86_400_000;
const PERIOD_DAYS = 90;

const isOverdue = ({ markedAsTest, startDate, dueDate }: Enrollment): boolean =>
	!markedAsTest && Date.parse(startDate) > Date.now() - PERIOD_DAYS * DAY_MS && Date.parse(dueDate ?? '') < Date.now();

const buildContact = (id: string) => `contact-${id.slice(0, 8).toLowerCase()}@customer.example`;

registerCheck(9, async (example) => {
	const { service, inbox, folder, runExample, refuseCompany, getChatTexts, getChatLines, expectEqual, expectNone } =
		example;
	const customers = service.world.companies.filter((company) => isManaged(company, NAME_FRAGMENT));
	// Each customer has a training, a survey and a test that were due yesterday. The enrollments of one
	// customer began before the selected period.
	const getIsoTimeInDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
	for (const company of service.world.companies)
		for (const [index, enrollment] of service.world.getCompanyData(company.companyResourceId).enrollments.entries())
			Object.assign(enrollment, {
				startDate: getIsoTimeInDays(company === customers[1] ? -100 : -20),
				dueDate: getIsoTimeInDays(index === 0 ? 5 : -1),
			});
	const api = await new ApiClient(service, service.clients.reseller).signIn();
	// The service refuses the enrollments of one customer, and the status of the people of another one.
	const refusedCustomer = customers[3];
	const partlyRefusedCustomer = customers[5];
	// The first person with an overdue training has left the customer.
	let leaver: string | undefined;
	const reports: Array<{ name: string; id: string; trainings: number; rows: unknown[][] }> = [];
	for (const company of customers.filter(
		(company) => company !== refusedCustomer && company !== partlyRefusedCustomer,
	)) {
		const { companyResourceId: id, companyName } = company;
		const rows: unknown[][] = [];
		for (const { resourceId, name, dueDate, type } of service.world.getCompanyData(id).enrollments.filter(isOverdue)) {
			const surveyParameters = type === 'Survey' ? { trainingType: 0 } : {};
			const body = buildPageBody({ pageSize: 1000, orderBy: 'Email', ...surveyParameters });
			const response = await api.scopeToCompany(id).send(USERS_ROUTE.replace('{enrollmentId}', resourceId), body);
			for (const { email, status, targetUserResourceId: personId } of parseResults(response.data))
				if (status !== 'Completed') {
					leaver ??= String(personId);
					if (personId !== leaver) rows.push([name, formatDay(dueDate), email, status]);
				}
		}
		const trainings = new Set(rows.map(([name]) => name)).size;
		if (rows.length > 0) reports.push({ name: companyName ?? '', id, trainings, rows });
	}
	service.world.addNote(leaver ?? '', { isActive: false });
	refuseCompany(refusedCustomer, 'POST /api/enrollments/search');
	refuseCompany(partlyRefusedCustomer, USERS_ROUTE);
	// In the customer map, one customer has a chat, one has no contact, and the contact of one is no email address.
	const [chatReport, reportWithoutContact, reportWithWrongContact] = reports;
	await enterCustomerMap(
		example,
		reports.map(({ name, id }, index) => ({
			customerId: id,
			customer: name,
			contact: ['', '', 'nobody'][index] ?? buildContact(id),
			chatUrl: index === 0 ? `${inbox.url}/customerChat` : '',
		})),
	);
	inbox.refuseRequests('mailUrl', 1);
	service.clearLog();

	await runExample({ days: PERIOD_DAYS, onlyCustomers: NAME_FRAGMENT });

	expectEqual('there are overdue trainings', reports.length > 0, true);
	const files = await readdir(folder);
	expectEqual(
		`${reports.length} of ${customers.length} customers have overdue trainings, and each of them has a file`,
		files.length,
		reports.length,
	);
	const wrongReports: string[] = [];
	for (const { name, id, rows } of reports) {
		const sheet = await readSheetIn(
			folder,
			files.find((file) => file.endsWith(`-${id.slice(0, 8)}.xlsx`)),
		);
		const sheetRows = sheet.rows.map((row) => COLUMNS.map((column) => row[column]));
		if (JSON.stringify(sortForComparison(sheetRows)) !== JSON.stringify(sortForComparison(rows)))
			wrongReports.push(name);
	}
	expectNone(
		'the files have the training, due date, email and status from the service, without people who have left',
		wrongReports,
	);
	const unsafeNames = files.filter((file) => !/^overdue-[\p{L}\p{M}\p{N} ._-]+-\w{8}\.xlsx$/u.test(file));
	const namesakeFiles = files.filter((file) => file.startsWith('overdue-Twin Peaks Consulting-'));
	const namesakes = reports.filter(({ name }) => name === 'Twin Peaks Consulting');
	expectEqual(
		'the file names are safe, and customers with the same name have separate files',
		[unsafeNames, namesakeFiles.length],
		[[], namesakes.length],
	);

	const emails = parseBodies(inbox.getRequests('mailUrl'));
	const sentEmails = new Set(
		emails.map((mail) => JSON.stringify([mail.customerId, mail.contact, mail.customer, mail.open, mail.trainings])),
	);
	const reportsByEmail = reports.slice(3);
	const missingEmails = reportsByEmail.filter(
		({ name, id, trainings, rows }) =>
			!sentEmails.has(JSON.stringify([id, buildContact(id), name, rows.length, trainings])),
	);
	expectEqual(
		`${emails.length} emails with the right contact and figures, one for each customer except the refused one`,
		[emails.length, missingEmails.length],
		[reportsByEmail.length - 1, 1],
	);
	expectEqual(
		'the customer with a chat gets its message there',
		parseChatTexts(inbox.getRequests('customerChat')).map((text) => text.split('. ')[0]),
		[`Not finished in time at ${chatReport?.name}`],
	);
	expectNone(
		'each email names an existing file',
		emails.filter(({ file }) => !files.includes(String(file))),
	);
	const summary =
		getChatTexts()
			.find((text) => /^Overdue trainings: .* customers\n/.test(text))
			?.split('\n')
			.slice(1) ?? [];
	// A card has no room for all lines.
	const isShortened = summary.at(-1) === '… (shortened)';
	const completeLines = isShortened ? summary.slice(0, -2) : summary;
	const findReason = (report: (typeof reports)[number] | undefined) =>
		summary.find((line) => report && line.includes(`-${report.id.slice(0, 8)}.xlsx`))?.split('message ')[1];
	expectEqual(
		'the chat message has a line for each customer, as far as a card has room, and says which message was not sent and why',
		[
			isShortened || completeLines.length === reports.length,
			completeLines.filter((line) => line.includes('message not sent')).length,
			completeLines.filter((line) => /message not sent: .*500/.test(line)).length,
			findReason(reportWithoutContact),
			findReason(reportWithWrongContact),
		],
		[
			true,
			3,
			1,
			'not sent: no contact or chatUrl in the customer map (Data Table Security Awareness Customers): enter one there. Example 27 adds missing customers',
			'not sent: the contact in the customer map is no email address',
		],
	);
	const failureLines = getChatLines('Overdue trainings: could not be read');
	const names = [refusedCustomer, partlyRefusedCustomer].map((company) => company?.companyName ?? 'missing');
	expectEqual(
		'the chat message lists both customers that could not be read, with the reason',
		names.map((name) => failureLines.some((line) => line.includes(name) && line.includes('403'))),
		[true, true],
	);
	expectNone(
		'there are no other failures',
		failureLines.filter((line) => !names.some((name) => line.includes(name))),
	);

	inbox.clear();
	await runExample({ days: PERIOD_DAYS, onlyCustomers: 'nobody is called so' });
	expectEqual('if nothing is overdue, the chat message says so', getChatTexts(), [
		'Overdue trainings: nothing overdue',
	]);

	await dropCustomerMap(example);
	inbox.clear();
	await runExample({ days: PERIOD_DAYS, onlyCustomers: '/' });
	expectEqual(
		'without a customer map, no customer gets a message, and the chat message says what to do',
		[inbox.getRequests('mailUrl'), /enter one there/.test(getChatTexts().at(-1) ?? '')],
		[[], true],
	);
	const customersWithSlash = service.world.companies.filter((company) => isManaged(company, '/'));
	expectEqual(
		`a slash in a name creates no folder: ${customersWithSlash.map(({ companyName }) => companyName).join(', ')}`,
		sortForComparison((await readdir(folder)).filter((file) => !files.includes(file))),
		sortForComparison(
			customersWithSlash.map(
				({ companyName, companyResourceId: id }) => `overdue-${SAFE_NAMES[companyName ?? '']}-${id.slice(0, 8)}.xlsx`,
			),
		),
	);
});
