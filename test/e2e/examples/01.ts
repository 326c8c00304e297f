import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { unzipSync } from 'fflate';

import { registerCheck, readSheetIn, sortForComparison } from './registerCheck';

const EXPORT_ROUTES = [
	'POST /api/training-reports/{enrollmentId}/users/search/export',
	'POST /api/phishing-simulator/phishing-campaign/search/export',
] as const;
const DAY_MS = 86_400_000;
const hashContent = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

registerCheck(
	1,
	async ({ service, inbox, folder, runExample, refuseCompany, getChatTexts, expectEqual, expectNone }) => {
		const { companies } = service.world;
		// The service refuses all requests for the first of these customers, and only the training reports for the second.
		const refusedCustomer = companies[7];
		const partlyRefusedCustomer = companies[40];
		refuseCompany(refusedCustomer);
		refuseCompany(partlyRefusedCustomer, EXPORT_ROUTES[0]);

		// Each customer has one enrollment that began recently, one that begins next week, and older ones.
		const now = Date.now();
		const startDaysByIndex = new Map([
			[1, -10],
			[2, 7],
		]);
		for (const { companyResourceId: id } of companies)
			for (const [index, enrollment] of service.world.getCompanyData(id).enrollments.entries())
				enrollment.startDate = new Date(now + (startDaysByIndex.get(index) ?? -200) * DAY_MS).toISOString();

		await runExample({ days: 90 });

		const expectedResults = companies.map((company) => {
			const { companyResourceId: id, companyName: name } = company;
			const hasFailed = company === refusedCustomer || company === partlyRefusedCustomer;
			const recentEnrollments = service.world.getCompanyData(id).enrollments.slice(1, 2);
			return {
				id,
				name,
				trainingCount: hasFailed ? 0 : recentEnrollments.length,
				phishingCount: company === refusedCustomer ? 0 : 1,
				hasFailed,
			};
		});
		const files = await readdir(folder);
		const zipFiles = files.filter((file) => file.endsWith('.zip'));
		expectEqual(
			`${zipFiles.length} customers have a zip file, the one that refuses all requests has none, and there are no other files`,
			[zipFiles.length, files.length],
			[companies.length - 1, companies.length],
		);
		const exportRequests = EXPORT_ROUTES.flatMap((route) => service.getRequests(route));
		const wrongCustomers: Array<string | null> = [];
		const fileTexts: string[] = [];
		for (const { id, name: customerName, trainingCount, phishingCount } of expectedResults.filter(
			(customer) => customer.phishingCount > 0,
		)) {
			const file = zipFiles.find((name) => name.endsWith(`(${id.slice(0, 8)}).zip`)) ?? '';
			const entries = Object.entries(unzipSync(await readFile(join(folder, file))));
			const isInFolder = entries.every(([path]) => path.split('/').slice(0, -1).join() === basename(file, '.zip'));
			const expectedHashes = exportRequests.flatMap(({ companyId, sha256 = '' }) =>
				companyId === id && sha256 ? [sha256] : [],
			);
			const hasSentFiles =
				sortForComparison(entries.map(([, bytes]) => hashContent(bytes))).join() ===
				sortForComparison(expectedHashes).join();
			if (!isInFolder || !hasSentFiles || entries.length !== trainingCount + phishingCount)
				wrongCustomers.push(customerName);
			if (id === companies[0]?.companyResourceId)
				fileTexts.push(...entries.map(([, bytes]) => Buffer.from(bytes).toString()));
		}
		expectNone(
			"the zip files contain exactly the files that the service sent for the customer, in the customer's folder",
			wrongCustomers,
		);
		const trainingReportCount = expectedResults.reduce((sum, { trainingCount }) => sum + trainingCount, 0);
		expectEqual(
			`${trainingReportCount} of the files are training reports`,
			trainingReportCount > companies.length / 2,
			true,
		);
		const companyData = service.world.getCompanyData(companies[0]?.companyResourceId ?? '');
		const hasEmail = companyData.users.some(({ email }) => fileTexts.some((text) => text.includes(email)));
		expectEqual('the reports contain the email addresses of people', hasEmail, true);
		const campaigns = companyData.getCampaigns('phishing');
		expectNone(
			`the ${campaigns.length} phishing campaigns of ${companies[0]?.companyName} are in the customer's file`,
			campaigns.filter(({ name }) => !fileTexts.some((text) => text.includes(name))),
		);

		const { rows } = await readSheetIn(folder, 'Summary.xlsx');
		const summaryRows = rows.map((row) => [
			row['Company ID'],
			row.Customer,
			row['Training Reports'],
			row['Phishing Reports'],
			!!row.Problems,
		]);
		expectEqual(
			`Summary.xlsx has a row for each of ${rows.length} customers, with the number of reports and whether something failed`,
			sortForComparison(summaryRows),
			sortForComparison(
				expectedResults.map(({ id, name, trainingCount, phishingCount, hasFailed }) => [
					id,
					name,
					trainingCount,
					phishingCount,
					hasFailed,
				]),
			),
		);
		expectEqual(
			'the chat gets one message about both customers',
			[getChatTexts().length, getChatTexts()[0]?.match(/^- /gm)?.length],
			[1, 2],
		);
		expectNone(
			'the message contains the names of both customers',
			[refusedCustomer, partlyRefusedCustomer].filter(
				(company) => !getChatTexts()[0]?.includes(company?.companyName ?? ''),
			),
		);

		inbox.clear();
		await runExample({ days: 5, onlyCustomers: 'Bakery' });
		expectEqual(
			'if no training began in this period, the chat message says so',
			[getChatTexts().length, getChatTexts()[0]?.includes('no training')],
			[1, true],
		);
	},
);
