/**
 * A clock that a test turns. While it is installed, Date, performance and AbortSignal.timeout go by the real time plus what
 * it was turned by, so that weeks pass in a test without waiting. Timers are left alone.
 */
const RealDate = Date;
const realNow = performance.now.bind(performance);
const realTimeout = AbortSignal.timeout.bind(AbortSignal);

export class TurnedClock {
	private offsetMs: number;
	private readonly dateNow = RealDate.now.bind(RealDate);
	private timeouts: Array<{ at: number; controller: AbortController }> = [];

	/** @param startAt what it shows at first, in milliseconds since 1970 */
	constructor(startAt: number) {
		this.offsetMs = startAt - this.dateNow();
	}

	/** Milliseconds since 1970, as the node under test sees them. */
	now(): number {
		return this.dateNow() + this.offsetMs;
	}

	/** Sets a clock right that was ahead. */
	turnBack(milliseconds: number): void {
		this.offsetMs -= milliseconds;
	}

	/** Moves the clock on. */
	pass(milliseconds: number): void {
		this.offsetMs += Math.max(0, milliseconds);
		const now = this.now();
		for (const { at, controller } of this.timeouts)
			if (at <= now) controller.abort(new DOMException('Too late', 'TimeoutError'));
		this.timeouts = this.timeouts.filter(({ at }) => at > now);
	}

	/** Moves the clock on to a moment, unless that is past already. */
	passTo(moment: number): void {
		this.pass(moment - this.now());
	}

	install(): void {
		const now = () => this.now();
		globalThis.Date = new Proxy(RealDate, {
			construct(target, args: unknown[]): object {
				const made: object = Reflect.construct(target, args.length === 0 ? [now()] : args);
				return made;
			},
			apply: () => new RealDate(now()).toString(),
			get: (target, key): unknown => (key === 'now' ? now : Reflect.get(target, key)),
		});
		performance.now = () => realNow() + this.offsetMs;
		AbortSignal.timeout = (milliseconds) => this.timeout(milliseconds);
	}

	/** Aborts when the time is over, be it because it went by or because the clock was turned. */
	private timeout(milliseconds: number): AbortSignal {
		const controller = new AbortController();
		this.timeouts.push({ at: this.now() + milliseconds, controller });
		const real = realTimeout(milliseconds);
		real.addEventListener('abort', () => controller.abort(real.reason), { once: true });
		return controller.signal;
	}

	/** When the next time is over that somebody waits for, in ms; Infinity for none. */
	nextTimeout(): number {
		const now = this.now();
		return Math.min(...this.timeouts.map(({ at }) => at).filter((at) => at > now));
	}

	uninstall(): void {
		globalThis.Date = RealDate;
		performance.now = realNow;
		AbortSignal.timeout = realTimeout;
		this.timeouts = [];
	}
}
