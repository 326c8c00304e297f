/** How long the nodes wait for a token, an answer or a free slot, and that no connection stays open after a run. */
import type { Socket } from 'node:net';
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { Service } from '../../nodes/shared/transport/service';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { CredentialStore, runNode } from '../n8n-core';
import {
	answering,
	nodeFixture,
	failedItem,
	failureOf,
	sendJson,
	the,
	TOKEN,
	type RunMore,
} from '../n8n-core/nodeFixture';
import { waitUntil } from '../setup/waitUntil';
import { turnClock } from '../setup/turnedClock';
import { companyReader } from './calls';

const b = nodeFixture({ companies: 40 });
turnClock();
// Loading n8n takes its time.
beforeAll(async () => void (await get(1, {})));
const GET = 'GET /api/companies/{resourceId}';
const IN_TIME = 'the service could not issue a token in time';
const get = companyReader(b, { timeout: 1 });
const createGroup = async (more: RunMore) =>
	await b.run(
		SecurityAwarenessCompanyGroup,
		{ operation: 'create', name: 'New', participantsFrom: 'none', options: { timeout: 1 } },
		more,
	);
type Stored = [string, () => Promise<CredentialStore>];
const stores: [Stored, Stored] = [
	['the first token', async () => b.newStore()],
	[
		'a further token',
		async () => {
			const store = b.newStore();
			await get(1, { store });
			b.service.expireTokens();
			b.service.clearLog();
			return store;
		},
	],
];
const timed = async <T>(work: Promise<T>): Promise<{ result: T; seconds: number }> => {
	const start = performance.now();
	return { result: await work, seconds: (performance.now() - start) / 1000 };
};

describe.each(stores)('a token request that hangs, for %s', (_name, storeOf) => {
	const expectTokenRequests = (count: number) => expect(b.tokenRequests).toBe(count);

	test('is given up after the Timeout, three times in all, for all items together', async () => {
		const store = await storeOf();
		b.service.fault({ route: TOKEN, kind: 'stall', times: Infinity });
		const { result, seconds } = await timed(get(8, { store, onError: 'continueRegularOutput' }));
		expect(seconds).toBeLessThan(5);
		expectTokenRequests(3);
		for (const [index, item] of result.items.entries()) {
			expect(failedItem(item).message).toBe(`Could not get company: ${IN_TIME} [item ${index}]`);
			expect(failedItem(item).error.description).toMatch(/'Timeout'.* It was tried 3 times\.$/);
		}
	});

	// n8n 2.41 makes one of several renewals, and would wait five minutes for the one that hangs.
	test('once costs the run its Timeout and no more, and later runs nothing', async () => {
		const store = await storeOf();
		b.service.fault({ route: TOKEN, kind: 'stall', times: 1 });
		const { result, seconds } = await timed(get(3, { store }));
		expect(result.items).toHaveLength(3);
		expect(seconds).toBeGreaterThan(0.9);
		expect(seconds).toBeLessThan(4);
		expectTokenRequests(2);
		b.service.expireTokens();
		const later = await timed(get(3, { store }));
		expect(later.result.items).toHaveLength(3);
		expect(later.seconds).toBeLessThan(0.9);
		expectTokenRequests(3);
	});

	test('ends at once when the run is stopped, also for another run that waits for that token', async () => {
		const store = await storeOf();
		b.service.fault({ route: TOKEN, kind: 'stall', times: Infinity });
		const [first, second] = [new AbortController(), new AbortController()];
		const runs = [first, second].map(
			async ({ signal }) => await timed(get(2, { store, signal }, {}).catch((error: unknown) => error)),
		);
		await waitUntil('the token was asked for', () => b.tokenRequests === 1);
		second.abort();
		const { seconds: other } = await the(runs[1]);
		expect(other).toBeLessThan(2);
		first.abort();
		const { seconds } = await the(runs[0]);
		expect(seconds).toBeLessThan(3);
		expect(b.tokenRequests).toBe(1);
	});

	test('does not keep a run that is more patient from getting it, nor a less patient one waiting', async () => {
		const store = await storeOf();
		b.service.fault({ route: TOKEN, kind: 'stall', ms: 2500 });
		const patient = get(1, { store }, { timeout: 60 });
		await waitUntil('the token was asked for', () => b.tokenRequests === 1);
		const { seconds } = await timed(get(1, { store }));
		expect(seconds).toBeLessThan(2);
		expect((await patient).items).toHaveLength(1);
	});

	test('leaves nothing behind: a write that was given up is not sent when the token comes at last', async () => {
		const store = await storeOf();
		b.service.fault({ route: TOKEN, kind: 'stall', ms: 3500, times: Infinity });
		const error = await failureOf(createGroup({ store }));
		expect(error.message).toContain(IN_TIME);
		expect(error.description).not.toContain('carried it out');
		await waitUntil('the tokens came', () => b.service.requests(TOKEN).every(({ landed }) => landed));
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(b.asked.filter(({ status }) => status !== 401)).toEqual([]);
		expect(b.service.state.groups.filter(({ name }) => name === 'New')).toEqual([]);
	});

	test.each(['status-503', 'reset-before', 'status-429'] as const)(
		'or fails (%s): three requests, and that failure answers every item',
		async (kind) => {
			const store = await storeOf();
			b.service.fault({ route: TOKEN, kind, times: Infinity });
			const { items } = await get(30, { store, onError: 'continueRegularOutput' }, { concurrency: 4 });
			expect(b.tokenRequests).toBe(3);
			expect(new Set(items.map((item) => failedItem(item).error.description)).size).toBe(1);
			expect(failedItem(items[29]).error.description).toMatch(/ It was tried 3 times\.$/);
		},
	);
});

test('what nobody waits for any more waits for no token, and without anybody waiting none is asked for again', async () => {
	b.service.fault({ route: TOKEN, kind: 'stall', times: Infinity });
	const stops = [new AbortController(), new AbortController()];
	const seconds: number[] = [];
	const node: INodeType = {
		description: new SecurityAwarenessCompany().description,
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const service = await Service.open(this, { concurrency: 1, timeoutMs: 1000 });
			const start = performance.now();
			const asked = stops.map(async ({ signal }) => {
				const error: unknown = await service
					.json({ contract: 'GET /api/roles', repeatable: true, purpose: 'get', signal })
					.catch((thrown: unknown) => thrown);
				seconds.push((performance.now() - start) / 1000);
				expect(error).toMatchObject({ details: { cause: 'cancelled' } });
			});
			// One waits for the token, the other for its turn.
			await waitUntil('the token was asked for', () => b.tokenRequests === 1);
			for (const stop of stops) stop.abort();
			await Promise.all(asked);
			return [[]];
		},
	};
	await runNode({ node, parameters: {}, credential: b.newStore() });
	expect(Math.max(...seconds)).toBeLessThan(0.9);
	await new Promise((resolve) => setTimeout(resolve, 1500));
	expect(b.service.log).toHaveLength(1);
});

describe('whatever else hangs', () => {
	/** A database that stops answering after so many readings. */
	class Silent extends CredentialStore {
		/** How many readings are left. */
		left = Infinity;

		override async read() {
			if (--this.left < 0) await new Promise(() => undefined);
			return await super.read();
		}
	}
	const silent = async () => {
		const store = new Silent(b.newStore().data);
		await get(1, { store });
		return store;
	};

	test('is given up after a while: n8n that cannot read the credential', async () => {
		const store = await silent();
		store.left = 1;
		const { result, seconds } = await timed(failureOf(get(1, { store })));
		expect(result.message).toContain('the service did not answer in time');
		expect(seconds).toBeLessThan(20);
	});

	test('ends when the run is stopped', async () => {
		const store = await silent();
		store.left = 1;
		const stop = new AbortController();
		const run = timed(get(1, { store, signal: stop.signal }, {}).catch((error: unknown) => error));
		setTimeout(() => stop.abort(), 300);
		expect((await run).seconds).toBeLessThan(2);
	});
});

describe('no connection stays open', () => {
	const CSV = { 'content-type': 'text/csv' };
	test.each<[string, Parameters<typeof answering>[0]]>([
		['of length 0', (_request, response) => response.writeHead(200, { ...CSV, 'content-length': 0 }).end()],
		['204', (_request, response) => response.writeHead(204).end()],
		['of a file', (_request, response) => response.writeHead(200, CSV).end('a,b')],
		['in words', (_request, response) => sendJson(response, 200, { data: { queued: true }, status: 'success' })],
		['of length 0 that goes on all the same', (_request, response) => void response.writeHead(204).flushHeaders()],
		['of a refusal', (_request, response) => sendJson(response, 400, { status: 'error' })],
		['of a refusal without a body', (_request, response) => response.writeHead(400).end()],
		['of a forwarding to nowhere', (_request, response) => response.writeHead(302).end('x'.repeat(100_000))],
		[
			'of a forwarding that is refused',
			(_request, response) => response.writeHead(302, { location: 'ftp://x.example/' }).end('x'.repeat(100_000)),
		],
	])('after an answer %s', async (_name, handler) => {
		const sockets = new Set<Socket>();
		const odd = await answering((request, response, token) => {
			sockets.add(request.socket);
			handler(request, response, token);
		});
		// Both ends are in this process.
		const open = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
		const before = open();
		for (let run = 0; run < 5; run++)
			await b.run(
				SecurityAwarenessLeaderboard,
				{ operation: 'export', companyScope: 'own', options: { timeout: 5 } },
				{ store: odd.store, onError: 'continueRegularOutput' },
			);
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(sockets.size).toBeGreaterThanOrEqual(5);
		expect([...sockets].filter(({ destroyed }) => !destroyed)).toHaveLength(0);
		// Others may just be opening or closing.
		expect(open()).toBeLessThan(before + 5);
	});
});

test('requests of one credential do not wait for a token that nobody needs', async () => {
	const store = b.newStore();
	await get(1, { store });
	expect(b.service.requests(GET)).toHaveLength(1);
	expect(b.tokenRequests).toBe(1);
});

test('a token that has expired is renewed at once: only what fails again is paused for', async () => {
	const [, [, expired]] = stores;
	const store = await expired();
	jest.spyOn(Math, 'random').mockReturnValue(0.9);
	await get(1, { store });
	const [refused, accepted] = b.service.requests(GET);
	expect(the(accepted).at - the(refused).at).toBeLessThan(400);
});
