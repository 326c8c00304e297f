import type { Case } from '../case';
import { USUAL_CONCURRENCY } from '../stage';
import { bareReports, everyCompany, loop } from '../rivals/reports';

const COMPANIES = 500;

export const companies: Case = {
	name: 'companies',
	title: `One report for each of ${COMPANIES} companies`,
	about: `The phishing campaigns of every company, at the node's usual ${USUAL_CONCURRENCY} requests at once. The node lists the companies itself, and so does the bare loop; the workflow with Loop Over Items gets them as its input. The workflow runs in n8n's own engine.`,
	columns: ['seconds', 'cpuSeconds', 'requests', 'mostInFlight'],
	companies: COMPANIES,
	processes: 'kept',
	warmUp: 0,
	rivals: { ours: everyCompany, loop, axios: bareReports },
	series: () => ['ours', 'loop', 'axios'].map((rival) => ({ id: rival, rival, size: COMPANIES, latencyMs: 20 })),
	targets: [
		{
			text: 'times as fast as the loop',
			of: (round) => round('loop').seconds / round('ours').seconds,
			least: 5,
			unit: '×',
		},
		{
			text: 'of the time of bare axios',
			of: (round) => round('ours').seconds / round('axios').seconds,
			most: 1.25,
			unit: '×',
		},
	],
};
