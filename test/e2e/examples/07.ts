import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Company } from '../../stand-in/seed';
import { registerCheck, getErrorMessage, readSheetIn, sortForComparison } from './registerCheck';

/** Formats the reasons to call a customer. @returns an empty string if there are none */
function formatReasons({
	licenceExpired,
	licenseEndDate,
	isNumberOfUsersLimited,
	targetUserCount,
	numberOfUsers,
}: Company) {
	const excessUsers = isNumberOfUsersLimited ? targetUserCount - Number(numberOfUsers) : 0;
	const isExpired = licenceExpired || Date.parse(licenseEndDate) < Date.now();
	const reasons: string[] = [];
	if (isExpired) reasons.push(`expired ${licenseEndDate.slice(0, 10)}`);
	if (excessUsers > 0) reasons.push(`${excessUsers} users too many`);
	return reasons.join(', ');
}

registerCheck(7, async ({ service, inbox, folder, runExample, getChatTexts, expectEqual }) => {
	const { companies } = service.world;
	const customersToCall = companies.filter((company) => formatReasons(company) !== '');

	expectEqual('there are customers to call', customersToCall.length > 0, true);
	await runExample();

	const { files, header, rows } = await readSheetIn(folder);
	const columns = ['Customer', 'Customer ID', 'Why', 'License', 'Ends', 'Users', 'Allowed'];
	expectEqual('there is one Excel file with the seven columns', [files.length, header], [1, columns]);
	const customersWithBothReasons = customersToCall.filter((company) => formatReasons(company).includes(','));
	expectEqual(
		`${customersToCall.length} of ${companies.length} customers are listed once with their figures, ${customersWithBothReasons.length} of them for both reasons`,
		sortForComparison(rows.map((row) => [row['Customer ID'], row.Customer, row.Why, row.Users, row.Allowed])),
		sortForComparison(
			customersToCall.map((company) => [
				company.companyResourceId,
				company.companyName,
				formatReasons(company),
				company.targetUserCount,
				Number(company.numberOfUsers),
			]),
		),
	);
	const [heading, ...lines] = getChatTexts()[0]?.split('\n') ?? [];
	expectEqual(
		'there is one chat message with the number of customers and a line for each',
		[getChatTexts().length, heading, sortForComparison(lines)],
		[
			1,
			`License watch: ${customersToCall.length} customers to call`,
			sortForComparison(customersToCall.map((company) => `- ${company.companyName}: ${formatReasons(company)}`)),
		],
	);

	await rm(join(folder, files[0] ?? ''));
	inbox.clear();
	const skipCount = Math.ceil(service.world.companyTree.length / 100);
	service.addFault({ kind: 'status-500', route: 'POST /api/companies/search', times: Infinity, skipCount });
	const failure = await getErrorMessage(runExample());
	expectEqual(
		'if a list fails, the run fails with the name of the node, and sends and writes nothing',
		[failure.includes('Over the Limit'), getChatTexts(), await readdir(folder)],
		[true, [], []],
	);
	service.clearFaults();

	const validLicense = {
		licenceExpired: false,
		licenseEndDate: '2099-12-31T00:00:00.000Z',
		isNumberOfUsersLimited: false,
	};
	for (const company of companies) Object.assign(company, validLicense);
	await runExample();
	expectEqual(
		'if there is nobody to call, the chat message says so and no file is written',
		[getChatTexts(), await readdir(folder)],
		[['License watch: no license has run out, and nobody is over the limit.'], []],
	);

	inbox.refuseRequests('chatUrl', 1);
	const chatFailure = await getErrorMessage(runExample());
	expectEqual(
		'if the chat refuses the message, the execution fails with the name of the node',
		chatFailure.includes('Say That All Is Well'),
		true,
	);
});
