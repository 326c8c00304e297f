import { readdir } from 'node:fs/promises';

import { startDocumentation } from '../../real-n8n/documentationSimulator';
import type { Company } from '../../stand-in/seed';
import { checkPacks } from './checkPacks';
import { checkUnmeasured } from './checkUnmeasuredPacks';
import { enterCustomerMap } from './customerMapTable';
import { importDocumentWorkflow, saveDocumentationCredential } from './documentWorkflow';
import { prepareEvidence, readPack, toIsoDate, DAY_MS } from './evidencePack';
import { registerCheck, type ExampleContext } from './registerCheck';
import { saveDocument } from './saveDocument';

/** A text that the names of more than forty customers contain. */
const NAME_FRAGMENT = 'Partners';
const MALICIOUS_NAME = `../<img src=x onerror=alert(1)> {{ 6 * 7 }} $& ${NAME_FRAGMENT} "`;
const FORMULA = '=HYPERLINK("https://example.com")';

registerCheck(19, async (example) => {
	const { service, folder, runExample, refuseCompany, getChatTexts, expectEqual, expectNone } = example;
	const customers = service.world.companies.filter(({ companyName }) => companyName?.includes(NAME_FRAGMENT));
	const customerCount = customers.length;
	prepareEvidence(service, customers);
	const [unreadableCustomer, partlyRefusedCustomer, , , , customerWithMaliciousName] = customers;
	if (!customerWithMaliciousName) throw new Error('There are too few customers.');
	const [, , , , , , , customerWithoutSmishing, customerWithoutReach] = customers;
	nameMaliciously(service, customerWithMaliciousName);
	const from = toIsoDate(Date.now() - 365 * DAY_MS);
	const to = toIsoDate(Date.now() - DAY_MS);
	const settings = { onlyCustomers: NAME_FRAGMENT, from, to };
	const formatSummary = (savedCount: number, waitingCount: number) =>
		`Evidence packs ${from} to ${to}: ${savedCount} saved, ${waitingCount} wait for the next run.`;

	refuseCompany(unreadableCustomer);
	refuseCompany(partlyRefusedCustomer, 'POST /api/enrollments/{enrollmentId}/certificates/search');
	refuseCompany(customerWithoutSmishing, 'POST /api/smishing-simulator/smishing-campaign-job-report/search');
	refuseCompany(customerWithoutReach, 'POST /api/trainings/search');
	refuseCompany(customerWithoutReach, 'GET /api/allow-list/search/verified');
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
	await checkUnmeasured(example, customerWithoutSmishing, customerWithoutReach);

	service.clearFaults();
	await runExample(settings);
	const files = await readdir(folder);
	expectEqual(
		'the next run creates the missing packs, and none twice',
		[files.length, getChatTexts().at(-1)?.trimEnd()],
		[customerCount, formatSummary(customerCount, 0)],
	);
	await checkPacks(example, customers, { from, to });
	await checkMaliciousNames(example, customerWithMaliciousName);
	const [, , documentedCustomer] = customers;
	for (const file of ['summary.html', 'frameworks.html'])
		await saveDocument(
			`pack-${file}`,
			documentedCustomer ? ((await readPack(folder, documentedCustomer))[file] ?? '') : '',
		);
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

/** Gives a customer a malicious name, and a person of the customer a name that is a formula. */
function nameMaliciously({ world }: ExampleContext['service'], company: Company): void {
	const companyData = world.getCompanyData(company.companyResourceId);
	const [firstMember] = companyData.getGroupMembers(companyData.enrollments[0]?.targetGroupResourceIds ?? []);
	company.companyName = MALICIOUS_NAME;
	if (firstMember) Object.assign(firstMember, { firstName: FORMULA, lastName: '' });
}

/** Checks that malicious names are shown as text in the pack. */
async function checkMaliciousNames({ folder, expectEqual }: ExampleContext, company: Company): Promise<void> {
	const pack = await readPack(folder, company);
	expectEqual(
		'malicious names are shown as text',
		[
			/<img|\{\{|6 \* 7/.test(`${pack['summary.html']}${pack['frameworks.html']}`),
			Object.values(pack).some((text) => text.includes(`"${FORMULA.slice(0, 6)}`)),
			pack['people.csv']?.includes(`"'=HYPERLINK(""https`),
			pack['coverage.csv']?.includes(`"'=HYPERLINK(""https`),
		],
		[false, false, true, true],
	);
}
