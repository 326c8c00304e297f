import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Company } from '../../stand-in/seed';
import { checkExample, failureOf, sheetIn, sorted } from './check';

/** Why a customer is to be called; nothing if it is not. */
function reasonsOf({
	licenceExpired,
	licenseEndDate,
	isNumberOfUsersLimited,
	targetUserCount,
	numberOfUsers,
}: Company) {
	const tooMany = isNumberOfUsersLimited ? targetUserCount - Number(numberOfUsers) : 0;
	const isOver = licenceExpired || Date.parse(licenseEndDate) < Date.now();
	return [
		...(isOver ? [`expired ${licenseEndDate.slice(0, 10)}`] : []),
		...(tooMany > 0 ? [`${tooMany} users too many`] : []),
	].join(', ');
}

checkExample(7, async ({ service, inbox, folder, run, texts, same }) => {
	const { companies } = service.state;
	const expected = companies.filter((company) => reasonsOf(company) !== '');

	same('some customers are to be called', expected.length > 0, true);
	await run();

	const { files, header, rows } = await sheetIn(folder);
	const columns = ['Customer', 'Customer ID', 'Why', 'License', 'Ends', 'Users', 'Allowed'];
	same('one Excel file with the seven columns', [files.length, header], [1, columns]);
	const both = expected.filter((company) => reasonsOf(company).includes(','));
	same(
		`${expected.length} of ${companies.length} customers, ${both.length} of them for both reasons, each once and with its figures`,
		sorted(rows.map((row) => [row['Customer ID'], row.Customer, row.Why, row.Users, row.Allowed])),
		sorted(
			expected.map((company) => [
				company.companyResourceId,
				company.companyName,
				reasonsOf(company),
				company.targetUserCount,
				Number(company.numberOfUsers),
			]),
		),
	);
	const [heading, ...lines] = texts()[0]?.split('\n') ?? [];
	same(
		'one message: how many, and a line for each',
		[texts().length, heading, sorted(lines)],
		[
			1,
			`License watch: ${expected.length} customers to call`,
			sorted(expected.map((company) => `- ${company.companyName}: ${reasonsOf(company)}`)),
		],
	);

	await rm(join(folder, files[0] ?? ''));
	inbox.clear();
	const after = Math.ceil(service.state.tree.length / 100);
	service.fault({ kind: 'status-500', route: 'POST /api/companies/search', times: Infinity, after });
	const failure = await failureOf(run());
	same(
		'if one of the lists fails, the run fails by name, and nothing is sent or written',
		[failure.includes('Over the Limit'), texts(), await readdir(folder)],
		[true, [], []],
	);
	service.clearFaults();

	const valid = { licenceExpired: false, licenseEndDate: '2099-12-31T00:00:00.000Z', isNumberOfUsersLimited: false };
	for (const company of companies) Object.assign(company, valid);
	await run();
	same(
		'when nobody has to be called, the chat hears it and no file is written',
		[texts(), await readdir(folder)],
		[['License watch: no license has run out, and nobody is over the limit.'], []],
	);
});
