/**
 * The night's service, a process of its own: `service.ts <port> <companies>`. What it is asked for goes to the front's
 * address; at the given port it tells where that is, its companies, and how often each report was fetched.
 */
import { createServer } from 'node:http';

import { startFront } from '../../bench/front';
import { contentOf, reportAt } from './reports';

async function main(port: number, companies: number): Promise<void> {
	const fetched = new Map<string, number>();
	const front = await startFront(companies, (path, company) => {
		const report = reportAt(path);
		if (report === undefined || company === '') return undefined;
		const key = `${company} ${report}`;
		fetched.set(key, (fetched.get(key) ?? 0) + 1);
		return contentOf(report, company);
	});
	const { secrets, companyIds } = front;
	createServer(({ url }, response) => {
		const told = url === '/fetched' ? Object.fromEntries(fetched) : { secrets, companyIds, ...front.count() };
		if (url === '/fetched') fetched.clear();
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
	}).listen(port, '127.0.0.1');
}

void main(Number(process.argv[2]), Number(process.argv[3]));
