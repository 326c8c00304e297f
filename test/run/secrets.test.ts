/**
 * Tests that a secret is only in the parameters and in the output. No error, no error item, no hint and no log of n8n contains it, no
 * matter which request of an operation fails. A new operation is tested as soon as it has a case.
 * PRINT=1 npx jest test/run/secrets prints the tested steps and their errors.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { CredentialStore, runNode } from '../n8n-core';
import type { FaultKind } from '../stand-in';
import { toIdLocator, cases, type Case } from '../cases';
import {
	OperationFixture,
	createOperationFixture,
	TESTED_PROFILES,
	takeShare,
	TOKEN_ROUTE,
} from '../cases/operationFixture';
import {
	moveSecretsToItem,
	keepLog,
	loggedByN8n,
	runForOutcome,
	printRows,
	findShownSecrets,
	addPrintedRow,
	collectTraces,
	type RunOutcome,
} from './secretTraces';
import { useSimulatedClock } from '../setup/simulatedClock';

useSimulatedClock();

beforeEach(keepLog);
afterAll(printRows);

test('the search finds a secret at any depth', () => {
	const error = Object.assign(new Error('outer', { cause: new Error('p"w') }), { context: { list: ['a/b'] } });
	Object.defineProperty(error, 'quiet', { value: { deep: 'p"q' } });
	expect(findShownSecrets(error, ['p"w', 'a/b', 'p"q', 'absent'])).toEqual(['p"w', 'a/b', 'p"q']);
});

/** The faults. `mustFail` is false for a fault after which the operation may still succeed, because the response looks valid. */
const FAULTS: Array<[kind: FaultKind, mustFail: boolean]> = [
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
const CASES_WITH_SECRET = [
	'Account login',
	'Account getAgentLoginUrl',
	'Account exchangeAgentCode',
	'ApiClient generateCredentials',
	'ApiClient create',
	'ApiClient update',
	'ApiClient provision',
	'GoogleOAuth complete',
	'ScimIntegration create',
	'ScimIntegration revokeToken',
];
const getCaseName = ({ node, operation }: Case) => `${node} ${operation}`;
const secretCases = cases.filter((testCase) => CASES_WITH_SECRET.includes(getCaseName(testCase)));

/** Runs a case without faults. @returns its secrets, which are the same in every run after a reset */
async function learnSecrets(fixture: OperationFixture, testCase: Case): Promise<string[]> {
	fixture.standIn.reset();
	const run = await testCase.prepare(fixture.customer);
	const outcome = await runForOutcome(fixture, testCase, run, 'stopWorkflow');
	if ('thrown' in outcome) throw outcome.thrown;
	const secrets = run.getSecrets?.(outcome.result.items) ?? [];
	expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
	expect(loggedByN8n.length).toBeGreaterThan(0);
	expect(findShownSecrets([collectTraces(outcome, true), loggedByN8n], secrets)).toEqual([]);
	return [...secrets, fixture.standIn.clients.reseller.clientSecret];
}

/** Lists the routes that a case requests, in order. */
async function listSteps(fixture: OperationFixture, testCase: Case): Promise<string[]> {
	fixture.standIn.reset();
	const { requiredRequests: requests } = await testCase.prepare(fixture.customer);
	return (requests ?? [fixture.getOperation(testCase.node, testCase.operation).endpoint ?? '']).filter(
		(route) => route !== 'unknown',
	);
}

/**
 * Runs a case with a fault in one of its steps, and checks that no secret is shown.
 * @returns whether the operation succeeded, and the error message if not
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
	expect(findShownSecrets([collectTraces(outcome, isSuccessful), loggedByN8n], [...secrets, token])).toEqual([]);
	const message = isSuccessful ? '(works)' : readFailureMessage(outcome);
	if (onError === 'stopWorkflow') addPrintedRow(getCaseName(testCase), route, kind, message);
	return { isSuccessful, message };
}

const readFailureMessage = (outcome: RunOutcome): string =>
	'thrown' in outcome ? outcome.thrown.message : z.string().parse(outcome.result.items[0]?.json.message);

/**
 * Returns true if the operation must succeed in spite of the fault. If a client was created but the response was lost, the client is found
 * again. If an integration's ID is missing, its token, which is shown only once, is still returned.
 */
const isExpectedToWork = (testCase: Case, route: string, kind: FaultKind) =>
	(testCase.operation === 'provision' &&
		route === 'POST /api/companies/clients' &&
		['reset-after', 'truncate', 'truncate-chunked', 'stall-body'].includes(kind)) ||
	(getCaseName(testCase) === 'ScimIntegration create' && route === 'POST /api/scim/search');

/** The cases whose requests to a live deployment differ. For the other cases, only the texts of rejections differ. */
const CASES_DIFFERENT_IF_DEPLOYED = [
	'ApiClient create',
	'ApiClient provision',
	'ScimIntegration create',
	'ScimIntegration revokeToken',
];

const ERROR_SETTINGS = ['stopWorkflow', 'continueRegularOutput'] as const;
/** Selects the settings in turn. On the n8n-core of an installed n8n (e2e `versions`), both settings are tested. */
const selectErrorSettings = (position: number) =>
	ERROR_SETTINGS.filter((_setting, index) => process.env.N8N_CORE_DIR || position % ERROR_SETTINGS.length === index);

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const testedCases = secretCases.filter(
		(testCase) => profile !== 'deployed' || CASES_DIFFERENT_IF_DEPLOYED.includes(getCaseName(testCase)),
	);

	test('the list of operations with a secret is complete', async () => {
		const casesWithSecret: string[] = [];
		const caseShare = takeShare(profile, cases);
		for (const testCase of caseShare) {
			fixture.standIn.reset();
			if ((await testCase.prepare(fixture.customer)).getSecrets) casesWithSecret.push(getCaseName(testCase));
		}
		const shareNames = caseShare.map(getCaseName);
		expect(casesWithSecret.sort()).toEqual(CASES_WITH_SECRET.filter((name) => shareNames.includes(name)).sort());
	});

	describe.each(testedCases.map((testCase) => [getCaseName(testCase), testCase] as const))('%s', (_name, testCase) => {
		let secrets: string[];
		beforeAll(async () => {
			keepLog();
			secrets = await learnSecrets(fixture, testCase);
		});

		test.each(takeShare(profile, FAULTS))('%s', async (kind, mustFail) => {
			for (const [index, route] of (await listSteps(fixture, testCase)).entries()) {
				for (const onError of selectErrorSettings(index + testedCases.indexOf(testCase))) {
					const { isSuccessful } = await runWithFault(fixture, testCase, secrets, route, kind, onError);
					if (mustFail) expect(isSuccessful).toBe(isExpectedToWork(testCase, route, kind));
				}
			}
		});
	});
});

// Each run takes a second, so all of them run at the same time, each with its own stand-in.
test('a response that is late or incomplete', async () => {
	const kinds = ['stall', 'stall-body'] as const;
	await Promise.all(
		kinds.flatMap((kind) =>
			secretCases.map(async (testCase) => {
				const fixture = new OperationFixture();
				await fixture.start('contract');
				try {
					const secrets = await learnSecrets(fixture, testCase);
					for (const route of await listSteps(fixture, testCase))
						expect((await runWithFault(fixture, testCase, secrets, route, kind, 'stopWorkflow')).isSuccessful).toBe(
							isExpectedToWork(testCase, route, kind),
						);
				} finally {
					await fixture.standIn.close();
				}
			}),
		),
	);
});

/** Secrets with characters that are escaped or encoded in a request. */
const PASSWORD = 'p"ä\\ss <&> w%rd/+';
const CLIENT_SECRET = ' s3cr"et/+ ä=1 ';
const CODE = '4/0A b+c"d%2F';
const SESSION = 'session"/+ä';
const CREDENTIAL_SECRET = 'cred"ential/+ \\ ä';
const ACCESS_TOKEN = 'the-token-of-this-run';
const ALL_SECRETS = [PASSWORD, CLIENT_SECRET, CODE, SESSION, CREDENTIAL_SECRET, ACCESS_TOKEN];

const ROLE = { roles: ['ffffffff-0000-4000-8000-ffffffffffff'], companyScope: 'own', company: undefined };
const CREDENTIALS = { clientId: 'id', clientSecret: CLIENT_SECRET, name: 'n8n' };
const SECRET_PARAMETERS: Array<[node: string, operation: string, parameters: IDataObject]> = [
	['Account', 'login', { username: 'nathan', password: PASSWORD }],
	['Account', 'getAgentLoginUrl', { sessionId: SESSION }],
	['Account', 'exchangeAgentCode', { authCode: CODE }],
	['ApiClient', 'create', { ...ROLE, ...CREDENTIALS }],
	['ApiClient', 'update', { ...ROLE, ...CREDENTIALS, apiClient: toIdLocator('client') }],
	['ApiClient', 'provision', { ...ROLE, name: 'n8n' }],
	['GoogleOAuth', 'complete', { companyScope: 'own', code: CODE, state: SESSION }],
];

/** The ways in which a platform may repeat the request in its response. */
const ECHOES: Array<[echoName: string, status: number, buildBody: (texts: string[]) => IDataObject]> = [
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
	let url: string;
	let echoResponse: { status: number; body: string };

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
				response.statusCode = body ? 200 : echoResponse.status;
				response.setHeader('content-type', 'application/json');
				response.end(body ? JSON.stringify(body) : echoResponse.body);
			});
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = z.object({ port: z.number() }).parse(server.address());
		url = `http://127.0.0.1:${address.port}`;
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
		test.each(ECHOES)('in %s (%i)', async (echoName, status, buildBody) => {
			const texts = ALL_SECRETS.map((word) => `The value '${word}' is not valid: {"value":"${word}"}`);
			const body = buildBody(texts);
			echoResponse = { status, body: echoName.includes('not JSON') ? String(body.text) : JSON.stringify(body) };
			const { parameters, json } = moveSecretsToItem(secretParameters, ALL_SECRETS);
			const store = new CredentialStore({ serverUrl: url, clientId: 'client', clientSecret: CREDENTIAL_SECRET });
			// Only the values of this operation can be recognized as secrets.
			const enteredSecrets = ALL_SECRETS.filter((secret) =>
				JSON.stringify(secretParameters).includes(JSON.stringify(secret)),
			);
			const knownSecrets = [...enteredSecrets, CREDENTIAL_SECRET, ACCESS_TOKEN];
			if (operation === 'provision') knownSecrets.push(CLIENT_SECRET);
			const options = {
				node: fixture.getNode(node),
				parameters: { operation, ...parameters },
				credential: store,
				items: [{ json }],
			};
			const thrown: unknown = await runNode(options).then(
				() => undefined,
				(error: unknown) => error,
			);
			expect(thrown).toBeInstanceOf(Error);
			expect(findShownSecrets([thrown, JSON.stringify(thrown), loggedByN8n], knownSecrets)).toEqual([]);
			const { items, hints, run } = await runNode({ ...options, onError: 'continueRegularOutput' });
			const { Input: _input, ...nodeOutputs } = run.data.resultData.runData;
			expect(items.map((item: INodeExecutionData) => typeof item.json.message)).toEqual(['string']);
			expect(findShownSecrets([items, hints, nodeOutputs, loggedByN8n], knownSecrets)).toEqual([]);
			addPrintedRow(
				`${node} ${operation}`,
				'',
				`${status}, repeated in ${echoName}`,
				thrown instanceof Error ? thrown.message : '',
			);
		});
	});
});
