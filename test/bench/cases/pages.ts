import type { Case } from '../case';
import { USUAL_CONCURRENCY } from '../stage';
import { bare, getMany, paginated } from '../rivals/companies';

const PAGE_SIZE = 100;

export const pages: Case = {
	name: 'pages',
	title: '200 pages of 100 records',
	about: `Get Many Companies with a limit of 20,000, at its usual ${USUAL_CONCURRENCY} requests at once, compared with an HTTP Request node with its own pagination (one page after the other), and with a loop with bare axios. The HTTP Request node outputs whole pages; the Split Out node that a workflow needs after it is not measured.`,
	columns: ['seconds', 'cpuSeconds', 'requests', 'mostInFlight'],
	companies: 27_000,
	processes: 'kept',
	warmUp: 0,
	rivals: { ours: getMany(PAGE_SIZE, { output: 'raw' }), http: paginated(PAGE_SIZE), axios: bare(PAGE_SIZE) },
	series: (quick) =>
		(quick ? [20] : [20, 0, 100]).flatMap((latencyMs) =>
			['ours', 'http', 'axios'].map((rival) => ({
				id: `${rival}-${latencyMs}`,
				...{ rival, latencyMs, size: 200, note: `latency ${latencyMs} ms` },
			})),
		),
	targets: [
		{
			text: 'times as fast as HTTP Request',
			of: (round) => round('http-20').seconds / round('ours-20').seconds,
			least: 5,
			unit: '×',
		},
		{
			text: 'of the time of bare axios',
			of: (round) => round('ours-20').seconds / round('axios-20').seconds,
			most: 1.25,
			unit: '×',
		},
	],
};
