import type { Case } from '../case';
import { USUAL_CONCURRENCY } from '../stage';
import { bare, getMany, paginated } from '../rivals/companies';

const PAGE_SIZE = 100;

export const pages: Case = {
	name: 'pages',
	title: '200 pages of 100 records',
	about: `Get Many Companies with a limit of 20,000, at its usual ${USUAL_CONCURRENCY} requests at once, against an HTTP Request node that turns the pages itself (one after the other) and against a bare axios loop. The HTTP Request node puts out whole pages; the Split Out node that a workflow needs after it is not counted.`,
	columns: ['seconds', 'cpuSeconds', 'requests', 'mostInFlight'],
	companies: 27_000,
	processes: 'kept',
	warmUp: 0,
	rivals: { ours: getMany(PAGE_SIZE, { simplify: false }), http: paginated(PAGE_SIZE), axios: bare(PAGE_SIZE) },
	series: (quick) =>
		(quick ? [20] : [20, 0, 100]).flatMap((latencyMs) =>
			['ours', 'http', 'axios'].map((rival) => ({
				id: `${rival}-${latencyMs}`,
				...{ rival, latencyMs, size: 200, note: `${latencyMs} ms away` },
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
