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
import { useRealPauses, useSimulatedDate } from '../setup/testClock';
import { chooseTimeout } from '../stand-in/chooseTimeout';

const EXPORT_ROUTE = 'POST /api/leaderboard/get-all/export';
const BINARY_MODES: BinaryMode[] = ['memory', 'filesystem'];
const fixture = createNodeFixture({ companyCount: 40 });
useSimulatedDate();
const run = (runOptions: FixtureRunOptions = {}, parameters: IDataObject = {}) =>
	fixture.run(SecurityAwarenessLeaderboard, { operation: 'export', companyScope: 'own', ...parameters }, runOptions);
const SHORT_TIMEOUT = { options: { timeout: 1 } };
const computeSha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe.each(BINARY_MODES)('a file kept in %s', (binaryMode) => {
	test('has the same bytes as the file that the platform sent, even if it is large and its length is unknown', async () => {
		const bytes = 8_000_000;
		fixture.standIn.setOptions({ leaderboardExportBytes: bytes });
		const { items } = await run({ binaryMode });
		expect(items[0]?.json.bytes).toBe(bytes);
		expect(computeSha256(await readBinary(items[0]))).toBe(fixture.requests[0]?.sha256);
	});

	test.each<FaultKind>(['truncate', 'truncate-chunked', 'stall-body'])('is complete after %s', async (kind) => {
		fixture.standIn.addFault({ route: EXPORT_ROUTE, kind });
		const { items } = await run({ binaryMode }, { options: { timeout: chooseTimeout(kind) } });
		expect(fixture.requests.map(({ fault }) => fault)).toEqual([kind, undefined]);
		expect(computeSha256(await readBinary(items[0]))).toBe(fixture.requests[1]?.sha256);
	});

	test.each<FaultKind>(['truncate', 'truncate-chunked'])('is not stored if only a part arrives: %s', async (kind) => {
		fixture.standIn.addFault({ route: EXPORT_ROUTE, kind, times: Infinity });
		const { items } = await run({ binaryMode, onError: 'continueRegularOutput' });
		expect(items).toHaveLength(1);
		expect(items[0]?.binary).toBeUndefined();
		expect(parseFailedItem(items[0]).message).toBe(
			'Could not export leaderboard: the connection ended before the response was complete',
		);
		expect(fixture.requests).toHaveLength(5);
	});

	test('is complete if the server compresses it without being asked', async () => {
		const content = 'email,points\r\n'.repeat(10_000);
		const compressedContent = gzipSync(content);
		const server = await startFakeServer((_request, response) =>
			response
				.writeHead(200, {
					'content-type': 'text/csv',
					'content-encoding': 'gzip',
					'content-length': compressedContent.length,
				})
				.end(compressedContent),
		);
		const { items } = await run({ binaryMode, credentialStore: server.credentialStore });
		expect(server.requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity']);
		expect((await readBinary(items[0])).toString()).toBe(content);
		expect(items[0]?.json.bytes).toBe(content.length);
	});

	test('may arrive slowly, as long as data keeps coming', async () => {
		fixture.standIn.addFault({ route: EXPORT_ROUTE, kind: 'stall-body', durationMs: 700 });
		const { items } = await run({ binaryMode }, SHORT_TIMEOUT);
		expect(fixture.requests).toHaveLength(1);
		expect(computeSha256(await readBinary(items[0]))).toBe(fixture.requests[0]?.sha256);
	});
});

test('a file whose data stops coming is a timeout', async () => {
	fixture.standIn.addFault({ route: EXPORT_ROUTE, kind: 'stall-body', times: Infinity });
	expect((await catchNodeError(run({}, SHORT_TIMEOUT))).message).toBe(
		'Could not export leaderboard: the platform did not respond in time',
	);
});

test('a JSON response that breaks off is an error, not an export without a file', async () => {
	const server = await startFakeServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 }).write('{"data": {');
		setTimeout(() => response.destroy(), 20);
	});
	const { message } = await catchNodeError(run({ credentialStore: server.credentialStore }));
	expect(message).toContain('the connection ended before the response was complete');
});

test('a file that comes in small parts may take longer than the timeout', async () => {
	const server = await startFakeServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'text/csv' });
		for (const partNumber of [1, 2, 3]) setTimeout(() => response.write('part\r\n'), partNumber * 700);
		setTimeout(() => response.end(), 2800);
	});
	const { items } = await run({ credentialStore: server.credentialStore }, SHORT_TIMEOUT);
	expect((await readBinary(items[0])).toString()).toBe('part\r\n'.repeat(3));
	expect(server.requests).toHaveLength(1);
});

describe('a response without a file', () => {
	const NO_FILE_JSON = { bytes: 0, message: 'The platform accepted the export but sent no file' };

	test('no body', async () => {
		fixture.standIn.addFault({ route: EXPORT_ROUTE, kind: 'empty' });
		const { items } = await run();
		expect(items).toEqual([{ json: NO_FILE_JSON, pairedItem: { item: 0 } }]);
	});

	test.each<[string, number, Record<string, string>]>([
		['204', 204, {}],
		['no body, without a length', 200, { 'content-type': 'text/csv', 'transfer-encoding': 'chunked' }],
	])('%s', async (_name, status, headers) => {
		const server = await startFakeServer((_request, response) => response.writeHead(status, headers).end());
		expect(getJson((await run({ credentialStore: server.credentialStore })).items)).toEqual([NO_FILE_JSON]);
	});

	test.each<[string, unknown, IDataObject]>([
		['data', { data: { jobId: 'j-1' }, status: 'success' }, { jobId: 'j-1' }],
		['a text', { data: 'queued', status: 'success' }, { value: 'queued' }],
		[
			'a message only',
			{ data: null, status: 'success', message: 'You will get it by mail.' },
			{ ...NO_FILE_JSON, serviceMessage: 'You will get it by mail.' },
		],
		['no envelope', { jobId: 'j-1' }, { jobId: 'j-1' }],
	])('JSON with %s becomes the item', async (_name, body, json) => {
		const server = await startFakeServer((_request, response) => sendJson(response, 200, body));
		const { items } = await run({ credentialStore: server.credentialStore });
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
		['without an envelope', JSON_FILE],
		['in the envelope', { data: JSON_FILE, status: 'success' }],
	])('JSON with a file, %s, becomes the file', async (_name, body) => {
		const server = await startFakeServer((_request, response) => sendJson(response, 200, body));
		const { items } = await run({ credentialStore: server.credentialStore });
		expect((await readBinary(items[0])).toString()).toBe('ü,1\r\n');
		expect(getJson(items)).toEqual([{ fileName: 'Übersicht.xls', mimeType: 'application/vnd.ms-excel', bytes: 6 }]);
	});

	test('JSON whose file is null has the message of the platform', async () => {
		const body = { ...JSON_FILE, message: 'There is no such report.', fileName: null, byteArray: null };
		const server = await startFakeServer((_request, response) => sendJson(response, 200, body));
		expect(getJson((await run({ credentialStore: server.credentialStore })).items)).toEqual([
			{ ...NO_FILE_JSON, serviceMessage: 'There is no such report.' },
		]);
	});

	test('JSON with invalid base64 is an error', async () => {
		const server = await startFakeServer((_request, response) =>
			sendJson(response, 200, { ...JSON_FILE, byteArray: 'a.b c' }),
		);
		const error = await catchNodeError(run({ credentialStore: server.credentialStore }));
		expect(error.message).toContain("the response is not in the platform's format");
	});

	test('a part of a file is an error', async () => {
		const server = await startFakeServer((_request, response) =>
			response.writeHead(206, { 'content-type': 'text/csv', 'content-range': 'bytes 0-3/90' }).end('a,b\n'),
		);
		const error = await catchNodeError(run({ credentialStore: server.credentialStore }));
		expect(error.message).toBe('Could not export leaderboard: the platform sent only a part of the file (206)');
	});

	test('JSON that is cut off is an error', async () => {
		const server = await startFakeServer((_request, response) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":'),
		);
		const error = await catchNodeError(run({ credentialStore: server.credentialStore }));
		expect(error.message).toContain("the response is not in the platform's format");
	});
});

describe('a file that is not ready (deployment activity 6)', () => {
	/**
	 * Starts a server that prepares a file.
	 * @param preparingCount the number of requests to which the server responds that the file isn't ready yet
	 * @returns the server's credential, and a function that returns the pauses between the requests, in seconds
	 */
	async function startPreparingServer(preparingCount: number) {
		const requestTimes: number[] = [];
		const server = await startFakeServer((request, response) => {
			if (request.url?.includes('/summary/')) return sendJson(response, 404, {});
			requestTimes.push(Math.round(Date.now() / 1000));
			if (requestTimes.length > preparingCount) response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b\r\n');
			else
				sendJson(response, requestTimes.length === 1 ? 201 : 202, {
					status: 'success',
					message: 'Will be prepared',
				});
		});
		const getPauseSeconds = () => requestTimes.slice(1).map((time, index) => time - (requestTimes[index] ?? 0));
		return { credentialStore: server.credentialStore, getPauses: getPauseSeconds };
	}

	test('is requested again after 10 to 30 seconds', async () => {
		const { credentialStore, getPauses: getPauseSeconds } = await startPreparingServer(4);
		const { items } = await run({ credentialStore });
		expect((await readBinary(items[0])).toString()).toBe('a,b\r\n');
		expect(getPauseSeconds()).toEqual([10, 20, 30, 30]);
	});

	test('is requested again for a campaign job, too', async () => {
		const { credentialStore, getPauses: getPauseSeconds } = await startPreparingServer(2);
		const node = new SecurityAwarenessPhishingCampaign();
		const parameters = {
			resource: 'campaignJob',
			operation: 'getReportFile',
			companyScope: 'own',
			job: { mode: 'id', value: 'c/1' },
		};
		const { items } = await runNode({ node, parameters, credential: credentialStore });
		expect((await readBinary(items[0])).toString()).toBe('a,b\r\n');
		expect(items[0]?.json).toMatchObject({ jobId: 'c/1', bytes: 5 });
		expect(getPauseSeconds()).toEqual([10, 20]);
	});

	test('fails after five minutes', async () => {
		const { credentialStore, getPauses: getPauseSeconds } = await startPreparingServer(Infinity);
		const error = await catchNodeError(run({ credentialStore }));
		expect(error.message).toContain('the platform did not prepare the file within 5 minutes');
		expect(getPauseSeconds().reduce((sum, pause) => sum + pause)).toBeLessThanOrEqual(300);
		expect(getPauseSeconds().length).toBeGreaterThan(8);
	});

	test('is not requested after the run was stopped', async () => {
		const { credentialStore, getPauses: getPauseSeconds } = await startPreparingServer(Infinity);
		const stopController = new AbortController();
		useRealPauses();
		const pendingRun = run({ credentialStore, signal: stopController.signal });
		setTimeout(() => stopController.abort(), 100);
		await expect(pendingRun).rejects.toThrow();
		expect(getPauseSeconds()).toEqual([]);
	});
});

describe('an export that fails', () => {
	const NOTHING_TO_EXPORT = { exported: false, reason: 'nothing to export' };
	/** Starts a server whose exports fail. @param recordCount how many records its search finds. If undefined, the search fails, too. */
	const startFailingServer = (status: number, recordCount: number | undefined) =>
		startFakeServer((request, response) => {
			if (request.url?.endsWith('/export')) {
				const errorStatus = status === 500 ? 'INTERNAL_SERVER_ERROR' : 'INPUT_ERROR';
				return sendJson(response, status, { status: errorStatus, data: null });
			}
			if (recordCount === undefined) return sendJson(response, 500, {});
			const record = { totalRowCount: recordCount };
			return sendJson(response, 200, { data: Array.from({ length: recordCount }, () => record) });
		});

	test.each([400, 500, 200])('with %d has nothing to export if the search finds nothing', async (status) => {
		const { credentialStore, requests } = await startFailingServer(status, 0);
		const { items } = await run({ credentialStore }, { filters: { searchText: 'Zoë' } });
		expect(items).toEqual([{ json: NOTHING_TO_EXPORT, pairedItem: { item: 0 } }]);
		expect(requests.at(-1)?.url).toBe('/api/leaderboard/get-all');
	});

	test.each<[string, number, number | undefined]>([
		['the search finds something', 400, 1],
		['the search fails, too', 400, undefined],
		['access is denied', 403, 0],
	])('is a failure if %s', async (_name, status, recordCount) => {
		const { credentialStore, requests } = await startFailingServer(status, recordCount);
		const error = await catchNodeError(run({ credentialStore }));
		expect(error.message).toContain(`(${status})`);
		if (status === 403) expect(requests).toHaveLength(1);
	});

	test('counts the records with the same filter, in a page of one record', async () => {
		const search = 'POST /api/company-groups/search';
		fixture.standIn.addFault({ route: `${search}/export`, kind: 'status-500', times: Infinity });
		const runExport = (searchText: string) =>
			fixture.run(SecurityAwarenessCompanyGroup, { operation: 'export', filters: { searchText } });
		expect(getJson((await runExport('no group has this in its name')).items)).toEqual([NOTHING_TO_EXPORT]);
		expect(fixture.standIn.getRequests(search).at(-1)?.body).toMatchObject({
			filter: { SearchInputTextValue: 'no group has this in its name' },
			pageNumber: 1,
			pageSize: 1,
		});
		// The search finds groups with this text in their names, so the export's failure is reported.
		await catchNodeError(runExport('Region'));
	});
});

test('two files with the same name get different names in one run', async () => {
	const { companies } = fixture.standIn.world;
	const ids = companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
	const companyRecords = ids.map((companyResourceId) => ({ companyResourceId, companyName: 'Same', children: [] }));
	const server = await startFakeServer((request, response) =>
		request.url === '/api/companies/search'
			? sendJson(response, 200, { data: { results: companyRecords, totalNumberOfPages: 1, totalNumberOfRecords: 3 } })
			: response
					.writeHead(200, {
						'content-type': 'text/csv',
						'content-disposition': 'attachment; filename="Leaderboard.csv"',
					})
					.end('a'),
	);
	const getFileNames = ({ items }: { items: Array<{ json: IDataObject }> }) => items.map(({ json }) => json.fileName);
	const everyCompanyResult = await run({ credentialStore: server.credentialStore }, { companyScope: 'every' });
	expect(getFileNames(everyCompanyResult)).toEqual(ids.map((id) => `Leaderboard-Same-${requireValue(id)}.csv`));

	const inputs = ids.map((id, index) => ({ companyResourceId: id, companyName: `Customer ${index % 2}` }));
	const company = { mode: 'id', value: '={{ $json.companyResourceId }}' };
	const oneCompanyResult = await run(
		{ credentialStore: server.credentialStore, items: toItems(...inputs) },
		{ companyScope: 'one', company },
	);
	expect(new Set(getFileNames(oneCompanyResult))).toEqual(
		new Set(['0', '0-2', '1'].map((name) => `Leaderboard-Customer ${name}.csv`)),
	);
	const ownCompanyResult = await run({ credentialStore: server.credentialStore, items: toItems({}, {}) });
	expect(new Set(getFileNames(ownCompanyResult))).toEqual(new Set(['Leaderboard-2.csv', 'Leaderboard.csv']));
	expect(server.requests.filter(({ url }) => ids.some((id) => url.endsWith(id)))).toEqual([]);
});

test('an empty file and a file that was not stored leave their name to the next file', async () => {
	const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="Leaderboard.csv"' };
	let exportCount = 0;
	const { credentialStore } = await startFakeServer((_request, response) => {
		exportCount++;
		if (exportCount === 1) return response.writeHead(200, headers).end();
		if (exportCount === 2) return response.writeHead(200, headers).write('a,b', () => response.destroy());
		return response.writeHead(200, headers).end('a,b');
	});
	const options = { concurrency: 1 };
	const { items } = await run({ credentialStore, items: toItems({}, {}) }, { options });
	expect(getJson(items)).toMatchObject([{ bytes: 0 }, { fileName: 'Leaderboard.csv' }]);
});
