import type { Case, Run, Target } from '../case';
import { getMany } from '../rivals/companies';
import { prepared } from '../rivals/prepared';

const PAGE_SIZE = 100;

export const records: Case = {
	name: 'records',
	title: '50,000 records from one Get Many',
	about:
		'Get Many Companies with 50,000 whole records, compared with a node that reads the same records from files and outputs them. A new process for every run, after 10 pages that are not measured. Growth is that of the process (RSS) at its peak, including garbage that V8 has not collected yet; the memory in use is without it.',
	notes:
		'The growth beyond the memory in use is garbage of requests and answers that V8 has not collected yet; a node that reads files has little of it.',
	columns: ['seconds', 'growthMb', 'liveMb', 'keptMb', 'records'],
	companies: 66_000,
	processes: 'fresh',
	warmUp: 10,
	live: true,
	rivals: { ours: getMany(PAGE_SIZE, { output: 'raw' }), prepared: prepared(PAGE_SIZE) },
	series: () => ['ours', 'prepared'].map((rival) => ({ id: rival, rival, size: 500, latencyMs: 20 })),
	targets: [
		...(['liveMb', 'keptMb', 'growthMb'] as const).map((memory): Target => {
			const text = { liveMb: 'the most in use', keptMb: 'in use at the end', growthMb: 'growth, including garbage' }[
				memory
			];
			const of = (round: (series: string) => Run) =>
				(round('ours')[memory] ?? Number.NaN) / (round('prepared')[memory] ?? Number.NaN);
			return { text: `of the memory of the records: ${text}`, of, most: 1.2, unit: '×' };
		}),
	],
};
