import { deburr } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

/** Returns true for an object that is neither null nor an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the objects in a list and drops all other entries. Returns an empty list if the value isn't an array. */
export const filterRecords = (list: unknown): Array<Record<string, unknown>> =>
	Array.isArray(list) ? list.filter(isRecord) : [];

/** Returns true for a text, a number or a boolean. `String()` is safe for these, but may throw for an object. */
export const isScalar = (raw: unknown): raw is string | number | boolean =>
	['string', 'number', 'boolean'].includes(typeof raw);

/**
 * Parses a number in decimal notation. Unlike `Number()`, it rejects 0x5, 1e3 and an empty text.
 * @returns NaN for any other text
 */
export const parseDecimal = (text: string): number => (/^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : NaN);

/** Reads a number that the platform may also send as text. @returns NaN for anything else, including null and an empty text */
export function parseNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' ? parseDecimal(value) : NaN;
}

/** Returns true for undefined, null, and a text that is empty or only has spaces. */
export const isEmpty = (raw: unknown) =>
	raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '');

/** Removes differences that a reader can't see: extra spaces, and the two ways to encode a letter such as ü. */
const normalizeSpelling = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/**
 * Normalizes a text for a comparison that ignores capitals, accents and extra spaces. It lowercases before it removes the accents, so
 * that "İ" becomes "i" and "ẞ" becomes "ss".
 */
export const normalizeText = (text: string) => normalizeSpelling(deburr(text.toLowerCase().normalize('NFD')));

/**
 * Finds the entries with this name. If no entry has exactly this name, finds the entries with a similar name.
 * @param normalize turns a name into a text. Two names are similar if their texts are equal.
 */
export function findByName<T>(
	entries: readonly T[],
	name: string,
	getName: (entry: T) => string,
	normalize = normalizeText,
): T[] {
	const exactMatches = entries.filter((entry) => normalizeSpelling(getName(entry)) === normalizeSpelling(name));
	if (exactMatches.length > 0) return exactMatches;
	return entries.filter((entry) => normalize(getName(entry)) === normalize(name));
}

/** Indexes entries by name, which makes many searches fast. @returns a function that finds the same entries as `findByName` */
export function indexByName<T>(entries: readonly T[], getName: (entry: T) => string): (name: string) => T[] {
	const entriesByExactName = new Map<string, T[]>();
	const entriesBySimilarName = new Map<string, T[]>();
	for (const entry of entries) {
		addToList(entriesByExactName, normalizeSpelling(getName(entry)), entry);
		addToList(entriesBySimilarName, normalizeText(getName(entry)), entry);
	}
	return (name) =>
		entriesByExactName.get(normalizeSpelling(name)) ?? entriesBySimilarName.get(normalizeText(name)) ?? [];
}

/** Appends a value to the list under a key, and creates the list if there is none. */
function addToList<T>(listsByKey: Map<string, T[]>, key: string, value: T): void {
	const list = listsByKey.get(key);
	if (list) list.push(value);
	else listsByKey.set(key, [value]);
}

/** Returns true for NaN and the infinities. An expression may calculate them, but JSON can't represent them. */
export const isNonFiniteNumber = (value: unknown) => typeof value === 'number' && !Number.isFinite(value);

/** Converts a value to the json of an n8n item. An object stays unchanged. Any other value becomes the field `fieldName`. */
export function toItemJson(value: unknown, fieldName = 'value'): IDataObject {
	// The cast is safe, because values that were parsed from JSON are valid in an item's json.
	return (isRecord(value) ? value : { [fieldName]: value }) as IDataObject;
}

/** Copies an object without the properties whose value is undefined. */
export const omitUndefined = <T extends object>(object: T): OmitUndefined<T> =>
	Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as OmitUndefined<T>;

/** The type of an object without undefined values: a property that may be undefined becomes optional. */
type OmitUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
	[K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Reads the ID of a record. It is the value of the first field in `fieldNames` that has a number, or a text that isn't empty.
 * @returns undefined if there is no such field
 */
export function readId(record: Record<string, unknown>, fieldNames: readonly string[]): string | undefined {
	for (const fieldName of fieldNames) {
		const value = record[fieldName];
		if (typeof value === 'string' && value !== '') return value;
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}

/** Returns the value of the first field in `fieldNames` that isn't empty, or null if all of them are empty. */
export const readFirstValue = (record: IDataObject, fieldNames: readonly string[]): IDataObject[string] =>
	fieldNames.map((fieldName) => record[fieldName]).find((value) => !isEmpty(value)) ?? null;

/** Formats a number and its noun for a message: "1 company", "2 companies". @param noun in the singular */
export const formatCount = (count: number | string, noun: string): string =>
	`${count} ${String(count) === '1' ? noun : toPlural(noun)}`;

/**
 * Names an input item in a message, counted from 1 as people count: "item 2 of 3". The total shows that the count doesn't begin at 0, as
 * it does in n8n's own messages.
 * @param itemIndex the item's index, counted from 0 as n8n does
 */
export const formatItemNumber = (itemIndex: number, itemCount: number): string =>
	`item ${itemIndex + 1} of ${itemCount}`;

/** Returns the plural of a noun: "company" becomes "companies", "status" becomes "statuses", and "person" becomes "people". */
export function toPlural(noun: string): string {
	if (noun.endsWith('person')) return noun.replace(/person$/, 'people');
	if (noun.endsWith('s')) return `${noun}es`;
	return `${noun.replace(/([^aeiou])y$/, '$1ie')}s`;
}

/** Capitalizes each word, as in a field's label: "target groups" becomes "Target Groups". */
export const toTitleCase = (words: string): string => words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/**
 * Joins entries for a message. If there are more than `maxCount` entries, the rest is only counted: "a, b, and 3 more".
 */
export function formatList(entries: readonly string[], separator = ', ', maxCount = 20): string {
	const restCount = entries.length - maxCount;
	const restText = restCount > 0 ? `${separator}and ${restCount} more` : '';
	return entries.slice(0, maxCount).join(separator) + restText;
}

/**
 * Escapes a text that n8n's editor renders as HTML, such as the message or description of an error, or a hint (n8n 10). Escaping
 * "<" is enough, because every HTML element begins with it.
 */
export const escapeHtml = (text: string): string => text.replaceAll('<', '&lt;');

/** Replaces secrets in a text by •••. Secrets of fewer than 4 characters stay in the text, because harmless words may contain them. */
export const redact = (text: string, secrets: Iterable<string>): string =>
	[...secrets]
		.filter((secret) => secret.trim().length >= 4)
		// A longer secret may begin with a shorter one, so the longer one is replaced first.
		.sort((secret, otherSecret) => otherSecret.length - secret.length)
		.reduce((redacted, secret) => redacted.split(secret.trim()).join('•••'), text);

/** Parses JSON without throwing an error. @returns the value, or the reason why the text isn't JSON */
export function tryParseJson(text: string): { value: unknown } | { reason: string } {
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		return { reason: error instanceof Error ? error.message : 'it cannot be read' };
	}
}

/** Reads a time of the platform. A time without a time zone is UTC (contract 2). @returns ms since 1970; null if there is no such time */
export function parseTimeMs(time: unknown): number | null {
	const ms = DateTime.fromISO(typeof time === 'string' ? time : '', { zone: 'utc' }).toMillis();
	return Number.isNaN(ms) ? null : ms;
}

/** Matches a date without a time of day. Some platforms write such a date as midnight without a time zone. */
const DATE_ONLY = /^\s*\d{4}-\d{2}-\d{2}([T ]00:00(:00(\.0+)?)?)?\s*$/;

/** Returns true for a text that is a date without a time of day. */
export const isDateOnly = (value: unknown): value is string => typeof value === 'string' && DATE_ONLY.test(value);

/**
 * Reads the last moment of a date from the platform, such as a due date or the end of a license. A date without a time of day lasts
 * until midnight in `timezone`. A time without a time zone is UTC, like all times of the contract (contract 2).
 * @param timezone the IANA name of the workflow's time zone
 * @returns the moment in `timezone`, or an invalid DateTime if the value isn't a date. An invalid one is neither before nor after any other.
 */
export function readLastMoment(value: unknown, timezone: string): DateTime {
	if (isDateOnly(value)) return DateTime.fromISO(value.trim().slice(0, 10), { zone: timezone }).endOf('day');
	return DateTime.fromISO(typeof value === 'string' ? value : '', { zone: 'utc' }).setZone(timezone);
}

/**
 * Formats a time for a message: "3 May 2026, 14:05 (Europe/Berlin)".
 * @param ms the time in ms since 1970
 * @returns undefined if the time is outside the range of dates
 */
export function formatTime(ms: number, timezone: string): string | undefined {
	const time = DateTime.fromMillis(ms, { zone: timezone, locale: 'en' });
	return time.isValid ? `${time.toFormat('d LLLL yyyy, HH:mm')} (${timezone})` : undefined;
}

/** Matches a text with masked parts, as in a****m or a****m@o****e. Two stars aren't a mask, because people type them. */
const MASKED_TEXT = /^[^\s*]+(\*{3,}[^\s*]+)+$/;
/** Matches an email address with a masked part that may be masked from its beginning to its end, as in ****@example.com. */
const MASKED_EMAIL = /^(?=\S*\*{3})[^\s@]+@[^\s@]+$/;

/** Returns true if a value, or a part of it, is personal data that the platform masks (deployment activity 5). */
export function isMasked(value: unknown): boolean {
	if (typeof value === 'string') return MASKED_TEXT.test(value.trim()) || MASKED_EMAIL.test(value.trim());
	return typeof value === 'object' && value !== null && Object.values(value).some(isMasked);
}

/** The ID and the name of something that a user can choose, such as a company. */
export interface Choice {
	id: string;
	/** The name on the platform. It is empty if only the ID is known. */
	name: string;
}
