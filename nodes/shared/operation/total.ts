import { counted } from '../transport/counted';

import type { Share } from './failures';

/** How many items a run for every company has so far, for a limit of all companies together. */
export class Total {
	private readonly counts = new Map<number, number>();

	/** @param most the limit; Infinity for none */
	constructor(private readonly most: number) {}

	/** Records how many items a company has. @param index its place among the companies */
	note(index: number, count: number): void {
		this.counts.set(index, count);
	}

	/** Whether the first companies, without a gap, have enough: then what the others have is not wanted. */
	get isReached(): boolean {
		let sum = 0;
		for (let index = 0; sum < this.most; index++) {
			const count = this.counts.get(index);
			if (count === undefined) return false;
			sum += count;
		}
		return true;
	}

	/**
	 * The shares that are wanted, in the order of the companies: the last is shortened to the limit. What a company could not
	 * give is not counted.
	 * @param companies how many companies the run is for
	 * @param hint called if anything was left out
	 */
	cut(shares: Share[], companies: number, hint: (message: string) => void): Share[] {
		let left = this.most;
		let dropped = 0;
		const kept: Share[] = [];
		for (const share of shares) {
			if (left === 0) break;
			const { target, outcome } = share;
			const value = outcome.ok ? outcome.value.slice(0, left) : [];
			kept.push(outcome.ok ? { target, outcome: { ok: true, value } } : share);
			left -= value.length;
			if (outcome.ok) dropped += outcome.value.length - value.length;
		}
		const unread = companies - kept.length;
		const leftOut = [
			...(unread > 0 ? [`${unread} of ${counted(companies, 'customer')}`] : []),
			...(dropped > 0 ? [`${counted(dropped, 'result')} of the last one that was read`] : []),
		];
		if (left === 0 && leftOut.length > 0)
			hint(
				`'Total Limit' ended this at ${counted(this.most, 'result')}. Left out: ${leftOut.join(', and ')}. Raise it, or set it to 0, to get all.`,
			);
		return kept;
	}
}
