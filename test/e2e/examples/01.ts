import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { unzipSync } from 'fflate';

import { registerCheck, readSheetIn, sort } from './check';

const EXPORTS = [
	'POST /api/training-reports/{enrollmentId}/users/search/export',
	'POST /api/phishing-simulator/phishing-campaign/search/export',
] as const;
const DAY = 86_400_000;
const hash = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

registerCheck(1, async ({ service, inbox, folder, runExample: run, refuseCompany: refuse, getChatTexts: texts, expectEqual: same, expectNone: none }) => {
	const { companies } = service.state;
	// Of the first nothing can be read, of the second no training reports.
	const refused = companies[7];
	const half = companies[40];
	refuse(refused);
	refuse(half, EXPORTS[0]);

	// As a platform would have it: of each customer one began lately, one begins next week, and the others are old.
	const now = Date.now();
	for (const { companyResourceId: id } of companies)
		for (const [index, enrollment] of service.state.getCompanyData(id).enrollments.entries())
			enrollment.startDate = new Date(now + (index === 1 ? -10 : index === 2 ? 7 : -200) * DAY).toISOString();

	await run({ days: 90 });

	const expected = companies.map((company) => {
		const { companyResourceId: id, companyName: name } = company;
		const hasFailed = company === refused || company === half;
		const lately = service.state.getCompanyData(id).enrollments.slice(1, 2);
		return { id, name, training: hasFailed ? 0 : lately.length, phishing: company === refused ? 0 : 1, hasFailed };
	});
	const files = await readdir(folder);
	const zips = files.filter((file) => file.endsWith('.zip'));
	same(
		`${zips.length} customers have a zip file, the refused one has none, and nothing else is there`,
		[zips.length, files.length],
		[companies.length - 1, companies.length],
	);
	const sent = EXPORTS.flatMap((route) => service.getRequests(route));
	const wrong: Array<string | null> = [];
	const contents: string[] = [];
	for (const { id, name, training, phishing } of expected.filter((each) => each.phishing > 0)) {
		const file = zips.find((each) => each.endsWith(`(${id.slice(0, 8)}).zip`)) ?? '';
		const entries = Object.entries(unzipSync(await readFile(join(folder, file))));
		const isInFolder = entries.every(([path]) => path.split('/').slice(0, -1).join() === basename(file, '.zip'));
		const ofCompany = sent.flatMap(({ companyId, sha256 = '' }) => (companyId === id && sha256 ? [sha256] : []));
		const isSame = sort(entries.map(([, bytes]) => hash(bytes))).join() === sort(ofCompany).join();
		if (!isInFolder || !isSame || entries.length !== training + phishing) wrong.push(name);
		if (id === companies[0]?.companyResourceId)
			contents.push(...entries.map(([, bytes]) => Buffer.from(bytes).toString()));
	}
	none("the files in them, each in its customer's folder, are what the service sent for that customer", wrong);
	const reports = expected.reduce((sum, { training }) => sum + training, 0);
	same(`${reports} of them are reports of trainings`, reports > companies.length / 2, true);
	const holdings = service.state.getCompanyData(companies[0]?.companyResourceId ?? '');
	const isNamed = holdings.users.some(({ email }) => contents.some((text) => text.includes(email)));
	same('which name the people', isNamed, true);
	const campaigns = holdings.getCampaigns('phishing');
	none(
		`the ${campaigns.length} phishing campaigns of ${companies[0]?.companyName} are in its file`,
		campaigns.filter(({ name }) => !contents.some((text) => text.includes(name))),
	);

	const { rows } = await readSheetIn(folder, 'Summary.xlsx');
	const listed = rows.map((row) => [
		row['Company ID'],
		row.Customer,
		row['Training Reports'],
		row['Phishing Reports'],
		!!row.Problems,
	]);
	same(
		`the ${rows.length} rows of Summary.xlsx, one for each customer, with how many reports and whether something failed`,
		sort(listed),
		sort(expected.map(({ id, name, training, phishing, hasFailed }) => [id, name, training, phishing, hasFailed])),
	);
	same('the chat was told once, of both customers', [texts().length, texts()[0]?.match(/^- /gm)?.length], [1, 2]);
	none(
		'by their names',
		[refused, half].filter((company) => !texts()[0]?.includes(company?.companyName ?? '')),
	);

	inbox.clear();
	await run({ days: 5, onlyCustomers: 'Bakery' });
	same(
		'if no training began in these days, the chat hears it',
		[texts().length, texts()[0]?.includes('no training')],
		[1, true],
	);
});
