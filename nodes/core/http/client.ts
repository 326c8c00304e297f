import { z } from 'zod';

import { getEndpoint } from '../api/endpoint';
import { rejectOnAbort, throwIfAborted } from './abort';
import { pause } from './clock';
import {
	CREDENTIAL_TYPE,
	parseCredential,
	readTokenClaims,
	wrapContext,
	type AgentLevel,
	type Credential,
	type N8nContext,
	type RequestContext,
	type TokenClaims,
} from './credential';
import { readEnvelope, type Envelope } from './envelope';
import { READ_ONLY_CREDENTIAL, RequestError, toError } from './errors';
import { abortOnInactivity, isFileStream } from './fileStream';
import { buildHttpOptions, checkRequest, type HttpSettings } from './httpOptions';
import { explainNetworkError, explainTokenError } from './networkErrors';
import type { ApiRequest } from './request';
import { buildRequestVariants, findNextVariant, getVariantKey } from './requestVariants';
import {
	createFinalError,
	createPauseError,
	createUnexpectedResponseError,
	explainResponse,
	findResumeTime,
} from './responseErrors';
import { getBackoffMs, MAX_TRIES, mayResend } from './retry';
import { RunCache } from './runCache';
import { Semaphore } from './semaphore';
import { TokenRefresher } from './tokenRefresher';
import { withTimeout } from './withTimeout';

export type { N8nContext } from './credential';

/** The limits of a client, which the user sets in the node's options. */
export interface ClientSettings {
	/** The largest number of requests in flight at once. */
	concurrency: number;
	/** The longest time to wait for a response, or for the next part of a file, in ms. */
	timeoutMs: number;
}

/** The limits of a client if the user sets none. */
export const DEFAULT_CLIENT_SETTINGS: ClientSettings = { concurrency: 8, timeoutMs: 120_000 };

const responseSchema = z
	.object({ body: z.unknown(), headers: z.record(z.unknown()).catch({}), statusCode: z.number() })
	.transform(({ body, headers, statusCode: status }) => ({ body, headers, status }));

/**
 * An HTTP response of any status. The names of the headers are in lower case. The body is parsed JSON, text, or the stream of
 * a file.
 */
export type HttpResponse = z.infer<typeof responseSchema>;

/**
 * Reads the response to a request. The request counts as in flight until the returned promise settles, because a file is
 * still arriving while it is read.
 * @param request the request variant that the platform accepted
 */
type ResponseReader<T> = (response: HttpResponse, request: ApiRequest) => Promise<T>;

/**
 * The only HTTP client of the nodes. It sends authenticated requests, repeats them if that is safe, uses one token for all
 * of them, and turns each response into data or an error. Each node run has its own client.
 */
export class HttpClient {
	/** Values that operations and pickers need again later in the run. */
	readonly cache = new RunCache();
	private readonly requestSlots: Semaphore;
	private readonly tokenRefresher: TokenRefresher;
	/** The endpoints that have succeeded in this run. */
	private readonly succeededEndpoints = new Set<string>();
	/** For each key of `getVariantKey`, the index of the request variant that the platform accepted last. */
	private readonly acceptedVariantIndexByKey = new Map<string, number>();
	/**
	 * The time when the platform allows requests again, in ms since 1970. It is 0 if the platform has not paused the run.
	 */
	private pausedUntilMs = 0;

	private constructor(
		private readonly n8nContext: N8nContext,
		private readonly requestContext: RequestContext,
		readonly settings: ClientSettings,
		/** The values of the credential. They are read again when n8n has stored a new token. */
		private credential: Credential,
	) {
		this.requestSlots = new Semaphore(settings.concurrency);
		this.tokenRefresher = new TokenRefresher(credential.token !== '', () => this.refreshToken());
	}

	/** Creates a client for a run. @throws InvalidInputError if a value in the credential is invalid */
	static async open(n8nContext: N8nContext, settings: ClientSettings = DEFAULT_CLIENT_SETTINGS): Promise<HttpClient> {
		const requestContext = wrapContext(n8nContext);
		const credential = parseCredential(await requestContext.withSignal().getCredentials(CREDENTIAL_TYPE));
		return new HttpClient(n8nContext, requestContext, settings, credential);
	}

	/** The platform's base URL: scheme and host. */
	get baseUrl(): string {
		return this.credential.baseUrl;
	}

	/** The ID of the credential's API client. */
	get clientId(): string {
		return this.credential.clientId;
	}

	/** True if the credential allows only requests that change nothing. */
	get allowsOnlyReads(): boolean {
		return this.credential.isReadOnly;
	}

	/** The most that AI agents may do with the credential. */
	get agentLevel(): AgentLevel {
		return this.credential.agentLevel;
	}

	/** Aborted when the user presses Stop. */
	get stopSignal(): AbortSignal | undefined {
		const { n8nContext } = this;
		return 'getExecutionCancelSignal' in n8nContext ? n8nContext.getExecutionCancelSignal() : undefined;
	}

	/**
	 * Reads the role, the company and the permissions in the token (contract 5.2; deployment facts, "Responses"). They don't
	 * guarantee access, because the platform also applies rules that the token doesn't show.
	 * @throws RequestError if no token can be obtained
	 */
	async getTokenClaims(): Promise<TokenClaims> {
		try {
			// Any request makes n8n fetch a token if none is stored.
			await this.requestJson({ endpoint: 'GET /api/enrollments/form-details', purpose: 'check the access' });
		} catch (error) {
			const isForbidden = error instanceof RequestError && error.details.status === 403;
			// A 403 proves that n8n has a token, so only other errors are thrown.
			if (!isForbidden) throw toError(error);
		}
		await this.readCredential();
		return readTokenClaims(this.credential);
	}

	/**
	 * Sends a request whose response is JSON.
	 * @throws RequestError if there is no response, or if the response reports a failure
	 * @throws InvalidInputError for an ID that can't be sent
	 */
	requestJson(request: ApiRequest): Promise<Envelope> {
		return this.send(request, 'json', (response, acceptedRequest) => this.readResponse(acceptedRequest, response));
	}

	/**
	 * Sends a request whose response is a file.
	 * @param readFile reads the stream. It is called again if the download has to be repeated.
	 * @throws RequestError, InvalidInputError, and the errors of `readFile`
	 */
	requestFile<T>(request: ApiRequest, readFile: ResponseReader<T>): Promise<T> {
		return this.send(request, 'file', readFile);
	}

	/**
	 * Reads a JSON response. It may be a stream, because the platform may answer the request for a file with JSON.
	 * @throws RequestError if the response isn't JSON, or reports a failure by its status or in its envelope
	 */
	async readResponse(request: ApiRequest, { status, headers, body }: HttpResponse): Promise<Envelope> {
		const content = await this.readContent(body, isSuccessStatus(status));
		const envelope = readEnvelope(content);
		const hasSucceededBefore = this.succeededEndpoints.has(request.endpoint);
		const failure = explainResponse(request, this.credential, { status, headers, envelope }, hasSucceededBefore);
		if (failure) throw failure;
		if (!envelope) throw createUnexpectedResponseError(content, status);
		return envelope;
	}

	/**
	 * Reads a stream as text. Returns any other body unchanged.
	 * @throws the stream's error if the response reports success
	 */
	private async readContent(body: unknown, isSuccess: boolean): Promise<unknown> {
		const { helpers } = this.n8nContext;
		if (!isFileStream(body) || !('binaryToString' in helpers)) return body;
		try {
			return await helpers.binaryToString(body);
		} catch (error) {
			if (isSuccess) throw toError(error);
			// The status alone is enough to explain a failure.
			return '';
		}
	}

	/**
	 * Sends a request and reads the response. If there is no usable response, sends the request again, up to five times in total,
	 * provided that this is safe. If the platform rejects the request, sends its next variant. The accepted variant is used first
	 * for the rest of the run.
	 */
	private async send<T>(
		request: ApiRequest,
		responseType: HttpSettings['responseType'],
		readResult: ResponseReader<T>,
	): Promise<T> {
		if (this.allowsOnlyReads && !getEndpoint(request.endpoint).isReadOnly) throw new RequestError(READ_ONLY_CREDENTIAL);
		for (const secret of request.secrets ?? []) this.requestContext.secrets.add(secret);
		const settings = this.buildSettings(request, responseType);
		const { signal } = settings;
		checkRequest(request, settings);
		const variants = buildRequestVariants(request);
		const variantKey = getVariantKey(request);
		let variantIndex = this.acceptedVariantIndexByKey.get(variantKey) ?? 0;
		let firstRejection: RequestError | undefined;
		let tryCount = 0;
		for (;;) {
			tryCount++;
			const variant = variants[variantIndex] ?? request;
			try {
				// Waiting for a slot or a token can't be cancelled, but Stop ends the run at once.
				const result = await rejectOnAbort(this.sendVariant(variant, settings, readResult), signal);
				this.acceptedVariantIndexByKey.set(variantKey, variantIndex);
				return result;
			} catch (error) {
				throwIfAborted(signal);
				const failure = this.recordPause(explainNetworkError(error, variant, this.credential));
				const nextVariantIndex = findNextVariant(variants, variantIndex, failure);
				if (nextVariantIndex >= 0) {
					variantIndex = nextVariantIndex;
					tryCount = 0;
					firstRejection ??= failure;
					continue;
				}
				if (tryCount === MAX_TRIES || !mayResend(failure, variant)) {
					// If every variant is rejected, the first rejection is reported, because that request is the one that
					// the user made.
					const isRejectedAgain = firstRejection?.details.status === failure.details.status;
					const reportedError = isRejectedAgain && firstRejection ? firstRejection : failure;
					throw createFinalError(reportedError, variant, tryCount, this.requestContext.secrets);
				}
				// The platform may ask for a wait of 0 seconds. The backoff applies even then.
				await pause(Math.max(failure.details.retryAfterMs ?? 0, getBackoffMs(tryCount)), signal);
			}
		}
	}

	private buildSettings(request: ApiRequest, responseType: HttpSettings['responseType']): HttpSettings {
		const { baseUrl, companyHeaderName } = this.credential;
		const { timeoutMs } = this.settings;
		const signals = [this.stopSignal, request.signal].filter((signal) => signal !== undefined);
		return { baseUrl, companyHeaderName, timeoutMs, responseType, signal: AbortSignal.any(signals) };
	}

	/**
	 * Pauses all requests of the run if the platform asks for a long wait.
	 * @returns the error about the pause, or `failure` itself if the platform doesn't ask for one
	 */
	private recordPause(failure: RequestError): RequestError {
		const resumesAt = findResumeTime(failure);
		if (resumesAt === undefined) return failure;
		this.pausedUntilMs = Math.max(this.pausedUntilMs, resumesAt);
		return createPauseError(this.pausedUntilMs, this.n8nContext.getTimezone(), failure);
	}

	/** Checks that requests aren't paused. @throws RequestError during a pause */
	private checkPause(): void {
		if (Date.now() < this.pausedUntilMs) throw createPauseError(this.pausedUntilMs, this.n8nContext.getTimezone());
	}

	/**
	 * Waits for a free slot, sends one variant of a request, and reads the response. If the platform rejects the token, sends the
	 * variant with a newer token.
	 */
	private async sendVariant<T>(request: ApiRequest, settings: HttpSettings, readResult: ResponseReader<T>): Promise<T> {
		const { signal, timeoutMs } = settings;
		const pendingSlot = this.requestSlots.acquire();
		if (pendingSlot) await pendingSlot;
		const requestEndController = new AbortController();
		const context = this.requestContext.withSignal(AbortSignal.any([signal, requestEndController.signal]));
		let body: unknown;
		try {
			const response = await this.tokenRefresher.sendWithToken(async () => {
				// The run may have been stopped while the request waited for a slot or for the token.
				throwIfAborted(signal);
				this.checkPause();
				const httpOptions = buildHttpOptions(request, settings);
				const pendingResponse = context.helpers.httpRequestWithAuthentication.call(
					context,
					CREDENTIAL_TYPE,
					httpOptions,
				);
				// Some versions of n8n's HTTP library never settle if a body can't be decompressed (n8n 3).
				return responseSchema.parse(await withTimeout<unknown>(timeoutMs, pendingResponse));
			});
			body = response.body;
			if (isFileStream(body)) abortOnInactivity(body, timeoutMs, () => requestEndController.abort());
			// Only a success has the requested data. For any other status, `this.readResponse` throws the error.
			if (!isSuccessStatus(response.status)) await this.readResponse(request, response);
			const result = await readResult(response, request);
			this.succeededEndpoints.add(request.endpoint);
			return result;
		} finally {
			// A stream that was not read to its end would keep its connection open.
			if (isFileStream(body)) body.destroy();
			// Without a reason, `abort` would create an exception, and its stack trace would cost time in each request.
			requestEndController.abort('over');
			this.requestSlots.release();
		}
	}

	/**
	 * Reads the credential again, because n8n may have stored a new token. The token's permissions are needed to explain a 403, and
	 * the token itself is needed to redact it in messages.
	 */
	private async readCredential(): Promise<void> {
		this.requestContext.forgetCredential();
		this.credential = parseCredential(await this.requestContext.withSignal().getCredentials(CREDENTIAL_TYPE));
	}

	/**
	 * Makes n8n fetch a token. The node's option 'Timeout' limits the wait, because n8n itself would wait for five minutes, or
	 * without any limit before n8n 2.41.
	 * @throws RequestError if n8n gets no token
	 */
	private async refreshToken(): Promise<void> {
		const knownSecrets = new Set(this.requestContext.secrets);
		await this.readCredential();
		// If another run has already refreshed the token, no refresh is needed.
		if (this.credential.token !== '' && !knownSecrets.has(this.credential.token)) return;
		const context = this.requestContext.withSignal();
		const pendingRefresh = context.helpers.refreshOAuth2Token.call(context, CREDENTIAL_TYPE);
		await withTimeout(this.settings.timeoutMs, pendingRefresh).catch((error: unknown) => {
			throw explainTokenError(error, this.credential);
		});
		await this.readCredential();
		// n8n stores any JSON response, even one without a token.
		if (this.credential.token === '') throw explainTokenError(new Error('JSON without access token'), this.credential);
	}
}

const isSuccessStatus = (status: number) => status >= 200 && status <= 299;
