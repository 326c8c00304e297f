import { mapBounded } from '../transport/concurrency';
import { counted } from '../transport/counted';
import type { Company } from '../transport/request';
import type { Choices } from './choices';
import { HOUR_MS, type KindState } from './state';

/** How much longer the pause is after each round that found nothing that the list of all companies lacks. */
const LONGER = 8;

const minutesOf = ({ options: { askEachEvery = 15 } }: Choices) => askEachEvery;

/** How often each company is asked, in words. */
export const paceOf = (choices: Choices) =>
	minutesOf(choices) === 0 ? 'in every poll' : `every ${counted(minutesOf(choices), 'minute')}`;

/** How late a record may show up, in ms. */
export const lateMsOf = ({ options: { lateArrivals = 24 } }: Choices) => lateArrivals * HOUR_MS;

/**
 * Whether a round through the companies is under way, or the next one may begin.
 * @param isCompared whether companies' lists are only compared with that of all companies: then ever less often
 */
export function isRoundDue({ round, cleanRounds }: KindState, choices: Choices, isCompared: boolean): boolean {
	const pause = minutesOf(choices) * 60_000;
	const longer = Math.min(lateMsOf(choices) / 2, Math.max(pause, 60_000) * LONGER ** cleanRounds);
	const age = Date.now() - round.at;
	return round.left > 0 || age >= (isCompared ? longer : pause) || age < 0;
}

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
	const at = Math.max(
		0,
		companies.findIndex(({ id }) => id === from),
	);
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
