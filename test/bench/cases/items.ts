import type { Case } from '../case';
import { allAtOnce, bareEach, getEach } from '../rivals/items';

export const items: Case = {
	name: 'items',
	title: '10,000 input items, one small read each',
	about:
		'Get Company for 10,000 items, with 20 requests at once, against an HTTP Request node that sends all of them at once and against a bare axios loop. A new process for every run, warmed up with 500 items; memory growth is that of the process (RSS) at its peak, with the garbage that V8 has not collected yet; in use at the most is without it; most in flight is what the service saw.',
	notes:
		"With 20 at once and 20 ms away, 10,000 reads take 10 s at the very least, and the bare axios loop with its 20 shows what is left for a node here. HTTP Request is ahead of both because it has more than 20 under way. Most of the growth is garbage that V8 has not collected yet: the heap grows to about 200 MB above the beginning before the first full collection, and that leaves some 10 MB of it. The bare axios loop, which holds nothing but the answers and opens a connection per request as n8n's helper does, grows for the same reason, so a node cannot bring the growth below that. What is in use at the most, and held at the end, is what a node decides.",
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
			text: 'in flight at most',
			of: (round) => round('ours').mostInFlight ?? Number.NaN,
			most: 20,
			worst: true,
			unit: '',
		},
		{
			text: 'of its memory, what is in use at the most',
			of: (round) => (round('ours').liveMb ?? Number.NaN) / (round('http').liveMb ?? Number.NaN),
			most: 0.25,
			unit: '×',
		},
		{
			text: 'of its memory growth, garbage included',
			of: (round) => (round('ours').growthMb ?? Number.NaN) / (round('http').growthMb ?? Number.NaN),
			most: 0.25,
			unit: '×',
		},
	],
};
