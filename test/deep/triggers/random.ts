/** Random numbers that a seed repeats, so that a history that fails can be run again. */
export class Random {
	private state: number;

	constructor(seed: number) {
		this.state = (seed ^ 0x9e3779b9) >>> 0;
	}

	/** From 0 up to 1, without 1 (mulberry32). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = this.state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** A whole number from `from` to `to`, both included. */
	int(from: number, to: number): number {
		return from + Math.floor(this.next() * (to - from + 1));
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(all: readonly [T, ...T[]]): T {
		return all[this.int(0, all.length - 1)] ?? all[0];
	}

	/** Picks one of several by weight. */
	weighted<T>(all: ReadonlyArray<readonly [number, T]>): T {
		const total = all.reduce((sum, [weight]) => sum + weight, 0);
		let left = this.next() * total;
		for (const [weight, value] of all) {
			left -= weight;
			if (left < 0) return value;
		}
		throw new Error('There is nothing to pick from');
	}

	shuffled<T>(all: readonly T[]): T[] {
		const keyed = all.map((value) => ({ value, key: this.next() }));
		return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
	}
}
