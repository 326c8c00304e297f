import { DateTime } from 'luxon';

import { fold } from '../answer/fileName';

/** A span of time in ms since 1970; its end is not part of it. */
export interface Window {
	from: number;
	until: number;
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';
type Reckon = (now: DateTime) => { from: DateTime; until: DateTime };

/** The last days until now, from midnight. */
const lastDays =
	(days: number): Reckon =>
	(now) => ({ from: now.minus({ days }).startOf('day'), until: now });
/** The current week, month, ... from its beginning until now. */
const current =
	(unit: Unit): Reckon =>
	(now) => ({ from: now.startOf(unit), until: now });
/** The whole week, month, ... before the current one. */
const previous =
	(unit: Unit): Reckon =>
	(now) => ({ from: now.startOf(unit).minus({ [unit]: 1 }), until: now.startOf(unit) });

interface Period {
	name: string;
	description?: string;
	reckon: Reckon;
}

/** The periods that depend on the current date in the workflow's time zone, by the value in saved workflows. */
const PERIODS = {
	last7Days: { name: 'Last 7 Days', description: 'From midnight, seven days ago, until now', reckon: lastDays(7) },
	last30Days: { name: 'Last 30 Days', reckon: lastDays(30) },
	last90Days: { name: 'Last 90 Days', reckon: lastDays(90) },
	last12Months: {
		name: 'Last 12 Months',
		reckon: (now) => ({ from: now.minus({ months: 12 }).startOf('day'), until: now }),
	},
	lastWeek: { name: 'Last Week', description: 'The whole week before this one, from Monday', reckon: previous('week') },
	lastMonth: {
		name: 'Last Month',
		description: 'The whole calendar month before this one',
		reckon: previous('month'),
	},
	lastQuarter: { name: 'Last Quarter', reckon: previous('quarter') },
	lastYear: { name: 'Last Year', reckon: previous('year') },
	thisWeek: { name: 'This Week', description: 'From Monday until now', reckon: current('week') },
	thisMonth: { name: 'This Month', description: 'From its first day until now', reckon: current('month') },
	thisQuarter: { name: 'This Quarter', reckon: current('quarter') },
	thisYear: { name: 'This Year', reckon: current('year') },
	today: { name: 'Today', reckon: current('day') },
	yesterday: { name: 'Yesterday', reckon: previous('day') },
} satisfies Record<string, Period>;

export type RelativePeriod = keyof typeof PERIODS;

const isRelativePeriod = (word: string): word is RelativePeriod => Object.hasOwn(PERIODS, word);
const ALL = Object.keys(PERIODS).filter(isRelativePeriod);

/** All periods in the order of the list above, for a field's options. */
export const relativePeriods = (): Array<{ name: string; value: RelativePeriod; description?: string }> =>
	ALL.map((value) => {
		const { name, description }: Period = PERIODS[value];
		return { name, value, ...(description ? { description } : {}) };
	});

const plain = (text: string) => fold(text).replace(/[\s_-]/g, '');

/** The period that a word means, as it is saved or as it is shown, whatever its case: "last month". */
export function relativePeriodOf(word: string): RelativePeriod | undefined {
	const wanted = plain(word);
	return ALL.find((value) => [value, PERIODS[value].name].some((each) => plain(each) === wanted));
}

/** What a period is called in the list. */
export const relativePeriodName = (period: RelativePeriod): string => PERIODS[period].name;

/**
 * The dates of a period. Days, weeks, ... begin at midnight in the time zone, also where its clocks change.
 * @param timezone the IANA name of the workflow's time zone
 * @param now the current time, in ms since 1970
 */
export function windowOfPeriod(period: RelativePeriod, timezone: string, now: number): Window {
	const { from, until } = PERIODS[period].reckon(DateTime.fromMillis(now, { zone: timezone }));
	return { from: from.toMillis(), until: until.toMillis() };
}
