import memoize from 'lodash/memoize';

// Jest makes every access to a global slow, so these functions are looked up only once.
const { imul, floor } = Math;

/** Hashes a text to four 32-bit words. That is enough to give every seeded record a different ID. */
function hashKey(key: string): [number, number, number, number] {
	let a = 1779033703;
	let b = 3144134277;
	let c = 1013904242;
	let d = 2773480762;
	for (let i = 0; i < key.length; i++) {
		const k = key.charCodeAt(i);
		a = b ^ imul(a ^ k, 597399067);
		b = c ^ imul(b ^ k, 2869860233);
		c = d ^ imul(c ^ k, 951274213);
		d = a ^ imul(d ^ k, 2716044179);
	}
	a = imul(c ^ (a >>> 18), 597399067);
	b = imul(d ^ (b >>> 22), 2869860233);
	c = imul(a ^ (c >>> 17), 951274213);
	d = imul(b ^ (d >>> 19), 2716044179);
	return [(a ^ b ^ c ^ d) >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0];
}

/** Creates a generator of pseudo-random numbers from 0 to below 1. The same key always gives the same numbers. */
export function createRandom(key: string): () => number {
	let [a, b, c, d] = hashKey(key);
	return () => {
		const t = (a + b + d) | 0;
		d = (d + 1) | 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) | 0;
		c = ((c << 21) | (c >>> 11)) + t;
		c |= 0;
		return (t >>> 0) / 4294967296;
	};
}

/** Makes a GUID-like ID. The same key always gives the same ID. */
export const makeGuid = memoize((key: string): string => {
	const hex = hashKey(key)
		.map((word) => word.toString(16).padStart(8, '0'))
		.join('');
	return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
});

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz0123456789';

/** Makes an ID of twelve letters and digits. The same key always gives the same ID. */
export const makeShortId = memoize((key: string): string => {
	const random = createRandom(`short ${key}`);
	return Array.from({ length: 12 }, () => LETTERS[floor(random() * LETTERS.length)]).join('');
});

/** Makes an ID from a key, in the format of a platform profile. */
export type IdFactory = (key: string) => string;

/** Makes the number that live deployments give a record in addition to its ID. */
export const makeNumericId = memoize((id: string): number => drawInteger(createRandom(`number ${id}`), 1000, 999_999));

/** Picks one of the options at random. */
export function pickOne<T>(random: () => number, options: readonly [T, ...T[]]): T {
	return options[floor(random() * options.length)] ?? options[0];
}

/** Draws a whole number from `low` to `high`, both included. */
export function drawInteger(random: () => number, low: number, high: number): number {
	return low + floor(random() * (high - low + 1));
}
