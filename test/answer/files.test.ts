import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';
import { fileNameOf } from '../../nodes/shared/answer/fileName';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { readBinary } from '../n8n-core';
import type { FaultKind } from '../stand-in';
import {
	answering,
	nodeFixture,
	failedItem,
	failureOf,
	jsonOf,
	sendJson,
	the,
	type BinaryMode,
	type RunMore,
} from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';

const EXPORT = 'POST /api/leaderboard/get-all/export';
const modes: BinaryMode[] = ['memory', 'filesystem'];
const b = nodeFixture({ companies: 40 });
turnClock();
const run = async (more: RunMore = {}, parameters: IDataObject = {}) =>
	await b.run(
		SecurityAwarenessLeaderboard,
		{ operation: 'export', companyScope: 'own', options: { timeout: 1 }, ...parameters },
		more,
	);
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe.each(modes)('a file kept in %s', (binaryMode) => {
	test('is the one that the service sent, byte for byte, also when it is large and its length unknown', async () => {
		const bytes = 8_000_000;
		b.service.setOptions({ exportBytes: bytes });
		// On a busy machine so large a file may pause for longer than a second.
		const { items } = await run({ binaryMode }, { options: { timeout: 60 } });
		expect(items[0]?.json.bytes).toBe(bytes);
		expect(sha256(await readBinary(items[0]))).toBe(b.asked[0]?.sha256);
	});

	test.each<FaultKind>(['truncate', 'truncate-chunked', 'stall-body'])('is whole after %s', async (kind) => {
		b.service.fault({ route: EXPORT, kind });
		const { items } = await run({ binaryMode });
		expect(b.asked.map(({ fault }) => fault)).toEqual([kind, undefined]);
		expect(sha256(await readBinary(items[0]))).toBe(b.asked[1]?.sha256);
	});

	test.each<FaultKind>(['truncate', 'truncate-chunked'])('is not handed on in parts: %s', async (kind) => {
		b.service.fault({ route: EXPORT, kind, times: Infinity });
		const { items } = await run({ binaryMode, onError: 'continueRegularOutput' });
		expect(items).toHaveLength(1);
		expect(items[0]?.binary).toBeUndefined();
		expect(failedItem(items[0]).message).toBe(
			'Could not export leaderboard: the connection was cut before the answer was complete',
		);
		expect(b.asked).toHaveLength(5);
	});

	test('is whole where the service compresses it unasked', async () => {
		const content = 'email,points\r\n'.repeat(10_000);
		const packed = gzipSync(content);
		const odd = await answering((_request, response) =>
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
		b.service.fault({ route: EXPORT, kind: 'stall-body', ms: 700 });
		const { items } = await run({ binaryMode });
		expect(b.asked).toHaveLength(1);
		expect(sha256(await readBinary(items[0]))).toBe(b.asked[0]?.sha256);
	});
});

test('a file of which nothing more comes is given up', async () => {
	b.service.fault({ route: EXPORT, kind: 'stall-body', times: Infinity });
	expect((await failureOf(run())).message).toBe('Could not export leaderboard: the service did not answer in time');
});

test('a file that comes in small parts may take longer than the time-out', async () => {
	const odd = await answering((_request, response) => {
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
		b.service.fault({ route: EXPORT, kind: 'empty' });
		const { items } = await run();
		expect(items).toEqual([{ json: NO_FILE, pairedItem: { item: 0 } }]);
	});

	test.each<[string, number, Record<string, string>]>([
		['204', 204, {}],
		['no body, and its length unsaid', 200, { 'content-type': 'text/csv', 'transfer-encoding': 'chunked' }],
	])('%s', async (_name, status, headers) => {
		const odd = await answering((_request, response) => response.writeHead(status, headers).end());
		expect(jsonOf((await run({ store: odd.store })).items)).toEqual([NO_FILE]);
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
		const odd = await answering((_request, response) => sendJson(response, 200, body));
		const { items } = await run({ store: odd.store });
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	test('JSON that is cut is an error', async () => {
		const odd = await answering((_request, response) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":'),
		);
		const error = await failureOf(run({ store: odd.store }));
		expect(error.message).toContain('the answer is not in the format of this service');
	});
});

describe('the name of a file', () => {
	const named = (disposition = '', company?: string) => fileNameOf(disposition, 'leaderboard', 'csv', company);
	const today = new Date().toISOString().slice(0, 10);

	test.each<[string, string | undefined, string]>([
		['plain', 'attachment; filename=report.csv', 'report.csv'],
		['quoted', 'attachment; filename="my report.csv"; size=5', 'my report.csv'],
		[
			'encoded (RFC 5987)',
			'attachment; filename="x.csv"; filename*=UTF-8\'\'%C3%9Cbersicht%20%F0%9F%9A%80.csv',
			'Übersicht 🚀.csv',
		],
		['encoded with a language', "attachment; filename*=utf-8'de'%C3%BC.xlsx", 'ü.xlsx'],
		['in folders', 'attachment; filename="../../etc/passwd"', '_.._etc_passwd.csv'],
		['dots only', 'attachment; filename=".."', `leaderboard-${today}.csv`],
		['with NUL', "attachment; filename*=UTF-8''a%00.csv", 'a.csv'],
		['with what Windows refuses', 'attachment; filename="a<b>c:d|e?f*g.csv"', 'a_b_c_d_e_f_g.csv'],
		['without an ending', 'attachment; filename=report', 'report.csv'],
		['empty', 'attachment; filename=""', `leaderboard-${today}.csv`],
		['missing', 'attachment', `leaderboard-${today}.csv`],
		['not sent', undefined, `leaderboard-${today}.csv`],
	])('%s', (_name, disposition, expected) => {
		expect(named(disposition)).toBe(expected);
	});

	test.each([
		['attachment; filename="Leaderboard.csv"', 'Leaderboard-Bakery.csv'],
		['attachment; filename="Leaderboard BAKERY.csv"', 'Leaderboard BAKERY.csv'],
		['attachment', `leaderboard-Bakery-${today}.csv`],
	])('holds the company where there are several: %s', (disposition, expected) => {
		expect(named(disposition, 'Bakery')).toBe(expected);
	});
});

test('two files of one run that the service calls alike are told apart', async () => {
	const { companies } = b.service.state;
	const ids = companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
	const list = ids.map((companyResourceId) => ({ companyResourceId, companyName: 'Same', children: [] }));
	const odd = await answering((request, response) =>
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
	expect(jsonOf(items).map(({ fileName }) => fileName)).toEqual(ids.map((id) => `Leaderboard-Same-${the(id)}.csv`));
});
