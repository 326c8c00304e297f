import type { Case, Run } from '../case';
import { exported, stored, streamed } from '../rivals/exports';

const MB = 1e6;
const growth = (run: Run) => run.growthMb ?? Number.NaN;

export const exportCase: Case = {
	name: 'export',
	title: 'A 1 GB export',
	about:
		"Export Leaderboard into n8n's file storage (filesystem), 100 MB and 1 GB, compared with bare axios that streams into a file, and into n8n's storage. A new process for every run, after an export of 1 MB that is not measured; memory is the growth of the process (RSS) at its peak.",
	notes:
		'The memory grows by the buffers that Node.js has not freed yet. It grows nearly as much with the bare streams, so a node cannot do much better. It is nearly the same for 100 MB and for 1 GB.',
	columns: ['seconds', 'cpuSeconds', 'growthMb'],
	companies: 20,
	processes: 'fresh',
	warmUp: MB,
	curve: true,
	rivals: { ours: exported, store: stored, axios: streamed },
	series: (quick) =>
		(quick ? [30, 300] : [100, 1000]).flatMap((size, index) =>
			['ours', ...(index === 0 ? [] : ['store']), 'axios'].map((rival) => ({
				id: `${rival}-${index === 0 ? 'small' : 'large'}`,
				...{ rival, size: size * MB, latencyMs: 20, note: size === 1000 ? '1 GB' : `${size} MB` },
			})),
		),
	targets: [
		{
			text: "of the bare stream's speed",
			of: (round) => round('axios-large').seconds / round('ours-large').seconds,
			least: 0.9,
			unit: '×',
		},
		{
			text: "of the bare stream's speed into the same storage",
			of: (round) => round('store-large').seconds / round('ours-large').seconds,
			least: 0.9,
			unit: '×',
		},
		{ text: 'memory growth at 1 GB', of: (round) => growth(round('ours-large')), below: 64, unit: 'MB' },
		{
			text: 'more memory growth at 1 GB than at 100 MB',
			of: (round) => growth(round('ours-large')) - growth(round('ours-small')),
			most: 8,
			unit: 'MB',
		},
	],
};
