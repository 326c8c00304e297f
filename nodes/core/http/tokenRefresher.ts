import { rethrow, ServiceError } from './errors';

/** What a token is needed for: one request, whose answer has a status. */
type Ask<T> = () => Promise<T>;

/** How often one request is sent with yet another token, and how often in a row a token is renewed although none is accepted. */
const MOST_RENEWALS = 5;

/** One token for all requests of a run. n8n fetches and stores it; this says when, so that it happens once for all of them. */
export class Token {
	/** How many tokens there have been; 0 before the first one. */
	private generation: number;
	/** The token request that is under way, or that failed for good: then it is not sent again. */
	private renewal: Promise<void> | undefined;
	/** How often the token was renewed since one was accepted. */
	private inVain = 0;

	/**
	 * @param isStored whether n8n has a token
	 * @param renew makes n8n fetch a token and store it; it throws a ServiceError
	 */
	constructor(
		isStored: boolean,
		private readonly renew: () => Promise<void>,
	) {
		this.generation = isStored ? 1 : 0;
	}

	/**
	 * Sends a request; after a 401, again with another token, up to five times: one that other requests have used up meanwhile
	 * is no reason to give up. n8n alone would fetch a first token for each request that finds none (n8n-facts 1), and renew
	 * one that was just renewed after a late 401 (n8n-facts 12), so only one that was sent with the present token renews it.
	 * @throws what `renew` throws
	 */
	async send<T extends { status: number }>(ask: Ask<T>): Promise<T> {
		if (this.generation === 0) await this.renewed(0);
		for (let refusals = 0; ; refusals++) {
			const { generation } = this;
			const answer = await ask();
			if (answer.status !== 401) {
				this.inVain = 0;
				return answer;
			}
			if (Math.max(refusals, this.inVain) >= MOST_RENEWALS) return answer;
			await this.renewed(generation);
		}
	}

	/** Waits for a token after that of the generation. Whoever needs it first has it fetched. */
	private async renewed(generation: number): Promise<void> {
		if (generation !== this.generation) return;
		this.renewal ??= this.renew().then(
			() => {
				this.generation++;
				this.inVain++;
				this.renewal = undefined;
			},
			async (error: unknown) => {
				if (error instanceof ServiceError && error.details.transient) this.renewal = undefined;
				return await rethrow(error);
			},
		);
		await this.renewal;
	}
}
