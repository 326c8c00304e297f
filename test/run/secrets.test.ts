/**
 * Tests that secrets appear only in the parameters and in the output. No error, no error item, no hint and no log of n8n contains a
 * secret, no matter which request of an operation fails.
 * `PRINT=1 npm run test:file test/run/secrets` prints the tested requests and their errors.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { CredentialStore, runNode } from '../n8n-core';
import type { FaultKind } from '../stand-in';
import { toIdLocator, cases, type Case } from '../cases';
import { OperationFixture, createOperationFixture, TESTED_PROFILES, TOKEN_ROUTE } from '../cases/operationFixture';
import { SECRET_CASE_NAMES } from '../operations/secretFields';
import {
	moveSecretsToItem,
	startKeepingLog,
	n8nLogMessages,
	runForOutcome,
	printRows,
	findShownSecrets,
	addPrintedRow,
	collectTraces,
	type RunOutcome,
} from './secretTraces';
import { useSimulatedDate } from '../setup/testClock';
import { parseOperationKey } from '../contract/operationKeys';

useSimulatedDate();

beforeEach(startKeepingLog);
afterAll(printRows);

test('the search finds a secret at any depth', () => {
	const error = Object.assign(new Error('outer', { cause: new Error('p"w') }), { context: { list: ['a/b'] } });
	Object.defineProperty(error, 'quiet', { value: { deep: 'p"q' } });
	expect(findShownSecrets(error, ['p"w', 'a/b', 'p"q', 'absent'])).toEqual(['p"w', 'a/b', 'p"q']);
});

/** The tested faults. `shouldFail` is false if the operation may still succeed, because the response looks valid. */
const FAULTS: Array<[kind: FaultKind, shouldFail: boolean]> = [
	['status-429', true],
	['status-500', true],
	['html-502', true],
	['status-503', true],
	['error-envelope', true],
	['html-200', true],
	['reset-before', true],
	['reset-after', true],
	['truncate', true],
	['truncate-chunked', true],
	['status-401', true],
	['forbidden-company', true],
	['redirect', true],
	['wrong-shape', false],
	['empty', false],
];
const getCaseName = ({ node, operation }: Case) => `${node} ${operation}`;
const secretCases = cases.filter((testCase) => SECRET_CASE_NAMES.includes(getCaseName(testCase)));

/** Runs a case without faults. @returns the secrets of the case, which are the same in every run after a reset of the stand-in */
async function findSecretsOfCase(fixture: OperationFixture, testCase: Case): Promise<string[]> {
	fixture.standIn.reset();
	const run = await testCase.prepare(fixture.customer);
	const outcome = await runForOutcome(fixture, testCase, run, 'stopWorkflow');
	if ('thrown' in outcome) throw outcome.thrown;
	const secrets = run.getSecrets?.(outcome.result.items) ?? [];
	expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
	expect(n8nLogMessages.length).toBeGreaterThan(0);
	expect(findShownSecrets([collectTraces(outcome, true), n8nLogMessages], secrets)).toEqual([]);
	return [...secrets, fixture.standIn.clients.reseller.clientSecret];
}

/** Lists the routes of a case's requests, in the order of the requests. */
async function listRequestedRoutes(fixture: OperationFixture, testCase: Case): Promise<string[]> {
	fixture.standIn.reset();
	const { requiredRequests: requests } = await testCase.prepare(fixture.customer);
	return (requests ?? [fixture.getOperation(testCase.node, testCase.operation).endpoint ?? '']).filter(
		(route) => route !== 'unknown',
	);
}

/**
 * Runs a case with a fault in one of its requests, and checks that no secret is shown.
 * @returns whether the operation succeeded, and the error message if it failed
 */
async function runWithFault(
	fixture: OperationFixture,
	testCase: Case,
	secrets: string[],
	route: string,
	kind: FaultKind,
	onError: OnError,
) {
	fixture.standIn.reset();
	const run = await testCase.prepare(fixture.customer);
	const { access_token: token } = z.object({ access_token: z.string() }).parse(fixture.credential.token);
	fixture.standIn.addFault({ route, kind, times: Infinity, redirectUrl: 'http://127.0.0.1:1/', retryAfter: '0' });
	const outcome = await runForOutcome(fixture, testCase, run, onError);
	const isSuccessful = 'result' in outcome && outcome.result.items.every(({ json }) => json.error === undefined);
	expect(findShownSecrets([collectTraces(outcome, isSuccessful), n8nLogMessages], [...secrets, token])).toEqual([]);
	const message = isSuccessful ? '(works)' : readFailureMessage(outcome);
	if (onError === 'stopWorkflow') addPrintedRow(getCaseName(testCase), route, kind, message);
	return { isSuccessful, message };
}

const readFailureMessage = (outcome: RunOutcome): string =>
	'thrown' in outcome ? outcome.thrown.message : z.string().parse(outcome.result.items[0]?.json.message);

/**
 * Returns true if the operation must succeed in spite of the fault. `provision` finds a client again that was created although the response
 * was lost. `create` of a SCIM integration returns the token even if the integration's ID can't be read, because the platform shows the
 * token only once.
 */
const isExpectedToWork = (testCase: Case, route: string, kind: FaultKind) =>
	(testCase.operation === 'provision' &&
		route === 'POST /api/companies/clients' &&
		['reset-after', 'truncate', 'truncate-chunked', 'stall-body'].includes(kind)) ||
	(getCaseName(testCase) === 'ScimIntegration create' && route === 'POST /api/scim/search');

/**
 * The cases that are tested with the profile 'deployed' too, because their requests to a live deployment differ from the contract. In the
 * other cases, only the texts of rejections differ.
 */
const CASES_WITH_OTHER_DEPLOYED_REQUESTS = [
	'ApiClient create',
	'ApiClient provision',
	'ScimIntegration create',
	'ScimIntegration revokeToken',
];

/**
 * Selects every `divisor`th entry of a list. The engine removes the secrets from all errors in the same way, so each operation is tested with
 * a share of the failures, and each failure with a share of the operations. With the n8n-core of an installed n8n (e2e `versions`), all
 * entries are selected.
 */
const selectShare = <T>(entries: readonly T[], offset: number, divisor: number): T[] =>
	entries.filter((_entry, index) => process.env.N8N_CORE_DIR || index % divisor === offset % divisor);

const ERROR_MODES = ['stopWorkflow', 'continueRegularOutput'] as const;
/** Selects one mode for each test case, in turn. With the n8n-core of an installed n8n (e2e `versions`), both modes are selected. */
const selectErrorModes = (caseIndex: number) =>
	ERROR_MODES.filter((_setting, index) => process.env.N8N_CORE_DIR || caseIndex % ERROR_MODES.length === index);

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const testedCases = secretCases.filter(
		(testCase) => profile !== 'deployed' || CASES_WITH_OTHER_DEPLOYED_REQUESTS.includes(getCaseName(testCase)),
	);

	describe.each(testedCases.map((testCase) => [getCaseName(testCase), testCase] as const))('%s', (_name, testCase) => {
		let secrets: string[];
		beforeAll(async () => {
			startKeepingLog();
			secrets = await findSecretsOfCase(fixture, testCase);
		});

		test.each(selectShare(FAULTS, testedCases.indexOf(testCase), 3))('%s', async (kind, shouldFail) => {
			for (const [index, route] of (await listRequestedRoutes(fixture, testCase)).entries()) {
				for (const onError of selectErrorModes(index + testedCases.indexOf(testCase))) {
					const { isSuccessful } = await runWithFault(fixture, testCase, secrets, route, kind, onError);
					if (shouldFail) expect(isSuccessful).toBe(isExpectedToWork(testCase, route, kind));
				}
			}
		});
	});
});

/** Lists the requests of an operation that write, of which none is repeated after a timeout. */
const listWritingRoutes = async (fixture: OperationFixture, testCase: Case) =>
	(await listRequestedRoutes(fixture, testCase)).filter(
		(route) => !route.startsWith('GET ') && !route.endsWith('/search'),
	);

// Each run takes a second, so all runs happen at the same time, each with a separate stand-in.
test.each(['stall', 'stall-body'] as const)('a response that is late or incomplete: %s', async (kind) => {
	await Promise.all(
		selectShare(secretCases, kind === 'stall' ? 0 : 1, 2).map(async (testCase) => {
			const fixture = new OperationFixture();
			await fixture.start('contract');
			try {
				const secrets = await findSecretsOfCase(fixture, testCase);
				for (const route of await listWritingRoutes(fixture, testCase))
					expect((await runWithFault(fixture, testCase, secrets, route, kind, 'stopWorkflow')).isSuccessful).toBe(
						isExpectedToWork(testCase, route, kind),
					);
			} finally {
				await fixture.standIn.close();
			}
		}),
	);
});

// These secrets have characters that are escaped or encoded in a request.
const PASSWORD = 'p"ä\\ss <&> w%rd/+';
const CLIENT_SECRET = ' s3cr"et/+ ä=1 ';
const AUTH_CODE = '4/0A b+c"d%2F';
const SESSION_ID = 'session"/+ä';
const CREDENTIAL_SECRET = 'cred"ential/+ \\ ä';
const ACCESS_TOKEN = 'the-token-of-this-run';
const ALL_SECRETS = [PASSWORD, CLIENT_SECRET, AUTH_CODE, SESSION_ID, CREDENTIAL_SECRET, ACCESS_TOKEN];

const ROLE_PARAMETERS = { roles: ['ffffffff-0000-4000-8000-ffffffffffff'], companyScope: 'own', company: undefined };
const CLIENT_PARAMETERS = { clientId: 'id', clientSecret: CLIENT_SECRET, name: 'n8n' };
const SECRET_PARAMETERS: Array<[node: string, operation: string, parameters: IDataObject]> = [
	['Account', 'login', { username: 'nathan', password: PASSWORD }],
	['Account', 'agentSignIn.getLoginUrl', { sessionId: SESSION_ID }],
	['Account', 'agentSignIn.exchangeCode', { authCode: AUTH_CODE }],
	['ApiClient', 'create', { ...ROLE_PARAMETERS, ...CLIENT_PARAMETERS }],
	[
		'ApiClient',
		'update',
		{ ...ROLE_PARAMETERS, ...CLIENT_PARAMETERS, apiClient: toIdLocator('3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111') },
	],
	['ApiClient', 'provision', { ...ROLE_PARAMETERS, name: 'n8n' }],
	['GoogleOAuth', 'complete', { companyScope: 'own', code: AUTH_CODE, state: SESSION_ID }],
];

/** The responses in which a platform may repeat texts of the request. */
const ECHO_RESPONSES: Array<[echoName: string, status: number, buildBody: (texts: string[]) => IDataObject]> = [
	[
		'validationMessages',
		400,
		(texts) => ({ data: null, status: 'error', message: texts[0], validationMessages: texts }),
	],
	['messages', 400, (texts) => ({ data: null, isSuccess: false, messages: texts })],
	[
		'messages that are objects',
		422,
		(texts) => ({ isSuccess: false, messages: texts.map((message) => ({ message, code: message })) }),
	],
	['problem details', 401, (texts) => ({ title: texts.join(' '), status: 401, detail: texts.join('\n') })],
	['error_description', 400, (texts) => ({ error: 'invalid', error_description: texts.join(' ') })],
	['a rejection', 403, (texts) => ({ message: texts.join(' ') })],
	['not found', 404, (texts) => ({ validationMessages: texts })],
	['a conflict', 409, (texts) => ({ status: 'error', validationMessages: texts })],
	['an error of the service', 500, (texts) => ({ code: 'INTERNAL_SERVER_ERROR', message: texts.join(' ') })],
	['an error envelope on 200', 200, (texts) => ({ data: { secret: texts }, isSuccess: false, messages: texts })],
	['a text that is not JSON', 400, (texts) => ({ text: texts.join(' ') })],
];

describe('a service that repeats every secret of the request', () => {
	let server: Server;
	let serverUrl: string;
	let currentEchoResponse: { status: number; body: string };

	beforeAll(async () => {
		server = createServer((request, response) => {
			request.resume().on('end', () => {
				const path = request.url ?? '';
				const isTokenRequest = `${request.method} ${path}` === TOKEN_ROUTE;
				let body: object | undefined;
				if (isTokenRequest)
					body = { access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3600, permissions: [] };
				else if (path.endsWith('generate-client-credentials'))
					body = { data: { clientId: 'id', clientSecret: CLIENT_SECRET } };
				response.statusCode = body ? 200 : currentEchoResponse.status;
				response.setHeader('content-type', 'application/json');
				response.end(body ? JSON.stringify(body) : currentEchoResponse.body);
			});
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = z.object({ port: z.number() }).parse(server.address());
		serverUrl = `http://127.0.0.1:${address.port}`;
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});
	beforeEach(() => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => jest.restoreAllMocks());

	const fixture = new OperationFixture();
	beforeAll(async () => fixture.loadNodes());

	describe.each(SECRET_PARAMETERS)('%s: %s', (node, operation, secretParameters) => {
		const operationIndex = SECRET_PARAMETERS.findIndex(([, name]) => name === operation);
		test.each(selectShare(ECHO_RESPONSES, operationIndex, 3))('in %s (%i)', async (echoName, status, buildBody) => {
			const texts = ALL_SECRETS.map((secret) => `The value '${secret}' is not valid: {"value":"${secret}"}`);
			const body = buildBody(texts);
			currentEchoResponse = { status, body: echoName.includes('not JSON') ? String(body.text) : JSON.stringify(body) };
			const { parameters, json } = moveSecretsToItem(secretParameters, ALL_SECRETS);
			const store = new CredentialStore({ serverUrl, clientId: 'client', clientSecret: CREDENTIAL_SECRET });
			// The node can recognize only the secrets that it has sent: the entered ones, and those of the credential.
			const enteredSecrets = ALL_SECRETS.filter((secret) =>
				JSON.stringify(secretParameters).includes(JSON.stringify(secret)),
			);
			const knownSecrets = [...enteredSecrets, CREDENTIAL_SECRET, ACCESS_TOKEN];
			if (operation === 'provision') knownSecrets.push(CLIENT_SECRET);
			const options = {
				node: fixture.getNode(node),
				parameters: { ...parseOperationKey(node, operation), ...parameters },
				credential: store,
				items: [{ json }],
			};
			const thrown: unknown = await runNode(options).then(
				() => undefined,
				(error: unknown) => error,
			);
			expect(thrown).toBeInstanceOf(Error);
			expect(findShownSecrets([thrown, JSON.stringify(thrown), n8nLogMessages], knownSecrets)).toEqual([]);
			const { items, hints, run } = await runNode({ ...options, onError: 'continueRegularOutput' });
			const { Input: _input, ...nodeOutputs } = run.data.resultData.runData;
			expect(items.map((item: INodeExecutionData) => typeof item.json.message)).toEqual(['string']);
			expect(findShownSecrets([items, hints, nodeOutputs, n8nLogMessages], knownSecrets)).toEqual([]);
			addPrintedRow(
				`${node} ${operation}`,
				'',
				`${status}, repeated in ${echoName}`,
				thrown instanceof Error ? thrown.message : '',
			);
		});
	});
});
