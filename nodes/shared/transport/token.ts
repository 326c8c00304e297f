/**
 * n8n fetches and stores the token; this only sees to it that many requests at once cost one token request.
 * n8n before 2.x has no single flight at all, and no version has one for the first token. Shared by all runs of a
 * process that use the same credential, because a new token may void the former one.
 */
export class TokenKeeper {
	/** Goes up with every renewal, so a request can tell whether its token was renewed while it was under way. */
	private generation = 0;
	private renewing: Promise<void> | undefined;
	private warming: Promise<void> | undefined;

	/**
	 * Sends with the token as it stands.
	 * @param cold whether no token is known to be stored: then one request goes ahead and the others wait for it
	 * @returns the answer, and the generation that the request was sent in
	 */
	async send<T>(
		cold: () => boolean,
		work: () => Promise<T>,
	): Promise<{ answer: T; generation: number }> {
		while (cold() && this.warming) await this.warming;
		if (this.renewing) await this.renewing.catch(() => undefined);
		const generation = this.generation;
		if (!cold()) return { answer: await work(), generation };
		let open = () => {};
		this.warming = new Promise((resolve) => (open = resolve));
		try {
			return { answer: await work(), generation };
		} finally {
			this.warming = undefined;
			open();
		}
	}

	/**
	 * Renews the token, unless that happened since `seen`.
	 * @param seen the generation the refused request was sent in
	 * @returns whether this call waited for a renewal that it asked for
	 * @throws what n8n's token request throws
	 */
	async renew(seen: number, refresh: () => Promise<unknown>): Promise<boolean> {
		if (this.generation !== seen) return false;
		this.renewing ??= refresh().then(
			() => {
				this.generation++;
				this.renewing = undefined;
			},
			(error: unknown) => {
				this.renewing = undefined;
				return Promise.reject(error);
			},
		);
		await this.renewing;
		return true;
	}
}

const keepers = new Map<string, TokenKeeper>();

/** The keeper of a credential's token, one per credential and process. */
export function tokenKeeper(credentialId: string): TokenKeeper {
	const known = keepers.get(credentialId);
	if (known) return known;
	const keeper = new TokenKeeper();
	keepers.set(credentialId, keeper);
	return keeper;
}
