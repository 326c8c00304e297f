import { counted } from '../transport/counted';
import type { Choices } from './choices';
import { HOUR_MS, type KindState } from './state';

/** How much longer the pause is after each round that found nothing that the search for all lacks. */
const LONGER = 8;

const minutesOf = ({ options: { askEachEvery = 15 } }: Choices) => askEachEvery;

/** How often each company is asked, in words. */
export const paceOf = (choices: Choices) =>
	minutesOf(choices) === 0 ? 'in every poll' : `every ${counted(minutesOf(choices), 'minute')}`;

/** How late a record may show up, in ms. */
export const lateMsOf = ({ options: { lateArrivals = 24 } }: Choices) => lateArrivals * HOUR_MS;

/** Whether the lists are to be read to their ends: twice in the time of late arrivals. */
export const isWholeDue = ({ asksEach, round, wholeAt }: KindState, lateMs: number): boolean =>
	Math.abs((asksEach ? round.at : Date.now()) - wholeAt) >= lateMs / 2;

/** How long after a round through the companies has begun the next one begins, in ms: ever longer, so long as they are only compared. */
export function pauseMsOf({ asksEach, cleanRounds }: KindState, choices: Choices): number {
	const pause = minutesOf(choices) * 60_000;
	return asksEach ? pause : Math.min(lateMsOf(choices) / 2, Math.max(pause, 60_000) * LONGER ** cleanRounds);
}

/** Whether a round through the companies is under way, or the next one may begin. */
export function isRoundDue(state: KindState, choices: Choices): boolean {
	const age = Date.now() - state.round.at;
	return state.round.left > 0 || age >= pauseMsOf(state, choices) || age < 0;
}
