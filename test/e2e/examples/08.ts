import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import readSheet from 'read-excel-file/node';

import { checkExample } from './check';

const PRICE = 1.37;
const cents = (amount: number): number => Math.round(amount * 100) / 100;

checkExample(8, async ({ service, folder, run, same }) => {
	const { companies } = service.state;
	const parents = new Map(
		companies.flatMap(({ companyResourceId, children }) =>
			children.map((child) => [child.companyResourceId, companyResourceId]),
		),
	);

	await run({ price: PRICE, currency: 'CHF' });

	const [file = '', ...more] = await readdir(folder);
	const [sheet] = await readSheet(join(folder, file), { trim: false });
	const [header, ...rows] = sheet?.data ?? [];
	const total = rows.pop() ?? [];
	same(
		'one Excel file with the nine columns',
		[more.length, header],
		[0, ['Customer', 'Customer ID', 'Parent ID', 'License', 'Active Users', 'Price', 'Amount', 'Currency', 'Note']],
	);
	const expected = companies.map(
		({ companyName, companyResourceId: id, licenseTypeName, monthlyActiveUserCount: users }) => [
			...[companyName, id, parents.get(id) ?? null, licenseTypeName, users],
			...[PRICE, cents(users * PRICE), 'CHF', null],
		],
	);
	const byId = (one: unknown[], other: unknown[]) => (String(one[1]) < String(other[1]) ? -1 : 1);
	same(
		`${companies.length} rows, each with its customer's own figure, ${parents.size} of them below a parent`,
		[...rows].sort(byId),
		[...expected].sort(byId),
	);
	const names = rows.map(([name]) => name);
	same(
		'names that look like formulas are texts',
		['=1+1', '@SUM(A1:A9)'].filter((name) => !names.includes(name)),
		[],
	);
	const sum = companies.reduce((all, { monthlyActiveUserCount }) => all + monthlyActiveUserCount, 0);
	const amount = cents(
		companies.reduce((all, { monthlyActiveUserCount }) => all + cents(monthlyActiveUserCount * PRICE), 0),
	);
	same(
		`the last row is the total: ${sum} users, ${amount}`,
		[total[0], total[4], total[6], total[7]],
		['Total', sum, amount, 'CHF'],
	);

	await rm(join(folder, file));
	const [first] = companies;
	const pages = Math.ceil(service.state.tree.length / 100);
	let asked = 0;
	service.setOptions({
		beforeAnswer: () => {
			if (first && ++asked === pages + 1) first.monthlyActiveUserCount += 7;
		},
	});
	const failure = await run().then(
		() => 'it went on',
		(error: unknown) => String(error),
	);
	service.setOptions({ beforeAnswer: undefined });
	same(
		'a figure that changes between the two readings: it says both, and writes no file',
		[failure.includes(`${sum} active users`) && failure.includes(`${sum + 7} of`), await readdir(folder)],
		[true, []],
	);
});
