import type { IHttpRequestOptions } from 'n8n-workflow';

import { withAdvice } from './advice';
import { Attempt, FILE } from './attempt';
import { Semaphore } from './concurrency';
import { CREDENTIAL, type Access } from './connection';
import { readEnvelope, type Envelope } from './envelope';
import { Allowance } from './guard/allowance';
import { notOffered, unexpectedResponse, errorOfResponse } from './responseError';
import { errorOfFault } from './fault';
import { N8nClient, type HttpResponse, type ServiceContext } from './n8nClient';
import { asError, rethrow, ServiceError } from './errors';
import { shortened } from './redact';
import { companyHeaders, companyQuery, optionsOf, pathOf, type ContractKey, type ServiceRequest } from './request';
import { triesFor } from './retries';
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
	/** How old a reading of the credential may be that requests are sent with, in ms; each request reads it unless given. */
	credentialAgeMs?: number;
}

export const DEFAULT_SETTINGS: ServiceSettings = { concurrency: 8, timeoutMs: 120_000 };

/** After this many requests that were refused with every token, and none accepted, the run sends no more. */
const MAX_REFUSALS = 3;

/** How much of the service's messages an error keeps, in characters. */
const MAX_MESSAGES_LENGTH = 2000;

/**
 * The only HTTP client of the nodes: it sends authenticated requests, repeats them where that is safe, uses one token for
 * all of them, and turns each answer into data or an error. One object serves one node run.
 */
export class Service {
	/** Number of attempts that ended, and how many of them were repeated; shown as the progress of a run. */
	requests = 0;
	repeats = 0;
	private readonly semaphore: Semaphore;
	private readonly token: RunToken;
	/** Whether the service accepted any request's token, and how many requests it refused before that. */
	private isAccepted = false;
	private refusals = 0;
	private refusal: ServiceError | undefined;
	/** Operations that this deployment has at another path than the contract: contract key → the key that was found. */
	private readonly knownContracts = new Map<ContractKey, ContractKey>();

	private constructor(
		private readonly context: ServiceContext,
		private readonly client: N8nClient,
		readonly settings: ServiceSettings,
		private readonly onProgress: (waitMs: number) => void,
	) {
		this.semaphore = new Semaphore(settings.concurrency);
		const refresher = tokenRefresher(context.getNode().credentials?.[CREDENTIAL]?.id ?? '');
		this.token = new RunToken(client, refresher, settings.timeoutMs, onProgress);
	}

	/**
	 * Creates the client of a node run.
	 * @param onProgress called after every attempt with 0, and each second of a pause with the time that is left, in ms
	 * @throws InvalidInput when the credential cannot be used as it was filled in
	 */
	static async open(
		context: ServiceContext,
		settings: ServiceSettings = DEFAULT_SETTINGS,
		onProgress: (waitMs: number) => void = () => {},
	): Promise<Service> {
		return new Service(context, await N8nClient.open(context, settings.credentialAgeMs), settings, onProgress);
	}

	/** What the credential allows. */
	get allowance(): Allowance {
		return new Allowance(this.client.guard, this.client.connection);
	}

	/** The address of the service: scheme and host. */
	get address(): string {
		return this.client.connection.baseUrl;
	}

	/** The client that the credential stands for. */
	get clientId(): string {
		return this.client.connection.clientId;
	}

	/** Aborted when the person presses Stop. */
	get signal(): AbortSignal | undefined {
		return this.client.signal;
	}

	/** What the stored token says, without a request: nothing before the first one (see `access`). */
	get claims(): Access {
		return this.client.guard.shownAccess(this.client.connection);
	}

	/**
	 * What the credential's token says about role, company and permissions (contract 5.2, deployment facts). The service
	 * decides by its own rules, so these are hints only.
	 * @throws ServiceError when no token can be obtained
	 */
	async access(): Promise<Access> {
		// Any request fetches a token where none is stored; whether it is allowed makes no difference here.
		const [id] = this.client.connection.limits.companies ?? [];
		await this.json({
			contract: 'GET /api/enrollments/form-details',
			repeatable: true,
			purpose: 'check the access',
			...(id === undefined ? {} : { company: { id, name: '' } }),
		}).catch((error: unknown) => {
			if (!(error instanceof ServiceError) || error.details.status !== 403) return rethrow(error);
			return undefined;
		});
		return this.client.guard.shownAccess(await this.client.read());
	}

	/**
	 * Sends a request whose answer is JSON.
	 * @returns the answer's envelope (contract 2.1); an answer without a body has no data and no messages
	 * @throws ServiceError when there is no answer, or one that says that the operation failed
	 * @throws InvalidInput for an ID that cannot be sent
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
	 * Reads a JSON answer. Its messages are shortened to 2,000 characters, without secrets.
	 * @throws ServiceError when the answer is not JSON, or says that the operation failed
	 */
	read(request: ServiceRequest, answer: HttpResponse, body: unknown): Envelope {
		const read = readEnvelope(body, request.mayBeText);
		const envelope = read && { ...read, messages: this.shownMessages(read.messages, request) };
		const { status, headers } = answer;
		const problem = errorOfResponse(request, this.client.connection, { status, headers, envelope });
		if (problem) throw problem;
		if (!envelope) throw unexpectedResponse(body, answer.status);
		return this.client.guard.filter(envelope, request.contract, this.client.connection);
	}

	/**
	 * Sends a request whose answer is a file.
	 * @param receive reads the stream; it is called again when the download has to be repeated
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

	/** Sends a request to the contract's path and, after a 404, to the paths that other deployments use. */
	private async call<T>(
		request: ServiceRequest,
		options: Partial<IHttpRequestOptions>,
		receive: (answer: HttpResponse) => Promise<T>,
	): Promise<T> {
		const { fallbackContracts = [], contract, ...same } = request;
		const known = this.knownContracts.get(contract);
		const candidates = new Set([...(known ? [known] : []), contract, ...fallbackContracts]);
		const missing = new Map<ContractKey, ServiceError>();
		for (const candidate of candidates) {
			const outcome = await this.callWithRetries({ ...same, contract: candidate }, options, receive).then(
				(value) => ({ value }),
				(error: unknown) => ({ error }),
			);
			if ('value' in outcome) {
				if (candidate !== contract) this.knownContracts.set(contract, candidate);
				return outcome.value;
			}
			const { error } = outcome;
			if (candidates.size === 1 || !(error instanceof ServiceError) || error.details.status !== 404) throw error;
			missing.set(candidate, error);
		}
		const first = missing.get(contract);
		throw first
			? notOffered(request, [first, ...missing.values()])
			: new Error('There is no path to send the request to');
	}

	private async callWithRetries<T>(
		asked: ServiceRequest,
		options: Partial<IHttpRequestOptions>,
		receive: (answer: HttpResponse) => Promise<T>,
	): Promise<T> {
		const request = { ...asked, ...companyQuery(asked, this.client.connection) };
		const signals = [this.signal, request.signal];
		const url = this.address + pathOf(request.contract, request.path);
		const type = request.body ? { 'Content-Type': 'application/json' } : {};
		const headers = { ...options.headers, ...type, ...companyHeaders(request, this.client.connection) };
		// Checked here before anything is sent, a token request included, and again with each token that is used.
		this.client.check(optionsOf(request, { url, headers }, 0));
		for (let tries = 1; ; tries++) {
			const outcome = await this.semaphore
				.use(async () => await this.attempt(request, { ...options, url, headers }, signals, receive), signals)
				.then(
					(value) => ({ value }),
					(error: unknown) => ({ problem: errorOfFault(error, this.client.connection) }),
				);
			this.requests++;
			this.onProgress(0);
			if ('value' in outcome) return outcome.value;
			stopIfAborted([this.signal]);
			const { problem } = outcome;
			if (tries >= triesFor(problem, request))
				throw withAdvice(problem, {
					request,
					tries,
					secrets: this.secretsOf(request),
					isAboutToken: problem === this.token.failure,
				});
			this.repeats++;
			// A service may ask for a wait of 0 seconds; a pause is made nevertheless.
			await pause(Math.max(problem.details.retryAfterMs ?? 0, backOffMs(tries)), signals, this.onProgress);
		}
	}

	/** One attempt: sends the request, again after a token was replaced, and reads the answer while the slot is held. */
	private async attempt<T>(
		request: ServiceRequest,
		options: IHttpRequestOptions,
		signals: Signals,
		receive: (answer: HttpResponse) => Promise<T>,
	): Promise<T> {
		const attemptContext = { client: this.client, token: this.token, timeoutMs: this.settings.timeoutMs };
		if (this.refusal) throw this.refusal;
		const attempt = new Attempt(attemptContext, request, options, signals);
		try {
			for (;;) {
				const { answer, token } = await attempt.send();
				this.isAccepted ||= answer.status !== 401;
				try {
					if (answer.status >= 200 && answer.status < 300) return await receive(answer);
					const body = options.encoding === 'stream' ? await this.text(answer.body) : answer.body;
					if (answer.status !== 401 || !(await attempt.replaceToken(token))) this.throwRefusal(request, answer, body);
				} finally {
					discard(answer.body);
				}
			}
		} finally {
			attempt.end();
		}
	}

	/**
	 * Throws the error of an answer that is a refusal. If the service has refused the tokens of three requests and accepted
	 * none, later requests are not sent and fail with the same error.
	 * @throws ServiceError
	 */
	private throwRefusal(request: ServiceRequest, answer: HttpResponse, body: unknown): void {
		try {
			this.read(request, answer, body);
		} catch (error) {
			if (answer.status === 401 && !this.isAccepted && ++this.refusals >= MAX_REFUSALS && error instanceof ServiceError)
				this.refusal = error;
			throw asError(error);
		}
	}

	/** The service's messages, up to 2,000 characters in all. */
	private shownMessages(messages: readonly string[], request: ServiceRequest): string[] {
		let left = MAX_MESSAGES_LENGTH;
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
}
