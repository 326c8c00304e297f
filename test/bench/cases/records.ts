import type { Case, Run, Target } from '../case';
import { getMany } from '../rivals/companies';
import { prepared } from '../rivals/prepared';

const PAGE_SIZE = 100;

export const records: Case = {
	name: 'records',
	title: '50,000 records out of one Get Many',
	about:
		'Get Many Companies with 50,000 whole records, against a node that reads the same records from files and puts them out. A new process for every run, warmed up with 10 pages; growth is that of the process (RSS) at its peak, with the garbage that V8 has not collected yet; in use and held are without it.',
	notes:
		'The growth beyond what is in use is garbage of the requests and answers that V8 has not collected yet; a node that reads files makes little of it.',
	columns: ['seconds', 'growthMb', 'liveMb', 'keptMb', 'records'],
	companies: 66_000,
	processes: 'fresh',
	warmUp: 10,
	live: true,
	rivals: { ours: getMany(PAGE_SIZE, { simplify: false }), prepared: prepared(PAGE_SIZE) },
	series: () => ['ours', 'prepared'].map((rival) => ({ id: rival, rival, size: 500, latencyMs: 20 })),
	targets: [
		...(['liveMb', 'keptMb', 'growthMb'] as const).map((memory): Target => {
			const text = { liveMb: 'in use at the most', keptMb: 'held at the end', growthMb: 'growth, garbage included' }[
				memory
			];
			const of = (round: (series: string) => Run) =>
				(round('ours')[memory] ?? Number.NaN) / (round('prepared')[memory] ?? Number.NaN);
			return { text: `of what the records take: ${text}`, of, most: 1.2, unit: '×' };
		}),
	],
};
