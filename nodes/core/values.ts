import { deburr } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object with fields, neither null nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list; none, if it is no list. */
export const recordsIn = (list: unknown): Array<Record<string, unknown>> =>
	Array.isArray(list) ? list.filter(isRecord) : [];

/** Whether a value can be converted to text safely; an object's own `toString` may throw. */
export const isScalar = (raw: unknown): raw is string | number | boolean =>
	['string', 'number', 'boolean'].includes(typeof raw);

/**
 * Parses a number in decimal digits. JavaScript's own conversion would also accept 0x5, 1e3 and an empty text.
 * @returns NaN for any other text
 */
export const parseDecimal = (text: string): number => (/^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : NaN);

/** Reads a number that a service may also send as text. @returns NaN for anything else, also for null and an empty text */
export function numberOf(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' ? parseDecimal(value) : NaN;
}

/** Whether nothing was given; blanks alone count as nothing. */
export const isEmpty = (raw: unknown) =>
	raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '');

/** A text as people see it: extra spaces and the way in which ü is encoded make no difference. */
const asSeen = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** A text for comparison: capital letters and accents make no difference either. Small letters first: "İ" is "i", "ẞ" is "ss". */
export const normalized = (text: string) => asSeen(deburr(text.toLowerCase().normalize('NFD')));

/**
 * The things of a name: those that have exactly that name; only if none has, those of a name that is alike.
 * @param alike what two names that are alike have in common
 */
export function havingName<T>(
	things: readonly T[],
	name: string,
	nameOf: (thing: T) => string,
	alike = normalized,
): T[] {
	const exact = things.filter((thing) => asSeen(nameOf(thing)) === asSeen(name));
	return exact.length > 0 ? exact : things.filter((thing) => alike(nameOf(thing)) === alike(name));
}

/** Indexes things by name, for many searches. @returns a function that finds the same things as `havingName` */
export function indexByName<T>(things: readonly T[], nameOf: (thing: T) => string): (name: string) => T[] {
	const exact = new Map<string, T[]>();
	const alike = new Map<string, T[]>();
	for (const thing of things) {
		addTo(exact, asSeen(nameOf(thing)), thing);
		addTo(alike, normalized(nameOf(thing)), thing);
	}
	return (name) => exact.get(asSeen(name)) ?? alike.get(normalized(name)) ?? [];
}

function addTo<T>(lists: Map<string, T[]>, key: string, thing: T): void {
	const list = lists.get(key);
	if (list) list.push(thing);
	else lists.set(key, [thing]);
}

/** NaN and the infinities, which a calculation in an expression may give; JSON has neither. */
export const isNoNumber = (value: unknown) => typeof value === 'number' && !Number.isFinite(value);

/** A value as the json of an n8n item: an object as it is, anything else as the field `name`. */
export function toJson(value: unknown, name = 'value'): IDataObject {
	// Values parsed from JSON are valid in an item's json.
	return (isRecord(value) ? value : { [name]: value }) as IDataObject;
}

/** A record's identity: the first of the fields that has a text or a number. @returns undefined if none has one */
export function identityOf(record: Record<string, unknown>, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value !== '') return value;
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}

/** What the first of these fields has that is not empty. @returns null if all are */
export const valueOf = (record: IDataObject, names: readonly string[]): IDataObject[string] =>
	names.map((name) => record[name]).find((value) => !isEmpty(value)) ?? null;

/** A number with what it counts, for a message: "1 company", "2 companies". @param one the word for one of it */
export const plural = (count: number | string, one: string): string =>
	`${count} ${String(count) === '1' ? one : pluralOf(one)}`;

/** The word for several: "company" → "companies". */
export const pluralOf = (one: string): string => `${one.replace(/([^aeiou])y$/, '$1ie')}s`;

/** Words as the label of a field: "target groups" → "Target Groups". */
export const titleCase = (words: string): string => words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Joins parts for a message: the first ones, 20 unless given, then the number of the others. */
export function listOf(parts: readonly string[], between = ', ', most = 20): string {
	const more = parts.length - most;
	return parts.slice(0, most).join(between) + (more > 0 ? `${between}and ${more} more` : '');
}

/**
 * Escapes a text that n8n's editor renders as HTML: the message or the description of an error, or a hint (n8n-facts 17). Escaping "<"
 * is enough, because every HTML element begins with it.
 */
export const escapeHtml = (text: string): string => text.replaceAll('<', '&lt;');

/** Replaces secrets in a text by •••; not shorter ones than 4 characters, because harmless words would go as well. */
export const redact = (text: string, secrets: Iterable<string>): string =>
	[...secrets]
		.filter((secret) => secret.trim().length >= 4)
		// The longer one first, where one is the beginning of another.
		.sort((one, other) => other.length - one.length)
		.reduce((clean, secret) => clean.split(secret.trim()).join('•••'), text);

/** Parses JSON without throwing. @returns the value, or the parser's words on why the text is not JSON */
export function tryJson(text: string): { value: unknown } | { reason: string } {
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		return { reason: error instanceof Error ? error.message : 'it cannot be read' };
	}
}

/** Matches a date without a time of day. Some platforms write it as midnight without a time zone. */
const BARE_DAY = /^\s*\d{4}-\d{2}-\d{2}(T00:00(:00(\.0+)?)?)?\s*$/;

export const isBareDay = (value: unknown): value is string => typeof value === 'string' && BARE_DAY.test(value);

/**
 * Reads the last moment of a date from the platform, such as a due date or the end of a license. A day without a time ends at midnight
 * in `timezone`. A time without a zone is UTC, like all times of the contract (2).
 * @param timezone the IANA name of the workflow's time zone
 * @returns a date in `timezone`; if the value is no date, an invalid one, which is neither before nor after any other
 */
export function readLastMoment(value: unknown, timezone: string): DateTime {
	if (isBareDay(value)) return DateTime.fromISO(value.trim(), { zone: timezone }).endOf('day');
	return DateTime.fromISO(typeof value === 'string' ? value : '', { zone: 'utc' }).setZone(timezone);
}

/**
 * Formats a time for a message: "3 May 2026, 14:05 (Europe/Berlin)".
 * @param ms since 1970
 * @returns undefined for a time that is too late for a calendar
 */
export function formatTime(ms: number, timezone: string): string | undefined {
	const time = DateTime.fromMillis(ms, { zone: timezone, locale: 'en' });
	return time.isValid ? `${time.toFormat('d LLLL yyyy, HH:mm')} (${timezone})` : undefined;
}

/** A text whose middle is masked, as in a****m; two stars are no mask, because people write them. */
const MASKED = /^[^\s*]+\*{3,}[^\s*]+$/;

/** Returns true if a value, or a part of it, is personal data that the platform masks (deployment activity, 5). */
export function isMasked(value: unknown): boolean {
	if (typeof value === 'string') return MASKED.test(value.trim());
	return typeof value === 'object' && value !== null && Object.values(value).some(isMasked);
}

/** A thing that can be chosen, such as a company. */
export interface Choice {
	id: string;
	/** As the service calls it; empty where only the ID is known. */
	name: string;
}
