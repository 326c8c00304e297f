import { omit } from 'lodash';
import { DateTime } from 'luxon';

import { InvalidInput } from '../http/errors';
import { mustHaveValue, mustHaveValues, showWhen, type Field, type Values } from './field';
import { choice, dateTime, locatorValue, parseText, shown } from './fieldTypes';
import { formatTime, isEmpty, normalized } from '../values';

/** A span of time in ms since 1970; its end is not part of it. */
export interface Window {
	from: number;
	until: number;
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';
type Reckon = (now: DateTime) => { from: DateTime; until: DateTime };

/** The last days or months until now, from midnight. */
const last =
	(span: { days?: number; months?: number }): Reckon =>
	(now) => ({ from: now.minus(span).startOf('day'), until: now });
/** The current week, month, ... from its beginning until now. */
const current =
	(unit: Unit): Reckon =>
	(now) => ({ from: now.startOf(unit), until: now });
/** The whole week, month, ... before the current one. */
const previous =
	(unit: Unit): Reckon =>
	(now) => ({ from: now.startOf(unit).minus({ [unit]: 1 }), until: now.startOf(unit) });

/** The periods that depend on the current date in the workflow's time zone, by the value in saved workflows. */
const PERIODS = [
	{ name: 'Last 12 Months', description: 'Up to now', value: 'last12Months', reckon: last({ months: 12 }) },
	{ name: 'Last 30 Days', value: 'last30Days', reckon: last({ days: 30 }) },
	{ name: 'Last 7 Days', value: 'last7Days', reckon: last({ days: 7 }) },
	{ name: 'Last 90 Days', value: 'last90Days', reckon: last({ days: 90 }) },
	{ name: 'Last Month', value: 'lastMonth', reckon: previous('month') },
	{ name: 'Last Quarter', value: 'lastQuarter', reckon: previous('quarter') },
	{ name: 'Last Week', value: 'lastWeek', reckon: previous('week') },
	{ name: 'Last Year', description: 'The last calendar year', value: 'lastYear', reckon: previous('year') },
	{ name: 'This Month', value: 'thisMonth', reckon: current('month') },
	{ name: 'This Quarter', value: 'thisQuarter', reckon: current('quarter') },
	{ name: 'This Week', value: 'thisWeek', reckon: current('week') },
	{ name: 'This Year', value: 'thisYear', reckon: current('year') },
	{ name: 'Today', value: 'today', reckon: current('day') },
	{ name: 'Yesterday', value: 'yesterday', reckon: previous('day') },
] as const;

const OPTIONS = PERIODS.map((period) => omit(period, 'reckon'));

/** The dates of a period. Days, weeks, ... begin at midnight in the time zone, also where its clocks change; weeks on Monday. */
function windowOfPeriod({ reckon }: (typeof PERIODS)[number], timezone: string, now = Date.now()): Window {
	const { from, until } = reckon(DateTime.fromMillis(now, { zone: timezone }));
	return { from: from.toMillis(), until: until.toMillis() };
}

/**
 * Refuses an end before its start. Both are ISO 8601 in UTC, so they can be compared as text.
 * @param path leads to the end's field, for the error
 */
export function checkOrder(start: string | undefined, end: string | undefined, path: string[]): void {
	if (start !== undefined && end !== undefined && end < start)
		throw new InvalidInput('must not be before the start date', path);
}

/** How long ago a start date may be, in ms: some time passes between `$now` and the request, and clocks differ. */
const START_TOLERANCE_MS = 5 * 60_000;

const isPast = (start: string) => Date.parse(start) < Date.now() - START_TOLERANCE_MS;

function createPastError(timezone: string, path: string[]): InvalidInput {
	return new InvalidInput(
		`must not be in the past: it is now ${formatTime(Date.now(), timezone)}`,
		path,
		'Enter a later date, or {{ $now }} to start at once. Check in which time zone the date is read.',
	);
}

/**
 * Refuses a start date that has passed.
 * @param start ISO 8601; nothing is refused without one
 * @param timezone the time zone of the time in the error
 * @param path leads to the date's field, for the error
 * @throws InvalidInput
 */
export function checkUpcoming(start: string | undefined, timezone: string, path: string[]): void {
	if (start !== undefined && isPast(start)) throw createPastError(timezone, path);
}

/**
 * Refuses a start date that has passed, unless the record already has that date.
 * @param readStored reads the date in the record; only called if the new date has passed
 * @throws InvalidInput, and what `readStored` throws
 */
export async function checkNewStart(
	start: string | undefined,
	timezone: string,
	path: string[],
	readStored: () => Promise<unknown>,
): Promise<void> {
	if (start === undefined || !isPast(start)) return;
	const stored = await readStored();
	const readings = ['utc', timezone].map((zone) => DateTime.fromISO(String(stored), { zone }).toMillis());
	if (!readings.includes(Date.parse(start))) throw createPastError(timezone, path);
}

/** Whether a time, ISO 8601 and without a zone in UTC, is in a span; what has no time is kept. */
export function isWithin(time: string | undefined, { from, until }: Window): boolean {
	const at = DateTime.fromISO(time ?? '', { zone: 'utc' }).toMillis();
	return Number.isNaN(at) || (at >= from && at < until);
}

const ONLY_CUSTOM = { period: ['custom'] };

/** The fields for a time span that the node itself looks at. */
export const windowFields = mustHaveValues({
	period: choice({
		displayName: 'Period',
		description: "The period that the report covers, in the workflow's time zone",
		default: 'lastMonth',
		options: [{ name: 'Custom', value: 'custom', description: 'The dates that you enter below' }, ...OPTIONS],
	}),
	periodStart: showWhen(
		ONLY_CUSTOM,
		dateTime({
			displayName: 'Start Date',
			description: 'The first moment to report on; empty means from the beginning',
		}),
	),
	periodEnd: showWhen(
		ONLY_CUSTOM,
		dateTime({ displayName: 'End Date', description: 'The moment to report up to; empty means until now' }),
	),
});

/** The time span that was chosen; without a start date, from is -Infinity. @throws InvalidInput for an end before the start */
export function windowOf(
	{ period, periodStart, periodEnd }: Values<typeof windowFields>,
	timezone: string,
	now = Date.now(),
): Window {
	const relative = PERIODS.find(({ value }) => value === period);
	if (relative) return windowOfPeriod(relative, timezone, now);
	checkOrder(periodStart, periodEnd, ['periodEnd']);
	return { from: periodStart ? Date.parse(periodStart) : -Infinity, until: periodEnd ? Date.parse(periodEnd) : now };
}

/** A time span in words, by its days: " from 1 July 2026 to 30 September 2026". */
export function shownPeriod({ from, until }: Window, timezone: string): string {
	const day = (ms: number) => DateTime.fromMillis(ms, { zone: timezone, locale: 'en' }).toFormat('d LLLL yyyy');
	// The end is not part of it: midnight is the end of the day before.
	return `${from === -Infinity ? '' : ` from ${day(from)}`}${from === -Infinity ? ' until' : ' to'} ${day(until - 1)}`;
}

/** Parses a month. @returns YYYY-MM @throws InvalidInput */
export function parseMonth(raw: unknown): string {
	const month = parseText(raw).trim();
	if (/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
	throw new InvalidInput(`must be a month such as 2026-01, but is ${shown(raw)}`);
}

/** A period in a request body (contract 4.10): dates, ISO 8601 in UTC, or a platform's own word. */
type PeriodBody = { datePeriod?: string | number; startDate: string | null; endDate: string | null };

/** The platform's own periods of an executive report, by their numbers (deployment activity, 3). */
const EXECUTIVE = ['Last Month', 'Last 3 Months', 'Last 6 Months', 'Last Year', 'This Year', 'Custom'].map(
	(name, number) => ({
		name: `${name} (Platform)`,
		value: String(number),
		...(name === 'Custom' ? { description: 'The dates that you enter besides' } : {}),
	}),
);

/** Ours are sent as dates alone, because of the leaderboard no document has the words that a platform knows. */
const datePeriodOf = (ofPlatform: typeof EXECUTIVE): Field<PeriodBody | undefined> => ({
	property: {
		displayName: 'Date Period',
		description:
			"A period up to today, in the workflow's time zone. An expression may give the platform's own word for one.",
		type: 'options',
		options: [...OPTIONS, ...ofPlatform].sort((one, other) => one.name.localeCompare(other.name)),
		default: 'lastMonth',
	},
	parse: (raw, { timezone }) => {
		const word = parseText(locatorValue(raw)).trim();
		if (isEmpty(word)) return undefined;
		const period = PERIODS.find(({ name, value }) =>
			[name, value].some((each) => normalized(each) === normalized(word)),
		);
		const isNumber = ofPlatform.some(({ value }) => value === word);
		if (!period) return { datePeriod: isNumber ? Number(word) : word, startDate: null, endDate: null };
		const { from, until } = windowOfPeriod(period, timezone);
		// A period that is over ends before the next one begins.
		const end = until < Date.now() ? until - 1 : until;
		return { startDate: new Date(from).toISOString(), endDate: new Date(end).toISOString() };
	},
});

/** The fields for the period of a report that the platform makes. */
export const reportPeriod = mustHaveValues({
	datePeriod: datePeriodOf([]),
	startDate: dateTime({ displayName: 'Start Date', description: 'The first moment to report on' }),
	endDate: dateTime({ displayName: 'End Date', description: 'The last moment to report on' }),
});

/** The same for the executive report. */
export const executivePeriod = { ...reportPeriod, datePeriod: mustHaveValue(datePeriodOf(EXECUTIVE)) };

/**
 * The period in a request body.
 * @param block the name of the collection with these fields, for the error
 * @throws InvalidInput for an end before the start, or for dates beside a period that has its own
 */
export function periodBody(
	{ datePeriod: period, startDate, endDate }: Partial<Values<typeof reportPeriod>>,
	block = 'options',
): PeriodBody {
	checkOrder(startDate, endDate, [block, 'endDate']);
	const entered = { startDate: startDate ?? null, endDate: endDate ?? null };
	if (!period || (startDate === undefined && endDate === undefined)) return period ?? entered;
	if (period.datePeriod !== undefined) return { ...period, ...entered };
	throw new InvalidInput(
		'has dates of its own, so there can be no others',
		[block, 'datePeriod'],
		"Remove 'Start Date' and 'End Date', or remove 'Date Period'.",
	);
}
