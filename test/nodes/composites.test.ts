/** Operations of this package that combine several requests: what happens when one of the requests fails. */
import { isNumber, mapKeys, pickBy } from 'lodash';
import { NodeApiError, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { runNode } from '../n8n-core';
import { catchNodeError } from '../n8n-core/nodeFixture';
import type { FaultKind, FaultRule } from '../stand-in';
import { toIdLocator, cases } from '../cases';
import { createOperationFixture, TESTED_PROFILES, type OperationFixture, takeShare } from '../cases/operationFixture';
import { CONTRACT_KEYS, isResellerOnly } from '../contract/keys';
import { toPermission } from '../stand-in/permissions';
import { useSimulatedClock } from '../setup/turnedClock';

useSimulatedClock();

const GENERATE = 'GET /api/companies/clients/generate-client-credentials';
const CREATE_CLIENT = 'POST /api/companies/clients';
const SEARCH_CLIENTS = 'POST /api/companies/clients/search';
const NOTHING_DONE =
	'No client was created, and the generated credentials are not in use, so you can run the node again.';

/** What is to go wrong once everything is prepared. */
const coming: FaultRule[] = [];
beforeEach(() => void coming.splice(0));
const fault = (route: string, kind: FaultKind, more: Partial<FaultRule> = {}) =>
	void coming.push({ route, kind, times: Infinity, ...more });

async function run(fixture: OperationFixture, node: string, operation: string, more: IDataObject = {}) {
	const found = cases.find((each) => each.node === node && each.operation === operation);
	if (!found) throw new Error(`There is no case of ${node} ${operation}`);
	const { parameters } = await found.prepare(fixture.customer);
	fixture.standIn.clearLog();
	for (const rule of coming.splice(0)) fixture.standIn.addFault(rule);
	return await runNode({
		node: fixture.getNode(node),
		parameters: { operation, ...parameters, options: { timeout: 1 }, ...more },
		credential: fixture.credential,
	});
}

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const isDeployed = profile === 'deployed';
	const provisioned = () => fixture.customer.companyData.clients.filter(({ name }) => name === 'Provisioned');

	describe('provision', () => {
		const provision = async (more?: IDataObject) => run(fixture, 'ApiClient', 'provision', more);

		test('bad input asks for nothing, not even for credentials', async () => {
			const error = await catchNodeError(provision({ roles: '={{ [] }}' }));
			expect(error.message).toBe("'Role Names or IDs' must name at least one role");
			expect(fixture.requests).toEqual([]);
		});

		test.each(['status-500', 'forbidden-company', 'html-502', 'wrong-shape'] as const)(
			'generation fails (%s): nothing is created',
			async (kind) => {
				fault(GENERATE, kind);
				const error = await catchNodeError(provision());
				expect(error.message).toMatch(/^Could not provision API client for /);
				expect(fixture.standIn.getRequests(CREATE_CLIENT)).toEqual([]);
				expect(provisioned()).toEqual([]);
			},
		);

		test('no credentials are generated: says so, and that nothing was created', async () => {
			fault(GENERATE, 'wrong-shape');
			const error = await catchNodeError(provision());
			expect(error.message).toContain('the service generated no credentials');
			expect(error.description).toBe(NOTHING_DONE);
		});

		test('creation is refused: says why, that nothing was created, and the next run makes one', async () => {
			const error = await catchNodeError(provision({ roles: ['ffffffff-0000-4000-8000-ffffffffffff'] }));
			expect(error.message).toContain('the service did not accept the input (400)');
			const says = isDeployed ? 'Role is invalid. Invalid request.' : 'Role is invalid.';
			expect(error.description).toBe(
				`The service says: ${says} Check the values of the fields that it names. ${NOTHING_DONE}`,
			);
			expect(error instanceof NodeApiError && error.httpCode).toBe('400');
			expect(provisioned()).toEqual([]);
			await provision();
			expect(provisioned()).toHaveLength(1);
		});

		test.each(['status-500', 'html-502', 'reset-before', 'stall', 'error-envelope', 'html-200'] as const)(
			'creation fails without effect (%s): says that nothing was created, and the next run makes one',
			async (kind) => {
				fault(CREATE_CLIENT, kind);
				const error = await catchNodeError(provision());
				expect(error.description).toContain(NOTHING_DONE);
				expect(fixture.standIn.getRequests(CREATE_CLIENT)).toHaveLength(1);
				fixture.standIn.clearFaults();
				await provision();
				expect(provisioned()).toHaveLength(1);
			},
		);

		test.each(['reset-after', 'truncate', 'truncate-chunked', 'stall-body'] as const)(
			'the answer to the creation is lost (%s): the client is found again, with its secret',
			async (kind) => {
				fault(CREATE_CLIENT, kind);
				const { items } = await provision();
				const [client] = provisioned();
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
				expect(provisioned()).toHaveLength(1);
				expect(fixture.standIn.getRequests(CREATE_CLIENT)).toHaveLength(1);
				// Without two groups in the filter a live deployment refuses the first try.
				const searches = fixture.standIn.getRequests(SEARCH_CLIENTS);
				expect(searches.filter(({ status }) => status === 200).map(({ companyId }) => companyId)).toEqual([
					fixture.customer.companyId,
				]);
				expect(searches.length).toBeLessThanOrEqual(isDeployed ? 3 : 1);
			},
		);

		test('the answer is lost, and the clients cannot be listed: says what to look for before the next run', async () => {
			fault(CREATE_CLIENT, 'reset-after');
			fault(SEARCH_CLIENTS, 'forbidden-company');
			const error = await catchNodeError(provision());
			expect(error.message).toContain('the connection was cut before the answer was complete');
			expect(error.description).toBe(
				"The client may have been created anyway. Look for 'Provisioned' among the clients and delete it before you run the node again, since its secret is lost.",
			);
			expect(provisioned()).toHaveLength(1);
		});

		test('too many requests: the creation waits, and one client is made', async () => {
			fault(CREATE_CLIENT, 'status-429', { times: 2, retryAfter: '0' });
			await provision();
			expect(provisioned()).toHaveLength(1);
			expect(fixture.standIn.getRequests(GENERATE)).toHaveLength(1);
		});
	});

	describe('create and send', () => {
		const CREATE = 'POST /api/enrollments';
		const SEND = 'POST /api/enrollments/{resourceId}/send';
		const enroll = async () => run(fixture, 'Enrollment', 'createAndSend');
		const made = () => fixture.customer.companyData.enrollments.filter(({ name }) => name === 'Herbst');

		test.each(['status-500', 'forbidden-company', 'error-envelope', 'reset-before'] as const)(
			'sending fails (%s): names the enrollment, which can be sent',
			async (kind) => {
				fault(SEND, kind);
				const error = await catchNodeError(enroll());
				const [enrollment] = made();
				expect(error.message).toContain(`the enrollment was created with the ID '${enrollment?.resourceId}', but `);
				expect(error.description).toMatch(
					/end it with the operation 'Send Enrollment'; running this one again would create a second\.$/,
				);
				// Only that: the advice of the request that failed would create another enrollment.
				expect(error.description).not.toMatch(/try again|run the node again|run it again/i);
				expect(made().map(({ sendCount }) => sendCount)).toEqual([0]);
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
				expect(made().map(({ sendCount }) => sendCount)).toEqual([1]);
			},
		);

		test('sending lands, but its answer is lost: it is not repeated, and the person is told', async () => {
			fault(SEND, 'reset-after');
			const error = await catchNodeError(enroll());
			expect(error.description).toMatch(
				/^Look in the platform whether it was sent\. If not, send it with the operation/,
			);
			expect(made().map(({ sendCount }) => sendCount)).toEqual([1]);
			expect(fixture.standIn.getRequests(SEND)).toHaveLength(1);
		});

		test('the creation fails: nothing is sent', async () => {
			fault(CREATE, 'status-500');
			const error = await catchNodeError(enroll());
			expect(error.message).toContain('the service is having trouble (500)');
			expect(fixture.standIn.getRequests(CREATE)).toHaveLength(1);
			expect(fixture.standIn.getRequests(SEND)).toEqual([]);
		});

		test('the creation answers without an ID: says that it cannot be sent', async () => {
			fault(CREATE, 'wrong-shape');
			const error = await catchNodeError(enroll());
			expect(error.message).toContain(
				'the enrollment was created, but the service returned no ID, so it could not be sent',
			);
			expect(fixture.standIn.getRequests(SEND)).toEqual([]);
		});
	});

	describe.each(takeShare(profile, ['phishing', 'smishing', 'quishing'] as const))('full report, %s', (simulator) => {
		const node = `${simulator.charAt(0).toUpperCase()}${simulator.slice(1)}Campaign`;
		const job = `/api/${simulator}-simulator/${simulator}-campaign-job-report`;
		const report = async (more?: IDataObject) => run(fixture, node, 'fullReport', more);

		test.each([
			`GET ${job}/summary/{resourceId}/{instanceGroup}`,
			`POST ${job}/{searchType}/search/{resourceId}/{instanceGroup}`,
		])('one part is missing (%s): no half report', async (route) => {
			fault(route, 'status-500');
			const error = await catchNodeError(report());
			expect(error.message).toMatch(
				new RegExp(`^Could not get full ${simulator} campaign report for .*: the service is having trouble \\(500\\)$`),
			);
		});

		test('Raw has the figures of the job in each row', async () => {
			const [first] = (await report({ output: 'raw' })).items;
			const shape = z.object({ scenarioStats: z.record(z.unknown()).default({}) }).catchall(z.unknown());
			const summary = await fixture.customer.fetchData(`GET ${job}/summary/${String(first?.json.jobId)}`);
			const { scenarioStats, ...own } = shape.parse(summary);
			const figures = {
				...mapKeys(pickBy(own, isNumber), (_value, name) => `summary_${name}`),
				...mapKeys(scenarioStats, (_value, name) => `summary_scenarioStats_${name}`),
			};
			expect(Object.keys(figures).length).toBeGreaterThan(2);
			expect(first?.json).toMatchObject(figures);
		});

		test('every person once, however many pages there are', async () => {
			const whole = await report();
			fixture.standIn.setOptions({ maxPageSize: 2 });
			const paged = await report();
			fixture.standIn.setOptions({ maxPageSize: Infinity });
			expect(paged.items).toEqual(whole.items);
			const people = whole.items.map(({ json }) => json.email);
			expect(new Set(people).size).toBe(people.length);
		});

		test('a job that there is not', async () => {
			const error = await catchNodeError(report({ job: toIdLocator('no-such-campaign/1') }));
			expect(error.message).toContain('(404)');
		});
	});

	describe('check access', () => {
		/** What of all that this platform has. */
		const access = async (who: 'companyAdmin' | 'limited' | 'blocked') => {
			const served = fixture.standIn.routeKeys.map(toPermission);
			const { items } = await runNode({
				node: fixture.getNode('Account'),
				parameters: { operation: 'checkAccess' },
				credential: fixture.createCredential(who),
			});
			return items.map(({ json }) => json).filter((each) => served.includes(String(each.permission)));
		};

		test('a Company Admin: its company, and none of what is for Resellers', async () => {
			const shown = await access('companyAdmin');
			const { companyResourceId, companyName } = fixture.customer.world.companies[0] ?? {};
			expect(new Set(shown.map(({ role }) => role))).toEqual(new Set(['Company Admin']));
			expect(new Set(shown.map((each) => `${each.companyResourceId} ${each.companyName}`))).toEqual(
				new Set([`${companyResourceId} ${companyName}`]),
			);
			const forResellers = fixture.standIn.routeKeys.filter(isResellerOnly).map(toPermission);
			const refused = shown.filter(({ allowed }) => allowed === false);
			expect(refused.map((each) => each.permission).sort()).toEqual(
				[...new Set(shown.map((each) => String(each.permission)))].filter((each) => forResellers.includes(each)).sort(),
			);
			expect(shown.filter(({ allowed }) => allowed === true)).toHaveLength(shown.length - refused.length);
		});

		test('a Reseller that lacks two permissions', async () => {
			const refused = (await access('limited')).filter(({ allowed }) => allowed !== true);
			expect(refused.map(({ node, operation, permission }) => [node, operation, permission])).toEqual([
				['Company', 'Get Many Companies', 'companies/search|POST'],
				['Leaderboard', 'Export Leaderboard', 'leaderboard/get-all/export|POST'],
			]);
		});

		test('a service that does not read the company header is told', async () => {
			const { items, hints } = await runNode({
				node: fixture.getNode('Account'),
				parameters: { operation: 'checkAccess' },
				credential: fixture.createCredential('reseller', { companyHeaderName: 'X-Other-Company-Id' }),
			});
			expect(new Set(items.map(({ json }) => json.companyHeaderIsRead))).toEqual(new Set([false]));
			expect(JSON.stringify(hints)).toContain("Correct 'Company Header Name' in the credential.");
		});

		test('a client that may not be used from here has a token all the same', async () => {
			const shown = await access('blocked');
			expect(shown.length).toBeGreaterThanOrEqual(CONTRACT_KEYS.length);
			expect(shown.filter(({ allowed }) => allowed !== true)).toEqual([]);
		});
	});
});
