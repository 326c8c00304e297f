import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Company } from '../../stand-in/seed';
import { registerCheck, getFailure, readSheetIn, sort } from './check';

/** Why a customer is to be called; nothing if it is not. */
function listReasons({
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

registerCheck(7, async ({ service, inbox, folder, runExample: run, getChatTexts: texts, expectEqual: same }) => {
	const { companies } = service.state;
	const expected = companies.filter((company) => listReasons(company) !== '');

	same('some customers are to be called', expected.length > 0, true);
	await run();

	const { files, header, rows } = await readSheetIn(folder);
	const columns = ['Customer', 'Customer ID', 'Why', 'License', 'Ends', 'Users', 'Allowed'];
	same('one Excel file with the seven columns', [files.length, header], [1, columns]);
	const both = expected.filter((company) => listReasons(company).includes(','));
	same(
		`${expected.length} of ${companies.length} customers, ${both.length} of them for both reasons, each once and with its figures`,
		sort(rows.map((row) => [row['Customer ID'], row.Customer, row.Why, row.Users, row.Allowed])),
		sort(
			expected.map((company) => [
				company.companyResourceId,
				company.companyName,
				listReasons(company),
				company.targetUserCount,
				Number(company.numberOfUsers),
			]),
		),
	);
	const [heading, ...lines] = texts()[0]?.split('\n') ?? [];
	same(
		'one message: how many, and a line for each',
		[texts().length, heading, sort(lines)],
		[
			1,
			`License watch: ${expected.length} customers to call`,
			sort(expected.map((company) => `- ${company.companyName}: ${listReasons(company)}`)),
		],
	);

	await rm(join(folder, files[0] ?? ''));
	inbox.clear();
	const after = Math.ceil(service.state.companyTree.length / 100);
	service.addFault({ kind: 'status-500', route: 'POST /api/companies/search', times: Infinity, skipCount: after });
	const failure = await getFailure(run());
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
