import { mapBounded } from '../transport/concurrency';
import type { Company } from '../transport/request';

/**
 * Visits companies, several at once and each once: some first, then all in turn from where the last poll stopped.
 * @param how.isDue whether the one whose turn it is goes before all, so that each poll gets on
 * @param how.visit @returns false where the company is to be visited again
 * @param how.goOn asked before each visit, with the number of those that were begun
 * @returns how many of those in turn were visited, and with which to go on
 */
export async function inTurn(
	companies: Company[],
	how: {
		first: Company[];
		from: string;
		isDue: boolean;
		width: number;
		visit: (company: Company) => Promise<boolean>;
		goOn: (started: number) => boolean;
	},
): Promise<{ asked: number; next: string }> {
	const { first, from, isDue, width, visit, goOn } = how;
	const isFrom = ({ id }: Company) => id === from;
	const at = Math.max(0, companies.findIndex(isFrom));
	const order = [...companies.slice(at), ...companies.slice(0, at)];
	const done = new Set<Company>();
	let started = 0;
	const one = async (company: Company) => {
		started++;
		if (await visit(company)) done.add(company);
	};
	const turn = isDue ? order.slice(0, 1) : [];
	await mapBounded([...new Set([...turn, ...first, ...order])], width, one, () => goOn(started));
	const left = order.findIndex((company) => !done.has(company));
	const asked = left < 0 ? order.length : left;
	return { asked, next: order[asked % Math.max(1, order.length)]?.id ?? '' };
}
