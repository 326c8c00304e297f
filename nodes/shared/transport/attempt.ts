import type { IHttpRequestOptions } from 'n8n-workflow';

import { followRedirects } from './download';
import { isUnusableToken, responseTimeout } from './fault';
import { NoToken, type HttpResponse, type N8nClient } from './n8nClient';
import { asError } from './errors';
import { optionsOf, type ServiceRequest } from './request';
import type { RunToken } from './runToken';
import { discard, onIdle } from './stream';
import type { Tried } from './tokenRefresher';
import { onAbort, stopIfAborted, waitFor, type Signals } from './waiting';

/** What a run's attempts have in common. */
export interface AttemptContext {
	client: N8nClient;
	token: RunToken;
	timeoutMs: number;
}

/** What a file is asked for with: uncompressed, so that Content-Length is the file's own length. */
const FILE_HEADERS = { 'Accept-Encoding': 'identity', Accept: '*/*' };

/** The answer to a request that there was no usable token for. */
const REFUSED: HttpResponse = { status: 401, headers: {}, body: '' };

/** One attempt at a request: sent with the token as it stands, and again with others where it is refused. */
export class Attempt {
	private readonly tried: Tried = { refusals: 0, renewals: 0, leads: false, fruitless: 0 };
	/** Aborted once nobody waits for the answer: then n8n does not send the request any more, or cuts it off. */
	private readonly giveUp = new AbortController();
	private readonly forget: () => void;

	/** @param options where the request goes, and its headers */
	constructor(
		private readonly line: AttemptContext,
		private readonly request: ServiceRequest,
		private readonly options: IHttpRequestOptions,
		private readonly signals: Signals,
	) {
		// What is under way already is only cut off by Stop.
		this.forget = onAbort([line.client.signal], () => this.giveUp.abort());
	}

	/** To be called when the answer was read: what was not read of it keeps no connection. */
	end(): void {
		this.forget();
		this.giveUp.abort();
	}

	/**
	 * Waits for a token, sends the request, and follows where a file is forwarded to.
	 * @returns the answer, and the token that the service got
	 * @throws ServiceError, and what n8n's helpers throw
	 */
	async send(): Promise<{ answer: HttpResponse; token: string }> {
		const { client, token: ofRun } = this.line;
		const answered = await ofRun.turn(this.tried, this.signals);
		try {
			stopIfAborted(this.signals);
			const { answer, token } = await this.within(
				client.send(optionsOf(this.request, this.options, this.line.timeoutMs), this.giveUp.signal),
			);
			if (answer.status !== 401) ofRun.isGood(token);
			return { answer: this.options.encoding === 'stream' ? await this.asFile(answer) : answer, token };
		} catch (error) {
			if (error instanceof NoToken) ofRun.isGone();
			// n8n has stored an answer as the token that holds none, and asks for no other by itself.
			else if (!isUnusableToken(error) || this.tried.renewals > 0) return await Promise.reject(asError(error));
			return { answer: REFUSED, token: '' };
		} finally {
			answered();
		}
	}

	/** Sees to another token than the one that was refused. @returns false where there is no sense in it @throws ServiceError */
	async another(refused: string): Promise<boolean> {
		return await this.line.token.another(refused, this.tried, this.signals);
	}

	/** A download: forwarded by GET, with the request's headers for the service itself only, and given up where it stands still. */
	private async asFile(first: HttpResponse): Promise<HttpResponse> {
		const { client, timeoutMs } = this.line;
		// A GET has no body.
		const { url, headers: { 'Content-Type': _ofBody, ...headers } = {} } = this.options;
		const answer = await followRedirects(first, new URL(url), client.connection.allowPlainHttp, async (place) => {
			const at: IHttpRequestOptions = {
				url: place.url.href,
				encoding: 'stream',
				headers: place.isOwn ? headers : FILE_HEADERS,
			};
			const asked = optionsOf({ contract: 'GET /api/' }, at, timeoutMs);
			const own = async () => (await client.send(asked, this.giveUp.signal)).answer;
			return await this.within(place.isOwn ? own() : client.sendBare(asked, this.giveUp.signal));
		});
		onIdle(answer.body, timeoutMs, () => {
			discard(answer.body, responseTimeout());
			this.giveUp.abort();
		});
		return answer;
	}

	/** n8n's own clock runs only from when a connection is there, and anew with each byte: this one bounds it all. */
	private async within<T>(work: Promise<T>): Promise<T> {
		const { client, timeoutMs } = this.line;
		let isOver = false;
		const over = () => void (isOver = true);
		work.then(over, over);
		return await waitFor(work, [client.signal], { ms: timeoutMs * 2, late: responseTimeout }).catch(
			(error: unknown) => {
				if (!isOver) this.giveUp.abort();
				return Promise.reject(asError(error));
			},
		);
	}
}

/** How a file is asked for. */
export const FILE: Partial<IHttpRequestOptions> = { encoding: 'stream', headers: FILE_HEADERS };
