/**
 * Runs a night's stand-in service in a separate process: `service.ts <port> <companies> <latency>`. The API that nodes use is at a
 * free port. At `<port>`, the test reads the credential for that API, the company IDs and the numbers of sent reports.
 */
import { createServer } from 'node:http';

import { startCachingProxy } from '../../bench/cachingProxy';
import { COUNT_PATH, buildReport, COUNT_RESPONSE, findReportName } from './reports';

async function startService(port: number, companyCount: number, latencyMs: number): Promise<void> {
	const sendCountsByReport = new Map<string, number>();
	const buildResponse = (path: string, companyId: string) => {
		if (companyId === '') return undefined;
		if (path === COUNT_PATH) return { type: 'application/json', content: COUNT_RESPONSE };
		const report = findReportName(path);
		if (report === undefined) return undefined;
		const key = `${companyId} ${report}`;
		sendCountsByReport.set(key, (sendCountsByReport.get(key) ?? 0) + 1);
		return { type: 'text/csv', content: buildReport(report, companyId) };
	};
	const proxy = await startCachingProxy(companyCount, { respond: buildResponse, latencyMs });
	const { secrets, companyIds } = proxy;
	const getResponseBody = (url = '') => {
		if (url === '/sent') return sendCountsByReport.size;
		if (url !== '/fetched') return { secrets, companyIds, ...proxy.readCounts() };
		const countsSinceLastCall = Object.fromEntries(sendCountsByReport);
		sendCountsByReport.clear();
		return countsSinceLastCall;
	};
	createServer(({ url }, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(getResponseBody(url)));
	}).listen(port, '127.0.0.1');
}

const [port, companyCount, latency] = process.argv.slice(2).map(Number);
startService(port ?? 0, companyCount ?? 0, latency ?? 0).catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
