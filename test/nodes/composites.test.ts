/** Tests of operations that combine several requests: the results and errors if one of the requests fails. */
import { isNumber, mapKeys, omit, pickBy } from 'lodash';
import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { runNode } from '../n8n-core';
import { catchNodeError } from '../n8n-core/nodeFixture';
import type { FaultKind, FaultRule } from '../stand-in';
import { toIdLocator, cases } from '../cases';
import {
	createOperationFixture,
	TESTED_PROFILES,
	type OperationFixture,
	selectEntriesForProfile,
} from '../cases/operationFixture';
import { changeListRows } from '../run/changeListRows';
import { useSimulatedDate } from '../setup/testClock';
import { parseOperationKey } from '../contract/operationKeys';

useSimulatedDate();

const GENERATE_CREDENTIALS = 'GET /api/companies/clients/generate-client-credentials';
const CREATE_CLIENT = 'POST /api/companies/clients';
const SEARCH_CLIENTS = 'POST /api/companies/clients/search';
const NOTHING_CREATED_ADVICE =
	'No client was created, and the generated credentials are not used, so you can run the node again.';

/** The faults that `run` adds to the stand-in after the data of the test case was prepared. */
const plannedFaults: FaultRule[] = [];
beforeEach(() => {
	plannedFaults.length = 0;
});
/** Plans a fault that affects all requests of a route in the next run. */
const planFault = (route: string, kind: FaultKind, options: Partial<FaultRule> = {}) => {
	plannedFaults.push({ route, kind, times: Infinity, ...options });
};

/** Runs an operation with the parameters of its test case, on a platform with the planned faults. */
async function run(fixture: OperationFixture, node: string, operation: string, overrides: IDataObject = {}) {
	const operationCase = cases.find((candidate) => candidate.node === node && candidate.operation === operation);
	if (!operationCase) throw new Error(`There is no case of ${node} ${operation}`);
	const { parameters } = await operationCase.prepare(fixture.customer);
	fixture.standIn.clearLog();
	for (const rule of plannedFaults.splice(0)) fixture.standIn.addFault(rule);
	return await runNode({
		node: fixture.getNode(node),
		parameters: { ...parseOperationKey(node, operation), ...parameters, options: { timeout: 1 }, ...overrides },
		credential: fixture.credential,
	});
}

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const isDeployed = profile === 'deployed';
	const listProvisionedClients = () =>
		fixture.customer.companyData.clients.filter(({ name }) => name === 'Provisioned');

	describe('provision', () => {
		const provision = (overrides?: IDataObject) => run(fixture, 'ApiClient', 'provision', overrides);

		test('invalid input is rejected before any request, even before credentials are generated', async () => {
			const error = await catchNodeError(provision({ roles: '={{ [] }}' }));
			expect(error.message).toBe("'Role Names or IDs' must name at least one role");
			expect(fixture.requests).toEqual([]);
		});

		test.each(['status-500', 'forbidden-company', 'html-502', 'wrong-shape'] as const)(
			'generation fails (%s): nothing is created',
			async (kind) => {
				planFault(GENERATE_CREDENTIALS, kind);
				const error = await catchNodeError(provision());
				expect(error.message).toMatch(/^Could not provision API client for /);
				expect(fixture.standIn.getRequests(CREATE_CLIENT)).toEqual([]);
				expect(listProvisionedClients()).toEqual([]);
			},
		);

		test('no credentials are generated: the error says so, and that nothing was created', async () => {
			planFault(GENERATE_CREDENTIALS, 'wrong-shape');
			const error = await catchNodeError(provision());
			expect(error.message).toContain('the platform generated no credentials');
			expect(error.description).toBe(NOTHING_CREATED_ADVICE);
		});

		test.each(['clientId', 'clientSecret'])('the %s is empty: no client is created with it', async (field) => {
			let generationCount = 0;
			fixture.standIn.setOptions({
				transformEnvelope: (envelope, { route }) => {
					// The first credentials are generated while the parameters of the case are prepared.
					if (route !== GENERATE_CREDENTIALS || generationCount++ === 0) return envelope;
					const response = envelope as { data: object };
					return { ...response, data: { ...response.data, [field]: '' } };
				},
			});
			const error = await catchNodeError(provision());
			fixture.standIn.setOptions({ transformEnvelope: undefined });
			expect(error.message).toContain('the platform generated no credentials');
			expect(fixture.standIn.getRequests(CREATE_CLIENT)).toEqual([]);
		});

		test('the creation is rejected: the error says why and that nothing was created, and the next run creates the client', async () => {
			const error = await catchNodeError(provision({ roles: ['ffffffff-0000-4000-8000-ffffffffffff'] }));
			expect(error.message).toContain('the platform did not accept the input (400)');
			const serviceMessage = isDeployed ? 'Role is invalid. Invalid request.' : 'Role is invalid.';
			expect(error.description).toBe(
				`The platform says: ${serviceMessage} Correct the fields that the platform names, and run the node again. ${NOTHING_CREATED_ADVICE}`,
			);
			expect(error instanceof NodeApiError && error.httpCode).toBe('400');
			expect(listProvisionedClients()).toEqual([]);
			await provision();
			expect(listProvisionedClients()).toHaveLength(1);
		});

		test.each(['status-500', 'html-502', 'reset-before', 'stall', 'error-envelope', 'html-200'] as const)(
			'the creation fails without effect (%s): the error says that nothing was created, and the next run creates the client',
			async (kind) => {
				planFault(CREATE_CLIENT, kind);
				const error = await catchNodeError(provision());
				expect(error.description).toContain(NOTHING_CREATED_ADVICE);
				expect(fixture.standIn.getRequests(CREATE_CLIENT)).toHaveLength(1);
				fixture.standIn.clearFaults();
				await provision();
				expect(listProvisionedClients()).toHaveLength(1);
			},
		);

		test.each(['reset-after', 'truncate', 'truncate-chunked', 'stall-body'] as const)(
			'the response to the creation is lost (%s): the client is found in the list and returned with its secret',
			async (kind) => {
				planFault(CREATE_CLIENT, kind);
				const { items } = await provision();
				const [client] = listProvisionedClients();
				expect(items.map(({ json }) => json)).toEqual([
					{
						companyName: fixture.customer.company.companyName,
						companyResourceId: fixture.customer.company.companyResourceId,
						resourceId: client?.resourceId,
						name: 'Provisioned',
						clientId: client?.clientId,
						clientSecret: client?.clientSecret,
					},
				]);
				expect(listProvisionedClients()).toHaveLength(1);
				expect(fixture.standIn.getRequests(CREATE_CLIENT)).toHaveLength(1);
				// A live deployment rejects the first request variant, because the filter of this variant does not have two groups.
				const searches = fixture.standIn.getRequests(SEARCH_CLIENTS);
				expect(searches.filter(({ status }) => status === 200).map(({ companyId }) => companyId)).toEqual([
					fixture.customer.companyId,
				]);
				expect(searches.length).toBeLessThanOrEqual(isDeployed ? 3 : 1);
			},
		);

		test('the response is lost and the clients cannot be listed: the error says what to look for before the next run', async () => {
			planFault(CREATE_CLIENT, 'reset-after');
			planFault(SEARCH_CLIENTS, 'forbidden-company');
			const error = await catchNodeError(provision());
			expect(error.message).toContain('the connection ended before the response was complete');
			expect(error.description).toBe(
				"The client may have been created anyway. Look for 'Provisioned' with 'Get many API clients', and delete it before you run the node again, because its secret is lost.",
			);
			expect(listProvisionedClients()).toHaveLength(1);
		});

		test('the response is lost and the list shows no client IDs: the client may be the one with the same name', async () => {
			planFault(CREATE_CLIENT, 'reset-after');
			changeListRows(fixture.standIn, /clients\/search/, (client) => omit(client, 'clientId'));
			const error = await catchNodeError(provision());
			fixture.standIn.setOptions({ transformEnvelope: undefined });
			expect(error.description).toContain("The client may have been created anyway. Look for 'Provisioned'");
			expect(error.description).not.toContain('No client was created');
		});

		test('the creation fails and the list shows no client IDs: no client has the name, so none was created', async () => {
			planFault(CREATE_CLIENT, 'status-500');
			changeListRows(fixture.standIn, /clients\/search/, (client) => omit(client, 'clientId'));
			const error = await catchNodeError(provision());
			fixture.standIn.setOptions({ transformEnvelope: undefined });
			expect(error.description).toContain('The client is not in the list of API clients. No client was created');
		});

		test('too many requests: the creation waits, and one client is created', async () => {
			planFault(CREATE_CLIENT, 'status-429', { times: 2, retryAfter: '0' });
			await provision();
			expect(listProvisionedClients()).toHaveLength(1);
			expect(fixture.standIn.getRequests(GENERATE_CREDENTIALS)).toHaveLength(1);
		});
	});

	describe('create and send', () => {
		const CREATE_ENROLLMENT = 'POST /api/enrollments';
		const SEND_ENROLLMENT = 'POST /api/enrollments/{resourceId}/send';
		const createAndSend = () => run(fixture, 'Enrollment', 'createAndSend');
		const listCreatedEnrollments = () =>
			fixture.customer.companyData.enrollments.filter(({ name }) => name === 'Herbst');

		test.each(['status-500', 'forbidden-company', 'error-envelope', 'reset-before'] as const)(
			'sending fails (%s): the error names the enrollment, which can then be sent',
			async (kind) => {
				planFault(SEND_ENROLLMENT, kind);
				const error = await catchNodeError(createAndSend());
				const [enrollment] = listCreatedEnrollments();
				expect(error.message).toContain(`the enrollment was created with the ID '${enrollment?.resourceId}', but `);
				expect(error.description).toMatch(
					/end it with 'Send enrollment'\. Don't run this node again, because that would create a second enrollment\.$/,
				);
				// The usual advice to run the node again is left out, because that would create another enrollment.
				expect(error.description).not.toMatch(/try again|run the node again|run it again/i);
				expect(listCreatedEnrollments().map(({ sendCount }) => sendCount)).toEqual([0]);
				fixture.standIn.clearFaults();
				await runNode({
					node: fixture.getNode('Enrollment'),
					parameters: {
						operation: 'send',
						...fixture.customer.companyParameters,
						enrollment: toIdLocator(enrollment?.resourceId ?? ''),
					},
					credential: fixture.credential,
				});
				expect(listCreatedEnrollments().map(({ sendCount }) => sendCount)).toEqual([1]);
			},
		);

		test('the enrollment is sent, but the response is lost: sending is not repeated, and the error says what to check', async () => {
			planFault(SEND_ENROLLMENT, 'reset-after');
			const error = await catchNodeError(createAndSend());
			expect(error.description).toMatch(
				/^Check on the platform if it was sent\. If not, send it with 'Send enrollment'/,
			);
			expect(listCreatedEnrollments().map(({ sendCount }) => sendCount)).toEqual([1]);
			expect(fixture.standIn.getRequests(SEND_ENROLLMENT)).toHaveLength(1);
		});

		test('the creation fails: nothing is sent', async () => {
			planFault(CREATE_ENROLLMENT, 'status-500');
			const error = await catchNodeError(createAndSend());
			expect(error.message).toContain('the platform had an internal error (500)');
			expect(fixture.standIn.getRequests(CREATE_ENROLLMENT)).toHaveLength(1);
			expect(fixture.standIn.getRequests(SEND_ENROLLMENT)).toEqual([]);
		});

		test('the raw output has no status, because the platform returned it before the enrollment was sent', async () => {
			const { items } = await run(fixture, 'Enrollment', 'createAndSend', { output: 'raw' });
			expect(items.map(({ json }) => [json.result, 'status' in json, 'category' in json])).toEqual([
				['sent', false, true],
			]);
		});

		test.each(['create', 'createAndSend'])(
			'%s: the response is only the ID: the output has the ID',
			async (operation) => {
				fixture.standIn.setOptions({
					transformEnvelope: (envelope, { route }) =>
						route === CREATE_ENROLLMENT
							? { ...(envelope as object), data: listCreatedEnrollments()[0]?.resourceId }
							: envelope,
				});
				const { items } = await run(fixture, 'Enrollment', operation).finally(() =>
					fixture.standIn.setOptions({ transformEnvelope: undefined }),
				);
				const [enrollment] = listCreatedEnrollments();
				expect(items.map(({ json }) => json.enrollmentId)).toEqual([enrollment?.resourceId]);
				expect(enrollment?.sendCount).toBe(operation === 'create' ? 0 : 1);
			},
		);

		test('the response to the creation has no ID: the error says that the enrollment could not be sent', async () => {
			planFault(CREATE_ENROLLMENT, 'wrong-shape');
			const error = await catchNodeError(createAndSend());
			expect(error.message).toContain(
				'the enrollment was created, but the platform returned no ID, so it could not be sent',
			);
			expect(fixture.standIn.getRequests(SEND_ENROLLMENT)).toEqual([]);
		});
	});

	describe.each(selectEntriesForProfile(profile, ['phishing', 'smishing', 'quishing'] as const))(
		'full report, %s',
		(simulator) => {
			const node = `${simulator.charAt(0).toUpperCase()}${simulator.slice(1)}Campaign`;
			const reportPath = `/api/${simulator}-simulator/${simulator}-campaign-job-report`;
			const getFullReport = (overrides?: IDataObject) => run(fixture, node, 'result.getFullReport', overrides);

			test.each([
				`GET ${reportPath}/summary/{resourceId}/{instanceGroup}`,
				`POST ${reportPath}/{searchType}/search/{resourceId}/{instanceGroup}`,
			])('one request fails (%s): no partial report is returned', async (route) => {
				planFault(route, 'status-500');
				const error = await catchNodeError(getFullReport());
				expect(error.message).toMatch(
					new RegExp(
						`^Could not get full ${simulator} campaign report for .*: the platform had an internal error \\(500\\)$`,
					),
				);
			});

			test('the raw output has the figures of the job in each row', async () => {
				const [firstItem] = (await getFullReport({ output: 'raw' })).items;
				const summarySchema = z.object({ scenarioStats: z.record(z.unknown()).default({}) }).catchall(z.unknown());
				const summary = await fixture.customer.fetchData(`GET ${reportPath}/summary/${String(firstItem?.json.jobId)}`);
				const { scenarioStats, ...jobFields } = summarySchema.parse(summary);
				const expectedFigures = {
					...mapKeys(pickBy(jobFields, isNumber), (_value, name) => `summary_${name}`),
					...mapKeys(scenarioStats, (_value, name) => `summary_scenarioStats_${name}`),
				};
				expect(Object.keys(expectedFigures).length).toBeGreaterThan(2);
				expect(firstItem?.json).toMatchObject(expectedFigures);
			});

			test('each person is returned once, regardless of the number of pages', async () => {
				const singlePage = await getFullReport();
				fixture.standIn.setOptions({ maxPageSize: 2 });
				const severalPages = await getFullReport();
				fixture.standIn.setOptions({ maxPageSize: Infinity });
				expect(severalPages.items).toEqual(singlePage.items);
				const emails = singlePage.items.map(({ json }) => json.email);
				expect(new Set(emails).size).toBe(emails.length);
			});

			test('a job that does not exist is an error', async () => {
				const error = await catchNodeError(getFullReport({ job: toIdLocator('no-such-campaign/1') }));
				expect(error.message).toContain('(404)');
			});
		},
	);
});
