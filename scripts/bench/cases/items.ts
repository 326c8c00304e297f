import type { Case } from '../case';
import { allAtOnce, bareEach, getEach } from '../rivals/items';

export const items: Case = {
	name: 'items',
	title: '10,000 input items, one small read each',
	about:
		'Get Company for 10,000 items, with 20 requests at once, against an HTTP Request node that sends all of them at once and against a bare axios loop. A new process for every run, warmed up with 500 items; memory is the growth of the process (RSS) at its peak, and most in flight is what the service saw.',
	columns: ['seconds', 'cpuSeconds', 'growthMb', 'keptMb', 'mostInFlight'],
	companies: 500,
	processes: 'fresh',
	warmUp: 500,
	rivals: { ours: getEach, http: allAtOnce, axios: bareEach },
	series: (quick) => ['ours', 'http', 'axios'].map((rival) => ({ id: rival, rival, size: quick ? 5_000 : 10_000, latencyMs: 20 })),
	targets: [
		{ text: 'of the time of HTTP Request', of: (round) => round('ours').seconds / round('http').seconds, most: 1.1, unit: '×' },
		{ text: 'in flight at most', of: (round) => round('ours').mostInFlight ?? Number.NaN, most: 20, worst: true, unit: '' },
		{
			text: 'of its memory growth',
			of: (round) => (round('ours').growthMb ?? Number.NaN) / (round('http').growthMb ?? Number.NaN),
			most: 0.25,
			unit: '×',
		},
	],
};
