import {
	sleep,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';
import { z } from 'zod';

import { Slots } from './bounded';
import { accessOf, CREDENTIAL, connectionOf, type Access, type Connection } from './connection';
import { readEnvelope, type Envelope } from './envelope';
import { isUnusableToken, notTheService, problemOfAnswer, problemOfFault } from './explain';
import { asError, ServiceProblem, STOPPED } from './problem';
import { redact } from './redact';
import { checkHeaderId, formOf, pathOf, type ServiceRequest } from './request';
import { tokenKeeper, type TokenKeeper } from './token';

/** Where requests can be made from. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface ServiceSettings {
	/** How many requests may be in flight at once. */
	concurrency: number;
	/** How long to wait for an answer, or for the next piece of a file, in ms. */
	timeoutMs: number;
}

export const DEFAULT_SETTINGS: ServiceSettings = { concurrency: 8, timeoutMs: 120_000 };

/** An answer of the service, whatever its status. */
export interface Answer {
	status: number;
	/** By lower-case name. */
	headers: Record<string, unknown>;
	/** Parsed JSON, text, or the stream of a file. */
	body: unknown;
}

/** The answer to a request that n8n has no usable token for. */
const REFUSED: Answer = { status: 401, headers: {}, body: '' };

const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const SLICE_MS = 1000;

const methodShape = z.enum(['GET', 'POST', 'PUT', 'DELETE']);
const streamShape = z.object({ pipe: z.function() }).passthrough();
const answerShape = z
	.object({ body: z.unknown(), headers: z.record(z.unknown()).catch({}), statusCode: z.number() })
	.transform(({ body, headers, statusCode }): Answer => ({ body, headers, status: statusCode }));

/**
 * The one door to the service: authenticated requests with retries, one token for all, and answers read or explained.
 * One object serves one node run.
 */
export class Service {
	/** Attempts that came to an end, and how many of them were followed by another: for the person who wonders why a run takes long. */
	requests = 0;
	repeats = 0;
	private readonly slots: Slots;
	private readonly keeper: TokenKeeper;
	private warm: boolean;
	/** Once the credential was refused there is no sense in asking for a token for every further item. */
	private refusal: ServiceProblem | undefined;

	private constructor(
		private readonly context: ServiceContext,
		private connection: Connection,
		readonly settings: ServiceSettings,
		private readonly onProgress: (waitMs: number) => void,
	) {
		this.slots = new Slots(settings.concurrency);
		this.keeper = tokenKeeper(context.getNode().credentials?.[CREDENTIAL]?.id ?? '');
		this.warm = connection.token !== '';
	}

	/**
	 * Opens the door for a node run.
	 * @param onProgress called after every attempt, and each second that a request waits; gets how long that still is, in ms
	 * @throws BadInput when the credential cannot be used as it was filled in
	 */
	static async open(
		context: ServiceContext,
		settings: ServiceSettings = DEFAULT_SETTINGS,
		onProgress: (waitMs: number) => void = () => {},
	): Promise<Service> {
		return new Service(context, connectionOf(await context.getCredentials(CREDENTIAL)), settings, onProgress);
	}

	/** Which service it is: scheme and host. */
	get address(): string {
		return this.connection.baseUrl;
	}

	/** Aborted when the person presses Stop. */
	get signal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.context
			? this.context.getExecutionCancelSignal()
			: undefined;
	}

	/**
	 * What the credential's token says of itself (contract 5.2, deployment facts). The claims are hints only.
	 * @throws ServiceProblem when no token can be had
	 */
	async access(): Promise<Access> {
		// Any request fetches a token where none is stored; whether it is allowed makes no difference here.
		await this.json({
			contract: 'GET /api/enrollments/form-details',
			repeatable: true,
			purpose: 'check the access',
		}).catch((error: unknown) => {
			if (!(error instanceof ServiceProblem) || error.facts.status !== 403) return Promise.reject(asError(error));
			return undefined;
		});
		await this.reread();
		return accessOf(this.connection);
	}

	/**
	 * Asks for JSON.
	 * @returns the answer's envelope (contract 2.1); an answer without a body has no data and no messages
	 * @throws ServiceProblem, BadInput
	 */
	async json(request: ServiceRequest): Promise<Envelope> {
		// Followed, a redirect would take the body to another host, and make a GET of a POST.
		return await this.call(request, { json: true, disableFollowRedirect: true }, async (answer) => {
			if (answer.body === '' || answer.body === undefined || answer.body === null)
				return { data: undefined, messages: [], failed: false };
			const servedAt = Date.parse(String(answer.headers.date));
			const envelope = this.read(request, answer, answer.body);
			return Number.isNaN(servedAt) ? envelope : { ...envelope, servedAt };
		});
	}

	/**
	 * Reads a JSON answer.
	 * @throws ServiceProblem when it is none, or says that the operation did not work
	 */
	read(request: ServiceRequest, answer: Answer, body: unknown): Envelope {
		const envelope = readEnvelope(body);
		const problem = this.problemOf(request, answer, envelope);
		if (problem) throw problem;
		if (!envelope) throw notTheService(body, answer.status);
		return envelope;
	}

	/**
	 * Asks for a file.
	 * @param receive takes the stream in; it is called anew when the download has to be repeated
	 * @throws ServiceProblem, BadInput, and what `receive` throws
	 */
	async stream<T>(request: ServiceRequest, receive: (answer: Answer) => Promise<T>): Promise<T> {
		// Uncompressed, so that Content-Length is the file's own length.
		return await this.call(
			request,
			{ encoding: 'stream', headers: { 'Accept-Encoding': 'identity', Accept: '*/*' } },
			receive,
		);
	}

	/** Reads the text of a stream that turned out not to be a file. */
	async text(body: unknown): Promise<string> {
		if (typeof body === 'string') return body;
		const isStream = streamShape.safeParse(body).success;
		if (!isStream || !('binaryToString' in this.context.helpers)) return '';
		// The shape was just checked; n8n's helper reads any stream.
		return await this.context.helpers.binaryToString(body as Parameters<typeof this.context.helpers.binaryToString>[0]);
	}

	private async call<T>(
		request: ServiceRequest,
		options: Partial<IHttpRequestOptions>,
		receive: (answer: Answer) => Promise<T>,
	): Promise<T> {
		const url = this.connection.baseUrl + pathOf(request.contract, request.path);
		const headers = { ...options.headers, ...this.headersFor(request) };
		for (let tries = 1; ; tries++) {
			const outcome = await this.slots
				.use(async () => await this.ask(request, { ...options, url, headers }, receive))
				.then(
					(value) => ({ value }),
					(error: unknown) => ({ problem: problemOfFault(error, this.connection) }),
				);
			this.requests++;
			this.onProgress(0);
			if ('value' in outcome) return outcome.value;
			const { facts } = outcome.problem;
			const [next, ...further] = request.elsewhere ?? [];
			if (facts.status === 404 && next) return await this.call({ ...request, contract: next, elsewhere: further }, options, receive);
			const harmless = request.repeatable || !facts.mayHaveLanded;
			if (!facts.transient || !harmless || tries === MAX_TRIES) {
				if (facts.cause === 'credential-invalid' && facts.status === undefined)
					this.refusal = outcome.problem;
				throw this.told(outcome.problem, request, tries);
			}
			this.repeats++;
			await this.pause(
				facts.retryAfterMs ??
					Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)),
				request,
			);
		}
	}

	private headersFor(request: ServiceRequest): Record<string, string> {
		return {
			...(request.body ? { 'Content-Type': 'application/json' } : {}),
			...(request.company ? { [this.connection.companyHeader]: checkHeaderId(request.company) } : {}),
		};
	}

	/** One attempt: sends, renews a refused token once, and reads the answer while the slot is held. */
	private async ask<T>(
		request: ServiceRequest,
		options: IHttpRequestOptions,
		receive: (answer: Answer) => Promise<T>,
	): Promise<T> {
		for (let renewed = false, asked = 1; ; asked++) {
			if (this.refusal) throw this.refusal;
			const { answer, generation } = await this.keeper.send(
				() => !this.warm,
				async () => await this.sendOrExplain(request, options, renewed),
			);
			// A request whose token was voided by someone else's renewal asks again before it renews one itself.
			if (answer.status >= 200 && answer.status < 300) return await receive(answer);
			// Also read where it is not needed: an unread stream keeps its connection.
			const body = options.encoding === 'stream' ? await this.text(answer.body) : answer.body;
			if (answer.status === 401 && !renewed && asked < 3) {
				this.stopIfUnwanted(request);
				renewed = await this.renew(generation);
			} else this.read(request, answer, body);
		}
	}

	private problemOf(request: ServiceRequest, answer: Answer, envelope: Envelope | undefined) {
		return problemOfAnswer(request, this.connection, {
			status: answer.status,
			envelope,
			retryAfter: answer.headers['retry-after'],
		});
	}

	/** Sends, with a first token where none is stored. @throws ServiceProblem */
	private async sendOrExplain(
		request: ServiceRequest,
		options: IHttpRequestOptions,
		renewed: boolean,
	): Promise<Answer> {
		// It may have waited for a token that another request asked for.
		this.stopIfUnwanted(request);
		try {
			const answer = await this.send(request, options);
			if (!this.warm) await this.reread();
			this.warm = true;
			return answer;
		} catch (error) {
			// n8n stores a token before it uses it: without one, it was the token request that failed.
			if (!this.warm) await this.reread();
			const isForToken = this.connection.token === '';
			if (isForToken && !renewed && isUnusableToken(error)) return REFUSED;
			throw problemOfFault(error, this.connection, isForToken);
		}
	}

	private async send(request: ServiceRequest, options: IHttpRequestOptions): Promise<Answer> {
		const [method] = request.contract.split(' ');
		const sent: unknown = await this.context.helpers.httpRequestWithAuthentication.call(
			this.context,
			CREDENTIAL,
			{
				...options,
				method: methodShape.parse(method),
				...(request.query ? { qs: request.query } : {}),
				...(request.body ? { body: { ...request.body, ...request.more } } : {}),
				...(request.form ? { body: formOf(request.form) } : {}),
				timeout: this.settings.timeoutMs,
				returnFullResponse: true,
				// A status that throws loses its headers and body in n8n before 2.41.
				ignoreHttpStatusErrors: true,
				sendCredentialsOnCrossOriginRedirect: false,
			},
		);
		return answerShape.parse(sent);
	}

	/** @returns whether a renewal was waited for; then a further 401 means that the new token is refused too */
	private async renew(generation: number): Promise<boolean> {
		const refresh = async (): Promise<unknown> =>
			await this.context.helpers.refreshOAuth2Token.call(this.context, CREDENTIAL);
		try {
			return await this.keeper.renew(generation, refresh);
		} catch (error) {
			// n8n trips over a credential that has no token stored; then an ordinary request fetches one.
			if (error instanceof TypeError) return true;
			throw problemOfFault(error, this.connection, true);
		} finally {
			await this.reread();
		}
	}

	/** Reads the credential again, with the token that was stored meanwhile. */
	private async reread(): Promise<void> {
		this.connection = connectionOf(await this.context.getCredentials(CREDENTIAL));
	}

	private stopIfUnwanted({ signal }: ServiceRequest) {
		if (this.signal?.aborted || signal?.aborted)
			throw new ServiceProblem(STOPPED);
	}

	/** Waits, but not a moment longer than the run goes on. n8n's sleep takes no signal before 2.41. */
	private async pause(ms: number, { signal }: ServiceRequest): Promise<void> {
		const signals = [this.signal, signal];
		let wake = () => {};
		const stopped = new Promise<void>((resolve) => (wake = resolve));
		for (const each of signals) each?.addEventListener('abort', wake, { once: true });
		// In slices, so that no long timer stays behind.
		for (let left = ms; left > 0 && !signals.some((each) => each?.aborted); left -= SLICE_MS) {
			this.onProgress(left);
			await Promise.race([sleep(Math.min(left, SLICE_MS)), stopped]);
		}
		for (const each of signals) each?.removeEventListener('abort', wake);
	}

	/** The problem with what a person must know besides: that it was tried often, or that it may have been done. */
	private told(problem: ServiceProblem, request: ServiceRequest, tries: number): ServiceProblem {
		const { facts } = problem;
		const unsure = !request.repeatable && facts.mayHaveLanded;
		const advice = [
			facts.advice,
			unsure
				? 'It was not repeated, because the service may have carried it out all the same: look there before you run it again.'
				: '',
			tries > 1 ? `It was tried ${tries} times.` : '',
		];
		const secrets = [...this.connection.secrets, ...(request.secrets ?? [])];
		return new ServiceProblem({
			...facts,
			reason: redact(facts.reason, secrets),
			advice: redact(advice.filter((part) => part !== '').join(' '), secrets),
		});
	}
}
