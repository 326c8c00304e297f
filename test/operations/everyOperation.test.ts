/**
 * Runs the case of every operation in n8n's engine, once with each profile of the stand-in, and checks everything that holds for every
 * operation. No other test has to run all operations again: see records.ts.
 * One of the runs is strict: the stand-in rejects body fields that no document describes, and the first request variant of each request
 * must be accepted. All responses contain secrets that the operation must not output.
 * `PRINT=1 npm run test:file operations/everyOperation` prints the requests that each operation sends to endpoints other than its own.
 */
import { intersection, mapValues, pick } from 'lodash';
import { cases } from '../cases';
import { compareRequests, describeExtraRequests, NAME_LOOKUP_REQUESTS } from '../cases/compareRequests';
import { filterServedCases, OperationFixture, runCase, TESTED_PROFILES } from '../cases/operationFixture';
import { hasDeployedOnlyPreview, listMissingPreviewFields } from '../cases/outputPreviews';
import { KEYS_BEYOND_CONTRACT } from '../contract/keys';
import { readBinary } from '../n8n-core';
import { collectTexts } from '../n8n-core/collectTexts';
import { findRightByKey } from '../run/findRightByKey';
import { addJsonFields, expectAddedFields, listJsonFieldNames } from './addedFields';
import { addBlankValues, BLANK_WORDS, convertToTexts, parseForm } from './agentTexts';
import { readFieldOptions } from './outputFields';
import { findCase, recordCase, recordResponses, type OperationRecord } from './records';
import { DESCRIBED_KEYS, ShapeChecker, UNDOCUMENTED_PAGE_ROUTE } from './responseShapes';
import { expectFieldsForNextNode, IdPasser } from './reusedIds';
import { addFieldsToRecords, SECRET_CASE_NAMES } from './secretFields';
import { getDescription } from '../stand-in/endpointDescriptions';

/** The secrets in every record of every response. */
const LEAKED_FIELDS = { token: 'leaked-1', clientSecret: 'leaked-2', accessToken: 'leaked-3' };

const printedRows: string[] = [];
afterAll(() => {
	if (process.env.PRINT)
		process.stdout.write(
			`${['| Operation | Platform | Items | Needed besides |', '|---|---|---|---|', ...printedRows].join('\n')}\n`,
		);
});

/** Starts a stand-in for all tests of a profile. Unlike `createOperationFixture`, it is reset only when the next case runs. */
function startFixture(profile: 'contract' | 'deployed'): OperationFixture {
	const fixture = new OperationFixture();
	beforeAll(() => fixture.start(profile));
	beforeEach(() => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => jest.restoreAllMocks());
	afterAll(() => fixture.standIn.close());
	return fixture;
}

/** Lists the names of all fields in the responses of a run, at any depth. */
function listFieldNames({ responses }: OperationRecord): string[] {
	const names = new Set<string>();
	JSON.stringify(
		responses.map(({ data }) => data),
		(name, value: unknown) => {
			names.add(name);
			return value;
		},
	);
	return [...names];
}

/** Lists the request fields that were sent although no document describes them. */
const listUndocumentedFields = ({ requests }: OperationRecord) =>
	requests.flatMap(({ route, undocumentedFields = [] }) => undocumentedFields.map((field) => `${route}: ${field}`));

/** Defines tests of the responses to other requests, and tests that `shapeChecker` has compared everything. */
function describeShapes(fixture: OperationFixture, shapeChecker: ShapeChecker): void {
	test('the update of a company without its license sends the required fields', async () => {
		const record = await recordCase(fixture, findCase('Company', 'update'), {
			changeParameters: (parameters) => ({ ...parameters, additionalFields: { address: 'Kai 7' } }),
		});
		expect(shapeChecker.compareResponses(record.responses)).toEqual([]);
		await shapeChecker.checkRequiredFields(record.requests, fixture.customer);
	});

	test('the lists to choose from, and the events of a person, are described', async () => {
		fixture.standIn.reset();
		fixture.standIn.clearLog();
		const responses = recordResponses(fixture.standIn);
		await shapeChecker.sendRemainingRequests(fixture.customer);
		fixture.standIn.setOptions({ transformEnvelope: undefined });
		expect(shapeChecker.compareResponses(responses)).toEqual([]);
		await shapeChecker.checkRequiredFields(fixture.requests, fixture.customer);
	});

	const keysWithData = DESCRIBED_KEYS.filter(
		(key) => !['none', 'file'].includes(getDescription(key)?.dataShape.kind ?? 'none'),
	);

	test('every described endpoint was requested', () => {
		expect(
			keysWithData.filter((key) => key !== UNDOCUMENTED_PAGE_ROUTE && !shapeChecker.comparedKeys.has(key)),
		).toEqual([]);
	});

	test('every list returned rows', () => {
		const searches = keysWithData.filter(
			(key) => /\/search/.test(key) && key !== UNDOCUMENTED_PAGE_ROUTE && !/-(opened|submitted|reported)\//.test(key),
		);
		expect(searches.filter((key) => !shapeChecker.keysWithRows.has(key))).toEqual([]);
		expect(searches.length).toBeGreaterThan(25);
	});

	test('every required field was checked', () => {
		const requiredFields = DESCRIBED_KEYS.flatMap(
			(key) => getDescription(key)?.requiredFields.map((field) => `${key} ${field}`) ?? [],
		);
		expect(requiredFields.filter((field) => !shapeChecker.checkedFields.has(field))).toEqual([]);
		expect(requiredFields.length).toBeGreaterThan(80);
	});
}

describe.each(TESTED_PROFILES)('$title', ({ profile, title }) => {
	const fixture = startFixture(profile);
	const shapeChecker = new ShapeChecker();
	const idPasser = new IdPasser(fixture);

	describe.each(filterServedCases(profile, cases))('$node: $operation', (testCase) => {
		const { node, operation: key, isOutsideContract } = testCase;
		// The contract's platform lacks the operations outside the contract.
		const isStrict = profile === 'contract' || isOutsideContract;
		let record: OperationRecord;
		beforeAll(async () => {
			jest.spyOn(Math, 'random').mockReturnValue(0);
			const operation = fixture.getOperation(node, key);
			record = await recordCase(fixture, testCase, {
				changeParameters: (parameters) => (isStrict ? addJsonFields(operation, parameters) : parameters),
				changeData: (data) => (operation.hasSecretOutput ? data : addFieldsToRecords(data, LEAKED_FIELDS)),
				onPrepared: ({ parameters }) =>
					fixture.standIn.setOptions({
						undocumentedFieldsMode: isStrict ? 'refused' : 'ignored',
						acceptedUndocumentedFields: listJsonFieldNames(parameters),
					}),
			}).finally(() =>
				fixture.standIn.setOptions({
					transformEnvelope: undefined,
					undocumentedFieldsMode: 'ignored',
					acceptedUndocumentedFields: [],
				}),
			);
			printedRows.push(
				`| ${[`${node}: ${key}`, title, record.items.length, describeExtraRequests(record.requests).replaceAll('|', '\\|')].join(' | ')} |`,
			);
		});

		test('outputs the expected items', async () => {
			const { items, run } = record;
			run.checkItems(items);
			expect(items).toHaveLength(run.itemCount);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
			expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual(
				items.map(() => (testCase.hasFileOutput ? ['data'] : [])),
			);
			if (run.fileRowCount === undefined) return;
			const lines = (await readBinary(items[0])).toString().trimEnd().split('\r\n');
			expect(lines).toHaveLength(1 + run.fileRowCount);
		});

		test('sends the expected requests, for the selected company', () => {
			const { operation, requests, run } = record;
			expect(listUndocumentedFields(record)).toEqual([]);
			if (isStrict) expect(requests.filter(({ status }) => status === 400)).toEqual([]);
			expect(run.parameters.companyScope !== undefined).toBe(operation.scope !== 'credential');
			expect(
				compareRequests(requests, {
					...run,
					optionalRequests: [...(run.optionalRequests ?? []), ...NAME_LOOKUP_REQUESTS],
					requiredRequests: run.requiredRequests ?? [operation.endpoint ?? ''],
				}),
			).toEqual({ missing: [], unexpected: [], rejected: [] });
			// Check Access requests the roles of two companies, to find out if the platform reads the header. The list of all
			// companies of the credential is requested for no single company.
			const companyRequests = requests.filter(
				({ route }) => key !== 'checkAccess' && (operation.scope === 'credential' || route !== 'GET /api/companies/my'),
			);
			expect(companyRequests.map(({ companyId }) => companyId)).toEqual(
				companyRequests.map(() => (operation.scope === 'credential' ? undefined : fixture.customer.companyId)),
			);
			if (isStrict) expectAddedFields(record);
		});

		if (profile === 'deployed' && node === 'Enrollment')
			test('sends the company ID in the second header, too', () => {
				// The endpoints of training reports don't get this header.
				const enrollmentRequests = record.requests.filter(({ path }) => path.startsWith('/api/enrollments'));
				if (!/^followUp\.resend(ToPeople)?$/.test(key)) expect(enrollmentRequests).not.toEqual([]);
				for (const { headers } of enrollmentRequests)
					expect(headers['x-ir-company-id']).toBe(fixture.customer.companyId);
			});

		test('has the fields of its preview and of its list of fields, and no secret', () => {
			const { items, hints, operation } = record;
			const jsons = items.map(({ json }) => json);
			const missingFields = listMissingPreviewFields(testCase, jsons);
			if (profile === 'contract' && hasDeployedOnlyPreview(testCase)) expect(missingFields).not.toEqual([]);
			else expect(missingFields).toEqual([]);
			expect(collectTexts([jsons, hints]).filter((text) => text.includes('leaked'))).toEqual([]);
			expect(record.run.getSecrets !== undefined).toBe(SECRET_CASE_NAMES.includes(`${node} ${key}`));

			const { output } = operation.fields;
			if (!output) return;
			expect(output.property.default).toBe('simplified');
			const { names, defaultNames } = readFieldOptions(fixture.getNode(node), node, key);
			// The contract doesn't show the fields of most records.
			if (profile === 'contract') return;
			const outputNames = Object.keys(jsons[0] ?? {});
			// Records with fewer known fields are never simplified. The credential's own company has only four.
			const minFieldCount = key === 'getOwn' ? 4 : 5;
			const recordNames = [...outputNames, ...listFieldNames(record)];
			expect(intersection(names, recordNames).length).toBeGreaterThanOrEqual(minFieldCount);
			// By default, the record's ID is selected. Enrollment forms and user activity have no ID.
			if (!/^(getFormOptions|userActivity\.getMany)$/.test(key))
				expect(intersection(defaultNames, outputNames)).toContainEqual(expect.stringMatching(/[iI]d$/));
		});

		test('understands the texts of an AI agent, and ignores its blank texts', async () => {
			const { operation, run } = record;
			const right = findRightByKey(node, key);
			if (right === 'never') return;
			// Agents can't use files.
			const { parameters } = run.inputFiles ? await testCase.prepare(fixture.customer, true) : run;
			const expectedValues = await parseForm(operation, parameters);
			const texts = mapValues(parameters, convertToTexts);
			expect(await parseForm(operation, texts, true)).toEqual(expectedValues);
			// A search may get a blank text as its search text.
			if (right === 'read') return;
			for (const blankText of BLANK_WORDS)
				expect(await parseForm(operation, addBlankValues(operation, parameters, blankText), true)).toEqual(
					expectedValues,
				);
		});

		if (profile === 'deployed')
			test('gets the described responses, and sends the required fields', async () => {
				expect(shapeChecker.compareResponses(record.responses)).toEqual([]);
				await shapeChecker.checkRequiredFields(record.requests, fixture.customer);
			});

		test('names its company, and other operations accept its IDs', async () => {
			expectFieldsForNextNode(record);
			if (record.operation.scope !== 'credential') {
				const { companyResourceId, companyName } = fixture.customer.company;
				const companies = record.items.map(({ json }) => pick(json, ['companyResourceId', 'companyName']));
				expect(companies).toEqual(companies.map(() => ({ companyResourceId, companyName })));
			}
			expect(await idPasser.passIds(record)).toEqual([]);
		});

		// Company groups are tested in nodes/deployed.test.ts.
		if (profile === 'deployed' && !isOutsideContract && !['Account', 'CompanyGroup'].includes(node))
			test('works on a platform without the endpoints outside the contract', async () => {
				// Without a request to such an endpoint, the run would be the same again.
				if (!record.requests.some(({ route }) => KEYS_BEYOND_CONTRACT.includes(route))) return;
				fixture.standIn.reset();
				const run = await testCase.prepare(fixture.customer);
				fixture.standIn.setOptions({ hasExtraRoutes: false });
				const { items } = await runCase(fixture, testCase, run).finally(() =>
					fixture.standIn.setOptions({ hasExtraRoutes: true }),
				);
				// Such a platform has no list of people, so it is unknown who is active.
				const hasUnknownActivity = key === 'getManyByPeriod';
				if (hasUnknownActivity) expect(new Set(items.map(({ json }) => json.isActive))).toEqual(new Set([null]));
				run.checkItems(hasUnknownActivity ? items.map(({ json }) => ({ json: { ...json, isActive: true } })) : items);
				expect(items).toHaveLength(run.itemCount);
			});
	});

	if (profile === 'deployed') describeShapes(fixture, shapeChecker);
});
