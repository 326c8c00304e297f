/** What a token is needed for: one request, whose answer has a status. */
type Ask<T> = () => Promise<T>;

/** One token for all requests of a run. n8n fetches and stores it; this says when, so that it happens once for all of them. */
export class Token {
	/** How often the token was renewed. */
	private generation = 0;
	private renewal: Promise<void> | undefined;
	/** The request that has n8n fetch the first token; it never fails. */
	private first: Promise<void> | undefined;

	/**
	 * @param isStored whether n8n has a token
	 * @param onStored called when n8n has fetched the first one
	 * @param renew makes n8n replace the stored one
	 */
	constructor(
		private isStored: boolean,
		private readonly onStored: () => Promise<void>,
		private readonly renew: () => Promise<void>,
	) {}

	/**
	 * Sends a request; after a 401, once more with another token. n8n would fetch a first token for each request that finds
	 * none (n8n-facts 1), so one goes alone; and a late 401 would renew a token that was just renewed (n8n-facts 12), so only
	 * one that was sent with the present token renews it.
	 */
	async send<T extends { status: number }>(ask: Ask<T>): Promise<T> {
		while (!this.isStored && this.first) await this.first;
		const { generation } = this;
		const answer = this.isStored ? await ask() : await this.sendAlone(ask);
		if (answer.status !== 401) return answer;
		if (generation === this.generation) {
			this.renewal ??= this.renew()
				.then(() => void this.generation++)
				.finally(() => (this.renewal = undefined));
			await this.renewal;
		}
		return await ask();
	}

	private async sendAlone<T>(ask: Ask<T>): Promise<T> {
		const asked = ask();
		const done = () => (this.first = undefined);
		this.first = asked.then(done, done);
		const answer = await asked;
		this.isStored = true;
		await this.onStored();
		return answer;
	}
}
