import type { Case } from '../case';
import { getMany } from '../rivals/companies';
import { prepared } from '../rivals/prepared';

const PAGE_SIZE = 100;

export const records: Case = {
	name: 'records',
	title: '50,000 records out of one Get Many',
	about:
		'Get Many Companies with 50,000 whole records, against a node that reads the same records from files and puts them out. A new process for every run, warmed up with 10 pages; growth is that of the process (RSS) at its peak, held is what is left once everything else is thrown away.',
	columns: ['seconds', 'growthMb', 'keptMb', 'records'],
	companies: 66_000,
	processes: 'fresh',
	warmUp: 10,
	rivals: { ours: getMany(PAGE_SIZE, { simplify: false }), prepared: prepared(PAGE_SIZE) },
	series: () => ['ours', 'prepared'].map((rival) => ({ id: rival, rival, size: 500, latencyMs: 20 })),
	targets: [
		{
			text: 'of what the records take, at the peak',
			of: (round) => (round('ours').growthMb ?? Number.NaN) / (round('prepared').growthMb ?? Number.NaN),
			most: 1.2,
			unit: '×',
		},
		{
			text: 'of what the records take, at the end',
			of: (round) => (round('ours').keptMb ?? Number.NaN) / (round('prepared').keptMb ?? Number.NaN),
			most: 1.2,
			unit: '×',
		},
	],
};
