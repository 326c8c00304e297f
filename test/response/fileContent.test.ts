/** Tests how the response headers of an export decide about the file, and how a report about a campaign job is named. */
import type { IDataObject } from 'n8n-workflow';
import { download } from '../../nodes/core/response/download';
import type { OperationContext } from '../../nodes/core/response/responseHandler';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { runWithClient } from '../http/runWithClient';
import { createNodeFixture, startFakeServer, toItems } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();

/** Exports the leaderboard from a server that sends a small file with these headers. @returns the json of the item */
async function exportFile(headers: Record<string, string>, format = 'csv') {
	const { credentialStore } = await startFakeServer((_request, response) =>
		response.writeHead(200, headers).end('a,b'),
	);
	const parameters = { operation: 'export', companyScope: 'own', format };
	const { items } = await fixture.run(SecurityAwarenessLeaderboard, parameters, { credentialStore });
	return items[0];
}

test.each([
	['application/octet-stream', 'csv', 'text/csv'],
	['Application/Octet-Stream; charset=binary', 'pdf', 'application/pdf'],
	['', 'csv', 'text/csv'],
	['Text/Plain; charset=utf-8', 'csv', 'text/plain'],
])('a file sent as %p in the format %s is a file of the type %s', async (contentType, format, expected) => {
	const item = await exportFile({ 'content-type': contentType }, format);
	expect(item?.json.mimeType).toBe(expected);
	expect(item?.binary?.data?.mimeType).toBe(expected);
});

test('a response whose length is 0 is not stored as an empty file', async () => {
	const { credentialStore } = await startFakeServer((_request, response) =>
		response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '0' }).end(),
	);
	const store = jest.fn();
	const item = await runWithClient(credentialStore, (client) => {
		const context: Pick<OperationContext, 'client' | 'files' | 'getFileLabel'> = {
			client,
			files: { store },
			getFileLabel: () => Promise.resolve(''),
		};
		const options = { fallbackName: 'a', format: { extension: 'csv', mimeType: 'text/csv' }, binaryField: 'data' };
		const request = { endpoint: 'POST /api/leaderboard/get-all/export', purpose: 'export' } as const;
		return download(request, context as OperationContext, options);
	});
	expect(item).toEqual({ json: { bytes: 0, message: 'The platform accepted the export but sent no file' } });
	expect(store).not.toHaveBeenCalled();
});

describe('a report about a campaign job has the name of the campaign', () => {
	const REPORT_PATH = '/api/phishing-simulator/phishing-campaign-job-report';
	const exportJob = async (input: IDataObject, job: IDataObject) => {
		const { credentialStore } = await startFakeServer({
			[`GET ${REPORT_PATH}/summary/c/2`]: { data: { name: 'From the summary' } },
			[`POST ${REPORT_PATH}/All/search/export/c/2`]: { csv: 'email' },
		});
		const parameters = { resource: 'result', operation: 'export', companyScope: 'own', job };
		const options = { credentialStore, items: toItems(input) };
		const { items } = await fixture.run(SecurityAwarenessPhishingCampaign, parameters, options);
		return items[0]?.json;
	};

	test.each<[string, IDataObject, IDataObject, string]>([
		[
			'campaignName of an input item',
			{ jobId: 'c/2', campaignName: 'A', name: 'B' },
			{ mode: 'id', value: 'c/2' },
			'A',
		],
		['name of an input item', { jobId: 'c/2', name: 'B' }, { mode: 'id', value: 'c/2' }, 'B'],
		['the summary', { jobId: 'c/1', name: 'B' }, { mode: 'id', value: 'c/2' }, 'From the summary'],
		[
			'the selected job',
			{ jobId: 'c/2', name: 'B' },
			{ __rl: true, mode: 'list', value: 'c/2', cachedResultName: 'Selected (job 2, 2026-05-04)' },
			'Selected',
		],
	])('from %s', async (_source, input, job, expected) => {
		const json = await exportJob(input, job);
		expect(json?.campaignName).toBe(expected);
		expect(json?.fileName).toMatch(new RegExp(`^phishing-.+-${expected}-job 2-[0-9-]+\\.csv$`));
	});
});
