import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import {
	startDocumentation,
	type DocumentationSimulator,
	type StoredDocument,
} from '../../real-n8n/documentationSimulator';
import { getNodeItems } from '../../real-n8n/client';
import { assertSucceeded } from '../../real-n8n/report';
import { buildConnectionTo, buildNode, buildWorkflow, START_NODE } from '../../real-n8n/workflow';
import type { Company } from '../../stand-in/seed';
import { dropCustomerMap, enterCustomerMap } from './customerMapTable';
import { buildCallNode, saveDocumentationCredential } from './documentWorkflow';
import { registerCheck, type ExampleContext } from './registerCheck';

/** The number of customers. Two of them have the same name. */
const CUSTOMER_COUNT = 50;
const SHARED_NAME = 'Twin Peaks Consulting';
const DOCUMENT_NAME = 'Security awareness review 2026-Q3';
const resultSchema = z.strictObject({
	customerId: z.string(),
	customer: z.string(),
	document: z.string(),
	outcome: z.enum(['created', 'replaced', 'waits']),
	why: z.string(),
});
type Result = z.infer<typeof resultSchema>;
type System = keyof DocumentationSimulator['urls'];

registerCheck(28, async (example) => {
	const sameNameCustomers = example.service.world.companies.filter(({ companyName }) => companyName === SHARED_NAME);
	const otherCustomers = example.service.world.companies.filter(({ companyName }) => companyName !== SHARED_NAME);
	const customers = [...sameNameCustomers, ...otherCustomers].slice(0, CUSTOMER_COUNT);
	const documentation = await startDocumentation(customers.map((_company, index) => getOrganizationId(index)));
	const credential = await saveDocumentationCredential(example);
	try {
		await checkWithoutMap(example, documentation, customers);
		await checkDocuments(example, documentation, customers, 'hudu');
		await checkDocuments(example, documentation, customers, 'itglue');
		await checkItGlueDrafts(example, documentation, customers);
	} finally {
		await example.client.deleteCredential(credential);
		await documentation.close();
	}
});

/** Returns the ID of a customer's organization in the documentation, by the position of the customer. */
const getOrganizationId = (index: number) => 1000 + index;
const buildHtml = ({ companyResourceId }: Company, version: string) =>
	`<html><head><style>p { color: red }</style></head><body><main><section class="tiles"><div class="tile"><div class="what">Clicked</div><div class="value">${version}</div></div></section><svg><text>chart</text></svg><p class="from">"${companyResourceId}" {text} $&</p></main></body></html>`;

/** Calls the example once for each customer, as examples 18 and 19 do. @returns what the example returns for each call */
async function saveDocuments(
	{ client, prepareWorkflow }: ExampleContext,
	{ urls }: DocumentationSimulator,
	system: System,
	customers: Company[],
	version: string,
): Promise<Result[]> {
	const settings = { documentation: system, documentationUrl: urls[system] };
	const workflowId = await client.createWorkflow(await prepareWorkflow(settings));
	const calls = customers.map((company): IDataObject => ({
		customerId: company.companyResourceId,
		customer: company.companyName,
		name: DOCUMENT_NAME,
		html: buildHtml(company, version),
	}));
	const caller = buildWorkflow(
		'Call example 28',
		[
			START_NODE,
			buildNode(
				'Calls',
				'set',
				{ mode: 'raw', jsonOutput: JSON.stringify({ calls }), options: {} },
				{ typeVersion: 3.4 },
			),
			buildNode('Each Call', 'splitOut', { fieldToSplitOut: 'calls', options: {} }),
			buildNode('Loop', 'splitInBatches', { options: {} }, { typeVersion: 3 }),
			buildCallNode('Call', workflowId),
		],
		{ Loop: { main: [[], [buildConnectionTo('Call')]] }, Call: { main: [[buildConnectionTo('Loop')]] } },
	);
	const execution = await client.runWorkflow(await client.createWorkflow(caller), START_NODE.name);
	return getNodeItems(assertSucceeded(execution), 'Call').map(({ json }) => resultSchema.parse(json));
}

const countOutcomes = (results: Result[]) =>
	(['created', 'replaced', 'waits'] as const).map(
		(outcome) => results.filter((result) => result.outcome === outcome).length,
	);

async function checkWithoutMap(
	example: ExampleContext,
	documentation: DocumentationSimulator,
	customers: Company[],
): Promise<void> {
	await dropCustomerMap(example);
	const results = await saveDocuments(example, documentation, 'hudu', customers.slice(0, 1), 'A');
	example.expectEqual(
		'without a customer map, nothing is sent, and the reason says what to do',
		[countOutcomes(results), documentation.requests, results.map(({ why }) => /map .*run example 27/.test(why))],
		[[0, 0, 1], [], [true]],
	);
}

/** Checks that each customer gets one document in its own organization, which the next call replaces. */
async function checkDocuments(
	example: ExampleContext,
	documentation: DocumentationSimulator,
	customers: Company[],
	system: System,
): Promise<void> {
	const { expectEqual, expectNone } = example;
	documentation.reset();
	const unmappedCustomer = 10;
	const ambiguousCustomer = 11;
	const unknownCustomer = 12;
	const getDocumentationId = (index: number): string[] => {
		if (index === unmappedCustomer) return [''];
		if (index === ambiguousCustomer) return [String(getOrganizationId(index)), String(getOrganizationId(0))];
		return index === unknownCustomer ? ['999999'] : [String(getOrganizationId(index))];
	};
	await enterCustomerMap(
		example,
		customers.flatMap(({ companyResourceId: customerId, companyName }, index) =>
			getDocumentationId(index).map((documentationId) => ({
				customerId,
				customer: companyName ?? '',
				documentationId,
			})),
		),
	);
	const save = (version: string) => saveDocuments(example, documentation, system, customers, version);
	const isOwnDocument = ({ organizationId, sections }: StoredDocument) =>
		sections.some(({ content }) =>
			content.includes(`"${customers[organizationId - 1000]?.companyResourceId}" {text} $&`),
		);
	// A document of the same name in another organization, and one whose name only contains the name, must stay unchanged.
	const otherDocumentCount = 1;
	documentation.documents.push({
		id: 1,
		organizationId: getOrganizationId(20),
		name: `${DOCUMENT_NAME} (draft)`,
		sections: [{ id: 2, type: 'Document::Text', content: 'by hand' }],
		isPublished: true,
	});

	documentation.addFault({ status: 429, organizationId: getOrganizationId(3) });
	documentation.addFault({ status: 500, organizationId: getOrganizationId(4), method: 'POST' });
	const firstResults = await save('A');
	expectEqual(
		`${system}: ${customers.length} customers get a document, except five that wait`,
		[countOutcomes(firstResults), documentation.documents.length - otherDocumentCount],
		[[customers.length - 5, 0, 5], customers.length - 5],
	);
	const reasons: Array<[number, RegExp]> = [
		[3, /429|spacing your requests/],
		[4, /500/],
		[unmappedCustomer, /^no documentationId in the customer map .*run example 27$/],
		[ambiguousCustomer, /^the customer map has 2 different documentationIds for it$/],
		[unknownCustomer, /404|422/],
	];
	expectNone(
		`${system}: each customer that waits has its reason`,
		reasons.flatMap(([index, pattern]) => (pattern.test(firstResults[index]?.why ?? '') ? [] : [firstResults[index]])),
	);
	const listOwnDocuments = () => documentation.documents.slice(otherDocumentCount);
	expectEqual(
		`${system}: two customers have the name ${SHARED_NAME}, and each document is in the organization of its customer and published`,
		[
			customers.filter(({ companyName }) => companyName === SHARED_NAME).length,
			listOwnDocuments().filter((document) => !isOwnDocument(document)),
			listOwnDocuments().filter(({ isPublished, name }) => !isPublished || name !== DOCUMENT_NAME),
		],
		[2, [], []],
	);
	expectEqual(
		`${system}: the text has tables instead of styles and charts`,
		[
			listOwnDocuments().filter(({ sections }) => /<style|<svg|class=/.test(sections[0]?.content ?? '')).length,
			listOwnDocuments()[0]?.sections[0]?.content.split('\n')[0],
		],
		[
			0,
			`<table><tbody><tr><td>Clicked</td><td>A</td></tr></tbody></table><p>"${customers[0]?.companyResourceId}" {text} $&</p>`,
		],
	);

	const idsBefore = listOwnDocuments().map(({ id }) => id);
	documentation.requests.length = 0;
	const secondResults = await save('B');
	expectEqual(
		`${system}: the second call replaces each text, creates the two missing documents, and none twice`,
		[
			countOutcomes(secondResults),
			idsBefore.every((id) => listOwnDocuments().some((document) => document.id === id)),
			listOwnDocuments().filter(
				({ sections }) => sections.length !== 1 || !sections[0]?.content.includes('<td>B</td>'),
			),
			documentation.documents[0]?.sections[0]?.content,
		],
		[[2, customers.length - 5, 3], true, [], 'by hand'],
	);
	const requestCount = documentation.requests.length / (customers.length - 3);
	console.log(`    ${system}: ${requestCount.toFixed(1)} requests for each document`);

	documentation.documents.push({ ...listOwnDocuments()[0], id: 3 } as StoredDocument);
	const [ambiguousResult] = await saveDocuments(example, documentation, system, customers.slice(0, 1), 'C');
	expectEqual(
		`${system}: with two documents of the name, none is changed`,
		[
			ambiguousResult?.why,
			documentation.documents.filter(({ sections }) => sections[0]?.content.includes('<td>C</td>')),
		],
		[`the organization has 2 documents called ${DOCUMENT_NAME}`, []],
	);
}

/** Checks that a document that was created but not finished is finished by the next call, and that sections of a person stay. */
async function checkItGlueDrafts(
	example: ExampleContext,
	documentation: DocumentationSimulator,
	customers: Company[],
): Promise<void> {
	documentation.reset();
	const save = async (version: string) => {
		const results = await saveDocuments(example, documentation, 'itglue', customers.slice(0, 1), version);
		return results.map(({ outcome }) => outcome);
	};
	const outcomes = [];
	documentation.addFault({ status: 500, organizationId: getOrganizationId(0), method: 'PATCH' });
	outcomes.push(...(await save('A')));
	outcomes.push(...(await save('B')));
	documentation.documents[0]?.sections.push({ id: 5, type: 'Document::Text', content: 'by hand' });
	outcomes.push(...(await save('C')));
	example.expectEqual(
		'itglue: a draft is finished by the next call, and a further section stays',
		[
			outcomes,
			documentation.documents.map(({ isPublished, sections }) => [isPublished, sections.length, sections[1]?.content]),
		],
		[['waits', 'replaced', 'replaced'], [[true, 2, 'by hand']]],
	);
}
