import { HOUR_MS, MAX_STATE_BYTES, packState, type KindState, type State } from './state';

/** How many records without a usable create time are remembered, by all lists of a trigger together. */
export const MOST_TIMELESS = 20_000;

const inTime = (from: number, hour: number) => hour === 0 || (hour + 1) * HOUR_MS > from;

/** Forgets records that are older than the windows, listed or not, and those without times that no list is remembered by. */
function forgetOld({ from, since, companies, hasUnread, open, known, timeless, waiting }: KindState): void {
	// A record that was given from the search for all companies must not be given again from a company's list.
	const isCompared = hasUnread || [...companies.values()].includes(false);
	const needed = [...open.values()].map((each) => each.from);
	const oldest = Math.min(from, ...needed, isCompared ? since : Infinity);
	const listed = new Set([...timeless.values()].flatMap(({ ids }) => ids));
	for (const [id, { hour }] of known)
		if (!waiting.has(id) && (!inTime(oldest, hour) || (hour === 0 && !listed.has(id)))) known.delete(id);
}

/** Limits the records without create times that are remembered: each list keeps its newest. @returns whether a list lost some */
function shareOut(state: State): boolean {
	const lists = [...state.values()].flatMap(({ timeless }) => [...timeless.values()]);
	lists.sort((one, other) => one.ids.length - other.ids.length);
	let left = MOST_TIMELESS;
	let wasCut = false;
	for (const [index, list] of lists.entries()) {
		const share = Math.floor(left / (lists.length - index));
		if (list.ids.length > share) {
			wasCut ||= list.isWhole;
			list.isWhole = false;
			list.ids.length = share;
		}
		left -= list.ids.length;
	}
	return wasCut;
}

/**
 * Forgets what is not needed, and keeps a state within its bounds: beyond them the oldest records go, and with them the
 * window that they were kept for, so that what is forgotten is never given twice.
 * @param warn told what was lost by it
 */
export function keepWithinBounds(state: State, warn: (message: string) => void, most = MAX_STATE_BYTES): void {
	if (shareOut(state))
		warn(
			`More than ${MOST_TIMELESS.toLocaleString('en')} records without a create time: the newest of each list are remembered, so one that appears after them in its list is missed.`,
		);
	for (const kind of state.values()) forgetOld(kind);
	const sizeOf = (each: State) => Buffer.byteLength(JSON.stringify(packState(each)));
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
			for (const name of ['from', 'since'] as const) kind[name] = Math.max(kind[name], from);
			for (const each of kind.open.values()) each.from = Math.max(each.from, from);
			forgetOld(kind);
		}
	}
	// What remains is which companies' lists were read; without it they count as never read.
	if (sizeOf(state) > most) for (const { companies } of state.values()) companies.clear();
}
