/**
 * Tokens that become invalid early: after a number of uses, because of another n8n, or renewed by another process; and
 * a credential that is changed during a run.
 */
import { merge } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { loadNode, runNode, type CredentialStore } from '../n8n-core';
import { deepOr, sample } from '../setup/depth';
import { textsIn } from '../n8n-core/texts';
import {
	answering,
	asData,
	nodeFixture,
	failedItem,
	failureOf,
	isFailed,
	sendJson,
	the,
	times,
	TOKEN,
} from '../n8n-core/nodeFixture';
import { allOperations, cases } from '../cases';
import { CustomerFixture } from '../cases/customerFixture';
import { ApiClient } from '../stand-in/apiClient';
import { turnClock } from '../setup/turnedClock';
import { companyReader } from './calls';

const b = nodeFixture({ companies: deepOr(60, 16) });
turnClock();
/** How many ask at the same time, or one after the other. */
const ITEMS = deepOr(60, 16);
const GET = 'GET /api/companies/{resourceId}';
const get = companyReader(b, { concurrency: 8 });
const newToken = async () =>
	String((await new ApiClient(b.service, b.service.clients.reseller).requestToken()).data.access_token);
const put = (store: CredentialStore, token: string, more: IDataObject = {}) => {
	store.data = { ...store.data, ...asData(more), oauthTokenData: { access_token: token, token_type: 'Bearer' } };
};
afterEach(() => b.service.setOptions({ tokenUses: Infinity, beforeAnswer: undefined }));

describe('tokens that wear out', () => {
	const lives = [
		[8, 3],
		[8, 1],
		[20, 3],
		[20, 2],
	] as const;
	test.each(sample(lives, 1))(
		'%d at once, each token good for %d uses: every item gets its answer',
		async (concurrency, tokenUses) => {
			b.service.setOptions({ tokenUses, latencyMs: 3 });
			const { items } = await get(ITEMS, { store: b.newStore(), onError: 'continueRegularOutput' }, { concurrency });
			expect(items.filter(isFailed)).toEqual([]);
			expect(items).toHaveLength(ITEMS);
			expect(b.asked.filter(({ status }) => status === 200)).toHaveLength(ITEMS);
			expect(b.tokenRequests).toBeLessThanOrEqual(ITEMS / tokenUses + 1);
		},
	);

	test('Every Company at 8 at once, each token good for 3 uses: no company is missing', async () => {
		b.service.setOptions({ tokenUses: 3, latencyMs: 3 });
		const read = async (store: CredentialStore) =>
			await b.run(
				SecurityAwarenessTargetGroup,
				{ operation: 'getMany', companyScope: 'every', returnAll: true },
				{ store },
			);
		const worn = await read(b.newStore());
		b.service.setOptions({ tokenUses: Infinity });
		expect(worn.items).toEqual((await read(b.newStore())).items);
	});

	test('and so with every operation that has it: nothing fails, and no more tokens are asked for than are worn out', async () => {
		const files = await allOperations();
		const nodes = new Map(
			await Promise.all(files.map(async ({ node, listed }) => [node, await loadNode(listed)] as const)),
		);
		const customer = await CustomerFixture.at(b.service);
		const scopes = new Map(files.map(({ node, operation }) => [`${node} ${operation.value}`, operation.scope]));
		const meant = cases.filter((each) => scopes.get(`${each.node} ${each.operation}`) === 'companies');
		for (const { node, operation, prepare } of sample(meant, 2)) {
			const { parameters } = await prepare(customer);
			const every = {
				companyScope: 'every',
				company: { value: '' },
				companyFilter: { nameContains: 'bakery' },
				options: { concurrency: 8 },
			};
			const store = b.newStore();
			b.service.setOptions({ tokenUses: 3, latencyMs: 2 });
			b.service.clearLog();
			await runNode({
				node: the(nodes.get(node)),
				parameters: merge({ operation }, structuredClone(parameters), every, {
					reportOptions: { targetUserResourceId: '' },
				}),
				credential: store,
			});
			b.service.setOptions({ tokenUses: Infinity });
			expect([
				node,
				operation,
				b.tokenRequests <= Math.ceil(b.asked.filter(({ status }) => status === 200).length / 2) + 1,
			]).toEqual([node, operation, true]);
		}
		expect(meant).toHaveLength(24);
	}, 120_000);

	test('a write that met a worn-out token is carried out once', async () => {
		b.service.setOptions({ tokenUses: 1 });
		const names = times(12).map(({ index }) => `Group ${String(index)}`);
		await b.run(
			SecurityAwarenessCompanyGroup,
			{ operation: 'create', name: '={{ $json.name }}', participantsFrom: 'none' },
			{ store: b.newStore(), items: names.map((name) => ({ json: { name } })) },
		);
		expect(
			b.service.state.groups
				.map(({ name }) => name)
				.filter((name) => names.includes(name))
				.sort(),
		).toEqual([...names].sort());
	});

	test('two runs that void each other have their tokens renewed, and come to an end', async () => {
		b.service.setOptions({ newTokenVoidsFormer: true, latencyMs: 2 });
		// Two n8n instances, each with its own database, that have been running for a while.
		const stores = [b.newStore(), b.newStore()];
		for (const store of [...stores, ...stores]) await get(1, { store });
		// By chance they do not renew at the same time.
		jest.restoreAllMocks();
		const runs = await Promise.all(
			stores.map(
				async (store) => await get(deepOr(40, 16), { store, onError: 'continueRegularOutput' }, { concurrency: 4 }),
			),
		);
		expect(runs.flatMap(({ items }) => items.filter(isFailed))).toEqual([]);
	});

	test('a service that takes none of them is not asked for ever, and one that refuses one request is asked for it twice', async () => {
		const victim = the(b.service.state.companies[3]).companyResourceId;
		b.service.fault({
			route: 'POST /api/target-groups/search/current-company',
			kind: 'status-401',
			company: victim,
			times: Infinity,
		});
		const error = await failureOf(
			b.run(SecurityAwarenessTargetGroup, { operation: 'getMany', companyScope: 'every' }, { store: b.newStore() }),
		);
		expect(error.message).toMatch(/: the service does not accept the token \(401\) for 1 of \d+ companies: /);
		expect(b.asked.filter(({ companyId }) => companyId === victim)).toHaveLength(2);
		expect(b.tokenRequests).toBe(2);
	});
});

describe('a token that another process has renewed', () => {
	test("is taken from n8n's store, not asked for", async () => {
		const store = b.newStore();
		await get(1, { store });
		const token = await newToken();
		b.service.clearLog();
		b.service.fault({ route: GET, kind: 'status-401', times: 8 });
		// It is stored after the requests have left.
		b.service.setOptions({ beforeAnswer: () => put(store, token) });
		const { items } = await get(8, { store });
		expect([items.length, b.tokenRequests]).toEqual([8, 0]);
	});

	const ITEMS_EACH = deepOr(20, 8);

	test('several processes on one store, where each new token voids the former: every item gets its answer', async () => {
		b.service.setOptions({ newTokenVoidsFormer: true, latencyMs: 3 });
		const store = b.newStore();
		await get(1, { store });
		const processes = [
			await processOfItsOwn(),
			await processOfItsOwn(),
			await processOfItsOwn(),
			await processOfItsOwn(),
		];
		for (let round = 0; round < deepOr(5, 2); round++) {
			b.service.expireTokens();
			b.service.clearLog();
			const ran = await Promise.all(processes.map(async (run) => await run(store)));
			expect(ran).toEqual(processes.map(() => ({ items: ITEMS_EACH, failed: [] })));
		}
	});

	/** What a process remembers of tokens is in the modules that it has loaded. */
	async function processOfItsOwn() {
		let loaded: typeof SecurityAwarenessCompany | undefined;
		await jest.isolateModulesAsync(async () => {
			({ SecurityAwarenessCompany: loaded } = await import('../../nodes/Company/SecurityAwarenessCompany.node'));
		});
		const Node = the(loaded);
		return async (store: CredentialStore) => {
			const company = { mode: 'id', value: the(b.service.state.companies[0]).companyResourceId };
			const items = times(ITEMS_EACH).map((json) => ({ json }));
			const ran = await runNode({
				node: new Node(),
				parameters: { operation: 'get', company, options: { concurrency: 5 } },
				credential: store,
				items,
				onError: 'continueRegularOutput',
			});
			return { items: ran.items.length, failed: ran.items.filter(isFailed).map((item) => failedItem(item).message) };
		};
	}
});

describe('a credential that is changed while a run goes on', () => {
	test.each(['clear', 'in use'])('to another platform: its token does not go to the old address (%s)', async (kind) => {
		const seen: string[] = [];
		const old = await answering((request, response) => {
			seen.push(String(request.headers.authorization));
			if (seen.length === 1) {
				store.data = { ...store.data, serverUrl: b.service.url };
				if (kind === 'in use') put(store, 'the-token-of-the-new-platform');
			}
			sendJson(response, 200, { data: { name: 'there' }, status: 'success' });
		});
		const { store } = old;
		const error = await failureOf(get(3, { store }, { concurrency: 1 }));
		expect(seen).toHaveLength(1);
		expect(error.message).toBe('Could not get company: the credential was changed while the node was running [item 1]');
		expect(error.description).toContain('Run the node again');
		expect(b.service.log).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['another client', { clientId: 'another' }],
		['another header for the company', { companyHeaderName: 'X-Other' }],
	])('to %s: nothing more is asked', async (_name, change) => {
		const store = b.newStore();
		await get(1, { store });
		b.service.clearLog();
		b.service.setOptions({ beforeAnswer: () => void (store.data = { ...store.data, ...asData(change) }) });
		const error = await failureOf(get(3, { store }, { concurrency: 1 }));
		expect(error.message).toContain('the credential was changed while the node was running');
		expect(b.asked).toHaveLength(1);
	});

	test('another secret does no harm', async () => {
		const store = b.newStore();
		b.service.setOptions({ beforeAnswer: () => void (store.data = { ...store.data, clientSecret: 'changed' }) });
		expect((await get(3, { store }, { concurrency: 1 })).items).toHaveLength(3);
	});
});

test('every token that the run has used is kept out of its errors, also one that was renewed meanwhile', async () => {
	const echo: string[] = [];
	const used: string[] = [];
	let issued = 0;
	const odd = await answering(
		(request, response) => {
			const token = String(request.headers.authorization).replace('Bearer ', '');
			used.push(token);
			if (used.length === 1) sendJson(response, 401, { status: 'error' });
			else sendJson(response, 400, { status: 'error', validationMessages: [`You came with ${used.join(' and ')}.`] });
		},
		(response) =>
			sendJson(response, 200, { access_token: `token-number-${++issued}-of-the-odd-service`, token_type: 'Bearer' }),
	);
	const { items } = await get(4, { store: odd.store, onError: 'continueRegularOutput' }, { concurrency: 1 });
	echo.push(...textsIn(items));
	expect(new Set(used).size).toBe(2);
	expect(echo.filter((text) => text.includes('of-the-odd-service'))).toEqual([]);
	expect(echo.some((text) => text.includes('You came with ••• and •••'))).toBe(true);
});

test('a token that n8n could not keep apart from none is still one token request', async () => {
	await get(3, { store: b.newStore() });
	expect([b.service.requests(TOKEN).length, b.service.requests(GET).length]).toEqual([1, 3]);
});
