import { HOUR_MS, hourOf } from './state';

/** How far the create times of a service may lie behind its own Date header: two time zones, and some. */
const MOST_SKEW_MS = 48 * HOUR_MS;

/** How far create times without a zone may lie before the service's own clock. */
export const ZONE_MS = 14 * HOUR_MS;

/**
 * The time: the earlier of n8n's clock and the service's, so that a clock that is ahead moves no window. If a record's
 * create time is after the earlier clock and closer to the later one, the earlier one is wrong, and the later one counts.
 */
export class Clock {
	private servedAt = Infinity;
	private newest = 0;
	private readonly madeAt = performance.now();
	/** The service's time when this clock was made, in ms, by its first answer. */
	private begunAt = Infinity;

	/** @param servedAt an answer's Date header, in ms */
	hear(servedAt: number | undefined): void {
		if (servedAt !== undefined && this.begunAt === Infinity)
			this.begunAt = servedAt - (performance.now() - this.madeAt);
		this.servedAt = Math.min(this.servedAt, servedAt ?? Infinity);
	}

	/** The later of the two clocks. */
	private get latest(): number {
		return this.servedAt === Infinity ? Date.now() : Math.max(Date.now(), this.servedAt);
	}

	/** Whether a record was created since this clock was made, by the service's time, whose Date header is in seconds. */
	isSince(created: number): boolean {
		const begunAt = this.begunAt + 1000;
		return created >= begunAt && created <= begunAt + performance.now() - this.madeAt;
	}

	/** @param created a record's create time, in ms */
	see(created: number): void {
		if (created <= this.latest) this.newest = Math.max(this.newest, created);
	}

	get now(): number {
		const { newest, latest } = this;
		const earliest = Math.min(Date.now(), this.servedAt);
		const isRefuted = newest > earliest + ZONE_MS && latest - newest < newest - earliest;
		return isRefuted ? latest : earliest;
	}

	/**
	 * Where a window begins to count back from. A list without recent records must not keep old ones inside it for ever;
	 * in steps of an hour, so that what is remembered of it stays the same. Without a Date header n8n's clock counts only for an
	 * empty list: it may be days ahead of the records' times.
	 * @param newest the newest create time listed that is not in the future
	 */
	watermark(newest: number): number {
		return this.servedAt === Infinity && newest > 0
			? newest
			: Math.max(newest, hourOf(this.now - MOST_SKEW_MS) * HOUR_MS);
	}
}
