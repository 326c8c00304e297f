import type { Clock } from './clock';
import { lateMsOf } from './rounds';
import type { Run } from './run';
import { HOUR_MS } from './state';

/** What decides which records are news. */
export interface NewsRules {
	clock: Clock;
	/** How late a record may show up. */
	lateMs: number;
	/** The same, or for how long its status is watched. */
	windowMs: number;
	watchesStatus: boolean;
	alsoFirstSeen: boolean;
	/** 'Emit Existing Since', in ms. */
	existingSince?: number | undefined;
	warn: (message: string) => void;
}

/** The rules of a poll. */
export function rulesOf(run: Run): NewsRules {
	const { watchesStatus, alsoFirstSeen, options } = run.choices;
	// An hour more for what one reading missed as pages shifted.
	const lateMs = lateMsOf(run.choices) + HOUR_MS;
	return {
		...{ clock: run.clock, lateMs, watchesStatus, alsoFirstSeen, warn: (message) => run.warn(message) },
		windowMs: watchesStatus ? ((options.watchedDays ?? 30) * 24 + 1) * HOUR_MS : lateMs,
		existingSince: watchesStatus || !options.emitExistingSince ? undefined : Date.parse(options.emitExistingSince),
	};
}
