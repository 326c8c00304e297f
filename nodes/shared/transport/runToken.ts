import { tokenTimeout, errorOfFault } from './fault';
import { CredentialChanged, type N8nClient } from './n8nClient';
import { ServiceError } from './errors';
import type { TokenRefresher, TokenWork, Tried } from './tokenRefresher';
import { backOffMs, pause, stopIfAborted, waitFor, type Signals } from './waiting';

/** How often a token is asked for, one time after the other, before the run goes without. */
const MAX_TRIES = 3;
/** How often a request is asked with one token after the other, as long as renewals succeed: as many as can be under way at once. */
const MAX_REFUSALS = 20;

/** A token that is being asked for, for those of a run that wait for it. */
interface Asking {
	done: Promise<void>;
	waiting: number;
	/** Aborted once nobody waits for it any more. */
	stop: AbortController;
}

/**
 * A run's token: asked for three times with a growing pause, once for all requests that wait. A failure of that answers
 * every request of the run that waited or comes after.
 */
export class RunToken {
	/** Why the run has no token. */
	failure: ServiceError | undefined;
	private asking: Asking | undefined;
	private isStored: boolean;

	/** @param onWait told each second of a pause how long it still is, in ms */
	constructor(
		private readonly client: N8nClient,
		private readonly keeper: TokenRefresher,
		private readonly timeoutMs: number,
		private readonly onWait: (leftMs: number) => void,
	) {
		this.isStored = client.connection.hasToken;
	}

	/**
	 * Waits until a request may be sent.
	 * @returns to be called when it has its answer
	 * @throws ServiceError when there is no token to be had, or when one of the signals is aborted
	 */
	async turn(tried: Tried, signals: Signals): Promise<() => void> {
		const own = this.asking;
		if (own && !own.stop.signal.aborted) await this.join(own, signals);
		if (this.failure) throw this.failure;
		if (!this.isStored) {
			await this.ask(async () => {
				if (!(await this.client.read()).hasToken) await this.client.fetchToken();
				await this.client.read();
			}, signals);
			this.isStored = true;
		}
		return await this.keeper.turn(tried, this.timeoutMs, signals);
	}

	/** Notes that the token is gone from n8n's store. */
	isGone(): void {
		this.isStored = false;
	}

	isGood(token: string): void {
		this.keeper.isGood(token);
	}

	/**
	 * Sees to another token than the one that a request was refused with: that which someone else has stored meanwhile, or
	 * a new one. @returns false where there is no sense in it
	 * @throws ServiceError when there is none to be had, or when one of the signals is aborted
	 */
	async another(refused: string, tried: Tried, signals: Signals): Promise<boolean> {
		if (++tried.refusals >= MAX_REFUSALS) return false;
		const deadline = { ms: this.timeoutMs, late: tokenTimeout };
		const isHopeless = this.keeper.isHopeless(refused, tried);
		// Two that void each other's tokens must not go on in step, and another process may be about to store its own.
		const inVain = this.keeper.vainWith(refused);
		if (inVain > 0) await pause(backOffMs(inVain), signals, this.onWait);
		if (isHopeless) {
			if ((await waitFor(this.client.read(), signals, deadline)).token === refused) return false;
		} else
			await this.ask(async (isAnew) => {
				// n8n before 2.41 does not look whether another process has renewed it.
				if ((await this.client.read()).token !== refused) return;
				await this.client.renewToken(isAnew);
				this.keeper.isRenewed((await this.client.read()).token);
			}, signals);
		tried.renewals++;
		return true;
	}

	private async ask(work: TokenWork, signals: Signals): Promise<void> {
		if (this.failure) throw this.failure;
		if (!this.asking || this.asking.stop.signal.aborted) this.asking = this.begin(work);
		await this.join(this.asking, signals);
	}

	private async join(asking: Asking, signals: Signals): Promise<void> {
		asking.waiting++;
		try {
			await waitFor(asking.done, signals);
		} finally {
			if (--asking.waiting === 0) asking.stop.abort();
		}
	}

	private begin(work: TokenWork): Asking {
		const stop = new AbortController();
		const asking: Asking = { done: this.keepAsking(work, [this.client.signal, stop.signal]), waiting: 0, stop };
		const end = () => {
			if (this.asking === asking) this.asking = undefined;
		};
		asking.done.then(end, end);
		return asking;
	}

	private async keepAsking(work: TokenWork, signals: Signals): Promise<void> {
		for (let tries = 1; ; tries++) {
			try {
				return await waitFor(this.keeper.once(this.timeoutMs, tokenTimeout, work), signals);
			} catch (error) {
				stopIfAborted(signals);
				const problem = errorOfFault(error, this.client.connection, true);
				// Another run's credential is not ours; its token request may have been.
				const isOthers = error instanceof CredentialChanged && !this.client.isChanged;
				if ((!problem.details.transient && !isOthers) || tries === MAX_TRIES) {
					this.failure = finallyFailed(problem, tries);
					throw this.failure;
				}
				await pause(backOffMs(tries), signals, this.onWait);
				stopIfAborted(signals);
			}
		}
	}
}

const finallyFailed = ({ details }: ServiceError, tries: number) =>
	new ServiceError({
		...details,
		advice: tries > 1 ? `${details.advice} It was tried ${tries} times.` : details.advice,
		transient: false,
	});
