import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { readBinary, runNode } from '../n8n-core';
import type { FaultKind } from '../stand-in';
import {
	startFakeServer,
	createNodeFixture,
	parseFailedItem,
	catchNodeError,
	toItems,
	getJson,
	sendJson,
	requireValue,
	type BinaryMode,
	type FixtureRunOptions,
} from '../n8n-core/nodeFixture';
import { useSimulatedClock } from '../setup/turnedClock';

const EXPORT = 'POST /api/leaderboard/get-all/export';
const modes: BinaryMode[] = ['memory', 'filesystem'];
const b = createNodeFixture({ companyCount: 40 });
useSimulatedClock();
const run = async (more: FixtureRunOptions = {}, parameters: IDataObject = {}) =>
	b.run(
		SecurityAwarenessLeaderboard,
		{ operation: 'export', companyScope: 'own', options: { timeout: 1 }, ...parameters },
		more,
	);
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe.each(modes)('a file kept in %s', (binaryMode) => {
	test('is the one that the service sent, byte for byte, also when it is large and its length unknown', async () => {
		const bytes = 8_000_000;
		b.standIn.setOptions({ leaderboardExportBytes: bytes });
		// On a busy machine so large a file may pause for longer than a second.
		const { items } = await run({ binaryMode }, { options: { timeout: 60 } });
		expect(items[0]?.json.bytes).toBe(bytes);
		expect(sha256(await readBinary(items[0]))).toBe(b.requests[0]?.sha256);
	});

	test.each<FaultKind>(['truncate', 'truncate-chunked', 'stall-body'])('is whole after %s', async (kind) => {
		b.standIn.addFault({ route: EXPORT, kind });
		const { items } = await run({ binaryMode });
		expect(b.requests.map(({ fault }) => fault)).toEqual([kind, undefined]);
		expect(sha256(await readBinary(items[0]))).toBe(b.requests[1]?.sha256);
	});

	test.each<FaultKind>(['truncate', 'truncate-chunked'])('is not handed on in parts: %s', async (kind) => {
		b.standIn.addFault({ route: EXPORT, kind, times: Infinity });
		const { items } = await run({ binaryMode, onError: 'continueRegularOutput' });
		expect(items).toHaveLength(1);
		expect(items[0]?.binary).toBeUndefined();
		expect(parseFailedItem(items[0]).message).toBe(
			'Could not export leaderboard: the connection was cut before the answer was complete',
		);
		expect(b.requests).toHaveLength(5);
	});

	test('is whole where the service compresses it unasked', async () => {
		const content = 'email,points\r\n'.repeat(10_000);
		const packed = gzipSync(content);
		const odd = await startFakeServer((_request, response) =>
			response
				.writeHead(200, { 'content-type': 'text/csv', 'content-encoding': 'gzip', 'content-length': packed.length })
				.end(packed),
		);
		const { items } = await run({ binaryMode, store: odd.store });
		expect(odd.requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity']);
		expect((await readBinary(items[0])).toString()).toBe(content);
		expect(items[0]?.json.bytes).toBe(content.length);
	});

	test('may be slow, as long as it keeps coming', async () => {
		b.standIn.addFault({ route: EXPORT, kind: 'stall-body', durationMs: 700 });
		const { items } = await run({ binaryMode });
		expect(b.requests).toHaveLength(1);
		expect(sha256(await readBinary(items[0]))).toBe(b.requests[0]?.sha256);
	});
});

test('a file of which nothing more comes is given up', async () => {
	b.standIn.addFault({ route: EXPORT, kind: 'stall-body', times: Infinity });
	expect((await catchNodeError(run())).message).toBe('Could not export leaderboard: the service did not answer in time');
});

test('a file that comes in small parts may take longer than the time-out', async () => {
	const odd = await startFakeServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'text/csv' });
		for (const part of [1, 2, 3]) setTimeout(() => response.write('part\r\n'), part * 700);
		setTimeout(() => response.end(), 2800);
	});
	const { items } = await run({ store: odd.store });
	expect((await readBinary(items[0])).toString()).toBe('part\r\n'.repeat(3));
	expect(odd.requests).toHaveLength(1);
});

describe('an answer that is no file', () => {
	const NO_FILE = { bytes: 0, message: 'The service accepted the export but returned no file' };

	test('no body', async () => {
		b.standIn.addFault({ route: EXPORT, kind: 'empty' });
		const { items } = await run();
		expect(items).toEqual([{ json: NO_FILE, pairedItem: { item: 0 } }]);
	});

	test.each<[string, number, Record<string, string>]>([
		['204', 204, {}],
		['no body, and its length unsaid', 200, { 'content-type': 'text/csv', 'transfer-encoding': 'chunked' }],
	])('%s', async (_name, status, headers) => {
		const odd = await startFakeServer((_request, response) => response.writeHead(status, headers).end());
		expect(getJson((await run({ store: odd.store })).items)).toEqual([NO_FILE]);
	});

	test.each<[string, unknown, IDataObject]>([
		['data', { data: { jobId: 'j-1' }, status: 'success' }, { jobId: 'j-1' }],
		['a text', { data: 'queued', status: 'success' }, { value: 'queued' }],
		[
			'words only',
			{ data: null, status: 'success', message: 'You will get it by mail.' },
			{ ...NO_FILE, serviceMessage: 'You will get it by mail.' },
		],
		['no envelope', { jobId: 'j-1' }, { jobId: 'j-1' }],
	])('JSON with %s is passed on as JSON', async (_name, body, json) => {
		const odd = await startFakeServer((_request, response) => sendJson(response, 200, body));
		const { items } = await run({ store: odd.store });
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	const JSON_FILE = {
		status: 'success',
		message: null,
		filePath: null,
		fileName: 'Übersicht.xls',
		byteArray: 'w7wsMQ0K',
	};
	test.each<[string, unknown]>([
		['by itself', JSON_FILE],
		['in the envelope', { data: JSON_FILE, status: 'success' }],
	])('JSON with a file in it, %s, is the file', async (_name, body) => {
		const odd = await startFakeServer((_request, response) => sendJson(response, 200, body));
		const { items } = await run({ store: odd.store });
		expect((await readBinary(items[0])).toString()).toBe('ü,1\r\n');
		expect(getJson(items)).toEqual([{ fileName: 'Übersicht.xls', mimeType: 'application/vnd.ms-excel', bytes: 6 }]);
	});

	test('JSON with no file where one would be says what the service does', async () => {
		const body = { ...JSON_FILE, message: 'There is no such report.', fileName: null, byteArray: null };
		const odd = await startFakeServer((_request, response) => sendJson(response, 200, body));
		expect(getJson((await run({ store: odd.store })).items)).toEqual([
			{ ...NO_FILE, serviceMessage: 'There is no such report.' },
		]);
	});

	test('JSON with something else than base64 is an error', async () => {
		const odd = await startFakeServer((_request, response) => sendJson(response, 200, { ...JSON_FILE, byteArray: 'a.b c' }));
		const error = await catchNodeError(run({ store: odd.store }));
		expect(error.message).toContain('the answer is not in the format of this service');
	});

	test('a part of a file is an error', async () => {
		const odd = await startFakeServer((_request, response) =>
			response.writeHead(206, { 'content-type': 'text/csv', 'content-range': 'bytes 0-3/90' }).end('a,b\n'),
		);
		const error = await catchNodeError(run({ store: odd.store }));
		expect(error.message).toBe('Could not export leaderboard: only a part of the file came back (206)');
	});

	test('JSON that is cut is an error', async () => {
		const odd = await startFakeServer((_request, response) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":'),
		);
		const error = await catchNodeError(run({ store: odd.store }));
		expect(error.message).toContain('the answer is not in the format of this service');
	});
});

describe('a file that is not ready (deployment activity 6)', () => {
	/** Answers so many times that it is being prepared, then with the file. @returns when it was asked, in seconds */
	async function preparing(tries: number) {
		const asked: number[] = [];
		const odd = await startFakeServer((request, response) => {
			if (request.url?.includes('/summary/')) return sendJson(response, 404, {});
			asked.push(Math.round(Date.now() / 1000));
			if (asked.length > tries) response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b\r\n');
			else sendJson(response, asked.length === 1 ? 201 : 202, { status: 'success', message: 'Will be prepared' });
		});
		return { store: odd.store, waits: () => asked.slice(1).map((at, index) => at - (asked[index] ?? 0)) };
	}

	test('is asked for again, 10 to 30 seconds apart', async () => {
		const { store, waits } = await preparing(4);
		const { items } = await run({ store });
		expect((await readBinary(items[0])).toString()).toBe('a,b\r\n');
		expect(waits()).toEqual([10, 20, 30, 30]);
	});

	test("also that of a simulation's job", async () => {
		const { store, waits } = await preparing(2);
		const node = new SecurityAwarenessPhishingCampaign();
		const parameters = { operation: 'getReportFile', companyScope: 'own', job: { mode: 'id', value: 'c/1' } };
		const { items } = await runNode({ node, parameters, credential: store });
		expect((await readBinary(items[0])).toString()).toBe('a,b\r\n');
		expect(items[0]?.json).toMatchObject({ jobId: 'c/1', bytes: 5 });
		expect(waits()).toEqual([10, 20]);
	});

	test('is given up after five minutes', async () => {
		const { store, waits } = await preparing(Infinity);
		const error = await catchNodeError(run({ store }));
		expect(error.message).toContain('the service has not finished preparing the file within 5 minutes');
		expect(waits().reduce((sum, wait) => sum + wait)).toBeLessThanOrEqual(300);
		expect(waits().length).toBeGreaterThan(8);
	});

	test('is not asked for any more after Stop', async () => {
		const { store, waits } = await preparing(Infinity);
		const stop = new AbortController();
		const ran = run({ store, signal: stop.signal });
		setTimeout(() => stop.abort(), 15_000);
		await expect(ran).rejects.toThrow();
		expect(waits()).toEqual([10]);
	});
});

describe('an export that fails', () => {
	const NOTHING = { exported: false, reason: 'nothing to export' };
	/** A service whose exports fail, and whose search has so many records. */
	const failing = async (status: number, found: number | undefined) =>
		startFakeServer((request, response) =>
			request.url?.endsWith('/export')
				? sendJson(response, status, { status: status === 500 ? 'INTERNAL_SERVER_ERROR' : 'INPUT_ERROR', data: null })
				: found === undefined
					? sendJson(response, 500, {})
					: sendJson(response, 200, { data: Array.from({ length: found }, () => ({ totalRowCount: found })) }),
		);

	test.each([400, 500, 200])('with %d has nothing to export if its search finds nothing', async (status) => {
		const { store, requests } = await failing(status, 0);
		const { items } = await run({ store }, { filters: { searchText: 'Zoë' } });
		expect(items).toEqual([{ json: NOTHING, pairedItem: { item: 0 } }]);
		expect(requests.at(-1)?.url).toBe('/api/leaderboard/get-all');
	});

	test.each<[string, number, number | undefined]>([
		['the search finds something', 400, 1],
		['the search fails, too', 400, undefined],
		['access was refused', 403, 0],
	])('is a failure if %s', async (_name, status, found) => {
		const { store, requests } = await failing(status, found);
		const error = await catchNodeError(run({ store }));
		expect(error.message).toContain(`(${status})`);
		if (status === 403) expect(requests).toHaveLength(1);
	});

	test('is looked for with the same filter, for one row', async () => {
		const search = 'POST /api/company-groups/search';
		b.standIn.addFault({ route: `${search}/export`, kind: 'status-500', times: Infinity });
		const exported = async (searchText: string) =>
			b.run(SecurityAwarenessCompanyGroup, { operation: 'export', filters: { searchText } });
		expect(getJson((await exported('no group has this in its name')).items)).toEqual([NOTHING]);
		expect(b.standIn.getRequests(search).at(-1)?.body).toMatchObject({
			filter: { SearchInputTextValue: 'no group has this in its name' },
			pageNumber: 1,
			pageSize: 1,
		});
		await catchNodeError(exported('Region'));
	});
});

test('two files of one run that the service calls alike are told apart', async () => {
	const { companies } = b.standIn.state;
	const ids = companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
	const list = ids.map((companyResourceId) => ({ companyResourceId, companyName: 'Same', children: [] }));
	const odd = await startFakeServer((request, response) =>
		request.url === '/api/companies/search'
			? sendJson(response, 200, { data: { results: list, totalNumberOfPages: 1, totalNumberOfRecords: 3 } })
			: response
					.writeHead(200, {
						'content-type': 'text/csv',
						'content-disposition': 'attachment; filename="Leaderboard.csv"',
					})
					.end('a'),
	);
	const { items } = await run({ store: odd.store }, { companyScope: 'every' });
	const namesIn = ({ items }: { items: Array<{ json: IDataObject }> }) => items.map(({ json }) => json.fileName);
	expect(namesIn({ items })).toEqual(ids.map((id) => `Leaderboard-Same-${requireValue(id)}.csv`));

	const json = ids.map((id, index) => ({ companyResourceId: id, companyName: `Customer ${index % 2}` }));
	const company = { mode: 'id', value: '={{ $json.companyResourceId }}' };
	const one = await run({ store: odd.store, items: toItems(...json) }, { companyScope: 'one', company });
	expect(new Set(namesIn(one))).toEqual(new Set(['0', '0-2', '1'].map((name) => `Leaderboard-Customer ${name}.csv`)));
	const own = await run({ store: odd.store, items: toItems({}, {}) });
	expect(new Set(namesIn(own))).toEqual(new Set(['Leaderboard-2.csv', 'Leaderboard.csv']));
	expect(odd.requests.filter(({ url }) => ids.some((id) => url.endsWith(id)))).toEqual([]);
});
