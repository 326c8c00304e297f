import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { checkExample, failureOf, sheetIn, sorted } from './check';

const PRICE = 1.37;
const COLUMNS = [
	'Customer',
	'Customer ID',
	'Parent ID',
	'License',
	'Monthly Users',
	'Price',
	'Amount',
	'Currency',
	'Note',
];
const cents = (amount: number): number => Math.round(amount * 100) / 100;

checkExample(8, async ({ service, folder, run, same, none }) => {
	const { companies } = service.state;
	const parents = new Map(
		companies.flatMap(({ companyResourceId, children }) =>
			children.map((child) => [child.companyResourceId, companyResourceId]),
		),
	);

	await run({ price: PRICE, currency: 'CHF' });

	const { files, header, rows } = await sheetIn(folder);
	same('one Excel file with the nine columns', [files.length, header], [1, COLUMNS]);
	const total = rows.pop() ?? {};
	same(
		`${companies.length} rows, each with its customer's own figure, ${parents.size} of them below a parent`,
		sorted(rows.map((row) => COLUMNS.map((column) => row[column]))),
		sorted(
			companies.map(({ companyName, companyResourceId: id, licenseTypeName, monthlyActiveUserCount: users }) => [
				...[companyName, id, parents.get(id) ?? null, licenseTypeName, users],
				...[PRICE, cents(users * PRICE), 'CHF', null],
			]),
		),
	);
	none(
		'names that look like formulas are texts',
		['=1+1', '@SUM(A1:A9)'].filter((name) => !rows.some(({ Customer }) => Customer === name)),
	);
	const users = companies.map(({ monthlyActiveUserCount }) => monthlyActiveUserCount);
	const sum = users.reduce((all, count) => all + count, 0);
	const amount = cents(users.reduce((all, count) => all + cents(count * PRICE), 0));
	same(
		`the last row is the total: ${sum} users, ${amount}`,
		['Customer', 'Monthly Users', 'Amount', 'Currency'].map((column) => total[column]),
		['Total', sum, amount, 'CHF'],
	);

	await rm(join(folder, files[0] ?? ''));
	const [first] = companies;
	const pages = Math.ceil(service.state.tree.length / 100);
	let asked = 0;
	const beforeAnswer = () => {
		if (first && ++asked === pages + 1) first.monthlyActiveUserCount += 7;
	};
	service.setOptions({ beforeAnswer });
	const failure = await failureOf(run());
	service.setOptions({ beforeAnswer: undefined });
	same(
		'a figure that changes between the two readings: it says both, and writes no file',
		[failure.includes(`${sum} monthly users`) && failure.includes(`${sum + 7} of`), await readdir(folder)],
		[true, []],
	);
});
