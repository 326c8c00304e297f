import type { Case } from '../case';
import { getMany } from '../rivals/companies';

export const cpu: Case = {
	name: 'cpu',
	title: 'CPU per 1,000 records',
	about:
		'A profile of Get Many Companies (200 pages of 100), without latency: the share of the CPU time that each function uses itself. A built-in function such as JSON.parse counts for the code that calls it, which is axios for answers.',
	columns: ['cpuSeconds', 'cpuPerThousand', 'records'],
	companies: 27_000,
	processes: 'kept',
	warmUp: 0,
	profiled: true,
	rivals: { pages: { ...getMany(100), title: 'Get Many Companies' } },
	series: () => [{ id: 'pages', rival: 'pages', size: 200, latencyMs: 0 }],
	targets: [
		{
			text: "of the CPU time in this package's largest function",
			of: (round) => round('pages').profile?.ours[0]?.share ?? 0,
			most: 10,
			unit: '%',
		},
		{
			text: 'of the CPU time in all of this package',
			of: (round) => round('pages').profile?.parts['this package'] ?? 0,
			most: 10,
			unit: '%',
		},
	],
};
