/** The words and dates that seeded records are made of. */
import { drawInteger, makeGuid, createRandom } from '../random';

/** The fixed day that seeded dates are relative to by default, so that no test depends on the current date. */
export const EPOCH = Date.parse('2026-01-15T08:00:00.000Z');
export const DAY_MS = 86_400_000;

/**
 * Returns a time that is up to `dayCount - 1` days before `time`, at the same time of day. The key determines the
 * number of days.
 */
export function drawEarlierDay(time: number, key: string, dayCount: number): number {
	return time - drawInteger(createRandom(key), 0, dayCount - 1) * DAY_MS;
}

interface NamedEntry {
	name: string;
	id: string;
}

function buildNamedEntries(kind: string, names: readonly [string, ...string[]]): [NamedEntry, ...NamedEntry[]] {
	const [firstName, ...otherNames] = names;
	const buildEntry = (name: string): NamedEntry => ({ name, id: makeGuid(`${kind} ${name}`) });
	return [buildEntry(firstName), ...otherNames.map(buildEntry)];
}

/** Splits a text at its spaces. The result has at least one word. */
export function splitWords(text: string): [string, ...string[]] {
	const [firstWord = '', ...otherWords] = text.split(' ');
	return [firstWord, ...otherWords];
}

export const INDUSTRIES = buildNamedEntries('industry', [
	'Finance',
	'Health Care',
	'Manufacturing',
	'Public Sector',
	'Retail',
	'Hospitality',
	'Education',
]);
/** The license types that companies can have. */
export const LICENSES = buildNamedEntries('license', ['Standard', 'Premium', 'Trial', 'Enterprise']);

export const TAGS = ['nis2', 'vip', 'pilot', 'emea', 'north', 'south', 'annual', 'monthly'] as const;
export const DEPARTMENTS = ['Finance', 'Human Resources', 'IT', 'Marketing', 'Operations', 'Sales'] as const;
export const LANGUAGES = ['en', 'de', 'fr', 'tr', 'nl'] as const;
