import { RequestError, toError } from './errors';

/**
 * The maximum number of times that one request is resent with a newer token. It is also the maximum number of consecutive
 * refreshes in which n8n got a token that the platform did not accept.
 */
const MAX_REFRESHES = 5;

/**
 * Makes sure that all requests of a run share one token. n8n fetches and stores the token. This class tells n8n when to do so, so
 * that a new token is fetched once for all requests, not once for each request.
 */
export class TokenRefresher {
	/** The number of the current token: 0 if there is no token yet, and 1 more after each refresh. */
	private tokenGeneration: number;
	/** The refresh that is running. A refresh that failed permanently is kept here, so that no other one is started. */
	private pendingRefresh: Promise<void> | undefined;
	/** The number of refreshes since the platform last accepted a token. */
	private refreshCountSinceSuccess = 0;

	/**
	 * @param hasStoredToken true if n8n has stored a token
	 * @param refreshToken makes n8n fetch and store a token. It throws a RequestError if this fails.
	 */
	constructor(
		hasStoredToken: boolean,
		private readonly refreshToken: () => Promise<void>,
	) {
		this.tokenGeneration = hasStoredToken ? 1 : 0;
	}

	/**
	 * Sends a request. After a 401, it resends the request with a newer token, up to five times, because other requests may
	 * have used up a token in the meantime. Only a request that was sent with the newest token triggers a refresh. Without
	 * this, n8n would fetch a first token for each request that finds none (n8n 1), and would refresh a new token again
	 * after a late 401 (n8n 12).
	 * @throws the error of `refreshToken`
	 */
	async sendWithToken<Response extends { status: number }>(send: () => Promise<Response>): Promise<Response> {
		if (this.tokenGeneration === 0) await this.waitForNewerToken(0);
		for (let rejectionCount = 0; ; rejectionCount++) {
			const { tokenGeneration } = this;
			const response = await send();
			if (response.status !== 401) {
				this.refreshCountSinceSuccess = 0;
				return response;
			}
			if (Math.max(rejectionCount, this.refreshCountSinceSuccess) >= MAX_REFRESHES) return response;
			await this.waitForNewerToken(tokenGeneration);
		}
	}

	/** Waits until the token is newer than `tokenGeneration`. The first caller triggers the refresh. */
	private async waitForNewerToken(tokenGeneration: number): Promise<void> {
		if (tokenGeneration !== this.tokenGeneration) return;
		this.pendingRefresh ??= this.refreshToken().then(
			() => {
				this.tokenGeneration++;
				this.refreshCountSinceSuccess++;
				this.pendingRefresh = undefined;
			},
			(error: unknown) => {
				if (error instanceof RequestError && error.details.isTransient) this.pendingRefresh = undefined;
				throw toError(error);
			},
		);
		await this.pendingRefresh;
	}
}
