import { readdir } from 'node:fs/promises';

import { buildPageBody, ApiClient } from '../../stand-in/apiClient';
import type { Enrollment } from '../../stand-in/seed';
import { parseBodies, registerCheck, readSheetIn, sort } from './check';
import { isManaged, parseResults } from './customers';
import { readDay } from './days';

/** In the names of two customers called alike, among others. */
const WORD = 'in';
/** How names with a slash in them are written in file names. */
const SAFE: Record<string, string> = { '../etc': '__etc', '<b>Bold</b> & Co': '_b_Bold__b_ _ Co' };
const USERS = 'POST /api/training-reports/{enrollmentId}/users/search';
const COLUMNS = ['Training', 'Due', 'E-Mail', 'Status'];
const DAY = 86_400_000;
const DAYS = 90;

const isOverdue = ({ markedAsTest, startDate, dueDate }: Enrollment): boolean =>
	!markedAsTest && Date.parse(startDate) > Date.now() - DAYS * DAY && Date.parse(dueDate ?? '') < Date.now();

registerCheck(9, async ({ service, inbox, folder, runExample: run, refuseCompany: refuse, getChatTexts: texts, getChatLines: linesOf, expectEqual: same, expectNone: none }) => {
	const customers = service.state.companies.filter((company) => isManaged(company, WORD));
	// As a platform would have it: of each customer a training, a survey and a test are over since yesterday; those of one
	// customer began too long ago.
	const toIsoTime = (days: number) => new Date(Date.now() + days * DAY).toISOString();
	for (const company of service.state.companies)
		for (const [index, enrollment] of service.state.getCompanyData(company.companyResourceId).enrollments.entries())
			Object.assign(enrollment, {
				startDate: toIsoTime(company === customers[1] ? -100 : -20),
				dueDate: toIsoTime(index === 0 ? 5 : -1),
			});
	const api = await new ApiClient(service, service.clients.reseller).signIn();
	// Of the first nothing can be read, of the second not how far people are.
	const refused = customers[3];
	const half = customers[5];
	// The first of the overdue people has left.
	let leaver: string | undefined;
	const reports: Array<{ name: string; id: string; trainings: number; rows: unknown[][] }> = [];
	for (const company of customers.filter((each) => each !== refused && each !== half)) {
		const { companyResourceId: id, companyName } = company;
		const rows: unknown[][] = [];
		for (const { resourceId, name, dueDate, type } of service.state.getCompanyData(id).enrollments.filter(isOverdue)) {
			const body = buildPageBody({ pageSize: 1000, orderBy: 'Email', ...(type === 'Survey' ? { trainingType: 0 } : {}) });
			const asked = await api.scopeToCompany(id).send(USERS.replace('{enrollmentId}', resourceId), body);
			for (const { email, status, targetUserResourceId: person } of parseResults(asked.data))
				if (status !== 'Completed') {
					leaver ??= String(person);
					if (person !== leaver) rows.push([name, readDay(dueDate), email, status]);
				}
		}
		const trainings = new Set(rows.map(([name]) => name)).size;
		if (rows.length > 0) reports.push({ name: companyName ?? '', id, trainings, rows });
	}
	service.state.addNote(leaver ?? '', { isActive: false });
	refuse(refused, 'POST /api/enrollments/search');
	refuse(half, USERS);
	inbox.refuseRequests('mailUrl', 1);
	service.clearLog();

	await run({ days: DAYS, onlyCustomers: WORD });

	same('something is overdue', reports.length > 0, true);
	const files = await readdir(folder);
	same(
		`${reports.length} of ${customers.length} customers have something overdue, and a file each`,
		files.length,
		reports.length,
	);
	const wrong: string[] = [];
	for (const { name, id, rows } of reports) {
		const sheet = await readSheetIn(
			folder,
			files.find((file) => file.endsWith(`-${id.slice(0, 8)}.xlsx`)),
		);
		const read = sheet.rows.map((row) => COLUMNS.map((column) => row[column]));
		if (JSON.stringify(sort(read)) !== JSON.stringify(sort(rows))) wrong.push(name);
	}
	none('the rows in them: training, due date, person and status as the service has them, without who has left', wrong);
	const odd = files.filter((file) => !/^overdue-[\p{L}\p{M}\p{N} ._-]+-\w{8}\.xlsx$/u.test(file));
	const twins = files.filter((file) => file.startsWith('overdue-Twin Peaks Consulting-'));
	const namesakes = reports.filter(({ name }) => name === 'Twin Peaks Consulting');
	same(
		'their names are safe, and customers of one name have files of their own',
		[odd, twins.length],
		[[], namesakes.length],
	);

	const mails = parseBodies(inbox.getRequests('mailUrl'));
	const told = new Set(
		mails.map((mail) => JSON.stringify([mail.customerId, mail.customer, mail.open, mail.trainings])),
	);
	const untold = reports.filter(
		({ name, id, trainings, rows }) => !told.has(JSON.stringify([id, name, rows.length, trainings])),
	);
	same(
		`${mails.length} messages, one for each customer but the one that was refused, with its figures`,
		[mails.length, untold.length],
		[reports.length - 1, 1],
	);
	none(
		'each names a file that is there',
		mails.filter(({ file }) => !files.includes(String(file))),
	);
	const summary =
		texts()
			.find((text) => /^Overdue trainings: .* customers\n/.test(text))
			?.split('\n')
			.slice(1) ?? [];
	same(
		'the team gets a line for each, and reads which message was not sent',
		[summary.length, summary.filter((line) => line.endsWith('message not sent')).length],
		[reports.length, 1],
	);
	const failed = linesOf('Overdue trainings: could not be read');
	const names = [refused, half].map((company) => company?.companyName ?? 'missing');
	same(
		'and of both customers that could not be read, and why',
		names.map((name) => failed.some((line) => line.includes(name) && line.includes('403'))),
		[true, true],
	);
	none(
		'nothing else failed',
		failed.filter((line) => !names.some((name) => line.includes(name))),
	);

	inbox.clear();
	await run({ days: DAYS, onlyCustomers: 'nobody is called so' });
	same('nothing overdue is told as well', texts(), ['Overdue trainings: nothing overdue']);

	await run({ days: DAYS, onlyCustomers: '/' });
	const slashed = service.state.companies.filter((company) => isManaged(company, '/'));
	same(
		`a slash in a name makes no folder: ${slashed.map(({ companyName }) => companyName).join(', ')}`,
		sort((await readdir(folder)).filter((file) => !files.includes(file))),
		sort(
			slashed.map(
				({ companyName, companyResourceId: id }) => `overdue-${SAFE[companyName ?? '']}-${id.slice(0, 8)}.xlsx`,
			),
		),
	);
});
