import type { Clock } from './clock';
import { lateMsOf } from './rounds';
import type { Run } from './run';
import { HOUR_MS } from './state';

const DAY_MS = 24 * HOUR_MS;

/** What decides which records are news. */
export interface NewsRules {
	clock: Clock;
	/** How late a record may show up. */
	windowMs: number;
	/** For how much longer its status is watched. */
	watchedMs: number;
	watchesStatus: boolean;
	alsoFirstSeen: boolean;
	/** 'Emit Existing Since', in ms. */
	existingSince?: number | undefined;
	warn: (message: string) => void;
}

/** The rules of a poll. */
export function rulesOf(run: Run): NewsRules {
	const { watchesStatus, alsoFirstSeen, options } = run.choices;
	const watched = watchesStatus ? (options.watchedDays ?? 30) * DAY_MS : 0;
	const late = lateMsOf(run.choices);
	return {
		...{ clock: run.clock, watchesStatus, alsoFirstSeen, warn: (message) => run.warn(message) },
		// An hour more for what one reading missed as pages shifted.
		...{ windowMs: late + HOUR_MS, watchedMs: Math.max(0, watched - late) },
		existingSince: watchesStatus || !options.emitExistingSince ? undefined : Date.parse(options.emitExistingSince),
	};
}
