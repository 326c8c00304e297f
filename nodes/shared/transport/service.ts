import type { IHttpRequestOptions } from 'n8n-workflow';

import { Attempt, FILE } from './attempt';
import { Semaphore } from './concurrency';
import { accessOf, CREDENTIAL, type Access } from './connection';
import { readEnvelope, type Envelope } from './envelope';
import { notOffered, notTheService, errorOfResponse } from './responseError';
import { errorOfFault } from './fault';
import { N8nClient, type HttpResponse, type ServiceContext } from './n8nClient';
import { asError, ServiceError } from './errors';
import { redact, shortened } from './redact';
import { companyHeaders, pathOf, type ContractKey, type ServiceRequest } from './request';
import { RunToken } from './runToken';
import { discard, isStream } from './stream';
import { tokenRefresher } from './tokenRefresher';
import { backOffMs, pause, stopIfAborted, type Signals } from './waiting';

export type { HttpResponse, ServiceContext } from './n8nClient';

export interface ServiceSettings {
	/** How many requests may be in flight at once. */
	concurrency: number;
	/** How long to wait for a token, for an answer, or for the next piece of a file, in ms. */
	timeoutMs: number;
}

export const DEFAULT_SETTINGS: ServiceSettings = { concurrency: 8, timeoutMs: 120_000 };

const MAX_TRIES = 5;
/** How many requests are refused with every token, and none let through, before the run asks no more. */
const MOST_REFUSALS = 3;

/** How much of what the service says is kept in an error, and how much of an error in all, in characters. */
const MOST_SAID = 2000;
const MOST_ADVICE = 4000;

/**
 * The one door to the service: authenticated requests with retries, one token for all, and answers read or explained.
 * One object serves one node run.
 */
export class Service {
	/** Attempts that came to an end, and how many of them were followed by another: for the person who wonders why a run takes long. */
	requests = 0;
	repeats = 0;
	private readonly semaphore: Semaphore;
	private readonly token: RunToken;
	/** Whether any request was let through with its token, and how many in a row were not, with whatever token. */
	private isAccepted = false;
	private refusals = 0;
	private refusal: ServiceError | undefined;
	/** Where an operation was found that the contract has at another path. */
	private readonly knownContracts = new Map<ContractKey, ContractKey>();

	private constructor(
		private readonly context: ServiceContext,
		private readonly client: N8nClient,
		readonly settings: ServiceSettings,
		private readonly onProgress: (waitMs: number) => void,
	) {
		this.semaphore = new Semaphore(settings.concurrency);
		const keeper = tokenRefresher(context.getNode().credentials?.[CREDENTIAL]?.id ?? '');
		this.token = new RunToken(client, keeper, settings.timeoutMs, onProgress);
	}

	/**
	 * Opens the door for a node run.
	 * @param onProgress called after every attempt, and each second that a request waits; gets how long that still is, in ms
	 * @throws InvalidInput when the credential cannot be used as it was filled in
	 */
	static async open(
		context: ServiceContext,
		settings: ServiceSettings = DEFAULT_SETTINGS,
		onProgress: (waitMs: number) => void = () => {},
	): Promise<Service> {
		return new Service(context, await N8nClient.open(context), settings, onProgress);
	}

	/** Which service it is: scheme and host. */
	get address(): string {
		return this.client.connection.baseUrl;
	}

	/** Aborted when the person presses Stop. */
	get signal(): AbortSignal | undefined {
		return this.client.signal;
	}

	/**
	 * What the credential's token says of itself (contract 5.2, deployment facts). The claims are hints only.
	 * @throws ServiceError when no token can be had
	 */
	async access(): Promise<Access> {
		// Any request fetches a token where none is stored; whether it is allowed makes no difference here.
		await this.json({
			contract: 'GET /api/enrollments/form-details',
			repeatable: true,
			purpose: 'check the access',
		}).catch((error: unknown) => {
			if (!(error instanceof ServiceError) || error.details.status !== 403) return Promise.reject(asError(error));
			return undefined;
		});
		return accessOf(await this.client.read());
	}

	/**
	 * Asks for JSON.
	 * @returns the answer's envelope (contract 2.1); an answer without a body has no data and no messages
	 * @throws ServiceError, InvalidInput
	 */
	async json(request: ServiceRequest): Promise<Envelope> {
		return await this.call(request, { json: true }, async (answer) => {
			if (answer.body === '' || answer.body === undefined || answer.body === null)
				return { data: undefined, messages: [], failed: false };
			const servedAt = Date.parse(String(answer.headers.date));
			const envelope = this.read(request, answer, answer.body);
			return Number.isNaN(servedAt) ? envelope : { ...envelope, servedAt };
		});
	}

	/**
	 * Reads a JSON answer. What the service says in it is cut to a length that a person reads, and holds no secret.
	 * @throws ServiceError when it is none, or says that the operation did not work
	 */
	read(request: ServiceRequest, answer: HttpResponse, body: unknown): Envelope {
		const read = readEnvelope(body, request.mayBeText);
		const envelope = read && { ...read, messages: this.shownMessages(read.messages, request) };
		const { status, headers } = answer;
		const problem = errorOfResponse(request, this.client.connection, { status, headers, envelope });
		if (problem) throw problem;
		if (!envelope) throw notTheService(body, answer.status);
		return envelope;
	}

	/**
	 * Asks for a file.
	 * @param receive takes the stream in; it is called anew when the download has to be repeated
	 * @throws ServiceError, InvalidInput, and what `receive` throws
	 */
	async stream<T>(request: ServiceRequest, receive: (answer: HttpResponse) => Promise<T>): Promise<T> {
		return await this.call(request, FILE, receive);
	}

	/** Reads the text of a stream that turned out not to be a file. */
	async text(body: unknown): Promise<string> {
		if (typeof body === 'string') return body;
		if (!isStream(body) || !('binaryToString' in this.context.helpers)) return '';
		// The shape was just checked; n8n's helper reads any stream.
		return await this.context.helpers.binaryToString(body as Parameters<typeof this.context.helpers.binaryToString>[0]);
	}

	/** Asks at the contract's path, and where that is not there, at those that other deployments have it at. */
	private async call<T>(
		request: ServiceRequest,
		options: Partial<IHttpRequestOptions>,
		receive: (answer: HttpResponse) => Promise<T>,
	): Promise<T> {
		const { fallbackContracts = [], contract, ...same } = request;
		const known = this.knownContracts.get(contract);
		const places = new Set([...(known ? [known] : []), contract, ...fallbackContracts]);
		const missing = new Map<ContractKey, ServiceError>();
		for (const place of places) {
			const outcome = await this.callAt({ ...same, contract: place }, options, receive).then(
				(value) => ({ value }),
				(error: unknown) => ({ error }),
			);
			if ('value' in outcome) {
				if (place !== contract) this.knownContracts.set(contract, place);
				return outcome.value;
			}
			const { error } = outcome;
			if (places.size === 1 || !(error instanceof ServiceError) || error.details.status !== 404) throw error;
			missing.set(place, error);
		}
		const first = missing.get(contract);
		throw first ? notOffered(request, [first, ...missing.values()]) : new Error('There is no place to ask at');
	}

	private async callAt<T>(
		request: ServiceRequest,
		options: Partial<IHttpRequestOptions>,
		receive: (answer: HttpResponse) => Promise<T>,
	): Promise<T> {
		const signals = [this.signal, request.signal];
		const url = this.address + pathOf(request.contract, request.path);
		const headers = { ...options.headers, ...this.headersFor(request) };
		for (let tries = 1; ; tries++) {
			const outcome = await this.semaphore
				.use(async () => await this.ask(request, { ...options, url, headers }, signals, receive), signals)
				.then(
					(value) => ({ value }),
					(error: unknown) => ({ problem: errorOfFault(error, this.client.connection) }),
				);
			this.requests++;
			this.onProgress(0);
			if ('value' in outcome) return outcome.value;
			stopIfAborted([this.signal]);
			const { problem } = outcome;
			const { details } = problem;
			const harmless = request.repeatable || !details.mayHaveBeenApplied;
			if (!details.transient || !harmless || tries === MAX_TRIES) throw this.withAdvice(problem, request, tries);
			this.repeats++;
			// A service that asks for no wait at all is not asked again at once all the same.
			await pause(Math.max(details.retryAfterMs ?? 0, backOffMs(tries)), signals, this.onProgress);
		}
	}

	private headersFor(request: ServiceRequest): Record<string, string> {
		return {
			...(request.body ? { 'Content-Type': 'application/json' } : {}),
			...companyHeaders(request, this.client.connection),
		};
	}

	/** One attempt: sends, again with another token where one is refused, and reads the answer while the slot is held. */
	private async ask<T>(
		request: ServiceRequest,
		options: IHttpRequestOptions,
		signals: Signals,
		receive: (answer: HttpResponse) => Promise<T>,
	): Promise<T> {
		const line = { client: this.client, token: this.token, timeoutMs: this.settings.timeoutMs };
		if (this.refusal) throw this.refusal;
		const attempt = new Attempt(line, request, options, signals);
		try {
			for (;;) {
				const { answer, token } = await attempt.send();
				this.isAccepted ||= answer.status !== 401;
				try {
					if (answer.status >= 200 && answer.status < 300) return await receive(answer);
					const body = options.encoding === 'stream' ? await this.text(answer.body) : answer.body;
					if (answer.status !== 401 || !(await attempt.another(token))) this.refuse(request, answer, body);
				} finally {
					discard(answer.body);
				}
			}
		} finally {
			attempt.end();
		}
	}

	/**
	 * Reads an answer that is a refusal. Where no token was ever accepted, the first few requests have found that out for
	 * all that follow. @throws ServiceError
	 */
	private refuse(request: ServiceRequest, answer: HttpResponse, body: unknown): void {
		try {
			this.read(request, answer, body);
		} catch (error) {
			if (
				answer.status === 401 &&
				!this.isAccepted &&
				++this.refusals >= MOST_REFUSALS &&
				error instanceof ServiceError
			)
				this.refusal = error;
			throw asError(error);
		}
	}

	/** What the service says, up to a length. */
	private shownMessages(messages: readonly string[], request: ServiceRequest): string[] {
		let left = MOST_SAID;
		return messages.flatMap((message) => {
			if (left <= 0) return [];
			const shown = shortened(message, this.secretsOf(request), left);
			left -= shown.length;
			return [shown];
		});
	}

	private secretsOf({ secrets = [] }: ServiceRequest): string[] {
		return [...this.client.secrets, ...secrets];
	}

	/** The problem with what a person must know besides: that it was tried often, or that it may have been done. */
	private withAdvice(problem: ServiceError, request: ServiceRequest, tries: number): ServiceError {
		const { details } = problem;
		const unsure = !request.repeatable && details.mayHaveBeenApplied;
		const secrets = this.secretsOf(request);
		const advice = [
			shortened(details.advice, secrets, MOST_ADVICE),
			unsure
				? 'It was not repeated, because the service may have carried it out all the same: look there before you run it again.'
				: '',
			// How often a token was asked for is said already.
			tries > 1 && problem !== this.token.failure ? `It was tried ${tries} times.` : '',
		];
		return new ServiceError({
			...details,
			reason: redact(details.reason, secrets),
			advice: advice.filter((part) => part !== '').join(' '),
		});
	}
}
