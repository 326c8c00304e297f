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
	about: `Get Many Companies over ${TIMES.map((times) => times * WORK.pages).join(', ')} pages of ${PAGE_SIZE}, and Get Company for ${TIMES.map((times) => times * WORK.items).join(', ')} items. The time per page or item should differ by at most 15 %.`,
	notes:
		'If the time per unit differs, it is shorter for more work, because the costs at the beginning of a run (its first request is sent alone, and code is compiled) are a smaller part of it.',
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
