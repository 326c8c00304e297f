/**
 * Tests rules that hold for every operation: which company it runs for, which errors explain a rejected request, and to which requests
 * a user can add fields. A new operation is tested here as soon as it has a case, so it needs no separate tests of these rules.
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
	selectEntriesForProfile,
} from '../cases/operationFixture';
import { parseOperationKey } from '../contract/operationKeys';

async function runTestCase(
	fixture: OperationFixture,
	{ node, operation, prepare }: Case,
	extraParameters: IDataObject = {},
	credential = fixture.credential,
	itemCount = 1,
) {
	const { parameters, inputFiles } = await prepare(fixture.customer);
	fixture.standIn.clearLog();
	const item = await createInputItem(inputFiles);
	return await runNode({
		node: fixture.getNode(node),
		parameters: merge(parseOperationKey(node, operation), structuredClone(parameters), extraParameters),
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
 * Runs a check for the case of every tested operation, and reports all failures together. Each operation is checked with only one of the
 * profiles. The check can rely on the operation's definition: nodes/coverage.test.ts and nodes/operations.test.ts compare the
 * definitions with the contract.
 */
async function checkEachCase(
	fixture: OperationFixture,
	isTested: (operation: Operation) => boolean,
	check: (testCase: Case, operation: Operation) => Promise<void>,
): Promise<void> {
	const failures: string[] = [];
	const testedCases = cases.filter((testCase) => isTested(fixture.getOperation(testCase.node, testCase.operation)));
	expect(testedCases).not.toEqual([]);
	for (const testCase of selectEntriesForProfile(fixture.customer.profile.name, testedCases)) {
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

/** Returns the JSON of an item without `fileName`, because all files of a run have different names. */
const omitFileName = ({ json }: INodeExecutionData) => omit(json, 'fileName');

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const isDeployed = profile === 'deployed';

	test('each of several items has its own output', async () => {
		// 'Generate Credentials' returns new credentials for each item, so the outputs of two items differ.
		await checkEachCase(
			fixture,
			({ isReadOnly, value }) => isReadOnly && value !== 'generateCredentials',
			async (testCase) => {
				const { items } = await runTestCase(fixture, testCase, {}, fixture.credential, 2);
				const firstItems = filterByItem(items, 0);
				const secondItems = filterByItem(items, 1);
				expect(firstItems.length).toBeGreaterThan(0);
				expect(secondItems.map(omitFileName)).toEqual(firstItems.map(omitFileName));
				const inputFiles = items.flatMap(({ json: { fileName = [] } }) => fileName);
				expect(new Set(inputFiles).size).toBe(inputFiles.length);
				expect(items).toHaveLength(firstItems.length * 2);
			},
		);
	});

	test('every company: each output item names its company', async () => {
		const bakeries = fixture.customer.world.companies.filter(({ companyName }) => companyName?.includes('Bakery'));
		const bakeryIds = new Set(bakeries.map(({ companyResourceId }) => companyResourceId));
		await checkEachCase(
			fixture,
			({ scope }) => scope === 'companies',
			async (testCase) => {
				const everyBakery = {
					companyScope: 'every',
					company: { value: '' },
					onlyCompanies: { nameContains: 'bakery' },
				};
				const { items } = await runTestCase(fixture, testCase, everyBakery);
				expect(new Set(items.map(({ json }) => json.companyResourceId))).toEqual(bakeryIds);
				expect(items.filter(({ json }) => !String(json.companyName).includes('Bakery'))).toEqual([]);
				expect(new Set(fixture.requests.flatMap(({ companyId }) => companyId ?? []))).toEqual(bakeryIds);
			},
		);
	});

	test('a company of another reseller has another error than a missing permission, and nothing is changed', async () => {
		const { companyResourceId } = fixture.customer.world.foreignCompany;
		await checkEachCase(
			fixture,
			({ scope }) => scope !== 'credential',
			async (testCase, { purpose }) => {
				const error = await catchRejection(runTestCase(fixture, testCase, { company: toIdLocator(companyResourceId) }));
				expect(error.message).toBe(
					`Could not ${purpose} for '${companyResourceId}': the platform refused access (403)`,
				);
				expect(error.description).toMatch(
					/^Is this one of your customers\? .*The platform says: You are not authorized to act for this company\.$/,
				);
				expect(fixture.requests.filter(({ hasChangedData, status }) => hasChangedData || status !== 403)).toEqual([]);
			},
		);
	});

	test("an error names the permission that a Company Admin's token lacks", async () => {
		await checkEachCase(
			fixture,
			// 'Update Company' and 'Delete Company' are left out. They first read the company, which a Company Admin may do.
			(operation) =>
				listEndpointKeys(operation).slice(0, 1).some(isResellerOnly) &&
				!/\/companies\/\{resourceId\}$/.test(operation.endpoint ?? ''),
			async (testCase, operation) => {
				const error = await catchRejection(
					runTestCase(fixture, testCase, {}, fixture.createCredential('companyAdmin')),
				);
				expect(error.message).toBe(`Could not ${operation.purpose}: the platform refused access (403)`);
				expect(error.description).toContain(
					`does not include the permission '${toPermission(listEndpointKeys(operation)[0] ?? '')}'. Use the credential of an API client whose role includes it (usually Reseller)`,
				);
			},
		);
	});

	test("the credential's own company: no request names a company", async () => {
		await checkEachCase(
			fixture,
			({ scope, isReadOnly }) => scope !== 'credential' && isReadOnly,
			async (testCase) => {
				// The period is short, so that not every job of every customer is read.
				const shortPeriod = { periodStart: '2024-06-01', periodEnd: '2024-06-07' };
				await runTestCase(fixture, testCase, { companyScope: 'own', company: { value: '' }, ...shortPeriod }).catch(
					(error: unknown) => {
						// Without a company, a live deployment searches the reseller's own company, which lacks the customer's records
						// (404).
						// If the deployment rejected the first request variant (400), that rejection is reported instead.
						const expectedStatuses = testCase.operation === 'certificate.getMany' ? ['400', '404'] : ['404'];
						if (!isDeployed || !(error instanceof NodeApiError) || !expectedStatuses.includes(error.httpCode ?? ''))
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
	// The values are texts, because a multipart form can contain only texts.
	const ADDED_FORM_FIELDS = { Name: 'Mine', brandNew: ['1', 'two'] };
	const findAdditionalFieldsBlock = ({ fields }: Operation) =>
		['options', 'additionalFields'].find((name) => 'additionalFieldsJson' in (fields[name]?.innerFields ?? {}));
	/** Finds the endpoint of the first request with a body to which fields can be added. A body such as an imported file takes no fields. */
	const findRequestWithBody = (operation: Operation) =>
		['Import target users from file', 'Resend enrollment certificates', 'Add company group members'].includes(
			operation.action,
		)
			? undefined
			: listEndpointKeys(operation).find(hasBody);

	test('are merged into every body', async () => {
		// A composite that only reads is left out, because its requests only look something up.
		await checkEachCase(
			fixture,
			(operation) =>
				findRequestWithBody(operation) !== undefined && !(operation.endpoint === null && operation.isReadOnly),
			async (testCase, operation) => {
				const key = findRequestWithBody(operation) ?? '';
				const isMultipart = getRoute(key).bodyType === 'multipart';
				await runTestCase(fixture, testCase, {
					[findAdditionalFieldsBlock(operation) ?? 'nowhere']: {
						additionalFieldsJson: JSON.stringify(isMultipart ? ADDED_FORM_FIELDS : ADDED_JSON),
					},
				});
				// The search for the people of a campaign job is sent to another endpoint than the one in the operation's definition.
				const sentRequest =
					fixture.standIn.getRequests(key).at(-1) ?? fixture.requests.findLast(({ body }) => body !== undefined);
				expect(sentRequest?.body).toMatchObject(isMultipart ? { fields: ADDED_FORM_FIELDS } : ADDED_JSON);
			},
		);
	});

	test('are in the form of every operation with a body, and only there', () => {
		const mistakenOperations = cases
			.map(({ node, operation }) => fixture.getOperation(node, operation))
			// A composite that only reads is left out, because its requests only look something up.
			.filter((operation) => operation.endpoint !== null || !operation.isReadOnly)
			.filter(
				(operation) =>
					(findRequestWithBody(operation) !== undefined) !== (findAdditionalFieldsBlock(operation) !== undefined),
			);
		// The list names each operation whose request has a body but whose form has no additional fields, or the other way round.
		expect(mistakenOperations.map(({ name }) => `${name}: should its endpoint say hasBody: false, or not?`)).toEqual(
			[],
		);
	});
});

test('Check Access leaves open whether operations are allowed if the token lists no permissions', async () => {
	const fixture = new OperationFixture();
	await fixture.start('contract');
	try {
		for (const testCase of filterServedCases('contract', cases))
			if (testCase.node === 'Role') await runTestCase(fixture, testCase);
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
