/**
 * Tests rules that hold for every operation: which company it runs for, which errors explain a rejected request, and to which requests
 * fields can be added. New operations are tested here too, so they need no tests of their own for these rules.
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
	fixture: OperationFixture,
	{ node, operation, prepare }: Case,
	extraParameters: IDataObject = {},
	credential = fixture.credential,
	itemCount = 1,
) {
	const { parameters, inputFiles: files } = await prepare(fixture.customer);
	fixture.standIn.clearLog();
	const item = await createInputItem(files);
	return await runNode({
		node: fixture.getNode(node),
		parameters: merge({ operation }, structuredClone(parameters), extraParameters),
		credential,
		items: Array.from({ length: itemCount }, () => item),
	});
}

async function catchRejection(runPromise: Promise<unknown>): Promise<NodeApiError> {
	const thrown: unknown = await runPromise.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (thrown instanceof NodeApiError) return thrown;
	throw new Error('The service did not reject it', { cause: thrown });
}

/**
 * Runs a check for the case of every tested operation, each with only one of the profiles, and reports all failures. This file trusts
 * the operations' definitions: nodes/coverage.test.ts and nodes/operations.test.ts compare them with the contract.
 */
async function checkEachCase(
	fixture: OperationFixture,
	isTested: (operation: Operation) => boolean,
	check: (testCase: Case, operation: Operation) => Promise<void>,
): Promise<void> {
	const failures: string[] = [];
	const testedCases = cases.filter((testCase) => isTested(fixture.getOperation(testCase.node, testCase.operation)));
	expect(testedCases).not.toEqual([]);
	for (const testCase of takeShare(fixture.customer.profile.name, testedCases)) {
		fixture.standIn.reset();
		await check(testCase, fixture.getOperation(testCase.node, testCase.operation)).catch((error: unknown) =>
			failures.push(
				`${testCase.node} ${testCase.operation}: ${error instanceof Error ? error.message : String(error)}`,
			),
		);
	}
	expect(failures.join('\n\n')).toBe('');
}

const filterByItem = (items: INodeExecutionData[], item: number) =>
	items.filter(({ pairedItem }) => JSON.stringify(pairedItem) === JSON.stringify({ item }));

/** Returns the fields of an item without its file name, because all files of a run have different names. */
const omitFileName = ({ json }: INodeExecutionData) => omit(json, 'fileName');

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const isDeployed = profile === 'deployed';

	test('each of several items has its own output', async () => {
		// Generate Credentials returns new credentials for each item, so its outputs would differ.
		await checkEachCase(
			fixture,
			({ isReadOnly, value }) => isReadOnly && value !== 'generateCredentials',
			async (testCase) => {
				const { items } = await run(fixture, testCase, {}, fixture.credential, 2);
				const first = filterByItem(items, 0);
				const second = filterByItem(items, 1);
				expect(first.length).toBeGreaterThan(0);
				expect(second.map(omitFileName)).toEqual(first.map(omitFileName));
				const files = items.flatMap(({ json: { fileName = [] } }) => fileName);
				expect(new Set(files).size).toBe(files.length);
				expect(items).toHaveLength(first.length * 2);
			},
		);
	});

	test('every company: each output item names its company', async () => {
		const bakeries = fixture.customer.world.companies.filter(({ companyName }) => companyName?.includes('Bakery'));
		const ids = new Set(bakeries.map(({ companyResourceId }) => companyResourceId));
		await checkEachCase(
			fixture,
			({ scope }) => scope === 'companies',
			async (testCase) => {
				const everyBakery = {
					companyScope: 'every',
					company: { value: '' },
					onlyCompanies: { nameContains: 'bakery' },
				};
				const { items } = await run(fixture, testCase, everyBakery);
				expect(new Set(items.map(({ json }) => json.companyResourceId))).toEqual(ids);
				expect(items.filter(({ json }) => !String(json.companyName).includes('Bakery'))).toEqual([]);
				expect(new Set(fixture.requests.flatMap(({ companyId }) => companyId ?? []))).toEqual(ids);
			},
		);
	});

	test('a company of another reseller has another error than a missing permission, and nothing is changed', async () => {
		const { companyResourceId } = fixture.customer.world.foreignCompany;
		await checkEachCase(
			fixture,
			({ scope }) => scope !== 'credential',
			async (testCase, { purpose }) => {
				const error = await catchRejection(run(fixture, testCase, { company: toIdLocator(companyResourceId) }));
				expect(error.message).toBe(`Could not ${purpose} for '${companyResourceId}': access was refused (403)`);
				expect(error.description).toMatch(
					/^The service says: You are not authorized to act for this company\. Check that this company is one of your customers/,
				);
				expect(fixture.requests.filter(({ hasChangedData, status }) => hasChangedData || status !== 403)).toEqual([]);
			},
		);
	});

	test("an error names the permission that a Company Admin's token lacks", async () => {
		await checkEachCase(
			fixture,
			// Update and Delete Company first read the company, which a Company Admin is allowed to do.
			(operation) =>
				listEndpointKeys(operation).slice(0, 1).some(isResellerOnly) &&
				!/\/companies\/\{resourceId\}$/.test(operation.endpoint ?? ''),
			async (testCase, operation) => {
				const error = await catchRejection(run(fixture, testCase, {}, fixture.createCredential('companyAdmin')));
				expect(error.message).toBe(`Could not ${operation.purpose}: access was refused (403)`);
				expect(error.description).toContain(
					`does not list the permission '${toPermission(listEndpointKeys(operation)[0] ?? '')}'. Use the credential of a client whose role includes it (usually Reseller)`,
				);
			},
		);
	});

	test("the credential's own company: no request names a company", async () => {
		await checkEachCase(
			fixture,
			({ scope, isReadOnly }) => scope !== 'credential' && isReadOnly,
			async (testCase) => {
				// The period is short, because otherwise every job of every customer would be read.
				const week = { periodStart: '2024-06-01', periodEnd: '2024-06-07' };
				await run(fixture, testCase, { companyScope: 'own', company: { value: '' }, ...week }).catch(
					(error: unknown) => {
						// Without a company, a live deployment searches the reseller's own company, which lacks the customer's records. If it
						// rejected the first request variant, that rejection is reported.
						const expected = testCase.operation === 'getCertificates' ? ['400', '404'] : ['404'];
						if (!isDeployed || !(error instanceof NodeApiError) || !expected.includes(error.httpCode ?? ''))
							throw error;
					},
				);
				expect(fixture.requests.length).toBeGreaterThan(0);
				expect(
					fixture.requests.filter(({ companyId, headers }) => companyId !== undefined || 'x-ir-company-id' in headers),
				).toEqual([]);
			},
		);
	});
});

describe('additional fields that are not documented', () => {
	const fixture = createOperationFixture('contract');
	const ADDED_JSON = { name: 'Mine', orderBy: 'Name', brandNew: { deep: [1, 'two'] } };
	// A multipart form can only contain texts.
	const ADDED_FORM_FIELDS = { Name: 'Mine', brandNew: ['1', 'two'] };
	const findBlock = ({ fields }: Operation) =>
		['options', 'additionalFields'].find((name) => 'additionalFieldsJson' in (fields[name]?.innerFields ?? {}));
	/** Finds the first request with a body to which fields can be added. Some bodies, such as an imported file, take no fields. */
	const findRequestWithBody = (operation: Operation) =>
		['importFile', 'resendCertificate', 'addParticipants'].includes(operation.value)
			? undefined
			: listEndpointKeys(operation).find(hasBody);

	test('are merged into every body', async () => {
		// The requests with which composites only look something up don't count.
		await checkEachCase(
			fixture,
			(operation) =>
				findRequestWithBody(operation) !== undefined && !(operation.endpoint === null && operation.isReadOnly),
			async (testCase, operation) => {
				const key = findRequestWithBody(operation) ?? '';
				const isMultipart = getRoute(key).bodyType === 'multipart';
				await run(fixture, testCase, {
					[findBlock(operation) ?? 'nowhere']: {
						additionalFieldsJson: JSON.stringify(isMultipart ? ADDED_FORM_FIELDS : ADDED_JSON),
					},
				});
				// The search for the people of a campaign job goes to another endpoint than the operation's own.
				const sentRequest =
					fixture.standIn.getRequests(key).at(-1) ?? fixture.requests.findLast(({ body }) => body !== undefined);
				expect(sentRequest?.body).toMatchObject(isMultipart ? { fields: ADDED_FORM_FIELDS } : ADDED_JSON);
			},
		);
	});

	test('are in the form of every operation with a body, and only there', () => {
		const mistakenOperations = cases
			.map(({ node, operation }) => fixture.getOperation(node, operation))
			// The requests with which composites only look something up don't count.
			.filter((operation) => operation.endpoint !== null || !operation.isReadOnly)
			.filter((operation) => (findRequestWithBody(operation) !== undefined) !== (findBlock(operation) !== undefined));
		// An operation fails here if its route has a body but its form has no additional fields, or the other way round.
		expect(mistakenOperations.map(({ name }) => `${name}: should its endpoint say hasBody: false, or not?`)).toEqual(
			[],
		);
	});
});

test('Check Access tells nothing about operations if the token lists no permissions', async () => {
	const fixture = new OperationFixture();
	await fixture.start('contract');
	try {
		for (const testCase of filterServedCases('contract', cases))
			if (testCase.node === 'Role') await run(fixture, testCase);
		const { access_token } = z.object({ access_token: z.string() }).parse(fixture.credential.token);
		const store = new CredentialStore({
			...fixture.customer.buildCredentialData(),
			oauthTokenData: { access_token, token_type: 'Bearer' },
		});
		const { items } = await runNode({
			node: fixture.getNode('Account'),
			parameters: { operation: 'checkAccess' },
			credential: store,
		});
		expect(new Set(items.map(({ json }) => json.allowed))).toEqual(new Set([null]));
	} finally {
		await fixture.standIn.close();
	}
});
