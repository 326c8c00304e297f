/**
 * The night's service, a process of its own: `service.ts <port> <companies> <latency>`. What it is asked for goes to the
 * front's address; at the given port it tells where that is, its companies, how many reports it has sent, and how often each.
 */
import { createServer } from 'node:http';

import { startFront } from '../../bench/front';
import { COUNT_PATH, contentOf, countAnswer, reportAt } from './reports';

async function main(port: number, companies: number, latencyMs: number): Promise<void> {
	const fetched = new Map<string, number>();
	const own = (path: string, company: string) => {
		if (company === '') return undefined;
		if (path === COUNT_PATH) return { type: 'application/json', content: countAnswer };
		const report = reportAt(path);
		if (report === undefined) return undefined;
		const key = `${company} ${report}`;
		fetched.set(key, (fetched.get(key) ?? 0) + 1);
		return { type: 'text/csv', content: contentOf(report, company) };
	};
	const front = await startFront(companies, { own, latencyMs });
	const { secrets, companyIds } = front;
	const tell = (url = '') => {
		if (url === '/sent') return fetched.size;
		if (url !== '/fetched') return { secrets, companyIds, ...front.count() };
		const times = Object.fromEntries(fetched);
		fetched.clear();
		return times;
	};
	createServer(({ url }, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tell(url)));
	}).listen(port, '127.0.0.1');
}

const [port, companies, latency] = process.argv.slice(2).map(Number);
void main(port ?? 0, companies ?? 0, latency ?? 0);
