/**
 * A secret is in the parameters and in the output, and nowhere else: whichever step of an operation fails, and in
 * whatever way, no error, error item, hint or log of n8n contains it. Other tests notice a small change of the sources
 * sooner. This one is for what must never happen, in new operations as well: each new one is tried as soon as it has a
 * case. PRINT=1 npx jest test/run/secrets prints what was tried and which errors were shown.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { CredentialStore, runNode } from '../n8n-core';
import type { FaultKind } from '../stand-in';
import { toIdLocator, cases, type Case } from '../cases';
import { OperationFixture, createOperationFixture, TESTED_PROFILES, takeShare, TOKEN_ROUTE } from '../cases/operationFixture';
import { fromItem, keepLog, logged, outcomeOf, print, shownIn, tell, traces } from './secretTraces';
import { useSimulatedClock } from '../setup/turnedClock';

useSimulatedClock();

beforeEach(keepLog);
afterAll(print);

test('a secret is found wherever it hides', () => {
	const error = Object.assign(new Error('outer', { cause: new Error('p"w') }), { context: { list: ['a/b'] } });
	Object.defineProperty(error, 'quiet', { value: { deep: 'p"q' } });
	expect(shownIn(error, ['p"w', 'a/b', 'p"q', 'absent'])).toEqual(['p"w', 'a/b', 'p"q']);
});

/** The faults, and whether the operation must fail: some faults are corrected, or look like an answer. */
const KINDS: Array<[kind: FaultKind, mustFail: boolean]> = [
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
const SECRET_BEARING = [
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
const nameOf = ({ node, operation }: Case) => `${node} ${operation}`;
const secretCases = cases.filter((each) => SECRET_BEARING.includes(nameOf(each)));

/** Runs it once as it should be. @returns what it would show: the same is made again after a reset */
async function learn(g: OperationFixture, each: Case): Promise<string[]> {
	g.standIn.reset();
	const run = await each.prepare(g.customer);
	const outcome = await outcomeOf(g, each, run, 'stopWorkflow');
	if ('failed' in outcome) throw outcome.failed;
	const secrets = run.getSecrets?.(outcome.result.items) ?? [];
	expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
	expect(logged.length).toBeGreaterThan(0);
	expect(shownIn([traces(outcome, true), logged], secrets)).toEqual([]);
	return [...secrets, g.standIn.clients.reseller.clientSecret];
}

/** What it asks of the service, one after the other. */
async function stepsOf(g: OperationFixture, each: Case): Promise<string[]> {
	g.standIn.reset();
	const { requiredRequests: requests } = await each.prepare(g.customer);
	return (requests ?? [g.getOperation(each.node, each.operation).endpoint ?? '']).filter((route) => route !== 'unknown');
}

/** Runs it with one of its steps going wrong; nothing may show a secret. @returns whether it worked all the same, and what a person is told if not */
async function goneWrong(
	g: OperationFixture,
	each: Case,
	secrets: string[],
	route: string,
	kind: FaultKind,
	onError: OnError,
) {
	g.standIn.reset();
	const run = await each.prepare(g.customer);
	const { access_token: token } = z.object({ access_token: z.string() }).parse(g.credential.token);
	g.standIn.addFault({ route, kind, times: Infinity, redirectUrl: 'http://127.0.0.1:1/', retryAfter: '0' });
	const outcome = await outcomeOf(g, each, run, onError);
	const works = 'result' in outcome && outcome.result.items.every(({ json }) => json.error === undefined);
	expect(shownIn([traces(outcome, works), logged], [...secrets, token])).toEqual([]);
	const message =
		'failed' in outcome
			? outcome.failed.message
			: works
				? '(works)'
				: z.string().parse(outcome.result.items[0]?.json.message);
	if (onError === 'stopWorkflow') tell(nameOf(each), route, kind, message);
	return { works, message };
}

/**
 * Whether the operation succeeds in spite of the fault: a client that was created although the answer was lost is found
 * again, and a token that is shown once is not lost because its ID is missing.
 */
const worksAllTheSame = (each: Case, route: string, kind: FaultKind) =>
	(each.operation === 'provision' &&
		route === 'POST /api/companies/clients' &&
		['reset-after', 'truncate', 'truncate-chunked', 'stall-body'].includes(kind)) ||
	(nameOf(each) === 'ScimIntegration create' && route === 'POST /api/scim/search');

/** Those whose way is another one at a live deployment; the others run as with the contract's names, but for the words of refusals. */
const OTHERWISE_DEPLOYED = [
	'ApiClient create',
	'ApiClient provision',
	'ScimIntegration create',
	'ScimIntegration revokeToken',
];

const SETTINGS = ['stopWorkflow', 'continueRegularOutput'] as const;
/** Here each step has one of the settings, by turns; on the n8n-core of an installed n8n (e2e `versions`) it has both. */
const settingsOf = (place: number) =>
	SETTINGS.filter((_setting, at) => process.env.N8N_CORE_DIR || place % SETTINGS.length === at);

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const g = createOperationFixture(profile);
	const meant = secretCases.filter((each) => profile !== 'deployed' || OTHERWISE_DEPLOYED.includes(nameOf(each)));

	test('these are the operations with a secret', async () => {
		const found: string[] = [];
		const meantHere = takeShare(profile, cases);
		for (const each of meantHere) {
			g.standIn.reset();
			if ((await each.prepare(g.customer)).getSecrets) found.push(nameOf(each));
		}
		const here = meantHere.map(nameOf);
		expect(found.sort()).toEqual(SECRET_BEARING.filter((name) => here.includes(name)).sort());
	});

	describe.each(meant.map((each) => [nameOf(each), each] as const))('%s', (_name, each) => {
		let shown: string[];
		beforeAll(async () => {
			keepLog();
			shown = await learn(g, each);
		});

		test.each(takeShare(profile, KINDS))('%s', async (kind, mustFail) => {
			for (const [at, route] of (await stepsOf(g, each)).entries()) {
				for (const onError of settingsOf(at + meant.indexOf(each))) {
					const { works } = await goneWrong(g, each, shown, route, kind, onError);
					if (mustFail) expect(works).toBe(worksAllTheSame(each, route, kind));
				}
			}
		});
	});
});

// A second each time, so all at once, each with a service of its own.
test('no answer in time, or half of one', async () => {
	const kinds = ['stall', 'stall-body'] as const;
	await Promise.all(
		kinds.flatMap((kind) =>
			secretCases.map(async (each) => {
				const g = new OperationFixture();
				await g.start('contract');
				try {
					const secrets = await learn(g, each);
					for (const route of await stepsOf(g, each))
						expect((await goneWrong(g, each, secrets, route, kind, 'stopWorkflow')).works).toBe(
							worksAllTheSame(each, route, kind),
						);
				} finally {
					await g.standIn.close();
				}
			}),
		),
	);
});

/** Secrets as awkward as people make them. */
const PASSWORD = 'p"ä\\ss <&> w%rd/+';
const CLIENT_SECRET = ' s3cr"et/+ ä=1 ';
const CODE = '4/0A b+c"d%2F';
const SESSION = 'session"/+ä';
const CREDENTIAL_SECRET = 'cred"ential/+ \\ ä';
const ACCESS_TOKEN = 'the-token-of-this-run';
const ALL = [PASSWORD, CLIENT_SECRET, CODE, SESSION, CREDENTIAL_SECRET, ACCESS_TOKEN];

const ROLE = { roles: ['ffffffff-0000-4000-8000-ffffffffffff'], companyScope: 'own', company: undefined };
const CREDENTIALS = { clientId: 'id', clientSecret: CLIENT_SECRET, name: 'n8n' };
const GIVEN: Array<[node: string, operation: string, parameters: IDataObject]> = [
	['Account', 'login', { username: 'nathan', password: PASSWORD }],
	['Account', 'getAgentLoginUrl', { sessionId: SESSION }],
	['Account', 'exchangeAgentCode', { authCode: CODE }],
	['ApiClient', 'create', { ...ROLE, ...CREDENTIALS }],
	['ApiClient', 'update', { ...ROLE, ...CREDENTIALS, apiClient: toIdLocator('client') }],
	['ApiClient', 'provision', { ...ROLE, name: 'n8n' }],
	['GoogleOAuth', 'complete', { companyScope: 'own', code: CODE, state: SESSION }],
];

/** Ways in which a service repeats what it was told. */
const ECHOES: Array<[named: string, status: number, answer: (words: string[]) => IDataObject]> = [
	[
		'validationMessages',
		400,
		(words) => ({ data: null, status: 'error', message: words[0], validationMessages: words }),
	],
	['messages', 400, (words) => ({ data: null, isSuccess: false, messages: words })],
	[
		'messages that are objects',
		422,
		(words) => ({ isSuccess: false, messages: words.map((message) => ({ message, code: message })) }),
	],
	['problem details', 401, (words) => ({ title: words.join(' '), status: 401, detail: words.join('\n') })],
	['error_description', 400, (words) => ({ error: 'invalid', error_description: words.join(' ') })],
	['a refusal', 403, (words) => ({ message: words.join(' ') })],
	['not found', 404, (words) => ({ validationMessages: words })],
	['a conflict', 409, (words) => ({ status: 'error', validationMessages: words })],
	['an error of the service', 500, (words) => ({ code: 'INTERNAL_SERVER_ERROR', message: words.join(' ') })],
	['an error envelope on 200', 200, (words) => ({ data: { secret: words }, isSuccess: false, messages: words })],
	['words that are no JSON', 400, (words) => ({ text: words.join(' ') })],
];

describe('a service that repeats every secret it was told', () => {
	let server: Server;
	let url: string;
	let answer: { status: number; body: string };

	beforeAll(async () => {
		server = createServer((request, response) => {
			request.resume().on('end', () => {
				const path = request.url ?? '';
				const isToken = `${request.method} ${path}` === TOKEN_ROUTE;
				const made = { access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3600, permissions: [] };
				const generated = { data: { clientId: 'id', clientSecret: CLIENT_SECRET } };
				const good = isToken ? made : path.endsWith('generate-client-credentials') ? generated : undefined;
				response.statusCode = good ? 200 : answer.status;
				response.setHeader('content-type', 'application/json');
				response.end(good ? JSON.stringify(good) : answer.body);
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
	beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
	afterEach(() => jest.restoreAllMocks());

	const g = new OperationFixture();
	beforeAll(async () => g.loadNodes());

	describe.each(GIVEN)('%s: %s', (node, operation, given) => {
		test.each(ECHOES)('in %s (%i)', async (named, status, shape) => {
			const words = ALL.map((word) => `The value '${word}' is not valid: {"value":"${word}"}`);
			const body = shape(words);
			answer = { status, body: named.includes('no JSON') ? String(body.text) : JSON.stringify(body) };
			const { parameters, json } = fromItem(given, ALL);
			const store = new CredentialStore({ serverUrl: url, clientId: 'client', clientSecret: CREDENTIAL_SECRET });
			// Only the values that this operation got can be recognised as secrets.
			const told = [
				...ALL.filter((secret) => JSON.stringify(given).includes(JSON.stringify(secret))),
				...(operation === 'provision' ? [CLIENT_SECRET] : []),
				CREDENTIAL_SECRET,
				ACCESS_TOKEN,
			];
			const options = {
				node: g.getNode(node),
				parameters: { operation, ...parameters },
				credential: store,
				items: [{ json }],
			};
			const failed: unknown = await runNode(options).then(
				() => undefined,
				(error: unknown) => error,
			);
			expect(failed).toBeInstanceOf(Error);
			expect(shownIn([failed, JSON.stringify(failed), logged], told)).toEqual([]);
			const { items, hints, run } = await runNode({ ...options, onError: 'continueRegularOutput' });
			const { Input: _input, ...ran } = run.data.resultData.runData;
			expect(items.map((item: INodeExecutionData) => typeof item.json.message)).toEqual(['string']);
			expect(shownIn([items, hints, ran, logged], told)).toEqual([]);
			tell(
				`${node} ${operation}`,
				'',
				`${status}, repeated in ${named}`,
				failed instanceof Error ? failed.message : '',
			);
		});
	});
});
