import { tokenTimeout, errorOfFault } from './fault';
import { CredentialChanged, type N8nClient } from './n8nClient';
import { ServiceError } from './errors';
import type { TokenRefresher, RequestToken, TokenAttempts } from './tokenRefresher';
import { backOffMs, pause, stopIfAborted, waitFor, type Signals } from './waiting';

/** How often a token is requested before the run fails. */
const MAX_TRIES = 3;
/**
 * How often one request is refused and sent again with another token, as long as renewals succeed: the largest possible
 * number of requests in flight.
 */
const MAX_REFUSALS = 20;

/** A token request, and how many requests of the run wait for it. */
interface PendingToken {
	done: Promise<void>;
	waiting: number;
	/** Aborted when no request waits for it any more. */
	stop: AbortController;
}

/**
 * The token of one node run. It is requested once for all requests that wait, up to three times with a growing pause.
 * If that fails, every request of the run that waits or comes later fails with the same error.
 */
export class RunToken {
	/** Why the run has no token. */
	failure: ServiceError | undefined;
	private pending: PendingToken | undefined;
	private isStored: boolean;

	/** @param onWait called each second of a pause with the time that is left, in ms */
	constructor(
		private readonly client: N8nClient,
		private readonly refresher: TokenRefresher,
		private readonly timeoutMs: number,
		private readonly onWait: (leftMs: number) => void,
	) {
		this.isStored = client.connection.hasToken;
	}

	/**
	 * Waits until a request may be sent.
	 * @returns a function to call when the request has its answer
	 * @throws ServiceError when there is no token, or when one of the signals is aborted
	 */
	async waitForToken(attempts: TokenAttempts, signals: Signals): Promise<() => void> {
		const pending = this.pending;
		if (pending && !pending.stop.signal.aborted) await this.join(pending, signals);
		if (this.failure) throw this.failure;
		if (!this.isStored) {
			await this.requestToken(async () => {
				if (!(await this.client.read()).hasToken) await this.client.fetchToken();
				await this.client.read();
			}, signals);
			this.isStored = true;
		}
		return await this.refresher.waitForToken(attempts, this.timeoutMs, signals);
	}

	/** Records that n8n has no stored token any more. */
	noteTokenMissing(): void {
		this.isStored = false;
	}

	noteAccepted(token: string): void {
		this.refresher.noteAccepted(token);
	}

	/**
	 * Makes another token available than the one that a request was refused with: the one that another run or process has
	 * stored meanwhile, or a new one.
	 * @param refused the token that the service refused
	 * @returns false when another token cannot help, so the refusal stands
	 * @throws ServiceError when no token can be obtained, or when one of the signals is aborted
	 */
	async replaceToken(refused: string, attempts: TokenAttempts, signals: Signals): Promise<boolean> {
		if (++attempts.refusals >= MAX_REFUSALS) return false;
		const deadline = { ms: this.timeoutMs, timeoutError: tokenTimeout };
		const shouldStop = this.refresher.shouldStopRenewing(refused, attempts);
		// The wait has a random length, so that two processes that invalidate each other's tokens do not renew at the same
		// time again and again. Meanwhile another process may store its token.
		const failedRenewals = this.refresher.failedRenewalsUpTo(refused);
		if (failedRenewals > 0) await pause(backOffMs(failedRenewals), signals, this.onWait);
		if (shouldStop) {
			if ((await waitFor(this.client.read(), signals, deadline)).token === refused) return false;
		} else
			await this.requestToken(async (forceNew) => {
				// n8n before 2.41 does not look whether another process has renewed it.
				if ((await this.client.read()).token !== refused) return;
				await this.client.renewToken(forceNew);
				this.refresher.noteRenewed((await this.client.read()).token);
			}, signals);
		attempts.renewals++;
		return true;
	}

	private async requestToken(request: RequestToken, signals: Signals): Promise<void> {
		if (this.failure) throw this.failure;
		if (!this.pending || this.pending.stop.signal.aborted) this.pending = this.start(request);
		await this.join(this.pending, signals);
	}

	private async join(pending: PendingToken, signals: Signals): Promise<void> {
		pending.waiting++;
		try {
			await waitFor(pending.done, signals);
		} finally {
			if (--pending.waiting === 0) pending.stop.abort();
		}
	}

	private start(request: RequestToken): PendingToken {
		const stop = new AbortController();
		const pending: PendingToken = {
			done: this.requestWithRetries(request, [this.client.signal, stop.signal]),
			waiting: 0,
			stop,
		};
		const end = () => {
			if (this.pending === pending) this.pending = undefined;
		};
		pending.done.then(end, end);
		return pending;
	}

	private async requestWithRetries(request: RequestToken, signals: Signals): Promise<void> {
		for (let tries = 1; ; tries++) {
			try {
				return await waitFor(this.refresher.joinOrStart(this.timeoutMs, tokenTimeout, request), signals);
			} catch (error) {
				stopIfAborted(signals);
				const problem = errorOfFault(error, this.client.connection, true);
				// The token request that this run joined may belong to a run with another version of the credential.
				const isFromAnotherRun = error instanceof CredentialChanged && !this.client.isChanged;
				if ((!problem.details.transient && !isFromAnotherRun) || tries === MAX_TRIES) {
					this.failure = finalError(problem, tries);
					throw this.failure;
				}
				await pause(backOffMs(tries), signals, this.onWait);
				stopIfAborted(signals);
			}
		}
	}
}

const finalError = ({ details }: ServiceError, tries: number) =>
	new ServiceError({
		...details,
		advice: tries > 1 ? `${details.advice} It was tried ${tries} times.` : details.advice,
		transient: false,
	});
