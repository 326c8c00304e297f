import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { getMonthlyCount } from '../../stand-in/routes/companies';
import { registerCheck, getFailure, readSheetIn, sort } from './check';

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
const roundToCents = (amount: number): number => Math.round(amount * 100) / 100;

registerCheck(8, async ({ service, folder, runExample: run, expectEqual: same, expectNone: none }) => {
	const { companies } = service.state;
	const month = new Date(Date.UTC(new Date().getFullYear(), new Date().getMonth() - 1)).toISOString().slice(0, 7);
	const countMonthlyUsers = ({ monthlyActiveUserCount }: (typeof companies)[number]) => getMonthlyCount(monthlyActiveUserCount, month);
	const parents = new Map(
		companies.flatMap(({ companyResourceId, children }) =>
			children.map((child) => [child.companyResourceId, companyResourceId]),
		),
	);

	await run({ price: PRICE, currency: 'CHF' });

	const { files, header, rows } = await readSheetIn(folder);
	same(
		'one Excel file of last month, with the nine columns',
		[files, header],
		[[`monthly-users-${month}.xlsx`], COLUMNS],
	);
	const total = rows.pop() ?? {};
	same(
		`${companies.length} rows, each with its customer's own figure, ${parents.size} of them below a parent`,
		sort(rows.map((row) => COLUMNS.map((column) => row[column]))),
		sort(
			companies.map((company) => {
				const { companyName, companyResourceId: id, licenseTypeName } = company;
				const users = countMonthlyUsers(company);
				return [
					companyName,
					id,
					parents.get(id) ?? null,
					licenseTypeName,
					users,
					PRICE,
					roundToCents(users * PRICE),
					'CHF',
					null,
				];
			}),
		),
	);
	none(
		'names that look like formulas are texts',
		['=1+1', '@SUM(A1:A9)'].filter((name) => !rows.some(({ Customer }) => Customer === name)),
	);
	const users = companies.map(countMonthlyUsers);
	const sum = users.reduce((all, count) => all + count, 0);
	const amount = roundToCents(users.reduce((all, count) => all + roundToCents(count * PRICE), 0));
	same(
		`the last row is the total: ${sum} users, ${amount}`,
		['Customer', 'Monthly Users', 'Amount', 'Currency'].map((column) => total[column]),
		['Total', sum, amount, 'CHF'],
	);

	await rm(join(folder, files[0] ?? ''));
	const [first] = companies;
	const pages = Math.ceil(service.state.companyTree.length / 100);
	let asked = 0;
	// The first reading asks for both months. A part of the figure counts (see inMonth).
	const changeFigure = () => {
		if (first && ++asked === 2 * pages + 1) first.monthlyActiveUserCount += 7 * 12;
	};
	service.setOptions({ beforeResponse: changeFigure });
	const failure = await getFailure(run());
	service.setOptions({ beforeResponse: undefined });
	const changed = first ? sum - (users[0] ?? 0) + countMonthlyUsers(first) : NaN;
	same(
		'a figure that changes between the two readings: it says both, and writes no file',
		[failure.includes(`${sum} monthly users`) && failure.includes(`${changed} of`), await readdir(folder)],
		[true, []],
	);

	service.setOptions({ conditionSupport: 'ignored' });
	const stopped = await getFailure(run({ price: PRICE }));
	same(
		'a platform that knows no months: it stops for approval, and writes no file',
		[stopped.includes(`the same monthly users in ${month} as in the present month`), await readdir(folder)],
		[true, []],
	);
	await run({ price: PRICE, approvedMonth: month });
	same('once approved, it writes the file', await readdir(folder), [`monthly-users-${month}.xlsx`]);
	service.setOptions({ conditionSupport: 'understood' });
});
