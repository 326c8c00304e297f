import { onAbort, stopIfAborted, waitFor, type Deadline, type Signals } from './waiting';

/** A token that dies within that time of its renewal was not worn out by age. */
const YOUNG_MS = 60_000;
/** How long others wait for the first answer to a new token. */
const TRIAL_MS = 1000;
/** A token request that is given up so soon is not joined. */
const NEARLY_OVER_MS = 50;
/** How many new tokens one request may be refused with as the first to try them, while tokens are known to die young. */
const MOST_FRUITLESS = 4;

/** What a request has gone through because of its tokens. */
export interface Tried {
	/** How often the request was refused with a token. */
	refusals: number;
	/** How often it was given another token than the one it was refused with. */
	renewals: number;
	/** Whether it is the one that tries the new token. */
	leads: boolean;
	/** How often it was refused so. */
	fruitless: number;
}

/** Asks for a token. @param isAnew whether n8n must not join a token request that it has under way */
export type TokenWork = (isAnew: boolean) => Promise<void>;

interface Attempt {
	startedAt: number;
	done: Promise<void>;
}

/**
 * What a process knows of a credential's token. n8n fetches and stores it; n8n before 2.x has no single flight, and no
 * version has one for the first token. Shared by all runs that use the credential, because a new token may void the
 * former one.
 */
export class TokenRefresher {
	private attempt: Attempt | undefined;
	/** Token requests that have not come to an end, those that nobody waits for any more included. */
	private unanswered = 0;
	/** The token that this process has last renewed, and whether anybody got through with it. */
	private renewed: { token: string; at: number; works: boolean } | undefined;
	private trial: { isTaken: boolean; over: AbortController } | undefined;
	private inVain = 0;
	private diedYoungAt = -Infinity;
	private mistakenAt = -Infinity;

	/**
	 * Joins the token request under way, or starts one.
	 * @param patienceMs how long after its start a token request is waited for; an older one is not joined
	 * @param late what is thrown when that is over. The token request itself cannot be stopped.
	 * @param work told whether an earlier token request still hangs: n8n 2.41 would only wait for that one again
	 * @throws what `work` throws
	 */
	async once(patienceMs: number, late: Deadline['late'], work: TokenWork): Promise<void> {
		if (!this.attempt || leftOf(this.attempt, patienceMs) < NEARLY_OVER_MS) this.start(work);
		if (this.attempt) await waitFor(this.attempt.done, [], { ms: leftOf(this.attempt, patienceMs), late });
	}

	private start(work: TokenWork): void {
		const attempt: Attempt = { startedAt: performance.now(), done: work(this.unanswered > 0) };
		this.unanswered++;
		const end = () => {
			this.unanswered--;
			if (this.attempt === attempt) this.attempt = undefined;
		};
		attempt.done.then(end, end);
		this.attempt = attempt;
	}

	/**
	 * Waits until a request may go: not while a token is asked for, nor before one that was refused earlier has tried a new token.
	 * @returns to be called when the request has its answer
	 */
	async turn(tried: Tried, patienceMs: number, signals: Signals): Promise<() => void> {
		tried.leads = false;
		if (this.attempt) await endOf(this.attempt.done, signals, leftOf(this.attempt, patienceMs));
		const { trial } = this;
		if (!trial) return () => {};
		if (tried.renewals === 0 || trial.isTaken) {
			await endOf(new Promise<void>((resolve) => void onAbort([trial.over.signal], resolve)), signals, TRIAL_MS);
			this.endTrial(trial);
			return () => {};
		}
		trial.isTaken = true;
		tried.leads = true;
		return () => this.endTrial(trial);
	}

	private endTrial(trial: TokenRefresher['trial']): void {
		if (this.trial === trial) this.trial = undefined;
		trial?.over.abort();
	}

	/** Notes that the token was renewed. One that waited for it tries the new one first, to tell a bad token from a refused request. */
	isRenewed(token: string): void {
		this.endTrial(this.trial);
		if (this.renewed?.works === false) this.inVain++;
		this.renewed = { token, at: performance.now(), works: false };
		this.trial = { isTaken: false, over: new AbortController() };
	}

	/** Notes that a request was answered, rather than refused for its token. */
	isGood(token: string): void {
		if (this.renewed?.token !== token) return;
		this.renewed.works = true;
		this.inVain = 0;
	}

	/** How many tokens in a row were renewed in vain, the one that was refused just now included: nobody got through with them. */
	vainWith(token: string): number {
		return this.inVain + (this.renewed?.token === token && !this.renewed.works ? 1 : 0);
	}

	/**
	 * Whether there is no sense in a further token for a request that was refused: it was so with a new token that nobody
	 * got through with. Where tokens that had worked are seen to die young (two n8n that void each other's, or tokens good
	 * for a few uses), a few more are worth the try.
	 */
	isHopeless(token: string, tried: Tried): boolean {
		const { renewed } = this;
		if (renewed?.token !== token) return false;
		const now = performance.now();
		if (renewed.works) {
			if (now - renewed.at < YOUNG_MS) this.diedYoungAt = now;
			return false;
		}
		if (tried.renewals === 0) return false;
		if (now - this.diedYoungAt >= YOUNG_MS || now - this.mistakenAt < YOUNG_MS) return true;
		if (!tried.leads || ++tried.fruitless < MOST_FRUITLESS) return false;
		// It is this request that is refused, not its tokens.
		this.mistakenAt = now;
		return true;
	}
}

const leftOf = ({ startedAt }: Attempt, patienceMs: number) => startedAt + patienceMs - performance.now();

/** Waits for an end, whichever, for so long at most. @throws ServiceError when one of the signals is aborted */
async function endOf(work: Promise<void>, signals: Signals, ms: number): Promise<void> {
	try {
		await waitFor(work, signals, { ms, late: () => new Error('It takes too long') });
	} catch {
		stopIfAborted(signals);
	}
}

const refreshers = new Map<string, TokenRefresher>();

/** The keeper of a credential's token, one per credential and process. */
export function tokenRefresher(credentialId: string): TokenRefresher {
	const known = refreshers.get(credentialId);
	if (known) return known;
	const refresher = new TokenRefresher();
	refreshers.set(credentialId, refresher);
	return refresher;
}
