import type { Case } from '../case';
import { allAtOnce, bareEach, getEach } from '../rivals/items';

export const items: Case = {
	name: 'items',
	title: '10,000 input items, one small read each',
	about:
		'Get Company for 10,000 items, with 20 requests at once, compared with an HTTP Request node that sends all of them at once, and with a loop with bare axios. A new process for every run, after 500 items that are not measured. Memory growth is that of the process (RSS) at its peak, including garbage that V8 has not collected yet; the most memory in use is without it. The most requests at once are counted by the service.',
	notes:
		"With 20 requests at once and a latency of 20 ms, 10,000 reads take at least 10 s, and the loop with bare axios shows how fast a node can be. HTTP Request is faster than both because it sends more than 20 requests at once. Most of the growth is garbage that V8 has not collected yet: the heap grows by about 200 MB before the first full collection, which leaves about 10 MB. The loop with bare axios, which stores only the answers and opens a connection for each request as n8n's helper does, grows for the same reason, so a node cannot grow less. A node can only affect the memory in use, and the memory that is still in use at the end.",
	columns: ['seconds', 'cpuSeconds', 'growthMb', 'liveMb', 'keptMb', 'mostInFlight'],
	companies: 500,
	processes: 'fresh',
	warmUp: 500,
	live: true,
	rivals: { ours: getEach, http: allAtOnce, axios: bareEach },
	series: (quick) =>
		['ours', 'http', 'axios'].map((rival) => ({ id: rival, rival, size: quick ? 5_000 : 10_000, latencyMs: 20 })),
	targets: [
		{
			text: 'of the time of HTTP Request',
			of: (round) => round('ours').seconds / round('http').seconds,
			most: 1.1,
			unit: '×',
		},
		{
			text: 'requests at once, at most',
			of: (round) => round('ours').mostInFlight ?? Number.NaN,
			most: 20,
			worst: true,
			unit: '',
		},
		{
			text: 'of its memory: the most in use',
			of: (round) => (round('ours').liveMb ?? Number.NaN) / (round('http').liveMb ?? Number.NaN),
			most: 0.25,
			unit: '×',
		},
		{
			text: 'of its memory growth, including garbage',
			of: (round) => (round('ours').growthMb ?? Number.NaN) / (round('http').growthMb ?? Number.NaN),
			most: 0.25,
			unit: '×',
		},
	],
};
