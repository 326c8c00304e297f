/**
 * Limits how many requests of a node run are in flight at once. Only requests hold slots, so a slot never waits for another
 * slot.
 */
export class Semaphore {
	private readonly waiting: Array<() => void> = [];

	constructor(private freeSlots: number) {}

	/**
	 * Takes a slot.
	 * @returns a promise to await if no slot is free. Waiting callers get their slots in the order of their calls.
	 */
	acquire(): Promise<void> | undefined {
		if (this.freeSlots === 0) return new Promise((resolve) => this.waiting.push(resolve));
		this.freeSlots--;
		return undefined;
	}

	/** Gives a slot back. The caller that has waited longest gets it. */
	release(): void {
		const resolveNext = this.waiting.shift();
		if (resolveNext) resolveNext();
		else this.freeSlots++;
	}
}
