/**
 * Runs the night's service in a separate process: `service.ts <port> <companies> <latency>`. It answers requests of nodes at a free
 * port. At the given port, it returns the credential for that service, the companies and the numbers of sent reports.
 */
import { createServer } from 'node:http';

import { startCachingProxy } from '../../bench/cachingProxy';
import { COUNT_PATH, buildReport, COUNT_RESPONSE, findReportName } from './reports';

async function startService(port: number, companies: number, latencyMs: number): Promise<void> {
	const sendCounts = new Map<string, number>();
	const respondToReport = (path: string, company: string) => {
		if (company === '') return undefined;
		if (path === COUNT_PATH) return { type: 'application/json', content: COUNT_RESPONSE };
		const report = findReportName(path);
		if (report === undefined) return undefined;
		const key = `${company} ${report}`;
		sendCounts.set(key, (sendCounts.get(key) ?? 0) + 1);
		return { type: 'text/csv', content: buildReport(report, company) };
	};
	const proxy = await startCachingProxy(companies, { respond: respondToReport, latencyMs });
	const { secrets, companyIds } = proxy;
	const getStatus = (url = '') => {
		if (url === '/sent') return sendCounts.size;
		if (url !== '/fetched') return { secrets, companyIds, ...proxy.readCounts() };
		const countsSinceLastCall = Object.fromEntries(sendCounts);
		sendCounts.clear();
		return countsSinceLastCall;
	};
	createServer(({ url }, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(getStatus(url)));
	}).listen(port, '127.0.0.1');
}

const [port, companies, latency] = process.argv.slice(2).map(Number);
startService(port ?? 0, companies ?? 0, latency ?? 0).catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
