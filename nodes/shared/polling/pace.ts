import type { Choices } from './choices';
import { HOUR_MS, type KindState } from './state';

/** After so many clean rounds the search for all is trusted; one that found a record in both counts like that many. */
export const TRUSTED = 16;

/** How late a record may show up, in ms. */
export const lateMsOf = ({ options: { lateArrivals = 24 } }: Choices) => lateArrivals * HOUR_MS;

/** Whether the lists are to be read to their ends: twice in the time of late arrivals. */
export const isWholeDue = ({ asksEach, round, wholeAt }: KindState, lateMs: number): boolean =>
	Math.abs((asksEach ? round.at : Date.now()) - wholeAt) >= lateMs / 2;

/** How long after a round through the companies has begun the next one begins, in ms: ever longer, so long as they are only compared. */
export function pauseMsOf({ asksEach, cleanRounds }: KindState, choices: Choices): number {
	const pause = (choices.options.askEachEvery ?? 15) * 60_000;
	return asksEach ? pause : Math.min(lateMsOf(choices) / 2, Math.max(pause, 60_000) * 4 ** cleanRounds);
}
