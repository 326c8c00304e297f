// Measures how long a program without n8n takes for a case's requests: axios, 8 requests at once, in the Node.js that n8n runs on.
// `node bareAxios.mjs <plan.json> <new|kept>` sends the requests twice, and prints the times of the second run.
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import axios from 'axios';

const [, , planFile, connectionMode] = process.argv;
const { baseURL, headers, steps } = JSON.parse(readFileSync(planFile, 'utf8'));
const MAX_CONCURRENCY = 8;
const client = axios.create({ baseURL, headers, httpAgent: new Agent({ keepAlive: connectionMode === 'kept' }) });

/** Sends requests, at most `MAX_CONCURRENCY` at the same time. */
async function sendAll(requests) {
	const remainingRequests = requests.values();
	const runWorker = async () => {
		for (const { url, body, company } of remainingRequests)
			await client.post(url, body, { headers: company ? { 'X-SERVICE-Company-Id': company } : {} });
	};
	await Promise.all(Array.from({ length: MAX_CONCURRENCY }, runWorker));
}

let measurement;
for (let run = 0; run < 2; run++) {
	const startedAt = performance.now();
	const cpuBefore = process.cpuUsage();
	for (const requests of steps) await sendAll(requests);
	const { user, system } = process.cpuUsage(cpuBefore);
	measurement = { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
}
console.log(JSON.stringify(measurement));
