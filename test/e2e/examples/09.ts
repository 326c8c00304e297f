import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import readSheet from 'read-excel-file/node';
import { z } from 'zod';

import { page, ApiClient } from '../../stand-in/apiClient';
import { checkExample, textsOf } from './check';
import { isManaged, rowsOf } from './customers';

/** In the names of two customers called alike, among others. */
const WORD = 'in';
/** How names with a slash in them are written in file names. */
const SAFE: Record<string, string> = { '../etc': '__etc', '<b>Bold</b> & Co': '_b_Bold__b_ _ Co' };
const mail = z.object({
	customer: z.string(),
	customerId: z.string(),
	open: z.number(),
	trainings: z.number(),
	file: z.string(),
});
const USERS = 'POST /api/training-reports/{enrollmentId}/users/search';

checkExample(9, async ({ service, inbox, folder, run, same }) => {
	const customers = service.state.companies.filter((company) => isManaged(company, WORD));
	const overdue = ({ status, markedAsTest, dueDate }: (typeof service.state.enrollments)[number]) =>
		status !== 'Completed' && !markedAsTest && dueDate !== null && Date.parse(dueDate) < Date.now();
	const apiClient = new ApiClient(service, service.clients.reseller);
	await apiClient.signIn();
	const reports = new Map<string, { name: string; id: string; trainings: number; rows: string[] }>();
	// Of the first nothing can be read, of the second not how far people are.
	const [refused = '', half = ''] = [customers[3]?.companyResourceId, customers[5]?.companyResourceId];
	for (const { companyResourceId: id, companyName } of customers) {
		if (id === refused || id === half) continue;
		const open = [];
		for (const { resourceId, name, dueDate } of service.state.of(id).enrollments.filter(overdue)) {
			const people = rowsOf(
				(await apiClient.for(id).ask(USERS.replace('{enrollmentId}', resourceId), page({ pageSize: 1000 }))).data,
			);
			open.push(
				...people
					.filter(({ status }) => status !== 'Completed')
					.map(({ email, status }) => ({ name, row: [name, dueDate?.slice(0, 10), email, status].join('|') })),
			);
		}
		const trainings = new Set(open.map(({ name }) => name)).size;
		if (open.length > 0)
			reports.set(id, { name: companyName ?? '', id, trainings, rows: open.map(({ row }) => row).sort() });
	}
	service.fault({
		kind: 'forbidden-company',
		company: refused,
		route: 'POST /api/enrollments/search',
		times: Infinity,
	});
	service.fault({ kind: 'forbidden-company', company: half, route: USERS, times: Infinity });
	inbox.refuse('mailUrl', 1);
	service.clearLog();

	await run({ days: 36_500, onlyCustomers: WORD });

	const files = await readdir(folder);
	same(
		`${reports.size} customers of ${customers.length} have something overdue, and a file each`,
		files.length,
		reports.size,
	);
	const wrong = [];
	for (const { name, id, rows } of reports.values()) {
		const file = files.find((each) => each.endsWith(`-${id.slice(0, 8)}.xlsx`));
		const [sheet] = file ? await readSheet(join(folder, file), { trim: false }) : [];
		const [header = [], ...cells] = sheet?.data ?? [];
		const read = cells
			.map((row) => ['Training', 'Due', 'E-Mail', 'Status'].map((column) => row[header.indexOf(column)]).join('|'))
			.sort();
		if (read.join('\n') !== rows.join('\n')) wrong.push(name);
	}
	const count = [...reports.values()].reduce((sum, { rows }) => sum + rows.length, 0);
	same(`${count} rows in them: training, due date, person and status as the service has them`, wrong, []);
	const odd = files.filter((file) => !/^overdue-[\p{L}\p{M}\p{N} ._-]+-[0-9a-f]{8}\.xlsx$/u.test(file));
	const twins = files.filter((file) => file.startsWith('overdue-Twin Peaks Consulting-'));
	const namesakes = [...reports.values()].filter(({ name }) => name === 'Twin Peaks Consulting');
	same(
		'their names are safe, and customers of one name have files of their own',
		[odd, twins.length],
		[[], namesakes.length],
	);

	const mails = inbox.of('mailUrl').map(({ body }) => mail.parse(body));
	const asked = [...reports.values()].map(
		({ name, id, trainings, rows }) => `${id} ${name} ${rows.length} ${trainings}`,
	);
	const told = new Set(
		mails.map(({ customerId, customer, open, trainings }) => `${customerId} ${customer} ${open} ${trainings}`),
	);
	same(
		`${mails.length} messages, one for each customer but the one that was refused, with its figures`,
		[mails.length, asked.filter((each) => !told.has(each)).length],
		[reports.size - 1, 1],
	);
	same('each names a file that is there', mails.filter(({ file }) => !files.includes(file)).length, 0);

	const texts = textsOf(inbox.of('chatUrl'));
	const summary =
		texts.find((text) => text.startsWith('Overdue trainings: ') && text.includes(' customers\n'))?.split('\n') ?? [];
	same(
		'the team gets a line for each, and reads which message was not sent',
		[summary.length - 1, summary.filter((line) => line.endsWith('message not sent')).length],
		[reports.size, 1],
	);
	const failed = texts
		.filter((text) => text.startsWith('Overdue trainings: could not be read'))
		.flatMap((text) => text.split('\n').slice(1));
	const nameOf = (id: string) =>
		String(customers.find(({ companyResourceId }) => companyResourceId === id)?.companyName);
	same(
		'and of both customers that could not be read, and why',
		[refused, half].map((id) => failed.some((line) => line.includes(nameOf(id)) && line.includes('403'))),
		[true, true],
	);
	same(
		'nothing else failed',
		failed.filter((line) => !line.includes(nameOf(refused)) && !line.includes(nameOf(half))),
		[],
	);

	await run({ days: 36_500, onlyCustomers: '/' });
	const slashed = service.state.companies.filter((company) => isManaged(company, '/'));
	const written = (await readdir(folder)).filter((file) => !files.includes(file));
	const safe = slashed.map(
		({ companyName, companyResourceId }) => `overdue-${SAFE[companyName ?? '']}-${companyResourceId.slice(0, 8)}.xlsx`,
	);
	same(
		`a slash in a name makes no folder: ${slashed.map(({ companyName }) => companyName).join(', ')}`,
		written.sort(),
		safe.sort(),
	);
});
