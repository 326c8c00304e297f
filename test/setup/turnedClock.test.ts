/** The clock of the tests: waiting takes no time, and working does not count as waiting. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { createServer, get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import axios from 'axios';
import { sleep } from 'n8n-workflow';
import { requireValue } from '../n8n-core/nodeFixture';
import { useSimulatedClock } from './turnedClock';
import { waitUntil } from './waitUntil';

useSimulatedClock();

const closings: Array<() => unknown> = [];
afterEach(() => closings.splice(0).map((close) => close()));

/** @returns the port of a server that answers so */
async function answering(answer: RequestListener): Promise<number> {
	const server = createServer(answer).listen(0, '127.0.0.1');
	closings.push(() => server.close().closeAllConnections());
	await once(server, 'listening');
	const address = server.address();
	if (typeof address !== 'object') throw new Error('The server listens on no port');
	return requireValue<AddressInfo>(address).port;
}

const HOUR_MS = 3_600_000;
const realSeconds = () => Number(process.hrtime.bigint()) / 1e9;
let startedAt = 0;
beforeEach(() => (startedAt = realSeconds()));
afterEach(() => expect(realSeconds() - startedAt).toBeLessThan(20));

test('an hour of sleep takes no time, and every clock has gone on by it', async () => {
	const before = [Date.now(), performance.now(), new Date().getTime()];
	await sleep(HOUR_MS);
	const after = [Date.now(), performance.now(), new Date().getTime()];
	expect(after.map((time, index) => Math.round(time - requireValue(before[index])))).toEqual([HOUR_MS, HOUR_MS, HOUR_MS]);
});

test('what sleeps shorter wakes earlier, and each at its time', async () => {
	const start = Date.now();
	const woken: number[] = [];
	await Promise.all([3000, 1000, 2000].map(async (ms) => sleep(ms).then(() => woken.push(Date.now() - start))));
	expect(woken).toEqual([1000, 2000, 3000]);
});

describe('time goes on', () => {
	let seen = 0;
	test('in one test', async () => {
		await sleep(HOUR_MS);
		seen = Date.now();
	});
	test('and from there in the next', () => {
		expect(Date.now()).toBeGreaterThanOrEqual(seen);
	});
});

describe('an answer that never comes', () => {
	const never = async () => answering(() => {});

	test.each<[string, (port: number) => Promise<unknown>]>([
		['AbortSignal.timeout', async (port) => fetchIt(port, { signal: AbortSignal.timeout(HOUR_MS) })],
		["axios's time-out", async (port) => fetchIt(port, { timeout: HOUR_MS })],
		[
			'the time-out of a connection',
			async (port) => void (await once(connect(port, '127.0.0.1').setTimeout(HOUR_MS), 'timeout')),
		],
	])('is given up by %s after that time', async (_name, ask) => {
		const port = await never();
		const start = Date.now();
		await ask(port).catch(() => undefined);
		expect(Math.round((Date.now() - start) / 1000)).toBe(HOUR_MS / 1000);
	});

	test('a connection on which something comes is not idle', async () => {
		const port = await answering((_request, response) => {
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

test('what a test waits for itself comes before time goes on', async () => {
	const start = Date.now();
	const late = sleep(HOUR_MS);
	let isThere = false;
	setImmediate(() => (isThere = true));
	await waitUntil('it is there', () => isThere, { withinMs: 10_000, everyMs: 500 });
	expect(Date.now() - start).toBe(0);
	await late;
});

const PACKED_MB = 10;

describe('an answer that takes its time is not late', () => {
	const turns = async (count: number) => {
		for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
	};
	test.each<[string, (request: IncomingMessage, response: ServerResponse) => Promise<unknown>]>([
		['of many turns of the event loop', async (_request, response) => void response.end(String(await turns(2000)))],
		[
			'of many files',
			async (_request, response) => {
				for (let file = 0; file < 300; file++) await readFile(__filename);
				response.end();
			},
		],
		[
			`of ${PACKED_MB} MB, packed`,
			async (_request, response) => {
				response.setHeader('content-encoding', 'gzip');
				response.end(gzipSync(randomBytes(PACKED_MB * 1_000_000), { level: 1 }));
			},
		],
		['of 30 MB', async (_request, response) => void response.end(Buffer.alloc(30_000_000))],
		[
			'of hard work',
			async (_request, response) => {
				for (const end = realSeconds() + 0.3; realSeconds() < end;);
				response.end();
			},
		],
	])('%s', async (_name, answer) => {
		const port = await answering((request, response) => void answer(request, response));
		const start = Date.now();
		await expect(fetchIt(port, { timeout: 2, signal: AbortSignal.timeout(2) })).resolves.toMatchObject({ status: 200 });
		expect(Date.now() - start).toBeLessThan(2);
	});
});

const fetchIt = async (port: number, options: object) => axios.get(`http://127.0.0.1:${port}/`, options);
