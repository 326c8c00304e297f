import { getNodeItems, type Workflow } from '../../real-n8n/client';
import {
	DOCUMENTATION_API_KEY,
	startDocumentation,
	type DocumentationSimulator,
} from '../../real-n8n/documentationSimulator';
import type { ExampleSettings } from '../../real-n8n/examples';
import { startPsa, type PsaSimulator } from '../../real-n8n/psaSimulator';
import type { Company } from '../../stand-in/seed';
import { dropCustomerMap, enterCustomerMap } from './customerMapTable';
import { buildPsaSettings, createPsaCredentials, PSA_NAMES, selectPsaCredential, type PsaName } from './psaAccess';
import { registerCheck, sortForComparison, type ExampleContext } from './registerCheck';

const TABLE_NAME = 'Security Awareness Customers';
const DOCUMENTATION_NODE = 'Organizations';
/** The ID of the first organization in the documentation. */
const FIRST_ORGANIZATION_ID = 5000;
const EDITED_CUSTOMERS = ['renamed', 'namesake', 'otherNamesake', 'doubled', 'taken', 'entered', 'removed'] as const;

const getCompanyName = ({ companyName }: Company) => companyName ?? '';

/** The customers whose names the check makes special, by what is special. */
type EditedCustomers = Record<(typeof EDITED_CUSTOMERS)[number], Company>;

registerCheck(27, async (example) => {
	const { client, service } = example;
	const psa = await startPsa();
	const documentation = await startDocumentation();
	const deletePsaCredentials = await createPsaCredentials(example, psa);
	const credential = await client.createCredential('Documentation account', 'httpHeaderAuth', {
		name: 'x-api-key',
		value: DOCUMENTATION_API_KEY,
	});
	try {
		for (const psaName of PSA_NAMES) {
			service.reset();
			await checkMap(example, psa, documentation, psaName);
		}
		await checkUnreadableLists(example, psa);
		await checkWithoutPsa(example, documentation);
		await checkDeactivatedNodes(example, psa, documentation);
	} finally {
		await client.deleteCredential(credential);
		await deletePsaCredentials();
		await documentation.close();
		await psa.close();
	}
});

/** Selects the credential of a PSA, and activates the node that reads the documentation, as the example's page says. */
const prepareNodes =
	(psaName: PsaName) =>
	(workflow: Workflow): Workflow => ({
		...selectPsaCredential(psaName, ['PSA Companies'])(workflow),
		nodes: selectPsaCredential(psaName, ['PSA Companies'])(workflow).nodes.map((node) =>
			node.name === DOCUMENTATION_NODE ? { ...node, disabled: false } : node,
		),
	});

/** Creates the customers' companies in the PSA and their organizations in the documentation, with names that need attention. */
function prepareNames(
	{ service }: ExampleContext,
	psa: PsaSimulator,
	documentation: DocumentationSimulator,
): EditedCustomers {
	const { companies } = service.world;
	const names = new Set<string>();
	const uniqueCompanies = companies.filter((company) => {
		const isNew = !names.has(getCompanyName(company).toLowerCase());
		names.add(getCompanyName(company).toLowerCase());
		return isNew;
	});
	// A removed company takes its child companies along.
	const candidates = uniqueCompanies.filter(({ children }) => children.length === 0);
	const customers = Object.fromEntries(
		EDITED_CUSTOMERS.map((key, index) => [key, candidates[index * 3]]),
	) as EditedCustomers;
	Object.assign(customers.otherNamesake, { companyName: ` ${getCompanyName(customers.namesake).toUpperCase()}` });
	psa.reset(companies.map(getCompanyName));
	documentation.organizations.length = 0;
	companies.forEach((company, index) => {
		documentation.organizations.push({
			id: FIRST_ORGANIZATION_ID + index,
			name: getCompanyName(company).toUpperCase(),
		});
	});
	psa.records.companies.push({ id: 9001, name: getCompanyName(customers.doubled).replace(' ', '  ') });
	psa.records.companies.push({ id: 9002, name: getCompanyName(customers.entered), isInactive: true });
	return customers;
}

/** Checks one PSA and one documentation system with all customers. */
async function checkMap(
	example: ExampleContext,
	psa: PsaSimulator,
	documentation: DocumentationSimulator,
	psaName: PsaName,
): Promise<void> {
	const { service, runExample, readTableRows, getChatTexts, expectEqual, expectNone } = example;
	const customers = prepareNames(example, psa, documentation);
	const { companies } = service.world;
	const getPsaId = (company: Company) => String(companies.indexOf(company) + 1);
	const getDocumentationId = (company: Company) => String(FIRST_ORGANIZATION_ID + companies.indexOf(company));
	const getId = (company: Company) => company.companyResourceId;
	const documentationName = psaName === 'halo' ? 'itglue' : 'hudu';
	const settings: ExampleSettings = {
		...buildPsaSettings(psaName, psa),
		documentation: documentationName,
		documentationUrl: documentation.urls[documentationName],
	};
	const runMap = () => runExample(settings, prepareNodes(psaName));
	const findRow = async (company: Company) =>
		(await readTableRows(TABLE_NAME)).find(({ customerId }) => customerId === getId(company));
	const readIds = async (company: Company) => {
		const row = await findRow(company);
		return [row?.psaId, row?.documentationId];
	};
	const findLine = (company: Company) =>
		getChatTexts()
			.at(-1)
			?.split('\n')
			.find((line) => line.startsWith(`- ${getCompanyName(company).trim()}: `));

	await enterCustomerMap(example, [
		{ customerId: getId(customers.entered), psaId: getPsaId(customers.taken), contact: 'anna@customer.example' },
		{ customerId: getId(customers.removed), customer: getCompanyName(customers.removed), psaId: 'kept' },
	]);
	await runMap();
	const rows = await readTableRows(TABLE_NAME);
	const nameCounts = new Map<string, number>();
	const getKey = (company: Company) => getCompanyName(company).replaceAll(' ', '').toLowerCase();
	for (const company of companies) nameCounts.set(getKey(company), (nameCounts.get(getKey(company)) ?? 0) + 1);
	const isClear = (company: Company) =>
		nameCounts.get(getKey(company)) === 1 &&
		![customers.doubled, customers.taken, customers.entered, customers.removed].includes(company);
	const clearCompanies = companies.filter(isClear);
	const actualIds = new Map(rows.map((row) => [row.customerId, `${String(row.psaId)} ${String(row.documentationId)}`]));
	expectEqual(
		`${psaName}, ${documentationName}: ${clearCompanies.length} of ${companies.length} customers get both IDs, and each has one row`,
		[rows.length >= companies.length, new Set(rows.map(({ customerId }) => customerId)).size],
		[true, rows.length],
	);
	expectNone(
		`${psaName}: no customer has another customer's IDs`,
		clearCompanies.filter(
			(company) => actualIds.get(getId(company)) !== `${getPsaId(company)} ${getDocumentationId(company)}`,
		),
	);
	expectEqual(
		`${psaName}: what is ambiguous stays empty, and the chat message says why`,
		[
			(await readIds(customers.namesake))[0],
			(await readIds(customers.otherNamesake))[0],
			(await readIds(customers.doubled))[0],
			(await readIds(customers.taken))[0],
			[customers.namesake, customers.otherNamesake].filter((company) =>
				getChatTexts()
					.at(-1)
					?.includes(`- ${getCompanyName(company).trim()} (${getId(company)}): 2 customers have this name`),
			).length,
			findLine(customers.doubled)?.endsWith('the PSA has 2 companies with this name'),
			findLine(customers.taken)?.endsWith('its ID belongs to another customer'),
		],
		['', '', '', '', 2, true, true],
	);
	const enteredRow = await findRow(customers.entered);
	expectEqual(
		`${psaName}: what a person has entered is unchanged`,
		[enteredRow?.psaId, enteredRow?.contact, enteredRow?.customer, (await findRow(customers.removed))?.psaId],
		[getPsaId(customers.taken), 'anna@customer.example', getCompanyName(customers.entered), 'kept'],
	);
	expectNone(
		`${psaName}: each row has the time zone of its customer`,
		rows.filter(({ timeZone }) => !/^\w+\/\w+$/.test(String(timeZone))),
	);

	const getRequestCount = () => service.getRequests().length;
	const readMap = async () => sortForComparison(await readTableRows(TABLE_NAME));
	const mapBefore = await readMap();
	const requestCountBefore = getRequestCount();
	const linesBefore = getChatTexts().at(-1)?.split('\n').slice(1);
	await runMap();
	expectEqual(
		`${psaName}: a second run changes nothing, reads no company again, and lists the same reasons`,
		[await readMap(), getRequestCount() - requestCountBefore <= 5, getChatTexts().at(-1)?.split('\n').slice(1)],
		[mapBefore, true, linesBefore],
	);
	expectEqual(
		`${psaName}: its message has the figures`,
		getChatTexts().at(-1)?.split('\n')[0],
		`Customer map: 0 new, 0 changed, ${mapBefore.filter(({ why }) => why !== '').length} to look at.`,
	);

	Object.assign(customers.renamed, { companyName: 'A New Name Ltd' });
	service.world.removeCompany(customers.removed);
	psa.records.companies = psa.records.companies.filter(({ id }) => id !== 9001);
	const idsBefore = mapBefore.find(({ customerId }) => customerId === getId(customers.renamed));
	await runMap();
	const renamedRow = await findRow(customers.renamed);
	const removedRow = await findRow(customers.removed);
	expectEqual(
		`${psaName}: a renamed customer keeps its IDs, a removed one its row, and a name that became clear gets its ID`,
		[
			[renamedRow?.customer, renamedRow?.psaId, renamedRow?.documentationId],
			[removedRow?.psaId, removedRow?.why],
			[(await readIds(customers.doubled))[0] !== '', (await findRow(customers.doubled))?.why],
		],
		[
			['A New Name Ltd', idsBefore?.psaId, idsBefore?.documentationId],
			['kept', 'the platform no longer lists this customer'],
			[true, ''],
		],
	);
}

/** Checks that nothing is changed if a list can't be read, in the middle or at all. */
async function checkUnreadableLists(example: ExampleContext, psa: PsaSimulator): Promise<void> {
	const { service, runExample, readTableRows, getChatTexts, expectEqual } = example;
	await enterCustomerMap(example, [{ customerId: 'gone', customer: 'Gone' }]);
	const runMap = async (psaName: PsaName, settings: ExampleSettings = {}) => {
		const execution = await runExample(
			{ ...buildPsaSettings(psaName, psa), ...settings },
			selectPsaCredential(psaName, ['PSA Companies']),
		);
		const message = getChatTexts().at(-1) ?? '';
		return { message, companies: getNodeItems(execution, 'One PSA Company Each').map(({ json }) => json) };
	};
	psa.addFault({ status: 429 });
	const limited = await runMap('autotask');
	psa.addFault({ status: 401 });
	const refused = await runMap('connectwise');
	const unreachable = await runMap('halo', { psaUrl: 'http://127.0.0.1:9' });
	service.addFault({ kind: 'status-500', route: 'POST /api/companies/search', times: Infinity });
	const unread = await runMap('autotask');
	service.clearFaults();
	const messages = [limited, refused, unreachable, unread].map(({ message }) => message.split('\n'));
	const beginning = '- The companies of the PSA could not be read, so nothing was changed: ';
	expectEqual(
		'if the PSA or the platform cannot be read, nothing is changed, and the chat message says so and why',
		[
			(await readTableRows(TABLE_NAME)).map(({ customerId, why }) => [customerId, why]),
			messages.map(([head]) => head),
			messages[0]?.[1]?.startsWith(`${beginning}status 429 `),
			messages[1]?.[1]?.startsWith(`${beginning}status 401 `),
			/changed: (.*refused.*|open the node PSA Companies in this execution to see why)$/.test(messages[2]?.[1] ?? ''),
			messages[3]?.[1]?.startsWith('- The customers could not be read, so nothing was changed: '),
			messages.map(({ length }) => length),
		],
		[
			[['gone', '']],
			messages.map(() => 'Customer map: 0 new, 0 changed, 0 to look at.'),
			true,
			true,
			true,
			true,
			[2, 2, 2, 2],
		],
	);
	expectEqual(
		'an error of the PSA is not shown as a company',
		[limited, refused, unreachable].map(({ companies }) => companies),
		[[{}], [{}], [{}]],
	);
}

/** Checks that a deactivated node changes no ID, gives no reason for the other system, and is named in the chat. */
async function checkDeactivatedNodes(
	example: ExampleContext,
	psa: PsaSimulator,
	documentation: DocumentationSimulator,
): Promise<void> {
	const { service, runExample, readTableRows, getChatTexts, expectEqual } = example;
	const companies = service.world.companies.filter(({ children }) => children.length === 0);
	const [first, second] = companies.map(({ companyResourceId }) => companyResourceId);
	for (const [nodeName, column, otherColumn, system] of [
		[DOCUMENTATION_NODE, 'documentationId', 'psaId', 'documentation'],
		['PSA Companies', 'psaId', 'documentationId', 'PSA'],
	] as const) {
		await enterCustomerMap(example, [{ customerId: first ?? '', [column]: '77' }, { customerId: second ?? '' }]);
		const settings: ExampleSettings = {
			...buildPsaSettings('connectwise', psa),
			documentation: 'hudu',
			documentationUrl: documentation.urls.hudu,
		};
		await runExample(settings, (workflow) => ({
			...prepareNodes('connectwise')(workflow),
			nodes: prepareNodes('connectwise')(workflow).nodes.map((node) =>
				node.name === nodeName ? { ...node, disabled: true } : node,
			),
		}));
		const rows = await readTableRows(TABLE_NAME);
		expectEqual(
			`with ${nodeName} deactivated, its column stays as it is, the other one is filled, and the chat message says so`,
			[
				rows.filter((row) => row[column] !== '').map((row) => [row.customerId, row[column]]),
				rows.some((row) => row[otherColumn] !== ''),
				rows.filter(({ why }) => String(why).includes(`the ${system} has`)),
				getChatTexts().at(-1)?.includes(`were not read, because the node ${nodeName} is deactivated`),
			],
			[[[first, '77']], true, [], true],
		);
	}
}

/** Checks the example with a documentation system alone, with the node of the PSA deactivated. */
async function checkWithoutPsa(example: ExampleContext, documentation: DocumentationSimulator): Promise<void> {
	const { runExample, readTableRows, expectEqual } = example;
	await dropCustomerMap(example);
	const settings = { psa: 'none', documentation: 'hudu', documentationUrl: documentation.urls.hudu };
	await runExample(settings, (workflow) => ({
		...workflow,
		nodes: workflow.nodes.map((node) => {
			if (node.name === 'PSA Companies') return { ...node, disabled: true };
			return node.name === DOCUMENTATION_NODE ? { ...node, disabled: false } : node;
		}),
	}));
	const rows = await readTableRows(TABLE_NAME);
	expectEqual(
		'without a PSA, only the IDs of the documentation are entered, and no PSA is missed',
		[
			rows.some(({ documentationId }) => documentationId !== ''),
			rows.filter(({ psaId, why }) => psaId !== '' || String(why).includes('PSA')),
		],
		[true, []],
	);
}
