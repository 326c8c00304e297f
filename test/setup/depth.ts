/**
 * How much of the slow tests runs. `npm test` runs a sample of them, another one each day; DEEP=1, which
 * `npm run test:deep` sets, runs all of them, and LONG_RUN=1 more than all. A seed tells what is in the sample: it is the
 * number of the day, unless SEED names one, and is printed once (global-setup.ts). In CI it is always the same.
 */

/** Whether everything runs. */
export const isDeep = process.env.DEEP === '1' || process.env.LONG_RUN === '1';

const DAY_MS = 86_400_000;
const SEED_IN_CI = 20_778;
const usualSeed = process.env.CI === 'true' ? SEED_IN_CI : Date.now() / DAY_MS;

/** What chooses the sample: a whole number. Test processes are given it by the first one, so that all have the same. */
export const seed = Math.trunc(Number(process.env.SAMPLE_SEED ?? process.env.SEED ?? usualSeed)) || 0;

const within = (index: number, count: number) => ((index % count) + count) % count;

/**
 * @param all what could be tried
 * @param count how many of them are tried in a sample
 * @param offset makes the samples of several lists different ones on the same day
 * @returns all of it in a deep run; otherwise `count` of it, spread evenly over the list and in its order. The day after
 * has the next ones, so that as many days as there are elements have each of them at least once.
 */
export function sample<T>(all: readonly T[], count: number, offset = 0): T[] {
	if (isDeep || count >= all.length) return [...all];
	const stride = Math.floor(all.length / count);
	const chosen = new Set(
		Array.from({ length: count }, (_, index) => within(seed + offset + index * stride, all.length)),
	);
	return all.filter((_, index) => chosen.has(index));
}

/**
 * Deals a list out to several places, each element to one of them: in a sample, each place tries its own share only, and
 * gets the next share the day after.
 * @param place from 0 on
 * @param places how many there are
 * @returns all of it in a deep run; otherwise this place's share, in the list's order
 */
export function share<T>(all: readonly T[], place: number, places: number, offset = 0): T[] {
	return isDeep ? [...all] : all.filter((_, index) => within(index + seed + offset, places) === place);
}

/** @returns the first number in a deep run, otherwise the second */
export const deepOr = (whole: number, sampled: number): number => (isDeep ? whole : sampled);
