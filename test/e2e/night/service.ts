/**
 * The night's service, a process of its own: `service.ts <port> <companies> <latency>`. What it is asked for goes to the
 * front's address; at the given port it tells where that is, its companies, how many reports it has sent, and how often each.
 */
import { createServer } from 'node:http';

import { startFront } from '../../bench/front';
import { COUNT_PATH, buildReport, COUNT_RESPONSE, findReport } from './reports';

async function startService(port: number, companies: number, latencyMs: number): Promise<void> {
	const sendCounts = new Map<string, number>();
	const respondToReport = (path: string, company: string) => {
		if (company === '') return undefined;
		if (path === COUNT_PATH) return { type: 'application/json', content: COUNT_RESPONSE };
		const report = findReport(path);
		if (report === undefined) return undefined;
		const key = `${company} ${report}`;
		sendCounts.set(key, (sendCounts.get(key) ?? 0) + 1);
		return { type: 'text/csv', content: buildReport(report, company) };
	};
	const front = await startFront(companies, { own: respondToReport, latencyMs });
	const { secrets, companyIds } = front;
	const getStatus = (url = '') => {
		if (url === '/sent') return sendCounts.size;
		if (url !== '/fetched') return { secrets, companyIds, ...front.count() };
		const times = Object.fromEntries(sendCounts);
		sendCounts.clear();
		return times;
	};
	createServer(({ url }, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(getStatus(url)));
	}).listen(port, '127.0.0.1');
}

const [port, companies, latency] = process.argv.slice(2).map(Number);
void startService(port ?? 0, companies ?? 0, latency ?? 0);
