import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { getMonthlyCount } from '../../stand-in/routes/companies';
import { registerCheck, getErrorMessage, readSheetIn, sortForComparison } from './registerCheck';

const PRICE_PER_USER = 1.37;
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

registerCheck(8, async ({ service, folder, runExample, expectEqual, expectNone }) => {
	const { companies } = service.world;
	const month = new Date(Date.UTC(new Date().getFullYear(), new Date().getMonth() - 1)).toISOString().slice(0, 7);
	const countMonthlyUsers = ({ monthlyActiveUserCount }: (typeof companies)[number]) =>
		getMonthlyCount(monthlyActiveUserCount, month);
	const parentIdsByCompanyId = new Map(
		companies.flatMap(({ companyResourceId, children }) =>
			children.map((child) => [child.companyResourceId, companyResourceId]),
		),
	);

	await runExample({ price: PRICE_PER_USER, currency: 'CHF' });

	const { files, header, rows } = await readSheetIn(folder);
	expectEqual(
		'there is one Excel file for last month, with the nine columns',
		[files, header],
		[[`monthly-users-${month}.xlsx`], COLUMNS],
	);
	const totalRow = rows.pop() ?? {};
	expectEqual(
		`${companies.length} rows have the figures of their customers, ${parentIdsByCompanyId.size} of them with a parent`,
		sortForComparison(rows.map((row) => COLUMNS.map((column) => row[column]))),
		sortForComparison(
			companies.map((company) => {
				const { companyName, companyResourceId: id, licenseTypeName } = company;
				const userCount = countMonthlyUsers(company);
				return [
					companyName,
					id,
					parentIdsByCompanyId.get(id) ?? null,
					licenseTypeName,
					userCount,
					PRICE_PER_USER,
					roundToCents(userCount * PRICE_PER_USER),
					'CHF',
					null,
				];
			}),
		),
	);
	expectNone(
		'names that look like formulas are texts',
		['=1+1', '@SUM(A1:A9)'].filter((name) => !rows.some(({ Customer }) => Customer === name)),
	);
	const userCounts = companies.map(countMonthlyUsers);
	const totalUserCount = userCounts.reduce((total, count) => total + count, 0);
	const totalAmount = roundToCents(
		userCounts.reduce((total, count) => total + roundToCents(count * PRICE_PER_USER), 0),
	);
	expectEqual(
		`the last row is the total: ${totalUserCount} users, ${totalAmount}`,
		['Customer', 'Monthly Users', 'Amount', 'Currency'].map((column) => totalRow[column]),
		['Total', totalUserCount, totalAmount, 'CHF'],
	);

	await rm(join(folder, files[0] ?? ''));
	const [firstCompany] = companies;
	const pageCount = Math.ceil(service.world.companyTree.length / 100);
	let requestCount = 0;
	// When the workflow reads the companies for the first time, it requests every page once for each of the two months. After that, this
	// month's number of users changes. Last month's number changes too, because the stand-in calculates it from this month's number
	// (getMonthlyCount).
	const changeFigure = () => {
		if (firstCompany && ++requestCount === 2 * pageCount + 1) firstCompany.monthlyActiveUserCount += 7 * 12;
	};
	service.setOptions({ beforeResponse: changeFigure });
	const failure = await getErrorMessage(runExample());
	service.setOptions({ beforeResponse: undefined });
	const changedUserCount = firstCompany ? totalUserCount - (userCounts[0] ?? 0) + countMonthlyUsers(firstCompany) : NaN;
	expectEqual(
		'if a figure changes between the two readings, the error has both figures and no file is written',
		[
			failure.includes(`${totalUserCount} monthly users`) && failure.includes(`${changedUserCount} of`),
			await readdir(folder),
		],
		[true, []],
	);

	service.setOptions({ conditionSupport: 'ignored' });
	const approvalMessage = await getErrorMessage(runExample({ price: PRICE_PER_USER }));
	expectEqual(
		'on a platform without monthly figures, the run stops for approval and writes no file',
		[approvalMessage.includes(`the same monthly users in ${month} as in the present month`), await readdir(folder)],
		[true, []],
	);
	await runExample({ price: PRICE_PER_USER, approvedMonth: month });
	expectEqual('after the approval, the file is written', await readdir(folder), [`monthly-users-${month}.xlsx`]);
	service.setOptions({ conditionSupport: 'understood' });
});
