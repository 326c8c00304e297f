import { mapBounded } from '../transport/concurrency';
import type { Company } from '../transport/request';

/**
 * Visits companies, several at once: some first, then all in turn from where the last poll stopped.
 * @param how.visit @returns false where the company is to be visited again
 * @param how.goOn asked before each visit, with the number of those that were begun
 * @returns how many of those in turn were visited, and with which to go on
 */
export async function inTurn(
	companies: Company[],
	how: {
		first: Company[];
		from: string;
		width: number;
		visit: (company: Company) => Promise<boolean>;
		goOn: (started: number) => boolean;
	},
): Promise<{ asked: number; next: string }> {
	const { first, from, width, visit, goOn } = how;
	const isFrom = ({ id }: Company) => id === from;
	const at = Math.max(0, companies.findIndex(isFrom));
	const order = [...companies.slice(at), ...companies.slice(0, at)];
	const visits = new Map<string, Promise<boolean>>();
	let started = 0;
	const outcomes = await mapBounded(
		[...first, ...order],
		width,
		async (company) => {
			started++;
			const visiting = visits.get(company.id) ?? visit(company);
			visits.set(company.id, visiting);
			return await visiting;
		},
		() => goOn(started),
	);
	const done = order.findIndex((_company, index) => {
		const outcome = outcomes[first.length + index];
		return !outcome?.ok || !outcome.value;
	});
	const asked = done < 0 ? order.length : done;
	return { asked, next: order[asked % Math.max(1, order.length)]?.id ?? '' };
}
