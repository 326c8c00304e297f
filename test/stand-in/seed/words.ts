/** The words that seeded records are made of. */
import { between, guid, seeded } from '../random';

/** The day that all seeded dates are based on unless they are to be of today, so that nothing depends on the current date. */
export const EPOCH = Date.parse('2026-01-15T08:00:00.000Z');
export const DAY = 86_400_000;

/** A moment some days before another one, as drawn from the key; none at all for some keys. */
export const daysBefore = (moment: number, key: string, most: number): number =>
	moment - between(seeded(key), 0, most - 1) * DAY;

interface Named {
	name: string;
	id: string;
}

function named(kind: string, [first, ...rest]: readonly [string, ...string[]]): [Named, ...Named[]] {
	const one = (name: string): Named => ({ name, id: guid(`${kind} ${name}`) });
	return [one(first), ...rest.map(one)];
}

/** The words of a text, of which there is one at least. */
export function words(text: string): [string, ...string[]] {
	const [first = '', ...rest] = text.split(' ');
	return [first, ...rest];
}

/** The industries that companies are in. */
export const INDUSTRIES = named('industry', [
	'Finance',
	'Health Care',
	'Manufacturing',
	'Public Sector',
	'Retail',
	'Hospitality',
	'Education',
]);
/** The kinds of licence. */
export const LICENSES = named('license', ['Standard', 'Premium', 'Trial', 'Enterprise']);

export const TAGS = ['nis2', 'vip', 'pilot', 'emea', 'north', 'south', 'annual', 'monthly'] as const;
export const DEPARTMENTS = ['Finance', 'Human Resources', 'IT', 'Marketing', 'Operations', 'Sales'] as const;
export const LANGUAGES = ['en', 'de', 'fr', 'tr', 'nl'] as const;
