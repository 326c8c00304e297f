/**
 * Runs operations in situations in which an operation's plain run says nothing: several items, every company, another reseller's company,
 * a missing permission, and the credential's own company. The same engine (nodes/core/run) handles these situations for all operations, and
 * it knows only an operation's kind: its scope, whether it reads or writes, and whether it sends one request, several requests, or returns
 * a file. So one operation of each kind is enough. The definitions that the engine relies on are checked for every operation, in
 * everyOperation.test.ts and nodes/coverage.test.ts.
 */
import { merge, omit } from 'lodash';
import { NodeApiError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { collectListMethods } from '../../nodes/core/fields/field';
import { runNode } from '../n8n-core';
import { cases, loadAllOperations, toIdLocator, type Case } from '../cases';
import { createInputItem, createOperationFixture, filterServedCases, TESTED_PROFILES } from '../cases/operationFixture';
import { listEndpointKeys } from '../contract/catalogue';
import { isResellerOnly } from '../contract/keys';
import { parseOperationKey } from '../contract/operationKeys';
import { toPermission } from '../stand-in/permissions';
import { findAdditionalFieldsBlock, findRequestWithBody } from './addedFields';
import { ID_FIELDS, LISTS_OF_PLATFORM_TERMS } from './outputIds';
import { findCase, recordCase } from './records';
import { IdPasser } from './reusedIds';

/** One operation of each kind that can read for every company: pages, a list without pages, a record, several requests, a file. */
const EVERY_COMPANY_READS: Array<[node: string, key: string]> = [
	['TargetGroup', 'getMany'],
	['Role', 'getMany'],
	['PhishingCampaign', 'campaignJob.getMany'],
	['TrainingReport', 'getManyByPeriod'],
	['Leaderboard', 'user.exportTimeline'],
	['ExecutiveReport', 'getWidgetData'],
	['TargetUser', 'getCountSummary'],
	['Account', 'auditLog.getMany'],
];
/** One operation of each kind that reads for a company. The last ones read a record that only one company has. */
const COMPANY_READS: Array<[node: string, key: string]> = [
	...EVERY_COMPANY_READS,
	['Enrollment', 'get'],
	['SmishingCampaign', 'result.getFullReport'],
	['TrainingReport', 'certificate.getMany'],
];
/** One operation of each kind that reads for the credential. */
const CREDENTIAL_READS: Array<[node: string, key: string]> = [
	['Company', 'getMany'],
	['Company', 'get'],
	['Company', 'getTotalActiveUsers'],
	['Company', 'export'],
	['CompanyGroup', 'listAll'],
	['Account', 'checkAccess'],
];
/** One operation of each kind that only a Reseller may run. */
const RESELLER_OPERATIONS: Array<[node: string, key: string]> = [
	['Company', 'getMany'],
	['Company', 'getTotalActiveUsers'],
	['Company', 'export'],
	['CompanyGroup', 'listAll'],
	['CompanyGroup', 'create'],
];
/** One operation of each kind that writes for a company: with JSON, with a form, with a prior read, with several requests, without a body. */
const COMPANY_WRITES: Array<[node: string, key: string]> = [
	['ApiClient', 'create'],
	['SamlSetting', 'create'],
	['ScimIntegration', 'revokeToken'],
	['ApiClient', 'provision'],
	['TargetUser', 'update'],
	['Enrollment', 'followUp.resend'],
	['TargetGroup', 'delete'],
];

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const listCases = (operations: Array<[node: string, key: string]>) =>
		filterServedCases(
			profile,
			operations.map(([node, key]) => findCase(node, key)),
		);

	async function runTestCase(
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

	const filterByItem = (items: INodeExecutionData[], item: number) =>
		items.filter(({ pairedItem }) => JSON.stringify(pairedItem) === JSON.stringify({ item }));
	/** Returns the JSON of an item without `fileName`, because all files of a run have different names. */
	const omitFileName = ({ json }: INodeExecutionData) => omit(json, 'fileName');

	test.each(listCases([...COMPANY_READS, ...CREDENTIAL_READS]))(
		'$node: $operation: each of several items has its own output',
		async (testCase) => {
			const { items } = await runTestCase(testCase, {}, fixture.credential, 2);
			const firstItems = filterByItem(items, 0);
			expect(firstItems.length).toBeGreaterThan(0);
			expect(filterByItem(items, 1).map(omitFileName)).toEqual(firstItems.map(omitFileName));
			const fileNames = items.flatMap(({ json: { fileName = [] } }) => fileName);
			expect(new Set(fileNames).size).toBe(fileNames.length);
			expect(items).toHaveLength(firstItems.length * 2);
		},
	);

	test.each(listCases(EVERY_COMPANY_READS))(
		'$node: $operation for every company: each item names its company',
		async (testCase) => {
			const bakeries = fixture.customer.world.companies.filter(({ companyName }) => companyName?.includes('Bakery'));
			const bakeryIds = new Set(bakeries.map(({ companyResourceId }) => companyResourceId));
			const { items } = await runTestCase(testCase, {
				companyScope: 'every',
				company: { value: '' },
				onlyCompanies: { nameContains: 'bakery' },
			});
			expect(new Set(items.map(({ json }) => json.companyResourceId))).toEqual(bakeryIds);
			expect(items.filter(({ json }) => !String(json.companyName).includes('Bakery'))).toEqual([]);
			expect(new Set(fixture.requests.flatMap(({ companyId }) => companyId ?? []))).toEqual(bakeryIds);
		},
	);

	async function catchRejection(runPromise: Promise<unknown>): Promise<NodeApiError> {
		const thrown: unknown = await runPromise.then(
			() => undefined,
			(error: unknown) => error,
		);
		if (thrown instanceof NodeApiError) return thrown;
		throw new Error('The service did not reject it', { cause: thrown });
	}

	test.each(listCases([...COMPANY_READS, ...COMPANY_WRITES]))(
		"$node: $operation for another reseller's company: the error isn't that of a missing permission, and nothing is changed",
		async (testCase) => {
			const { companyResourceId } = fixture.customer.world.foreignCompany;
			const { purpose } = fixture.getOperation(testCase.node, testCase.operation);
			const error = await catchRejection(runTestCase(testCase, { company: toIdLocator(companyResourceId) }));
			expect(error.message).toBe(`Could not ${purpose} for '${companyResourceId}': the platform refused access (403)`);
			expect(error.description).toMatch(
				/^Is this one of your customers\? .*The platform says: You are not authorized to act for this company\.$/,
			);
			expect(fixture.requests.filter(({ hasChangedData, status }) => hasChangedData || status !== 403)).toEqual([]);
		},
	);

	test.each(listCases(RESELLER_OPERATIONS))(
		"$node: $operation: the error names the permission that a Company Admin's token lacks",
		async (testCase) => {
			const operation = fixture.getOperation(testCase.node, testCase.operation);
			const [firstKey = ''] = listEndpointKeys(operation);
			expect(isResellerOnly(firstKey)).toBe(true);
			const error = await catchRejection(runTestCase(testCase, {}, fixture.createCredential('companyAdmin')));
			expect(error.message).toBe(`Could not ${operation.purpose}: the platform refused access (403)`);
			expect(error.description).toContain(
				`does not include the permission '${toPermission(firstKey)}'. Use the credential of an API client whose role includes it (usually Reseller)`,
			);
		},
	);

	test.each(listCases(COMPANY_READS))(
		"$node: $operation for the credential's own company: no request names a company",
		async (testCase) => {
			// The period is short, so that not every job of every customer is read.
			const shortPeriod = { periodStart: '2024-06-01', periodEnd: '2024-06-07' };
			await runTestCase(testCase, { companyScope: 'own', company: { value: '' }, ...shortPeriod }).catch(
				(error: unknown) => {
					// Without a company, a live deployment searches the reseller's own company, which lacks the customer's records (404).
					// If the deployment rejected the first request variant (400), that rejection is reported instead.
					const expectedStatuses = testCase.operation === 'certificate.getMany' ? ['400', '404'] : ['404'];
					const isExpected = error instanceof NodeApiError && expectedStatuses.includes(error.httpCode ?? '');
					if (profile !== 'deployed' || !isExpected) throw error;
				},
			);
			expect(fixture.requests.length).toBeGreaterThan(0);
			expect(
				fixture.requests.filter(({ companyId, headers }) => companyId !== undefined || 'x-ir-company-id' in headers),
			).toEqual([]);
		},
	);
});

describe('IDs in outputs, which other operations take', () => {
	const fixture = createOperationFixture('deployed');

	// everyOperation.test.ts passes the IDs in the simplified outputs. Only whole companies have further ones.
	test('other operations accept those in a whole company', async () => {
		const testCase = findCase('Company', 'get');
		const record = await recordCase(fixture, testCase, {
			changeParameters: (parameters) => ({ ...parameters, output: 'raw' }),
		});
		expect(await new IdPasser(fixture).passIds(record)).toEqual([]);
	});

	test('every dropdown list has an entry in outputIds.ts', async () => {
		const lists = (await loadAllOperations()).flatMap(({ operation }) => {
			const { listSearch, loadOptions } = collectListMethods(operation.fields);
			return Object.keys({ ...listSearch, ...loadOptions });
		});
		expect(
			[...new Set(lists)].filter((list) => !(list in ID_FIELDS) && !LISTS_OF_PLATFORM_TERMS.includes(list)),
		).toEqual([]);
	});
});

// everyOperation.test.ts sends an additional field with every operation.
describe('additional fields that are not documented', () => {
	const fixture = createOperationFixture('contract');

	test('are in the form of every operation with a body, and only there', () => {
		const mistakenOperations = cases
			.map(({ node, operation }) => fixture.getOperation(node, operation))
			// The requests of a composite that only reads just look something up.
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
