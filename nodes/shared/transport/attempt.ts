import type { IHttpRequestOptions } from 'n8n-workflow';

import { followRedirects } from './download';
import { isUnusableToken, responseTimeout } from './fault';
import { NoToken, type HttpResponse, type N8nClient } from './n8nClient';
import { rethrow } from './errors';
import { optionsOf, type ServiceRequest } from './request';
import type { RunToken } from './runToken';
import { discard, onIdle } from './stream';
import type { TokenAttempts } from './tokenRefresher';
import { onAbort, stopIfAborted, waitFor, type Signals } from './waiting';

/** What all attempts of a run share. */
export interface AttemptContext {
	client: N8nClient;
	token: RunToken;
	/** How long to wait for an answer, or for the next bytes of a file, in ms. */
	timeoutMs: number;
}

/** The headers to download a file: uncompressed, so that Content-Length is the length of the file itself. */
const FILE_HEADERS = { 'Accept-Encoding': 'identity', Accept: '*/*' };

/** Stands for the answer to a request that could not be sent because there was no usable token. */
const NO_TOKEN_RESPONSE: HttpResponse = { status: 401, headers: {}, body: '' };

/** One attempt at a request: sent with the stored token, and again with another one when that is refused. */
export class Attempt {
	private readonly tokenAttempts: TokenAttempts = { refusals: 0, renewals: 0, isProbe: false, failedProbes: 0 };
	/** Aborted when nobody waits for the answer any more: then n8n does not send the request, or closes its connection. */
	private readonly cancel = new AbortController();
	private readonly removeListener: () => void;

	/** @param options where the request goes, and its headers */
	constructor(
		private readonly context: AttemptContext,
		private readonly request: ServiceRequest,
		private readonly options: IHttpRequestOptions,
		private readonly signals: Signals,
	) {
		// Only Stop cancels a request that was already sent.
		this.removeListener = onAbort([context.client.signal], () => this.cancel.abort());
	}

	/** To be called after the answer was read: an unread rest would keep its connection open. */
	end(): void {
		this.removeListener();
		this.cancel.abort();
	}

	/**
	 * Waits for a token, sends the request, and follows the redirects of a download.
	 * @returns the answer, and the token that the request was sent with
	 * @throws ServiceError, and what n8n's helpers throw
	 */
	async send(): Promise<{ answer: HttpResponse; token: string }> {
		const { client, token: runToken } = this.context;
		const finish = await runToken.waitForToken(this.tokenAttempts, this.signals);
		try {
			stopIfAborted(this.signals);
			const { answer, token } = await this.withinTimeLimit(
				client.send(optionsOf(this.request, this.options, this.context.timeoutMs), this.cancel.signal),
			);
			if (answer.status !== 401) runToken.noteAccepted(token);
			return { answer: this.options.encoding === 'stream' ? await this.receiveFile(answer) : answer, token };
		} catch (error) {
			if (error instanceof NoToken) runToken.noteTokenMissing();
			// n8n has stored a token answer without a token in it, and does not request another one by itself.
			else if (!isUnusableToken(error) || this.tokenAttempts.renewals > 0) return await rethrow(error);
			return { answer: NO_TOKEN_RESPONSE, token: '' };
		} finally {
			finish();
		}
	}

	/**
	 * Makes another token available than the one that was refused.
	 * @returns false when another token cannot help
	 * @throws ServiceError
	 */
	async replaceToken(refused: string): Promise<boolean> {
		return await this.context.token.replaceToken(refused, this.tokenAttempts, this.signals);
	}

	/**
	 * Receives a download: redirects are followed by GET, the request's headers go to the service itself only, and a download
	 * that stands still for `timeoutMs` is stopped.
	 */
	private async receiveFile(first: HttpResponse): Promise<HttpResponse> {
		const { client, timeoutMs } = this.context;
		// A GET has no body.
		const { url, headers: { 'Content-Type': _ofBody, ...headers } = {} } = this.options;
		const answer = await followRedirects(first, new URL(url), client.connection.allowPlainHttp, async (target) => {
			const targetOptions: IHttpRequestOptions = {
				url: target.url.href,
				encoding: 'stream',
				headers: target.isService ? headers : FILE_HEADERS,
			};
			const options = optionsOf({ contract: 'GET /api/' }, targetOptions, timeoutMs);
			const sendToService = async () => (await client.send(options, this.cancel.signal, true)).answer;
			return await this.withinTimeLimit(
				target.isService ? sendToService() : client.sendWithoutCredential(options, this.cancel.signal),
			);
		});
		onIdle(answer.body, timeoutMs, () => {
			discard(answer.body, responseTimeout());
			this.cancel.abort();
		});
		return answer;
	}

	/** n8n's own timeout starts when there is a connection, and again with each byte; this one limits the whole request. */
	private async withinTimeLimit<T>(work: Promise<T>): Promise<T> {
		const { client, timeoutMs } = this.context;
		let isSettled = false;
		const settle = () => void (isSettled = true);
		work.then(settle, settle);
		return await waitFor(work, [client.signal], { ms: timeoutMs * 2, timeoutError: responseTimeout }).catch(
			(error: unknown) => {
				if (!isSettled) this.cancel.abort();
				return rethrow(error);
			},
		);
	}
}

/** The options of a request for a file. */
export const FILE: Partial<IHttpRequestOptions> = { encoding: 'stream', headers: FILE_HEADERS };
