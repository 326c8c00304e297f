import type { IExecuteFunctions, IHttpRequestOptions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { CREDENTIAL, connectionOf, type Connection } from './connection';
import { isCancelled, isUnusableToken } from './fault';
import { rethrow, ServiceError } from './errors';
import { callerOf } from './guard/agent';
import { Guard } from './guard/guard';
import { limitsKey } from './guard/limits';
import { notTheSame } from './guard/refusal';

/** The contexts of n8n that requests can be made from: a run, a list in the editor, a poll. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** An HTTP response of any status. */
export interface HttpResponse {
	status: number;
	/** By lower-case name. */
	headers: Record<string, unknown>;
	/** Parsed JSON, text, or the stream of a file. */
	body: unknown;
}

const responseShape = z
	.object({ body: z.unknown(), headers: z.record(z.unknown()).catch({}), statusCode: z.number() })
	.transform(({ body, headers, statusCode }): HttpResponse => ({ body, headers, status: statusCode }));

/** Reads the full response that n8n's HTTP helpers return. */
export const httpResponseOf = (sent: unknown): HttpResponse => responseShape.parse(sent);

/** The credential has no token (any more). n8n would request one by itself then, and that wait could not be cancelled. */
export class NoToken extends Error {}

/**
 * The credential was changed during the run: its requests are only for the service, client and header that it began
 * with.
 */
export class CredentialChanged extends ServiceError {
	constructor() {
		super({
			reason: 'the credential was changed while the node was running',
			advice:
				'No more requests were sent, because its new data is for another address, client or company header, or other limits, than the run began with. Run the node again; what was done before the change stays done.',
			cause: 'configuration-invalid',
			mayHaveBeenApplied: false,
			transient: false,
		});
	}
}

type Stored = Awaited<ReturnType<ServiceContext['getCredentials']>>;

/**
 * Sends requests and token requests through n8n's helpers, for one node run. n8n reads the credential for every request,
 * so each reading is checked: its token is remembered, and a credential that was changed is not used.
 */
export class N8nClient {
	/** What must never be shown: the client secret, and every token that the run has read. */
	readonly secrets = new Set<string>();
	/** Whether the credential was found to be changed since the run began. */
	isChanged = false;
	/** Decides what may be sent. */
	readonly guard: Guard;
	private latest: Connection;

	/** @param reading the credential as n8n returned it last, or will */
	private constructor(
		private readonly context: ServiceContext,
		private readonly initial: Connection,
		private readonly mostAgeMs: number,
		private reading: { at: number; stored: Promise<Stored> } | undefined,
	) {
		this.latest = initial;
		this.guard = new Guard(callerOf(context));
		this.remember(initial);
	}

	/**
	 * @param mostAgeMs how old a reading of the credential may be that requests are sent with, in ms
	 * @throws InvalidInput when the credential cannot be used as it was filled in, GuardRefusal when its limits differ from
	 * item to item: n8n evaluates an expression in it for the first item only, unless it is asked for another one
	 */
	static async open(context: ServiceContext, mostAgeMs = 0): Promise<N8nClient> {
		const reading = { at: performance.now(), stored: context.getCredentials(CREDENTIAL) };
		const connection = connectionOf(await reading.stored);
		if ('getInputData' in context && context.getInputData().length > 1) {
			const last = context.getInputData().length - 1;
			const { limits } = connectionOf(await context.getCredentials(CREDENTIAL, last));
			if (limitsKey(limits) !== limitsKey(connection.limits)) throw notTheSame();
		}
		return new N8nClient(context, connection, mostAgeMs, reading);
	}

	/** The credential as it was last read. */
	get connection(): Connection {
		return this.latest;
	}

	/** Aborted when the person presses Stop. */
	get signal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.context ? this.context.getExecutionCancelSignal() : undefined;
	}

	/** Checks a request before there may be a token for it. @throws GuardRefusal for one that is not allowed */
	check(options: IHttpRequestOptions): void {
		this.guard.check(options, this.latest);
	}

	/** Reads the credential again. @throws CredentialChanged, InvalidInput */
	async read(): Promise<Connection> {
		return this.remember(connectionOf(await this.stored()));
	}

	/** Reads the credential, unless an earlier reading is not older than allowed. */
	private async stored(mostAgeMs = 0): Promise<Stored> {
		const now = performance.now();
		if (this.reading && now - this.reading.at < mostAgeMs) return await this.reading.stored;
		const reading = { at: now, stored: this.context.getCredentials(CREDENTIAL) };
		this.reading = reading;
		return await reading.stored.catch((error: unknown) => {
			if (this.reading === reading) this.reading = undefined;
			return rethrow(error);
		});
	}

	/**
	 * Sends a request with the stored token.
	 * @param signal cancels it: a request that was not sent yet is not sent
	 * @param isFollowed whether an answer of the service led to it, by a redirect
	 * @returns the answer, and the token that it was sent with
	 * @throws GuardRefusal for a request that the credential does not allow, NoToken when none is stored, and what n8n's
	 * helper throws
	 */
	async send(
		options: IHttpRequestOptions,
		signal: AbortSignal,
		isFollowed = false,
	): Promise<{ answer: HttpResponse; token: string }> {
		let { token } = this.latest;
		const onRead = (connection: Connection) => {
			if (!connection.hasToken) throw new NoToken();
			this.guard.check(options, connection, isFollowed);
			token = connection.token;
		};
		const sent = await this.withWatchedCredential(signal, { onRead, mostAgeMs: this.mostAgeMs })(
			async (context): Promise<unknown> =>
				await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
					...options,
					abortSignal: signal,
				}),
		);
		return { answer: httpResponseOf(sent), token };
	}

	/**
	 * Sends a request to another host, without anything of the credential. n8n applies its own rules about allowed
	 * addresses.
	 */
	async sendWithoutCredential(options: IHttpRequestOptions, signal: AbortSignal): Promise<HttpResponse> {
		const sent: unknown = await this.context.helpers.httpRequest({ ...options, abortSignal: signal });
		return httpResponseOf(sent);
	}

	/**
	 * Makes n8n request a first token and store it. n8n does that only before it sends a request; the request used here is
	 * cancelled from the start, so that n8n cannot send it, no matter how late the token comes.
	 * @param forceNew whether to ignore the stored token
	 * @throws what n8n's token request throws
	 */
	async fetchToken(forceNew = false): Promise<void> {
		const aborted = AbortSignal.abort();
		try {
			await this.withWatchedCredential(aborted, { isTokenHidden: forceNew })(
				async (context): Promise<unknown> =>
					await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
						method: 'GET',
						url: this.initial.baseUrl,
						abortSignal: aborted,
					}),
			);
		} catch (error) {
			// n8n even stores a token answer without a token in it; the next request fails because of that and is handled
			// there.
			if (!isCancelled(error) && !isUnusableToken(error)) await rethrow(error);
		}
	}

	/**
	 * Makes n8n request a new token to replace the stored one.
	 * @param forceNew whether n8n must not join a token request that it has in progress: n8n 2.41 waits up to 300 s for
	 * one without an answer
	 * @throws what n8n's token request throws
	 */
	async renewToken(forceNew: boolean): Promise<void> {
		if (forceNew || !(await this.read()).hasToken) return await this.fetchToken(forceNew);
		await this.withWatchedCredential(undefined)(
			async (context): Promise<unknown> => await context.helpers.refreshOAuth2Token.call(context, CREDENTIAL),
		);
	}

	/** Stores the credential as it was just read, and its secrets. @throws CredentialChanged */
	private remember(connection: Connection): Connection {
		for (const secret of connection.secrets) this.secrets.add(secret);
		const { baseUrl, companyHeader, clientId, limits } = this.initial;
		if (
			connection.baseUrl !== baseUrl ||
			connection.companyHeader !== companyHeader ||
			connection.clientId !== clientId ||
			limitsKey(connection.limits) !== limitsKey(limits)
		) {
			this.isChanged = true;
			throw new CredentialChanged();
		}
		this.latest = connection;
		return connection;
	}

	/**
	 * Calls n8n's helpers with a context that observes how they read the credential.
	 * @param signal what the helpers get as the execution's signal
	 * @param how.onRead called with each reading; an error that it throws stops the helper
	 * @param how.isTokenHidden whether n8n gets the credential without its token, so that it requests a first one
	 * @param how.mostAgeMs how old a reading may be, in ms
	 * @returns a function that runs `work` with that context
	 */
	private withWatchedCredential(
		signal: AbortSignal | undefined,
		how: { onRead?: (connection: Connection) => void; isTokenHidden?: boolean; mostAgeMs?: number } = {},
	) {
		let credentialError: unknown;
		const getCredentials = async (): Promise<unknown> => {
			try {
				const stored = await this.stored(how.mostAgeMs);
				how.onRead?.(this.remember(connectionOf(stored)));
				// A copy, because n8n writes new tokens into it.
				return { ...stored, ...(how.isTokenHidden ? { oauthTokenData: {} } : {}) };
			} catch (error) {
				credentialError = error;
				return await rethrow(error);
			}
		};
		const context = new Proxy(this.context, {
			get: (target, name): unknown => {
				if (name === 'getCredentials') return getCredentials;
				if (name === 'getExecutionCancelSignal' && signal) return () => signal;
				return Reflect.get(target, name);
			},
		});
		// n8n's helper wraps errors, so the original one is thrown instead.
		return async <T>(work: (context: ServiceContext) => Promise<T>): Promise<T> =>
			await work(context).catch((error: unknown) => rethrow(credentialError ?? error));
	}
}
