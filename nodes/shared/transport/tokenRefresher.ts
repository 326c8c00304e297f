import { onAbort, stopIfAborted, waitFor, type Deadline, type Signals } from './waiting';

/** A token that is refused within this time after its renewal cannot have expired by age. */
const SHORT_LIFE_MS = 60_000;
/** How long other requests wait for the first answer to a new token. */
const PROBE_WAIT_MS = 1000;
/** A token request that has less time left than this is not joined. */
const MIN_TIME_LEFT_MS = 50;
/**
 * How many new tokens one request may fail with as the first to use them, while tokens are known to become invalid soon
 * after their renewal.
 */
const MAX_FAILED_PROBES = 4;

/** What happened so far to one request with its tokens. */
export interface TokenAttempts {
	/** How often the request was refused with a token. */
	refusals: number;
	/** How often the request was sent again with another token after one was refused. */
	renewals: number;
	/** Whether it is the first request to use the new token, while others wait for its outcome. */
	isProbe: boolean;
	/** How often it was refused as that first request. */
	failedProbes: number;
}

/** Requests a token. @param forceNew whether n8n must not join a token request that it has in progress */
export type RequestToken = (forceNew: boolean) => Promise<void>;

interface TokenRequest {
	startedAt: number;
	done: Promise<void>;
}

/**
 * Coordinates the token requests of one credential within a process: only one runs at a time. n8n fetches and stores the
 * token, but n8n before 2.x lets several renewals run at once, and every version does so for the first token. Shared by
 * all runs that use the credential, because a new token may invalidate the previous one.
 */
export class TokenRefresher {
	private current: TokenRequest | undefined;
	/** Number of token requests that have not ended, including those that nobody waits for any more. */
	private pending = 0;
	/** The token that this process renewed last, when, and whether the service accepted any request with it. */
	private renewed: { token: string; at: number; isAccepted: boolean } | undefined;
	/** The test of a new token: one request uses it first, and the others wait until `finished` is aborted. */
	private probe: { isStarted: boolean; finished: AbortController } | undefined;
	/** How many renewals before the last one brought a token that no request was accepted with. */
	private failedRenewals = 0;
	/** When an accepted token was last found to be invalid soon after its renewal. */
	private shortLifeSeenAt = -Infinity;
	/** When a request was last found to be refused with every token. */
	private requestRefusedAt = -Infinity;

	/**
	 * Joins the token request in progress, or starts one.
	 * @param maxAgeMs how long after its start a token request is waited for, in ms; an older one is not joined
	 * @param timeoutError creates the error to throw after that time. The token request itself cannot be stopped.
	 * @param request gets whether an earlier token request still has no answer: n8n 2.41 would only wait for that one again
	 * @throws what `request` throws
	 */
	async joinOrStart(maxAgeMs: number, timeoutError: Deadline['timeoutError'], request: RequestToken): Promise<void> {
		if (!this.current || timeLeftMs(this.current, maxAgeMs) < MIN_TIME_LEFT_MS) this.start(request);
		if (this.current) await waitFor(this.current.done, [], { ms: timeLeftMs(this.current, maxAgeMs), timeoutError });
	}

	private start(request: RequestToken): void {
		const started: TokenRequest = { startedAt: performance.now(), done: request(this.pending > 0) };
		this.pending++;
		const end = () => {
			this.pending--;
			if (this.current === started) this.current = undefined;
		};
		started.done.then(end, end);
		this.current = started;
	}

	/**
	 * Waits until a request may be sent: not while a token is being requested, and not before a new token was tested by a
	 * request that had been refused with the previous one.
	 * @param maxAgeMs how long after its start a token request is waited for, in ms
	 * @returns a function to call when the request has its answer
	 * @throws ServiceError when one of the signals is aborted
	 */
	async waitForToken(attempts: TokenAttempts, maxAgeMs: number, signals: Signals): Promise<() => void> {
		attempts.isProbe = false;
		if (this.current) await waitForEnd(this.current.done, signals, timeLeftMs(this.current, maxAgeMs));
		const { probe } = this;
		if (!probe) return () => {};
		if (attempts.renewals === 0 || probe.isStarted) {
			await waitForEnd(
				new Promise<void>((resolve) => void onAbort([probe.finished.signal], resolve)),
				signals,
				PROBE_WAIT_MS,
			);
			this.endProbe(probe);
			return () => {};
		}
		probe.isStarted = true;
		attempts.isProbe = true;
		return () => this.endProbe(probe);
	}

	private endProbe(probe: TokenRefresher['probe']): void {
		if (this.probe === probe) this.probe = undefined;
		probe?.finished.abort();
	}

	/**
	 * Records that the token was renewed. One request that waited for it uses the new token first, which shows whether the
	 * token is bad or the request is refused for another reason.
	 */
	noteRenewed(token: string): void {
		this.endProbe(this.probe);
		if (this.renewed?.isAccepted === false) this.failedRenewals++;
		this.renewed = { token, at: performance.now(), isAccepted: false };
		this.probe = { isStarted: false, finished: new AbortController() };
	}

	/** Records that the service accepted the token of a request. */
	noteAccepted(token: string): void {
		if (this.renewed?.token !== token) return;
		this.renewed.isAccepted = true;
		this.failedRenewals = 0;
	}

	/**
	 * How many tokens in a row were renewed without any request being accepted, including the one that was refused just
	 * now.
	 */
	failedRenewalsUpTo(token: string): number {
		return this.failedRenewals + (this.renewed?.token === token && !this.renewed.isAccepted ? 1 : 0);
	}

	/**
	 * Whether another token cannot help a request that was refused: it was refused with a new token that no request was
	 * accepted with. If accepted tokens were found to become invalid soon after their renewal (two n8n instances that
	 * invalidate each other's tokens, or tokens for a limited number of uses), up to 4 further tokens are tried.
	 * @param token the one that the request was refused with
	 */
	shouldStopRenewing(token: string, attempts: TokenAttempts): boolean {
		const { renewed } = this;
		if (renewed?.token !== token) return false;
		const now = performance.now();
		if (renewed.isAccepted) {
			if (now - renewed.at < SHORT_LIFE_MS) this.shortLifeSeenAt = now;
			return false;
		}
		if (attempts.renewals === 0) return false;
		if (now - this.shortLifeSeenAt >= SHORT_LIFE_MS || now - this.requestRefusedAt < SHORT_LIFE_MS) return true;
		if (!attempts.isProbe || ++attempts.failedProbes < MAX_FAILED_PROBES) return false;
		// The request is refused, not its tokens.
		this.requestRefusedAt = now;
		return true;
	}
}

const timeLeftMs = ({ startedAt }: TokenRequest, maxAgeMs: number) => startedAt + maxAgeMs - performance.now();

/**
 * Waits until work has ended, with success or not, for at most `ms`.
 * @throws ServiceError when one of the signals is aborted
 */
async function waitForEnd(work: Promise<void>, signals: Signals, ms: number): Promise<void> {
	try {
		await waitFor(work, signals, { ms, timeoutError: () => new Error('The wait took too long') });
	} catch {
		stopIfAborted(signals);
	}
}

const refreshers = new Map<string, TokenRefresher>();

/** The refresher of a credential's token: one per credential and process. */
export function tokenRefresher(credentialId: string): TokenRefresher {
	const known = refreshers.get(credentialId);
	if (known) return known;
	const refresher = new TokenRefresher();
	refreshers.set(credentialId, refresher);
	return refresher;
}
