import memoize from 'lodash/memoize';

// Held here because a test runner makes every look at a global slow.
const { imul, floor } = Math;

/** Four 32-bit words for a text: wide enough that no two seeded records ever share an id. */
function words(key: string): [number, number, number, number] {
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

/** A random generator that always gives the same numbers (0 to below 1) for the same key. */
export function seeded(key: string): () => number {
	let [a, b, c, d] = words(key);
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

/** An opaque, GUID-like identifier that is always the same for the same key. */
export const guid = memoize((key: string): string => {
	const hex = words(key)
		.map((word) => word.toString(16).padStart(8, '0'))
		.join('');
	return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
});

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz0123456789';

/** An identifier of twelve letters and digits that is always the same for the same key. */
export const shortId = memoize((key: string): string => {
	const next = seeded(`short ${key}`);
	return Array.from({ length: 12 }, () => LETTERS[floor(next() * LETTERS.length)]).join('');
});

/** How a deployment makes an identifier of a key. */
export type MakeId = (key: string) => string;

/** The number that a deployment has for something beside its identifier. */
export const numericId = memoize((id: string): number => between(seeded(`number ${id}`), 1000, 999_999));

/** One of the given things. */
export function pick<T>(next: () => number, from: readonly [T, ...T[]]): T {
	return from[floor(next() * from.length)] ?? from[0];
}

/** A whole number from low to high, both included. */
export function between(next: () => number, low: number, high: number): number {
	return low + floor(next() * (high - low + 1));
}
