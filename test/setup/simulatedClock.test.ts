/** Tests of the simulated clock: waiting takes no time, and working doesn't count as waiting. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { createServer, get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import axios from 'axios';
import { sleep } from 'n8n-workflow';
import { requireValue } from '../n8n-core/nodeFixture';
import { useSimulatedClock } from './simulatedClock';
import { waitUntil } from './waitUntil';

useSimulatedClock();

const cleanups: Array<() => unknown> = [];
afterEach(() => cleanups.splice(0).map((cleanup) => cleanup()));

/** Starts a server that is closed after the test. @returns its port */
async function startServer(listener: RequestListener): Promise<number> {
	const server = createServer(listener).listen(0, '127.0.0.1');
	cleanups.push(() => server.close().closeAllConnections());
	await once(server, 'listening');
	const address = server.address();
	if (typeof address !== 'object') throw new Error('The server listens on no port');
	return requireValue<AddressInfo>(address).port;
}

const HOUR_MS = 3_600_000;
const getRealSeconds = () => Number(process.hrtime.bigint()) / 1e9;
let startedAt = 0;
beforeEach(() => (startedAt = getRealSeconds()));
afterEach(() => expect(getRealSeconds() - startedAt).toBeLessThan(20));

test('an hour of sleep takes no time, and every clock advances by an hour', async () => {
	const timesBefore = [Date.now(), performance.now(), new Date().getTime()];
	await sleep(HOUR_MS);
	const timesAfter = [Date.now(), performance.now(), new Date().getTime()];
	expect(timesAfter.map((time, index) => Math.round(time - requireValue(timesBefore[index])))).toEqual([
		HOUR_MS,
		HOUR_MS,
		HOUR_MS,
	]);
});

test('several sleeps end in the order of their lengths, each at the right time', async () => {
	const start = Date.now();
	const wakeTimes: number[] = [];
	await Promise.all([3000, 1000, 2000].map(async (ms) => sleep(ms).then(() => wakeTimes.push(Date.now() - start))));
	expect(wakeTimes).toEqual([1000, 2000, 3000]);
});

describe('time advances', () => {
	let timeInFirstTest = 0;
	test('in one test', async () => {
		await sleep(HOUR_MS);
		timeInFirstTest = Date.now();
	});
	test('and from there in the next', () => {
		expect(Date.now()).toBeGreaterThanOrEqual(timeInFirstTest);
	});
});

describe('a response that never comes', () => {
	const startSilentServer = async () => startServer(() => {});

	test.each<[string, (port: number) => Promise<unknown>]>([
		['AbortSignal.timeout', async (port) => fetchFrom(port, { signal: AbortSignal.timeout(HOUR_MS) })],
		["axios's timeout", async (port) => fetchFrom(port, { timeout: HOUR_MS })],
		['the timeout of a connection', (port) => once(connect(port, '127.0.0.1').setTimeout(HOUR_MS), 'timeout')],
	])('is ended by %s after an hour', async (_name, sendRequest) => {
		const port = await startSilentServer();
		const start = Date.now();
		await sendRequest(port).catch(() => undefined);
		expect(Math.round((Date.now() - start) / 1000)).toBe(HOUR_MS / 1000);
	});

	test('a connection that receives data is not idle', async () => {
		const port = await startServer((_request, response) => {
			response.write('a');
			setTimeout(() => response.write('b'), HOUR_MS / 2);
		});
		const start = Date.now();
		const request = get({ port, host: '127.0.0.1' }, (response) => response.resume());
		await once(request.setTimeout(HOUR_MS), 'timeout');
		request.destroy();
		expect(Date.now() - start).toBeGreaterThanOrEqual(HOUR_MS * 1.5);
	});
});

test('waitUntil ends before time advances', async () => {
	const start = Date.now();
	const longSleep = sleep(HOUR_MS);
	let isDone = false;
	setImmediate(() => {
		isDone = true;
	});
	await waitUntil('the callback has run', () => isDone, { timeoutMs: 10_000, intervalMs: 500 });
	expect(Date.now() - start).toBe(0);
	await longSleep;
});

const COMPRESSED_MB = 10;

describe('a slow response causes no timeout if it takes', () => {
	const waitForTurns = async (count: number) => {
		for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
	};
	test.each<[string, (request: IncomingMessage, response: ServerResponse) => Promise<unknown>]>([
		[
			'many turns of the event loop',
			async (_request, response) => {
				await waitForTurns(2000);
				response.end();
			},
		],
		[
			'reading many files',
			async (_request, response) => {
				for (let file = 0; file < 300; file++) await readFile(__filename);
				response.end();
			},
		],
		[
			`sending ${COMPRESSED_MB} MB of compressed data`,
			async (_request, response) => {
				response.setHeader('content-encoding', 'gzip');
				response.end(gzipSync(randomBytes(COMPRESSED_MB * 1_000_000), { level: 1 }));
			},
		],
		[
			'sending 30 MB',
			async (_request, response) => {
				response.end(Buffer.alloc(30_000_000));
			},
		],
		[
			'a long computation',
			async (_request, response) => {
				const endSeconds = getRealSeconds() + 0.3;
				let isOver = false;
				while (!isOver) isOver = getRealSeconds() >= endSeconds;
				response.end();
			},
		],
	])('%s', async (_name, respond) => {
		const port = await startServer((request, response) => {
			respond(request, response).catch((error: Error) => response.destroy(error));
		});
		const start = Date.now();
		await expect(fetchFrom(port, { timeout: 2, signal: AbortSignal.timeout(2) })).resolves.toMatchObject({
			status: 200,
		});
		expect(Date.now() - start).toBeLessThan(2);
	});
});

const fetchFrom = async (port: number, options: object) => axios.get(`http://127.0.0.1:${port}/`, options);
