import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { unzipSync } from 'fflate';

import { startDocumentation } from '../../real-n8n/documentationSimulator';
import { buildPageBody, ApiClient } from '../../stand-in/apiClient';
import { getJobPeople } from '../../stand-in/routes/campaign-people';
import type { Company } from '../../stand-in/seed';
import { registerCheck, sortForComparison, type ExampleContext } from './registerCheck';
import { enterCustomerMap } from './customerMapTable';
import { parseResults } from './customers';
import { importDocumentWorkflow, saveDocumentationCredential } from './documentWorkflow';
import { formatDay } from './readDay';
import { saveDocument } from './saveDocument';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
const PACK_FILE_NAMES = [
	'SHA256SUMS.txt',
	'certificates.csv',
	'exceptions.csv',
	'people.csv',
	'simulations.csv',
	'summary.html',
	'trainings.csv',
];
const CERTIFICATES_ROUTE = 'POST /api/enrollments/{enrollmentId}/certificates/search';
const USERS_ROUTE = 'POST /api/training-reports/{enrollmentId}/users/search';
const MALICIOUS_NAME = `../<img src=x onerror=alert(1)> {{ 6 * 7 }} $& ${NAME_FRAGMENT} "`;
const FORMULA = '=HYPERLINK("https://example.com")';
const DAY_MS = 86_400_000;
const toIsoDate = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Reads the files in a customer's evidence pack. @returns their texts by file name, or an empty object if there is no pack */
async function readPack(folder: string, { companyResourceId: id }: Company): Promise<Record<string, string>> {
	const file = (await readdir(folder)).find((name) => name.includes(`-${id.slice(0, 8)}-`));
	if (!file) return {};
	const entries = Object.entries(unzipSync(await readFile(join(folder, file))));
	return Object.fromEntries(entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
}

/** Parses the rows of a CSV without its header. All cells must be in quotation marks. */
const parseCsvRows = (csv = '') =>
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

/** Returns true if the hashes in SHA256SUMS.txt don't match the other files of a pack. */
const hasWrongHashes = (pack: Record<string, string>): boolean => {
	const { 'SHA256SUMS.txt': hashList = '', ...files } = pack;
	const hashes = Object.entries(files).map(
		([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}`,
	);
	return sortForComparison(hashes).join() !== sortForComparison(hashList.trimEnd().split('\n')).join();
};

/** Gives each customer trainings and a simulation in the period, and a training and a simulation before it. */
function prepareRecords({ world }: ExampleContext['service'], customers: Company[]): void {
	for (const [customerIndex, company] of customers.entries()) {
		const companyData = world.getCompanyData(company.companyResourceId);
		for (const [index, enrollment] of companyData.enrollments.entries()) {
			const startTime = Date.now() - (index === 2 ? 900 : 100) * DAY_MS;
			// In n8n's time zone, this time is in the evening of the previous day.
			const dueDate = `${toIsoDate(startTime + 30 * DAY_MS)}T02:00:00.000Z`;
			Object.assign(enrollment, {
				startDate: new Date(startTime).toISOString(),
				dueDate,
				awardCertificate: index === 0,
			});
		}
		const [recentCampaign, oldCampaign] = companyData.getCampaigns('phishing');
		if (recentCampaign) recentCampaign.createTime = new Date(Date.now() - 90 * DAY_MS).toISOString();
		if (oldCampaign) oldCampaign.createTime = new Date(Date.now() - 900 * DAY_MS).toISOString();
		const [firstMember] = companyData.getGroupMembers(companyData.enrollments[0]?.targetGroupResourceIds ?? []);
		const [, leaver] = companyData.getGroupMembers(companyData.enrollments[0]?.targetGroupResourceIds ?? []);
		if (customerIndex === 4 && leaver) world.addNote(leaver.resourceId, { isActive: false });
		if (customerIndex === 5) company.companyName = MALICIOUS_NAME;
		if (customerIndex === 5 && firstMember) Object.assign(firstMember, { firstName: FORMULA, lastName: '' });
	}
}

registerCheck(19, async (example) => {
	const { service, folder, runExample, refuseCompany, getChatTexts, expectEqual, expectNone } = example;
	const customers = service.world.companies.filter(({ companyName }) => companyName?.includes(NAME_FRAGMENT));
	const customerCount = customers.length;
	prepareRecords(service, customers);
	const [unreadableCustomer, partlyRefusedCustomer, , , , customerWithMaliciousName] = customers;
	if (!customerWithMaliciousName) throw new Error('There are too few customers.');
	const from = toIsoDate(Date.now() - 365 * DAY_MS);
	const to = toIsoDate(Date.now() - DAY_MS);
	const settings = { onlyCustomers: NAME_FRAGMENT, from, to };
	const formatSummary = (savedCount: number, waitingCount: number) =>
		`Evidence packs ${from} to ${to}: ${savedCount} saved, ${waitingCount} wait for the next run.`;

	refuseCompany(unreadableCustomer);
	refuseCompany(partlyRefusedCustomer, CERTIFICATES_ROUTE);
	await runExample(settings);
	const [summaryLine, ...lines] = (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
	expectEqual(
		`${customerCount} customers: all except two get a pack`,
		[(await readdir(folder)).length, summaryLine],
		[customerCount - 2, formatSummary(customerCount - 2, 2)],
	);
	expectNone(
		'the two customers without a pack are listed with the reason',
		[unreadableCustomer, partlyRefusedCustomer].filter(
			(company) =>
				!lines.some((line) => line.startsWith(`- ${company?.companyName}: could not be read`) && line.includes('403')),
		),
	);
	expectEqual('no other customers are listed', lines.length, 2);

	service.clearFaults();
	await runExample(settings);
	const files = await readdir(folder);
	expectEqual(
		'the next run creates the missing packs, and none twice',
		[files.length, getChatTexts().at(-1)?.trimEnd()],
		[customerCount, formatSummary(customerCount, 0)],
	);
	await checkPacks(example, customers, customerWithMaliciousName, from);
	expectNone(
		'the file names are safe',
		files.filter((name) => !/^evidence-[\p{L}\p{M}\p{N} ._-]+-\w{8}-[\d-]+-to-[\d-]+\.zip$/u.test(name)),
	);
	expectNone(
		'only reading requests were sent',
		service.log.filter(({ hasChangedData, route }) => hasChangedData && route !== 'POST /connect/token'),
	);

	await checkDocuments(example, customers, settings);

	await runExample({ ...settings, onlyCustomers: 'No such customer' });
	expectEqual(
		'without a matching customer, the chat message says so',
		getChatTexts().at(-1)?.trimEnd(),
		formatSummary(0, 0),
	);
	await runExample({ ...settings, from: 'last year' });
	expectEqual(
		'with an invalid date, no pack is created, and the chat message says so',
		[
			getChatTexts().at(-1)?.includes(' 0 saved'),
			/Start Date/.test(getChatTexts().at(-1) ?? ''),
			(await readdir(folder)).length,
		],
		[true, true, customerCount],
	);
});

/** Checks that example 28 saves each summary as one document in the customer's organization, and replaces it in the next run. */
async function checkDocuments(
	example: ExampleContext,
	customers: Company[],
	settings: Record<string, string>,
): Promise<void> {
	const { client, folder, runExample, runActivated, getChatTexts, expectEqual, expectNone } = example;
	const [customerWithoutOrganization, ...mappedCustomers] = customers;
	const documentation = await startDocumentation(customers.map((_company, index) => index + 1));
	const credential = await saveDocumentationCredential(example);
	try {
		await enterCustomerMap(
			example,
			customers.map(({ companyResourceId: customerId, companyName }, index) => ({
				customerId,
				customer: companyName ?? '',
				documentationId: index === 0 ? '' : String(index + 1),
			})),
		);
		const workflowId = await importDocumentWorkflow(example, documentation, 'hudu');
		await runExample({ ...settings, documentation: workflowId });
		const [summaryLine, ...lines] = (getChatTexts().at(-1) ?? '').trimEnd().split('\n');
		expectEqual(
			'Hudu gets the summary of each customer, except of the one without an organization',
			[summaryLine?.split(': ')[1], summaryLine?.split('Documents: ')[1], documentation.documents.length, lines],
			[
				`${customers.length} saved, 1 wait for the next run. Documents`,
				`${mappedCustomers.length} created, 0 replaced.`,
				mappedCustomers.length,
				[
					`- ${customerWithoutOrganization?.companyName}: no document: no documentationId in the customer map (Data Table Security Awareness Customers): enter it there, or run example 27`,
				],
			],
		);
		const files = await readdir(folder);
		const getText = (organizationId: number) =>
			documentation.documents.find((document) => document.organizationId === organizationId)?.sections[0]?.content ??
			'';
		expectNone(
			"each document is in its customer's organization and names the customer's file",
			customers.slice(1).filter(({ companyResourceId: id }, index) => {
				const file = files.find((name) => name.includes(`-${id.slice(0, 8)}-`));
				return !file || !getText(index + 2).includes(`The files are in ${file}<`);
			}),
		);
		await saveDocument('pack-document.html', getText(3));

		// The schedule runs the published version of example 28, and not the one in the editor.
		const onlyCustomers = mappedCustomers[1]?.companyName ?? '';
		const selectedCount = mappedCustomers.filter(({ companyName }) => companyName?.includes(onlyCustomers)).length;
		const nextSettings = { ...settings, documentation: workflowId, onlyCustomers };
		await runActivated(async () => undefined, { settings: nextSettings });
		expectEqual(
			'the next run, by the schedule, replaces the documents',
			[getChatTexts().at(-1)?.split('Documents: ')[1]?.split('\n')[0], documentation.documents.length],
			[`0 created, ${selectedCount} replaced.`, mappedCustomers.length],
		);
		await runExample({
			...settings,
			documentation: 'no such workflow',
			onlyCustomers,
		});
		expectEqual(
			'if example 28 is missing, the packs are saved, and the chat message has the reason',
			[
				/ [1-9]\d* saved/.test(getChatTexts().at(-1) ?? ''),
				/: no document: .*orkflow/.test(getChatTexts().at(-1) ?? ''),
			],
			[true, true],
		);
	} finally {
		await client.deleteCredential(credential);
		await documentation.close();
	}
}

type Service = ExampleContext['service'];
type ExpectedRows = Array<Array<string | undefined>>;

/** Fetches the email, status, due date and overdue flag of a customer's people from the service, for all trainings of the period. */
async function fetchPeopleRows(
	service: Service,
	api: ApiClient,
	company: Company,
	from: string,
): Promise<ExpectedRows> {
	const { companyResourceId: id } = company;
	const rows: ExpectedRows = [];
	for (const { resourceId, dueDate, type, startDate, markedAsTest } of service.world.getCompanyData(id).enrollments) {
		if (markedAsTest || startDate.slice(0, 10) < from) continue;
		const surveyParameters = type === 'Survey' ? { trainingType: 0 } : {};
		const body = buildPageBody({ pageSize: 1000, orderBy: 'Email', ...surveyParameters });
		const response = await api.scopeToCompany(id).send(USERS_ROUTE.replace('{enrollmentId}', resourceId), body);
		for (const { email, status, targetUserResourceId: personId } of parseResults(response.data)) {
			if (service.world.getNotes(String(personId)).isActive === false) continue;
			const overdue = status === 'Completed' ? 'no' : 'yes';
			rows.push([String(email).toLowerCase(), String(status), formatDay(dueDate) ?? undefined, overdue]);
		}
	}
	return rows;
}

/** Builds a row for each job of the simulation in the period: how many people got it, how many clicked, and how many submitted data. */
function buildSimulationRows({ world }: Service, { companyResourceId: id }: Company): ExpectedRows {
	const [campaign] = world.getCompanyData(id).getCampaigns('phishing');
	return (campaign?.instanceGroups ?? []).map((group) => {
		const people = campaign ? getJobPeople(world, campaign, group) : [];
		const countPeople = (activity: 'clicked' | 'submitted') =>
			people.filter(({ activities }) => activities[activity].some(({ isBot }) => !isBot)).length;
		return [people.length, countPeople('clicked'), countPeople('submitted')].map(String);
	});
}

function countCertificates({ world }: Service, { companyResourceId: id }: Company): number {
	const companyData = world.getCompanyData(id);
	const [firstEnrollment] = companyData.enrollments;
	return firstEnrollment?.status === 'Completed'
		? companyData.getGroupMembers(firstEnrollment.targetGroupResourceIds).length
		: 0;
}

async function checkPacks(
	example: ExampleContext,
	customers: Company[],
	customerWithMaliciousName: Company,
	from: string,
): Promise<void> {
	const { service, folder, expectEqual, expectNone } = example;
	const api = await new ApiClient(service, service.clients.reseller).signIn();
	const isSame = (actual: ExpectedRows, expected: ExpectedRows) =>
		JSON.stringify(sortForComparison(actual)) === JSON.stringify(sortForComparison(expected));
	const results = await Promise.all(
		customers.map(async (company) => {
			const pack = await readPack(folder, company);
			const people = parseCsvRows(pack['people.csv']).map((row) => [row[0], row[4], row[6], row[7]]);
			const figures = parseCsvRows(pack['simulations.csv']).map((row) => [row[2], row[4], row[5]]);
			const sentCertificates = parseCsvRows(pack['certificates.csv']).filter((row) => row[3]);
			return {
				files: sortForComparison(Object.keys(pack)).join() === PACK_FILE_NAMES.join(),
				hashes: !hasWrongHashes(pack),
				people: isSame(people, await fetchPeopleRows(service, api, company, from)),
				simulations: isSame(figures, buildSimulationRows(service, company)),
				certificates: sentCertificates.length === countCertificates(service, company),
				values: !/undefined|NaN|Invalid|\[object/.test(Object.values(pack).join()),
			};
		}),
	);
	const listWrongPacks = (check: keyof (typeof results)[number]) =>
		customers.filter((_company, index) => !results[index]?.[check]).map(({ companyName }) => companyName);
	expectNone(
		`each of the ${customers.length} packs contains the ${PACK_FILE_NAMES.length} files`,
		listWrongPacks('files'),
	);
	expectNone('the list has the SHA-256 hash of each file', listWrongPacks('hashes'));
	expectNone(
		'the people and their status, due date and overdue flag are the same as in the service',
		listWrongPacks('people'),
	);
	expectNone('the simulations of the period are the same as in the service', listWrongPacks('simulations'));
	expectNone('the sent certificates are the same as in the service', listWrongPacks('certificates'));
	expectNone('no value is missing in a sentence or cell', listWrongPacks('values'));

	const [, , documentedCustomer = customerWithMaliciousName] = customers;
	await saveDocument('pack-summary.html', (await readPack(folder, documentedCustomer))['summary.html'] ?? '');
	const pack = await readPack(folder, customerWithMaliciousName);
	expectEqual(
		'malicious names are shown as text',
		[
			/<img|\{\{|6 \* 7/.test(pack['summary.html'] ?? ''),
			Object.values(pack).some((text) => text.includes(`"${FORMULA.slice(0, 6)}`)),
			pack['people.csv']?.includes(`"'=HYPERLINK(""https`),
		],
		[false, false, true],
	);
}
