/**
 * Neither the client secret nor a token is in any error, hint or item, nor in what n8n stores, whatever fails. Other
 * tests notice a small change of the sources sooner. This one is for what no change may ever cause.
 */
import type { IDataObject, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { callListSearch, type CredentialStore } from '../n8n-core';
import { collectTexts } from '../n8n-core/texts';
import { FAULT_KINDS, type FaultKind } from '../stand-in/faults';
import { startFakeServer, createNodeFixture, sendJson, requireValue, TOKEN_ROUTE, type NodeClass } from '../n8n-core/nodeFixture';
import { useSimulatedClock } from '../setup/turnedClock';

const b = createNodeFixture({ companyCount: 40 });
useSimulatedClock();
const modes: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
/** Here an operation has one of the modes, by turns; on the n8n-core of an installed n8n (e2e `versions`) it has all. */
const modesOf = (place: number) => modes.filter((_mode, at) => process.env.N8N_CORE_DIR || at === place % modes.length);

const tokenOf = (store: CredentialStore) =>
	z.object({ access_token: z.string() }).safeParse(store.token).data?.access_token;

/** The credential's secrets in every form in which they could travel. */
function formsOf(store: CredentialStore, tokens: Array<string | undefined>): string[] {
	const { clientId, clientSecret } = z.object({ clientId: z.string(), clientSecret: z.string() }).parse(store.data);
	const plain = [clientSecret, ...tokens, tokenOf(store)].filter((each) => each !== undefined);
	// A JWT's signature is what makes it one.
	const parts = plain.flatMap((each) => [each, each.split('.').at(-1) ?? each]);
	return [
		...parts,
		Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
		...parts.map((each) => Buffer.from(each).toString('base64')),
	];
}

function expectNoSecret(results: unknown[], store: CredentialStore, tokens: Array<string | undefined> = []) {
	const texts = collectTexts(results);
	const forms = formsOf(store, tokens);
	expect(texts.length).toBeGreaterThan(10);
	expect(texts.filter((text) => forms.some((form) => text.includes(form)))).toEqual([]);
}

const operations: Array<[string, NodeClass, () => IDataObject]> = [
	[
		'POST /api/companies/search',
		SecurityAwarenessCompany,
		() => ({ operation: 'getMany', limit: 3, options: { timeout: 1 } }),
	],
	[
		'POST /api/company-groups',
		SecurityAwarenessCompanyGroup,
		() => ({ operation: 'create', name: 'New', participantsFrom: 'none', options: { timeout: 1 } }),
	],
	[
		'POST /api/leaderboard/get-all/export',
		SecurityAwarenessLeaderboard,
		() => ({
			operation: 'export',
			companyScope: 'every',
			onlyCompanies: { nameContains: 'golden' },
			options: { timeout: 1 },
		}),
	],
];
/** What only takes time is in the tests of the transport; what stands still is tried where nothing is repeated. */
const kinds = FAULT_KINDS.filter((kind) => !['slow', 'stall-body'].includes(kind));

/** What a run comes to, whichever way it ends; and what each way of looking at an error shows of it. */
async function outcome(run: Promise<unknown>): Promise<unknown[]> {
	const error: unknown = await run.then(
		(result) => ({ result }),
		(thrown: unknown) => thrown,
	);
	return [error, JSON.stringify(error), String(error), error instanceof Error ? [error.stack, error.cause] : undefined];
}

test('the search for secrets finds them', () => {
	const store = b.createCredentialStore();
	const error = new Error('x', {
		cause: { response: { headers: { authorization: `Bearer ${b.standIn.clients.reseller.clientSecret}` } } },
	});
	expect(() => expectNoSecret([error, ...Array<string>(20).fill('x')], store)).toThrow('Bearer');
});

test.each(kinds)('%s, of every operation', async (kind) => {
	const store = b.createCredentialStore();
	const results: unknown[] = [];
	const tokens: Array<string | undefined> = [];
	for (const [place, [route, node, parameters]] of operations.entries()) {
		for (const onError of modesOf(place + kinds.indexOf(kind))) {
			b.standIn.addFault({ route, kind, times: Infinity, redirectUrl: 'http://127.0.0.1:1/' });
			results.push(...(await outcome(b.run(node, parameters(), { store, onError }))));
			tokens.push(tokenOf(store));
			b.standIn.clearFaults();
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
])('%s at the token endpoint, for the first token and for a further one', async (kind) => {
	const [, node, parameters] = requireValue(operations[0]);
	const results: unknown[] = [];
	const tokens: Array<string | undefined> = [];
	const store = b.createCredentialStore();
	for (const first of [true, false]) {
		if (!first) await b.run(node, parameters(), { store });
		tokens.push(tokenOf(store));
		b.standIn.expireTokens();
		b.standIn.addFault({ route: TOKEN_ROUTE, kind, times: Infinity, redirectUrl: 'http://127.0.0.1:1/' });
		for (const onError of modes) results.push(...(await outcome(b.run(node, parameters(), { store, onError }))));
		const context = { node: new node(), parameters: {}, credential: store, method: 'searchCompanies' };
		results.push(...(await outcome(callListSearch(context))));
		b.standIn.clearFaults();
	}
	expectNoSecret(results, store, tokens);
});

test('a wrong secret', async () => {
	const store = b.createCredentialStore('reseller', { clientSecret: 'a wrong secret that is still a secret' });
	const results: unknown[] = [];
	for (const [place, [, node, parameters]] of operations.entries())
		for (const onError of modesOf(place))
			results.push(...(await outcome(b.run(node, parameters(), { store, onError }))));
	expectNoSecret(results, store);
});

describe('a service that repeats what it was sent', () => {
	const secret = 'the-secret-of-the-odd-service';
	const answers: Array<[string, (text: string) => [number, unknown]]> = [
		['400', (text) => [400, { validationMessages: [text], message: text }]],
		['200 with an error', (text) => [200, { isSuccess: false, messages: [text] }]],
		['500', (text) => [500, { title: text, detail: text }]],
		['403', (text) => [403, { message: text }]],
		['401', (text) => [401, { message: text }]],
	];
	test.each(answers)('%s: what it says is shown without them, also on the first request', async (_name, answer) => {
		const results: unknown[] = [];
		for (const [place, [, node, parameters]] of operations.entries()) {
			const odd = await startFakeServer((request, response, token) => {
				sendJson(response, ...answer(`Got ${request.headers.authorization} (${token}) of ${secret}`));
			});
			for (const onError of modesOf(place))
				results.push(...(await outcome(b.run(node, parameters(), { store: odd.store, onError }))));
			expectNoSecret(results, odd.store);
		}
		expect(JSON.stringify(results)).toContain('Got Bearer •••');
	});

	test.each<[number, IDataObject]>([
		[400, { error: 'odd_error', error_description: `You sent ${secret}` }],
		[400, { error: `odd ${secret}` }],
		[500, { message: secret }],
		[200, { token_type: 'Bearer', note: secret }],
	])('at the token endpoint: %d %j', async (status, body) => {
		const odd = await startFakeServer(
			(_request, response) => sendJson(response, 200, {}),
			(response) => sendJson(response, status, body),
		);
		const results: unknown[] = [];
		for (const [place, [, node, parameters]] of operations.entries())
			for (const onError of modesOf(place))
				results.push(...(await outcome(b.run(node, parameters(), { store: odd.store, onError }))));
		expectNoSecret(results, odd.store);
	});
});
