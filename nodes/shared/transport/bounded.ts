/**
 * The one budget of requests in flight of a node run. However items, companies and pages nest, only a request holds
 * a slot, so nothing can wait for itself.
 */
export class Slots {
	private free: number;
	private readonly waiting: Array<() => void> = [];

	constructor(readonly size: number) {
		this.free = size;
	}

	/** Runs `work` as soon as a slot is free, first come, first served. */
	async use<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.free++;
		}
	}
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown };

/**
 * Runs `work` for every entry, at most `width` at once, and gives the outcomes in the entries' order.
 * @param goOn asked before each entry starts; false leaves the rest out (they have no outcome)
 */
export async function mapBounded<S, T>(
	entries: readonly S[],
	width: number,
	work: (entry: S, index: number) => Promise<T>,
	goOn: () => boolean = () => true,
): Promise<Array<Outcome<T>>> {
	const outcomes: Array<Outcome<T>> = [];
	const upcoming = entries.entries();
	const lane = async () => {
		for (const [index, entry] of upcoming) {
			if (!goOn()) return;
			outcomes[index] = await work(entry, index).then(
				(value) => ({ ok: true as const, value }),
				(error: unknown) => ({ ok: false as const, error }),
			);
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, entries.length) }, lane));
	return outcomes;
}
