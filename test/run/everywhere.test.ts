/**
 * Rules that hold for every operation: which company it uses, what may be refused, what can be added to it. Other tests
 * notice a small change of the sources sooner. This one is for new operations: it tries what they get from the engine
 * with each of them, so that they need no tests of their own for it.
 */
import { merge, omit } from 'lodash';
import { NodeApiError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { CredentialStore, runNode } from '../n8n-core';
import { toIdLocator, cases, type Case } from '../cases';
import { listEndpointKeys } from '../contract/catalogue';
import { hasBody, isResellerOnly, getRoute } from '../contract/keys';
import { toPermission } from '../stand-in/permissions';
import {
	OperationFixture,
	createOperationFixture,
	createInputItem,
	TESTED_PROFILES,
	filterServedCases,
	takeShare,
} from '../cases/operationFixture';

async function run(
	g: OperationFixture,
	{ node, operation, prepare }: Case,
	more: IDataObject = {},
	credential = g.credential,
	items = 1,
) {
	const { parameters, inputFiles: files } = await prepare(g.customer);
	g.standIn.clearLog();
	const item = await createInputItem(files);
	return await runNode({
		node: g.getNode(node),
		parameters: merge({ operation }, structuredClone(parameters), more),
		credential,
		items: Array.from({ length: items }, () => item),
	});
}

async function refusalOf(ran: Promise<unknown>): Promise<NodeApiError> {
	const thrown: unknown = await ran.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (thrown instanceof NodeApiError) return thrown;
	throw new Error('The service did not refuse it', { cause: thrown });
}

/**
 * Does the same with every operation of a kind, each with one of the personalities, and reports all that fail. Which operation is of which kind is compared with the contract in
 * nodes/coverage.test.ts and nodes/operations.test.ts.
 */
async function withEach(
	g: OperationFixture,
	isMeant: (operation: Operation) => boolean,
	work: (each: Case, operation: Operation) => Promise<void>,
): Promise<void> {
	const failures: string[] = [];
	const meant = cases.filter((each) => isMeant(g.getOperation(each.node, each.operation)));
	expect(meant).not.toEqual([]);
	for (const each of takeShare(g.customer.profile.name, meant)) {
		g.standIn.reset();
		await work(each, g.getOperation(each.node, each.operation)).catch((error: unknown) =>
			failures.push(`${each.node} ${each.operation}: ${error instanceof Error ? error.message : String(error)}`),
		);
	}
	expect(failures.join('\n\n')).toBe('');
}

const ofItem = (items: INodeExecutionData[], item: number) =>
	items.filter(({ pairedItem }) => JSON.stringify(pairedItem) === JSON.stringify({ item }));

/** An item without the name of its file: no two are called alike. */
const contentOf = ({ json }: INodeExecutionData) => omit(json, 'fileName');

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const g = createOperationFixture(profile);
	const isDeployed = profile === 'deployed';

	test('several items, each with its own output', async () => {
		// What is made, or used up, is another one each time.
		await withEach(
			g,
			({ isReadOnly: reads, value }) => reads && value !== 'generateCredentials',
			async (each) => {
				const { items } = await run(g, each, {}, g.credential, 2);
				const first = ofItem(items, 0);
				const second = ofItem(items, 1);
				expect(first.length).toBeGreaterThan(0);
				expect(second.map(contentOf)).toEqual(first.map(contentOf));
				const files = items.flatMap(({ json: { fileName = [] } }) => fileName);
				expect(new Set(files).size).toBe(files.length);
				expect(items).toHaveLength(first.length * 2);
			},
		);
	});

	test('for every company: each item says whose it is', async () => {
		const some = g.customer.state.companies.filter(({ companyName }) => companyName?.includes('Bakery'));
		const ids = new Set(some.map(({ companyResourceId }) => companyResourceId));
		await withEach(
			g,
			({ scope }) => scope === 'companies',
			async (each) => {
				const everyBakery = {
					companyScope: 'every',
					company: { value: '' },
					onlyCompanies: { nameContains: 'bakery' },
				};
				const { items } = await run(g, each, everyBakery);
				expect(new Set(items.map(({ json }) => json.companyResourceId))).toEqual(ids);
				expect(items.filter(({ json }) => !String(json.companyName).includes('Bakery'))).toEqual([]);
				expect(new Set(g.requests.flatMap(({ companyId }) => companyId ?? []))).toEqual(ids);
			},
		);
	});

	test('a company of somebody else is told apart from a missing permission, and nothing is done', async () => {
		const { companyResourceId } = g.customer.state.foreignCompany;
		await withEach(
			g,
			({ scope }) => scope !== 'credential',
			async (each, { purpose }) => {
				const error = await refusalOf(run(g, each, { company: toIdLocator(companyResourceId) }));
				expect(error.message).toBe(`Could not ${purpose} for '${companyResourceId}': access was refused (403)`);
				expect(error.description).toMatch(
					/^The service says: You are not authorized to act for this company\. Check that this company is one of your customers/,
				);
				expect(g.requests.filter(({ landed, status }) => landed || status !== 403)).toEqual([]);
			},
		);
	});

	test("the permission that a Company Admin's token lacks is named", async () => {
		await withEach(
			g,
			// Update and Delete Company read the company first, which a Company Admin may do.
			(operation) =>
				listEndpointKeys(operation).slice(0, 1).some(isResellerOnly) &&
				!/\/companies\/\{resourceId\}$/.test(operation.endpoint ?? ''),
			async (each, operation) => {
				const error = await refusalOf(run(g, each, {}, g.createCredential('companyAdmin')));
				expect(error.message).toBe(`Could not ${operation.purpose}: access was refused (403)`);
				expect(error.description).toContain(
					`does not list the permission '${toPermission(listEndpointKeys(operation)[0] ?? '')}'. Use the credential of a client whose role includes it (usually Reseller)`,
				);
			},
		);
	});

	test("the credential's own: no company is named", async () => {
		await withEach(
			g,
			({ scope, isReadOnly: reads }) => scope !== 'credential' && reads,
			async (each) => {
				// Without a period it would be every job of every customer.
				const week = { periodStart: '2024-06-01', periodEnd: '2024-06-07' };
				await run(g, each, { companyScope: 'own', company: { value: '' }, ...week }).catch((error: unknown) => {
					// Without a company a live deployment acts in the reseller's own, where the customer's things are not found; where
					// it refused the first try, that is what is told.
					const expected = each.operation === 'getCertificates' ? ['400', '404'] : ['404'];
					if (!isDeployed || !(error instanceof NodeApiError) || !expected.includes(error.httpCode ?? '')) throw error;
				});
				expect(g.requests.length).toBeGreaterThan(0);
				expect(
					g.requests.filter(({ companyId, headers }) => companyId !== undefined || 'x-ir-company-id' in headers),
				).toEqual([]);
			},
		);
	});
});

describe('fields that nobody documented', () => {
	const g = createOperationFixture('contract');
	const MORE = { name: 'Mine', orderBy: 'Name', brandNew: { deep: [1, 'two'] } };
	// A form holds only texts.
	const IN_FORM = { Name: 'Mine', brandNew: ['1', 'two'] };
	const placeOf = ({ fields: form }: Operation) =>
		['options', 'additionalFields'].find((place) => 'additionalFieldsJson' in (form[place]?.innerFields ?? {}));
	/** The first request with a body to add fields to; an import's is the person's file. */
	const bodyOf = (operation: Operation) =>
		['importFile', 'resendCertificate', 'addParticipants'].includes(operation.value)
			? undefined
			: listEndpointKeys(operation).find(hasBody);

	test('reach the service with every body, merged last', async () => {
		// The requests with which composites look something up do not count.
		await withEach(
			g,
			(operation) => bodyOf(operation) !== undefined && !(operation.endpoint === null && operation.isReadOnly),
			async (each, operation) => {
				const key = bodyOf(operation) ?? '';
				const isForm = getRoute(key).bodyType === 'multipart';
				await run(g, each, {
					[placeOf(operation) ?? 'nowhere']: { additionalFieldsJson: JSON.stringify(isForm ? IN_FORM : MORE) },
				});
				// The people of a campaign's run are asked for by the run, not by the campaign.
				const sent = g.standIn.getRequests(key).at(-1) ?? g.requests.findLast(({ body }) => body !== undefined);
				expect(sent?.body).toMatchObject(isForm ? { fields: IN_FORM } : MORE);
			},
		);
	});

	test('are asked for where there is a body, and nowhere else', () => {
		const wrong = cases
			.map(({ node, operation }) => g.getOperation(node, operation))
			// The requests with which composites look something up do not count.
			.filter((operation) => operation.endpoint !== null || !operation.isReadOnly)
			.filter((operation) => (bodyOf(operation) !== undefined) !== (placeOf(operation) !== undefined));
		// What is wrong here has a body in its route and none in the table, or the other way round.
		expect(wrong.map(({ name }) => `${name}: should its endpoint say hasBody: false, or not?`)).toEqual([]);
	});
});

test('a credential whose token lists no permissions says nothing about what it may do', async () => {
	const g = new OperationFixture();
	await g.start('contract');
	try {
		for (const each of filterServedCases('contract', cases)) if (each.node === 'Role') await run(g, each);
		const { access_token } = z.object({ access_token: z.string() }).parse(g.credential.token);
		const store = new CredentialStore({
			...g.customer.buildCredentialData(),
			oauthTokenData: { access_token, token_type: 'Bearer' },
		});
		const { items } = await runNode({
			node: g.getNode('Account'),
			parameters: { operation: 'checkAccess' },
			credential: store,
		});
		expect(new Set(items.map(({ json }) => json.allowed))).toEqual(new Set([null]));
	} finally {
		await g.standIn.close();
	}
});
