import { RequestError, toError } from './errors';

/**
 * The maximum number of times that one request is resent with a newer token. It is also the maximum number of consecutive
 * refreshes after which the platform has accepted no token.
 */
const MAX_REFRESHES = 5;

/**
 * Makes sure that all requests of a run share one token. n8n fetches and stores the token. This class decides when n8n does so,
 * so that it happens once for all requests.
 */
export class TokenRefresher {
	/** The number of the current token. It is 0 before the first token, and grows with each refresh. */
	private generation: number;
	/** The refresh that is running. A refresh that failed permanently stays here, so that it isn't repeated. */
	private refresh: Promise<void> | undefined;
	/** The number of refreshes since the platform last accepted a token. */
	private refreshesInVain = 0;

	/**
	 * @param hasStoredToken true if n8n has stored a token
	 * @param refreshToken makes n8n fetch and store a token. It throws a RequestError if this fails.
	 */
	constructor(
		hasStoredToken: boolean,
		private readonly refreshToken: () => Promise<void>,
	) {
		this.generation = hasStoredToken ? 1 : 0;
	}

	/**
	 * Sends a request. After a 401, it resends the request with a newer token, up to five times, because other requests may
	 * have used up a token in the meantime. Only a request that was sent with the newest token triggers a refresh. Without
	 * this, n8n would fetch a first token for each request that finds none (n8n 1), and would refresh a new token again
	 * after a late 401 (n8n 12).
	 * @throws the error of `refreshToken`
	 */
	async sendWithToken<Response extends { status: number }>(send: () => Promise<Response>): Promise<Response> {
		if (this.generation === 0) await this.waitForNewerToken(0);
		for (let rejectionCount = 0; ; rejectionCount++) {
			const { generation } = this;
			const response = await send();
			if (response.status !== 401) {
				this.refreshesInVain = 0;
				return response;
			}
			if (Math.max(rejectionCount, this.refreshesInVain) >= MAX_REFRESHES) return response;
			await this.waitForNewerToken(generation);
		}
	}

	/** Waits until the token is newer than `generation`. The first caller triggers the refresh. */
	private async waitForNewerToken(generation: number): Promise<void> {
		if (generation !== this.generation) return;
		this.refresh ??= this.refreshToken().then(
			() => {
				this.generation++;
				this.refreshesInVain++;
				this.refresh = undefined;
			},
			(error: unknown) => {
				if (error instanceof RequestError && error.details.isTransient) this.refresh = undefined;
				throw toError(error);
			},
		);
		await this.refresh;
	}
}
