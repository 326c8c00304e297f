import type { Case, Run } from '../case';
import { getMany } from '../rivals/companies';
import { getEach } from '../rivals/items';

const PAGE_SIZE = 25;
const TIMES = [1, 4, 16];
const WORK = { pages: 200, items: 1000 };

/** How much the time per unit differs from that of the smallest work. */
const drift = (work: keyof typeof WORK, times: number) => (round: (series: string) => Run) =>
	round(`${work}-${times}`).seconds / times / round(`${work}-1`).seconds - 1;

export const linear: Case = {
	name: 'linear',
	title: '1, 4 and 16 times the work',
	about: `Get Many Companies over ${TIMES.map((times) => times * WORK.pages).join(', ')} pages of ${PAGE_SIZE}, and Get Company for ${TIMES.map((times) => times * WORK.items).join(', ')} items. The time per page or item is to be the same, give or take 15 %.`,
	notes:
		'Where the time per unit differs, the larger work takes less: what a run costs once, such as its first request alone and code that is not warm yet, weighs less in it.',
	columns: ['seconds', 'cpuSeconds', 'requests', 'keptMb'],
	companies: 106_000,
	processes: 'kept',
	warmUp: 0,
	rivals: {
		pages: { ...getMany(PAGE_SIZE), title: 'Get Many Companies' },
		items: { ...getEach, title: 'Get Company' },
	},
	series: (quick) =>
		(['pages', 'items'] as const).flatMap((rival) =>
			(quick ? [1, 4] : TIMES).map((times) => ({
				id: `${rival}-${times}`,
				...{ rival, size: times * WORK[rival], latencyMs: 20, note: `${times} × ${WORK[rival]} ${rival}` },
			})),
		),
	targets: (['pages', 'items'] as const).flatMap((work) =>
		[4, 16].flatMap((times) => {
			const text = `more time per unit at ${times} times the ${work}`;
			const of = (round: (series: string) => Run) => drift(work, times)(round) * 100;
			return [{ text, of, most: 15, least: -15, unit: '%' }];
		}),
	),
};
