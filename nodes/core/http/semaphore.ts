/**
 * Limits how many requests of a run are in flight at once. A request never waits for another slot while it holds one, so there
 * can be no deadlock.
 */
export class Semaphore {
	private readonly waitingCallers: Array<() => void> = [];

	constructor(private freeSlots: number) {}

	/**
	 * Takes a free slot. If there is none, the caller must wait.
	 * @returns undefined if a slot was free, or a promise that resolves when the caller gets a slot. The callers get slots in the
	 * order of their calls.
	 */
	acquire(): Promise<void> | undefined {
		if (this.freeSlots === 0) return new Promise((resolve) => this.waitingCallers.push(resolve));
		this.freeSlots--;
		return undefined;
	}

	/** Gives a slot back. The caller that has waited longest gets it next. */
	release(): void {
		const resolveNext = this.waitingCallers.shift();
		if (resolveNext) resolveNext();
		else this.freeSlots++;
	}
}
