/** Tests that the client secret and the tokens never appear in an error, a hint, an item or data that n8n stores, whatever fails. */
import type { IDataObject, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { callListSearch, type CredentialStore } from '../n8n-core';
import { collectTexts } from '../n8n-core/collectTexts';
import { FAULT_KINDS, type FaultKind } from '../stand-in/faults';
import {
	startFakeServer,
	createNodeFixture,
	sendJson,
	requireValue,
	TOKEN_ROUTE,
	type NodeClass,
} from '../n8n-core/nodeFixture';
import { useSimulatedDate } from '../setup/testClock';
import { chooseTimeout, SLOW_FAULT_KINDS } from '../stand-in/chooseTimeout';

const fixture = createNodeFixture({ companyCount: 40 });
useSimulatedDate();
const ERROR_MODES: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
/** Selects one mode for each test case, in turn. With the n8n-core of an installed n8n (e2e `versions`), all modes are selected. */
const selectErrorModes = (caseIndex: number) =>
	ERROR_MODES.filter((_mode, index) => process.env.N8N_CORE_DIR || index === caseIndex % ERROR_MODES.length);

const readToken = (store: CredentialStore) =>
	z.object({ access_token: z.string() }).safeParse(store.token).data?.access_token;

/** Lists the credential's secrets in every encoding in which they could appear. */
function listEncodedSecrets(store: CredentialStore, tokens: Array<string | undefined>): string[] {
	const { clientId, clientSecret } = z.object({ clientId: z.string(), clientSecret: z.string() }).parse(store.data);
	const plainSecrets = [clientSecret, ...tokens, readToken(store)].filter((secret) => secret !== undefined);
	// The signature is the secret part of a JWT, so it must not appear alone either.
	const parts = plainSecrets.flatMap((secret) => [secret, secret.split('.').at(-1) ?? secret]);
	return [
		...parts,
		Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
		...parts.map((part) => Buffer.from(part).toString('base64')),
	];
}

function expectNoSecret(results: unknown[], store: CredentialStore, tokens: Array<string | undefined> = []) {
	const texts = collectTexts(results);
	const encodedSecrets = listEncodedSecrets(store, tokens);
	expect(texts.length).toBeGreaterThan(10);
	expect(texts.filter((text) => encodedSecrets.some((encodedSecret) => text.includes(encodedSecret)))).toEqual([]);
}

const TESTED_OPERATIONS: Array<
	[route: string, node: NodeClass, buildParameters: (faultKind?: FaultKind) => IDataObject]
> = [
	[
		'POST /api/companies/search',
		SecurityAwarenessCompany,
		(faultKind) => ({ operation: 'getMany', limit: 3, options: { timeout: chooseTimeout(faultKind) } }),
	],
	[
		'POST /api/company-groups',
		SecurityAwarenessCompanyGroup,
		(faultKind) => ({
			operation: 'create',
			name: 'New',
			membersFrom: 'none',
			options: { timeout: chooseTimeout(faultKind) },
		}),
	],
	[
		'POST /api/leaderboard/get-all/export',
		SecurityAwarenessLeaderboard,
		(faultKind) => ({
			operation: 'export',
			companyScope: 'every',
			onlyCompanies: { nameContains: 'golden' },
			options: { timeout: chooseTimeout(faultKind) },
		}),
	],
];
/** The kinds of faults to test. Slow responses are tested in test/http. */
const TESTED_FAULT_KINDS = FAULT_KINDS.filter((kind) => !['slow', 'stall-body'].includes(kind));

/** Collects the result or the error of a run, in every form in which it can be shown. */
async function describeOutcome(run: Promise<unknown>): Promise<unknown[]> {
	const error: unknown = await run.then(
		(result) => ({ result }),
		(thrown: unknown) => thrown,
	);
	return [error, JSON.stringify(error), String(error), error instanceof Error ? [error.stack, error.cause] : undefined];
}

test('the search for secrets finds them', () => {
	const store = fixture.createCredentialStore();
	const error = new Error('x', {
		cause: { response: { headers: { authorization: `Bearer ${fixture.standIn.clients.reseller.clientSecret}` } } },
	});
	expect(() => expectNoSecret([error, ...Array<string>(20).fill('x')], store)).toThrow('Bearer');
});

test.each(TESTED_FAULT_KINDS)('%s', async (kind) => {
	const store = fixture.createCredentialStore();
	const results: unknown[] = [];
	const tokens: Array<string | undefined> = [];
	for (const [caseIndex, [route, node, buildParameters]] of TESTED_OPERATIONS.entries()) {
		// After these faults, a read waits for the timeout of each of its five attempts, so only the write is tested.
		if (SLOW_FAULT_KINDS.includes(kind) && route !== 'POST /api/company-groups') continue;
		for (const onError of selectErrorModes(caseIndex + TESTED_FAULT_KINDS.indexOf(kind))) {
			fixture.standIn.addFault({ route, kind, times: Infinity, redirectUrl: 'http://127.0.0.1:1/' });
			results.push(
				...(await describeOutcome(fixture.run(node, buildParameters(kind), { credentialStore: store, onError }))),
			);
			tokens.push(readToken(store));
			fixture.standIn.clearFaults();
		}
	}
	expectNoSecret(results, store, tokens);
});

test.each<FaultKind>([
	'status-429',
	'status-500',
	'html-502',
	'html-200',
	'reset-before',
	'truncate',
	'empty',
	'redirect',
])('%s at the token endpoint, for the first and the second token', async (kind) => {
	const [, node, buildParameters] = requireValue(TESTED_OPERATIONS[0]);
	const results: unknown[] = [];
	const tokens: Array<string | undefined> = [];
	const store = fixture.createCredentialStore();
	for (const isFirstToken of [true, false]) {
		if (!isFirstToken) await fixture.run(node, buildParameters(), { credentialStore: store });
		tokens.push(readToken(store));
		fixture.standIn.expireTokens();
		fixture.standIn.addFault({ route: TOKEN_ROUTE, kind, times: Infinity, redirectUrl: 'http://127.0.0.1:1/' });
		for (const onError of ERROR_MODES)
			results.push(
				...(await describeOutcome(fixture.run(node, buildParameters(), { credentialStore: store, onError }))),
			);
		const context = { node: new node(), parameters: {}, credential: store, method: 'searchCompanies' };
		results.push(...(await describeOutcome(callListSearch(context))));
		fixture.standIn.clearFaults();
	}
	expectNoSecret(results, store, tokens);
});

test('a wrong client secret', async () => {
	const store = fixture.createCredentialStore('reseller', { clientSecret: 'a wrong secret that is still a secret' });
	const results: unknown[] = [];
	for (const [caseIndex, [, node, buildParameters]] of TESTED_OPERATIONS.entries())
		for (const onError of selectErrorModes(caseIndex))
			results.push(
				...(await describeOutcome(fixture.run(node, buildParameters(), { credentialStore: store, onError }))),
			);
	expectNoSecret(results, store);
});

describe('a service that repeats the request in its response', () => {
	const secret = 'the-secret-of-the-odd-service';
	const ECHO_RESPONSES: Array<[name: string, buildResponse: (text: string) => [status: number, body: unknown]]> = [
		['400', (text) => [400, { validationMessages: [text], message: text }]],
		['200 with an error', (text) => [200, { isSuccess: false, messages: [text] }]],
		['500', (text) => [500, { title: text, detail: text }]],
		['403', (text) => [403, { message: text }]],
		['401', (text) => [401, { message: text }]],
	];
	test.each(ECHO_RESPONSES)(
		'%s: its message is shown without secrets, even for the first request',
		async (_name, buildResponse) => {
			const results: unknown[] = [];
			for (const [caseIndex, [, node, buildParameters]] of TESTED_OPERATIONS.entries()) {
				const server = await startFakeServer((request, response, token) => {
					sendJson(response, ...buildResponse(`Got ${request.headers.authorization} (${token}) of ${secret}`));
				});
				for (const onError of selectErrorModes(caseIndex))
					results.push(
						...(await describeOutcome(
							fixture.run(node, buildParameters(), { credentialStore: server.credentialStore, onError }),
						)),
					);
				expectNoSecret(results, server.credentialStore);
			}
			expect(JSON.stringify(results)).toContain('Got Bearer •••');
		},
	);

	test.each<[number, IDataObject]>([
		[400, { error: 'odd_error', error_description: `You sent ${secret}` }],
		[400, { error: `odd ${secret}` }],
		[500, { message: secret }],
		[200, { token_type: 'Bearer', note: secret }],
	])('at the token endpoint: %d %j', async (status, body) => {
		const server = await startFakeServer(
			(_request, response) => sendJson(response, 200, {}),
			(response) => sendJson(response, status, body),
		);
		const results: unknown[] = [];
		for (const [caseIndex, [, node, buildParameters]] of TESTED_OPERATIONS.entries())
			for (const onError of selectErrorModes(caseIndex))
				results.push(
					...(await describeOutcome(
						fixture.run(node, buildParameters(), { credentialStore: server.credentialStore, onError }),
					)),
				);
		expectNoSecret(results, server.credentialStore);
	});
});
