import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { unzipSync } from 'fflate';

import { buildPageBody, ApiClient } from '../../stand-in/apiClient';
import { getJobPeople } from '../../stand-in/routes/campaign-people';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, type ExampleContext } from './check';
import { parseResults } from './customers';
import { readDay } from './days';
import { saveDocument } from './keep';

/** In the names of more than forty customers. */
const NAME_PART = 'Partners';
const FILES = [
	'SHA256SUMS.txt',
	'certificates.csv',
	'exceptions.csv',
	'people.csv',
	'simulations.csv',
	'summary.html',
	'trainings.csv',
];
const CERTIFICATES = 'POST /api/enrollments/{enrollmentId}/certificates/search';
const USERS = 'POST /api/training-reports/{enrollmentId}/users/search';
const MALICIOUS_NAME = `../<img src=x onerror=alert(1)> {{ 6 * 7 }} $& ${NAME_PART} "`;
const FORMULA = '=HYPERLINK("https://example.com")';
const DAY_MS = 86_400_000;
const toIsoDate = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The text of each file in a customer's pack, by its name; none without a pack. */
async function readPack(folder: string, { companyResourceId: id }: Company): Promise<Record<string, string>> {
	const file = (await readdir(folder)).find((name) => name.includes(`-${id.slice(0, 8)}-`));
	if (!file) return {};
	const entries = Object.entries(unzipSync(await readFile(join(folder, file))));
	return Object.fromEntries(entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
}

/** Cells of a CSV whose cells are all in quotation marks. */
const parseCells = (csv = '') =>
	csv
		.replace('\ufeff', '')
		.trimEnd()
		.split('\r\n')
		.slice(1)
		.map((line) =>
			line
				.slice(1, -1)
				.split('","')
				.map((cell) => cell.replaceAll('""', '"')),
		);

/** Of whom the list of hashes does not fit the files. */
const hasWrongHashes = (pack: Record<string, string>): boolean => {
	const { 'SHA256SUMS.txt': list = '', ...files } = pack;
	const hashes = Object.entries(files).map(
		([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}`,
	);
	return sortForComparison(hashes).join() !== sortForComparison(list.trimEnd().split('\n')).join();
};

/** As a platform would have it: trainings and a simulation in the last months, and others long ago. */
function prepareRecords({ world }: ExampleContext['service'], customers: Company[]): void {
	for (const [at, company] of customers.entries()) {
		const companyData = world.getCompanyData(company.companyResourceId);
		for (const [index, enrollment] of companyData.enrollments.entries()) {
			const start = Date.now() - (index === 2 ? 900 : 100) * DAY_MS;
			// In n8n's time zone this is the evening before.
			const dueDate = `${toIsoDate(start + 30 * DAY_MS)}T02:00:00.000Z`;
			Object.assign(enrollment, { startDate: new Date(start).toISOString(), dueDate, awardCertificate: index === 0 });
		}
		const [recent, old] = companyData.getCampaigns('phishing');
		if (recent) recent.createTime = new Date(Date.now() - 90 * DAY_MS).toISOString();
		if (old) old.createTime = new Date(Date.now() - 900 * DAY_MS).toISOString();
		const [first] = companyData.getGroupMembers(companyData.enrollments[0]?.targetGroupResourceIds ?? []);
		const [, leaver] = companyData.getGroupMembers(companyData.enrollments[0]?.targetGroupResourceIds ?? []);
		if (at === 4 && leaver) world.addNote(leaver.resourceId, { isActive: false });
		if (at === 5) company.companyName = MALICIOUS_NAME;
		if (at === 5 && first) Object.assign(first, { firstName: FORMULA, lastName: '' });
	}
}

registerCheck(19, async (example) => {
	const { service, folder, runExample, refuseCompany, getChatTexts, expectEqual, expectNone } = example;
	const customers = service.world.companies.filter(({ companyName }) => companyName?.includes(NAME_PART));
	const all = customers.length;
	prepareRecords(service, customers);
	const [unread, partlyRefused, , , , malicious] = customers;
	if (!malicious) throw new Error('There are too few customers.');
	const from = toIsoDate(Date.now() - 365 * DAY_MS);
	const to = toIsoDate(Date.now() - DAY_MS);
	const settings = { onlyCustomers: NAME_PART, from, to };
	const formatSummary = (saved: number, waits: number) =>
		`Evidence packs ${from} to ${to}: ${saved} saved, ${waits} wait for the next run.`;

	refuseCompany(unread);
	refuseCompany(partlyRefused, CERTIFICATES);
	await runExample(settings);
	const [first, ...lines] = (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	expectEqual(
		`${all} customers: a pack for each but two`,
		[(await readdir(folder)).length, first],
		[all - 2, formatSummary(all - 2, 2)],
	);
	expectNone(
		'these two are named with the reason, and have none by half',
		[unread, partlyRefused].filter(
			(company) =>
				!lines.some((line) => line.startsWith(`- ${company?.companyName}: could not be read`) && line.includes('403')),
		),
	);
	expectEqual('and nobody else', lines.length, 2);

	service.clearFaults();
	await runExample(settings);
	const files = await readdir(folder);
	expectEqual(
		'the next run makes theirs, and none twice',
		[files.length, getChatTexts().at(-1)?.trimEnd()],
		[all, formatSummary(all, 0)],
	);
	await checkPacks(example, customers, malicious, [from, to]);
	expectNone(
		'the names of the files are safe',
		files.filter((name) => !/^evidence-[\p{L}\p{M}\p{N} ._-]+-\w{8}-[\d-]+-to-[\d-]+\.zip$/u.test(name)),
	);
	expectNone(
		'nothing but reading was asked',
		service.log.filter(({ landed, route }) => landed && route !== 'POST /connect/token'),
	);

	await runExample({ ...settings, onlyCustomers: 'No such customer' });
	expectEqual('no customer: it says so', getChatTexts().at(-1)?.trimEnd(), formatSummary(0, 0));
	await runExample({ ...settings, from: 'last year' });
	expectEqual(
		'a date that is none makes nothing, and is told',
		[
			getChatTexts().at(-1)?.includes(' 0 saved'),
			/Start Date/.test(getChatTexts().at(-1) ?? ''),
			(await readdir(folder)).length,
		],
		[true, true, all],
	);
});

type Service = ExampleContext['service'];
type Rows = Array<Array<string | undefined>>;

/** E-mail, status, due date and overdue of everybody in the trainings of the period, as the service tells them. */
async function fetchPeopleRows(service: Service, api: ApiClient, company: Company, from: string): Promise<Rows> {
	const { companyResourceId: id } = company;
	const rows: Rows = [];
	for (const { resourceId, dueDate, type, startDate, markedAsTest } of service.world.getCompanyData(id).enrollments) {
		if (markedAsTest || startDate.slice(0, 10) < from) continue;
		const body = buildPageBody({ pageSize: 1000, orderBy: 'Email', ...(type === 'Survey' ? { trainingType: 0 } : {}) });
		const asked = await api.scopeToCompany(id).send(USERS.replace('{enrollmentId}', resourceId), body);
		for (const { email, status, targetUserResourceId: person } of parseResults(asked.data)) {
			if (service.world.getNotes(String(person)).isActive === false) continue;
			const overdue = status === 'Completed' ? 'no' : 'yes';
			rows.push([String(email).toLowerCase(), String(status), readDay(dueDate) ?? undefined, overdue]);
		}
	}
	return rows;
}

/** People, clicked and submitted of each simulation in the period. */
function buildSimulationRows({ world }: Service, { companyResourceId: id }: Company): Rows {
	const [campaign] = world.getCompanyData(id).getCampaigns('phishing');
	return (campaign?.instanceGroups ?? []).map((group) => {
		const people = campaign ? getJobPeople(world, campaign, group) : [];
		const count = (deed: 'clicked' | 'submitted') =>
			people.filter(({ activities }) => activities[deed].some(({ isBot }) => !isBot)).length;
		return [people.length, count('clicked'), count('submitted')].map(String);
	});
}

function countCertificates({ world }: Service, { companyResourceId: id }: Company): number {
	const companyData = world.getCompanyData(id);
	const [first] = companyData.enrollments;
	return first?.status === 'Completed' ? companyData.getGroupMembers(first.targetGroupResourceIds).length : 0;
}

async function checkPacks(
	example: ExampleContext,
	customers: Company[],
	malicious: Company,
	[from = '']: string[],
): Promise<void> {
	const { service, folder, expectEqual, expectNone } = example;
	const api = await new ApiClient(service, service.clients.reseller).signIn();
	const isSame = (told: Rows, wanted: Rows) =>
		JSON.stringify(sortForComparison(told)) === JSON.stringify(sortForComparison(wanted));
	const right = await Promise.all(
		customers.map(async (company) => {
			const pack = await readPack(folder, company);
			const people = parseCells(pack['people.csv']).map((row) => [row[0], row[4], row[6], row[7]]);
			const figures = parseCells(pack['simulations.csv']).map((row) => [row[2], row[4], row[5]]);
			const sent = parseCells(pack['certificates.csv']).filter((row) => row[3]);
			return {
				files: sortForComparison(Object.keys(pack)).join() === FILES.join(),
				hashes: !hasWrongHashes(pack),
				people: isSame(people, await fetchPeopleRows(service, api, company, from)),
				simulations: isSame(figures, buildSimulationRows(service, company)),
				certificates: sent.length === countCertificates(service, company),
				whole: !/undefined|NaN|Invalid|\[object/.test(Object.values(pack).join()),
			};
		}),
	);
	const listWrongPacks = (what: keyof (typeof right)[number]) =>
		customers.filter((_company, at) => !right[at]?.[what]).map(({ companyName }) => companyName);
	expectNone(`each of the ${customers.length} packs has its ${FILES.length} files`, listWrongPacks('files'));
	expectNone('the SHA-256 of each file is in the list', listWrongPacks('hashes'));
	expectNone('people, status, due date and overdue are as the service has them', listWrongPacks('people'));
	expectNone('so are the simulations of the period', listWrongPacks('simulations'));
	expectNone('and the certificates that were sent', listWrongPacks('certificates'));
	expectNone('nothing is missing in a sentence or cell', listWrongPacks('whole'));

	const [, , shown = malicious] = customers;
	await saveDocument('pack-summary.html', (await readPack(folder, shown))['summary.html'] ?? '');
	const pack = await readPack(folder, malicious);
	expectEqual(
		'a name is neither markup, code, nor a formula',
		[
			/<img|\{\{|6 \* 7/.test(pack['summary.html'] ?? ''),
			Object.values(pack).some((text) => text.includes(`"${FORMULA.slice(0, 6)}`)),
			pack['people.csv']?.includes(`"'=HYPERLINK(""https`),
		],
		[false, false, true],
	);
}
