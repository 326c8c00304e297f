import { HOUR_MS, hourOf } from './state';

/** How far the create times of a service may lie behind its own Date header: two time zones, and some. */
const MOST_SKEW_MS = 48 * HOUR_MS;

/** What the time is: the earlier of n8n's clock and the service's, so that one that is ahead moves no window. */
export class Clock {
	private servedAt = Infinity;

	/** @param servedAt an answer's Date header, in ms */
	hear(servedAt: number | undefined): void {
		this.servedAt = Math.min(this.servedAt, servedAt ?? Infinity);
	}

	get now(): number {
		return Math.min(Date.now(), this.servedAt);
	}

	/**
	 * Where a window begins to count back from. A list without recent records must not keep old ones inside it for ever;
	 * in steps of an hour, so that what is remembered of it stays the same.
	 * @param newest the newest create time listed that is not in the future
	 */
	watermark(newest: number): number {
		return this.servedAt === Infinity ? newest : Math.max(newest, hourOf(this.now - MOST_SKEW_MS) * HOUR_MS);
	}
}
