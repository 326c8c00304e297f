// What a program of its own would take: the requests of a case with axios, 8 at once, in the Node.js that n8n runs on.
// `node bareAxios.mjs <plan.json> <new|kept>` sends them twice, and prints what the second time took.
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import axios from 'axios';

const [, , file, connections] = process.argv;
const { baseURL, headers, steps } = JSON.parse(readFileSync(file, 'utf8'));
const AT_ONCE = 8;
const client = axios.create({ baseURL, headers, httpAgent: new Agent({ keepAlive: connections === 'kept' }) });

/** Sends requests, so many at once. */
async function send(requests) {
	const left = requests.values();
	const worker = async () => {
		for (const { url, body, company } of left)
			await client.post(url, body, { headers: company ? { 'X-SERVICE-Company-Id': company } : {} });
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

let measured;
for (let time = 0; time < 2; time++) {
	const [began, cpu] = [performance.now(), process.cpuUsage()];
	for (const requests of steps) await send(requests);
	const { user, system } = process.cpuUsage(cpu);
	measured = { seconds: (performance.now() - began) / 1000, cpuSeconds: (user + system) / 1e6 };
}
console.log(JSON.stringify(measured));
