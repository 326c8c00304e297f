/** How alike two names are at least, from 0 to 1, to be named as similar. */
const ALIKE = 0.4;

/** Those of some things whose names are similar to a text, the most similar first. Names are compared as they are. */
export const similarTo = <T>(wanted: string, things: readonly T[], nameOf: (thing: T) => string): T[] =>
	things
		.map((thing) => {
			const name = nameOf(thing);
			return { thing, alike: likeness(wanted, name), further: Math.abs(name.length - wanted.length) };
		})
		.filter(({ alike }) => alike >= ALIKE)
		.sort((one, other) => other.alike - one.alike || one.further - other.further)
		.map(({ thing }) => thing);

/** How alike two names are, from 0 to 1: the share of their pairs of letters that both have; 1 if one contains the other. */
function likeness(one: string, other: string): number {
	if (one === '' || other === '') return 0;
	if (one.includes(other) || other.includes(one)) return 1;
	const [pairs, left] = [pairsOf(one), pairsOf(other)];
	const all = pairs.length + left.length;
	let shared = 0;
	for (const pair of pairs) {
		const at = left.indexOf(pair);
		if (at < 0) continue;
		left.splice(at, 1);
		shared++;
	}
	return (2 * shared) / all;
}

const pairsOf = (text: string) => Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2));
