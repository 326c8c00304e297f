import type { NewsRules } from './rules';
import { comparedFrom, givesSince, HOUR_MS, MAX_STATE_BYTES, packState, watchedFrom } from './state';
import type { KindState, State } from './state';

/** How many records without a usable create time are remembered, by all lists of a trigger together. */
export const MOST_TIMELESS = 20_000;
/** How many lists that could not be read keep a window of their own, of all kinds together. */
const MOST_OPEN = 3_000;
/** For how long such a list keeps its window. */
const MOST_OPEN_MS = 14 * 24 * HOUR_MS;

/**
 * Forgets records that are older than the windows, listed or not. So long as there is no window yet, all are kept.
 * @param watchedMs how much older they may be
 * @param least what is older goes in any case
 */
function forgetOld(kind: KindState, watchedMs: number, compared = Infinity, least = 0): void {
	const { known, waiting } = kind;
	const oldest = Math.max(least, Math.min(watchedFrom(kind, givesSince(kind), watchedMs), compared));
	kind.forgottenTo = Math.max(kind.forgottenTo, oldest);
	for (const [id, { hour }] of known)
		if (!waiting.has(id) && hour > 0 && (hour + 1) * HOUR_MS <= oldest) known.delete(id);
}

/** Of the records without create times, those go that were listed least recently. @returns whether some went */
function limitTimeless(kind: KindState, most: number): boolean {
	const timeless = [...kind.known].filter(([, { hour }]) => hour === 0);
	const excess = timeless.slice(0, Math.max(0, timeless.length - most));
	for (const [id] of excess) kind.known.delete(id);
	kind.hasForgotten ||= excess.length > 0;
	return excess.length > 0;
}

/**
 * Forgets what is not needed, and keeps a state within its bounds: beyond them the oldest records go, and with them the
 * window that they were kept for, so that what is forgotten is never given twice.
 * @param rules whose `warn` is told what was lost by it
 * @param most in bytes
 */
export function keepWithinBounds(
	state: State,
	{ warn, windowMs, watchedMs }: Pick<NewsRules, 'warn' | 'windowMs' | 'watchedMs'>,
	most = MAX_STATE_BYTES,
): void {
	const share = Math.floor(MOST_TIMELESS / Math.max(1, state.size));
	if ([...state.values()].map((kind) => limitTimeless(kind, share)).includes(true))
		warn(
			`More than ${MOST_TIMELESS.toLocaleString('en')} records without a create time: those listed last are remembered, so one that appears after them in its list is missed.`,
		);
	for (const { open, polledAt } of state.values()) {
		for (const list of [...open.keys()].slice(Math.floor(MOST_OPEN / state.size))) open.delete(list);
		for (const each of open.values())
			// One that is read on in each poll ends by itself.
			if (each.page <= 1 && each.begunAt < polledAt - MOST_OPEN_MS)
				each.from = Math.max(each.from, polledAt - MOST_OPEN_MS - windowMs);
	}
	const sizeOf = (each: State) => Buffer.byteLength(JSON.stringify(packState(each)));
	for (const kind of state.values()) forgetOld(kind, watchedMs, comparedFrom(kind));
	if (sizeOf(state) <= most) return;
	for (const kind of state.values()) forgetOld(kind, watchedMs);
	if (sizeOf(state) <= most) return;
	warn(
		'More recent records than can be remembered: the oldest were forgotten, so records that show up late may be missed. Shorten the window, or split the trigger by company.',
	);
	const hours = [...state.values()]
		.flatMap(({ known }) => [...known.values()].map(({ hour }) => hour))
		.sort((a, b) => a - b);
	for (let kept = hours.filter((hour) => hour > 0); kept.length > 0 && sizeOf(state) > most;) {
		kept = kept.slice(Math.ceil(kept.length / 10));
		const from = (kept[0] ?? (hours.at(-1) ?? 0) + 1) * HOUR_MS;
		for (const kind of state.values()) {
			kind.since = Math.max(kind.since, from);
			kind.from &&= Math.max(kind.from, from);
			kind.round.from = Math.max(kind.round.from, from);
			for (const each of kind.open.values()) each.from = Math.max(each.from, from);
			forgetOld(kind, watchedMs, Infinity, from);
		}
	}
}
