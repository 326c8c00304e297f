import type { IExecuteFunctions, IHttpRequestOptions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { CREDENTIAL, connectionOf, type Connection } from './connection';
import { isCancelled, isUnusableToken } from './fault';
import { asError, ServiceError } from './errors';

/** Where requests can be made from. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** An answer of the service, whatever its status. */
export interface HttpResponse {
	status: number;
	/** By lower-case name. */
	headers: Record<string, unknown>;
	/** Parsed JSON, text, or the stream of a file. */
	body: unknown;
}

const answerShape = z
	.object({ body: z.unknown(), headers: z.record(z.unknown()).catch({}), statusCode: z.number() })
	.transform(({ body, headers, statusCode }): HttpResponse => ({ body, headers, status: statusCode }));

/** Reads what n8n's helpers give for a full response. */
export const httpResponseOf = (sent: unknown): HttpResponse => answerShape.parse(sent);

/** The credential has no token (any more): n8n would ask for one by itself, where nobody could give up waiting. */
export class NoToken extends Error {}

/** What is asked is for the service, and those, that the run began with. */
export class CredentialChanged extends ServiceError {
	constructor() {
		super({
			reason: 'the credential was changed while the node was running',
			advice:
				'Nothing more was asked, because its new data is for another address, client or company header than the run began with. Run the node again; what was done before the change stays done.',
			cause: 'configuration-invalid',
			mayHaveBeenApplied: false,
			transient: false,
		});
	}
}

/**
 * n8n's authenticated HTTP helper and what there is of tokens, for one node run. n8n reads the credential for every
 * request, so each reading is looked at: a token is remembered, and a credential that was changed is not used.
 */
export class N8nClient {
	/** What must never be shown: the client secret, and every token that the run has met. */
	readonly secrets = new Set<string>();
	/** Whether the credential was found to be another than the run began with. */
	isChanged = false;
	private latest: Connection;

	private constructor(
		private readonly context: ServiceContext,
		private readonly first: Connection,
	) {
		this.latest = first;
		this.take(first);
	}

	/** @throws InvalidInput when the credential cannot be used as it was filled in */
	static async open(context: ServiceContext): Promise<N8nClient> {
		return new N8nClient(context, connectionOf(await context.getCredentials(CREDENTIAL)));
	}

	/** The credential as it was last read. */
	get connection(): Connection {
		return this.latest;
	}

	/** Aborted when the person presses Stop. */
	get signal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.context ? this.context.getExecutionCancelSignal() : undefined;
	}

	/** Reads the credential again. @throws CredentialChanged, InvalidInput */
	async read(): Promise<Connection> {
		return this.take(connectionOf(await this.context.getCredentials(CREDENTIAL)));
	}

	/**
	 * Sends a request with the stored token.
	 * @param signal gives it up: once aborted, it is not sent any more
	 * @returns the answer, and the token that it was sent with
	 * @throws NoToken when none is stored, and what n8n's helper throws
	 */
	async send(options: IHttpRequestOptions, signal: AbortSignal): Promise<{ answer: HttpResponse; token: string }> {
		let { token } = this.latest;
		const sent = await this.watched(signal, ({ hasToken, token: used }) => {
			if (!hasToken) throw new NoToken();
			token = used;
		})(
			async (context): Promise<unknown> =>
				await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
					...options,
					abortSignal: signal,
				}),
		);
		return { answer: httpResponseOf(sent), token };
	}

	/** Asks somebody else than the service, who is to learn nothing of the credential. n8n sees to its own rules of where requests may go. */
	async sendBare(options: IHttpRequestOptions, signal: AbortSignal): Promise<HttpResponse> {
		const sent: unknown = await this.context.helpers.httpRequest({ ...options, abortSignal: signal });
		return httpResponseOf(sent);
	}

	/**
	 * Has n8n ask for a first token and store it. n8n does that on the way to a request only; this one is given up from
	 * the start, so that n8n cannot send it however late the token comes.
	 * @param isAnew whether the token that is stored is not to count
	 * @throws what n8n's token request throws
	 */
	async fetchToken(isAnew = false): Promise<void> {
		const givenUp = AbortSignal.abort();
		try {
			await this.watched(
				givenUp,
				() => {},
				isAnew,
			)(
				async (context): Promise<unknown> =>
					await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
						method: 'GET',
						url: this.first.baseUrl,
						abortSignal: givenUp,
					}),
			);
		} catch (error) {
			// Where the token endpoint answers without a token, n8n stores even that: the request will tell.
			if (!isCancelled(error) && !isUnusableToken(error)) await Promise.reject(asError(error));
		}
	}

	/**
	 * Has n8n ask for a new token in place of the stored one.
	 * @param isAnew whether n8n must not join a token request that it has under way: n8n 2.41 waits 300 s for one that hangs
	 * @throws what n8n's token request throws
	 */
	async renewToken(isAnew: boolean): Promise<void> {
		if (isAnew || !(await this.read()).hasToken) return await this.fetchToken(isAnew);
		await this.watched(undefined)(
			async (context): Promise<unknown> => await context.helpers.refreshOAuth2Token.call(context, CREDENTIAL),
		);
	}

	/** Remembers what a credential holds. @throws CredentialChanged */
	private take(connection: Connection): Connection {
		for (const secret of connection.secrets) this.secrets.add(secret);
		const { baseUrl, companyHeader, clientId } = this.first;
		if (
			connection.baseUrl !== baseUrl ||
			connection.companyHeader !== companyHeader ||
			connection.clientId !== clientId
		) {
			this.isChanged = true;
			throw new CredentialChanged();
		}
		this.latest = connection;
		return connection;
	}

	/**
	 * The context as n8n's helpers are to see it: they read the credential from it, and in an execution the signal too.
	 * @param look told what is read each time; what it throws keeps the helper from going on
	 * @param isTokenHidden whether n8n is to see no token, so that it asks for one as it does for the first
	 */
	private watched(
		signal: AbortSignal | undefined,
		look: (connection: Connection) => void = () => {},
		isTokenHidden = false,
	) {
		let refused: unknown;
		const getCredentials = async (): Promise<unknown> => {
			try {
				const stored = await this.context.getCredentials(CREDENTIAL);
				look(this.take(connectionOf(stored)));
				return isTokenHidden ? { ...stored, oauthTokenData: {} } : stored;
			} catch (error) {
				refused = error;
				return await Promise.reject(asError(error));
			}
		};
		const context = new Proxy(this.context, {
			get: (target, name): unknown => {
				if (name === 'getCredentials') return getCredentials;
				if (name === 'getExecutionCancelSignal' && signal) return () => signal;
				return Reflect.get(target, name);
			},
		});
		// n8n's helper wraps what is thrown to it.
		return async <T>(work: (context: ServiceContext) => Promise<T>): Promise<T> =>
			await work(context).catch((error: unknown) => Promise.reject(asError(refused ?? error)));
	}
}
